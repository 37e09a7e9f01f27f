import CloverTestSupport
import Synchronization
import Testing

@Suite("checkout: what the order and the payment of a page show")
struct CheckoutOrderTests {
    /// A service with one page of 13.80 USD, one order of it, and one payment.
    private final class Service: Sendable {
        private let page = CheckoutPage()
        /// The `payments` of the order; nil for no order.
        let payments = Mutex<String?>(nil)
        /// The response to a look at a payment by its ID.
        let record = Mutex(LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#))

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            if let response = page.respond(request) { return response }
            if request.path.contains("/payments/") { return record.withLock(\.self) }
            guard let payments = payments.withLock(\.self), request.values(of: "offset") == ["0"] else {
                return .page([])
            }
            return .page([
                #"{"id":"ORDER00000001","currency":"USD","lineItems":{"elements":[{"note":"\#(page.note)"}]},"payments":\#(payments)}"#
            ])
        }
    }

    private static func run(_ body: (Sandbox, Service, _ id: String) async throws -> Void) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let page = try await sandbox.clover("checkout", "create", "--item", "Tea=4.60*3", "--currency", "USD")
            try await body(sandbox, service, try #require(try page.events.last?["operation"]?.string))
        }
    }

    private static func wait(_ sandbox: Sandbox, _ id: String) async throws -> CommandResult {
        try await sandbox.clover("checkout", "wait", id, "--interval", "0.1", "--linger", "1s")
    }

    private static func list(_ payments: String...) -> String { #"{"elements":[\#(payments.joined(separator: ","))]}"# }

    private static func payment(_ id: String, _ amount: Int, _ result: String? = "SUCCESS") -> String {
        #"{"id":"\#(id)","amount":\#(amount)\#(result.map { #","result":"\#($0)""# } ?? "")}"#
    }

    @Test(
        "what an order shows besides one good payment is named as it is",
        arguments: [
            (
                list(payment("PAY1", 690), payment("PAY2", 690)), 80,
                "paid in parts, which together are what it asked for"
            ),
            (list(payment("PAY1", 690), payment("PAY2", 700)), 80, "paid more than once: PAY1, PAY2"),
            (list(payment("PAY1", 1380), payment("PAY1", 1380, "FAIL")), 80, "twice, with different contents"),
            (list(payment("PAY1", 1380, "FAIL"), payment("PAY1", 1380)), 80, "twice, with different contents"),
            (list(payment("PAY1", 1380), payment("PAY1", 1)), 80, "twice, with different contents"),
            (list(payment("PAY1", 1380), payment("PAY1", 1380)), 0, ""),
            (list(payment("PAY1", 1380, "AUTH")), 80, "its order has PAY1 with the result 'AUTH'"),
            (list(payment("PAY1", 1380, nil)), 80, "its order has PAY1 without a result"),
            (list(#"{"amount":1380,"result":"SUCCESS"}"#), 80, "its order has a payment without an ID"),
            ("[\(payment("PAY1", 1380))]", 76, "the payments of the order ORDER00000001 cannot be understood"),
            ("null", 80, "no payment was seen"),
        ])
    func shown(_ payments: String, _ status: Int, _ words: String) async throws {
        try await Self.run { sandbox, service, id in
            service.payments.withLock { $0 = payments }
            let wait = try await Self.wait(sandbox, id)
            #expect(wait.status == status && (words.isEmpty || wait.errorText.contains(words)), "\(wait)")
        }
    }

    @Test("a page that was paid in parts can be settled as paid, and is not named any more")
    func parts() async throws {
        try await Self.run { sandbox, service, id in
            service.payments.withLock { $0 = Self.list(Self.payment("PAY1", 690), Self.payment("PAY2", 690)) }
            #expect(try await Self.wait(sandbox, id).status == 80)
            expectFailure(
                try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: "in parts", output: nil)
            #expect(try await sandbox.clover("charge", "settle", id, "--paid").status == 0)
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test(
        "a payment that a person names for a page is compared with the page",
        arguments: [
            (#"{"id":"PAYMENT000001","amount":1380,"result":"AUTH"}"#, "'AUTH'"),
            (#"{"id":"PAYMENT000001","amount":1380}"#, "'without a result'"),
            (
                #"{"id":"PAYMENT000001","amount":1380,"result":"SUCCESS","cardTransaction":{"type":"PREAUTH","captured":false}}"#,
                "only held"
            ),
            (
                #"{"id":"PAYMENT000001","amount":1380,"result":"SUCCESS","createdTime":1600000000000}"#,
                "a time more than a day before"
            ),
            ("", "PAYMENT000001"),
        ])
    func settled(_ record: String, _ words: String) async throws {
        try await Self.run { sandbox, service, id in
            if !record.isEmpty { service.record.withLock { $0 = LoopbackResponse(record) } }
            let settle = ["charge", "settle", id, "--paid", "--payment", "PAYMENT000001"]
            expectFailure(try await sandbox.clover(settle), status: 64, saying: words)
            service.record.withLock {
                $0 = LoopbackResponse(#"{"id":"PAYMENT000001","amount":1380,"result":"SUCCESS"}"#)
            }
            #expect(try await sandbox.clover(settle).status == 0)
        }
    }

    @Test("a page that a person recorded as not paid is looked at again by its ID, too")
    func lookedAtAgain() async throws {
        try await Self.run { sandbox, service, id in
            #expect(try await sandbox.clover("charge", "settle", id, "--not-paid").status == 0)
            #expect(try await sandbox.clover("charge", "recover", id).status != 0)
            service.payments.withLock { $0 = Self.list(Self.payment("PAY1", 1380)) }
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80, saying: "a payment is shown", output: nil
            )
        }
    }
}
