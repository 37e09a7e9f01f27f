import CloverTestSupport
import Foundation
import Testing

/// A run after an earlier one: an interrupted range, existing files, other options.
@Suite("export: after an earlier run")
struct ExportAgainTests {
    private static let down = LoopbackResponse(status: "503 Service Unavailable", "{}")

    /// Lower bounds of the requested orders, in milliseconds.
    private static func lower(_ request: LoopbackRequest) -> Int? {
        request.values(of: "filter").compactMap(\.removingPercentEncoding)
            .compactMap { $0.split(separator: ">=").last.flatMap { Int($0) } }.first
    }

    private static func isFirstPage(_ request: LoopbackRequest) -> Bool {
        request.path.hasSuffix("/orders") && ["0", nil].contains(request.values(of: "offset").first)
    }

    @Test("a day interrupted in one time zone is a different day in another")
    func dayOfZones() async throws {
        let world = AgainWorld()
        try await Sandbox.run(server: { request, _ in
            guard Self.isFirstPage(request) else { return .page([]) }
            if world.isDown { return Self.down }
            world.note(Self.lower(request) ?? 0)
            return .page([])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            func run(_ zone: String) async throws -> CommandResult {
                try await sandbox.clover(
                    "export", "orders", "--to", folder.path, "--day", "2026-03-10", "--retry", "0", "--time-zone", zone)
            }
            world.isDown = true
            expectFailure(try await run("Asia/Tokyo"), status: 69, saying: "503")
            world.isDown = false
            expectSuccess(try await run("America/New_York"))
            // Midnight there is four hours later than in Greenwich.
            #expect(world.noted == [1_773_115_200_000])
            #expect(try folder.manifest().map { $0["from"]?.string } == ["2026-03-10T04:00:00.000Z"])
            expectFailure(try await run("Asia/Tokyo"), status: 73, saying: "holds the same day with different bounds")
            // A correct range does not conflict with itself.
            expectSuccess(try await run("America/New_York"))
            expectSuccess(try await sandbox.clover("export", "status", "--to", folder.path))
        }
    }

    @Test("a range of dates in another time zone is a different range")
    func datesOfZones() async throws {
        let world = AgainWorld()
        try await Sandbox.run(server: { request, _ in
            guard Self.isFirstPage(request) else { return .page([]) }
            if world.isDown { return Self.down }
            world.note(Self.lower(request) ?? 0)
            return .page([])
        }) { sandbox, _ in
            let arguments = [
                "export", "orders", "--to", "out", "--since", "2026-01-01", "--until", "2026-01-03", "--retry", "0",
                "--time-zone",
            ]
            world.isDown = true
            expectFailure(try await sandbox.clover(arguments + ["Asia/Tokyo"]), status: 69, saying: "503")
            world.isDown = false
            expectSuccess(try await sandbox.clover(arguments + ["UTC"]))
            #expect(world.noted == [1_767_225_600_000])
        }
    }

    /// Runs of one date: the arguments of an export by date, with a clock at noon of a future day, so that no day ends
    /// during the test, and the offset of that clock.
    private func runsOfOneDate(
        in sandbox: Sandbox
    ) async throws -> (folder: ExportFolder, arguments: [String], clock: WallClock, noon: Int64) {
        let folder = sandbox.exports("out")
        let noon = 86_400 + 43_200 - Int64(Date().timeIntervalSince1970) % 86_400
        let arguments = [
            "export", "orders", "--to", folder.path, "--name", "{resource}/{date}.ndjson", "--time-zone", "UTC",
        ]
        return (folder, arguments, try await WallClock(ahead: noon, in: sandbox.directory), noon)
    }

    @Test("another run of a date adds a numbered file, whatever happened to earlier ones")
    func nameOfTheDay() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let (folder, arguments, clock, noon) = try await runsOfOneDate(in: sandbox)
            let armed = sandbox.with(clock.variables)
            expectSuccess(try await armed.clover(arguments))
            let first = try #require(folder.files.first)
            let stem = first.replacing(".ndjson", with: "")
            let bytes = try folder.read(first)
            for number in 2...3 {
                try await emulator.churn(20)
                expectSuccess(try await armed.clover(arguments))
                #expect(folder.files.contains("\(stem)-\(number).ndjson"), "\(folder.files)")
            }
            #expect(try folder.read(first) == bytes)
            // Nothing new, and no file for it.
            expectSuccess(try await armed.clover(arguments))
            #expect(folder.files.count == 3)
            let published = try folder.newest(of: "orders")
            for (id, record) in try await emulator.truth("orders") { #expect(published[id] == record, "\(id)") }
            // A name is not reused, so that a consumer that took the file away never gets another file of that name.
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(stem)-3.ndjson")
            try await emulator.churn(20)
            expectSuccess(try await armed.clover(arguments + ["--accept-missing"]))
            #expect(folder.files.contains("\(stem)-4.ndjson") && !folder.files.contains("\(stem)-3.ndjson"))
            try clock.set(noon + 86_400)
            try await emulator.churn(20)
            expectSuccess(try await armed.clover(arguments))
            #expect(folder.files.filter { !$0.hasPrefix(stem) }.count == 1, "\(folder.files)")
        }
    }

