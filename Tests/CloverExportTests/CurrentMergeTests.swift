import CloverExport
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

/// Current files: one row per record, made of change files.
@Suite("current files")
struct CurrentMergeTests {
    /// A destination with one resource.
    private final class World {
        let folder: TemporaryDirectory
        let store: ExportStore
        let directory: ExportDirectory
        let stream: ExportStream
        private var count = 0

        init() async throws {
            folder = try TemporaryDirectory()
            store = try await ExportStore.open(in: StateDirectory(path: folder["state"]))
            try await store.add("D", at: folder["out"])
            stream = try await store.begin(
                destination: "D", environment: "https://x.test", merchant: "M", resource: "orders", profile: nil, now: 1
            )
            directory = try ExportDirectory(folder["out"])
        }

        /// Publishes a change file of a finished run.
        func publish(_ records: [(id: String, time: Int, text: String)]) async throws {
            count += 1
            let lines = records.map { "{\"id\":\"\($0.id)\",\"modifiedTime\":\($0.time),\"text\":\"\($0.text)\"}\n" }
            let bytes = Array(lines.joined().utf8)
            let window = PlannedWindow(field: "modifiedTime", from: Int64(count), to: Int64(count + 1))
            var file = PublishedFile(path: "orders/changes/\(count).ndjson", resource: "orders", window: window)
            file.sha256 = SHA256.hash(bytes).hexadecimalDigits
            file.line = """
                {"file":"\(file.path)","records":\(records.count),"results":\(records.count),"bytes":\(bytes.count)}
                """
            let unpublished = try directory.makeFile(count)
            try unpublished.write(bytes, at: 0)
            try unpublished.publish(as: file.path)
            var plan = ExportPlan(
                request: "last", startedAt: Int64(count), finish: Int64(count + 1), skipsKnownRecords: true)
            plan.windows = [window]
            plan = try await store.add(plan, to: stream.place)
            var end = ExportStore.WindowEnd()
            end.files = [file]
            try await store.finish(0, of: plan, in: stream, end)
            try await store.complete(plan, of: stream.place, ExportStore.PlanEnd(), now: 100)
        }

        /// Brings the current file up to date.
        ///
        /// - Parameter isKilled: whether the run is killed after it published the file.
        func update(isKilled: Bool = false) async throws -> CurrentMerge.Result? {
            let base = try await store.currentFile(of: "orders", in: stream.place)
            let sources = try await store.changeFiles(of: "orders", in: stream.place, after: base?.place)
            guard let last = sources.last else { return nil }
            var merge = try CurrentMerge(directory, field: "modifiedTime")
            for source in sources { try merge.add(source) }
            let unpublished = try directory.makeFile(1000)
            let result = try merge.write(after: base, to: unpublished)
            var file = PublishedFile(
                path: "orders/current.ndjson", resource: "orders.current",
                window: PlannedWindow(field: nil, from: nil, to: 100))
            file.role = .current
            file.mergedUpTo = last.place
            file.sha256 = result.sha256
            file.line = """
                {"file":"\(file.path)","records":\(result.records),"results":\(result.records),"bytes":\(result.bytes)}
                """
            let plan = ExportPlan(request: "current", startedAt: 1, finish: 1, skipsKnownRecords: true)
            try await store.intend(toPublish: file, of: plan, in: stream)
            try unpublished.publish(as: file.path)
            if isKilled {
                try await store.settle(published: [file.path], in: "D")
            } else {
                try await store.add(current: file, to: stream)
            }
            return result
        }

        func rows() throws -> [String] {
            try folder.read("out/orders/current.ndjson").split(separator: UInt8(ascii: "\n")).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    @Test("the newest version of each record is in the file once, sorted by id", arguments: [false, true])
    func merges(isKilled: Bool) async throws {
        let world = try await World()
        try await world.publish([("C", 1, "one"), ("A", 2, "one"), ("B", 3, "one")])
        try await world.publish([("B", 5, "two"), ("D", 6, "one")])
        let first = try #require(try await world.update(isKilled: isKilled))
        #expect(first.records == 4)
        #expect(first.firstID == "A" && first.lastID == "D")
        try await world.publish([("A", 7, "two"), ("0", 8, "one"), ("Ä", 8, "one")])
        let second = try await world.update(isKilled: isKilled)
        #expect(second?.records == 6)
        #expect(
            try world.rows() == [
                #"{"id":"0","modifiedTime":8,"text":"one"}"#, #"{"id":"A","modifiedTime":7,"text":"two"}"#,
                #"{"id":"B","modifiedTime":5,"text":"two"}"#, #"{"id":"C","modifiedTime":1,"text":"one"}"#,
                #"{"id":"D","modifiedTime":6,"text":"one"}"#, #"{"id":"Ä","modifiedTime":8,"text":"one"}"#,
            ])
        // Nothing is left to merge, and the state counts records, not rows.
        let third = try await world.update()
        #expect(third == nil)
        let counts = try await world.store.recordCounts(of: [world.stream.place])
        #expect(counts == [world.stream.place: 6])
    }

