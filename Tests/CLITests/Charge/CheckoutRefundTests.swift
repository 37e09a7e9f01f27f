import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("checkout: payments that were given back since")
struct CheckoutRefundTests {
    private static let payment = "PAYMENT000000"

    /// A service with one order, of 4.25, for the last page.
    private final class Service: Sendable {
        private let page = CheckoutPage()
        let result = Mutex("SUCCESS")
        /// Further members of the order, and of its payment.
        let more = Mutex((order: "", payment: ""))
        /// The number of the order's payments, which differ in their IDs.
        let count = Mutex(1)
        /// The results of payments of the order that have another one than `result`, by their numbers.
        let results = Mutex<[Int: String]>([:])

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            if let response = page.respond(request) { return response }
            let (order, payment) = more.withLock(\.self)
            let record =
                #"{"id":"\#(CheckoutRefundTests.payment)","result":"\#(result.withLock(\.self))","amount":425,"#
                + #""createdTime":\#(Int64(Date().timeIntervalSince1970 * 1000)),"order":{"id":"ORDER00000000","#
                + #""currency":"USD"}\#(payment)}"#
            let count = count.withLock(\.self)
            if request.path.contains("/payments/") {
                return count == 0 ? LoopbackResponse(status: "404 Not Found", "{}") : LoopbackResponse(record)
            }
            let results = results.withLock(\.self)
            let records = (0..<count).map { number in
                let own = record.replacing(CheckoutRefundTests.payment, with: "PAYMENT00000\(number)")
                return results[number].map { own.replacing(#""SUCCESS""#, with: "\"\($0)\"") } ?? own
            }
            let isFirst = request.values(of: "offset").first.map { $0 == "0" } ?? true
            let row =
                #"{"id":"ORDER00000000","currency":"USD","lineItems":{"elements":[{"note":"\#(page.note)"}]},"#
                + #""payments":{"elements":[\#(records.joined(separator: ","))]}\#(order)}"#
            return .page(isFirst ? [row] : [])
        }
    }

    private static func serve(_ body: (Service, Sandbox, _ page: String) async throws -> Void) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            let page = try await sandbox.clover("checkout", "create", "--item", "Tea=4.25", "--currency", "USD")
            try await body(service, sandbox, #require(try page.events.last?["operation"]?.string))
        }
    }

    private static func wait(_ sandbox: Sandbox, _ page: String) async throws -> CommandResult {
        try await sandbox.clover("checkout", "wait", page, "--interval", "0.1", "--linger", "1s")
    }

    private static func refund(_ amount: Int, _ more: String = "") -> String {
        #","refunds":{"elements":[{"id":"REFUND0000000","amount":\#(amount)\#(more)}]}"#
    }

