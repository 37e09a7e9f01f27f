import CloverFleet
import CloverOutput
import CloverPayments
import CloverSystem
import CloverTestSupport
import Foundation
import ProbeSupport
import Synchronization
import Testing

private typealias Directory = ProbeSupport.TemporaryDirectory

/// What only a journal in PostgreSQL must withstand: lost sessions, lost responses, and a server that is away.
@Suite("The journal of charges in PostgreSQL", .serialized)
struct FleetJournalTests {
    private static func operation(_ id: String = "c_1") -> PaymentOperation {
        PaymentOperation(
            id: id, kind: .charge, rail: .ecommerce, environment: "sandbox", merchantID: "M1", idempotencyKey: id,
            externalID: "E1", amount: Money(minorUnits: 1250, currency: .usDollar),
            request: OperationRequest(path: "/v1/charges", body: "{}"), now: 1000)
    }

    private static func approval(of operation: PaymentOperation) -> Verdict {
        var outcome = OperationOutcome()
        outcome.paymentID = "P1"
        outcome.amount = operation.amount?.minorUnits
        let shown = ObservedPayment(source: .externalID, ending: .approved, externalID: "E1", outcome: outcome)
        return Verdict(on: operation, [.payment(shown)])
    }

    private static func journal(
        _ url: String, _ directory: Directory, outcomePatience: Double = 60,
        onAway: @escaping @Sendable (JournalError) -> Void = { _ in }
    ) -> ChargeJournal {
        ChargeJournal(
            FleetJournal(url, state: StateDirectory(path: directory.path), onAway: onAway),
            outcomePatience: outcomePatience)
    }

