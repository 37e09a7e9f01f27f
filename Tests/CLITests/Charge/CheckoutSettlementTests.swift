import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("checkout: what a person recorded, and what is shown later")
struct CheckoutSettlementTests {
    /// A service with one order, for the last page.
    private final class Service: Sendable {
        private let page = CheckoutPage()
        let payments = Mutex<[String]>([])
        /// Those that are shown by their IDs, such as one in an order without the reference of a page.
        let single = Mutex<[String]>([])
        let currency = Mutex("USD")

        func show(_ payments: String...) { self.payments.withLock { $0 = payments } }

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            if let response = page.respond(request) { return response }
            if request.path.contains("/payments/") {
                let shown = single.withLock(\.self).first { row in
                    row.split(separator: "\"").dropFirst(3).first.map { request.path.contains($0) } == true
                }
                return shown.map { LoopbackResponse($0) } ?? LoopbackResponse(status: "404 Not Found", "{}")
            }
            let isFirst = request.values(of: "offset").first.map { $0 == "0" } ?? true
            let row =
                #"{"id":"ORDER00000000","currency":"\#(currency.withLock(\.self))","lineItems":{"elements":[{"note":"\#(page.note)"}]},"#
                + #""payments":{"elements":[\#(payments.withLock(\.self).joined(separator: ","))]}}"#
            return .page(isFirst ? [row] : [])
        }
    }

    private static func payment(
        _ number: Int = 1, _ amount: Int = 425, _ result: String = "SUCCESS", refunded: Int = 0
    ) -> String {
        let refunds =
            refunded > 0 ? #","refunds":{"elements":[{"id":"REFUND000000\#(number)","amount":\#(refunded)}]}"# : ""
        return #"{"id":"PAYMENT00000\#(number)","amount":\#(amount),"result":"\#(result)"\#(refunds)}"#
    }

    private static func run(_ body: (Service, Sandbox, _ page: String) async throws -> Void) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let made = try await sandbox.clover("checkout", "create", "--item", "Tea=4.25", "--currency", "USD")
            try await body(service, sandbox, #require(try made.events.last?["operation"]?.string))
        }
    }

    /// The looks that have to agree.
    private static func looks(_ page: String) -> [[String]] {
        [
            ["charge", "recover", page], ["checkout", "wait", page, "--interval", "0.1", "--linger", "1s"],
            ["charge", "recover", "--all"], ["charge", "show", page, "--check"],
        ]
    }

    /// The status of a look at a page that a person settled as paid, and at which nothing is new.
    private static func quiet(_ look: [String], keepsMoney: Bool) -> Int32 {
        look.contains("wait") && !keepsMoney ? 81 : 0
    }

    @Test("a page whose payments are shown cannot be recorded as not paid by way of --paid")
    func notPaidAfterPaid() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(1), Self.payment(2))
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
            expectSuccess(try await sandbox.clover(["charge", "settle", page, "--paid"]))
            expectFailure(
                try await sandbox.clover(["charge", "settle", page, "--not-paid"]), status: 64,
                saying: "payments for the page")
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 0)
        }
    }

    @Test("a payment of another amount that was shown is refused to be not paid, until it is given back")
    func otherAmount() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(1, 500))
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
            let settle = ["charge", "settle", page, "--not-paid"]
            expectFailure(try await sandbox.clover(settle), status: 64, saying: "PAYMENT000001")
            service.show(Self.payment(1, 500, refunded: 500))
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
            #expect(try await sandbox.clover(settle).status == 0)
            for look in Self.looks(page) {
                let status = look.contains(page) && !look.contains("show") ? 81 : 0
                #expect(try await sandbox.clover(look).status == status, "\(look)")
            }
            // The refund failed after all.
            service.show(Self.payment(1, 500))
            for look in Self.looks(page) {
                expectFailure(try await sandbox.clover(look), status: 80, saying: "PAYMENT000001", output: nil)
            }
            #expect(try await sandbox.clover(settle).status == 64)
        }
    }

    @Test(
        "what became of the payments of a page that was settled as paid is named by every look, and once confirmed by none",
        arguments: [
            [payment(1, 500, refunded: 500)], [payment(1, 500, refunded: 400)], [payment(1, 500, "VOIDED")], [],
            [payment(1, 500), payment(2)],
        ])
    func afterwards(_ later: [String]) async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(1, 500))
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
            expectSuccess(try await sandbox.clover(["charge", "settle", page, "--paid"]))
            for look in Self.looks(page) { #expect(try await sandbox.clover(look).status == 0, "\(look)") }
            service.payments.withLock { $0 = later }
            for look in Self.looks(page) {
                expectFailure(
                    try await sandbox.clover(look), status: 80,
                    saying: later.count > 1 ? "PAYMENT000002" : "PAYMENT000001",
                    output: nil)
            }
            #expect(try await sandbox.clover(["charge", "settle", page, "--paid"]).status == 0)
            let keepsMoney = later != [Self.payment(1, 500, refunded: 500)] && later != [Self.payment(1, 500, "VOIDED")]
            for look in Self.looks(page) {
                let status = Self.quiet(look, keepsMoney: keepsMoney)
                #expect(try await sandbox.clover(look).status == status, "\(look)")
            }
        }
    }

    @Test("what is accepted is recorded as it is shown, and named: each amount, their sum, and what was refunded")
    func accepted() async throws {
        let worlds: [([String], captured: Int, refunded: Int, status: String)] = [
            ([Self.payment(1, 400)], 400, 0, "paid"),
            ([Self.payment(1, 300), Self.payment(2, 100)], 400, 0, "paid"),
            ([Self.payment(1), Self.payment(2)], 850, 0, "paid"),
            ([Self.payment(1, 400, refunded: 400)], 400, 400, "givenBack"),
        ]
        for world in worlds {
            try await Self.run { service, sandbox, page in
                service.payments.withLock { $0 = world.0 }
                #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
                #expect(try await sandbox.clover(["charge", "settle", page, "--paid"]).status == 0)
                let shown = try JSONValue(try await sandbox.clover(["charge", "show", page]).outputText)
                #expect(shown["captured"]?.integer == world.captured, "\(shown)")
                #expect(shown["refunded"]?.integer == world.refunded, "\(shown)")
                #expect(shown["status"]?.string == world.status, "\(shown)")
                #expect(shown["reason"]?.string?.contains("PAYMENT000001") == true, "\(shown)")
                #expect(world.0.count == 1 || shown["candidates"]?.elements?.count == 2, "\(shown)")
                #expect(try await sandbox.clover(["charge", "recover", page]).status == 0)
            }
        }
    }

    @Test("a payment that a person names is quiet until something changes; another one of the page is a second payment")
    func named() async throws {
        try await Self.run { service, sandbox, page in
            service.single.withLock { $0 = [Self.payment(1)] }
            let settle = ["charge", "settle", page, "--paid"]
            expectSuccess(try await sandbox.clover(settle + ["--payment", "PAYMENT000001"]))
            for look in Self.looks(page) { #expect(try await sandbox.clover(look).status == 0, "\(look)") }
            service.show(Self.payment(2))
            for look in Self.looks(page) {
                let result = try await sandbox.clover(look)
                expectFailure(result, status: 80, saying: "PAYMENT000001", "PAYMENT000002", output: nil)
            }
            #expect(try await sandbox.clover(settle).status == 0)
            for look in Self.looks(page) { #expect(try await sandbox.clover(look).status == 0, "\(look)") }
        }
    }

    @Test(
        "a payment that a person named, and that was missing for a while, is asked for again: what became of it is named",
        arguments: [payment(1, 425, "VOIDED"), payment(1, refunded: 425), payment(1, 400)])
    func missedForAWhile(_ later: String) async throws {
        try await Self.run { service, sandbox, page in
            service.single.withLock { $0 = [Self.payment(1)] }
            let settle = ["charge", "settle", page, "--paid"]
            expectSuccess(try await sandbox.clover(settle + ["--payment", "PAYMENT000001"]))
            service.single.withLock { $0 = [] }
            #expect(try await sandbox.clover(["charge", "recover", page]).status == 80)
            #expect(try await sandbox.clover(settle).status == 0)
            service.single.withLock { $0 = [Self.payment(1)] }
            for look in Self.looks(page) { #expect(try await sandbox.clover(look).status == 0, "\(look)") }
            service.single.withLock { $0 = [later] }
            for look in Self.looks(page) {
                expectFailure(try await sandbox.clover(look), status: 80, saying: "PAYMENT000001", output: nil)
            }
            // Another one is a second payment.
            service.single.withLock { $0 = [Self.payment(1)] }
            service.show(Self.payment(2))
            let second = try await sandbox.clover(["charge", "recover", page])
            expectFailure(second, status: 80, saying: "PAYMENT000001", "PAYMENT000002", output: nil)
        }
    }

    @Test("what is accepted of payments that took no money captures nothing, and a hold that fails later is named")
    func nothingTaken() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(1, 425, "AUTH"))
            let settle = ["charge", "settle", page, "--paid"]
            let accepted = try await sandbox.clover(["charge", "recover", page])
            #expect([0, 80].contains(accepted.status), "open, or ended: \(accepted)")
            #expect(try await sandbox.clover(["checkout", "wait", page, "--linger", "100ms"]).status == 80)
            let settled = try await sandbox.clover(settle)
            #expect(settled.status == 0 && settled.errorText.contains("recorded as held"), "\(settled)")
            let shown = try JSONValue(try await sandbox.clover(["charge", "show", page]).outputText)
            #expect(shown["captured"]?.integer == 0 && shown["status"]?.string == "held", "\(shown)")
            service.show(Self.payment(1, 425, "FAIL"))
            for look in Self.looks(page) {
                expectFailure(try await sandbox.clover(look), status: 80, saying: "which failed", output: nil)
            }
        }
    }

    @Test("what was refunded of a payment in another currency is stated in that currency, and not in the row's")
    func otherCurrency() async throws {
        try await Self.run { service, sandbox, page in
            service.currency.withLock { $0 = "EUR" }
            service.show(Self.payment(1, refunded: 400))
            let found = try await sandbox.clover(["charge", "recover", page])
            expectFailure(found, status: 80, saying: "4.00 EUR of it were refunded", output: nil)
            #expect(try await sandbox.clover(["charge", "settle", page, "--paid"]).status == 0)
            let shown = try JSONValue(try await sandbox.clover(["charge", "show", page]).outputText)
            #expect(shown["captured"] == .null && shown["refunded"] == .null, "\(shown)")
        }
    }

    @Test("what was refunded of a payment that a person names is recorded at once")
    func namedAndRefunded() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(1, refunded: 425))
            service.single.withLock { $0 = [Self.payment(1, refunded: 425)] }
            let settle = ["charge", "settle", page, "--paid", "--payment", "PAYMENT000001"]
            #expect(try await sandbox.clover(settle).status == 0)
            let shown = try JSONValue(try await sandbox.clover(["charge", "show", page]).outputText)
            #expect(shown["refunded"]?.integer == 425 && shown["status"]?.string == "givenBack", "\(shown)")
            for look in Self.looks(page) {
                #expect(try await sandbox.clover(look).status == Self.quiet(look, keepsMoney: false), "\(look)")
            }
        }
    }

    @Test("a payment in another currency is refused, and one of another amount is recorded with --amount")
    func otherPayment() async throws {
        try await Self.run { service, sandbox, page in
            let settle = ["charge", "settle", page, "--paid", "--payment", "PAYMENT000001"]
            service.show(Self.payment(1))
            service.single.withLock { $0 = [Self.payment(1)] }
            service.currency.withLock { $0 = "CAD" }
            expectFailure(try await sandbox.clover(settle), status: 64, saying: "4.25 CAD")
            service.currency.withLock { $0 = "USD" }
            service.show(Self.payment(1, 400))
            service.single.withLock { $0 = [Self.payment(1, 400)] }
            expectFailure(try await sandbox.clover(settle), status: 64, saying: "--amount 4.00")
            expectFailure(try await sandbox.clover(settle + ["--amount", "3.00"]), status: 64, saying: "4.00 USD")
            expectSuccess(try await sandbox.clover(settle + ["--amount", "4.00"]))
            for look in Self.looks(page) { #expect(try await sandbox.clover(look).status == 0, "\(look)") }
        }
    }

    @Test("an entry by hand does not move the end of a page")
    func end() async throws {
        try await Self.run { _, sandbox, page in
            // It has ended by then.
            #expect(
                try await sandbox.clover(["checkout", "wait", page, "--interval", "0.1", "--linger", "100ms"]).status
                    == 80)
            #expect(try await sandbox.clover(["charge", "settle", page, "--paid"]).status == 0)
            let settled = try await sandbox.clover(["charge", "settle", page, "--not-paid"])
            #expect(settled.status == 0 && !settled.errorText.contains("can still be paid"), "\(settled)")
        }
    }

    @Test("wait ends with 80 instead of 83 once the page has ended, whatever --max-time is")
    func ended() async throws {
        try await Self.run { _, sandbox, page in
            #expect(
                try await sandbox.clover(["checkout", "wait", page, "--interval", "0.1", "--linger", "100ms"]).status
                    == 80)
            let wait = try await sandbox.clover([
                "checkout", "wait", page, "--interval", "0.1", "--linger", "1m", "--max-time", "500ms",
            ])
            expectFailure(wait, status: 80, saying: "no payment was seen", output: nil)
        }
    }

    @Test("a payment that two records show with different refunds or types is not taken as paid")
    func copies() async throws {
        let hold = Self.payment(1).replacing(#""amount""#, with: #""type":"PREAUTH","amount""#)
        for other in [Self.payment(1, refunded: 425), hold] {
            try await Self.run { service, sandbox, page in
                service.show(Self.payment(1), other)
                expectFailure(
                    try await sandbox.clover(["charge", "recover", page]), status: 80,
                    saying: "twice, with different contents",
                    output: nil)
            }
        }
    }
}
