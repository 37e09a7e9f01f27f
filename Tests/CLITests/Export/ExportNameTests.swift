import CloverTestSupport
import Foundation
import Testing

/// Names with a date: a file has records of that date, and an earlier run's file does not stop a run.
@Suite("export: names by date")
struct ExportNameTests {
    private static let names = ["--name", "{resource}/{date}.ndjson"]

    /// A shop with one record for each requested start time.
    private static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        guard request.path.hasSuffix("/orders"), ["0", nil].contains(request.values(of: "offset").first) else {
            return .page([])
        }
        let from =
            request.values(of: "filter").compactMap(\.removingPercentEncoding)
            .compactMap { $0.split(separator: ">=").last.flatMap { Int($0) } }.first ?? 0
        return .page([#"{"id":"R\#(from)","modifiedTime":\#(from)}"#])
    }

    @Test("windows of days follow the merchant's local dates, also on clock changes")
    func localDays() async throws {
        try await Sandbox.run(server: { request, _ in Self.answer(request) }) { sandbox, _ in
            for (since, until, expected) in [
                (
                    "2026-10-31T12:00Z", "2026-11-03T12:00Z",
                    ["2026-10-31 16", "2026-11-01 25", "2026-11-02 24", "2026-11-03 7"]
                ),
                ("2026-03-07T05:00Z", "2026-03-10T04:00Z", ["2026-03-07 24", "2026-03-08 23", "2026-03-09 24"]),
            ] {
                let folder = sandbox.exports(since)
                let arguments =
                    [
                        "export", "orders", "--to", folder.path, "--time-zone", "America/New_York", "--since", since,
                        "--until", until, "--window", "1d",
                    ] + Self.names
                expectSuccess(try await sandbox.clover(arguments))
                let windows = try folder.manifest().map { line in
                    let times = try ["from", "to"].map { key in
                        try Date(
                            #require(line[key]?.string),
                            strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
                    }
                    let hours = Int(times[1].timeIntervalSince(times[0]) / 3600)
                    return "\(line["file"]?.string ?? "") \(hours)"
                }
                #expect(windows == expected.map { "orders/\($0.replacing(" ", with: ".ndjson "))" })
                // The same again has the same names.
                let before = try folder.contents()
                expectSuccess(try await sandbox.clover(arguments))
                #expect(try folder.contents() == before)
            }
        }
    }

    @Test("windows of one date are numbered in order, whichever of them failed at first")
    func numbered() async throws {
        let isDown = Counter()
        try await Sandbox.run(server: { request, _ in
            let filters = request.values(of: "filter").compactMap(\.removingPercentEncoding)
            // The second window of the first date: 2026-01-01T06:00Z.
            if isDown.value == 0, filters.contains("modifiedTime>=1767247200000") {
                return LoopbackResponse(status: "503 Service Unavailable", "{}")
            }
            return Self.answer(request)
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments =
                [
                    "export", "orders", "--to", folder.path, "--time-zone", "UTC", "--since", "2026-01-01T00:00Z",
                    "--until",
                    "2026-01-02T12:00Z", "--window", "6h", "--retry", "0",
                ] + Self.names
            expectFailure(try await sandbox.clover(arguments), status: 79, saying: "503")
            let first = try folder.contents()
            #expect(first.count == 5 && first["orders/2026-01-01-2.ndjson"] == nil)
            isDown.add()
            expectSuccess(try await sandbox.clover(arguments))
            let names = ["01", "01-2", "01-3", "01-4", "02", "02-2"].map { "orders/2026-01-\($0).ndjson" }
            #expect(folder.files.sorted() == names.sorted())
            for (file, bytes) in first { #expect(try folder.read(file) == bytes, "\(file)") }
            let lines = try folder.manifest().sorted { $0["from"]?.string ?? "" < $1["from"]?.string ?? "" }
            #expect(lines.map { $0["file"]?.string } == names)
            #expect(lines.map { $0["number"]?.integer } == [nil, 2, 3, 4, nil, 2])
        }
    }

    @Test("another run of the same date adds a numbered file, the same one after kill -9")
    func furtherRuns() async throws {
        try await Sandbox.run(emulator: ["--orders", "600", "--no-limits"]) { sandbox, _ in
            let base = ["export", "orders", "--no-pacing", "--time-zone", "UTC", "--with", "line_items"] + Self.names
            let ends = ["2026-01-30T06:00Z", "2026-01-30T12:00Z", "2026-01-30T20:00Z"]
            func run(_ folder: ExportFolder, until end: String, in sandbox: Sandbox) async throws -> CommandResult {
                try await sandbox.clover(base + ["--to", folder.path, "--until", end])
            }
            let reference = sandbox.exports("reference")
            for end in ends { expectSuccess(try await run(reference, until: end, in: sandbox)) }
            let expected = try reference.contents()
            #expect(expected.keys.contains("orders/2026-01-30-2.ndjson"), "\(expected.keys)")
            let ids = try reference.records(of: "orders").compactMap { $0["id"]?.string }
            #expect(ids.count == Set(ids).count)

            let points = Scale.pick(6, full: 60)
            var killed = 0
            for point in 0..<points {
                let folder = sandbox.exports("run-\(point)")
                for (number, end) in ends.enumerated() {
                    if number == 1 {
                        let kill = KillPoint(
                            number: 20 + 12 * point, side: point.isMultiple(of: 2) ? .after : .before)
                        let armed = try await kill.arm(sandbox, log: "run-\(point).log")
                            .with(["KILL_POINT_FOLDER": sandbox.directory.path])
                        let result = try await run(folder, until: end, in: armed)
                        if result.ending == .signalled(9) { killed += 1 } else { expectSuccess(result) }
                    }
                    expectSuccess(try await run(folder, until: end, in: sandbox))
                }
                #expect(try folder.contents() == expected, "\(point)")
                try folder.expectWhole()
            }
            #expect(killed > 0)
        }
    }

    @Test("a day that is not over is exported so far, and again by the next run")
    func dayUnderWay() async throws {
        let count = Counter()
        // The date by the program's clock, in milliseconds.
        let midnight = (Int(Date().timeIntervalSince1970) / 86_400 + 1) * 86_400_000
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders"), ["0", nil].contains(request.values(of: "offset").first) else {
                return .page([])
            }
            let filters = request.values(of: "filter").compactMap(\.removingPercentEncoding)
            func bound(_ comparison: String) -> Int? {
                filters.first { $0.hasPrefix(comparison) }.flatMap { Int($0.dropFirst(comparison.count)) }
            }
            let wanted = (bound("createdTime>=") ?? 0)..<(bound("createdTime<") ?? .max)
            return .page(
                (0...count.value).filter { wanted.contains(midnight + $0) }.map {
                    #"{"id":"R\#($0)","createdTime":\#(midnight + $0)}"#
                })
        }) { sandbox, server in
            let folder = sandbox.exports("out")
            let noon = 86_400 + 43_200 - Int64(Date().timeIntervalSince1970) % 86_400
            let clock = try await WallClock(ahead: noon, in: sandbox.directory)
            let armed = sandbox.with(clock.variables)
            let arguments = ["export", "orders", "--to", folder.path, "--time-zone", "UTC", "--day"]
            for round in 1...2 {
                let result = try await armed.clover(arguments + ["today", "-v"])
                #expect(result.status == 0 && result.errorText.contains("is not over"), "\(result)")
                #expect(folder.files.count == 1)
                #expect(try folder.lines(of: try #require(folder.files.first)).count == round)
                let line = try #require(try folder.manifest().last)
                #expect(line["partial"] == .bool(true))
                #expect(line["to"]?.string?.contains("T12:") == true, "\(line)")
                count.add()
            }
            // The same records, but now it is known that there are no others.
            try clock.set(noon + 86_400)
            for _ in 0..<2 { expectSuccess(try await armed.clover(arguments + ["yesterday"])) }
            #expect(folder.files.count == 1)
            #expect(try folder.lines(of: try #require(folder.files.first)).count == 3)
            let lines = try folder.manifest()
            #expect(lines.count == 1 && lines.last?["partial"] == nil)
            #expect(lines.last?["to"]?.string?.hasSuffix("T00:00:00.000Z") == true)

            let before = server.requests.count
            expectFailure(
                try await armed.clover(arguments + ["2099-01-01"]), status: 64,
                saying: "2099-01-01 has not begun: it begins at 2099-01-01T00:00:00.000Z")
            #expect(server.requests.count == before)
        }
    }

    @Test("a period is one file for each of its days, in the zone of --zone, as if each were exported alone")
    func period() async throws {
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders"), ["0", nil].contains(request.values(of: "offset").first) else {
                return .page([])
            }
            let from =
                request.values(of: "filter").compactMap(\.removingPercentEncoding)
                .first { $0.hasPrefix("createdTime>=") }.flatMap { Int($0.dropFirst(13)) } ?? 0
            return .page([#"{"id":"R\#(from)","createdTime":\#(from)}"#])
        }) { sandbox, server in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--zone", "America/New_York", "--day"]
            expectSuccess(try await sandbox.clover(arguments + ["2026-11-02"]))
            // November 1 has 25 hours.
            expectSuccess(try await sandbox.clover(arguments + ["2026-10-31..2026-11-02"]))
            #expect(
                folder.files.map { $0.split(separator: "/").last.map(String.init) ?? "" }.sorted()
                    == ["2026-10-31.ndjson", "2026-11-01.ndjson", "2026-11-02.ndjson"])
            let lines = try folder.manifest()
            #expect(Set(lines.compactMap { $0["day"]?.string }) == ["2026-10-31", "2026-11-01", "2026-11-02"])
            let sunday = try #require(lines.first { $0["day"]?.string == "2026-11-01" })
            #expect(sunday["from"]?.string == "2026-11-01T04:00:00.000Z", "\(sunday)")
            #expect(sunday["to"]?.string == "2026-11-02T05:00:00.000Z", "\(sunday)")
            #expect(!server.requests.contains { $0.path.hasSuffix("/properties") })
            // The older name of the option still works, and is not in the help.
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "--to", sandbox.exports("b").path, "--time-zone", "UTC", "--day", "2026-10"))
            #expect(sandbox.exports("b").files.count == 31)
            var other = sandbox
            other.variables["CLOVER_ZONE"] = "Asia/Kolkata"
            expectSuccess(
                try await other.clover("export", "orders", "--to", sandbox.exports("c").path, "--day", "2026-11-01"))
            #expect(
                try sandbox.exports("c").manifest().map { $0["from"]?.string } == ["2026-10-31T18:30:00.000Z"],
                "without --zone, the zone of the environment")
            #expect(try await !sandbox.clover("export", "run", "--help").outputText.contains("--time-zone"))
        }
    }

    @Test("an end in the future becomes the start of the run, and the next run continues from there")
    func endToCome() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--until", "2099-01-01T00:00Z"]
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.manifest().allSatisfy { $0["to"]?.string?.hasPrefix("20") == true })
            #expect(try folder.manifest().allSatisfy { $0["to"]?.string?.hasPrefix("2099") == false })
            try await emulator.churn(20)
            expectSuccess(try await sandbox.clover(arguments))
            let published = try folder.newest(of: "orders")
            for (id, record) in try await emulator.truth("orders") { #expect(published[id] == record, "\(id)") }
            let versions = try folder.records(of: "orders").map { "\($0["id"]!) \($0["modifiedTime"]!)" }
            #expect(versions.count == Set(versions).count)
        }
    }
}
