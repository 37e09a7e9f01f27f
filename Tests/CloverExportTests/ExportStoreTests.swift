import CloverExport
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

@Suite("export state: missing files and their merchants")
struct ExportStoreTests {
    private static let destination = "D"
    private static let day: Int64 = 86_400_000

    /// A state with one destination.
    private struct World {
        let root: TemporaryDirectory
        let store: ExportStore

        init() async throws {
            root = try TemporaryDirectory()
            store = try await ExportStore.open(in: StateDirectory(path: try root.makeFolder("state")))
            try await store.add(ExportStoreTests.destination, at: "/out")
        }

        func stream(_ resource: String = "orders", of merchant: String = "M", profile: String? = nil) async throws
            -> ExportStream
        {
            try await store.begin(
                destination: ExportStoreTests.destination, environment: "us", merchant: merchant, resource: resource,
                profile: profile, now: 1)
        }

        /// Publishes files of one window each, in a successful run.
        @discardableResult
        func publish(_ files: [PublishedFile], in stream: ExportStream, request: String = "full") async throws
            -> ExportPlan
        {
            var plan = ExportPlan(request: request, startedAt: 10, finish: 10, skipsKnownRecords: false)
            plan.windows = files.map(\.window)
            plan = try await store.add(plan, to: stream.place)
            for (index, file) in files.enumerated() {
                var end = ExportStore.WindowEnd()
                (end.files, end.records) = ([file], 1)
                try await store.finish(index, of: plan, in: stream, end)
            }
            return plan
        }
    }

