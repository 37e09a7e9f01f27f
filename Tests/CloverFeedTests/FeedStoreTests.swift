import CloverFeed
import CloverSystem
import CloverTestSupport
import Foundation
import GRDB
import Testing

@Suite("feed: the state")
struct FeedStoreTests {
    private static let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)

    private static func open(
        _ directory: TemporaryDirectory, merchant: String = "M"
    ) async throws -> FeedStore {
        try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: merchant,
            now: 1_700_000_000_000)
    }

    private static func record(_ id: String, _ time: Int64, _ hash: Int64 = 1, isDeleted: Bool = false) -> SeenRecord {
        SeenRecord(
            id: id, time: time, created: time, isDeleted: isDeleted, hash: hash,
            bytes: Array(#"{"id":"\#(id)","hash":\#(hash)}"#.utf8))
    }

    /// Publishes records of one reading, and returns what is delivered of them.
    private static func deliver(
        _ records: [SeenRecord], _ store: FeedStore, _ poll: FeedPoll = FeedPoll(purpose: .changes, from: 0)
    ) async throws -> [String] {
        var stream = try await store.stream("orders", rules, floor: 0)
        try await store.begin(stream)
        _ = try await store.take(records, of: stream, poll, at: 50)
        if poll.findsDeletions {
            _ = try await store.takeMissing(try await store.missing(of: stream, poll), of: stream, at: 50)
        }
        stream.finish(poll, newest: records.compactMap(\.time).max(), duration: 0, at: 1000)
        _ = try await store.publish([stream])
        let changes = try await store.portion(limit: 100)
        if let last = changes.last { try await store.confirm(through: last.sequence) }
        return changes.map { "\($0.kind) \($0.id)" }
    }

    @Test("two changes in one millisecond are two versions, and a version comes once")
    func versions() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        #expect(
            try await Self.deliver([Self.record("B", 2), Self.record("A", 1)], store) == ["created A", "created B"])
        #expect(try await Self.deliver([Self.record("A", 1), Self.record("B", 2)], store) == [])
        #expect(try await Self.deliver([Self.record("B", 2, 9)], store) == ["updated B"])
        #expect(
            try await Self.deliver([Self.record("A", 3), Self.record("A", 3), Self.record("A", 4)], store)
                == ["updated A", "updated A"])
    }

    @Test("a new record without a time that can be read comes as created, once; in a first reading it is only noted")
    func withoutTime() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        func record(_ id: String) -> SeenRecord {
            SeenRecord(id: id, time: nil, created: nil, hash: 1, bytes: Array(#"{"id":"\#(id)"}"#.utf8))
        }
        let first = FeedPoll(purpose: .beginning, deliversFrom: 0)
        #expect(try await Self.deliver([record("A")], store, first) == [])
        let changes = FeedPoll(purpose: .changes, from: 0, deliversFrom: 0)
        #expect(try await Self.deliver([record("A"), record("B")], store, changes) == ["created B"])
        #expect(try await Self.deliver([record("A"), record("B")], store, changes) == [])
    }

    @Test("in the first reading of a list that is compared, what was made since the floor was created")
    func comparedSince() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        let rules = FeedRules(changeField: nil, creationField: "createdTime", overlap: 5000)
        let stream = try await store.stream("refunds", rules, floor: 1000)
        try await store.begin(stream)
        let records = [Int64(500), 1500].map { (time: Int64) in
            SeenRecord(id: "R\(time)", time: nil, created: time, hash: 1, bytes: Array(#"{"id":"R\#(time)"}"#.utf8))
        }
        _ = try await store.take(records, of: stream, stream.poll(at: 2000), at: 2000)
        _ = try await store.publish([stream])
        let changes = try await store.portion(limit: 9)
        #expect(changes.map { "\($0.kind) \($0.id)" } == ["created R1500"])
    }

    @Test("a record that came as deleted, and is there unchanged, comes as created, also one from before the floor")
    func back() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        var complete = FeedPoll(purpose: .comparison, from: 0, deliversFrom: 100, findsDeletions: true)
        #expect(try await Self.deliver([Self.record("A", 1), Self.record("B", 1)], store, complete) == [])
        #expect(try await Self.deliver([Self.record("B", 1)], store, complete) == ["deleted A"])
        #expect(try await Self.deliver([Self.record("A", 1), Self.record("B", 1)], store, complete) == ["created A"])
        complete.purpose = .changes
        #expect(try await Self.deliver([Self.record("A", 200)], store, complete) == ["deleted B", "updated A"])
    }

    @Test("a record that says it was deleted, one that is missing, and one that comes back")
    func deletions() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        let complete = FeedPoll(purpose: .comparison, from: 0, findsDeletions: true)
        _ = try await Self.deliver([Self.record("A", 1), Self.record("B", 1)], store)
        #expect(try await Self.deliver([Self.record("A", 2, 2, isDeleted: true)], store) == ["deleted A"])
        #expect(try await Self.deliver([Self.record("A", 2, 2, isDeleted: true)], store, complete) == ["deleted B"])
        #expect(try await Self.deliver([], store, complete) == [])
        #expect(
            try await Self.deliver([Self.record("A", 3, 3), Self.record("B", 1)], store) == ["created B", "created A"])
        // A webhook tells of the deletion; what was changed before it is a late view.
        var stream = try await store.stream("orders", Self.rules, floor: nil)
        #expect(try await store.takeDeletion(of: "A", in: stream, at: 10))
        #expect(try await !store.takeDeletion(of: "A", in: stream, at: 11))
        stream.finish(FeedPoll(purpose: .changes, from: 0), newest: nil, duration: 0, at: 1000)
        #expect(try await store.publish([stream]) == 1)
        #expect(
            try await store.portion(limit: 9).map(\.line).map { String(decoding: $0, as: UTF8.self) }
                == [#"{"change":"deleted","resource":"orders","sequence":7,"record":{"id":"A"}}"#])
        try await store.confirm(through: 7)
        #expect(try await Self.deliver([Self.record("A", 9, 9)], store) == [])
        #expect(try await Self.deliver([Self.record("A", 11, 9)], store) == ["created A"])
    }

    @Test("what was published survives with its numbers; what was only read does not")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        var before: [FeedChange] = []
        do {
            let store = try await Self.open(directory)
            let stream = try await store.stream("orders", Self.rules, floor: 0)
            let poll = FeedPoll(purpose: .changes, from: 0)
            _ = try await store.take([Self.record("A", 1), Self.record("B", 2)], of: stream, poll, at: 5)
            _ = try await store.publish([stream])
            before = try await store.portion(limit: 9)
            _ = try await store.take([Self.record("C", 3)], of: stream, poll, at: 5)
        }
        let store = try await Self.open(directory)
        #expect(store.origin == .known)
        #expect(try await store.portion(limit: 9) == before && before.count == 2)
        #expect(try await store.portion(limit: 1) == Array(before.prefix(1)))
    }

    @Test("one process at a time, one merchant, and a loss that is noticed")
    func refusals() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try await Self.open(directory)
            #expect(store.origin == .new)
            await #expect(throws: FeedError.self) { try await Self.open(directory) }
        }
        await #expect(throws: FeedError.self) { try await Self.open(directory, merchant: "N") }
        try FileManager.default.removeItem(atPath: directory["feed.sqlite"])
        do { #expect(try await Self.open(directory).origin == .missing) }
        try directory.write("feed.sqlite", Array(repeating: 3, count: 9000))
        let store = try await Self.open(directory)
        #expect(store.origin == .damaged(setAside: directory["feed.sqlite.damaged-1700000000000"]))
        let stream = try await store.stream("orders", Self.rules, floor: nil)
        #expect(stream.state.isLost && stream.poll(at: 5).purpose == .closing(.stateLost))
    }

    @Test("an older copy of the state that was put back is noticed, and nothing gets a number again")
    func restored() async throws {
        let directory = try TemporaryDirectory()
        let (state, copy) = (directory["feed.sqlite"], directory["copy"])
        func deliver(_ id: String) async throws -> (origin: FeedStore.Origin, changes: [FeedChange]) {
            let store = try await Self.open(directory)
            var stream = try await store.stream("orders", Self.rules, floor: nil)
            let poll = stream.poll(at: 1000)
            _ = try await store.take([Self.record(id, 1)], of: stream, poll, at: 50)
            stream.finish(poll, newest: 1, duration: 0, at: 1000)
            _ = try await store.publish([stream])
            let changes = try await store.portion(limit: 9)
            if let last = changes.last { try await store.confirm(through: last.sequence) }
            return (store.origin, changes)
        }
        func restore() throws {
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.copyItem(atPath: copy, toPath: state)
        }
        // A copy from before the list had begun would begin it again, later.
        do { _ = try await Self.open(directory).stream("orders", Self.rules, floor: nil) }
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        #expect(try await deliver("A").origin == .known)
        try restore()
        let place = directory["feed.sqlite.restored-1700000000000"]
        let first = try await deliver("B")
        #expect(first.origin == .restored(setAside: place) && first.changes.map(\.id) == ["B"])
        #expect(first.changes.map(\.sequence) == [1_700_000_000_000])
        // The copy of a state that is still the latest one is the state.
        try FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try restore()
        let second = try await deliver("C")
        #expect(second.origin == .known && second.changes.map(\.sequence) == [1_700_000_000_001])
        try restore()
        let third = try await deliver("D")
        #expect(third.origin == .restored(setAside: place))
        #expect(third.changes.allSatisfy { $0.sequence > 1_700_000_000_001 } && third.changes.map(\.id) == ["D"])
        // A list that this run did not follow may have been followed before the loss.
        let store = try await Self.open(directory)
        #expect(store.origin == .known)
        #expect(try await store.stream("items", Self.rules, floor: nil).state.isLost)
    }

    @Test("an older copy is noticed that has not the changes which a run delivered for one that was killed")
    func restoredAfterKill() async throws {
        let directory = try TemporaryDirectory()
        let (state, lock, copy) = (directory["feed.sqlite"], directory["feed.sqlite.lock"], directory["copy"])
        do { _ = try await Self.deliver([Self.record("A", 1)], try await Self.open(directory)) }
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        let noted = try Data(contentsOf: URL(fileURLWithPath: lock))
        do {
            let store = try await Self.open(directory)
            let stream = try await store.stream("orders", Self.rules, floor: nil)
            _ = try await store.take([Self.record("B", 2)], of: stream, FeedPoll(purpose: .changes, from: 0), at: 5)
            _ = try await store.publish([stream])
        }
        // A former version kept the changes of a reading that is not complete here.
        try await DatabaseQueue(path: state).write {
            try $0.execute(
                sql: """
                    INSERT INTO pending (stream, id, time, hash, is_deleted, at, change, record)
                    SELECT stream, 'C', time, hash, is_deleted, at, change, record FROM pending
                    """)
        }
        do {
            let store = try await Self.open(directory)
            #expect(try await store.publish([store.stream("orders", Self.rules, floor: nil)]) == 0)
        }
        // As a kill leaves it between the transaction and the note, which a former version never wrote.
        for text in [noted, Data("lock file of clover: never delete it\n".utf8)] {
            try text.write(to: URL(fileURLWithPath: lock))
            let store = try await Self.open(directory)
            #expect(try await store.portion(limit: 9).map(\.id) == ["B"] && store.origin == .known)
        }
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.copyItem(atPath: copy, toPath: state)
        #expect(
            try await Self.open(directory).origin
                == .restored(setAside: directory["feed.sqlite.restored-1700000000000"]))
    }

    @Test("an older copy of a record on a later page of the same reading is not another version")
    func olderCopy() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.open(directory)
        #expect(try await Self.deliver([Self.record("A", 1), Self.record("A", 3, 3)], store).count == 2)
        #expect(try await Self.deliver([Self.record("A", 3, 3), Self.record("A", 1)], store) == [])
        #expect(
            try await Self.deliver([Self.record("A", 5, 5), Self.record("A", 4, 4)], store) == ["updated A"])
    }
}

