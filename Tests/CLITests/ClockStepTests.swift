import CloverTestSupport
import Foundation
import Testing

/// A wall clock that is set while processes share the budget. The ledger counts on the boot's clock, which is never set.
@Suite("a clock that is stepped", .serialized)
struct ClockStepTests {
    @Test("an hour forwards and back, the limits are kept and every record comes")
    func stepped() async throws {
        let rounds = Scale.pick(4, full: 60)
        // Pages of 50, so that each run asks several times.
        let flags = ["--orders", "1000", "--latency", "20ms", "--clamp", "50"]
        try await Sandbox.run(emulator: flags, weight: 4) { given, emulator in
            let clock = try await WallClock(in: given.directory)
            let sandbox = given.limited(to: .seconds(120)).with(clock.variables)
            var runs = 0
            for round in 0..<rounds {
                let commands = try (0..<8).map { _ in
                    try sandbox.start("get", "orders", "--limit", "200", "-r", "--jq", ".id", "-q")
                }
                // In the middle of the runs.
                try await Task.sleep(for: .milliseconds(Int.random(in: 50..<600)))
                try clock.set([3600, -3600, 0][round % 3])
                for command in commands {
                    let result = try await command.result()
                    expectSuccess(result)
                    #expect(Set(result.lines).count == 200)
                }
                runs += commands.count
            }
            let stats = try await emulator.stats()
            // They were held up: otherwise it would say nothing that the limit was kept.
            #expect((8...16).contains(stats.peakPerSecond), "\(stats.peakPerSecond)")
            #expect(stats.peakInFlight <= 5)
            #expect(stats.rejectedInAll == 0)
            try Scale.report(
                "Wall clock set an hour forwards and back under eight processes",
                count: "\(rounds) times, \(runs) runs",
                result: "at most \(stats.peakPerSecond) requests in a second, \(stats.rejectedInAll) refused")
        }
    }

    @Test("the preloaded clock is the one that the program sees, and its arguments are read anyway")
    func isSeen() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { given, _ in
            let clock = try await WallClock(in: given.directory)
            try clock.set(-10 * 366 * 86400)
            let sandbox = given.with(clock.variables)
            let result = try await sandbox.clover("get", "orders", "--limit", "1", "--jq", "now | todate[0:3]", "-r")
            #expect(result.lines == ["201"], "\(result)")
        }
    }
}
