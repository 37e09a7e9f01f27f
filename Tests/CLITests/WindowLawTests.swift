import CloverTestSupport
import Foundation
import Testing

/// The budget under processes that come, are stopped, go on and are killed. The local service's own count is the judge.
@Suite("window law", .serialized)
struct WindowLawTests {
    @Test(
        "whatever happens to the processes, the limits are kept and the budget is used",
        arguments: Scale.pick([8], full: [8, 64, 200]))
    func disturbed(_ processes: Int) async throws {
        let seconds = Scale.pick(10.0, full: 60)
        try await Sandbox.run(emulator: ["--orders", "3000", "--latency", "20ms"], weight: 4) { given, emulator in
            let sandbox = given.limited(to: .seconds(300))
            let clock = ContinuousClock()
            let end = clock.now + .seconds(seconds)
            let totals = try await withThrowingTaskGroup(of: DisturbedRuns.self) { group in
                for _ in 0..<processes {
                    // A machine of two processors starts some eighty in a second: who has not started does not wait.
                    let start = Duration.milliseconds(Int.random(in: 0...max(300, 20 * processes)))
                    group.addTask {
                        try await DisturbedRuns.run(Self.words, in: sandbox, from: start, until: end, clock)
                    }
                }
                return try await group.reduce(into: DisturbedRuns()) { $0.add($1) }
            }
            let stats = try await emulator.stats()
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            #expect(stats.rejectedInAll == 0)
            #expect(totals.failures == [])
            let share = Double(stats.requests) / (16 * seconds)
            // How much gets through in a short time depends on what else the machine does.
            if Scale.isFull { #expect(share >= 0.97, "\(stats.requests) requests in \(seconds) s") }
            try Scale.report(
                "\(processes) processes, killed (`kill -9`) and stopped (`SIGSTOP`) at random, for \(Int(seconds)) s",
                count: "\(totals.runs) runs, \(totals.kills) kills, \(totals.stops) stops",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.peakInFlight) in flight,"
                    + " \(stats.rejectedInAll) refused; \(Int((100 * share).rounded())) % of what is permitted")
        }
    }

    private static let words = ["get", "orders", "--all", "-q", "-r", "--jq", ".id"]
}

/// Runs one after the other, some of which are disturbed, and what became of them.
struct DisturbedRuns: Sendable {
    private(set) var runs = 0
    private(set) var kills = 0
    private(set) var stops = 0
    private(set) var failures: [String] = []

    mutating func add(_ other: DisturbedRuns) {
        runs += other.runs
        kills += other.kills
        stops += other.stops
        failures += other.failures
    }

    /// Of four runs, one is killed and one is stopped for a while, at random times.
    static func run(
        _ words: [String], in sandbox: Sandbox, from start: Duration, until end: ContinuousClock.Instant,
        _ clock: ContinuousClock
    ) async throws -> DisturbedRuns {
        var totals = DisturbedRuns()
        try await clock.sleep(for: start)
        while clock.now < end {
            let command = try sandbox.startPolitely(words)
            totals.runs += 1
            try await clock.sleep(for: .milliseconds(Int.random(in: 20..<4000)))
            switch Int.random(in: 0..<4) {
            case 0:
                command.send(SIGKILL)
                totals.kills += 1
                _ = try await command.result()
            case 1:
                command.send(SIGSTOP)
                totals.stops += 1
                try await clock.sleep(for: .milliseconds(Int.random(in: 50..<500)))
                command.send(SIGCONT)
                fallthrough
            default:
                // The end does not wait for any run: what a run of many pages still has to do is not the question.
                while clock.now < end, !command.hasEnded { try await clock.sleep(for: .milliseconds(20)) }
                if !command.hasEnded {
                    command.send(SIGKILL)
                    _ = try await command.result()
                } else {
                    let result = try await command.result()
                    if result.ending != .exited(0) { totals.failures.append("\(result)") }
                }
            }
        }
        return totals
    }
}
