import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// What is read after a change of a plan or a subscription decides what is known of it.
@Suite("plan and subscription: changes")
struct RecurringChangeTests {
    private typealias Evidence = RecurringEvidenceTests

    private static func refusal(_ status: String, _ words: String) -> LoopbackResponse {
        LoopbackResponse(
            status: status, #"{"message":"\#(status)","error":{"code":"invalid_request","message":"\#(words)"}}"#)
    }

    @Test("a change after which the subscription shows something otherwise than it was sent is unknown, and names it")
    func changedOtherwise() async throws {
        let before = #","active":true,"endDate":"2027-01-01T00:00:00.000Z""#
        for (option, more, words) in [
            (["--amount", "20.00", "--currency", "USD"], #","active":true,"endDate":null"#, "no endDate in place of"),
            (
                ["--end", "2027-12-31"], #","active":true,"endDate":"2027-12-31T00:00:00.000Z""#,
                "amount 2000 in place of amount 2500"
            ),
        ] {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                if request.method == "PUT" {
                    isSent.withLock { $0 = true }
                    return Evidence.dated("{}")
                }
                let row = isSent.withLock(\.self) ? more : before
                let amount = isSent.withLock(\.self) ? "2000" : "2500"
                return Evidence.dated(
                    Evidence.subscription(row).replacing("\"amount\":2500", with: "\"amount\":\(amount)"))
            }) { sandbox, _ in
                let result = try await sandbox.clover(["subscription", "change", "S1"] + option)
                expectFailure(result, status: 80, saying: words)
            }
        }
    }

