import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("checkout: payments that contradict a page, and responses that are repeated")
struct CheckoutContradictionTests {
    /// A service that gives every page the same session, and whose orders have the payments given, each as amount,
    /// currency and whether its order has the page's reference.
    private final class Service: Sendable {
        private let page = CheckoutPage()
        let payments = Mutex<[(amount: Int, currency: String, hasNote: Bool)]>([])
        let isReadable = Mutex(true)
        /// The result of each payment that is asked for by its ID; nil if there is none.
        let result = Mutex<String?>(nil)
        let amount = Mutex(1380)
        /// In place of the amount of each payment in the orders, and of the currency of each order.
        let amountText = Mutex<String?>(nil)
        let currencyText = Mutex<String?>(nil)
        /// The most orders on a page; 0 repeats all of them on each.
        let pageSize = Mutex(1000)

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            if let response = page.respond(request) { return response }
            if let id = request.path.split(separator: "/").last, request.path.contains("/payments/") {
                guard let result = result.withLock(\.self) else {
                    return LoopbackResponse(status: "404 Not Found", "{}")
                }
                let order = #"{"id":"ORDER00000009","currency":"USD"}"#
                let amount = amount.withLock(\.self)
                return LoopbackResponse(#"{"id":"\#(id)","result":"\#(result)","amount":\#(amount),"order":\#(order)}"#)
            }
            guard isReadable.withLock({ $0 }) else { return LoopbackResponse(status: "403 Forbidden", "{}") }
            let note = page.note
            let (amountText, currencyText) = (amountText.withLock(\.self), currencyText.withLock(\.self))
            let rows = payments.withLock { $0 }.enumerated().map { number, payment -> String in
                let currency = currencyText ?? "\"\(payment.currency)\""
                let amount = amountText ?? "\(payment.amount)"
                return #"{"id":"ORDER0000000\#(number)","currency":\#(currency),"lineItems":{"elements":[{"note":"#
                    + #""\#(payment.hasNote ? note : "another")"}]},"payments":{"elements":[{"id":"PAYMENT00000\#(number)","#
                    + #""result":"SUCCESS","amount":\#(amount)}]}}"#
            }
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            let size = pageSize.withLock(\.self)
            return .page(size == 0 ? rows : Array(rows.dropFirst(offset).prefix(size)))
        }
    }

    private static func make(_ sandbox: Sandbox, _ options: [String] = []) async throws -> CommandResult {
        try await sandbox.clover(
            ["checkout", "create", "--item", "Tea=4.25*3", "--currency", "USD", "--tax", "Sales tax=8.25%"] + options)
    }

    private static func wait(_ sandbox: Sandbox, _ id: String) async throws -> CommandResult {
        try await sandbox.clover("checkout", "wait", id, "--interval", "0.1", "--linger", "1s")
    }