@Suite("feed: positions and intervals")
struct FeedStreamTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_700_000_000_000

    private static func begun(_ rules: FeedRules, newest: Int64?) -> FeedStream {
        var stream = FeedStream("orders", rules)
        stream.finish(stream.poll(at: now), newest: newest, duration: 0, at: now)
        return stream
    }

    @Test("a time in the future does not hide what is changed until then")
    func future() {
        let stream = Self.begun(
            FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000),
            newest: Self.now + 30 * Self.day)
        #expect(stream.poll(at: Self.now).from == Self.now - 5000)
    }

    @Test("a clock set back, and an outage beyond the history, are gaps")
    func gaps() {
        let rules = FeedRules(
            changeField: "modifiedTime", creationField: "createdTime", isWindowed: true, overlap: 5000)
        let stream = Self.begun(rules, newest: Self.now)
        #expect(stream.poll(at: Self.now - 60_000).purpose == .changes)
        #expect(
            stream.poll(at: Self.now - Self.day).purpose == .closing(.clockSetBack(milliseconds: Self.day)))
        #expect(stream.poll(at: Self.now + 87 * Self.day).purpose == .changes)
        let gap = stream.poll(at: Self.now + 90 * Self.day)
        #expect(gap.purpose == .closing(.outage(milliseconds: 90 * Self.day)))
        #expect(gap.isDeep && gap.findsDeletions && gap.from == stream.state.floor)
    }

    @Test("of a list with limited history, records of any age are asked for at the start and then rarely")
    func deep() {
        let rules = FeedRules(
            changeField: "modifiedTime", creationField: "createdTime", isWindowed: true, overlap: 5000)
        var stream = Self.begun(rules, newest: Self.now)
        #expect(!stream.poll(at: Self.now + 60_000).isDeep)
        stream.finish(stream.poll(at: Self.now + 60_000), newest: Self.now + 50_000, duration: 0, at: Self.now + 60_000)
        let poll = stream.poll(at: Self.now + 1_000_000)
        // From where the last one of its kind began, not from the position of the others.
        #expect(poll.isDeep && poll.from == Self.now - 5000)
    }

    @Test("an interval shrinks with changes, grows without, and leaves the budget to others")
    func intervals() {
        var interval = PollInterval(longest: 60_000)
        for _ in 0..<20 { interval.note(changes: 0, FeedCost(requests: 1)) }
        #expect(interval.current == 60_000)
        for _ in 0..<20 { interval.note(changes: 1, FeedCost(requests: 1)) }
        #expect(interval.current == PollInterval.shortest)
        interval.note(changes: 1, FeedCost(requests: 400))
        #expect(interval.current == 400 * PollInterval.perRequest)
        interval.note(changes: 1, FeedCost(requests: 1, secondsWaited: 10))
        #expect(interval.current == 60_000)
        for _ in 0..<20 { interval.noteFailure() }
        #expect(interval.current == 300_000)
    }

    @Test("what a kill left in a file is recognized")
    func interruptedOutput() {
        let changes = (1...3).map {
            FeedChange(sequence: $0, kind: .created, resource: "orders", id: "A\($0)", record: Array("{}".utf8))
        }
        let lines = changes.map { $0.line + [10] }
        #expect(InterruptedOutput([], changes).count == 0)
        #expect(InterruptedOutput(lines[0] + lines[1], changes).count == 2)
        #expect(InterruptedOutput(lines[0] + lines[1], changes).rest == [])
        let torn = InterruptedOutput(lines[0] + lines[1].prefix(9), changes)
        #expect(torn.count == 2 && torn.rest == Array(lines[1].dropFirst(9)))
        #expect(InterruptedOutput(Array("something else\n".utf8), changes).count == 0)
        #expect(InterruptedOutput(lines[0] + Array("else".utf8), changes).count == 1)
    }
}
