import CloverFeed
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

@Suite("feed: what others report")
struct FeedHintTests {
    /// One list with one record, which changes at the second reading.
    private struct Source: FeedSource {
        var readings = 0

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            readings += 1
            let record = SeenRecord(
                id: "A", time: 1000 + Int64(readings), created: 1000, hash: Int64(min(readings, 2)),
                bytes: Array(#"{"id":"A"}"#.utf8))
            if readings <= 2 { _ = try await deliver([record]) }
            return FeedCost(requests: 1)
        }
    }

    /// Unchecked, because one task at a time uses it.
    private final class Outside: @unchecked Sendable {
        var clock: Int64 = 5000
        var reports: [(at: Int64, FeedReport)] = []
        var delivered: [String] = []

        /// Waits until the time, or the next report.
        func wait(_ seconds: Double) -> FeedReport {
            let end = clock + Int64(seconds * 1000)
            guard let next = reports.first, next.at <= end else {
                clock = end + 1
                return FeedReport()
            }
            clock = max(clock, next.at)
            reports.removeFirst()
            return next.1
        }
    }

    private static func surroundings(_ outside: Outside) -> FeedLoop.Surroundings {
        FeedLoop.Surroundings(
            wall: { outside.clock }, boot: { outside.clock }, wait: { outside.wait($0) },
            deliver: { store in
                for change in try await store.portion(limit: 9) {
                    outside.delivered.append("\(change.kind) at \(outside.clock)")
                    try await store.confirm(through: change.sequence)
                }
            },
            onNotice: { notice in
                if case .gap(let gap, _) = notice { outside.delivered.append("\(gap) at \(outside.clock)") }
            })
    }

    @Test("a list that changed is read at once, and a deletion comes once, without a reading")
    func hints() async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        let deletion = FeedHint.deleted(resource: "orders", id: "A", at: 9000)
        outside.reports = [
            (5010, FeedReport([.changed(resource: "orders"), .changed(resource: "other")], position: 2)),
            (7000, FeedReport([deletion, deletion], position: 4)),
        ]
        var loop = FeedLoop(
            [(Source(), try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000,
            idleTime: 100_000, Self.surroundings(outside))
        try await loop.run()
        // A reported change comes before the list is due, but not at once after a reading.
        #expect(outside.delivered == ["created at 5000", "updated at 5501", "deleted at 7000"])
        #expect(try await store.reportedThrough() == 4)
    }

    @Test("an idle feed ends only when all reports are taken, however many portions they come in")
    func portions() async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        outside.reports = (1...3).map { (0, FeedReport([.changed(resource: "other")], position: $0)) }
        outside.reports.append((0, FeedReport([.deleted(resource: "orders", id: "A", at: 9000)], position: 4)))
        var source = ShrinkingSource()
        source.readings = 1
        var loop = FeedLoop(
            [(source, try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000, idleTime: 0,
            Self.surroundings(outside))
        try await loop.run()
        #expect(outside.delivered.map { $0.split(separator: " ")[0] } == ["deleted"])
        #expect(try await store.reportedThrough() == 4)
    }

    /// One list with one record, which a second complete reading no longer has.
    private struct ShrinkingSource: FeedSource {
        var readings = 0

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            readings += 1
            let record = SeenRecord(id: "A", time: 1000, created: 1000, hash: 1, bytes: Array(#"{"id":"A"}"#.utf8))
            if readings == 1 { _ = try await deliver([record]) }
            return FeedCost(requests: 1)
        }
    }

    @Test("reports that were dropped are closed by a complete reading, also after a restart before it")
    func missed() async throws {
        let directory = try TemporaryDirectory()
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        outside.reports = [(6000, FeedReport([], position: 9, isGapped: true))]
        var source = ShrinkingSource()
        for idleTime: Int64 in [100, 100_000] {
            let store = try await FeedStore.open(
                "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
            var loop = FeedLoop(
                [(source, try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000,
                idleTime: idleTime, Self.surroundings(outside))
            try await loop.run()
            source.readings = 1
            if idleTime == 100 { outside.reports = [(outside.clock, outside.reports[0].1)] }
        }
        #expect(outside.delivered.map { $0.split(separator: " ")[0] } == ["created", "reportsMissed", "deleted"])
    }
}
