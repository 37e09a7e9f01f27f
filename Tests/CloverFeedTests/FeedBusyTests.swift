import CloverFeed
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

@Suite("feed: busy lists")
struct FeedBusyTests {
    private struct Unreachable: Error {}

    /// Unchecked, because one task at a time uses it.
    private final class Outside: @unchecked Sendable {
        var clock: Int64 = 1_000_000
        var pages: [Int] = []
        var report = FeedReport()
        var delivered: [String] = []
        var waits = 0

        func surroundings(waits most: Int = 1) -> FeedLoop.Surroundings {
            FeedLoop.Surroundings(
                wall: { self.clock }, boot: { self.clock },
                wait: { seconds in
                    if self.report != FeedReport() {
                        defer { self.report = FeedReport() }
                        return self.report
                    }
                    guard seconds > 0 else { return FeedReport() }
                    self.waits += 1
                    guard self.waits <= most else { throw CancellationError() }
                    self.clock += Int64(seconds * 1000) + 1
                    return FeedReport()
                },
                deliver: { store in
                    for change in try await store.portion(limit: 500) {
                        self.delivered.append("\(change.kind) \(change.id)")
                        try await store.confirm(through: change.sequence)
                    }
                },
                mayPass: { $0 is Unreachable })
        }
    }

    private static func store(_ directory: TemporaryDirectory) async throws -> FeedStore {
        try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
    }

    private static let rules = FeedRules(
        changeField: "modifiedTime", creationField: "createdTime", overlap: 300_000)

    /// Follows the orders of a source until nothing has changed for the idle time, or `outside` has waited often enough.
    private static func follow(
        _ source: some FeedSource, _ outside: Outside, idleTime: Int64? = nil, deletionsAtOnce: Int = 4, waits: Int = 1
    ) async throws {
        let directory = try TemporaryDirectory()
        let store = try await store(directory)
        var loop = FeedLoop(
            [(source, try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000,
            idleTime: idleTime, deletionsAtOnce: deletionsAtOnce, outside.surroundings(waits: waits))
        do {
            try await loop.run()
            #expect(idleTime != nil)
        } catch is CancellationError {}
    }

    private static func record(_ id: String, time: Int64) -> SeenRecord {
        SeenRecord(id: id, time: time, created: 1, hash: time, bytes: Array("{}".utf8))
    }

    /// A list in order of change in which a record changes whenever a page was read, for twenty pages of a reading.
    private struct MovingSource: FeedSource {
        let outside: Outside

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            outside.pages.append(0)
            let times = (outside.clock - 100_000)...(outside.clock - 99_998)
            _ = try await deliver(times.map { FeedBusyTests.record("R\($0)", time: $0) })
            for _ in 0..<20 {
                outside.pages[outside.pages.count - 1] += 1
                outside.clock += 50
                let record = FeedBusyTests.record("R\(outside.clock)", time: outside.clock)
                if try await deliver([record]) == .stop { break }
            }
            return FeedCost(requests: 1)
        }

        func isGone(_ id: String) async throws -> Bool { true }
    }

    @Test("a reading ends with a change of the present, and does not follow the end of a list that keeps changing")
    func present() async throws {
        // An idle time of 0 promises the whole list.
        for (idleTime, pages): (Int64?, ClosedRange<Int>) in [(nil, 1...1), (0, 20...20)] {
            let outside = Outside()
            try await Self.follow(MovingSource(outside: outside), outside, idleTime: idleTime, waits: 3)
            #expect(!outside.pages.isEmpty && outside.pages.allSatisfy(pages.contains), "\(outside.pages)")
            #expect(Set(outside.delivered).count == outside.delivered.count, "\(outside.delivered)")
        }
    }

    /// A list whose second reading breaks off after a record.
    private struct BreakingSource: FeedSource {
        let outside: Outside

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            outside.pages.append(1)
            if outside.pages.count > 1 {
                _ = try await deliver([FeedBusyTests.record("B", time: outside.clock)])
                outside.report = FeedReport([.deleted(resource: "orders", id: "A", at: outside.clock)], position: nil)
                throw Unreachable()
            }
            _ = try await deliver([FeedBusyTests.record("A", time: outside.clock)])
            return FeedCost(requests: 1)
        }

        func isGone(_ id: String) async throws -> Bool { true }
    }

    @Test("what half a reading showed does not come with a deletion that a webhook reports")
    func half() async throws {
        let outside = Outside()
        try await Self.follow(BreakingSource(outside: outside), outside)
        #expect(outside.delivered == ["created A", "deleted A"])
    }

    @Test("an older copy of a record in a later reading is dropped, and counts in a complete reading")
    func olderCopy() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.store(directory)
        var stream = try await store.stream("orders", Self.rules, floor: 0)
        var counts: [Int] = []
        for (time, purpose): (Int64, FeedPoll.Purpose) in [
            (9000, .changes), (8000, .changes), (9000, .changes), (8000, .comparison), (20_000, .changes),
            (8000, .changes),
        ] {
            try await store.begin(stream)
            let poll = FeedPoll(purpose: purpose)
            // The time in the future is one that the record had by a wrong clock.
            counts.append(try await store.take([Self.record("A", time: time)], of: stream, poll, at: 10_000))
            stream.finish(poll, newest: time, duration: 0, at: 10_000)
            _ = try await store.publish([stream])
        }
        #expect(counts == [1, 0, 0, 1, 1, 1])
    }

    /// Opens for three at a time.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                guard waiting.count == 3 else { return }
                for other in waiting { other.resume() }
                waiting = []
            }
        }
    }

    /// A list whose records are looked up, three at a time.
    private struct GatedSource: FeedSource {
        let gate = Gate()

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            _ = try await deliver((1...6).map { FeedBusyTests.record("R\($0)", time: now) })
            return FeedCost(requests: 1)
        }

        func isGone(_ id: String) async throws -> Bool {
            await gate.pass()
            return id != "R5"
        }
    }

    @Test("several records that were reported as deleted are looked up at a time", .timeLimit(.minutes(1)))
    func several() async throws {
        let outside = Outside()
        let hints = (1...6).flatMap { (number: Int) in
            Array(repeating: FeedHint.deleted(resource: "orders", id: "R\(number)", at: 1_000_001), count: 2)
        }
        outside.report = FeedReport(hints)
        try await Self.follow(GatedSource(), outside, deletionsAtOnce: 3, waits: 0)
        let deleted = outside.delivered.filter { $0.hasPrefix("deleted") }.sorted()
        #expect(deleted == ["R1", "R2", "R3", "R4", "R6"].map { "deleted \($0)" })
    }
}