    @Test("an older version, exported again later, does not replace a newer one")
    func older() async throws {
        let world = try await World()
        try await world.publish([("A", 5, "new")])
        _ = try await world.update()
        try await world.publish([("A", 4, "old"), ("B", 1, "x")])
        _ = try await world.update()
        #expect(try world.rows().first == #"{"id":"A","modifiedTime":5,"text":"new"}"#)
        // Of one time, the later file has the newer version.
        try await world.publish([("A", 5, "newer")])
        _ = try await world.update()
        #expect(try world.rows().first == #"{"id":"A","modifiedTime":5,"text":"newer"}"#)
    }

    @Test("a change file that is missing or changed stops it, and the current file stays", arguments: [true, false])
    func damaged(isMissing: Bool) async throws {
        let world = try await World()
        try await world.publish([("A", 5, "new")])
        _ = try await world.update()
        try await world.publish([("B", 6, "new")])
        let path = "orders/changes/2.ndjson"
        if isMissing {
            try world.directory.remove(path)
        } else {
            try world.folder.write("out/\(path)", #"{"id":"B","modifiedTime":6,"text":"NEW"}"#.utf8 + [10])
        }
        let fault = ExportError.currentSource(path: path, isMissing ? .missing : .changed)
        await #expect(throws: fault) { _ = try await world.update() }
        #expect(try world.rows().count == 1)
    }

    @Test("a current file that was lost is made of all change files again")
    func lost() async throws {
        let world = try await World()
        try await world.publish([("A", 5, "new")])
        _ = try await world.update()
        try await world.publish([("B", 6, "new")])
        _ = try await world.update()
        let current = try #require(try await world.store.currentFile(of: "orders", in: world.stream.place))
        try await world.store.goBack(before: [current.place], in: "D")
        let all = try await world.store.changeFiles(of: "orders", in: world.stream.place, after: nil)
        #expect(all.map(\.mergedInto).contains(nil))
        #expect(all.count == 2)
    }

    @Test("long lines and many records")
    func many() async throws {
        let world = try await World()
        let long = String(repeating: "x", count: 3 << 20)
        var first: [(id: String, time: Int, text: String)] = []
        for number in 0..<5000 { first.append(("R\(number)", 1, number == 77 ? long : "short")) }
        try await world.publish(first)
        var second: [(id: String, time: Int, text: String)] = []
        for number in 4000..<6000 { second.append(("R\(number)", 2, "again")) }
        try await world.publish(second)
        let merged = try await world.update()
        #expect(merged?.records == 6000)
        let rows = try world.rows()
        #expect(rows.count == 6000)
        #expect(rows.filter { $0.hasSuffix(#""text":"again"}"#) }.count == 2000)
        #expect(rows.contains { $0.utf8.count > 3 << 20 })
    }
}

/// The versions of a list that is exported in full.
@Suite("lists in full: what changed")
struct ListedRecordsTests {
    @Test("added, changed and removed records are found once their run is recorded, and never twice")
    func changes() async throws {
        let folder = try TemporaryDirectory()
        let store = try await ExportStore.open(in: StateDirectory(path: folder["state"]))
        try await store.add("D", at: folder["out"])
        let stream = try await store.begin(
            destination: "D", environment: "https://x.test", merchant: "M", resource: "tenders", profile: nil, now: 1)
        func run(_ versions: [String: Int64], at time: Int64) async throws -> [String: String] {
            let all = versions.map { ListedRecords.Version(id: $0.key, hash: $0.value) }
            let listed = try ListedRecords()
            try listed.add(all)
            #expect(try listed.count == versions.count)
            let changes = try await store.changes(all, of: "tenders", in: stream.place)
            var found: [String: String] = [:]
            for (version, change) in zip(all, changes) { found[version.id] = change?.rawValue }
            let removed = Removed()
            try await store.removed(from: listed, of: "tenders", in: stream.place) { removed.ids.append($0) }
            for id in removed.ids { found[id] = "removed" }
            var plan = ExportPlan(request: "last", startedAt: time, finish: time, skipsKnownRecords: true)
            plan.windows = [PlannedWindow(field: nil, from: nil, to: time)]
            plan = try await store.add(plan, to: stream.place)
            var end = ExportStore.WindowEnd()
            end.listed["tenders"] = listed
            try await store.finish(0, of: plan, in: stream, end)
            return found
        }
        let runs: [(versions: [String: Int64], found: [String: String])] = [
            (["A": 1, "B": 2], ["A": "added", "B": "added"]),
            (["A": 1, "B": 3, "C": 1], ["B": "changed", "C": "added"]),
            (["B": 3, "C": 1], ["A": "removed"]), (["B": 3, "C": 1], [:]),
        ]
        for (number, expected) in runs.enumerated() {
            let found = try await run(expected.versions, at: Int64(number + 1))
            #expect(found == expected.found)
        }
    }

    private final class Removed: @unchecked Sendable {
        // One thread at a time: the test waits for each call.
        var ids: [String] = []
    }
}
