import CloverFeed
import CloverJSON
import CloverSystem
import CloverTestSupport
import Foundation

import struct ProbeSupport.SeededGenerator

/// A shop, its clocks, a follower that is killed at random, and the reader of its lines. Times are simulated.
///
/// Unchecked, because one task at a time uses it.
final class ModelWorld: @unchecked Sendable {
    /// What the shop does; a test that needs a quiet world turns parts off.
    struct Habits {
        /// Per mille of the places where the follower may be killed.
        var kills = 40
        /// How much later than it says a change may become visible, in milliseconds.
        var delay: Int64 = 4000
        var deletions = true
        /// Whether this machine's clock is set back and ahead.
        var clockSteps = true
        /// Whether records with times in the future appear.
        var farTimes = true
        /// How often time passes before the shop becomes quiet.
        var life = 120
        /// The lists of the shop; a record belongs to one of them.
        var lists = ["orders"]
        /// Per mille of the pages that repeat records of an earlier one, as they are now or as they were.
        var repeatedRecords = 0
        /// Per mille of the readings in which a record also comes as it was before.
        var olderCopies = 0
        /// Per mille of the pages of complete readings that lack a record.
        var omissions = 0
    }

    struct Killed: Error {}

    /// A version of a record, visible from a time of the service on.
    struct Version: Equatable {
        var time: Int64
        var content: Int
        var visibleAt: Int64
    }

    struct Row {
        var created: Int64
        var versions: [Version]
        var deletedAt: Int64?
    }

    var random: SeededGenerator
    private(set) var habits: Habits
    /// What receives the shop's webhooks; nil if it sends none.
    var listener: ModelListener?
    /// The service's clock; this machine's differs by `skew`.
    private(set) var clock: Int64 = 1_700_000_000_000
    private(set) var skew: Int64 = 0
    private(set) var rows: [String: Row] = [:]
    private var changes = 0
    /// Lines that reached the reader, in order, and how many portions a kill made doubtful.
    private(set) var lines: [FeedChange] = []
    private(set) var kills = 0
    private(set) var gaps: [FeedGap] = []

    init(seed: UInt64, _ habits: Habits) {
        random = SeededGenerator(seed: seed)
        self.habits = habits
    }

    func chance(_ perMille: Int) -> Bool { Int.random(in: 0..<1000, using: &random) < perMille }

    /// Kills the follower here, perhaps.
    func mayDie() throws {
        guard chance(habits.kills) else { return }
        kills += 1
        throw Killed()
    }

    /// From now on nothing happens any more.
    private func becomeQuiet() {
        habits.kills = 0
        habits.delay = 0
        habits.clockSteps = false
        skew = 0
        isQuiet = true
        // What was delayed becomes visible.
        clock += 60_000
    }

    private(set) var isQuiet = false

    /// Time passes, with changes on the way.
    func pass(_ milliseconds: Int64) {
        defer { listener?.live(in: self) }
        guard !isQuiet else {
            clock += milliseconds
            return
        }
        habits.life -= 1
        if habits.life == 0 { return becomeQuiet() }
        for _ in 0..<Int.random(in: 0...3, using: &random) { change() }
        clock += milliseconds
        if habits.clockSteps, chance(15) {
            skew = [0, 0, 7_200_000, -1_800_000, 30_000, 43_200_000].randomElement(using: &random) ?? 0
        }
    }

    /// One change of the shop. Every second one has the time of the one before.
    func change() {
        changes += 1
        if chance(500) { clock += Int64.random(in: 1...400, using: &random) }
        let delay = habits.delay > 0 && chance(300) ? Int64.random(in: 0..<habits.delay, using: &random) : 0
        var time = clock
        if habits.farTimes, chance(10) { time += 5_000_000_000 }
        let version = Version(time: time, content: changes, visibleAt: clock + delay)
        let present = rows.filter { $0.value.deletedAt == nil }.keys.sorted()
        if present.isEmpty || chance(300) {
            rows["R\(changes)"] = Row(created: clock, versions: [version])
            listener?.send("R\(changes)", "CREATE", at: clock, in: self)
        } else if let id = present.randomElement(using: &random), var row = rows[id] {
            if habits.deletions, chance(120) {
                row.deletedAt = clock
            } else {
                // A row's versions become visible in order.
                let least = row.versions.last?.visibleAt ?? 0
                row.versions.append(
                    Version(time: time, content: changes, visibleAt: max(version.visibleAt, least)))
            }
            rows[id] = row
            listener?.send(id, row.deletedAt == nil ? "UPDATE" : "DELETE", at: clock, in: self)
        }
    }

    /// The list that a record belongs to.
    func list(of id: String) -> String { habits.lists[(Int(id.dropFirst()) ?? 0) % habits.lists.count] }