    /// Ends sessions of the program that match.
    private static func cut(_ world: FleetWorld, _ condition: String = "true") async throws -> Int {
        try await world.rows(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'clover %' AND \(condition)
            """
        ).count
    }

    private static let hasLock =
        "EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND locktype = 'advisory')"

    struct Disturbance: CustomTestStringConvertible, Sendable {
        let action: String
        let side: String
        var testDescription: String { "\(action) \(side)" }
    }

    @Test(
        "each change takes place once, whatever statement's connection or server is lost, before it or with its response",
        arguments: [
            Disturbance(action: "cut", side: "before"), Disturbance(action: "cut", side: "after"),
            Disturbance(action: "crash", side: "before"), Disturbance(action: "crash", side: "after"),
        ])
    func lostResponses(_ disturbance: Disturbance) async throws {
        let isCrash = disturbance.action == "crash"
        let world = try await FleetWorld(own: isCrash)
        func charge(disturbedAt number: Int) async throws -> Int {
            let relay = try await PostgreSQLRelay(
                to: world.server, at: number, disturbance.side, disturbance.action)
            let place: Comment = "statement \(number)"
            let journal = Self.journal(relay.address(of: world.name), try Directory())
            let operation = Self.operation("c_\(number)")
            async let restart: Void = {
                guard number > 0 else { return }
                try await relay.waitUntilDisturbed()
                if isCrash { try await world.server.crash() }
            }()
            // A repeated change would find the first one, and add nothing.
            let lock = try #require(try await journal.add(operation), place)
            _ = try await journal.advance(operation.id, to: .sent, now: 2000)
            let ended = try await journal.settle(operation.id, Self.approval(of: operation), now: 3000)
            #expect(ended.state == .approved, place)
            withExtendedLifetime(lock) {}
            let count = relay.count
            try await restart
            let states = try await world.rows(
                "SELECT state FROM clover_state.transitions WHERE operation = '\(operation.id)' ORDER BY rowid")
            #expect(states == ["created", "sent", "approved"], place)
            return count
        }
        let count = try await charge(disturbedAt: 0)
        #expect(count > 20)
        // Each crash takes a second.
        for number in stride(from: 1, to: count, by: isCrash ? 4 : 1) { _ = try await charge(disturbedAt: number) }
    }

    @Test("a process that loses only its session keeps its operation, and takes the lock again")
    func lostSession() async throws {
        let world = try await FleetWorld()
        let directory = try Directory()
        let (owner, other) = (Self.journal(world.url, directory), Self.journal(world.url, directory))
        let lock = try await owner.add(Self.operation())
        #expect(try await other.lock("c_1") == nil)
        #expect(try await Self.cut(world, Self.hasLock) > 0)
        #expect(try await other.lock("c_1") == nil)
        #expect(
            try await eventually {
                try await world.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'")
                    .isEmpty == false
            })
        #expect(try await other.lock("c_1") == nil)
        #expect(try await owner.advance("c_1", to: .sent, now: 2000).state == .sent)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "an operation whose process was killed is left alone for a while, and then taken over; one that was given back is not"
    )
    func killed() async throws {
        let world = try await FleetWorld()
        let directory = try Directory()
        let (owner, other) = (Self.journal(world.url, directory), Self.journal(world.url, directory))
        do {
            let lock = try await owner.add(Self.operation())
            withExtendedLifetime(lock) {}
        }
        #expect(try await other.lock("c_1") != nil)
        // As a killed process leaves it.
        _ = try await world.rows("UPDATE clover_state.operations SET owner = 1, alive_at = clock_timestamp()")
        #expect(try await other.lock("c_1") == nil)
        // Old, but the server was not there all the time.
        _ = try await world.rows("UPDATE clover_state.operations SET alive_at = clock_timestamp() - interval '1 h'")
        _ = try await world.rows("UPDATE clover_state.server_start SET at = clock_timestamp()")
        #expect(try await other.lock("c_1") == nil)
        _ = try await world.rows("UPDATE clover_state.server_start SET at = clock_timestamp() - interval '1 h'")
        // The test's server may have been started just now.
        #expect(try await eventually { try await other.lock("c_1") != nil })
    }

    @Test("an operation that another process took over is not sent by the first one, whatever became of it")
    func overtaken() async throws {
        let world = try await FleetWorld()
        let journal = Self.journal(world.url, try Directory())
        let lock = try await journal.add(Self.operation())
        for owner in ["1", "NULL"] {
            _ = try await world.rows("UPDATE clover_state.operations SET owner = \(owner)")
            await #expect(throws: JournalError.overtaken(id: "c_1")) {
                try await journal.advance("c_1", to: .sent, now: 2000)
            }
            #expect(try await journal.operation("c_1")?.state == .created)
        }
        withExtendedLifetime(lock) {}
    }

    @Test("a journal that cannot be reached records nothing, neither in the database nor in a file")
    func away() async throws {
        let directory = try Directory()
        let journal = Self.journal("postgresql:///clover?host=/nonexistent", directory)
        do {
            _ = try await journal.add(Self.operation())
            Issue.record("it was recorded")
        } catch let error as JournalError {
            guard case .away = error else { throw error }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test("an outcome that was seen while the database was away is recorded when it is back")
    func back() async throws {
        let world = try await FleetWorld(own: true)
        let notices = Mutex(0)
        let operation = Self.operation()
        let journal = Self.journal(world.url, try Directory()) { _ in notices.withLock { $0 += 1 } }
        let lock = try await journal.add(operation)
        _ = try await journal.advance("c_1", to: .sent, now: 2000)
        try await world.server.stop()
        async let settled = journal.settle("c_1", Self.approval(of: operation), now: 3000)
        #expect(await eventually { notices.withLock(\.self) == 1 })
        try await world.server.restart()
        #expect(try await settled.state == .approved)
        withExtendedLifetime(lock) {}
    }

    @Test("an outcome that could not be recorded is kept on the machine, in private, until the journal has it")
    func kept() async throws {
        let world = try await FleetWorld(own: true)
        let operation = Self.operation()
        let directory = try Directory()
        let journal = Self.journal(world.url, directory, outcomePatience: 0.1)
        var lock = try await journal.add(operation)
        _ = try await journal.advance("c_1", to: .sent, now: 2000)
        try await world.server.stop()
        await #expect(throws: JournalError.self) {
            try await journal.settle("c_1", Self.approval(of: operation), now: 3000)
        }
        lock = nil
        let path = directory.path("unrecorded-c_1.json")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await world.server.restart()
        let next = Self.journal(world.url, directory)
        #expect(try await next.operation("c_1")?.state == .sent)
        #expect(try await next.settleKept("c_1", now: 4000)?.outcome.paymentID == "P1")
        #expect(try await next.operation("c_1")?.state == .approved)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await next.settleKept("c_1", now: 5000) == nil)
        _ = lock
    }

    @Test(
        "an outcome that was kept is forgotten when the journal has it, and recorded if a person entered another one",
        arguments: [false, true])
    func keptTooLong(_ isByHand: Bool) async throws {
        let world = try await FleetWorld(own: true)
        let operation = Self.operation()
        let directory = try Directory()
        let journal = Self.journal(world.url, directory, outcomePatience: 0.1)
        var lock = try await journal.add(operation)
        _ = try await journal.advance("c_1", to: .sent, now: 2000)
        try await world.server.stop()
        await #expect(throws: JournalError.self) {
            try await journal.settle("c_1", Self.approval(of: operation), now: 3000)
        }
        lock = nil
        try await world.server.restart()
        let other = Self.journal(world.url, try Directory())
        if isByHand {
            _ = try await other.settleByHand("c_1", isDone: false, by: "Ann", payment: nil, now: 3500)
        } else {
            _ = try await other.settle("c_1", Self.approval(of: operation), now: 3500)
        }
        let next = Self.journal(world.url, directory)
        #expect(try await next.keptOutcomes() == ["c_1"])
        let settled = try #require(try await next.settleKept("c_1", now: 4000))
        #expect(settled.state == .approved && settled.outcome.paymentID == "P1")
        #expect((settled.outcome.contradiction != nil) == isByHand)
        #expect(try await next.keptOutcomes() == [])
        _ = lock
    }

    @Test("two processes with one key: one records it, and many at once give rows in the order of their numbers")
    func races() async throws {
        let world = try await FleetWorld()
        let directory = try Directory()
        let journals = (0..<8).map { _ in Self.journal(world.url, directory) }
        let locks = try await withThrowingTaskGroup(of: OperationLock?.self) { group in
            for journal in journals { group.addTask { try await journal.add(Self.operation("c_same")) } }
            return try await group.reduce(into: [OperationLock?]()) { $0.append($1) }
        }
        #expect(locks.count { $0 != nil } == 1)
        #expect(try await world.rows("SELECT count(*) FROM clover_state.operations") == ["1"])
    }

    @Test("charges of version 2 stay in files; migration adds the journal, once")
    func migrates() async throws {
        let world = try await FleetWorld(isEmpty: true)
        _ = try FleetMigration(world.url).migrate(creates: true, to: 2)
        let journal = Self.journal(world.url, try Directory())
        await #expect(throws: JournalError.self) { try await journal.charges(limit: 1) }
        #expect(try FleetMigration(world.url).migrate(creates: false) == (2, FleetSchema.version))
        #expect(try FleetMigration(world.url).migrate(creates: false) == (FleetSchema.version, FleetSchema.version))
        #expect(try FleetMigration(world.url).check().charges == 0)
    }

    @Test("text that PostgreSQL cannot store reads back as written, and is found")
    func unstorableText() async throws {
        let world = try await FleetWorld()
        let journal = Self.journal(world.url, try Directory())
        let texts = ["a\0b", "\u{10FFFF}", "\u{10FFFF}0", #"a\u0000b"#, "\\\0", #"\\u0000"#]
        let handOffs = texts.map { HandOff(state: $0, place: "x://", body: $0, location: "L") }
        _ = try await journal.add(handOffs, now: 1000)
        let rows = try await journal.charges(limit: 10)
        #expect(rows.map(\.externalID) == texts.reversed())
        #expect(rows.map(\.request.body) == texts.reversed())
        for text in texts {
            var outcome = OperationOutcome(reason: text)
            outcome.paymentID = text
            let response = HandOffResponse(state: text, ending: .approved, outcome: outcome)
            guard case .settles = try await journal.settle(by: response, detail: text, now: 2000) else {
                Issue.record("\(text.debugDescription) settles nothing")
                continue
            }
            let found = try #require(try await journal.handOff(paidBy: response))
            #expect(found.outcome == outcome && found.externalID == text)
            #expect(try await journal.transitions(of: found.id).last?.detail == text)
        }
        #expect(try await journal.unsettled() == [])
    }

    @Test("the age of an operation counts by the server's clock, whatever the machine's shows")
    func age() async throws {
        let world = try await FleetWorld()
        let directory = try Directory()
        let lock = try await Self.journal(world.url, directory).add(Self.operation())
        _ = try await world.rows(
            "UPDATE clover_state.operations SET recorded_at = clock_timestamp() - interval '2 h'")
        let age = try FleetJournal(world.url, state: StateDirectory(path: directory.path)).age(ofPlace: 1)
        #expect(try #require(age) >= 7_200_000)
        withExtendedLifetime(lock) {}
    }
}
