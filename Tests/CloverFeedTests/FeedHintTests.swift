import CloverFeed
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

extension FeedReport.Position: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(number: value) }
}

@Suite("feed: what others report")
struct FeedHintTests {
    private struct Unreachable: Error {}

    /// One list with one record, which changes at the second reading.
    private struct Source: FeedSource {
        var readings = 0
        /// Nil: that cannot be found out.
        var isGone: Bool? = true
        /// Counts the questions.
        var outside: Outside?

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

        func isGone(_ id: String) async throws -> Bool {
            outside?.questions += 1
            guard let isGone else { throw Unreachable() }
            return isGone
        }
    }

    /// Unchecked, because one task at a time uses it.
    private final class Outside: @unchecked Sendable {
        var clock: Int64 = 5000
        var reports: [(at: Int64, FeedReport)] = []
        var delivered: [String] = []
        var longReadings = 0
        var questions = 0

        /// Waits until the time, or the next report.
        ///
        /// - Throws: after five minutes.
        func wait(_ seconds: Double) throws -> FeedReport {
            if clock > 300_000 { throw CancellationError() }
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
            wall: { outside.clock }, boot: { outside.clock }, wait: { try outside.wait($0) },
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
            (
                5010,
                FeedReport(
                    [.changed(resource: "orders", at: nil), .changed(resource: "other", at: nil)], position: 2)
            ),
            (7000, FeedReport([deletion, deletion], position: 4)),
            (8000, FeedReport([deletion], position: FeedReport.Position(number: 5, source: -7))),
        ]
        var loop = FeedLoop(
            [(Source(outside: outside), try await store.stream("orders", rules, floor: 0))], store: store,
            longest: 60_000, idleTime: 100_000, Self.surroundings(outside))
        try await loop.run()
        // A reported change comes before the list is due, but not at once after a reading.
        #expect(outside.delivered == ["created at 5000", "updated at 5501", "deleted at 7000"])
        #expect(outside.questions == 1)
        #expect(try await store.reportedThrough() == FeedReport.Position(number: 5, source: -7))
    }

    @Test(
        "a record that is reported as deleted, and is there, is not; if that cannot be found out, the list is read completely",
        arguments: [false, nil])
    func wrongDeletion(isGone: Bool?) async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        outside.reports = [(7000, FeedReport([.deleted(resource: "orders", id: "A", at: 9000)], position: 4))]
        var source = Source()
        source.isGone = isGone
        var surroundings = Self.surroundings(outside)
        surroundings.mayPass = { $0 is Unreachable }
        var loop = FeedLoop(
            [(source, try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000,
            idleTime: 100_000, surroundings)
        try await loop.run()
        let kinds = outside.delivered.map { $0.split(separator: " ")[0] }
        let gap = isGone == nil ? ["reportsMissed"] : []
        #expect(kinds.map(String.init) == ["created"] + gap + ["updated"], "\(outside.delivered)")
        #expect(try await store.reportedThrough() == 4)
    }

    @Test("a reported change is read without the overlap, and the usual readings still begin with it")
    func short() throws {
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 300_000)
        var stream = FeedStream("orders", rules)
        #expect(stream.shortPoll(after: nil, at: 1_000_000) == nil, "nothing is known yet")
        stream.finish(stream.poll(at: 1_000_000), newest: 999_000, duration: 0, at: 1_000_000)
        let usual = stream.poll(at: 1_010_000)
        #expect(usual.from == 699_000)
        let short = try #require(stream.shortPoll(after: 1_009_000, at: 1_010_000))
        #expect(short.from == 994_000 && short.isShort)
        stream.finish(short, newest: 1_009_000, duration: 0, at: 1_010_000)
        #expect(stream.shortPoll(after: nil, at: 1_020_000)?.from == 1_004_000)
        // A late report of an earlier change begins there, but no earlier than a usual reading.
        #expect(stream.shortPoll(after: 900_000, at: 1_020_000)?.from == 895_000)
        #expect(stream.shortPoll(after: 1, at: 1_020_000)?.from == 699_000)
        #expect(stream.poll(at: 1_010_000) == usual)
    }

