import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// What responses about plans, subscriptions and cards on file prove, and what they do not.
@Suite("plan and subscription: what responses prove")
struct RecurringEvidenceTests {
    private static let creation = [
        "plan", "create", "--name", "Coffee club", "--amount", "25.00", "--interval", "month", "--currency", "USD",
    ]
    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
    private static let lost = LoopbackResponse(
        status: "504 Gateway Timeout", headers: ["Content-Type: text/html"], body: "<html>".utf8)
    /// The service's clock in these tests.
    private static let date = "Sat, 28 Nov 2026 12:00:00 GMT"

    static func plan(_ id: String, amount: Int = 2500, _ more: String = "") -> String {
        #"{"id":"\#(id)","name":"Coffee club","amount":\#(amount),"interval":"MONTH","intervalCount":1,"active":true\#(more)}"#
    }

    static func created(_ time: String) -> String { #","createdTime":"\#(time)""# }

    /// A service that says nothing about the currency beyond `USD`.
    static func serve(
        _ answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse,
        _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/properties")
                    ? LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#) : answer(request)
            }, body)
    }

    static func dated(_ body: String, _ date: String? = Self.date) -> LoopbackResponse {
        LoopbackResponse(
            headers: ["Content-Type: application/json"] + (date.map { ["Date: \($0)"] } ?? []), body: body.utf8)
    }

    struct Hidden: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let row: String
        var date: String? = RecurringEvidenceTests.date
        /// Whether it is taken for the new one, named as one that may be it, or neither.
        let isOurs: Bool
        let isNamed: Bool
    }

    @Test(
        "after a lost response, only a plan that was made after the request is the new one",
        arguments: [
            Hidden(
                testDescription: "made afterwards", row: plan("P1", created("2026-11-28T12:00:05.000Z")), isOurs: true,
                isNamed: true),
            Hidden(
                testDescription: "years old", row: plan("P1", created("2020-01-01T00:00:00.000Z")), isOurs: false,
                isNamed: false),
            Hidden(
                testDescription: "made shortly before", row: plan("P1", created("2026-11-28T11:59:30.000Z")),
                isOurs: false, isNamed: true),
            Hidden(
                testDescription: "made within the second of the list",
                row: plan("P1", created("2026-11-28T12:00:00.500Z")), isOurs: false, isNamed: true),
            Hidden(testDescription: "without its time", row: plan("P1"), isOurs: false, isNamed: true),
            Hidden(
                testDescription: "by a service without a clock", row: plan("P1", created("2026-11-28T12:00:05.000Z")),
                date: nil, isOurs: false, isNamed: true),
        ])
    func hidden(_ given: Hidden) async throws {
        let isSent = Mutex(false)
        try await Self.serve({ request in
            if request.method == "POST" {
                isSent.withLock { $0 = true }
                return Self.lost
            }
            // The first list hides it.
            let isShown = isSent.withLock(\.self) && request.values(of: "offset") == ["0"]
            return Self.dated(#"{"elements":[\#(isShown ? given.row : "")]}"#, given.date)
        }) { sandbox, _ in
            let result = try await sandbox.clover(Self.creation)
            #expect(result.status == (given.isOurs ? 0 : 80), "\(result)")
            #expect((result.outputText + result.errorText).contains("P1") == given.isNamed, "\(result)")
        }
    }

    @Test(
        "a subscription of another amount than its plan is active, and the difference is named",
        arguments: [2500, 2700], [true, false])
    func otherAmount(amount: Int, showsPlan: Bool) async throws {
        let row =
            #"{"id":"S1","customerUuid":"K1","amount":\#(amount),"active":true,"plan":{"id":"P1"\#(showsPlan ? ",\"amount\":2500" : "")}\#(Self.created("2026-11-28T12:00:05.000Z"))}"#
        try await Self.serve({ request in
            if request.method == "POST" { return Self.dated(row) }
            if request.path.hasSuffix("/plans/P1") { return Self.dated(Self.plan("P1")) }
            let isListed = request.path.hasSuffix("/v1/subscriptions") && request.values(of: "offset") == ["0"]
            return Self.dated(#"{"elements":[\#(isListed ? row : "")]}"#)
        }) { sandbox, _ in
            let create = ["subscription", "create", "--plan", "P1", "--customer", "K1"]
            let result = try await sandbox.clover(create)
            #expect(result.status == 0, "\(result)")
            let last = try #require(try result.events.last)
            #expect(last["event"]?.string == "active" && last["amount"]?.integer == amount, "\(result)")
            let words = "amount is \(amount), and that of its plan 2500"
            #expect(result.errorText.contains(words) == (amount != 2500), "\(result)")
            #expect((last["reason"]?.string ?? "").contains(words) == (amount != 2500 && showsPlan), "\(result)")
            let listed = try JSONValue(try await sandbox.clover("subscription", "list").outputText)
            #expect(
                listed["amount"]?.integer == amount && listed["planAmount"]?.integer == (showsPlan ? 2500 : nil),
                "\(listed)")
        }
    }

    @Test("of a subscription whose response was lost, too, an amount other than its plan's is named")
    func lostOtherAmount() async throws {
        let row =
            #"{"id":"S1","customerUuid":"K1","amount":2700,"active":true,"plan":{"id":"P1"}\#(Self.created("2026-11-28T12:00:05.000Z"))}"#
        let isSent = Mutex(false)
        try await Self.serve({ request in
            if request.method == "POST" {
                isSent.withLock { $0 = true }
                return Self.lost
            }
            if request.path.hasSuffix("/plans/P1") { return Self.dated(Self.plan("P1")) }
            let isListed =
                request.path.hasSuffix("/subscriptions") && request.values(of: "offset") == ["0"]
                && isSent.withLock(\.self)
            return Self.dated(#"{"elements":[\#(isListed ? row : "")]}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(["subscription", "create", "--plan", "P1", "--customer", "K1"])
            let reason = try result.events.last?["reason"]?.string ?? ""
            #expect(reason.contains("amount is 2700, and that of its plan 2500"), "\(result)")
        }
    }

    @Test("a subscription whose amount Clover does not show is active, with a warning")
    func withoutAmount() async throws {
        for (shown, options, isSaid) in [
            ("", [], true), (#","amount":2500"#, [], false),
            (#","amount":2500"#, ["--amount", "20.00", "--currency", "USD"], true),
        ] as [(String, [String], Bool)] {
            let plan = #"{"id":"P1"\#(shown)}"#
            let row =
                #"{"id":"S1","customerUuid":"K1","active":true,"plan":\#(plan)\#(Self.created("2026-11-28T12:00:05.000Z"))}"#
            try await Self.serve({ request in
                if request.method == "POST" { return Self.dated(row) }
                return Self.dated(request.path.hasSuffix("/plans/P1") ? plan : #"{"elements":[]}"#)
            }) { sandbox, _ in
                let create = ["subscription", "create", "--plan", "P1", "--customer", "K1"]
                let result = try await sandbox.clover(create + options)
                #expect(result.status == 0, "\(result)")
                let last = try #require(try result.events.last)
                #expect(last["event"]?.string == "active", "\(result)")
                let words = "Clover does not show the subscription's amount"
                #expect((last["reason"]?.string == words) == isSaid, "\(result)")
                #expect(result.errorText.contains(words) == isSaid, "\(result)")
            }
        }
    }

    @Test(
        "a subscription that the service shows as not active, or not clearly, is unknown, and named",
        arguments: [
            (#""active":false"#, "not active"), (#""active":"false""#, "not certainly active"),
            (#""status":"CANCELLED""#, "not certainly active"),
        ])
    func inactive(_ shown: String, _ words: String) async throws {
        let row =
            #"{"id":"S1","customerUuid":"K1","amount":2500,\#(shown),"plan":{"id":"P1"}\#(Self.created("2026-11-28T12:00:05.000Z"))}"#
        let isMade = Mutex(false)
        try await Self.serve({ request in
            if request.method == "POST" {
                isMade.withLock { $0 = true }
                return Self.dated(row)
            }
            let isListed = request.path.hasSuffix("/subscriptions") && request.values(of: "offset") == ["0"]
            return Self.dated(#"{"elements":[\#(isListed && isMade.withLock(\.self) ? row : "")]}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(["subscription", "create", "--plan", "P1", "--customer", "K1"])
            #expect(result.status == 80, "\(result)")
            #expect(try result.events.last?["reason"]?.string == "S1 may be the one, and is \(words)", "\(result)")
        }
    }

    /// A subscription of the customer `K1` to the plan `P1`, made after the request.
    static func subscription(_ more: String, customer: String? = "K1") -> String {
        let name = customer.map { #","customerUuid":"\#($0)""# } ?? ""
        return #"{"id":"S1"\#(name),"amount":2500,"plan":{"id":"P1","amount":2500}\#(more)"#
            + Self.created("2026-11-28T12:00:05.000Z") + "}"
    }

    @Test(
        "a subscription that starts or ends on another day than was asked for, or has ended, is unknown, and named",
        arguments: [true, false])
    func days(isLost: Bool) async throws {
        let asked = ["--start", "2027-01-05", "--end", "2027-06-01"]
        let cases: [(more: String, options: [String], isOurs: Bool)] = [
            (#","startDate":"2027-01-05T10:00:00.000Z","endDate":"2027-06-01T23:59:59.000Z""#, asked, true),
            (#","startDate":1799107200000,"endDate":1811808000000"#, asked, true),
            (#","startDate":"1799107200000","endDate":"1811894399999""#, asked, true),
            (#","startDate":"2027-01-04T19:00:00-05:00","endDate":"2027-06-01T18:59:59-05:00""#, asked, true),
            (#","startDate":"2027-01-05T00:00:00-05:00","endDate":"2027-06-01T23:59:59-05:00""#, asked, true),
            (#","endDate":"2027-06-02T08:59:59.999+09:00""#, asked, true),
            (#","endDate":1811894400000"#, asked, false), (#","endDate":"2027-05-31T23:59:59.000Z""#, asked, false),
            (#","endDate":"2027-06-02T09:00:00+09:00""#, asked, false),
            // The last second of the day in New York, in Hawaii, and of the day before.
            (#","endDate":1811912399000"#, asked, true), (#","endDate":"2027-06-02T09:59:59.999Z""#, asked, true),
            (#","endDate":"2027-06-01T03:59:59.000Z""#, asked, false),
            (#","endDate":"2027-06-02T04:59:58.000Z""#, asked, false),
            (#","startDate":"2027-01-04T18:59:59-05:00""#, asked, false),
            ("", asked, true), (#","startDate":"2026-11-29T00:00:00.000Z""#, [], true),
            (#","endDate":"2099-01-01T00:00:00.000Z""#, asked, false), (#","endDate":null"#, asked, false),
            (#","startDate":"2026-12-01T00:00:00.000Z""#, asked, false),
            (#","endDate":"2020-01-01T00:00:00.000Z""#, [], false),
            (#","deletedTime":"2026-11-28T12:00:06.000Z""#, asked, false),
        ]
        for (more, options, isOurs) in cases {
            let row = Self.subscription(#","active":true"# + more)
            let isSent = Mutex(false)
            try await Self.serve({ request in
                if request.method == "POST" {
                    isSent.withLock { $0 = true }
                    return isLost ? Self.lost : Self.dated(row)
                }
                let isListed =
                    request.path.hasSuffix("/subscriptions") && request.values(of: "offset") == ["0"]
                    && isSent.withLock(\.self)
                return Self.dated(#"{"elements":[\#(isListed ? row : "")]}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover(
                    ["subscription", "create", "--plan", "P1", "--customer", "K1"] + options)
                #expect(result.status == (isOurs ? 0 : 80), "\(more): \(result)")
                #expect(try result.events.last?["reason"]?.string?.contains("S1") == true || isOurs, "\(result)")
            }
        }
    }

    @Test("a subscription that a person names must be active, and end when it was to end")
    func namedOtherwise() async throws {
        let row = Mutex("")
        try await Self.serve({ request in
            if request.method == "POST" { return Self.lost }
            return Self.dated(
                request.path.hasSuffix("/subscriptions/S1") ? row.withLock(\.self) : #"{"elements":[]}"#)
        }) { sandbox, _ in
            let made = try await sandbox.clover(
                "subscription", "create", "--plan", "P1", "--customer", "K1", "--end", "2027-06-01")
            #expect(made.status == 80, "\(made)")
            let id = try #require(try made.events.last?["operation"]?.string)
            func settle(_ more: String) async throws -> CommandResult {
                row.withLock { $0 = Self.subscription(more) }
                return try await sandbox.clover("charge", "settle", id, "--paid", "--payment", "S1")
            }
            expectFailure(try await settle(#","active":false"#), status: 64, saying: "not active")
            let other = try await settle(#","active":true,"endDate":"2099-01-01T00:00:00.000Z""#)
            expectFailure(other, status: 64, saying: "endDate")
            let settled = try await settle(#","active":true,"endDate":"2027-06-01T00:00:00.000Z""#)
            #expect(settled.status == 0, "\(settled)")
        }
    }

    @Test("an active subscription to the plan that does not show its customer may be the customer's: none is made")
    func unattributed() async throws {
        let sent = Mutex(0)
        try await Self.serve({ request in
            if request.method == "POST" {
                sent.withLock { $0 += 1 }
                return Self.dated(Self.subscription(#","active":true"#).replacing("S1", with: "S2"))
            }
            let row = Self.subscription(#","active":true"#, customer: nil)
            return Self.dated(#"{"elements":[\#(request.values(of: "offset") == ["0"] ? row : "")]}"#)
        }) { sandbox, _ in
            let create = ["subscription", "create", "--plan", "P1", "--customer", "K1"]
            let result = try await sandbox.clover(create)
            expectFailure(result, status: 64, saying: "S1", "does not show its customer", "--another", output: nil)
            #expect(sent.withLock(\.self) == 0)
            let another = try await sandbox.clover(create + ["--another"])
            #expect(another.status == 0 && sent.withLock(\.self) == 1, "\(another)")
        }
    }

    @Test("of a refusal that the list confirms, the output says what was seen")
    func refusedAndAbsent() async throws {
        try await Self.serve({ request in
            if request.method == "POST" {
                return LoopbackResponse(
                    status: "400 Bad Request",
                    #"{"message":"400 Bad Request","error":{"code":"invalid_request","message":"no card"}}"#)
            }
            return Self.dated(#"{"elements":[]}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(Self.creation)
            expectFailure(
                result, status: 64, saying: "the list that was read afterwards does not show it so far", output: nil)
            let last = try #require(try result.events.last)
            #expect(last["event"]?.string == "failed" && last["provisional"] == .bool(true), "\(result)")
            #expect(last["reason"]?.string?.hasPrefix("Clover refused it (400)") == true, "\(result)")
        }
    }

    @Test("a cancellation without a sign of it may have been cancelled, and a refused one was not")
    func cancellation() async throws {
        let cases: [(status: String, body: String, code: Int32, words: String)] = [
            ("504 Gateway Timeout", "{}", 80, "S1 may have been cancelled"),
            (
                "400 Bad Request",
                #"{"message":"400 Bad Request","error":{"code":"invalid_request","message":"not now"}}"#, 64,
                "S1 was not cancelled: not now"
            ),
        ]
        for (status, body, code, words) in cases {
            try await Self.serve({ request in
                request.method == "DELETE"
                    ? LoopbackResponse(status: status, body) : Self.dated(#"{"id":"S1","active":true}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover("subscription", "cancel", "S1")
                expectFailure(result, status: code, saying: words)
            }
        }
    }

    @Test("a response that repeats a plan which was there before, or is older than the request, confirms nothing")
    func repeated() async throws {
        for (id, time) in [("P1", "2026-11-28T12:00:05.000Z"), ("P2", "2020-01-01T00:00:00.000Z")] {
            let old = Self.plan("P1", #","deletedTime":"2026-01-01T00:00:00.000Z""#)
            try await Self.serve({ request in
                if request.method == "POST" { return Self.dated(Self.plan(id, Self.created(time))) }
                return Self.dated(#"{"elements":[\#(request.values(of: "offset") == ["0"] ? old : "")]}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover(Self.creation)
                expectFailure(result, status: 80, saying: "that was not asked for", output: nil)
            }
        }
    }

    @Test("a response that has only an ID confirms nothing, unless the list shows what was made afterwards")
    func namedOnly() async throws {
        for isListed in [true, false] {
            let isSent = Mutex(false)
            try await Self.serve({ request in
                if request.method == "POST" {
                    isSent.withLock { $0 = true }
                    return Self.dated(#"{"id":"P1"}"#)
                }
                let isShown = isListed && isSent.withLock(\.self) && request.values(of: "offset") == ["0"]
                let row = Self.plan("P1", Self.created("2026-11-28T12:00:05.000Z"))
                return Self.dated(#"{"elements":[\#(isShown ? row : "")]}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover(Self.creation)
                #expect(result.status == (isListed ? 0 : 80), "\(result)")
                #expect(isListed || result.errorText.contains("does not show what was made"), "\(result)")
            }
        }
    }

    @Test(
        "a change is done when the plan shows it; a response that only repeats the request shows nothing",
        arguments: [true, false])
    func echoed(_ isPlan: Bool) async throws {
        try await Self.serve({ request in
            let row =
                isPlan
                ? Self.plan("P1", amount: request.method == "PUT" ? 2750 : 2500)
                : #"{"id":"P1","customerUuid":"C1","amount":\#(request.method == "PUT" ? 2750 : 2500),"active":true}"#
            return LoopbackResponse(row)
        }) { sandbox, _ in
            let noun = isPlan ? "plan" : "subscription"
            let result = try await sandbox.clover(noun, "change", "P1", "--amount", "27.50", "--currency", "USD")
            expectFailure(result, status: 80, saying: "the \(noun) P1 may have been changed", output: "")
        }
    }

    @Test(
        "a bare 403 to a change or an end proves nothing: 80, with what the service shows",
        arguments: [
            (["change", "S1", "--amount", "20.00", "--currency", "USD"], "shows no change, amount 2500 in place of"),
            (["cancel", "S1"], "shows it as active"),
        ])
    func bareRefusal(_ command: [String], _ words: String) async throws {
        try await Self.serve({ request in
            request.method == "GET"
                ? Self.dated(Self.subscription(#","active":true"#)) : LoopbackResponse(status: "403 Forbidden", "")
        }) { sandbox, _ in
            let result = try await sandbox.clover(["subscription"] + command)
            expectFailure(result, status: 80, saying: "the service answered 403", words)
        }
    }

    @Test("a subscription's dates in milliseconds since 1970 are printed as times")
    func numericDates() async throws {
        try await Self.serve({ _ in Self.dated(Self.subscription(#","active":true,"endDate":1811808000000"#)) }) {
            sandbox, _ in
            let result = try await sandbox.clover("subscription", "show", "S1", "--json")
            expectSuccess(result)
            #expect(try JSONValue(result.outputText)["endDate"]?.string == "2027-06-01T00:00:00.000Z", "\(result)")
        }
    }

    @Test("a response about another one shows nothing, and ends nothing")
    func other() async throws {
        try await Self.serve({ request in
            LoopbackResponse(request.method == "GET" ? #"{"id":"OTHER","active":false}"# : "{}")
        }) { sandbox, _ in
            for noun in ["plan", "subscription"] {
                expectFailure(try await sandbox.clover(noun, "show", "P1"), status: 76, saying: "about another one")
            }
            let cancelled = try await sandbox.clover("subscription", "cancel", "S1")
            expectFailure(cancelled, status: 80, saying: "the subscription S1 may have been cancelled", output: "")
        }
    }

    @Test("a list is complete, or the run ends with 76", arguments: ["plan", "subscription"])
    func lists(_ noun: String) async throws {
        let rows = (0..<150).map { #"{"id":"\#($0)"}"# }
        func list(
            _ body: @escaping @Sendable (_ offset: Int, _ limit: Int) -> String, _ status: Int32, _ count: Int
        ) async throws {
            try await Self.serve({ request in
                let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
                return LoopbackResponse(body(offset, request.values(of: "limit").first.flatMap { Int($0) } ?? 10))
            }) { sandbox, _ in
                let result = try await sandbox.clover(noun, "list", "--jq", ".\(noun)")
                #expect(result.status == status, "\(result)")
                #expect(result.lines.count == count, "\(result)")
            }
        }
        @Sendable func page(_ rows: ArraySlice<String>, _ more: String = "") -> String {
            #"{"elements":[\#(rows.joined(separator: ","))]\#(more)}"#
        }
        try await list({ page(rows.dropFirst($0).prefix($1)) }, 0, 150)
        // Fewer rows on a page than asked for.
        try await list({ offset, _ in page(rows.dropFirst(offset).prefix(20)) }, 0, 150)
        // A page repeats a row, because one was made meanwhile.
        try await list({ page(rows.dropFirst($0 == 0 ? 0 : $0 - 1).prefix($1)) }, 0, 150)
        try await list({ _, limit in page(rows.prefix(limit)) }, 76, 0)
        try await list({ _, _ in page(rows.prefix(3)) }, 76, 0)
        try await list({ _, _ in page(rows.prefix(3), #","has_more":false"#) }, 0, 3)
        try await list({ offset, _ in page(rows.prefix(5).dropFirst(offset).prefix(3), #","has_more":true"#) }, 76, 0)
        try await list({ _, _ in #"{"rows":[]}"# }, 76, 0)
        try await list({ _, _ in page(["{}"][...]) }, 76, 0)
    }

    @Test("a customer whose cards are not all shown has no list of cards: 76")
    func cards() async throws {
        let many = (0..<100).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        for (cards, status, count) in [
            (#","cards":{"elements":[]}"#, 0, 0), ("", 76, 0), (#","cards":null"#, 76, 0),
            (#","cards":{"elements":[{"id":"K"}]}"#, 0, 1), (#","cards":{"elements":[{}]}"#, 76, 0),
            (#","cards":{"href":"x"}"#, 76, 0), (#","cards":{"elements":[\#(many)]}"#, 76, 0),
        ] as [(String, Int32, Int)] {
            try await Self.serve({ _ in LoopbackResponse(#"{"id":"C1"\#(cards)}"#) }) { sandbox, _ in
                let result = try await sandbox.clover("charge", "card", "list", "C1", "--jq", ".card")
                #expect(result.status == status && result.lines.count == count, "\(result)")
            }
        }
    }

    @Test("after a save whose response was lost, a list that shows no customer does not permit a second one")
    func savedLate() async throws {
        let email = "kim@example.com"
        let decline = try RecordedCase.named("ecomm-decline-expired")
        let saves = Mutex(0)
        try await Self.serve({ request in
            if request.method == "POST", request.path == "/v1/customers" {
                return saves.withLock {
                    $0 += 1
                    return $0 == 1 ? Self.lost : decline.response(to: request)
                }
            }
            if request.method == "GET", request.path.hasSuffix("/customers") {
                return LoopbackResponse(#"{"elements":[]}"#)
            }
            return Self.missing
        }) { sandbox, _ in
            func charge(_ key: String, _ options: String...) async throws -> CommandResult {
                try await sandbox.clover(
                    [
                        "charge", "--minor", "100", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1",
                        "--save-card", email, "--consent", "--idempotency-key", key,
                    ] + options)
            }
            expectFailure(try await charge("k-1"), status: 69, saying: "the card may have been saved", output: nil)
            // By the same key, and by another one.
            for key in ["k-1", "k-2"] {
                let again = try await charge(key)
                expectFailure(
                    again, status: 75, saying: "an earlier charge may have saved a card", "--save-again", output: nil)
            }
            #expect(saves.withLock(\.self) == 1)
            // What becomes of the second one says nothing about the first.
            expectFailure(
                try await charge("k-1", "--save-again"), status: 64, saying: "the card was not saved", output: nil)
            #expect(saves.withLock(\.self) == 2)
            expectFailure(try await charge("k-1"), status: 75, saying: "may have saved a card", output: nil)
            #expect(saves.withLock(\.self) == 2)
        }
    }

    @Test("customers are looked through to the end, however short the pages are")
    func shortPages() async throws {
        try await Self.serve({ request in
            guard request.method == "GET", request.path.hasSuffix("/customers") else { return Self.missing }
            let rows = ["lee", "max", "kim"].map {
                #"{"id":"\#($0)","emailAddresses":{"elements":[{"emailAddress":"\#($0)@example.com"}]}}"#
            }
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            return .page(Array(rows.dropFirst(offset).prefix(2)))
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "charge", "--minor", "100", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1",
                "--save-card", "kim@example.com", "--consent")
            expectFailure(result, status: 64, saying: "a customer has the address", output: nil)
        }
    }

    @Test("a plan or subscription that a person names is looked up, and must be the one")
    func named() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "reset@2:/recurring/v1/plans/"]) { till in
            let plan = try #require(try await till.plan("Coffee club").events.last?["plan"]?.string)
            let (kim, lee) = (
                try await till.savedCustomer(), try await till.savedCustomer("lee@example.com")
            )
            let lost = try await till.subscribe(kim, to: plan)
            let id = try #require(try lost.events.last?["operation"]?.string)
            // Of another machine, whose journal is not this one's.
            let machine = ChargeFixture(
                sandbox: till.sandbox.with(["CLOVER_STATE_DIR": till.sandbox.directory["other"]]),
                emulator: till.emulator)
            let other = try #require(
                try await machine.subscribe(lee, to: plan).events.last?["subscription"]?.string)
            func settle(_ options: String..., in sandbox: Sandbox? = nil) async throws -> CommandResult {
                try await (sandbox ?? till.sandbox).clover(["charge", "settle", id, "--paid"] + options)
            }
            expectFailure(try await settle("--payment", other), status: 64, saying: other, "another customer")
            expectFailure(try await settle(), status: 64, saying: "--payment")
            let unreachable = till.sandbox.using("http://127.0.0.1:9")
            #expect(try await settle("--payment", other, in: unreachable).ending != .exited(0))
            #expect(try await till.sandbox.clover("charge", "show", id, "--jq", ".state", "-r").lines == ["unknown"])
        }
    }

    @Test("a check of what was made says whether it agrees, and why not")
    func checked() async throws {
        try await ChargeFixture.run { till in
            let made = try #require(try await till.plan("Coffee club").events.last)
            let id = try #require(made["operation"]?.string)
            let plan = try #require(made["plan"]?.string)
            func check() async throws -> JSONValue {
                let result = try await till.sandbox.clover("charge", "show", id, "--check", "--json")
                return try #require(try JSONValue(result.outputText)["service"], "\(result)")
            }
            let first = try await check()
            #expect(first["found"] == .bool(true) && first["agrees"] == .bool(true), "\(first)")
            #expect(first["plan"]?.string == plan, "\(first)")
            expectSuccess(
                try await till.sandbox.clover("plan", "change", plan, "--amount", "27.50", "--currency", "USD"))
            let changed = try await check()
            #expect(changed["agrees"] == .bool(false), "\(changed)")
            #expect(changed["reason"]?.string?.contains("2750") == true, "\(changed)")
        }
    }
}