    @Test(
        "--since with the Export API gets records created since then, also when interrupted",
        arguments: [true, false])
    func exportAPISince(isBroken: Bool) async throws {
        let flags = ["--orders", "400", "--days", "60", "--now", "clock", "--no-limits", "--export-time", "1h"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let since = Int(Date().timeIntervalSince1970 - 20 * 86_400) * 1000
            let expected = Set(
                try await emulator.truth("orders").filter { ($0.value["createdTime"]?.integer ?? 0) >= since }.keys)
            try #require(!expected.isEmpty && expected.count < 300)
            let folder = sandbox.exports("out")
            let plain = ["export", "orders", "--to", folder.path]
            let arguments = plain + ["--via", "export-api", "--since", "\(since)", "-v"]
            if isBroken {
                let first = try sandbox.start(arguments)
                try await first.waitForErrors(containing: "requested an export")
                first.send(9)
                _ = try await first.result()
            }
            let second = try sandbox.start(arguments)
            while !second.hasEnded { try await emulator.control("/emulator/exports?advance=1h") }
            #expect(try await second.result().status == 0)
            #expect(Set(try folder.newest(of: "orders").keys) == expected)
            let next = try await sandbox.clover(plain + ["--summary"])
            expectSuccess(next)
            #expect(try sandbox.summary(next, "orders")["records"]?.integer == 0)
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(plain))
            let count = try folder.records(of: "orders").count
            #expect(count > expected.count && count <= expected.count + 30, "\(count) after \(expected.count)")
        }
    }

    @Test("a longer overlap reaches further back without duplicates")
    func longerOverlap() async throws {
        let world = AgainWorld()
        let (late, newest) = (1_777_300_000_000, 1_777_900_000_000)
        try await Sandbox.run(server: { request, _ in
            guard Self.isFirstPage(request), let from = Self.lower(request) else { return .page([]) }
            world.note(from)
            var records: [String] = []
            // One record becomes visible later than others that were changed after it.
            if world.isDown, from <= late { records.append(#"{"id":"LATE","modifiedTime":\#(late)}"#) }
            if from <= newest { records.append(#"{"id":"NEWEST","modifiedTime":\#(newest)}"#) }
            return .page(records)
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--window", "89d"]
            expectSuccess(
                try await sandbox.clover(arguments + ["--since", "2026-04-01T00:00Z", "--until", "2026-05-05T00:00Z"]))
            world.isDown = true
            _ = world.take()
            expectSuccess(try await sandbox.clover(arguments))
            #expect(world.take().first == newest - 300_000)
            #expect(try folder.newest(of: "orders").keys.sorted() == ["NEWEST"])
            expectSuccess(try await sandbox.clover(arguments + ["--overlap", "10d"]))
            #expect(world.take().first == newest - 10 * 86_400_000)
            #expect(try folder.newest(of: "orders").keys.sorted() == ["LATE", "NEWEST"])
            let count = try folder.records(of: "orders").count
            expectSuccess(try await sandbox.clover(arguments + ["--overlap", "10d"]))
            #expect(world.take().first == newest - 10 * 86_400_000)
            #expect(try folder.records(of: "orders").count == count)
        }
    }

    @Test("a range is complete after an interrupted run, on a pipe and when files are missing")
    func everything() async throws {
        let world = AgainWorld()
        try await Sandbox.run(server: { request, _ in
            guard Self.isFirstPage(request), let from = Self.lower(request) else { return .page([]) }
            if world.isDown, from == 1_768_089_600_000 { return Self.down }
            return .page([#"{"id":"R\#(from)","modifiedTime":\#(from)}"#])
        }) { sandbox, _ in
            let arguments = [
                "export", "orders", "--since", "2026-01-01T00:00Z", "--until", "2026-01-31T00:00Z", "--window", "10d",
                "--retry", "0",
            ]
            world.isDown = true
            expectFailure(try await sandbox.clover(arguments), status: 79, saying: "503", output: nil)
            let folder = sandbox.exports("out")
            expectFailure(try await sandbox.clover(arguments + ["--to", folder.path]), status: 79, saying: "503")
            let names = folder.files.sorted()
            #expect(names.count == 2)
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(names[0])")
            world.isDown = false
            let again = try await sandbox.clover(arguments)
            expectSuccess(again)
            #expect(again.lines.count == 3)
            expectSuccess(try await sandbox.clover(arguments + ["--to", folder.path]))
            #expect(folder.files.count == 3)
            #expect(folder.files.contains(names[0]))
        }
    }

    @Test("a range interrupted in one form is not resumed in another")
    func otherForm() async throws {
        let world = AgainWorld()
        try await Sandbox.run(server: { request, _ in
            guard Self.isFirstPage(request), let from = Self.lower(request) else { return .page([]) }
            if world.isDown, from == 1_768_089_600_000 { return Self.down }
            return .page([#"{"id":"R\#(from)","modifiedTime":\#(from)}"#])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "--to", folder.path, "--since", "2026-01-01T00:00Z", "--until", "2026-01-31T00:00Z",
                "--window",
                "10d", "--retry", "0",
            ]
            world.isDown = true
            expectFailure(try await sandbox.clover(arguments), status: 79, saying: "503")
            world.isDown = false
            expectSuccess(try await sandbox.clover(arguments + ["--format", "csv", "--fields", "id"]))
            #expect(folder.files.count { $0.hasSuffix(".csv") } == 3)
        }
    }

    @Test("a part requested later is exported from the beginning, including what earlier runs skipped")
    func laterPart() async throws {
        try await Sandbox.run(unpaced: ["--orders", "300", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path]
            let with = arguments + ["--with", "line_items"]
            func entries(_ folder: ExportFolder) throws -> Set<String> {
                Set(
                    try folder.records(of: "orders.line_items").map {
                        "\($0["parentId"]?.string ?? "") \($0["id"]?.string ?? "")"
                    })
            }
            func expectAll(_ name: String) async throws {
                let fresh = sandbox.exports(name)
                expectSuccess(
                    try await sandbox.clover("export", "orders", "--to", fresh.path, "--with", "line_items"))
                let all = try entries(fresh)
                #expect(!all.isEmpty)
                #expect(all.subtracting(try entries(folder)).isEmpty, "\(name)")
            }
            expectSuccess(try await sandbox.clover(arguments))
            expectSuccess(try await sandbox.clover(with))
            try await expectAll("first")
            // No record was exported again for it.
            #expect(try folder.records(of: "orders").count == 300)
            let files = folder.files
            expectSuccess(try await sandbox.clover(with))
            #expect(folder.files == files)

            try await emulator.churn(40)
            expectSuccess(try await sandbox.clover(arguments))
            expectSuccess(try await sandbox.clover(with))
            try await expectAll("second")
            try folder.expectWhole()
        }
    }

    @Test("a part requested later does not reuse the name of the day's own file")
    func laterPartOfTheDay() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let (folder, arguments, clock, noon) = try await runsOfOneDate(in: sandbox)
            let armed = sandbox.with(clock.variables)
            expectSuccess(try await armed.clover(arguments))
            try await emulator.churn(30)
            try clock.set(noon + 86_400)
            expectSuccess(try await armed.clover(arguments + ["--with", "line_items"]))
            let truth = try await emulator.truth("orders")
            let published = try folder.newest(of: "orders")
            #expect(truth.filter { published[$0.key] != $0.value }.isEmpty)
            let parents = Set(try folder.records(of: "orders.line_items").compactMap { $0["parentId"]?.string })
            #expect(!parents.isEmpty && parents.isSubset(of: truth.keys))
            #expect(folder.files.count { $0.hasPrefix("orders.line_items/") } == 2)
        }
    }

    @Test("a growing file gets no duplicates, and no records that do not fit its header")
    func additions() async throws {
        try await Sandbox.run(unpaced: ["--orders", "300", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let base = ["export", "orders", "--to", folder.path, "--append", "--name", "orders.csv"]
            let columns = ["--format", "csv", "--fields", "id,total"]
            let range = ["--since", "2026-01-26T00:00Z", "--until", "2026-01-28T00:00Z"]
            expectSuccess(try await sandbox.clover(base + columns + range))
            let bytes = try folder.read("orders.csv")
            #expect(!bytes.isEmpty)
            let again = try await sandbox.clover(base + columns + range)
            #expect(again.status == 0, "\(again)")
            #expect(
                again.errorText.contains("orders.csv already contains 1 window of this range; not added again"))
            #expect(try folder.read("orders.csv") == bytes)
            for range in [["--since", "2026-01-27T00:00Z", "--until", "2026-01-29T00:00Z"], ["--full"]] {
                expectFailure(
                    try await sandbox.clover(base + columns + range), status: 73,
                    saying: "has orders 2026-01-26T00:00:00.000Z..2026-01-28T00:00:00.000Z already")
            }
            for other in [["--format", "csv", "--fields", "id"], ["--format", "ndjson"], ["--format", "tsv"]] {
                expectFailure(
                    try await sandbox.clover(base + other), status: 73,
                    saying: "in another form: --format csv --fields id,total")
                expectFailure(
                    try await sandbox.clover(base + other + ["--since", "2026-01-28T00:00Z"]), status: 73,
                    saying: "is written in another form")
            }
            #expect(try folder.read("orders.csv") == bytes)
            // What comes after it is added.
            expectSuccess(
                try await sandbox.clover(
                    base + columns + ["--since", "2026-01-28T00:00Z", "--until", "2026-01-30T00:00Z"]))
            let ids = try folder.lines(of: "orders.csv").map { $0.prefix { $0 != "," } }
            #expect(ids.count == Set(ids).count)
            #expect(try folder.read("orders.csv").starts(with: bytes))
            #expect(try folder.manifest().count == 2)
        }
    }

    @Test("exports to standard output conflict only for the same resource")
    func twoToStandardOutput() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/orders") ? LoopbackResponse(bytes: [], ending: .hold) : .page([])
            }, weight: 3
        ) { sandbox, server in
            let first = try sandbox.start("export", "orders")
            try await server.waitForRequests(1)
            expectSuccess(try await sandbox.clover("export", "items"))
            expectFailure(
                try await sandbox.clover("export", "orders"), status: 75,
                saying: "another export to standard output of orders is running")
            first.send(9)
            _ = try await first.result()
        }
    }

    @Test("a copy of a destination starts as a new one, and the original continues")
    func copies() async throws {
        try await Sandbox.run(unpaced: ["--orders", "120", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let (original, copy) = (sandbox.exports("original"), sandbox.exports("copy"))
            func export(_ folder: ExportFolder) async throws -> Int? {
                let result = try await sandbox.clover("export", "orders", "--to", folder.path, "--summary")
                expectSuccess(result)
                return try sandbox.summary(result, "orders")["records"]?.integer
            }
            func expectAll(_ folder: ExportFolder) async throws {
                let published = try folder.newest(of: "orders")
                let truth = try await emulator.truth("orders")
                #expect(truth.filter { published[$0.key] != $0.value }.isEmpty, "\(folder.name)")
                try folder.expectWhole()
            }
            #expect(try await export(original) == 120)
            try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
            try await emulator.churn(30)
            // The original runs first, so that a shared state would make the copy skip everything.
            #expect(try await export(original) ?? 0 > 0)
            _ = try await export(copy)
            try await expectAll(original)
            try await expectAll(copy)
            try await emulator.churn(30)
            #expect(try await export(copy) ?? 0 > 0)
            #expect(try await export(original) ?? 0 > 0)
            try await expectAll(original)
            try await expectAll(copy)
            let status = try JSONValue.lines(try await sandbox.clover("export", "status").lines)
            #expect(Set(status.map { $0["destination"]?.string }) == [original.path, copy.path])
            #expect(status.count == 2)
        }
    }

    @Test("a destination removed and recreated appears once in the status")
    func begunAnew() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            for _ in 0..<2 {
                expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
                expectSuccess(try await sandbox.clover("export", "items", "--to", folder.path))
                try FileManager.default.removeItem(atPath: folder.path)
            }
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
            #expect(try await sandbox.clover("export", "status").lines.count == 1)
        }
    }
}

/// State of a scripted shop.
private final class AgainWorld: @unchecked Sendable {
    private let lock = NSLock()
    private var bounds: [Int] = []
    private var flag = false

    /// Whether the service is out of order, or different from before.
    var isDown: Bool {
        get { lock.withLock { flag } }
        set { lock.withLock { flag = newValue } }
    }
    var noted: [Int] { lock.withLock { bounds } }
    func note(_ bound: Int) { lock.withLock { bounds.append(bound) } }
    /// What was noted since.
    func take() -> [Int] {
        lock.withLock {
            defer { bounds = [] }
            return bounds
        }
    }
}
