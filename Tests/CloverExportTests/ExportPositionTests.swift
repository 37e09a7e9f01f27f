import CloverExport
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

/// What the state takes over from a destination that says itself how far it is.
@Suite("export state: positions of databases")
struct ExportPositionTests {
    private struct World {
        let root: TemporaryDirectory
        let store: ExportStore
        let stream: ExportStream

        init() async throws {
            root = try TemporaryDirectory()
            store = try await ExportStore.open(in: StateDirectory(path: try root.makeFolder("state")))
            try await store.add("D", at: "sqlite:/shop.db")
            stream = try await store.begin(
                destination: "D", environment: "us", merchant: "M", resource: "orders", profile: nil, now: 1)
        }

        /// An unfinished plan of three windows, of which two are written.
        func plan() async throws -> ExportPlan {
            var plan = ExportPlan(request: "last", startedAt: 10, finish: 30, skipsKnownRecords: true)
            plan.windows = [0, 10, 20].map { PlannedWindow(field: "modifiedTime", from: $0, to: $0 + 10) }
            plan = try await store.add(plan, to: stream.place)
            for index in 0..<2 {
                var end = ExportStore.WindowEnd()
                (end.records, end.revision) = (1, Int64(100 + index))
                var seen = ExportedVersions(known: [:], field: "modifiedTime", newest: nil, end: 30, overlap: 30)
                var batch = RecordBatch()
                Array(#"{"id":"A\#(index)","modifiedTime":\#(index)}"#.utf8).withUnsafeBytes { batch.append($0) }
                seen.drop(from: &batch)
                end.found = seen.found
                try await store.finish(index, of: plan, in: stream, end)
            }
            return plan
        }
    }

    @Test("the state has the revision of the last window, and which windows are written")
    func revision() async throws {
        let world = try await World()
        let plan = try await world.plan()
        let found = try await world.store.position(of: world.stream.place)
        #expect(found.revision == 101)
        #expect(found.plans == [plan.identity: [0, 1]])
        #expect(found.position == ExportPosition())
    }

    @Test("a plan goes on when the database has its windows, and more; otherwise it is made again")
    func plans() async throws {
        for (windows, isKept) in [(Set([0, 1, 2]), true), ([0], false), ([], false)] {
            let world = try await World()
            let plan = try await world.plan()
            try await world.store.restore(
                ExportPosition(), revision: 7, windows: [plan.identity: windows], of: world.stream.place)
            let left = try await world.store.plan("last", of: world.stream.place)
            #expect((left != nil) == isKept, "\(windows)")
            #expect(try await world.store.position(of: world.stream.place).revision == 7)
        }
    }

    @Test("a part that a run did not export is in step with the bookmark only if there was nothing new")
    func partsBehind() async throws {
        for (isNew, bookmark, reached) in [(true, 0, -1), (true, -50, 0), (true, 20, 0), (false, 20, 20)] {
            let world = try await World()
            var end = ExportStore.PlanEnd()
            (end.bookmark, end.overlap, end.parts) = (0, 5, ["line_items"])
            try await world.store.complete(try await world.plan(), of: world.stream.place, end, now: 40)
            (end.bookmark, end.parts) = (Int64(bookmark), [])
            let next =
                if isNew { try await world.plan() } else {
                    try await world.store.add(
                        ExportPlan(request: "last", startedAt: 40, finish: 50, skipsKnownRecords: true),
                        to: world.stream.place)
                }
            try await world.store.complete(next, of: world.stream.place, end, now: 60)
            let parts = try await world.store.parts(of: world.stream.place)
            #expect(parts == ["line_items": Int64(reached)], "\(bookmark)")
        }
    }

    @Test("another position replaces the state's, and forgets the record versions that the database may not have")
    func restored() async throws {
        let world = try await World()
        let plan = try await world.plan()
        var end = ExportStore.PlanEnd()
        (end.bookmark, end.overlap, end.parts) = (0, 5, ["line_items"])
        end.form = ExportForm(choice: "c", words: "--format ndjson")
        try await world.store.complete(plan, of: world.stream.place, end, now: 40)
        #expect(try await world.store.knownRecords(of: world.stream.place).count == 2)
        let before = try await world.store.position(of: world.stream.place)
        #expect(before.position.bookmark == 0)
        #expect(before.position.parts == ["line_items": 0])
        #expect(before.plans.isEmpty)
        var position = ExportPosition()
        (position.bookmark, position.overlap, position.content) = (-50, 3, "sum")
        position.parts = ["payments": -60]
        try await world.store.restore(position, revision: nil, windows: [:], of: world.stream.place)
        let after = try await world.store.position(of: world.stream.place)
        #expect(after.position == position)
        #expect(after.revision == nil)
        #expect(try await world.store.knownRecords(of: world.stream.place).isEmpty)
        #expect(try await world.store.parts(of: world.stream.place) == ["payments": -60])
    }
}
