import CloverFeed
import CloverTestSupport
import Foundation
import Testing

/// Random histories of a shop, with a follower that is killed at random: before, between and after the lines that it
/// delivers, in the middle of a reading, and while it waits.
@Suite("feed: random histories")
struct RandomHistoryTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var changeField: String?
        var creationField: String?
        var isSorted = true
        var isWindowed = false
    }

    static let kinds = [
        Kind(testDescription: "sorted by change", changeField: "modifiedTime", creationField: "createdTime"),
        Kind(
            testDescription: "not sorted, read in windows", changeField: "modifiedTime", creationField: "createdTime",
            isSorted: false, isWindowed: true),
        Kind(testDescription: "without a time of creation", changeField: "modifiedTime", isSorted: false),
        Kind(testDescription: "compared"),
    ]

    private static let overlap: Int64 = 5000

    /// Lets a world live until its follower has nothing more to deliver.
    private static func live(
        _ kind: Kind, seed: UInt64, overlap: Int64 = overlap, _ habits: ModelWorld.Habits = ModelWorld.Habits()
    ) async throws -> ModelWorld {
        let world = ModelWorld(seed: seed, habits)
        for _ in 0..<30 { world.change() }
        var rules = FeedRules(
            changeField: kind.changeField, creationField: kind.creationField, isWindowed: kind.isWindowed,
            overlap: overlap)
        // Nothing but a complete reading tells of deletions.
        if habits.deletions, kind.changeField != nil { rules.completeEvery = 25_000 }
        // With a floor before everything, so that all of it has to be delivered.
        try await ModelFollower(world, rules, isSorted: kind.isSorted).run(idleTime: 30_000, floor: 0)
        return world
    }

    /// What a reader has that takes each number once.
    ///
    /// - Parameter hasLosses: whether the numbers may jump, after a loss of the state. Everything comes again then, and
    ///   the reader begins again. A webhook may tell of a record's deletion before the record was read.
    private static func end(
        _ lines: [FeedChange], hasLosses: Bool
    ) -> (state: [String: [UInt8]], faults: [String]) {
        var (state, faults): ([String: [UInt8]], [String]) = ([:], [])
        var (last, delivered): (Int64, Set<String>) = (0, [])
        for line in lines {
            if line.sequence <= last {
                // After a kill, the same again.
                guard let first = lines.first(where: { $0.sequence == line.sequence }), first == line else {
                    faults.append("number \(line.sequence) came with other bytes")
                    continue
                }
                continue
            }
            if line.sequence != last + 1 {
                if !hasLosses { faults.append("after \(last) came \(line.sequence)") }
                (state, delivered) = ([:], [])
            }
            last = line.sequence
            switch line.kind {
            case .created where state[line.id] != nil: faults.append("\(line.id) was created twice")
            case .updated where state[line.id] == nil && delivered.contains(line.id):
                faults.append("\(line.id) was updated after its deletion")
            case .deleted where state[line.id] == nil && !hasLosses:
                faults.append("\(line.id) was deleted before it came")
            default: break
            }
            delivered.insert(line.id)
            if line.kind != .deleted {
                let version = String(decoding: line.record, as: UTF8.self)
                if !delivered.insert(version).inserted { faults.append("\(version) came twice") }
            }
            state[line.id] = line.kind == .deleted ? nil : line.record
        }
        return (state, faults)
    }

    private static func differences(_ world: ModelWorld, hasLosses: Bool = false) -> [String] {
        let (state, faults) = end(world.lines, hasLosses: hasLosses)
        let truth = world.truth()
        let others = Set(state.keys).union(truth.keys).filter { state[$0] != truth[$0] }.sorted()
        return faults + others.map { "\($0) is not as in the shop" }
    }

    @Test("a reader that takes each number once ends with the shop, and no version came twice", arguments: kinds)
    func everything(_ kind: Kind) async throws {
        var (kills, repeats, gaps) = (0, 0, 0)
        // Until a clock was set back, too.
        for seed in 1...UInt64(40) where seed <= 5 || gaps == 0 && kind.changeField != nil {
            var habits = ModelWorld.Habits()
            habits.omissions = 100
            let world = try await Self.live(kind, seed: seed, habits)
            let found = Self.differences(world)
            #expect(found.isEmpty, "seed \(seed): \(found.prefix(5))")
            kills += world.kills
            gaps += world.gaps.count
            repeats += world.lines.count - Set(world.lines.map(\.sequence)).count
        }
        // The test would prove nothing if nothing of this happened.
        #expect(kills > 40 && repeats > 10, "\(kills) kills, \(repeats) repeated lines")
        #expect(gaps > 0 || kind.changeField == nil, "no clock was set back")
    }

    @Test(
        "a reader ends with the shop, whichever lists each run follows, and whatever happens to the files",
        arguments: kinds)
    func meddling(_ kind: Kind) async throws {
        var (kills, losses, removals, restorations, gaps) = (0, 0, 0, 0, 0)
        for seed in 1...UInt64(6) {
            var habits = ModelWorld.Habits()
            habits.lists = ["orders", "items", "employees"]
            (habits.repeatedRecords, habits.life) = (200, 250)
            // Each gap would be closed by the next clock step.
            (habits.clockSteps, habits.farTimes) = (seed % 2 == 0, seed % 2 == 0)
            // With a wrong clock, a time does not tell which of two copies is older.
            habits.olderCopies = seed % 2 == 0 ? 0 : 300
            let world = ModelWorld(seed: seed, habits)
            let listener = try ModelListener()
            world.listener = listener
            for _ in 0..<30 { world.change() }
            // Without complete readings, only webhooks tell of deletions.
            let rules = FeedRules(
                changeField: kind.changeField, creationField: kind.creationField, isWindowed: kind.isWindowed,
                overlap: Self.overlap)
            losses += try await ModelFollower(world, rules, isSorted: kind.isSorted).runSome(idleTime: 30_000, listener)
            let found = Self.differences(world, hasLosses: true)
            #expect(found.isEmpty, "seed \(seed): \(found.prefix(5))")
            kills += world.kills
            removals += listener.removals
            restorations += listener.restorations
            gaps += listener.gaps
        }
        // The test would prove nothing if nothing of this happened.
        let counts = [kills, losses, removals, restorations, gaps]
        #expect(counts.allSatisfy { $0 > 2 }, "\(counts)")
    }

    @Test("without the overlap, changes that become visible late are lost: the test above can fail")
    func withoutOverlap() async throws {
        // Without a complete reading, which would find them.
        var habits = ModelWorld.Habits()
        (habits.deletions, habits.clockSteps, habits.farTimes) = (false, false, false)
        for overlap in [Self.overlap, 0] {
            var losses = 0
            for seed in 1...UInt64(5) where losses == 0 {
                let world = try await Self.live(Self.kinds[0], seed: seed, overlap: overlap, habits)
                losses += Self.differences(world).count
            }
            #expect((losses > 0) == (overlap == 0), "\(losses) with an overlap of \(overlap)")
        }
    }

    @Test("without a kill nothing is repeated, and the order is that of the changes", arguments: kinds.prefix(2))
    func order(_ kind: Kind) async throws {
        var habits = ModelWorld.Habits()
        (habits.kills, habits.delay, habits.clockSteps, habits.farTimes) = (0, 0, false, false)
        habits.deletions = false
        for seed in 1...UInt64(3) {
            let world = try await Self.live(kind, seed: seed, habits)
            #expect(Self.differences(world) == [])
            #expect(world.lines.map(\.sequence) == Array(1...Int64(world.lines.count)))
            let contents = world.lines.map { line in
                world.rows[line.id]?.versions.first {
                    String(decoding: line.record, as: UTF8.self).contains(":\($0.content)}")
                }
            }
            let times = contents.compactMap { $0?.time }
            #expect(times.count == world.lines.count && times == times.sorted())
        }
    }
}