    /// Three teas of 4.25 with 8.25 %: 12.75 and 1.05 of tax; rounded tea by tea, 1.05, too.
    @Test(
        "another amount or currency is not taken for the page's payment",
        arguments: [
            (1380, "USD", 0), (1381, "USD", 0), (1275, "USD", 80), (1, "USD", 80), (138_000, "USD", 80),
            (1380, "EUR", 80),
        ])
    func amounts(_ amount: Int, _ currency: String, _ status: Int) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let page = try await Self.make(sandbox)
            let id = try #require(try page.events.last?["operation"]?.string)
            service.payments.withLock { $0 = [(amount, currency, true), (5, "USD", false)] }
            let wait = try await Self.wait(sandbox, id)
            #expect(wait.status == status, "\(wait)")
            let shown = try JSONValue(try await sandbox.clover("charge", "show", id).outputText)
            if status == 0 {
                #expect(try wait.events.last?["amount"]?.integer == amount)
                #expect(shown["captured"]?.integer == amount, "\(shown)")
            } else {
                #expect(wait.errorText.contains("the page asked for"), "\(wait)")
                #expect(shown["payment"]?.string == nil && shown["captured"]?.integer == 0, "\(shown)")
                #expect(shown["status"]?.string == "unknown", "\(shown)")
                // What was seen is in the journal.
                #expect(shown["candidates"]?.elements == [.string("PAYMENT000000")], "\(shown)")
                #expect(shown["reason"]?.string?.contains("the page asked for") == true, "\(shown)")
                let all = try await sandbox.clover("charge", "recover", "--all")
                expectFailure(all, status: 80, saying: id, "the page asked for", output: nil)
                service.payments.withLock { $0 = [(1380, "USD", true)] }
                let later = try await sandbox.clover("charge", "recover", "--all")
                expectSuccess(later)
                #expect(try later.events.last?["event"]?.string == "paid", "\(later)")
            }
        }
    }

    struct Unreadable: CustomTestStringConvertible, Sendable {
        var amount: String?
        var currency: String?
        var words = "no amount"
        var testDescription: String { "\(amount ?? "an amount"), \(currency ?? "a currency")" }
    }

    @Test(
        "a payment without an amount or a currency that can be read is named, and not taken for the page's",
        arguments: [
            Unreadable(amount: #""1380""#), Unreadable(amount: #""abc""#), Unreadable(amount: "null"),
            Unreadable(currency: "null", words: "do not show its currency"),
        ], ["checkout wait", "charge recover"])
    func unreadablePayment(_ record: Unreadable, _ command: String) async throws {
        let service = Service()
        service.amountText.withLock { $0 = record.amount }
        service.currencyText.withLock { $0 = record.currency }
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            service.payments.withLock { $0 = [(1380, "USD", true)] }
            let isWait = command == "checkout wait"
            let result =
                isWait ? try await Self.wait(sandbox, id) : try await sandbox.clover("charge", "recover", id)
            expectFailure(result, status: 80, saying: "PAYMENT000000", record.words, output: nil)
            let shown = try await Self.show(sandbox, id)
            #expect(shown["payment"]?.string == nil && shown["captured"]?.integer == 0, "\(shown)")
            #expect(shown["candidates"]?.elements == [.string("PAYMENT000000")], "\(shown)")
        }
    }

    @Test("a page that another request already got is not this one's, and one payment is not given to two pages")
    func repeated() async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let first = try await Self.make(sandbox, ["--idempotency-key", "a"])
            expectSuccess(first)
            let id = try #require(try first.events.last?["operation"]?.string)
            let second = try await Self.make(sandbox, ["--idempotency-key", "b"])
            expectFailure(second, status: 69, saying: "the response shows the page of \(id)", output: nil)
            service.payments.withLock { $0 = [(1380, "USD", true)] }
            // The orders have the second page's reference; the first page is not paid by it.
            expectFailure(try await Self.wait(sandbox, id), status: 80, saying: "no payment was seen", output: nil)
        }
    }

    @Test(
        "a payment that only a signed webhook reports is named as that; one that took no money is not taken",
        arguments: [nil, "VOIDED", "SUCCESS"])
    func webhookAlone(_ result: String?) async throws {
        let service = Service()
        service.result.withLock { $0 = result }
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            try await sandbox.receiveCheckoutWebhook()
            // One look at the records, and the time of the run is over.
            let wait = try await sandbox.clover(
                "checkout", "wait", id, "--interval", "1m", "--linger", "1m", "--max-time", "1s")
            if result == "VOIDED" {
                expectFailure(
                    wait, status: 80, saying: "a webhook with a valid signature reports it as approved", "'VOIDED'",
                    output: nil)
            } else {
                #expect(wait.status == 0, "\(wait)")
                #expect(try wait.events.last?["payment"]?.string == "PAYMENT000009", "\(wait)")
                let words =
                    "a webhook with a valid signature reports the payment PAYMENT000009, and the merchant's records do not"
                #expect(wait.errorText.contains(words) == (result == nil), "\(wait)")
            }
        }
    }

    private static func show(_ sandbox: Sandbox, _ id: String) async throws -> JSONValue {
        try JSONValue(try await sandbox.clover("charge", "show", id).outputText)
    }

    @Test(
        "a page that a webhook alone reported as paid is looked at again: confirmed, or contradicted",
        arguments: ["SUCCESS", "VOIDED", "less", nil], [false, true])
    func recovered(_ later: String?, isAll: Bool) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            try await sandbox.receiveCheckoutWebhook(message: "Approved for 1380")
            let wait = try await sandbox.clover("checkout", "wait", id, "--interval", "1m", "--max-time", "1s")
            #expect(wait.status == 0, "\(wait)")
            #expect(try await Self.show(sandbox, id)["status"]?.string == "paid")
            service.result.withLock { $0 = later == "less" ? "SUCCESS" : later }
            if later == "less" { service.amount.withLock { $0 = 5 } }
            for _ in 0..<2 {
                let recovered = try await sandbox.clover("charge", "recover", isAll ? "--all" : id)
                let shown = try await Self.show(sandbox, id)
                switch later {
                case "SUCCESS":
                    #expect(recovered.status == 0, "\(recovered)")
                    #expect(shown["status"]?.string == "paid" && shown["order"]?.string == "ORDER00000009", "\(shown)")
                    #expect(shown["captured"]?.integer == 1380 && shown["contradiction"]?.string == nil, "\(shown)")
                case nil:
                    #expect(recovered.status == 80, "\(recovered)")
                    #expect(recovered.errorText.contains("have no payment PAYMENT000009"), "\(recovered)")
                    // That a record is missing proves nothing.
                    #expect(shown["status"]?.string == "unknown", "\(shown)")
                    #expect(shown["contradiction"]?.string?.contains("PAYMENT000009") == true, "\(shown)")
                default:
                    #expect(recovered.status == 80, "\(recovered)")
                    #expect(recovered.errorText.contains(later == "less" ? "0.05 USD" : "'VOIDED'"), "\(recovered)")
                    #expect(shown["payment"]?.string == nil && shown["captured"]?.integer == 0, "\(shown)")
                    #expect(["unknown", "voided"].contains(shown["status"]?.string), "\(shown)")
                    #expect(shown["candidates"]?.elements == [.string("PAYMENT000009")], "\(shown)")
                }
            }
            // A record that comes late still counts.
            service.result.withLock { $0 = "SUCCESS" }
            service.amount.withLock { $0 = 1380 }
            expectSuccess(try await sandbox.clover("charge", "recover", id))
            let last = try await Self.show(sandbox, id)
            #expect(last["status"]?.string == "paid" && last["contradiction"]?.string == nil, "\(last)")
        }
    }

    @Test(
        "the amount that a webhook's message states is compared with the page's",
        arguments: [
            ("Approved for 1380", nil, 0), ("Approved for 13.80", nil, 0), ("Approved for 1381", nil, 0),
            ("Approved for 100", nil, 80), ("Approved for 1.00", nil, 80), ("Approved for 100", "SUCCESS", 0),
            // In no form that is known, so that nothing is compared.
            ("Approved", nil, 0), ("Approved: 100", nil, 0), ("Approved for 1.000", nil, 0),
            ("Decline for 1380", nil, 80),
        ])
    func stated(_ message: String, _ result: String?, _ status: Int) async throws {
        let service = Service()
        service.result.withLock { $0 = result }
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            try await sandbox.receiveCheckoutWebhook(message: message)
            let wait = try await sandbox.clover("checkout", "wait", id, "--interval", "1m", "--max-time", "1s")
            #expect(wait.status == status, "\(wait)")
            let isNamed = wait.errorText.contains("its webhook says '\(message)', and the page asked for 13.80 USD")
            let other = ["Approved for 100", "Approved for 1.00", "Decline for 1380"]
            #expect(isNamed == other.contains(message), "\(wait)")
            let isUnstated = ["Approved", "Approved: 100", "Approved for 1.000"].contains(message)
            #expect(wait.errorText.contains("'\(message)', which is not understood") == isUnstated, "\(wait)")
            let shown = try await Self.show(sandbox, id)
            #expect((shown["payment"]?.string == nil) == (status == 80), "\(shown)")
            if status == 80 { #expect(shown["reason"]?.string?.contains(message) == true, "\(shown)") }
        }
    }

    @Test(
        "a refusal in no form of Clover's is named with its status and request ID, and no one has the address",
        arguments: [("405 Method Not Allowed", "405 POST not allowed."), ("200 OK", "<html>proxy</html>")])
    func unreadableRefusal(_ status: String, _ body: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasPrefix("/invoicingcheckoutservice")
                ? LoopbackResponse(status: status, headers: ["X-Clover-Request-Id: R-PAGE"], body: body.utf8)
                : LoopbackResponse(#"{"id":"\#(Sandbox.merchantID)","properties":{"defaultCurrency":"USD"}}"#)
        }) { sandbox, _ in
            let page = try await Self.make(sandbox, ["--json"])
            #expect(page.status == 69, "\(page)")
            let line = try #require(page.errorText.split(separator: "\n").last { $0.hasPrefix("{") }, "\(page)")
            let error = try JSONValue(String(line))["error"]
            let number = Int(status.prefix(3))
            #expect(error?["http"]?.integer == number, "\(page)")
            #expect(error?["requestId"]?.string == "R-PAGE", "\(page)")
            for part in ["\(status.prefix(3))", "no one can pay there"] {
                #expect(error?["message"]?.string?.contains(part) == true, "\(page)")
            }
        }
    }

    @Test("a page whose end by Clover's clock is past is not simply called open")
    func pastEnd() async throws {
        let past = 1_700_000_000_000
        try await Sandbox.run(server: { request, _ in
            request.path.hasPrefix("/invoicingcheckoutservice")
                ? LoopbackResponse(
                    #"{"href":"http://127.0.0.1/pay","checkoutSessionId":"S1","createdTime":\#(past),"expirationTime":\#(past + 900_000)}"#
                )
                : LoopbackResponse(#"{"id":"\#(Sandbox.merchantID)","properties":{"defaultCurrency":"USD"}}"#)
        }) { sandbox, _ in
            let page = try await Self.make(sandbox, ["--idempotency-key", "k-1"])
            #expect(page.status == 0, "\(page)")
            let open = try #require(try page.events.last)
            #expect(open["expiresAt"]?.string == "2023-11-14T22:28:20.000Z", "\(page)")
            let shown = try await sandbox.startOnTerminal([
                "checkout", "create", "--item", "Tea=4.25*3", "--currency", "USD", "--tax", "Sales tax=8.25%",
                "--idempotency-key", "k-1",
            ]).result()
            #expect(shown.terminalText.contains("which is 2023-11-14T22:28:20.000Z by Clover's clock"), "\(shown)")
            #expect(open["expiresHereAt"]?.string.map { $0 > "2026" } == true, "\(page)")
        }
    }

    @Test("orders that cannot be read end with 69")
    func unreadable() async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            service.isReadable.withLock { $0 = false }
            expectFailure(try await Self.wait(sandbox, id), status: 69, saying: "cannot be read", output: nil)
            let short = try await sandbox.clover(
                "checkout", "wait", id, "--interval", "0.1", "--linger", "1m", "--max-time", "1s")
            expectFailure(short, status: 69, saying: "cannot be read", output: nil)
        }
    }

    @Test("orders are looked through to the end, however short the pages are; without a proved end: 76")
    func shortPages() async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            service.payments.withLock { $0 = [(5, "USD", false), (6, "USD", false), (1380, "USD", true)] }
            service.pageSize.withLock { $0 = 0 }
            expectFailure(
                try await Self.wait(sandbox, id), status: 76, saying: "the list repeats a page", output: nil)
            service.pageSize.withLock { $0 = 2 }
            expectSuccess(try await Self.wait(sandbox, id))
        }
    }

    @Test("a payment that shows up later outweighs an entry by hand")
    func settledBefore() async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let id = try #require(try await Self.make(sandbox).events.last?["operation"]?.string)
            #expect(try await sandbox.clover("charge", "settle", id, "--not-paid").status == 0)
            service.payments.withLock { $0 = [(1380, "USD", true)] }
            expectFailure(
                try await Self.wait(sandbox, id), status: 80, saying: "recorded it as not paid; a payment is shown",
                output: nil)
            let shown = try JSONValue(try await sandbox.clover("charge", "show", id).outputText)
            #expect(shown["state"]?.string == "approved" && shown["captured"]?.integer == 1380, "\(shown)")
            #expect(shown["contradiction"]?.string?.contains("a payment is shown") == true, "\(shown)")
        }
    }
}

