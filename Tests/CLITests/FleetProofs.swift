import CloverTestSupport
import Foundation
import Testing

/// Several machines with the tokens of one app, whose requests one database counts. The local service's own count of each token
/// and of the app is the judge.
@Suite("proofs: many machines, one rate limit", .serialized)
struct FleetProofs {
    /// Machines with their own state directories, and a database.
    private struct Fleet {
        let machines: [Sandbox]
        let profiles: [String]
        let emulator: EmulatorProcess
        let database: ServedDatabase?

        /// The sandbox and the words of a run of this number.
        func run(_ number: Int) -> (sandbox: Sandbox, words: [String]) {
            let machine = (number + number / profiles.count) % machines.count
            let profile = profiles[number % profiles.count]
            return (machines[machine], ["get", "orders", "--all", "--profile", profile, "-q", "-r", "--jq", ".id"])
        }
    }

    /// - Parameter isShared: whether the database counts requests; the files of one machine do otherwise.
    private static func fleet(
        machines: Int = 4, isShared: Bool = true, _ body: (Fleet) async throws -> Void
    ) async throws {
        let flags = [
            // Ten records a page: many requests a run.
            "--orders", "300", "--clamp", "10", "--auto-approve", "--merchants", "4", "--latency", "20ms",
        ]
        try await Sandbox.run(emulator: flags, weight: 4) { given, emulator in
            let database = isShared ? try await ServedDatabase(PostgreSQLServer()) : nil
            var first = given.without("CLOVER_ENVIRONMENT", "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
                .limited(to: .seconds(300))
            if let database { first = first.with(["CLOVER_STATE": database.address]) }
            if isShared { expectSuccess(try await first.clover("state", "init", "-q")) }
            let merchants = [emulator.merchantID] + emulator.otherMerchantIDs
            for merchant in merchants {
                try await first.receive(
                    SignInService(emulator, appID: emulator.appID, merchantID: merchant), "--profile", "p\(merchant)")
            }
            // The sign-ins are in the database: each token is used by several machines.
            let others = isShared ? (1..<machines).map { first.withState("machine-\($0)") } : []
            try await body(
                Fleet(
                    machines: [first] + others, profiles: merchants.map { "p\($0)" }, emulator: emulator,
                    database: database))
            if isShared {
                let files = first.directory.files(below: ".").filter { $0.contains("ratelimit") }
                #expect(files == [], "requests were counted in files")
            }
        }
    }

    private static func expectLaw(_ stats: EmulatorProcess.Stats, isShared: Bool = true) throws {
        let place: Comment = isShared ? "in a database" : "in files"
        #expect(stats.rejectedInAll == 0, place)
        #expect(!stats.tokens.isEmpty)
        for token in stats.tokens {
            #expect(token.peakPerSecond <= 16, place)
            #expect(token.peakInFlight <= 5, place)
        }
        let app = try #require(stats.apps.first)
        #expect(app.peakPerSecond <= 50, place)
        #expect(app.peakInFlight <= 10, place)
    }

    @Test(
        "no token and no app exceeds its limits and nothing is refused, whatever is killed, stopped, cut or restarted",
        arguments: Scale.pick([(4, 8)], full: [(2, 16), (16, 64), (64, 200)]))
    func disturbed(machines: Int, processes: Int) async throws {
        let seconds = Scale.pick(16.0, full: 60)
        try await Self.fleet(machines: machines) { fleet in
            let clock = ContinuousClock()
            let end = clock.now + .seconds(seconds)
            let database = try #require(fleet.database)
            async let cuts = Self.disturb(database, until: end, clock, crashes: Scale.pick(1, full: 4))
            let totals = try await withThrowingTaskGroup(of: DisturbedRuns.self) { group in
                for number in 0..<processes {
                    let (sandbox, words) = fleet.run(number)
                    let start = Duration.milliseconds(Int.random(in: 0...max(300, 20 * processes)))
                    group.addTask { try await DisturbedRuns.run(words, in: sandbox, from: start, until: end, clock) }
                }
                return try await group.reduce(into: DisturbedRuns()) { $0.add($1) }
            }
            let (cut, crashes) = try await cuts
            let stats = try await fleet.emulator.stats()
            #expect(totals.failures == [])
            try Self.expectLaw(stats)
            // That limits are kept proves nothing if no process came near them: beyond what one token may do.
            #expect(try #require(stats.apps.first).peakPerSecond > 16)
            #expect(crashes > 0 && cut > 0)
            try Scale.report(
                "\(processes) processes of \(machines) machines on one database, killed and stopped at random, their "
                    + "sessions cut, the server stopped with -m immediate, for \(Int(seconds)) s",
                count: "\(totals.runs) runs, \(totals.kills) kills, \(totals.stops) stops, \(cut) cuts, \(crashes) "
                    + "crashes, \(stats.requests) requests",
                result: Self.words(stats))
        }
    }

    /// Ends one session after the other, and stops the server this often as by a loss of power, in equal parts of the time.
    private static func disturb(
        _ database: ServedDatabase, until end: ContinuousClock.Instant, _ clock: ContinuousClock, crashes: Int
    ) async throws -> (cuts: Int, crashes: Int) {
        let part = clock.now.duration(to: end) / (crashes + 1)
        var next = clock.now.advanced(by: part)
        var (cuts, crashed) = (0, 0)
        while clock.now < end {
            try await clock.sleep(for: .milliseconds(Int.random(in: 200..<900)))
            if crashed < crashes, clock.now >= next {
                crashed += 1
                next = next.advanced(by: part)
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
        return (cuts, crashed)
    }

    private static func words(_ stats: EmulatorProcess.Stats) -> String {
        let token = stats.tokens.map(\.peakPerSecond).max() ?? 0
        let tokenSlots = stats.tokens.map(\.peakInFlight).max() ?? 0
        let app = stats.apps.first
        return "at most \(token) requests a second and \(tokenSlots) in flight of a token, "
            + "\(app?.peakPerSecond ?? 0) and \(app?.peakInFlight ?? 0) of the app; \(stats.rejectedInAll) refused"
    }

    @Test(
        "many processes of many machines use what the app's limit allows",
        .enabled(if: Scale.isFull), arguments: [(4, 16), (16, 64), (64, 200)])
    func crowd(machines: Int, processes: Int) async throws {
        try await Self.fleet(machines: machines) { fleet in
            let clock = ContinuousClock()
            // All have begun to wait by then.
            let start = clock.now + .seconds(20)
            let end = start + .seconds(60)
            try await withThrowingTaskGroup { group in
                for number in 0..<processes {
                    let (sandbox, words) = fleet.run(number)
                    group.addTask {
                        while clock.now < end {
                            let command = try sandbox.startPolitely(words)
                            while clock.now < end, !command.hasEnded { try await clock.sleep(for: .milliseconds(20)) }
                            if command.hasEnded {
                                expectSuccess(try await command.result())
                            } else {
                                command.send(SIGKILL)
                                _ = try await command.result()
                            }
                        }
                    }
                }
                try await clock.sleep(until: start)
                let (before, begun) = (try await fleet.emulator.stats(), clock.now)
                try await clock.sleep(until: end)
                let (after, ended) = (try await fleet.emulator.stats(), clock.now)
                try await group.waitForAll()
                try Self.expectLaw(after)
                let count = after.requests - before.requests
                let share = Double(count) / (50 * (begun.duration(to: ended) / .seconds(1)))
                try Scale.report(
                    "\(processes) processes of \(machines) machines on one database, undisturbed, from their 20th second on",
                    count: "\(count) requests in a minute",
                    result: Self.words(after) + "; \(Int((100 * share).rounded())) % of what is permitted")
                // Two hundred keep two processors busy.
                #expect(share >= (processes > 100 ? 0.7 : 0.9))
            }
        }
    }

    // On a busy machine the local service sees the requests of two seconds in one, so this is not judged beside other work.
    @Test(
        "several tokens of one app get what the app's limit allows, with a database as with files",
        .enabled(if: Scale.isFull))
    func share() async throws {
        let seconds = Scale.pick(8.0, full: 60)
        var shares: [Double] = []
        for isShared in [false, true] {
            try await Self.fleet(isShared: isShared) { fleet in
                let end = ContinuousClock.now + .seconds(seconds)
                try await withThrowingTaskGroup { group in
                    for number in 0..<8 {
                        let (sandbox, words) = fleet.run(number)
                        group.addTask {
                            while ContinuousClock.now < end {
                                let result = try await sandbox.clover(words)
                                expectSuccess(result)
                                #expect(Set(result.lines).count == 300)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let stats = try await fleet.emulator.stats()
                try Self.expectLaw(stats, isShared: isShared)
                let app = try #require(stats.apps.first)
                shares.append(Double(app.requests) / (50 * app.seconds))
                try Scale.report(
                    "Eight processes with four tokens of an app, counted "
                        + (isShared ? "in PostgreSQL, by 4 machines" : "in files, by one machine"),
                    count: "\(stats.requests) requests in \(Int(app.seconds)) s",
                    result: Self.words(stats) + "; \(Int((100 * shares[shares.count - 1]).rounded())) % of what is "
                        + "permitted")
            }
        }
        // How much gets through in a short time depends on what else the machine does.
        if Scale.isFull { #expect(shares[1] >= 0.9 * shares[0], "\(shares)") }
    }
}
