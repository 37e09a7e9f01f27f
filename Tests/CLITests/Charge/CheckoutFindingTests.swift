import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("checkout: whose a payment is, and what became of it")
struct CheckoutFindingTests {
    private static let (first, second) = ("PAYMENT000001", "PAYMENT000002")

    /// A service with as many pages of 4.25 USD as are asked for, whose sessions are S1, S2 and so on.
    private final class Service: Sendable {
        struct State {
            var notes: [String] = []
            /// Rows, in which NOTE1 stands for the note of the first page.
            var orders: [String] = []
            /// The records of payments that are asked for by their IDs.
            var payments: [String: String] = [:]
            /// Whether a payment that is asked for by its ID ends with 403.
            var hidesPayments = false
            /// Milliseconds that a page is open.
            var life: Int64 = 1
            var isSignedIn = true
        }

        let state = Mutex(State())

        /// Shows one order of the first page.
        func show(_ payments: String..., refunds: String = "") {
            state.withLock { $0.orders = [CheckoutFindingTests.order("NOTE1", payments, refunds: refunds)] }
        }

        func respond(_ request: LoopbackRequest) -> LoopbackResponse {
            state.withLock { state in
                if request.path.hasPrefix("/invoicingcheckoutservice") {
                    if let found = request.bodyText.firstMatch(of: /"note":"([^"]+)"/) {
                        state.notes.append(String(found.1))
                    }
                    let (session, now) = ("S\(state.notes.count)", Int64(Date().timeIntervalSince1970 * 1000))
                    return LoopbackResponse(
                        #"{"href":"http://127.0.0.1/pay","checkoutSessionId":"\#(session)","createdTime":\#(now),"#
                            + #""expirationTime":\#(now + state.life)}"#)
                }
                if request.path.contains("/payments/") {
                    if state.hidesPayments { return LoopbackResponse(status: "403 Forbidden", "{}") }
                    let id = request.path.split(separator: "/").last.map(String.init) ?? ""
                    return state.payments[id].map { LoopbackResponse($0) }
                        ?? LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
                }
                guard request.path.contains("/orders") else {
                    return LoopbackResponse(#"{"id":"\#(Sandbox.merchantID)","properties":{"defaultCurrency":"USD"}}"#)
                }
                guard state.isSignedIn else {
                    return LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
                }
                let isFirst = request.values(of: "offset").first.map { $0 == "0" } ?? true
                let rows = state.orders.map { row in
                    state.notes.enumerated().reduce(row) { $0.replacing("NOTE\($1.offset + 1)", with: $1.element) }
                }
                return .page(isFirst ? rows : [])
            }
        }
    }

    private static func order(_ note: String, _ payments: [String], refunds: String = "") -> String {
        #"{"id":"ORDER00000001","currency":"USD","lineItems":{"elements":[{"note":"\#(note)"}]},"#
            + #""payments":{"elements":[\#(payments.joined(separator: ","))]},"refunds":{"elements":[\#(refunds)]}}"#
    }

    private static func payment(_ id: String, _ result: String = "SUCCESS", _ more: String = "") -> String {
        #"{"id":"\#(id)","amount":425,"result":"\#(result)","order":{"id":"ORDER00000001","currency":"USD"}\#(more)}"#
    }

