import CloverFleet
import CloverRateLimit
import CloverSystem
import CloverTestSupport
import Glibc
import ProbeSupport
import Testing

/// Several processes as machines, because connections, kills and restarts are what is tested. In full with CLOVER_TEST_SCALE=full.
@Suite("Many machines at one database", .serialized)
struct FleetLawTests {
    private let rate = 16
    private let slots = 5
    private let isFull = Scale.isFull

    /// Runs machines, some of which are killed and others stopped for a while, and expects the law of what all did.
    private func expectLaw(
        own: Bool = false, machines wanted: Int = 5, kills: Int = 0, tokens: [String] = ["A"], app: RateLimits? = nil,
        trouble: (FleetWorld) async throws -> Void = { _ in }
    ) async throws {
        let world = try await FleetWorld(own: own)
        let milliseconds = isFull ? 60_000 : 5000
        let count = isFull ? 16 : wanted
        var machines: [(token: String, probe: ProbeProcess)] = []
        for index in 0..<count {
            let token = tokens[index % tokens.count]
            let further = app.map { ["1", "\($0.requestsPerSecond)", "\($0.inFlight)"] } ?? ["\(index % 2)"]
            let probe = try ProbeProcess(
                ["admit", world.url, token, "\(rate)", "\(slots)", "3", "\(milliseconds)", "\(20 + index * 20)"]
                    + further)
            #expect(await probe.line() == "ready")
            machines.append((token, probe))
        }
        for machine in machines { machine.probe.go() }
        for number in 0..<kills {
            try await Task.sleep(for: .milliseconds(milliseconds / (kills + 2)))
            kill(machines[number].probe.id, SIGKILL)
            let other = machines[machines.count - 1 - number].probe.id
            kill(other, SIGSTOP)
            try await Task.sleep(for: .milliseconds(300))
            kill(other, SIGCONT)
        }
        try await trouble(world)
        var visits: [(token: String, moment: Int64, from: Int64, to: Int64)] = []
        for machine in machines {
            for line in await machine.probe.lines() {
                let numbers = line.split(separator: " ").compactMap { Int64($0) }
                guard numbers.count == 4 else { continue }
                visits.append((machine.token, numbers[0], numbers[1], numbers[2]))
            }
        }
        for token in tokens {
            let own = visits.filter { $0.token == token }
            #expect(!own.isEmpty)
            #expect(WindowLaw.peak(own.map(\.moment)) <= rate)
            #expect(WindowLaw.peak(punctual(own.map { ($0.moment, $0.from) })) <= rate)
            #expect(WindowLaw.overlap(own.map { ($0.from, $0.to) }) <= slots)
        }
        if let app {
            #expect(WindowLaw.peak(punctual(visits.map { ($0.moment, $0.from) })) <= app.requestsPerSecond)
            #expect(WindowLaw.overlap(visits.map { ($0.from, $0.to) }) <= app.inFlight)
        }
    }

    /// When requests were sent, without those that the machine stopped between the last look at the clock and the sending.
    private func punctual(_ visits: [(moment: Int64, from: Int64)]) -> [Int64] {
        visits.filter { $0.from - $0.moment <= SlidingWindowLimiter.margin }.map(\.from)
    }

    @Test(
        "no second has more requests than the limit, and no more are in flight, while machines are killed and stopped")
    func kills() async throws {
        try await expectLaw(kills: 2)
    }

    @Test("several tokens keep their own limits and the app's")
    func app() async throws {
        try await expectLaw(tokens: ["A/1", "A/2"], app: RateLimits(requestsPerSecond: 20, inFlight: 6))
    }

    @Test("the limits hold while the server is stopped as by a loss of power, and started again")
    func restarts() async throws {
        try await expectLaw(own: true) { world in
            try await Task.sleep(for: .seconds(1))
            try await world.server.crash()
        }
    }

    @Test("the limits hold while sessions are cut")
    func cuts() async throws {
        try await expectLaw { world in
            for _ in 0..<8 {
                try await Task.sleep(for: .milliseconds(400))
                _ = try await world.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                        + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2")
            }
        }
    }
}