    @Test(
        "a change after which something else of the subscription is otherwise than before is unknown, and names it",
        arguments: [
            (#""plan":{"id":"P1""#, #""plan":{"id":"P9""#, "plan P9 in place of plan P1"),
            (#""customerUuid":"K1""#, #""customerUuid":"K9""#, "customer K9 in place of customer K1"),
            (#""active":true"#, #""active":false"#, "active false in place of active true"),
            (#""active":true"#, #""active":true,"tipAmount":500"#, "tipAmount 500, which it did not have"),
            (#""amount":2500,"plan""#, #""plan""#, "no amount in place of amount 2500"),
            (#""active":true"#, #""active":true,"note":"gift","lastRunDate":"2026-11-28T00:00:00.000Z""#, nil),
            (#""customerUuid":"K1""#, #""customerUuid":null"#, "no customer in place of customer K1"),
            (#""customerUuid":"K1""#, #""customerUuid":null,"customerId":"K1""#, "no customer in place of customer K1"),
            (
                #""customerUuid":"K1""#, #""customerUuid":"K1","customer":{"id":"K9"}"#,
                "customer K9 in place of customer K1"
            ),
            (#""customerUuid":"K1""#, #""customerUuid":"K1","customer":{"id":"K1"}"#, nil),
            (#""active":true"#, #""active":true,"currency":"EUR""#, #"currency "EUR", which it did not have"#),
            (
                #""active":true"#, #""active":true,"taxRateUuids":["T1"]"#,
                #"taxRateUuids ["T1"], which it did not have"#
            ),
            (#""active":true"#, #""active":true,"taxRateUuids":[],"trialDays":0,"tipAmount":0"#, nil),
        ] as [(String, String, String?)])
    func changedBesides(_ part: String, _ other: String, _ words: String?) async throws {
        let isSent = Mutex(false)
        try await Evidence.serve({ request in
            if request.method == "PUT" {
                isSent.withLock { $0 = true }
                return Evidence.dated("{}")
            }
            let row = Evidence.subscription(#","active":true"#)
            guard isSent.withLock(\.self) else { return Evidence.dated(row) }
            let changed = row.replacing(part, with: other)
            return Evidence.dated(String(changed.dropLast()) + #","endDate":"2027-12-31T00:00:00.000Z"}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover("subscription", "change", "S1", "--end", "2027-12-31")
            if let words {
                expectFailure(result, status: 80, saying: words)
            } else {
                expectSuccess(result)
            }
        }
    }

    @Test("a change of a subscription that is not active, or to a day that is past, is made with a warning")
    func changedInactive() async throws {
        for (end, isActive, words) in [
            ("2030-12-31", "false", "is shown as not active"), ("2020-12-31", "false", "--end 2020-12-31 is past"),
            ("2030-12-31", "true", ""),
        ] {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                if request.method == "PUT" { isSent.withLock { $0 = true } }
                let end = isSent.withLock(\.self) ? #","endDate":"\#(end)T00:00:00.000Z""# : ""
                return Evidence.dated(Evidence.subscription(#","active":\#(isActive)"# + end))
            }) { sandbox, _ in
                let result = try await sandbox.clover("subscription", "change", "S1", "--end", end)
                let isAsMeant = words.isEmpty ? result.errorText.isEmpty : result.errorText.contains(words)
                #expect(result.status == 0 && isAsMeant, "\(result)")
            }
        }
    }

    @Test("a last day before the first one, which only the service knows, is changed with a warning")
    func endBeforeStart() async throws {
        for (start, isEarlier) in [("2028-05-01", true), ("2027-12-31", false)] {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                if request.method == "PUT" { isSent.withLock { $0 = true } }
                let end = isSent.withLock(\.self) ? #","endDate":"2027-12-31T00:00:00.000Z""# : ""
                return Evidence.dated(
                    Evidence.subscription(#","active":true,"startDate":"\#(start)T00:00:00.000Z""# + end))
            }) { sandbox, _ in
                let result = try await sandbox.clover("subscription", "change", "S1", "--end", "2027-12-31")
                #expect(result.status == 0, "\(result)")
                let words = "a first day (2028-05-01) after its last day (2027-12-31)"
                #expect(result.errorText.contains(words) == isEarlier, "\(result)")
            }
        }
    }

    @Test("a subscription to a plan that is not active is made with a warning")
    func inactivePlan() async throws {
        try await Evidence.serve({ request in
            if request.method == "POST" { return Evidence.dated(Evidence.subscription(#","active":true"#)) }
            guard request.path.hasSuffix("/plans/P1") else { return Evidence.dated(#"{"elements":[]}"#) }
            return Evidence.dated(Evidence.plan("P1").replacing(#""active":true"#, with: #""active":false"#))
        }) { sandbox, _ in
            let result = try await sandbox.clover("subscription", "create", "--plan", "P1", "--customer", "K1")
            #expect(result.status == 0, "\(result)")
            #expect(result.errorText.contains("the plan P1 of the subscription is shown as not active"), "\(result)")
        }
    }

    @Test("after a refusal, too, only what is read counts")
    func refusedAndRead() async throws {
        let forbidden = LoopbackResponse(status: "403 Forbidden", #"{"message":"Forbidden"}"#)
        let (gone, bad) = (Self.refusal("404 Not Found", "none"), Self.refusal("400 Bad Request", "bad"))
        func shown(_ more: String) -> LoopbackResponse { Evidence.dated(Evidence.subscription(more)) }
        let (active, ended) = (shown(#","active":true"#), shown(#","active":false"#))
        let changed = Evidence.dated(Evidence.subscription(#","active":true"#).replacing("2500", with: "2000"))
        let cancel = ["cancel", "S1"]
        let change = ["change", "S1", "--amount", "20.00", "--currency", "USD"]
        let cases: [(command: [String], LoopbackResponse, after: LoopbackResponse, Int32, words: String)] = [
            (cancel, gone, active, 80, "and shows it as active"),
            (cancel, gone, gone, 66, "there is no subscription S1"),
            (cancel, gone, ended, 66, "there is no active subscription S1"),
            (cancel, gone, forbidden, 66, "the service answered 404: none"),
            (cancel, bad, active, 64, "was not cancelled: bad"), (cancel, bad, ended, 80, "does not show it as active"),
            (cancel, bad, forbidden, 64, "the service answered 400: bad"),
            (change, bad, changed, 80, "the change is shown nevertheless"),
            (change, bad, active, 64, "was not changed: bad"),
            (change, bad, forbidden, 64, "the service answered 400: bad"),
            (cancel, Evidence.dated("{}"), Evidence.dated(#"{"id":"S1"}"#), 80, "does not show whether it is active"),
        ]
        for (command, answer, after, status, words) in cases {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                guard request.method == "GET" else {
                    isSent.withLock { $0 = true }
                    return answer
                }
                return isSent.withLock(\.self) ? after : active
            }) { sandbox, _ in
                expectFailure(try await sandbox.clover(["subscription"] + command), status: status, saying: words)
            }
        }
    }

    @Test("a change of a plan after which its currency, its days of trial or its taxes are others is unknown")
    func changedPlan() async throws {
        let before =
            #","currency":"USD","trialDays":7,"taxRateUuids":["T1","T2"],"note":"gift","tags":["a","b"],"description":"""#
        for (part, other, words) in [
            (#"["T1","T2"]"#, #"["T2","T1"]"#, nil),
            (#"["T1","T2"]"#, #"["T1"]"#, #"taxRateUuids ["T1"] in place of taxRateUuids ["T1","T2"]"#),
            (#"["T1","T2"]"#, "null", "no taxRateUuids in place of"),
            (#""USD""#, #""EUR""#, #"currency "EUR" in place of currency "USD""#),
            (#""trialDays":7"#, #""trialDays":30"#, "trialDays 30 in place of trialDays 7"),
            (#","trialDays":7"#, "", "no trialDays in place of trialDays 7"),
            (#""note":"gift""#, #""note":"sold""#, #"note "sold" in place of note "gift""#),
            (#","note":"gift""#, "", #"no note in place of note "gift""#),
            (#""tags":["a","b"]"#, #""tags":["b","a"]"#, nil), (#""tags":["a","b"]"#, #""tags":["a"]"#, "tags"),
            (#""description":"""#, #""description":null"#, nil),
        ] as [(String, String, String?)] {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                if request.method == "PUT" { isSent.withLock { $0 = true } }
                return Evidence.dated(
                    isSent.withLock(\.self)
                        ? Evidence.plan("P1", amount: 2750, before.replacing(part, with: other))
                        : Evidence.plan("P1", before))
            }) { sandbox, _ in
                let result = try await sandbox.clover("plan", "change", "P1", "--amount", "27.50", "--currency", "USD")
                if let words {
                    expectFailure(result, status: 80, saying: words)
                } else {
                    expectSuccess(result)
                }
            }
        }
    }

    @Test("a change after which the plan of a subscription without its own amount has another one is unknown")
    func changedPlanAmount() async throws {
        for (amount, words) in [
            (#","amount":2500"#, nil), (#","amount":7700"#, "plan amount 7700 in place of plan amount 2500"),
            ("", "no plan amount in place of plan amount 2500"),
        ] as [(String, String?)] {
            let isSent = Mutex(false)
            try await Evidence.serve({ request in
                if request.method == "PUT" { isSent.withLock { $0 = true } }
                let row = Evidence.subscription(#","active":true"#).replacing(
                    #""amount":2500,"plan""#, with: #""plan""#)
                guard isSent.withLock(\.self) else { return Evidence.dated(row) }
                let changed = row.replacing(#","amount":2500"#, with: amount)
                return Evidence.dated(String(changed.dropLast()) + #","endDate":"2027-12-31T00:00:00.000Z"}"#)
            }) { sandbox, _ in
                let result = try await sandbox.clover("subscription", "change", "S1", "--end", "2027-12-31")
                if let words {
                    expectFailure(result, status: 80, saying: words)
                } else {
                    expectSuccess(result)
                }
            }
        }
    }
}