    /// The ids of a list's records, also of those that were deleted.
    func ids(of list: String) -> [String] { rows.keys.filter { self.list(of: $0) == list }.sorted() }

    /// A record as the service showed it before its latest change; nil if there is none, and if its time does not say
    /// that it is older: a feed cannot know then which of two copies is the latest one.
    func former(_ id: String, isTimed: Bool) -> SeenRecord? {
        guard let row = rows[id], row.deletedAt == nil, let version = row.versions.dropLast().last,
            let last = row.versions.last, version.visibleAt <= clock, version.time < last.time
        else { return nil }
        return record(id, row, version, isTimed: isTimed)
    }

    /// The record as the service shows it now; nil if it does not.
    func visible(_ id: String, isTimed: Bool) -> SeenRecord? {
        guard let row = rows[id], row.deletedAt == nil,
            let version = row.versions.last(where: { $0.visibleAt <= clock })
        else { return nil }
        return record(id, row, version, isTimed: isTimed)
    }

    private func record(_ id: String, _ row: Row, _ version: Version, isTimed: Bool) -> SeenRecord {
        let text = #"{"id":"\#(id)","content":\#(version.content)}"#
        return SeenRecord(
            id: id, time: isTimed ? version.time : nil, created: row.created, hash: Int64(version.content),
            bytes: Array(text.utf8))
    }

    /// Everything that the service shows, by id.
    func truth() -> [String: [UInt8]] {
        rows.keys.reduce(into: [:]) { $0[$1] = visible($1, isTimed: true)?.bytes }
    }

    // MARK: The follower

    func note(_ gap: FeedGap) { gaps.append(gap) }

    /// The reader gets changes; a kill may come before, in between and after, when it is not confirmed yet.
    func deliver(_ store: FeedStore) async throws {
        while true {
            let portion = try await store.portion(limit: 5)
            guard let last = portion.last else { return }
            try mayDie()
            for change in portion {
                lines.append(change)
                try mayDie()
            }
            try await store.confirm(through: last.sequence)
            try mayDie()
        }
    }

    func surroundings() -> FeedLoop.Surroundings {
        FeedLoop.Surroundings(
            wall: { self.clock + self.skew }, boot: { self.clock },
            wait: { seconds in
                try self.mayDie()
                // A look for reports takes no time, so that nothing changes behind the last reading.
                guard let listener = self.listener else {
                    if seconds > 0 { self.pass(Int64(seconds * 1000) + 1) }
                    return FeedReport()
                }
                var rest = Int64(seconds * 1000)
                while true {
                    let report = listener.report()
                    if report != FeedReport() || rest <= 0 { return report }
                    self.pass(min(rest, 500) + 1)
                    rest -= 500
                }
            },
            deliver: { try await self.deliver($0) },
            onNotice: { if case .gap(let gap, _) = $0 { self.note(gap) } })
    }
}

/// A list of the model's shop, in pages of three.
struct ModelSource: FeedSource {
    let world: ModelWorld
    var list = "orders"
    let rules: FeedRules
    /// Whether the list is sorted by time of change; otherwise by id.
    let isSorted: Bool

    mutating func read(
        _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
    ) async throws -> FeedCost {
        var cost = FeedCost(requests: 1)
        let isTimed = rules.changeField != nil
        var shown: [String] = []
        func matches(_ record: SeenRecord) -> Bool { poll.from.map { record.time ?? .min >= $0 } ?? true }
        if isTimed, poll.purpose == .changes, world.chance(world.habits.olderCopies),
            let older = world.ids(of: list).compactMap({ world.former($0, isTimed: true) })
                .filter(matches).randomElement(using: &world.random)
        {
            _ = try await deliver([older])
        }
        if isSorted, isTimed {
            var (last, read) = (poll.from ?? .min, Set<String>())
            while true {
                let found = world.ids(of: list).compactMap { world.visible($0, isTimed: true) }
                    .filter { $0.time ?? .min >= last && matches($0) && !read.contains("\($0.id) \($0.time ?? 0)") }
                    .sorted { ($0.time ?? 0, $0.id) < ($1.time ?? 0, $1.id) }
                guard !found.isEmpty else { return cost }
                let page = Array(found.prefix(3))
                for record in page { read.insert("\(record.id) \(record.time ?? 0)") }
                last = max(last, page.last?.time ?? last)
                shown += page.map(\.id)
                if try await deliver(omitting(page, poll)) == .stop { return cost }
                try turnPage(&cost)
                _ = try await deliver(repeated(shown, isTimed: isTimed).filter(matches))
            }
        }
        let ids = world.ids(of: list)
        if poll.isShort, isTimed {
            // The latest changes are on one page.
            _ = try await deliver(ids.compactMap { world.visible($0, isTimed: true) }.filter(matches))
            return cost
        }
        for start in stride(from: 0, to: ids.count, by: 3) {
            let page = ids[start..<min(start + 3, ids.count)].compactMap { world.visible($0, isTimed: isTimed) }
            shown += page.map(\.id)
            if try await deliver(omitting(page.filter(matches), poll)) == .stop { return cost }
            try turnPage(&cost)
            _ = try await deliver(repeated(shown, isTimed: isTimed).filter(matches))
        }
        return cost
    }