    private static func refund(_ amount: Int, of payment: String?, _ status: String? = nil) -> String {
        let link = payment.map { #","payment":{"id":"\#($0)"}"# } ?? ""
        return #"{"id":"REFUND0000001","amount":\#(amount)\#(link)\#(status.map { #","status":"\#($0)""# } ?? "")}"#
    }

    private static func run(
        life: Int64 = 1, _ body: (Service, Sandbox, _ page: String) async throws -> Void
    ) async throws {
        let service = Service()
        service.state.withLock { $0.life = life }
        try await Sandbox.run(server: { request, _ in service.respond(request) }) { sandbox, _ in
            try await body(service, sandbox, try await Self.make(sandbox))
        }
    }

    private static let create = ["checkout", "create", "--item", "Tea=4.25", "--currency", "USD"]

    private static func make(_ sandbox: Sandbox, key: String = "k-1") async throws -> String {
        let page = try await sandbox.clover(create + ["--idempotency-key", key])
        return try #require(try page.events.last?["operation"]?.string, "\(page)")
    }

    private static func recover(_ sandbox: Sandbox, _ page: String) async throws -> CommandResult {
        try await sandbox.clover("charge", "recover", page)
    }

    private static func wait(_ sandbox: Sandbox, _ page: String) async throws -> CommandResult {
        try await sandbox.clover("checkout", "wait", page, "--interval", "0.1", "--linger", "1s", "--max-time", "1s")
    }

    private static func show(_ sandbox: Sandbox, _ page: String, _ options: String...) async throws -> JSONValue {
        try JSONValue(try await sandbox.clover(["charge", "show", page] + options).outputText)
    }

    private static func listed(_ sandbox: Sandbox) async throws -> JSONValue? {
        try JSONValue.lines(try await sandbox.clover("checkout", "list").lines).first
    }

    // MARK: Whose a payment is

    @Test("a payment in the order of another page is that page's, whatever a webhook says")
    func otherPage() async throws {
        try await Self.run { service, sandbox, page in
            let other = try await Self.make(sandbox, key: "k-2")
            service.show(Self.payment(Self.first))
            try await sandbox.receiveCheckoutWebhook(of: Self.first, session: "S2")
            expectFailure(
                try await Self.recover(sandbox, other), status: 80,
                saying: "the order ORDER00000001 of the page \(page)",
                output: nil)
            let paid = try await Self.recover(sandbox, page)
            expectSuccess(paid)
            #expect(try paid.events.last?["payment"]?.string == Self.first, "\(paid)")
        }
    }

    @Test("a payment that only a webhook gave to another page is that of the page whose order has it")
    func otherPageByWebhook() async throws {
        try await Self.run(life: 600_000) { service, sandbox, page in
            let other = try await Self.make(sandbox, key: "k-2")
            try await sandbox.receiveCheckoutWebhook(of: Self.first, session: "S2")
            #expect(try await Self.recover(sandbox, other).status == 0)
            service.show(Self.payment(Self.first))
            let paid = try await Self.wait(sandbox, page)
            #expect(paid.status == 0, "\(paid)")
            #expect(try paid.events.last?["payment"]?.string == Self.first, "\(paid)")
            expectFailure(
                try await Self.recover(sandbox, other), status: 80, saying: "of the page \(page)", output: nil)
        }
    }

    @Test("a payment in the order of another page cannot be settled as this page's")
    func otherPageByHand() async throws {
        try await Self.run { service, sandbox, page in
            let other = try await Self.make(sandbox, key: "k-2")
            service.show(Self.payment(Self.first))
            service.state.withLock { $0.payments[Self.first] = Self.payment(Self.first) }
            expectFailure(
                try await sandbox.clover("charge", "settle", other, "--paid", "--payment", Self.first), status: 64,
                saying: page)
            let paid = try await Self.recover(sandbox, page)
            expectSuccess(paid)
            #expect(try paid.events.last?["payment"]?.string == Self.first, "\(paid)")
        }
    }

    @Test(
        "a payment that a webhook names beside that of the records is another one, unless the name is a UUID",
        arguments: [("P1", 80), ("1b3b0b4c-8d0e-4c4f-9a55-0c1f7a1b2c3d", 0)])
    func besideRecords(_ named: String, _ status: Int) async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.second))
            try await sandbox.receiveCheckoutWebhook(of: named)
            let result = try await Self.recover(sandbox, page)
            #expect(result.status == status, "\(result)")
            #expect(result.errorText.contains("\(Self.second), P1") == (status == 80), "\(result)")
        }
    }

    @Test("a payment of a webhook that cannot be read does not hide the one in the page's order")
    func unreadableBeside() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.second))
            service.state.withLock { $0.hidesPayments = true }
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            expectFailure(
                try await Self.recover(sandbox, page), status: 69, saying: Self.first, "shows \(Self.second)",
                output: nil)
            service.state.withLock { $0.hidesPayments = false }
            expectFailure(try await Self.recover(sandbox, page), status: 80, saying: "paid more than once", output: nil)
        }
    }

    @Test("a payment that was made before the page is not its payment")
    func before() async throws {
        try await Self.run { service, sandbox, page in
            let time = Int64(Date().timeIntervalSince1970 * 1000) - 3 * 86_400_000
            service.state.withLock {
                $0.payments[Self.first] = Self.payment(Self.first, "SUCCESS", #","createdTime":\#(time)"#)
            }
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            expectFailure(
                try await Self.recover(sandbox, page), status: 80, saying: Self.first, "made before the page",
                output: nil)
        }
    }

    @Test("webhooks that report a payment as approved and as declined prove nothing without a record of it")
    func declinedToo() async throws {
        try await Self.run { service, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            try await sandbox.receiveCheckoutWebhook(of: Self.first, status: "DECLINED")
            expectFailure(
                try await Self.recover(sandbox, page), status: 80, saying: "as approved and as declined", output: nil)
            service.show(Self.payment(Self.first))
            #expect(try await Self.recover(sandbox, page).status == 0)
        }
    }

    @Test("a payment that a webhook declines, and that is not in the records, is none beside that of the page's order")
    func declinedBeside() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.second))
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            try await sandbox.receiveCheckoutWebhook(of: Self.first, status: "DECLINED")
            let paid = try await Self.recover(sandbox, page)
            expectSuccess(paid)
            #expect(try paid.events.last?["payment"]?.string == Self.second, "\(paid)")
        }
    }

    @Test("a webhook with the payment's ID completes one without it")
    func namedLater() async throws {
        try await Self.run { _, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: nil)
            #expect(try await Self.recover(sandbox, page).status == 0)
            #expect(try await Self.listed(sandbox)?["payment"]?.string == nil)
            let id = "1b3b0b4c-8d0e-4c4f-9a55-0c1f7a1b2c3d"
            try await sandbox.receiveCheckoutWebhook(of: id)
            #expect(try await Self.recover(sandbox, page).status == 0)
            #expect(try await Self.listed(sandbox)?["payment"]?.string == id)
        }
    }

    @Test("a record that may come late is no contradiction, however often it is looked for")
    func late() async throws {
        try await Self.run(life: 600_000) { _, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            for _ in 0..<2 {
                let found = try await Self.recover(sandbox, page)
                #expect(found.status == 0 && found.errorText.contains("do not show it so far"), "\(found)")
            }
            let wait = try await Self.wait(sandbox, page)
            #expect(wait.status == 0, "\(wait)")
            // That it is a webhook alone is where its reader looks, too.
            let words = "a signed webhook alone reported the payment"
            #expect(try wait.events.last?["reason"]?.string == words, "\(wait)")
            #expect(try await Self.show(sandbox, page)["contradiction"]?.string == nil)
            let checked = try await sandbox.clover("charge", "show", page, "--check")
            #expect(checked.status == 0, "\(checked)")
            let shown = try JSONValue(checked.outputText)
            #expect(shown["reason"]?.string == words, "\(shown)")
            let service = shown["service"]
            #expect(service?["found"] == .bool(false) && service?["agrees"] != .bool(false), "\(shown)")
            #expect(service?["reason"]?.string?.contains("does not have the payment \(Self.first)") == true)
            #expect(try await Self.listed(sandbox)?["state"]?.string == "paid")
        }
    }

    @Test("a record that is overdue is named by each look until a person confirms the page", arguments: [false, true])
    func overdue(isNamed: Bool) async throws {
        try await Self.run { _, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            // A wait records it first.
            #expect(try await Self.wait(sandbox, page).status == 0)
            if isNamed {
                let words = "have no payment \(Self.first)"
                expectFailure(try await Self.recover(sandbox, page), status: 80, saying: words, output: nil)
                expectFailure(try await Self.wait(sandbox, page), status: 80, saying: words, output: nil)
            }
            let settled = try await sandbox.clover("charge", "settle", page, "--paid")
            #expect(settled.status == 0 && !settled.errorText.contains("nothing was changed"), "\(settled)")
            for _ in 0..<2 {
                expectSuccess(try await Self.recover(sandbox, page))
                #expect(try await Self.wait(sandbox, page).status == 0)
            }
            let again = try await sandbox.clover("charge", "settle", page, "--paid")
            #expect(again.status == 0 && again.errorText.contains("nothing was changed"), "\(again)")
        }
    }

    @Test("recover names an overdue record at its first look, too")
    func overdueAtFirst() async throws {
        try await Self.run { _, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            for _ in 0..<2 {
                expectFailure(
                    try await Self.recover(sandbox, page), status: 80, saying: "have no payment \(Self.first)",
                    output: nil)
            }
            #expect(try await Self.show(sandbox, page)["payment"]?.string == Self.first)
        }
    }

    @Test(
        "a hold that only its type shows is not paid",
        arguments: [#","cardTransaction":{"type":"PREAUTH","captured":false}"#, #","type":"PREAUTH""#])
    func held(_ more: String) async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first, "SUCCESS", more))
            expectFailure(
                try await Self.recover(sandbox, page), status: 80, saying: Self.first, "only held and not captured",
                output: nil)
        }
    }

    @Test("the key of a page of which only a webhook was heard gives no page to pay on")
    func keyOfReported() async throws {
        try await Self.run(life: 600_000) { _, sandbox, page in
            try await sandbox.receiveCheckoutWebhook(of: Self.first, status: "DECLINED")
            let again = Self.create + ["--idempotency-key", "k-1"]
            expectSuccess(try await sandbox.clover(again))
            try await sandbox.receiveCheckoutWebhook(of: Self.first)
            expectFailure(try await sandbox.clover(again), status: 64, saying: "shows a payment", page)
        }
    }

    @Test("a webhook that states another amount, beside the page's payment, is unclear, and named")
    func otherAmountBeside() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.second))
            try await sandbox.receiveCheckoutWebhook(message: "Approved for 600", of: Self.first)
            let found = try await Self.recover(sandbox, page)
            expectFailure(found, status: 80, saying: "Approved for 600", Self.first, Self.second, output: nil)
            #expect(!found.errorText.contains("more than once"), "\(found)")
            let wait = try await Self.wait(sandbox, page)
            #expect(wait.status == 80, "\(wait)")
            #expect(try wait.events.last?["reason"]?.string?.contains("Approved for 600") == true, "\(wait)")
        }
    }

    // MARK: What became of it

    @Test("where a recorded payment is gone and another one is shown, that is named")
    func replaced() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first))
            expectSuccess(try await Self.recover(sandbox, page))
            service.show(Self.payment(Self.second))
            expectFailure(
                try await Self.wait(sandbox, page), status: 80, saying: Self.first, "it was recorded as paid",
                "another payment: \(Self.second)", output: nil)
            #expect(try await Self.listed(sandbox)?["reason"]?.string?.contains(Self.second) == true)
        }
    }

    @Test("a page that was contradicted is looked at again", arguments: [false, true])
    func lookedAtAgain(isAll: Bool) async throws {
        try await Self.run { service, sandbox, page in
            let again = ["charge", "recover", isAll ? "--all" : page]
            service.show(Self.payment(Self.first))
            expectSuccess(try await Self.recover(sandbox, page))
            service.show(Self.payment(Self.first), refunds: Self.refund(425, of: Self.first))
            #expect(try await Self.wait(sandbox, page).status == 80)
            expectFailure(try await sandbox.clover(again), status: 80, saying: "refunded since", output: nil)
            service.show(Self.payment(Self.first))
            expectSuccess(try await sandbox.clover(again))
            #expect(try await Self.listed(sandbox)?["state"]?.string == "paid")
            service.show(Self.payment(Self.first, "VOIDED"))
            #expect(try await Self.wait(sandbox, page).status == 80)
            service.show(Self.payment(Self.first, "VOIDED"), Self.payment(Self.second))
            expectSuccess(try await sandbox.clover(again))
            #expect(try await Self.listed(sandbox)?["payment"]?.string == Self.second)
        }
    }

    @Test("a refund that is pending counts, and is named as pending, by recover, wait and show --check")
    func pending() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first))
            expectSuccess(try await Self.recover(sandbox, page))
            let refund = Self.refund(425, of: Self.first, "PENDING")
            service.show(Self.payment(Self.first), refunds: refund)
            service.state.withLock {
                $0.payments[Self.first] = Self.payment(
                    Self.first, "SUCCESS", #","refunds":{"elements":[\#(refund)]}"#)
            }
            let words = "4.25 USD of it were refunded since (a refund is pending, and may still fail)"
            let checked = try await Self.show(sandbox, page, "--check")["service"]
            #expect(checked?["agrees"] == .bool(false), "\(String(describing: checked))")
            #expect(checked?["reason"]?.string?.contains("4.25 USD refunded (a refund is pending") == true)
            expectFailure(try await Self.wait(sandbox, page), status: 80, saying: words, output: nil)
            expectFailure(try await Self.recover(sandbox, page), status: 80, saying: words, output: nil)
            let later = try await Self.show(sandbox, page, "--check")["service"]
            #expect(later?["agrees"] != .bool(false), "\(String(describing: later))")
            #expect(later?["reason"]?.string?.contains(words) == true, "\(String(describing: later))")
        }
        try await Self.run { service, sandbox, page in
            service.show(
                Self.payment(Self.first), Self.payment(Self.second),
                refunds: Self.refund(425, of: Self.first, "PENDING"))
            let result = try await Self.recover(sandbox, page)
            let words = "the refund of another payment is pending, and may still fail: \(Self.first)"
            #expect(result.status == 0 && result.errorText.contains(words), "\(result)")
            #expect(try result.events.last?["payment"]?.string == Self.second, "\(result)")
            #expect(try result.events.last?["reason"]?.string?.contains(words) == true, "\(result)")
        }
    }

    @Test("a page is looked at again while the refund of its other payment is pending", arguments: [false, true])
    func pendingElsewhere(isAll: Bool) async throws {
        try await Self.run { service, sandbox, page in
            let again = ["charge", "recover", isAll ? "--all" : page]
            let both = [Self.payment(Self.first), Self.payment(Self.second)]
            func show(_ status: String) {
                let refund = Self.refund(425, of: Self.first, status)
                service.state.withLock { $0.orders = [Self.order("NOTE1", both, refunds: refund)] }
            }
            show("PENDING")
            #expect(try await Self.recover(sandbox, page).status == 0)
            let still = try await sandbox.clover(again)
            #expect(still.status == 0 && still.errorText.contains("may still fail"), "\(still)")
            show("FAIL")
            expectFailure(try await sandbox.clover(again), status: 80, saying: "paid more than once", output: nil)
            show("SUCCESS")
            #expect(try await sandbox.clover(again).status == 0)
            #expect(try await Self.listed(sandbox)?["reason"]?.string == nil)
            expectSuccess(try await sandbox.clover(again))
        }
    }

    @Test("show --check of a page looks at the other payments of its order, too")
    func checkedBeside() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first))
            service.state.withLock { $0.payments[Self.first] = Self.payment(Self.first) }
            expectSuccess(try await Self.recover(sandbox, page))
            #expect(try await Self.show(sandbox, page, "--check")["service"]?["agrees"] == .bool(true))
            service.show(Self.payment(Self.first), Self.payment(Self.second))
            let checked = try await Self.show(sandbox, page, "--check")["service"]
            #expect(checked?["agrees"] == .bool(false), "\(String(describing: checked))")
            #expect(checked?["reason"]?.string?.contains(Self.second) == true, "\(String(describing: checked))")
            service.state.withLock { $0.isSignedIn = false }
            let unread = try await Self.show(sandbox, page, "--check")["service"]
            #expect(unread?["agrees"] != .bool(true), "\(String(describing: unread))")
        }
    }

    @Test("a payment that is settled by hand while the orders cannot be read is recorded with a warning")
    func settledUnread() async throws {
        try await Self.run { service, sandbox, page in
            service.state.withLock {
                $0.payments[Self.first] = Self.payment(Self.first)
                $0.isSignedIn = false
            }
            let settled = try await sandbox.clover("charge", "settle", page, "--paid", "--payment", Self.first)
            #expect(settled.status == 0, "\(settled)")
            #expect(settled.errorText.contains("is in the order of another page was not checked"), "\(settled)")
        }
    }

    @Test("a part that the record names as refunded is no difference from it")
    func checked() async throws {
        try await Self.run { service, sandbox, page in
            let refund = Self.refund(100, of: Self.first)
            service.show(Self.payment(Self.first), refunds: refund)
            service.state.withLock {
                $0.payments[Self.first] = Self.payment(
                    Self.first, "SUCCESS", #","refunds":{"elements":[\#(refund)]}"#)
            }
            #expect(try await Self.recover(sandbox, page).status == 0)
            let shown = try await Self.show(sandbox, page, "--check")
            #expect(shown["refunded"]?.integer == 100 && shown["service"]?["agrees"] == .bool(true), "\(shown)")
        }
    }

    @Test("of payments that were all voided, or are gone, no more is asserted than was seen")
    func allGone() async throws {
        try await Self.run(life: 600_000) { service, sandbox, page in
            service.show(Self.payment(Self.first), Self.payment(Self.second))
            expectFailure(try await Self.recover(sandbox, page), status: 80, saying: "paid more than once", output: nil)
            service.show(Self.payment(Self.first, "VOIDED"), Self.payment(Self.second, "VOIDED"))
            let voided = try await Self.recover(sandbox, page)
            expectFailure(voided, status: 80, saying: "it was seen as paid", "none of the page's payments", output: nil)
            #expect(!voided.errorText.contains("recorded as paid"), "\(voided)")
            service.state.withLock { $0.orders = [] }
            let words = "the merchant's records do not show now what was found before"
            for command in [["charge", "recover", page], ["charge", "recover", "--all"]] {
                expectFailure(try await sandbox.clover(command), status: 80, saying: words, output: nil)
            }
            expectFailure(try await Self.wait(sandbox, page), status: 80, saying: words, output: nil)
        }
    }

    @Test(
        "a refund that may be of either payment is named, and neither is taken as paid",
        arguments: [refund(425, of: nil), refund(425, of: "PAYMENT000009"), refund(850, of: first)])
    func looseRefund(_ refund: String) async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first), Self.payment(Self.second), refunds: refund)
            expectFailure(
                try await Self.recover(sandbox, page), status: 80, saying: "paid more than once",
                "of a refund of 4.25 USD it is not shown whose it is", output: nil)
        }
    }

    @Test("a page that a person settles as paid, and whose payment was given back, or voided, shows that")
    func settledAfterwards() async throws {
        for isVoided in [false, true] {
            try await Self.run { service, sandbox, page in
                service.show(Self.payment(Self.first))
                expectSuccess(try await Self.recover(sandbox, page))
                if isVoided {
                    service.show(Self.payment(Self.first, "VOIDED"))
                } else {
                    service.show(Self.payment(Self.first), refunds: Self.refund(425, of: Self.first))
                }
                #expect(try await Self.wait(sandbox, page).status == 80)
                let settled = try await sandbox.clover("charge", "settle", page, "--paid")
                #expect(settled.status == 0, "\(settled)")
                #expect(settled.errorText.contains("given back since") != isVoided, "\(settled)")
                let wait = try await Self.wait(sandbox, page)
                #expect(wait.status == 81 && wait.errorText.contains("is kept"), "\(wait)")
                #expect(try await Self.recover(sandbox, page).status == 0)
                #expect(try wait.events.last?["event"]?.string == (isVoided ? "voided" : "givenBack"), "\(wait)")
                let words = isVoided ? "voided now" : "were refunded"
                #expect(try wait.events.last?["reason"]?.string?.contains(words) == true, "\(wait)")
                #expect(try await Self.listed(sandbox)?["reason"]?.string?.contains(words) == true)
                let shown = try await Self.show(sandbox, page)
                #expect(shown["captured"]?.integer == (isVoided ? 0 : 425), "\(shown)")
                #expect(shown["refunded"]?.integer == (isVoided ? 0 : 425), "\(shown)")
                #expect(shown["payment"]?.string == Self.first, "\(shown)")
                // What a person confirmed can be corrected: no money is kept.
                #expect(try await sandbox.clover("charge", "settle", page, "--not-paid").status == 0)
            }
        }
    }

    // MARK: What is printed

    @Test("the key of a page that was settled as not paid, or given back, is refused: the page may still be open")
    func usedKey() async throws {
        try await Self.run(life: 600_000) { _, sandbox, page in
            let settled = try await sandbox.clover("charge", "settle", page, "--not-paid")
            #expect(settled.status == 0 && settled.errorText.contains("can still be paid until"), "\(settled)")
            let again = try await sandbox.clover(Self.create + ["--idempotency-key", "k-1"])
            expectFailure(again, status: 64, saying: "settled by hand")
        }
        try await Self.run(life: 600_000) { service, sandbox, page in
            service.show(Self.payment(Self.first), refunds: Self.refund(425, of: Self.first))
            let found = try await Self.recover(sandbox, page)
            expectFailure(found, status: 80, saying: "refunded since", output: nil)
            #expect(try found.events.last?["event"]?.string == "givenBack", "\(found)")
            #expect(try await Self.show(sandbox, page)["status"]?.string == "givenBack")
            #expect(try await Self.listed(sandbox)?["state"]?.string == "givenBack")
            let again = try await sandbox.clover(Self.create + ["--idempotency-key", "k-1"])
            expectFailure(again, status: 64, saying: "shows a payment")
        }
    }

    @Test("a further payment of a page that a person settled is named on both outputs, and in the list")
    func furtherPayment() async throws {
        try await Self.run { service, sandbox, page in
            service.show(Self.payment(Self.first), Self.payment(Self.second))
            #expect(try await Self.recover(sandbox, page).status == 80)
            let all = try await sandbox.clover("charge", "recover", "--all")
            #expect(all.errorText.components(separatedBy: "clover charge settle").count == 2, "one advice: \(all)")
            #expect(!all.errorText.contains("the reader"), "\(all)")
            #expect(try await sandbox.clover("charge", "settle", page, "--paid").status == 0)
            service.show(Self.payment(Self.first), Self.payment(Self.second), Self.payment("PAYMENT000003"))
            let found = try await Self.recover(sandbox, page)
            expectFailure(found, status: 80, saying: "PAYMENT000003", output: nil)
            #expect(try found.events.last?["event"]?.string == "paidTwice", "\(found)")
            #expect(try await Self.show(sandbox, page)["status"]?.string == "paidTwice")
            #expect(try await Self.listed(sandbox)?["state"]?.string == "paidTwice")
        }
    }

    @Test("a sign-in that is not accepted ends with 77")
    func signInRefused() async throws {
        try await Self.run { service, sandbox, page in
            service.state.withLock { $0.isSignedIn = false }
            expectFailure(
                try await Self.recover(sandbox, page), status: 77, saying: "the sign-in was not accepted", output: nil)
        }
    }

    @Test("a payment that was voided is not recorded as that of a page")
    func voidedByHand() async throws {
        try await Self.run { service, sandbox, page in
            service.state.withLock { $0.payments[Self.first] = Self.payment(Self.first, "VOIDED") }
            let settle = ["charge", "settle", page, "--paid", "--payment", Self.first]
            expectFailure(try await sandbox.clover(settle), status: 64, saying: "voided")
        }
    }
}