extension Sandbox {
    /// Lets 'clover webhook listen' receive a webhook with a valid signature about a payment; nil for none with an ID.
    func receiveCheckoutWebhook(
        message: String? = nil, of payment: String? = "PAYMENT000009", status: String = "APPROVED",
        session: String = "S1"
    ) async throws {
        try directory.write("secret", Array("the-secret\n".utf8))
        let listener = try start(["webhook", "listen", "--port", "0", "--secret-file", directory["secret"]])
        try await listener.waitForErrors(matching: "a whole address") { $0.contains(/\nhttps?:[^\n]+\n/) }
        let address = String(try #require(listener.errorsSoFar.firstMatch(of: /\n(https?:[^\n]+)\n/)).1)
        let words = message.map { #""message":"\#($0)","# } ?? ""
        let id = payment.map { #""id":"\#($0)","# } ?? ""
        let body =
            #"{\#(words)\#(id)"status":"\#(status)","type":"PAYMENT","merchantId":"\#(Self.merchantID)","data":"\#(session)"}"#
        let sent = try await shell(
            """
            time=$(date +%s)
            code=$(printf '%s.%s' "$time" '\(body)' | openssl dgst -sha256 -hmac the-secret | sed 's/.* //')
            curl --silent --fail -H "Clover-Signature: t=$time,v1=$code" -H 'Content-Type: application/json' \
                --data '\(body)' '\(address)'
            """)
        #expect(sent.status == 0, "\(sent)")
        listener.send(SIGTERM)
        _ = try await listener.result()
    }
}
