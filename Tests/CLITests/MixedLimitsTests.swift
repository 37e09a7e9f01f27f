import CloverTestSupport
import Foundation
import Testing

/// Processes with different limits on one token. The local service's own log is the judge; it does not tell processes
/// apart, so that each reads something else.
@Suite("different limits on one token", .serialized)
struct MixedLimitsTests {
    @Test("each keeps its own limit, the lower one gets its share, and the higher one is not slowed down to it")
    func sideBySide() async throws {
        try await Sandbox.run(
            emulator: ["--orders", "900", "--clamp", "10", "--latency", "20ms"], weight: 2
        ) { sandbox, emulator in
            let low = try sandbox.startShell(
                "while clover get payments --all -q -r --jq .id --requests-per-second 4 --in-flight 1 >/dev/null; do :; done"
            )
            try await emulator.waitForVisits("/payments", 8)
            let high = try sandbox.start("get", "orders", "--all", "-q", "-r", "--jq", ".id")
            let result = try await high.result()
            let isOver = low.hasEnded
            let visits = try await emulator.visits()
            low.send(SIGKILL)
            expectSuccess(result)
            #expect(!isOver, "the one with the lower limit failed")
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
            #expect(stats.peakPerSecond <= 16)
            #expect(stats.peakInFlight <= 5)
            let slow = visits.filter { $0.request.hasSuffix("/payments") }
            let fast = visits.filter { $0.request.hasSuffix("/orders") }
            #expect(Self.peak(slow.map(\.arrived)) <= 4)
            let first = try #require(fast.first?.arrived)
            let beside = slow.count { $0.arrived >= first }
            // Twelve to four, where both ask without a pause.
            #expect(fast.count >= 90)
            #expect(beside >= fast.count / 12, "\(beside) beside \(fast.count)")
            #expect(fast.count > beside * 3 / 2, "\(beside) beside \(fast.count)")
            // What it sent before does not count: after a second, what the other sent would be in its way.
            #expect(Self.peak(slow.map(\.arrived).filter { $0 > first + 1100 }) >= 3)
        }
    }

    @Test("single requests get their share beside runs that use all slots", arguments: ["--limit=400", "--all"])
    func fewSlots(_ option: String) async throws {
        try await Sandbox.run(
            emulator: ["--orders", "2000", "--clamp", "10", "--latency", "400ms", "--in-flight", "10"], weight: 3
        ) { sandbox, emulator in
            let runs = try (0..<2).map { _ in
                try sandbox.startShell("while clover get orders --all -q -r --jq .id >/dev/null; do :; done")
            }
            try await emulator.waitForVisits("/orders", 15)
            let single = try sandbox.start("get", "payments", option, "-q", "-r", "--jq", ".id", "--in-flight", "1")
            try await emulator.waitForVisits("/payments", 6)
            let isOver = runs.contains { $0.hasEnded }
            let visits = try await emulator.visits()
            for run in runs + [single] { run.send(SIGKILL) }
            #expect(!isOver, "the runs beside it failed")
            let few = visits.filter { $0.request.hasSuffix("/payments") }
            let first = try #require(few.first?.arrived)
            let last = try #require(few.last?.arrived)
            let beside = visits.count { $0.request.hasSuffix("/orders") && (first...last).contains($0.arrived) }
            #expect(few.count >= 6)
            // The others have at most five slots in each of its turns, and as long as it waits for its next.
            #expect(beside <= 25 * few.count, "\(beside) beside \(few.count)")
            let stats = try await emulator.stats()
            #expect(stats.rejectedInAll == 0)
        }
    }

    /// The most requests in any half-open second.
    private static func peak(_ times: [Int]) -> Int {
        let sorted = times.sorted()
        return sorted.indices.map { last in sorted[...last].count { sorted[last] - $0 < 1000 } }.max() ?? 0
    }
}

extension EmulatorProcess {
    /// Waits until it has seen this many requests of the path.
    func waitForVisits(_ path: String, _ count: Int) async throws {
        for _ in 0..<6000 {
            if try await visits().count(where: { $0.request.hasSuffix(path) }) >= count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("no \(count) requests of \(path) in five minutes")
    }

    /// The same of any path.
    func waitForRequests(_ count: Int) async throws {
        for _ in 0..<6000 {
            if try await stats().requests >= count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("no \(count) requests in five minutes")
    }
}