    /// A list of which a record is changed each second. A usual reading costs 12 requests, which take three seconds.
    private struct BusySource: FeedSource {
        let outside: Outside
        /// Whether the changes are visible only after ten seconds.
        var isLate = false

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            let end = (outside.clock - (isLate ? 10_000 : 0)) / 1000
            let from = max(1, (poll.from ?? 0) / 1000)
            let records = stride(from: from, through: end, by: 1).map { second in
                SeenRecord(id: "R\(second)", time: second * 1000, created: 1, hash: 1, bytes: Array("{}".utf8))
            }
            _ = try await deliver(Array(records))
            if !poll.isShort {
                outside.longReadings += 1
                outside.clock += 3000
            }
            return FeedCost(requests: poll.isShort ? 1 : 12)
        }

        func isGone(_ id: String) async throws -> Bool { true }
    }

    @Test("usual readings become rare while reports bring the changes, and stay frequent where they do not")
    func rare() async throws {
        for (isLate, isReported, bounds) in [(false, true, 1...12), (true, true, 20...99), (false, false, 20...99)] {
            let directory = try TemporaryDirectory()
            let store = try await FeedStore.open(
                "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
            let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 300_000)
            let outside = Outside()
            outside.reports = (5...304).map { (second: Int64) in
                let isHint = isReported || second == 304
                return (second * 1000, FeedReport(isHint ? [.changed(resource: "orders", at: second * 1000)] : []))
            }
            var loop = FeedLoop(
                [(BusySource(outside: outside, isLate: isLate), try await store.stream("orders", rules, floor: 0))],
                store: store, longest: 60_000, idleTime: nil, Self.surroundings(outside))
            await #expect(throws: CancellationError.self) { try await loop.run() }
            #expect(bounds.contains(outside.longReadings), "\(isLate) \(isReported): \(outside.longReadings)")
        }
    }

    @Test("an idle feed ends only when all reports are taken, however many portions they come in")
    func portions() async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        outside.reports = (1...3).map {
            (0, FeedReport([.changed(resource: "other", at: nil)], position: FeedReport.Position(number: $0)))
        }
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

    @Test("with an idle time of 0, lists that keep changing are read once, and the feed ends")
    func once() async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 300_000)
        let outside = Outside()
        var loop = FeedLoop(
            [(BusySource(outside: outside), try await store.stream("orders", rules, floor: 0))],
            store: store, longest: 60_000, idleTime: 0, Self.surroundings(outside))
        try await loop.run()
        #expect(outside.longReadings == 1)
        #expect(!outside.delivered.isEmpty)
    }

    @Test(
        "a deletion that came to a run without its list is found by the next run with it",
        arguments: [
            FeedReport([.deleted(resource: "items", id: "A", at: 9000)], position: 3),
            FeedReport(position: 3, isGapped: true),
        ])
    func otherLists(_ report: FeedReport) async throws {
        try await Self.otherLists(
            report, FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000),
            end: ["reportsMissed", "deleted"])
        // A list that is compared at each reading needs no other one for it, and the run ends.
        try await Self.otherLists(report, FeedRules(changeField: nil, overlap: 5000), end: ["deleted"])
    }

    private static func otherLists(_ report: FeedReport, _ rules: FeedRules, end: [Substring]) async throws {
        let directory = try TemporaryDirectory()
        let outside = Outside()
        var source = ShrinkingSource()
        for (resource, readings) in [("items", 0), ("orders", 0), ("items", 1)] {
            let store = try await FeedStore.open(
                "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
            source.readings = readings
            if resource == "orders" { outside.reports = [(outside.clock, report)] }
            var loop = FeedLoop(
                [(source, try await store.stream(resource, rules, floor: 0))], store: store, longest: 60_000,
                idleTime: 0, Self.surroundings(outside))
            try await loop.run()
        }
        let kinds = outside.delivered.map { $0.split(separator: " ")[0] }
        #expect(Array(kinds.suffix(end.count)) == end, "\(kinds)")
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

        func isGone(_ id: String) async throws -> Bool { true }
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