    private static func file(
        _ path: String, day number: Int64 = 0, resource: String = "orders", offset: Int64? = nil,
        of date: String? = nil, isTagged: Bool? = false
    ) -> PublishedFile {
        let members = [offset.map { #","offset":\#($0)"# }, date.map { #","day":"\#($0)","partial":true"# }]
        var file = PublishedFile(
            path: path, resource: resource,
            window: PlannedWindow(field: "createdTime", from: number * day, to: (number + 1) * day))
        file.line = #"{"file":"\#(path)"\#(members.compactMap(\.self).joined()),"bytes":5}"#
        file.isFirst = offset ?? 0 == 0
        file.isTagged = isTagged
        return file
    }

    private func expected(_ world: World, _ stream: ExportStream) async throws -> [String] {
        (try await world.store.expectedFiles(of: [stream.place])[stream.place] ?? []).map(\.path)
    }

    @Test("expects each file of a stream once until it is forgotten, and again after it is published again")
    func forgotten() async throws {
        let world = try await World()
        let (orders, items) = (try await world.stream(), try await world.stream("items"))
        try await world.publish(
            [Self.file("b"), Self.file("a", offset: 0), Self.file("a", day: 1, offset: 5)], in: orders)
        try await world.publish([Self.file("c", resource: "items")], in: items)
        #expect(try await expected(world, orders) == ["a", "b"])
        let files = try await world.store.expectedFiles(of: [orders.place, items.place])
        #expect(files[items.place] == [ExportStore.ExpectedFile(path: "c", size: 5, grows: false)])
        #expect(
            files[orders.place] == [
                ExportStore.ExpectedFile(path: "a", size: 10, grows: true),
                ExportStore.ExpectedFile(path: "b", size: 5, grows: false),
            ])
        try await world.store.forget(missing: ["a"], in: Self.destination)
        #expect(try await expected(world, orders) == ["b"])
        try await world.publish([Self.file("a", day: 2, offset: 0)], in: orders, request: "again")
        #expect(try await expected(world, orders) == ["a", "b"])
    }

    @Test("a copy whose file is not as the original's does not expect it")
    func copiedFiles() async throws {
        let world = try await World()
        try await world.publish(
            [
                Self.file("grows", offset: 0), Self.file("grows", day: 1, offset: 5), Self.file("same", day: 2),
                Self.file("gone", day: 3),
            ], in: try await world.stream())
        try await world.store.copy(Self.destination, as: "COPY", at: "/copy", manifestSize: 0) { file in
            switch file.path {
            case "grows": file.isThere(size: 5)
            case "same": file.isThere(size: 5)
            default: nil
            }
        }
        let copy = try #require(try await world.store.streams().first { $0.destination == "COPY" })
        #expect(try await expected(world, copy) == ["same"])
        #expect(try await world.store.windows(of: ["grows", "same", "gone"], in: copy).count == 3)
    }

    @Test("returns the windows of a missing file: all additions since its start, and a day with its date")
    func windows() async throws {
        let world = try await World()
        let stream = try await world.stream()
        try await world.publish(
            [
                Self.file("grows", offset: 0), Self.file("grows", day: 1, offset: 5),
                // Moved away and started again.
                Self.file("grows", day: 2, offset: 0), Self.file("grows", day: 3, offset: 5),
                Self.file("day", day: 4, of: "1970-01-05"),
            ], in: stream)
        let windows = try await world.store.windows(of: ["day", "grows"], in: stream)
        #expect(windows.map(\.path) == ["grows", "grows", "day"])
        #expect(windows.map(\.window.from) == [2, 3, 4].map { $0 * Self.day })
        #expect(windows.map(\.grows) == [true, true, false])
        #expect(windows.map(\.day) == [nil, nil, "1970-01-05"])
        #expect(windows.map(\.isPartial) == [false, false, true])
    }

    @Test("windows of an incremental run that will be resumed can be exported again with those before them")
    func resumedWindows() async throws {
        let world = try await World()
        let stream = try await world.stream()
        let files = [Self.file("grows", offset: 0), Self.file("grows", day: 1, offset: 5)]
        for (isIncremental, count) in [(false, 0), (true, 2)] {
            var plan = ExportPlan(
                request: "\(isIncremental)", startedAt: 10, finish: 10, skipsKnownRecords: isIncremental)
            plan.windows = files.map(\.window) + [PlannedWindow(field: "createdTime", from: 2 * Self.day, to: 10)]
            plan = try await world.store.add(plan, to: stream.place)
            for (index, file) in files.enumerated() {
                var end = ExportStore.WindowEnd()
                end.files = [file]
                try await world.store.finish(index, of: plan, in: stream, end)
            }
            let windows = try await world.store.windows(of: ["grows"], in: stream)
            #expect(windows.count { $0.isRegular } == count)
        }
    }

    @Test(
        "a lost file of failed records has its window exported again, and its records are among those of the resource")
    func failedRecords() async throws {
        let world = try await World()
        let stream = try await world.stream()
        var plan = ExportPlan(request: "last", startedAt: 10, finish: 10, skipsKnownRecords: true)
        let window = PlannedWindow(field: "modifiedTime", from: 5 * Self.day, to: 6 * Self.day)
        plan.windows = [window]
        plan = try await world.store.add(plan, to: stream.place)
        let lines = [
            #"{"resource":"orders","merchant":"M","id":"A","error":"no","record":{"id":"A","modifiedTime":7}}"#,
            #"{"resource":"orders","merchant":"M","id":"B","error":"parse error: no","record":"{"}"#,
        ]
        let text = lines.map { $0 + "\n" }.joined()
        var file = PublishedFile(path: "failed/a.ndjson", resource: "orders.failed", window: window)
        file.role = .failed
        file.line =
            #"{"file":"failed/a.ndjson","resource":"orders.failed","role":"failed","merchant":"M","environment":"us","#
            + #""to":"1970-01-07T00:00:00.000Z","records":2,"results":2,"bytes":\#(text.utf8.count),"#
            + #""sha256":"\#(SHA256.hash(Array(text.utf8)).hexadecimalDigits)"}"#
        var end = ExportStore.WindowEnd()
        end.files = [file]
        try await world.store.finish(0, of: plan, in: stream, end)
        var done = ExportStore.PlanEnd()
        (done.bookmark, done.overlap) = (6 * Self.day, 0)
        try await world.store.complete(plan, of: stream.place, done, now: 20)
        #expect(try await expected(world, stream) == ["failed/a.ndjson"])
        // It is no file of the export's own results.
        #expect(try await world.store.stream(stream.place).files == 0)

        _ = try world.root.makeFolder("out/failed")
        try world.root.write("out/failed/a.ndjson", Array(text.utf8))
        var found: [String] = []
        let reason = try await ExportedRecords.read(
            of: "orders", merchant: "M", in: world.root["out"], world.store.known(Self.destination)
        ) { batch, areFailed in
            for record in batch.records {
                found.append(
                    "\(batch.id(of: record) ?? "") \(batch.value(of: "modifiedTime", in: record) ?? "-") \(areFailed)")
            }
        }
        #expect(reason == nil)
        #expect(found == ["A 7 true", "B - true"])

        let row = try #require(try await world.store.windows(of: ["failed/a.ndjson"], in: stream).first)
        #expect(row.isRegular && row.role == .failed)
        try await world.store.goBack(before: [row.place], in: Self.destination)
        #expect(try await world.store.stream(stream.place).bookmark ?? 0 < 5 * Self.day)
    }

    @Test("a window exported again replaces the missing one, in the manifest too")
    func replaced() async throws {
        let world = try await World()
        let stream = try await world.stream()
        try await world.publish([Self.file("a"), Self.file("b", day: 1)], in: stream)
        let missing = try await world.store.windows(of: ["a", "b"], in: stream)
        try await world.publish([Self.file("a")], in: stream, request: "missing")
        for window in missing {
            try await world.store.replaced(window, in: stream)
            #expect(try await !world.store.hasFile(window))
        }
        // The second window had no records any more.
        #expect(try await expected(world, stream) == ["a"])
        #expect(try world.store.manifestLines(of: Self.destination).count == 1)
    }

    @Test("a current file is made of the file that replaced another, also before the run that wrote it is complete")
    func changeFiles() async throws {
        let world = try await World()
        let stream = try await world.stream()
        func paths() async throws -> [String] {
            try await world.store.changeFiles(of: "orders", in: stream.place, after: nil).map(\.path)
        }
        let plan = try await world.publish([Self.file("a"), Self.file("b", day: 1)], in: stream, request: "last")
        #expect(try await paths() == [])
        var end = ExportStore.PlanEnd()
        end.bookmark = 5
        try await world.store.complete(plan, of: stream.place, end, now: 20)
        #expect(try await paths() == ["a", "b"])
        try await world.publish([Self.file("a")], in: stream)
        #expect(try await paths() == ["b", "a"])
    }

    @Test("keeps the default columns with which a form began, also of versions that did not store them")
    func defaultColumns() async throws {
        let world = try await World()
        let stream = try await world.stream()
        func columns(
            _ form: String = "csv", of resource: String = "orders", choice: String = "csv", hasBegun: Bool = false,
            current: [String] = ["id", "employee.id"]
        ) async throws -> [String] {
            try await world.store.columns(
                of: resource, in: stream.place, form: form, choice: choice, hasBegun: hasBegun, current: current,
                original: ["id"])
        }
        #expect(try await columns() == ["id", "employee.id"])
        #expect(try await columns(current: ["id", "later"]) == ["id", "employee.id"])
        #expect(try await columns(hasBegun: true) == ["id", "employee.id"])
        #expect(try await columns("tsv", choice: "tsv", hasBegun: true) == ["id"])
        #expect(try await columns("tsv", choice: "tsv") == ["id"])
        // A file of an earlier version.
        var file = Self.file("a", resource: "payments")
        file.choice = "csv"
        try await world.publish([file], in: stream)
        #expect(try await columns(of: "payments") == ["id"])
        #expect(try await columns("other", of: "payments", choice: "other") == ["id", "employee.id"])
        // A copy of the destination goes on in the same way.
        try await world.store.copy(
            Self.destination, as: "COPY", at: "/copy", manifestSize: 0, compare: { _ in true })
        let copy = try await world.store.begin(
            destination: "COPY", environment: "us", merchant: "M", resource: "orders", profile: nil, now: 2)
        let copied = try await world.store.columns(
            of: "orders", in: copy.place, form: "csv", choice: "csv", hasBegun: true, current: [], original: ["id"])
        #expect(copied == ["id", "employee.id"])
    }

    @Test("knows the merchants of files that do not have the merchant in their names, and which of them are tagged")
    func merchants() async throws {
        let world = try await World()
        let plain = try await world.stream(of: "PLAIN", profile: "p")
        let named = try await world.stream(of: "NAMED")
        let tagged = try await world.stream(of: "TAGGED")
        let quiet = try await world.stream(of: "QUIET")
        _ = try await world.stream(of: "NONE")
        try await world.store.keep(ExportForm(choice: "", words: "--format csv --tag-merchant"), of: quiet.place)
        #expect(try await world.store.merchants(of: Self.destination).exports.isEmpty)
        try await world.publish([Self.file("orders/a")], in: plain)
        try await world.publish([Self.file("NAMED/orders/a")], in: named)
        try await world.publish([Self.file("orders/b", isTagged: true)], in: tagged)
        // As written by an earlier version.
        try await world.publish([Self.file("orders/c", day: 1, isTagged: nil)], in: tagged, request: "day")
        // A successful run without records.
        let plan = try await world.publish([], in: quiet)
        var end = ExportStore.PlanEnd()
        end.isRegular = true
        try await world.store.complete(plan, of: quiet.place, end, now: 20)
        func exports(_ stream: ExportStream, isTagged: Bool, hasFiles: Bool = true) -> DestinationMerchants.Exports {
            DestinationMerchants.Exports(
                merchant: stream.merchant, profile: stream.profile, isTagged: isTagged, hasFiles: hasFiles,
                place: stream.place)
        }
        #expect(
            try await world.store.merchants(of: Self.destination).exports == [
                exports(plain, isTagged: false), exports(tagged, isTagged: false), exports(tagged, isTagged: true),
                exports(quiet, isTagged: true, hasFiles: false),
            ])
        #expect(try await world.store.merchants(of: "other").exports.isEmpty)
    }
}
