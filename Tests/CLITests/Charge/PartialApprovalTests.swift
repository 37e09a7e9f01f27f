import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Cards that cover only a part of the amount, and smaller or earlier payments that look like it, at a card service.
@Suite("charge: partial approvals of cards that are not present")
struct PartialApprovalTests {
    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
    private static let charge = [
        "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN", "--quiet",
    ]

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// A card service that takes one payment, X9, and shows it as configured.
    private final class Cards: Sendable {
        /// The members of X9 beside its ID and reference.
        let members: Mutex<String>
        /// The same in the response to the charge, if that shows others.
        let first = Mutex<String?>(nil)
        /// Whether the responses to charges are lost.
        let losesCharges = Mutex(false)
        /// The status of refunds in the responses to them.
        let refundStatus = Mutex("succeeded")
        /// Whether refunds get no response of Clover's.
        let losesRefunds = Mutex(false)
        private let reference = Mutex<String?>(nil)

        init(_ members: String) { self.members = Mutex(members) }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
                reference.withLock { $0 = found.map { String($0.1) } }
                if losesCharges.withLock(\.self) { return .reset }
                return LoopbackResponse(record(first.withLock(\.self)))
            case ("POST", "/v1/refunds"):
                if losesRefunds.withLock(\.self) { return LoopbackResponse(status: "503 Busy", "no") }
                let amount = request.bodyText.firstMatch(of: /"amount":(\d+)/).map { String($0.1) } ?? "0"
                let status = refundStatus.withLock(\.self)
                return LoopbackResponse(
                    #"{"id":"R\#(amount)","amount":\#(amount),"currency":"usd","charge":"X9","status":"\#(status)"}"#)
            case ("POST", "/v1/charges/X9/capture"):
                let amount = request.bodyText.firstMatch(of: /"amount":(\d+)/).map { String($0.1) } ?? "0"
                return LoopbackResponse(
                    #"{"id":"X9","amount":500,"captured":true,"amount_captured":\#(amount),"status":"succeeded"}"#)
            case ("GET", "/v1/charges"):
                let isTaken = reference.withLock { $0 != nil }
                return LoopbackResponse(#"{"has_more":false,"data":[\#(isTaken ? record() : "")]}"#)
            case ("GET", "/v1/charges/X9"): return LoopbackResponse(record())
            default: return PartialApprovalTests.missing
            }
        }

        private func record(_ others: String? = nil) -> String {
            let mark = reference.withLock { $0.map { #","external_reference_id":"\#($0)""# } ?? "" }
            return #"{"id":"X9","status":"succeeded""# + mark + "," + (others ?? members.withLock(\.self)) + "}"
        }
    }

    private static func run(
        _ members: String, _ body: (Sandbox, Cards, LoopbackServer) async throws -> Void
    ) async throws {
        let cards = Cards(members)
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { try await body($0, cards, $1) }
    }

    private static func members(_ amount: Int, captured: Bool = true, made: Int64 = now) -> String {
        #""amount":\#(amount),"currency":"usd","captured":\#(captured),"created":\#(made)"#
    }

    @Test(
        "a part under a key or ID of the user's own stays named after a person recorded the whole, and can be recorded",
        arguments: [["--idempotency-key", "order-1"], ["--external-id", "INV-77"]])
    func chosen(_ way: [String]) async throws {
        try await Self.run(Self.members(500) + #","amount_refunded":0"#) { sandbox, _, server in
            let lost = try await sandbox.clover(Self.charge + way)
            let id = try #require(try lost.events.last?["charge"]?.string)
            let settling = ["charge", "settle", id, "--paid"]
            let named = "clover charge settle \(id) --paid --payment X9"
            expectFailure(lost, status: 80, saying: "its amount is 5.00 USD, but 12.50 USD", named, output: nil)
            expectSuccess(try await sandbox.clover(settling + ["--by", "Anna"]))
            let words = "Anna recorded 12.50 USD as paid; Clover shows the payment X9 with 5.00 USD"
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80, saying: words, named, output: nil)
            expectFailure(
                try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: words, output: nil)
            if way[0] == "--idempotency-key" {
                expectFailure(try await sandbox.clover(Self.charge + way), status: 80, saying: words, output: nil)
            }
            let check = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let view = try #require(try JSONValue(check.outputText)["service"])
            #expect(view["agrees"] == .bool(false) && view["reason"] != nil, "\(view)")
            let settled = try await sandbox.clover(settling + ["--payment", "X9"])
            expectSuccess(settled)
            #expect(try settled.events.last?["amount"] == .integer(500), "\(settled)")
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 79,
                saying: "5.00 USD of 12.50 USD was approved, and taken", output: nil)
            expectSuccess(try await sandbox.clover("charge", "refund", id))
            let refund = try #require(server.requests.last { $0.path == "/v1/refunds" })
            #expect(try JSONValue(refund.bodyText)["amount"] == .integer(500))
        }
    }

