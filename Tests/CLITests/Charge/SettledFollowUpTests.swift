import CloverTestSupport
import Synchronization
import Testing

/// Follow-ups whose request was lost, and that a person recorded as carried out.
@Suite("charge: follow-ups settled by hand as done")
struct SettledFollowUpTests {
    /// A card service that takes charges, and loses what is done with them.
    private final class Cards: Sendable {
        /// The members of X9 beside its ID.
        let members: Mutex<String>

        init(_ members: String) { self.members = Mutex(members) }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            let shown = members.withLock { $0 }
            func record(_ id: String, _ members: String) -> LoopbackResponse {
                LoopbackResponse(#"{"id":"\#(id)","status":"succeeded","currency":"usd",\#(members)}"#)
            }
            let taken = SettledFollowUpTests.members(captured: 2000, refunded: 0)
            // A past charge has its key as its ID.
            let key = request.header("Idempotency-Key") ?? ""
            let name = request.path.split(separator: "/").last.map { String($0) } ?? ""
            switch (request.method, request.path) {
            case ("POST", "/v1/charges") where key.hasPrefix("PAST"): return record(key, taken)
            case ("GET", "/v1/charges/\(name)") where name.hasPrefix("PAST"): return record(name, taken)
            case ("POST", "/v1/charges"), ("GET", "/v1/charges/X9"): return record("X9", shown)
            // Whether a key was charged before is looked up there.
            case ("GET", "/v1/charges"): return LoopbackResponse(#"{"has_more":false,"data":[]}"#)
            case ("POST", _): return .reset
            default: return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var type: [String] = []
        let command: [String]
        let before: String
        let after: String
        let words: String
    }

    private static func members(captured: Int, refunded: Int) -> String {
        #""amount":2000,"captured":\#(captured > 0),"amount_captured":\#(captured),"amount_refunded":\#(refunded)"#
    }

    static let rows = [
        Row(
            testDescription: "a capture", type: ["--preauth"], command: ["capture"],
            before: members(captured: 0, refunded: 0), after: members(captured: 2000, refunded: 0),
            words: "Clover shows 0.00 USD captured, the journal has 20.00 USD captured"),
        Row(
            testDescription: "a refund", command: ["refund", "--amount", "8.00"],
            before: members(captured: 2000, refunded: 0), after: members(captured: 2000, refunded: 800),
            words: "Clover shows 0.00 USD refunded, the journal has 8.00 USD refunded"),
    ]

    private static func charging(_ key: String) -> [String] {
        [
            "charge", "--amount", "20.00", "--currency", "USD", "--source", "clv_1TOKEN", "--quiet",
            "--idempotency-key", key,
        ]
    }

    /// Charges before, a random number of them: as they were approved, or with a refund whose request was lost, and that a person
    /// recorded as not carried out, or as done, and confirmed.
    private static func makePast(in sandbox: Sandbox) async throws {
        for number in 0..<Int.random(in: 0...3) {
            let charged = try await sandbox.clover(charging("PAST\(number)"))
            #expect(charged.ending == .exited(0), "\(charged)")
            guard let entry = [nil, "--not-paid", "--paid"].randomElement() ?? nil else { continue }
            let id = try #require(try charged.events.last?["charge"]?.string)
            let lost = try await sandbox.clover("charge", "refund", id, "--amount", "1.00", "--quiet")
            #expect(lost.ending == .exited(80), "\(lost)")
            let refund = try #require(try lost.events.last?["operation"]?.string)
            #expect(try await sandbox.clover("charge", "settle", refund, entry).ending == .exited(0))
            guard entry == "--paid" else { continue }
            #expect(try await sandbox.clover("charge", "recover", refund).ending == .exited(80))
            #expect(try await sandbox.clover("charge", "settle", refund, entry).ending == .exited(0))
        }
    }

    /// Runs `body` with the commands that ask about the follow-up, its charge and all, and both again under their keys.
    private static func run(
        _ row: Row, _ body: (Sandbox, Cards, _ followUp: String, _ asking: [[String]]) async throws -> Void
    ) async throws {
        let cards = Cards(row.before)
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { sandbox, _ in
            try await makePast(in: sandbox)
            let charging = Self.charging("c-1") + row.type
            let id = try #require(try await sandbox.clover(charging).events.last?["charge"]?.string)
            let following =
                ["charge", row.command[0], id] + row.command.dropFirst() + ["--idempotency-key", "f-1", "--quiet"]
            let lost = try await sandbox.clover(following)
            #expect(lost.ending == .exited(80), "\(lost)")
            let followUp = try #require(try lost.events.last?["operation"]?.string)
            #expect(try await sandbox.clover("charge", "settle", followUp, "--paid").ending == .exited(0))
            let recovering = [followUp, id, "--all"].map { ["charge", "recover", $0] }
            try await body(sandbox, cards, followUp, recovering + [following, charging])
        }
    }

    @Test("what Clover shows as not done is named each time until a person confirms it", arguments: rows)
    func confirmed(_ row: Row) async throws {
        try await Self.run(row) { sandbox, _, followUp, asking in
            for arguments in asking + asking {
                let result = try await sandbox.clover(arguments)
                expectFailure(result, status: 80, saying: row.words, output: nil)
                #expect(result.errorText.contains(followUp), "\(result)")
            }
            #expect(try await sandbox.clover("charge", "settle", followUp, "--paid").ending == .exited(0))
            for arguments in asking {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
            }
        }
    }

    @Test("what Clover shows later as it was recorded contradicts nothing any more", arguments: rows)
    func late(_ row: Row) async throws {
        try await Self.run(row) { sandbox, cards, _, asking in
            for arguments in asking {
                expectFailure(try await sandbox.clover(arguments), status: 80, saying: row.words, output: nil)
            }
            cards.members.withLock { $0 = row.after }
            for arguments in asking {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
            }
        }
    }

    @Test("a record without its amounts contradicts nothing", arguments: rows)
    func unshown(_ row: Row) async throws {
        try await Self.run(row) { sandbox, cards, _, asking in
            cards.members.withLock { $0 = #""amount":2000"# }
            for arguments in asking {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
            }
        }
    }
}
