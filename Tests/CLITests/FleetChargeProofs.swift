import BusTestSupport
import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Many machines charge with one journal, while they, their sessions and the server are killed.
@Suite("proofs: many machines, one journal of charges", .serialized)
struct FleetChargeProofs {
    /// How the runs of one key ended.
    private struct Ended: Sendable {
        let key: String
        let results: [CommandResult]
        let wasKilled: Bool
    }

    @Test("nothing is charged twice, and journal and service agree row by row, whatever is killed, cut or restarted")
    func disturbed() async throws {
        let machines = 8
        let each = Scale.pick(4, full: 63)
        try await ChargeFixture.run(
            on: PostgreSQLServer(), emulator: ["--no-limits", "--authorization-time", "60ms"], weight: 4,
            limit: .seconds(600)
        ) { given, database in
            let first = given.sandbox
            let tills = [first] + (1..<machines).map { first.withState("machine-\($0)") }
            let past = try await Self.makePast(on: tills, database)
            let isOver = Mutex(false)
            async let disturbances = Self.disturb(database, pause: Scale.pick(2.0, full: 8)) { isOver.withLock(\.self) }
            let ended = try await withThrowingTaskGroup(of: [Ended].self) { group in
                for machine in 0..<machines {
                    group.addTask {
                        var ended: [Ended] = []
                        for turn in 0..<each {
                            ended.append(try await Self.charge(machine, turn, on: tills))
                        }
                        return ended
                    }
                }
                return try await group.reduce(into: [Ended]()) { $0 += $1 }
            }
            isOver.withLock { $0 = true }
            let (cuts, crashes) = try await disturbances
            // What came before is still there.
            let found = try await database.rows(past.rows)
            #expect(Set(past.before).isSubset(of: Set(found)), "\(past.before) became \(found)")
            let till = ChargeFixture(sandbox: tills[3], emulator: given.emulator)
            // What the last one sent may still be in a socket's buffer, where it cannot be seen.
            try await Task.sleep(for: .milliseconds(300))
            try await till.waitUntilIdle()
            let recovery = try await till.recoverAll()
            let rows = try await till.journal()
            let unknown = rows.count { $0["state"] == .string("unknown") }
            #expect(recovery.status == (unknown > 0 ? 80 : 0), "\(recovery)")
            try await till.expectAgreement(mayStayUnknown: true)
            let taken = Set(try await till.taken().compactMap { $0["key"]?.string })
            for end in ended {
                for result in end.results where result.ending != .signalled(9) {
                    #expect([0, 75, 80].contains(result.status), "\(result)")
                    if result.status == 0 { #expect(taken.contains(end.key), "\(result)") }
                    if result.status == 75, end.results.count == 1 { #expect(!taken.contains(end.key), "\(result)") }
                }
            }
            let kills = ended.count(where: \.wasKilled)
            #expect(kills > 0 && cuts > 0 && crashes > 0 && !taken.isEmpty)
            try Scale.report(
                "Charges of \(machines) machines with one journal in PostgreSQL; processes and sessions killed at random, "
                    + "the server stopped with -m immediate",
                count: "\(machines * each) charges, \(kills) kills, \(cuts) cuts, \(crashes) crashes",
                result: "\(taken.count) charged, none twice, \(unknown) unknown, the journal agrees row by row")
        }
    }

    @Test("an outcome that cannot be recorded for a minute is reported and kept, and the next recovery records it")
    func unrecorded() async throws {
        let server = try await PostgreSQLServer()
        try await ChargeFixture.run(on: server, emulator: ["--authorization-time", "1s"], weight: 1) { till, database in
            let command = try till.sandbox.start([
                "charge", "--amount", "12.50", "--currency", "USD", "--device", try await till.device(),
            ])
            try await till.waitUntilUnderWay(command)
            try await server.stop()
            let result = try await command.result()
            expectFailure(
                result, status: 80, saying: "was sent and approved, but the journal could not record it", output: nil)
            #expect(try result.eventNames.last == "approved")
            func kept() -> [String] { till.sandbox.directory.files(below: ".").filter { $0.contains("unrecorded-") } }
            #expect(kept().count == 1)
            try await server.restart()
            let recovery = try await till.recoverAll()
            #expect(recovery.status == 0, "\(recovery)")
            let details = try await database.rows(
                "SELECT state || ': ' || coalesce(detail, '') FROM clover_state.transitions ORDER BY rowid")
            #expect(details.last == "approved: seen while the journal could not be written", "\(details)")
            #expect(kept() == [])
            try await till.expectAgreement()
        }
    }

    @Test(
        "a change whose response is lost takes place once, or the charge ends before anything is sent, and its key is free"
    )
    func lostCommits() async throws {
        try await ChargeFixture.run(on: PostgreSQLServer(), emulator: ["--no-limits"], weight: 4) { till, database in
            let first = till.sandbox
            _ = try await Self.makePast(on: [first, first.withState("second")], database)
            let undisturbed = try await Self.charge("undisturbed", on: first, database, at: 0)
            #expect(undisturbed.result.status == 0, "\(undisturbed.result)")
            let count = undisturbed.count
            try #require(count > 20)
            var (lost, refused) = (0, 0)
            for number in Set((0..<Scale.pick(12, full: 100)).map { _ in Int.random(in: 1...count) }) {
                let run = try await Self.charge("lost-\(number)", on: first, database, at: number)
                if run.result.status == 75 {
                    // Nothing was sent: the key can be used again.
                    let states = try await Self.states(of: "lost-\(number)", in: database)
                    #expect(!states.contains("sent"), "statement \(number): \(states), \(run.result)")
                    refused += 1
                    let again = try await Self.charge("lost-\(number)", on: first, database, at: 0)
                    #expect(again.result.status == 0, "statement \(number): \(again.result)")
                } else {
                    #expect(run.result.status == 0, "statement \(number): \(run.result)")
                    let states = try await Self.states(of: "lost-\(number)", in: database)
                    // A request that was held back after all, and never left, goes back to created.
                    #expect(
                        states.wholeMatch(of: /created sent( created sent)* approved/) != nil,
                        "statement \(number): \(states)")
                    lost += 1
                }
            }
            #expect(lost > 0)
            try Scale.report(
                "Charges with one journal in PostgreSQL, from a random past; the response to one statement of each is lost",
                count: "\(lost + refused) statements of \(count)",
                result:
                    "\(lost) charged, each once, \(refused) ended before anything was sent and were charged under the same key"
            )
            try await till.settle()
        }
    }

    @Test(
        "a charge whose process is stopped and loses its sessions is left to it; others do not touch it for ten seconds"
    )
    func stopped() async throws {
        try await ChargeFixture.run(
            on: PostgreSQLServer(), emulator: ["--no-limits", "--authorization-time", "300ms"], weight: 4
        ) { till, database in
            let first = till.sandbox
            let second = first.withState("second")
            _ = try await Self.makePast(on: [first, second], database)
            // What the past left open is recovered, so that only the charge that is stopped can be.
            try await till.settle()
            let count = try await Self.charge("undisturbed", on: first, database, at: 0).count
            for turn in 0..<Scale.pick(3, full: 20) {
                let key = "stopped-\(turn)"
                guard let charge = try await StoppedCharge(key, at: count / 3...count - 3, on: first, database)
                else { continue }
                if try await !database.rows(
                    "SELECT 1 FROM clover_state.operations WHERE idempotency_key = '\(key)'"
                ).isEmpty {
                    let recovery = try await second.clover("charge", "recover", "--all")
                    #expect(recovery.status == 75, "turn \(turn): \(recovery)")
                }
                let result = try await charge.resume()
                if result.status == 75 {
                    #expect(try await !Self.states(of: key, in: database).contains("sent"), "turn \(turn): \(result)")
                    let again = try await Self.charge(key, on: first, database, at: 0)
                    #expect(again.result.status == 0, "turn \(turn): \(again.result)")
                } else {
                    #expect(result.status == 0, "turn \(turn): \(result)")
                }
                try await till.settle()
            }
        }
    }

    @Test(
        "a process that was stopped until another one recovers its charge sends nothing any more"
    )
    func overtaken() async throws {
        try await ChargeFixture.run(on: PostgreSQLServer(), emulator: ["--no-limits"], weight: 4) { till, database in
            let first = till.sandbox
            let second = first.withState("second")
            _ = try await Self.makePast(on: [first, second], database)
            try await till.settle()
            let count = try await Self.charge("undisturbed", on: first, database, at: 0).count
            var overtakings = 0
            for turn in 0..<Scale.pick(8, full: 60) {
                let key = "overtaken-\(turn)"
                guard let charge = try await StoppedCharge(key, at: count / 3...count - 3, on: first, database)
                else { continue }
                // As after ten seconds in which the server was up.
                _ = try await database.rows(
                    "UPDATE clover_state.operations SET alive_at = alive_at - interval '1 h' WHERE owner IS NOT NULL")
                _ = try await database.rows(
                    "UPDATE clover_state.server_start SET at = clock_timestamp() - interval '1 h'")
                let place = Int.random(in: 5...40)
                let other = try await PostgreSQLRelay(to: database.server, at: place, "before", "stop")
                let recovery = try second.with(["CLOVER_STATE": other.address(of: database.name)])
                    .start(["charge", "recover", "--all"])
                async let ended = recovery.result()
                let isStopped = await Self.isDisturbed(other, before: recovery)
                if isStopped { overtakings += 1 }
                let result = try await charge.resume()
                recovery.send(SIGCONT)
                let recovered = try await ended
                #expect([0, 75, 80, 81].contains(result.status), "turn \(turn), \(place): \(result)")
                // 82 where the charge's own process was faster, and nothing was left to settle.
                let isLate = recovered.status == 82 && recovered.errorText.contains("another process settled it")
                #expect(isLate || [0, 75, 80].contains(recovered.status), "turn \(turn), \(place): \(recovered)")
                try await till.settle()
            }
            #expect(overtakings > 0)
        }
    }

    // MARK: The past

    /// What the journal had before a proof, and a query that must still give it.
    private struct Past {
        let before: [String]
        let rows = """
            SELECT o.id || ' ' || t.state || ' ' || t.at FROM clover_state.operations o
            JOIN clover_state.transitions t ON t.operation = o.id
            """
    }

    /// A random past: charges that ended, that were refunded, and that processes left when they were killed at random statements.
    private static func makePast(on tills: [Sandbox], _ database: ServedDatabase) async throws -> Past {
        for turn in 0..<Scale.pick(5, full: 12) {
            let till = tills[turn % tills.count]
            let key = "past-\(turn)"
            // One of each first.
            switch turn < 3 ? turn : Int.random(in: 0..<4) {
            case 0:
                let result = try await till.start(words(key), input: ChargeFixture.card()).result()
                #expect(result.status == 0, "\(result)")
                if let id = try result.events.last?["charge"]?.string, Bool.random() {
                    _ = try await till.clover("charge", "refund", id, "--amount", "0.50", "--quiet")
                }
            case 1:
                let relay = try await PostgreSQLRelay(
                    to: database.server, at: Int.random(in: 20...60), ["before", "after"].randomElement() ?? "before",
                    "kill")
                _ = try await till.with(["CLOVER_STATE": relay.address(of: database.name)])
                    .start(words(key), input: ChargeFixture.card()).result()
            default:
                let command = try till.start(words(key), input: ChargeFixture.card())
                try await Task.sleep(for: .milliseconds(Int.random(in: 50..<600)))
                command.send(9)
                _ = try await command.result()
            }
        }
        let past = Past(before: [])
        return Past(before: try await database.rows(past.rows))
    }

    private static func words(_ key: String) -> [String] {
        [
            "charge", "--amount", "7.50", "--currency", "USD", "--card", "-", "--quiet", "--idempotency-key", key,
        ]
    }

    /// A charge whose connection is cut with the response to a statement; 0 for none.
    private static func charge(
        _ key: String, on till: Sandbox, _ database: ServedDatabase, at number: Int
    ) async throws -> (result: CommandResult, count: Int) {
        let relay = try await PostgreSQLRelay(to: database.server, at: number, "after", "cut")
        let result = try await till.with(["CLOVER_STATE": relay.address(of: database.name)])
            .start(words(key), input: ChargeFixture.card()).result()
        return (result, relay.count)
    }

    /// A charge that was stopped before one of its statements, and has lost its sessions.
    private struct StoppedCharge {
        private let relay: PostgreSQLRelay
        private let command: RunningCommand

        /// Nil if it ended before it could be stopped.
        init?(_ key: String, at numbers: ClosedRange<Int>, on till: Sandbox, _ database: ServedDatabase) async throws {
            relay = try await PostgreSQLRelay(
                to: database.server, at: Int.random(in: numbers), "before", "stop")
            command = try till.with(["CLOVER_STATE": relay.address(of: database.name)])
                .start(FleetChargeProofs.words(key), input: ChargeFixture.card())
            guard await FleetChargeProofs.isDisturbed(relay, before: command) else { return nil }
            _ = try await FleetChargeProofs.cutAll(database)
        }

        /// Lets it go on to its end.
        func resume() async throws -> CommandResult {
            command.send(SIGCONT)
            return try await command.result()
        }
    }

    /// The states that the charge of a key went through.
    private static func states(of key: String, in database: ServedDatabase) async throws -> String {
        try await database.rows(
            """
            SELECT coalesce(string_agg(t.state, ' ' ORDER BY t.rowid), '') FROM clover_state.transitions t
            JOIN clover_state.operations o ON o.id = t.operation WHERE idempotency_key = '\(key)'
            """
        ).first ?? ""
    }

    private static func cutAll(_ database: ServedDatabase) async throws -> Int {
        try await database.rows(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name LIKE 'clover %' AND pid <> pg_backend_pid()
            """
        ).count
    }

    /// Waits until the relay has stopped its client, or the client has ended.
    private static func isDisturbed(_ relay: PostgreSQLRelay, before command: RunningCommand) async -> Bool {
        await eventually { relay.hasDisturbed || command.hasEnded } && relay.hasDisturbed
    }

    /// Charges under a new key; one of four also on the next machine at the same time.
    private static func charge(
        _ machine: Int, _ turn: Int, on tills: [Sandbox]
    ) async throws -> Ended {
        let key = "m\(machine)-\(turn)"
        let words = [
            "charge", "--amount", "\(machine + 1).\(10 + turn)", "--currency", "USD", "--card", "-", "--quiet",
            "--idempotency-key", key,
        ]
        var commands = [try tills[machine].start(words, input: ChargeFixture.card())]
        if turn % 4 == 1 {
            commands.append(
                try tills[(machine + 1) % tills.count].start(words, input: ChargeFixture.card()))
        }
        if turn % 3 == 0 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 100..<1500)))
            commands[0].send(9)
        }
        var results: [CommandResult] = []
        for command in commands { results.append(try await command.result()) }
        return Ended(key: key, results: results, wasKilled: results[0].ending == .signalled(9))
    }

    /// Ends one session of the program after the other, and in between stops the server as a loss of power does.
    private static func disturb(
        _ database: ServedDatabase, pause: Double, until isOver: @Sendable () -> Bool
    ) async throws -> (cuts: Int, crashes: Int) {
        var (cuts, crashes) = (0, 0)
        var next = ContinuousClock.now.advanced(by: .seconds(pause))
        while !isOver() {
            try await Task.sleep(for: .milliseconds(Int.random(in: 100..<500)))
            if ContinuousClock.now >= next {
                next = .now.advanced(by: .seconds(pause + 2))
                crashes += 1
                try await database.server.crash()
            } else {
                cuts += try await database.rows(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name LIKE 'clover %' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1
                    """
                ).count
            }
        }
        return (cuts, crashes)
    }
}

extension ChargeFixture {
    /// Recovers what is open, also what processes left that were killed, and compares the journal with the service.
    fileprivate func settle() async throws {
        try await waitUntilIdle()
        let recovery = try await recoverAll()
        #expect([0, 80].contains(recovery.status), "\(recovery)")
        try await expectAgreement(mayStayUnknown: true)
    }
}