    @Test("a person can confirm the whole after a part was found, until another amount is shown")
    func confirmed() async throws {
        try await Self.run(Self.members(500)) { sandbox, cards, _ in
            let lost = try await sandbox.clover(Self.charge + ["--idempotency-key", "order-1"])
            let id = try #require(try lost.events.last?["charge"]?.string)
            let settling = ["charge", "settle", id, "--paid"]
            expectSuccess(try await sandbox.clover(settling + ["--by", "Anna"]))
            // What was not found yet cannot be confirmed.
            #expect(try await sandbox.clover(settling).errorText.contains("nothing was changed"))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80,
                saying: "Anna recorded 12.50 USD as paid",
                "or confirm what is recorded: clover charge settle \(id) --paid", output: nil)
            expectSuccess(try await sandbox.clover(settling + ["--by", "Ben"]))
            for what in [id, "--all"] { expectSuccess(try await sandbox.clover("charge", "recover", what)) }
            cards.members.withLock { $0 = Self.members(400) }
            expectFailure(
                try await sandbox.clover("charge", "recover", "--all"), status: 80,
                saying: "Ben recorded 12.50 USD as paid; Clover shows the payment X9 with 4.00 USD", output: nil)
        }
    }

    @Test("a part under an external ID of the user's own is named although the response was lost")
    func chosenAndLost() async throws {
        try await Self.run(Self.members(500)) { sandbox, cards, _ in
            cards.losesCharges.withLock { $0 = true }
            let lost = try await sandbox.clover(Self.charge + ["--external-id", "INV-77"])
            let id = try #require(try lost.events.last?["charge"]?.string)
            let hint = "clover charge settle \(id) --paid --payment X9"
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80,
                saying: "a payment at Clover may be this one: X9", hint, output: nil)
            for (entry, words) in [
                ("--paid", "recorded 12.50 USD as paid; Clover shows the payment X9 with 5.00 USD"),
                ("--not-paid", "Clover shows the payment X9 with its external ID"),
            ] {
                #expect(try await sandbox.clover("charge", "settle", id, entry).ending == .exited(0))
                for what in [id, "--all"] {
                    expectFailure(
                        try await sandbox.clover("charge", "recover", what), status: 80, saying: words, output: nil)
                }
                let check = try await sandbox.clover("charge", "show", id, "--check", "--json")
                let view = try #require(try JSONValue(check.outputText)["service"])
                #expect(view["found"] == .bool(true) && view["agrees"] == .bool(false), "\(view)")
            }
            // An earlier payment of the same invoice says nothing.
            cards.members.withLock { $0 = Self.members(500, made: Self.now - 3_600_000) }
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test("a part that a person recorded as not paid is named with the command that records it")
    func notPaid() async throws {
        try await Self.run(Self.members(500)) { sandbox, _, _ in
            let lost = try await sandbox.clover(Self.charge + ["--idempotency-key", "order-1"])
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.events.last?["charge"]?.string)
            expectSuccess(try await sandbox.clover("charge", "settle", id, "--not-paid"))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80, saying: "--paid --payment X9",
                output: nil)
            let settled = try await sandbox.clover("charge", "settle", id, "--paid", "--payment", "X9")
            #expect(settled.ending == .exited(0), "\(settled)")
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
        }
    }

    @Test(
        "reconcile is quiet about a part that was accepted, with the charge or by a person", arguments: [false, true])
    func reconciled(byHand: Bool) async throws {
        let cards = Cards(Self.members(500))
        let now = Self.now
        let payment = #"{"id":"X9","order":{"id":"O1"},"amount":500,"createdTime":\#(now),"result":"SUCCESS"}"#
        let order =
            #"{"id":"O1","total":1250,"lineItems":{"elements":[{"id":"L1","price":1250}]},"#
            + #""payments":{"elements":[\#(payment)]}}"#
        try await Sandbox.run(server: { request, _ in
            switch request.path {
            case let path where path.hasPrefix("/v1/"): cards.answer(request)
            case let path where path.hasSuffix("/properties"):
                LoopbackResponse(#"{"timezone":"UTC","defaultCurrency":"USD"}"#)
            case let path where path.hasSuffix("/payments"): .page([payment])
            case let path where path.hasSuffix("/orders"): .page([order])
            default: .page([])
            }
        }) { sandbox, _ in
            let reconcile = ["reconcile", "--period", "yesterday..today", "--zone", "UTC"]
            let before = try await sandbox.clover(reconcile + ["--jq", ".kind", "-r"])
            #expect(before.lines == ["partly_paid"], "\(before)")
            let made = try await sandbox.clover(
                Self.charge + (byHand ? ["--idempotency-key", "order-1"] : ["--accept-partial"]))
            if byHand {
                let id = try #require(try made.events.last?["charge"]?.string)
                for status: Int32 in [80, 0] {
                    expectSuccess(try await sandbox.clover("charge", "settle", id, "--paid"))
                    #expect(try await sandbox.clover("charge", "recover", id).ending == .exited(status))
                }
            }
            expectSuccess(try await sandbox.clover(reconcile))
        }
    }

    struct Hold: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var options: [String] = []
    }

    @Test(
        "a hold of a part is kept, with what became of it, because the Ecommerce API cannot release it",
        arguments: [
            Hold(testDescription: "not accepted"), Hold(testDescription: "accepted", options: ["--accept-partial"]),
        ])
    func hold(_ row: Hold) async throws {
        try await Self.run(Self.members(500, captured: false)) { sandbox, _, server in
            let result = try await sandbox.clover(Self.charge + ["--preauth"] + row.options)
            #expect(try result.eventNames == ["partial"], "\(result)")
            let id = try #require(try result.events.last?["charge"]?.string)
            let held = "5.00 USD of 12.50 USD was approved, and held"
            expectFailure(
                result, status: 79, saying: held, "take it: clover charge capture \(id)", ": 7.50 USD", output: nil)
            #expect(!server.requests.contains { $0.path == "/v1/refunds" })
            let all = try await sandbox.clover("charge", "recover", "--all")
            expectSuccess(all)
            #expect(all.lines.isEmpty, "\(all)")
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 79, saying: held, output: nil)
            expectSuccess(try await sandbox.clover("charge", "capture", id, "--amount", "3.00"))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 79,
                saying: "was approved, and 3.00 USD of it taken", ": 9.50 USD", output: nil)
            expectSuccess(try await sandbox.clover("charge", "refund", id, "--amount", "1.00"))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 79,
                saying: "3.00 USD of it taken; 1.00 USD of it was refunded since", ": 10.50 USD", output: nil)
        }
    }

    @Test("a part that was accepted and refunded since leaves the whole amount to be charged")
    func refunded() async throws {
        try await Self.run(Self.members(500) + #","amount_refunded":0"#) { sandbox, _, _ in
            let result = try await sandbox.clover(Self.charge + ["--accept-partial"])
            expectFailure(result, status: 79, saying: "and taken", ": 7.50 USD", output: nil)
            let id = try #require(try result.events.last?["charge"]?.string)
            expectSuccess(try await sandbox.clover("charge", "refund", id))
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 79,
                saying: "5.00 USD of it was refunded since", ": 12.50 USD", output: nil)
        }
    }

    @Test("a part of which Clover shows a refund without its amount is not given back by itself")
    func refundWithoutAmount() async throws {
        try await Self.run(Self.members(500) + #","refunded":true"#) { sandbox, cards, server in
            cards.first.withLock { $0 = Self.members(500) }
            let result = try await sandbox.clover(Self.charge)
            expectFailure(result, status: 80, saying: "could not be voided", "clover charge refund", output: nil)
            let event = try #require(try result.events.last)
            let id = try #require(event["charge"]?.string)
            #expect(event["event"]?.string == "partial" && event["amount"] == .integer(500), "\(result)")
            let recovery = try await sandbox.clover("charge", "recover", id, "--quiet")
            #expect(recovery.ending == .exited(80), "\(recovery)")
            #expect(try recovery.eventNames == ["partial"], "\(recovery)")
            #expect(!server.requests.contains { $0.path == "/v1/refunds" })
        }
    }

    @Test("a part that an earlier run gave back is reported as that by a later one, too")
    func givenBackBefore() async throws {
        try await Self.run(Self.members(500)) { sandbox, _, server in
            let made = try await sandbox.clover(Self.charge)
            let id = try #require(try made.events.last?["charge"]?.string)
            for result in [made, try await sandbox.clover("charge", "recover", id, "--quiet")] {
                expectFailure(result, status: 81, saying: "that was voided, and nothing is charged", output: nil)
                #expect(try result.eventNames == ["refunded"], "\(result)")
            }
            // Nothing is left that a person could accept.
            expectFailure(
                try await sandbox.clover("charge", "settle", id, "--paid"), status: 64,
                saying: "\(id) is refunded in full already")
            #expect(server.requests.count { $0.path == "/v1/refunds" } == 1)
        }
    }

    @Test("a part whose refund is pending is not called given back")
    func refundPending() async throws {
        try await Self.run(Self.members(500)) { sandbox, cards, _ in
            cards.refundStatus.withLock { $0 = "pending" }
            let result = try await sandbox.clover(Self.charge)
            let refund = try #require(try result.events.last?["operation"]?.string)
            let id = try #require(try result.events.last?["charge"]?.string)
            for result in [result, try await sandbox.clover("charge", "recover", id)] {
                expectFailure(
                    result, status: 80, saying: "it is uncertain whether this was voided",
                    "clover charge recover \(refund)", output: nil)
            }
        }
    }

    @Test("a part whose refund has no response is named once, with the commands that settle the refund")
    func refundLost() async throws {
        try await Self.run(Self.members(500)) { sandbox, cards, server in
            cards.losesRefunds.withLock { $0 = true }
            let result = try await sandbox.clover(Self.charge)
            let refund = try #require(try result.events.last?["operation"]?.string)
            let id = try #require(try result.events.last?["charge"]?.string)
            let hints = ["clover charge recover \(refund)", "clover charge settle \(refund) --paid, or --not-paid"]
            func expectHints(_ result: CommandResult, _ status: Int32) {
                expectFailure(result, status: status, saying: hints[0], hints[1], output: nil)
            }
            expectHints(result, 80)
            // It would be given back nevertheless.
            expectHints(try await sandbox.clover("charge", "settle", id, "--paid"), 64)
            // A part of it was given back in the dashboard.
            cards.members.withLock { $0 += #","amount_refunded":200"# }
            let all = try await sandbox.clover("charge", "recover", "--all")
            expectFailure(all, status: 80, saying: "1 is still unknown", output: nil)
            #expect(try all.events.count { $0["operation"]?.string == refund } == 1, "\(all)")
            #expect(all.outputText.contains("the charge shows 2.00 USD refunded, and 0.00 USD is known"), "\(all)")
            expectHints(try await sandbox.clover("charge", "recover", id), 80)
            expectHints(try await sandbox.clover("charge", "refund", id), 64)
            expectSuccess(try await sandbox.clover("charge", "settle", refund, "--not-paid"))
            // The next one is the person's.
            let sent = server.requests.count { $0.method == "POST" && $0.path == "/v1/refunds" }
            expectFailure(
                try await sandbox.clover("charge", "recover", "--all"), status: 80, saying: "1 is still unknown",
                output: nil)
            expectFailure(
                try await sandbox.clover("charge", "recover", id), status: 80, saying: "clover charge refund \(id)",
                output: nil)
            #expect(server.requests.count { $0.method == "POST" && $0.path == "/v1/refunds" } == sent)
        }
    }

    @Test("a part whose refund was recorded by hand, and that Clover shows as not refunded, is not called given back")
    func refundNotDone() async throws {
        try await Self.run(Self.members(500) + #","amount_refunded":0"#) { sandbox, cards, _ in
            cards.losesRefunds.withLock { $0 = true }
            let result = try await sandbox.clover(Self.charge)
            let refund = try #require(try result.events.last?["operation"]?.string)
            let id = try #require(try result.events.last?["charge"]?.string)
            #expect(try await sandbox.clover("charge", "settle", refund, "--paid").ending == .exited(0))
            let words = "Clover shows 0.00 USD refunded, the journal has 5.00 USD refunded"
            for what in [id, refund, "--all"] {
                let result = try await sandbox.clover("charge", "recover", what)
                expectFailure(result, status: 80, saying: words, output: nil)
                #expect(!result.errorText.contains("nothing is charged"), "\(result)")
            }
        }
    }

    struct Time: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: String
        var record: String?
        var words: String?
    }

    private static let timeless = #""amount":1250,"currency":"usd","captured":true"#

    @Test(
        "under an ID of the user's own, an approval proves itself by its time, by this machine's clock if there is no other",
        arguments: [
            Time(testDescription: "now", first: timeless + #","created":NOW"#),
            Time(
                testDescription: "earlier", first: timeless + #","created":EARLIER"#,
                words: "it was made before the request"),
            Time(testDescription: "no time", first: timeless, words: "the service does not show when it was made"),
            Time(
                testDescription: "time as text", first: timeless + #","created":"today""#,
                words: "the service does not show when it was made"),
            Time(
                testDescription: "no time, but its record has it", first: timeless,
                record: timeless + #","created":NOW"#),
        ])
    func time(_ row: Time) async throws {
        func filled(_ members: String) -> String {
            members.replacing("NOW", with: "\(Self.now)").replacing("EARLIER", with: "\(Self.now - 1_200_000)")
        }
        try await Self.run(filled(row.record ?? row.first)) { sandbox, cards, _ in
            let first = filled(row.first)
            cards.first.withLock { $0 = first }
            let result = try await sandbox.clover(Self.charge + ["--external-id", "INV-77"])
            guard let words = row.words else { return expectSuccess(result) }
            expectFailure(result, status: 80, saying: words, "X9", output: nil)
        }
    }

    struct Shown: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The members of the record.
        let members: String
        var captures = false
        var refunds = false
        var agrees: Bool?
        var words: String?
        var unchecked: [String]?
    }

    @Test(
        "a check agrees only with what Clover shows",
        arguments: [
            Shown(
                testDescription: "a hold", members: members(1250, captured: false), agrees: true,
                unchecked: ["refunded"]),
            Shown(
                testDescription: "no captured", members: #""amount":1250,"currency":"usd""#,
                words: "Clover does not show how much of it is captured"),
            Shown(
                testDescription: "no captured amount", members: members(1250), captures: true,
                words: "Clover does not show how much of it is captured"),
            Shown(
                testDescription: "no refunded amount", members: members(1250) + #","amount_captured":400"#,
                captures: true, refunds: true, words: "Clover does not show how much of it is refunded"),
            Shown(
                testDescription: "all of it",
                members: members(1250) + #","amount_captured":400,"amount_refunded":300,"refunded":true"#,
                captures: true, refunds: true, agrees: true),
            Shown(
                testDescription: "no currency", members: #""amount":1250,"captured":false"#,
                words: "Clover does not show its currency"),
            Shown(
                testDescription: "a refund without its amount",
                members: members(1250, captured: false) + #","refunded":true,"amount_refunded":null"#,
                agrees: false, words: "Clover shows a refund without its amount, the journal has 0.00 USD refunded"),
            Shown(
                testDescription: "an amount as text",
                members: #""amount":"1250","currency":"usd","captured":false"#, agrees: false,
                words: "Clover shows an amount that is 0 or cannot be read"),
            Shown(
                testDescription: "not paid", members: members(1250, captured: false) + #","paid":false"#,
                agrees: false, words: "the payment is 'succeeded, but not paid' at Clover"),
        ])
    func check(_ row: Shown) async throws {
        try await Self.run(Self.members(1250, captured: false)) { sandbox, cards, _ in
            let charge = try await sandbox.clover(Self.charge + ["--preauth"])
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            if row.captures { expectSuccess(try await sandbox.clover("charge", "capture", id, "--amount", "4.00")) }
            if row.refunds { expectSuccess(try await sandbox.clover("charge", "refund", id, "--amount", "3.00")) }
            cards.members.withLock { $0 = row.members }
            let result = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let view = try #require(try JSONValue(result.outputText)["service"])
            #expect(view["agrees"] == row.agrees.map { JSONValue.bool($0) }, "\(result)")
            #expect(view["amount"] != .integer(0), "\(result)")
            if let words = row.words { #expect(view["reason"]?.string?.hasPrefix(words) == true, "\(result)") }
            guard row.agrees == true else { return }
            #expect(view["unchecked"]?.elements?.compactMap(\.string) == row.unchecked, "\(result)")
        }
    }

    @Test("a check of a sale names what Clover does not show, and so was not compared")
    func unchecked() async throws {
        try await Self.run(Self.members(1250)) { sandbox, _, _ in
            let charge = try await sandbox.clover(Self.charge)
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let result = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let view = try #require(try JSONValue(result.outputText)["service"])
            #expect(view["agrees"] == .bool(true), "\(result)")
            #expect(view["unchecked"]?.elements?.compactMap(\.string) == ["captured", "refunded"], "\(result)")
            let text = try await sandbox.cloverOnTerminal("charge", "show", id, "--check")
            let line = text.terminalText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(line.contains("matches the journal; not shown, so not compared: captured, refunded"), "\(text)")
        }
    }
}
