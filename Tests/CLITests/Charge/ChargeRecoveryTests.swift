import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: recovery")
struct ChargeRecoveryTests {
    /// Closes the connection on a charge, and responds to the list of charges as configured.
    private final class LosingService: Sendable {
        enum Mood { case down, empty, charged }
        let mood = Mutex(Mood.down)
        private let reference = Mutex("")

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            switch (request.method, request.path) {
            case ("GET", "/pakms/apikey"): return LoopbackResponse(#"{"apiAccessKey":"key"}"#)
            case ("POST", "/v1/tokens"): return LoopbackResponse(#"{"id":"clv_1TOKEN"}"#)
            case ("POST", "/v1/charges"):
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/).map { String($0.1) }
                reference.withLock { $0 = found ?? "" }
                return .reset
            default:
                let id = reference.withLock(\.self)
                return switch mood.withLock(\.self) {
                case .down: LoopbackResponse(status: "503 Service Unavailable", "{}")
                case .empty: LoopbackResponse(#"{"object":"list","has_more":false,"data":[]}"#)
                case .charged:
                    LoopbackResponse(
                        #"{"object":"list","has_more":false,"data":[{"id":"PAYMENT1","amount":1250,"currency":"usd","created":1,"status":"succeeded","external_reference_id":"\#(id)"}]}"#
                    )
                }
            }
        }
    }

    private static func withUnknownCharge(
        _ mood: LosingService.Mood = .down,
        _ body: (Sandbox, LosingService, LoopbackServer, _ id: String) async throws -> Void
    ) async throws {
        let service = LosingService()
        service.mood.withLock { $0 = mood }
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, server in
            let result = try await sandbox.clover(
                arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"],
                input: ChargeFixture.card())
            expectFailure(
                result, status: 80, saying: "outcome unknown", "the money may have moved; do not charge it again",
                output: nil)
            // Not again while the records cannot be read.
            #expect(
                try result.eventNames == ["created", "sent"] + (mood == .empty ? ["sent"] : []) + ["unknown"])
            let id = try #require(try result.events.last?["charge"]?.string)
            #expect(result.errorText.contains("clover charge recover \(id)"))
            try await body(sandbox, service, server, id)
        }
    }

    @Test("after a lost response it is sent again once, under the same key and with the same bytes; then it is 80")
    func unknown() async throws {
        try await Self.withUnknownCharge(.empty) { _, _, server, _ in
            let sent = server.requests.filter { $0.method == "POST" && $0.path == "/v1/charges" }
            try #require(sent.count == 2)
            #expect(Set(sent.map { $0.header("Idempotency-Key") }).count == 1)
            #expect(sent[0].body == sent[1].body)
        }
    }

    @Test("what the list shows is settled, by nothing but reading")
    func settledByList() async throws {
        try await Self.withUnknownCharge { sandbox, service, server, id in
            service.mood.withLock { $0 = .charged }
            let before = server.requests.count
            let result = try await sandbox.clover("charge", "recover", "--all")
            expectSuccess(result)
            #expect(try result.events.last?["payment"] == .string("PAYMENT1"))
            #expect(server.requests.dropFirst(before).allSatisfy { $0.method == "GET" })
            // It is settled: nothing is left to do.
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            let again = try await sandbox.clover("charge", "recover", id)
            expectSuccess(again)
            #expect(try again.eventNames == ["approved"])
        }
    }

    @Test("that the service does not have it proves nothing, however long ago it was sent")
    func absent() async throws {
        try await Self.withUnknownCharge { sandbox, service, server, id in
            let down = try await sandbox.clover("charge", "recover", "--all")
            expectFailure(down, status: 80, saying: "1 is still unknown", output: nil)
            #expect(try down.events.last?["reason"] == .string("the service answered 503"))
            service.mood.withLock { $0 = .empty }
            let clock = try await WallClock(in: try TemporaryDirectory())
            for ahead: Int64 in [0, 11 * 60, 30 * 86400] {
                try clock.set(ahead)
                let sandbox = sandbox.with(clock.variables)
                let result = try await sandbox.clover("charge", "recover", id, "--settle-after", "1ms")
                expectFailure(result, status: 80, saying: "Clover does not show it, which proves nothing", output: nil)
                #expect(try result.eventNames == ["unknown"])
            }
            service.mood.withLock { $0 = .charged }
            expectSuccess(try await sandbox.clover("charge", "recover", id))
            #expect(server.requests.filter { $0.method == "POST" && $0.path == "/v1/charges" }.count == 1)
        }
    }

    @Test("a charge that is under way is left to who does it")
    func underWay() async throws {
        try await ChargeFixture.run(emulator: ["--card-time", "8s"], weight: 0) { till in
            let device = try await till.device()
            // The first charge of a journal has a row like no other.
            expectSuccess(try await till.charge())
            let command = try till.sandbox.start(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device)
            try await command.waitForOutput("sent") { String(decoding: $0, as: UTF8.self).contains("\"sent\"") }
            let recovery = try await till.sandbox.clover("charge", "recover", "--all")
            expectFailure(recovery, status: 75, saying: "other processes still work on 1 operation", output: nil)
            #expect(try recovery.eventNames == ["skipped"])
            expectSuccess(try await command.result())
            try await till.expectAgreement()
        }
    }

    @Test("two who recover at once settle a killed charge once")
    func twoAtOnce() async throws {
        try await ChargeFixture.run(emulator: ["--authorization-time", "1s"], weight: 2) { till in
            let device = try await till.device()
            let command = try till.sandbox.start(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device)
            try await command.waitForOutput("sent") { String(decoding: $0, as: UTF8.self).contains("\"sent\"") }
            try await till.waitUntilUnderWay()
            command.send(9)
            _ = try await command.result()
            try await till.waitUntilIdle()
            try await till.waitUntilTaken()
            let first = try till.sandbox.start("charge", "recover", "--all")
            let second = try till.sandbox.start("charge", "recover", "--all")
            for result in [try await first.result(), try await second.result()] {
                let isSkipped = try result.eventNames == ["skipped"]
                #expect(result.ending == .exited(isSkipped ? 75 : 0), "\(result)")
                #expect(try result.eventNames.allSatisfy { ["approved", "skipped"].contains($0) })
            }
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("a journal of a newer version is refused with 78, kept, and nothing is charged")
    func newerJournal() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge())
            let path = till.sandbox.directory["state/journal.sqlite"]
            // The user version stands at offset 60, big-endian (SQLite: database file format, section 1.3).
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: 60)
            try file.write(contentsOf: [0, 0, 0, 99])
            try file.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for arguments in [["charge", "list"], ["charge", "recover", "--all"]] {
                let result = try await till.sandbox.clover(arguments)
                expectFailure(result, status: 78, saying: "has version 99", "update clover")
            }
            expectFailure(try await till.charge(), status: 78, saying: "has version 99")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(try await till.taken().count == 1)
        }
    }

    @Test("a device without room for the journal's changes stops the charge before it is sent")
    func noRoom() async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge())
            // No file may grow beyond a kilobyte: the rollback journal cannot be written.
            let result = try await till.sandbox.shell(
                """
                trap '' XFSZ; ulimit -f 1
                echo '{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}' |
                clover charge --amount 12.50 --currency USD --card -
                """)
            #expect([73, 74].contains(result.status), "\(result)")
            #expect(try await till.taken().count == 1)
            #expect(try await till.journal().count == 1)
        }
    }
}