    /// A page of a complete reading lacks a record, perhaps.
    private func omitting(_ page: [SeenRecord], _ poll: FeedPoll) -> [SeenRecord] {
        let isWhole = poll.purpose != .comparison || world.isQuiet || !world.chance(world.habits.omissions)
        return isWhole ? page : page.dropLast()
    }

    /// A record that an earlier page had, as it is now or, if its time says so, as it was.
    private func repeated(_ shown: [String], isTimed: Bool) -> [SeenRecord] {
        guard world.habits.repeatedRecords > 0, world.chance(world.habits.repeatedRecords),
            let id = shown.randomElement(using: &world.random)
        else { return [] }
        let former = isTimed && world.chance(500) ? world.former(id, isTimed: true) : nil
        return [former ?? world.visible(id, isTimed: isTimed)].compactMap(\.self)
    }

    func isGone(_ id: String) async throws -> Bool {
        try world.mayDie()
        return world.rows[id]?.deletedAt != nil
    }

    private func turnPage(_ cost: inout FeedCost) throws {
        cost.requests += 1
        try world.mayDie()
        world.pass(5)
    }
}

/// A follower of the model's lists, restarted after each kill.
struct ModelFollower {
    let world: ModelWorld
    var rules: FeedRules
    var isSorted = true
    /// Small, so that long readings are divided.
    var partSize = 20
    let directory: TemporaryDirectory

    init(_ world: ModelWorld, _ rules: FeedRules, isSorted: Bool = true) throws {
        self.world = world
        self.rules = rules
        self.isSorted = isSorted
        directory = try TemporaryDirectory()
    }

    /// Follows until nothing changes any more, however often it is killed.
    func run(idleTime: Int64, floor: Int64? = nil) async throws {
        while true {
            do {
                let store = try await open()
                let stream = try await store.stream("orders", rules, floor: floor)
                var loop = FeedLoop(
                    [(ModelSource(world: world, rules: rules, isSorted: isSorted), stream)], store: store,
                    longest: 20_000, idleTime: idleTime, partSize: partSize, deletionsAtOnce: 1, world.surroundings())
                try await loop.run()
                return
            } catch is ModelWorld.Killed {
                // Time passes until the restart.
                world.pass(Int64.random(in: 0...40_000, using: &world.random))
            }
        }
    }

    /// Follows some of the lists at a time until the shop is quiet, and then all, with the webhooks of a listener. Between
    /// the runs the state is put back from an older copy, perhaps.
    ///
    /// - Returns: how often an older state was put back.
    func runSome(idleTime: Int64, _ listener: ModelListener) async throws -> Int {
        let (state, copy) = (directory["feed.sqlite"], directory["copy"])
        var restorations = 0
        while true {
            let isLast = world.isQuiet
            let lists = world.habits.lists.filter { _ in isLast || world.chance(600) }
            do {
                let store = try await open()
                if let start = try listener.begin(after: try await store.reportedThrough()) {
                    _ = try await store.publish([], reportedThrough: start)
                }
                var sources: [(source: any FeedSource, stream: FeedStream)] = []
                for list in lists {
                    let source = ModelSource(world: world, list: list, rules: rules, isSorted: isSorted)
                    sources.append((source, try await store.stream(list, rules, floor: 0)))
                }
                if !sources.isEmpty {
                    var loop = FeedLoop(
                        sources, store: store, longest: 20_000, idleTime: idleTime, partSize: partSize,
                        deletionsAtOnce: 1, world.surroundings())
                    try await loop.run()
                }
                if isLast { return restorations }
            } catch is ModelWorld.Killed {}
            world.pass(Int64.random(in: 0...40_000, using: &world.random))
            guard !world.isQuiet else { continue }
            if FileManager.default.fileExists(atPath: copy), world.chance(100) {
                restorations += 1
                try FileManager.default.removeItem(atPath: state)
                try FileManager.default.moveItem(atPath: copy, toPath: state)
            } else if world.chance(200) {
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: state, toPath: copy)
            }
        }
    }

    func open() async throws -> FeedStore {
        try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "model", merchant: "M",
            now: world.clock)
    }
}