    @Test(
        "a payment that was given back as a whole is named, and not taken as paid",
        arguments: [
            (refund(425, #","payment":{"id":"PAYMENT000000"}"#), ""), ("", refund(425)),
            (refund(425), refund(425)), (#","paymentState":"REFUNDED""#, ""),
        ])
    func whole(_ order: String, _ payment: String) async throws {
        try await Self.serve { service, sandbox, page in
            service.more.withLock { $0 = (order, payment) }
            let result = try await Self.wait(sandbox, page)
            expectFailure(result, status: 80, saying: Self.payment, "4.25 USD of it were refunded since", output: nil)
            let shown = try await sandbox.clover("charge", "show", page)
            #expect(shown.outputText.contains("refunded since"), "\(shown)")
        }
    }

    @Test("a part that was given back is a warning; a refund that was voided, or is another payment's, is none")
    func part() async throws {
        for (more, words) in [
            (Self.refund(100), "1.00 USD of the payment \(Self.payment) were refunded since"),
            (Self.refund(425, #","voided":true"#), nil),
            (Self.refund(425, #","payment":{"id":"ANOTHER000000"}"#), nil),
            (Self.refund(425, #","status":"FAIL""#), nil),
        ] as [(String, String?)] {
            try await Self.serve { service, sandbox, page in
                service.more.withLock { $0.order = more }
                let result = try await Self.wait(sandbox, page)
                #expect(result.status == 0, "\(result)")
                #expect(try result.events.last?["event"]?.string == "paid", "\(result)")
                if let words {
                    #expect(result.errorText.contains(words), "\(result)")
                    #expect(result.outputText.contains("1.00 USD of it were refunded since"), "\(result)")
                } else {
                    #expect(!result.errorText.contains("refunded"), "\(result)")
                }
            }
        }
    }

    @Test("a refund that names another payment takes nothing from the page's, wherever it is")
    func foreignRefund() async throws {
        let foreign = Self.refund(425, #","payment":{"id":"ANOTHER000000"}"#)
        for (order, payment) in [("", foreign), (foreign + #","paymentState":"REFUNDED""#, "")] {
            try await Self.serve { service, sandbox, page in
                service.more.withLock { $0 = (order, payment) }
                let result = try await Self.wait(sandbox, page)
                expectSuccess(result)
                #expect(try result.events.last?["payment"]?.string == Self.payment, "\(result)")
            }
        }
    }

    @Test("a page that was paid, and whose payment was voided or given back since, says so when it is waited for again")
    func since() async throws {
        for isVoided in [true, false] {
            try await Self.serve { service, sandbox, page in
                #expect(try await Self.wait(sandbox, page).status == 0)
                if isVoided {
                    service.result.withLock { $0 = "VOIDED" }
                } else {
                    service.more.withLock { $0.payment = Self.refund(425) }
                }
                let words = isVoided ? "with the result 'VOIDED' now" : "4.25 USD of it were refunded since"
                expectFailure(try await Self.wait(sandbox, page), status: 80, saying: Self.payment, words, output: nil)
                let shown = try await sandbox.clover("charge", "show", page)
                #expect(shown.outputText.contains(words), "\(shown)")
            }
        }
    }

    @Test("a page that was paid, and whose payment is not there, or only held, says so when it is waited for again")
    func gone() async throws {
        for isHeld in [true, false] {
            try await Self.serve { service, sandbox, page in
                #expect(try await Self.wait(sandbox, page).status == 0)
                if isHeld {
                    service.result.withLock { $0 = "AUTH" }
                } else {
                    service.count.withLock { $0 = 0 }
                }
                let words = isHeld ? "with the result 'AUTH' now" : "do not have it now"
                expectFailure(try await Self.wait(sandbox, page), status: 80, saying: Self.payment, words, output: nil)
                // A person decides, and is not asked again.
                expectFailure(
                    try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: words, output: nil)
                #expect(try await sandbox.clover("charge", "settle", page, "--not-paid").status == 0)
                #expect(try await sandbox.clover("charge", "recover", "--all").status == 0)
            }
        }
    }

    @Test("what a person settled is named again only for what was not known then", arguments: ["--paid", "--not-paid"])
    func settled(_ ending: String) async throws {
        try await Self.serve { service, sandbox, page in
            let isPaid = ending == "--paid"
            // It is recorded as not paid before the payments are seen.
            if !isPaid { #expect(try await sandbox.clover("charge", "settle", page, ending).status == 0) }
            service.count.withLock { $0 = 2 }
            expectFailure(try await Self.wait(sandbox, page), status: 80, saying: "paid more than once", output: nil)
            let settled = try await sandbox.clover("charge", "settle", page, ending)
            #expect(settled.status == (isPaid ? 0 : 64), "\(settled)")
            if !isPaid { #expect(try await sandbox.clover("charge", "settle", page, "--paid").status == 0) }
            for _ in 0..<2 {
                let quiet = try await sandbox.clover("charge", "recover", "--all")
                #expect(quiet.status == 0 && !quiet.errorText.contains(page), "\(quiet)")
            }
            service.count.withLock { $0 = 3 }
            let named = try await sandbox.clover("charge", "recover", "--all")
            expectFailure(named, status: 80, saying: page, "PAYMENT000002", output: nil)
            #expect(try await sandbox.clover("charge", "settle", page, "--paid").status == 0)
            #expect(try await sandbox.clover("charge", "recover", "--all").status == 0)
        }
    }

    @Test("of two payments, one that was given back as a whole is not the page's; without an amount, it is named")
    func oneOfTwo() async throws {
        let ofFirst = #","payment":{"id":"PAYMENT000000"}"#
        // The first one is recorded as the page's before.
        try await Self.serve { service, sandbox, page in
            #expect(try await Self.wait(sandbox, page).status == 0)
            service.count.withLock { $0 = 2 }
            expectFailure(try await Self.wait(sandbox, page), status: 80, saying: "paid more than once", output: nil)
            service.more.withLock { $0.order = Self.refund(425, ofFirst) }
            let result = try await Self.wait(sandbox, page)
            #expect(result.status == 0, "\(result)")
            #expect(try result.events.last?["payment"]?.string == "PAYMENT000001", "\(result)")
        }
        try await Self.serve { service, sandbox, page in
            service.count.withLock { $0 = 2 }
            service.more.withLock { $0.order = Self.refund(425, ofFirst) }
            let result = try await Self.wait(sandbox, page)
            #expect(result.status == 0, "\(result)")
            #expect(try result.events.last?["payment"]?.string == "PAYMENT000001", "\(result)")
        }
        try await Self.serve { service, sandbox, page in
            service.more.withLock { $0.order = #","refunds":{"elements":[{"id":"REFUND0000000"}]}"# }
            expectFailure(
                try await Self.wait(sandbox, page), status: 80, saying: Self.payment, "a refund of it shows no amount",
                output: nil)
        }
    }

    @Test("payments that were all given back are named so, also after a person has settled the page")
    func allGivenBack() async throws {
        for isSettled in [true, false] {
            try await Self.serve { service, sandbox, page in
                service.count.withLock { $0 = 2 }
                expectFailure(
                    try await Self.wait(sandbox, page), status: 80, saying: "paid more than once", output: nil)
                if isSettled { #expect(try await sandbox.clover("charge", "settle", page, "--paid").status == 0) }
                service.more.withLock { $0.payment = Self.refund(425) }
                let words = "refunded as a whole since, as the page's other payments were"
                expectFailure(try await Self.wait(sandbox, page), status: 80, saying: words, output: nil)
                expectFailure(
                    try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: page, output: nil)
            }
        }
    }

    private static func state(_ sandbox: Sandbox) async throws -> String? {
        try JSONValue.lines(try await sandbox.clover("checkout", "list").lines).first?["state"]?.string
    }

    @Test("of two payments, one that was voided is not the page's; if both were, none took money")
    func voidedOfTwo() async throws {
        for isRecorded in [true, false] {
            try await Self.serve { service, sandbox, page in
                // The first one is recorded as the page's before.
                if isRecorded { #expect(try await Self.wait(sandbox, page).status == 0) }
                service.count.withLock { $0 = 2 }
                expectFailure(
                    try await Self.wait(sandbox, page), status: 80, saying: "paid more than once", output: nil)
                #expect(try await Self.state(sandbox) == "paidTwice")
                service.results.withLock { $0 = [0: "VOIDED", 1: "VOIDED"] }
                let words = "none of the page's payments took money"
                expectFailure(try await Self.wait(sandbox, page), status: 80, saying: words, output: nil)
                #expect(try await Self.state(sandbox) == "voided")
                service.results.withLock { $0 = [0: "VOIDED"] }
                let result = try await Self.wait(sandbox, page)
                #expect(result.status == 0, "\(result)")
                #expect(try result.events.last?["payment"]?.string == "PAYMENT000001", "\(result)")
            }
        }
    }

    @Test("a payment that was recorded, and is only held now, may still take money: another one does not replace it")
    func held() async throws {
        try await Self.serve { service, sandbox, page in
            #expect(try await Self.wait(sandbox, page).status == 0)
            service.count.withLock { $0 = 2 }
            service.results.withLock { $0 = [0: "AUTH"] }
            expectFailure(
                try await Self.wait(sandbox, page), status: 80, saying: "with the result 'AUTH' now", output: nil)
        }
    }

    @Test("a refund that failed after all leaves the page paid, and nothing is named any more")
    func refundFailed() async throws {
        try await Self.serve { service, sandbox, page in
            #expect(try await Self.wait(sandbox, page).status == 0)
            service.more.withLock { $0.payment = Self.refund(425) }
            expectFailure(try await Self.wait(sandbox, page), status: 80, saying: "refunded since", output: nil)
            #expect(try await Self.state(sandbox) == "givenBack")
            service.more.withLock { $0.payment = Self.refund(425, #","status":"FAIL""#) }
            #expect(try await Self.wait(sandbox, page).status == 0)
            let shown = try JSONValue(try await sandbox.clover("charge", "show", page).outputText)
            #expect(shown["contradiction"]?.string == nil && shown["reason"]?.string == nil, "\(shown)")
            #expect(try await Self.state(sandbox) == "paid")
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test("a payment that a person named, and that was voided since, is named until the person decides again")
    func voidedByHand() async throws {
        try await Self.serve { service, sandbox, page in
            let settle = ["charge", "settle", page, "--paid", "--payment", Self.payment]
            #expect(try await sandbox.clover(settle).status == 0)
            service.result.withLock { $0 = "VOIDED" }
            expectFailure(
                try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: "'VOIDED' now", output: nil)
            #expect(try await sandbox.clover("charge", "settle", page, "--not-paid").status == 0)
            #expect(try await sandbox.clover("charge", "recover", "--all").status == 0)
        }
    }

    @Test(
        "of several payments, what was refunded is named; a refund of an order belongs to its only payment that took money"
    )
    func refundsOfOrder() async throws {
        try await Self.serve { service, sandbox, page in
            service.count.withLock { $0 = 2 }
            service.more.withLock { $0.order = Self.refund(100, #","payment":{"id":"PAYMENT000000"}"#) }
            expectFailure(
                try await Self.wait(sandbox, page), status: 80, saying: "1.00 USD of them were refunded since",
                output: nil)
            service.results.withLock { $0 = [0: "FAIL"] }
            service.more.withLock { $0.order = Self.refund(425) }
            expectFailure(
                try await Self.wait(sandbox, page), status: 80, saying: "PAYMENT000001", "4.25 USD of it were refunded",
                output: nil)
        }
    }

    @Test("charge show --check says that the payment of a page was voided, whether or not it was seen before")
    func checked() async throws {
        try await Self.serve { service, sandbox, page in
            #expect(try await Self.wait(sandbox, page).status == 0)
            service.result.withLock { $0 = "VOIDED" }
            func check() async throws -> JSONValue? {
                try JSONValue(try await sandbox.clover("charge", "show", page, "--check").outputText)["service"]
            }
            #expect(try await check()?["agrees"] == .bool(false))
            #expect(try await Self.wait(sandbox, page).status == 80)
            let later = try await check()
            #expect(later?["agrees"] != .bool(true) && later?["agrees"] != .bool(false), "\(String(describing: later))")
            #expect(later?["reason"]?.string?.contains("'VOIDED' now") == true, "\(String(describing: later))")
        }
    }

    @Test("a payment that is recorded by hand is recorded with what was given back since")
    func byHand() async throws {
        try await Self.serve { service, sandbox, page in
            service.more.withLock { $0.payment = Self.refund(425) }
            // The page ends first.
            _ = try await Self.wait(sandbox, page)
            let result = try await sandbox.clover("charge", "settle", page, "--paid", "--payment", Self.payment)
            #expect(result.status == 0 && result.errorText.contains("given back since"), "\(result)")
            #expect(try result.events.last?["reason"]?.string?.contains("4.25 USD were refunded") == true, "\(result)")
        }
    }
}
