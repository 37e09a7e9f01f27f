import CloverTestSupport
import Foundation
import Testing

@Suite("export: failures")
struct ExportTroubleTests {
    private static func times(_ request: LoopbackRequest) -> [String] {
        request.values(of: "filter").compactMap(\.removingPercentEncoding)
    }

    @Test("a disk full in mid-file ends with 74; the next run exports everything")
    func fullDevice() async throws {
        try await Sandbox.run(unpaced: ["--orders", "2000", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            // The file size limit simulates a full disk: write(2) fails midway.
            let result = try await sandbox.shell(
                "trap '' XFSZ; ulimit -f 300; clover export orders --to \(folder.path)")
            expectFailure(result, status: 74, saying: "cannot write \(folder.path)/.clover-export/")
            #expect(folder.files == [])
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
            #expect(try folder.newest(of: "orders") == (try await emulator.truth("orders")))
            try folder.expectWhole()
        }
    }

    @Test("a truncated merchant response is retried and finally ends with 76")
    func cutOffMerchant() async throws {
        let (some, all) = (["--orders", "20", "--fault", "truncate@1-2"], ["--orders", "20", "--fault", "truncate"])
        for (arguments, status) in [(some, Int32(0)), (all, 76)] {
            try await Sandbox.run(emulator: arguments) { sandbox, emulator in
                let folder = sandbox.exports("out")
                let result = try await sandbox.clover(
                    "export", "orders", "--to", folder.path, "--retry", "2", "--summary")
                #expect(result.status == status, "\(result)")
                #expect(!result.errorText.contains("(host:"), "\(result)")
                if status == 0 {
                    #expect(try folder.newest(of: "orders") == (try await emulator.truth("orders")))
                }
            }
        }
    }

    @Test("a destination that cannot be created ends with 73")
    func unwritable() async throws {
        try await Sandbox.run(emulator: ["--orders", "10"]) { sandbox, emulator in
            try sandbox.directory.write("file", [1])
            expectFailure(
                try await sandbox.clover("export", "orders", "--to", sandbox.directory["file/out"]), status: 73,
                saying: "cannot create \(sandbox.directory["file/out"])")
            #expect(try await emulator.stats().requests == 0)
        }
    }

    @Test("a destination that became read-only is named, not the state directory")
    func readOnly() async throws {
        try await Sandbox.run(emulator: ["--orders", "10"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "tenders", "--to", folder.path))
            try sandbox.directory.makeFolder("new")
            for (name, file) in [("out", ".clover-export/lock"), ("new", ".clover-export")] {
                let result = try await sandbox.shell(
                    "\(MountSpace.command) bash -c 'mount --bind \(name) \(name) && mount -o remount,ro,bind \(name) "
                        + "|| exit 92; clover export items --to \(name)'")
                try #require(result.status != 92, "no file system can be mounted here: \(result.errorText)")
                let path = sandbox.directory[name]
                expectFailure(result, status: 73, saying: "\(path)/\(file): Read-only", "make \(path) writable")
                #expect(!result.errorText.contains("CLOVER_STATE_DIR"), "\(result)")
            }
        }
    }

    @Test("of two exports to one destination one runs; the other fails, skips or waits by --if-running")
    func twoAtOnce() async throws {
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/orders") ? LoopbackResponse(bytes: [], ending: .hold) : .page([])
            }, weight: 3
        ) { sandbox, server in
            let folder = sandbox.exports("out")
            let first = try sandbox.start("export", "orders", "--to", folder.path)
            try await server.waitForRequests(2)
            let status = try await sandbox.clover("export", "status", "--to", folder.path)
            expectSuccess(status)
            #expect(try JSONValue(status.outputText)["running"] == .bool(true))
            expectFailure(
                try await sandbox.clover("export", "items", "--to", folder.path), status: 75,
                saying: "another export to \(folder.path) is running", "--if-running")
            expectSuccess(try await sandbox.clover("export", "items", "--to", folder.path, "--if-running", "skip"))
            let skipped = try await sandbox.clover(
                "export", "items", "--to", folder.path, "--if-running", "skip", "--summary")
            #expect(try JSONValue(try #require(skipped.lines.last))["skipped"] == .bool(true))
            let waiting = try sandbox.start("export", "items", "--to", folder.path, "--if-running", "wait", "-v")
            try await waiting.waitForErrors(containing: "waiting for another export")
            first.send(9)
            _ = try await first.result()
            #expect(try await waiting.result().status == 0)
        }
    }

    @Test("a directory of another state is refused, and one that was moved is recognized")
    func destinations() async throws {
        try await Sandbox.run(emulator: ["--orders", "60"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
            let other = sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["other-state"]])
            expectFailure(
                try await other.clover("export", "orders", "--to", folder.path), status: 78,
                saying: "was created with another state directory", "move the files away, including .clover-export")
            let moved = sandbox.exports("moved")
            try FileManager.default.moveItem(atPath: folder.path, toPath: moved.path)
            let again = try await sandbox.clover("export", "orders", "--to", moved.path, "--summary")
            expectSuccess(again)
            #expect(try sandbox.summary(again, "orders")["records"]?.integer == 0)
            // A removed directory is started again.
            try FileManager.default.removeItem(atPath: moved.path)
            let anew = try await sandbox.clover("export", "orders", "--to", moved.path, "--summary")
            expectSuccess(anew)
            #expect(try sandbox.summary(anew, "orders")["records"]?.integer == 60)
        }
    }

    @Test("a record of 5 MB and an empty list are exported")
    func extremes() async throws {
        let large = #"{"id":"A","note":"\#(String(repeating: "x", count: 5 << 20))","name":"n"}"#
        try await Sandbox.run(server: { request, _ in
            let offset = request.values(of: "offset").first ?? "0"
            return request.path.hasSuffix("/customers") && offset == "0" ? .page([large]) : .page([])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "customers", "items", "--to", folder.path))
            #expect(folder.files == ["customers/changes.log", "customers/current.ndjson"])
            #expect(try folder.read("customers/current.ndjson") == Array((large + "\n").utf8))
            let status = try await sandbox.clover("export", "status", "--to", folder.path, "--fail-if-older-than", "1h")
            expectSuccess(status)
            #expect(status.lines.count == 2)
        }
    }

    @Test("a refused resource does not stop the others: 82")
    func partlyRefused() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/payments")
                ? LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
                : request.path.hasSuffix("/customers") ? .page([#"{"id":"A"}"#]) : .page([])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(
                "export", "payments", "customers", "--to", folder.path, "--since", "last", "--summary")
            expectFailure(result, status: 82, saying: "clover: payments: ", "payments failed, 1 is done", output: nil)
            #expect(try sandbox.summary(result, "customers")["records"]?.integer == 1)
            #expect(try sandbox.summary(result, "payments")["error"]?["status"]?.integer == 77)
            #expect(folder.files == ["customers/changes.log", "customers/current.ndjson"])
            let status = try JSONValue.lines(try await sandbox.clover("export", "status").lines)
            let payments = try #require(status.first { $0["resource"]?.string == "payments" })
            #expect(payments["failures"]?.integer == 1)
            #expect(payments["lastSuccess"] == .null)
            expectFailure(
                try await sandbox.clover("export", "status", "--fail-if-older-than", "1h"), status: 79,
                saying: "not exported for 1h: payments of", output: nil)
        }
    }

    @Test("an unreadable window keeps the bookmark before it (79), and the next run exports it")
    func hole() async throws {
        let isDown = Counter()
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders"), !request.values(of: "offset").contains("1") else {
                return .page([])
            }
            let filters = Self.times(request)
            let isFirst = filters.contains("modifiedTime>=1767225600000")
            if isFirst, isDown.value == 0 { return LoopbackResponse(status: "503 Service Unavailable", "{}") }
            let time = filters.compactMap { Int($0.dropFirst("modifiedTime>=".count)) }.first ?? 0
            return .page([#"{"id":"R\#(time)","modifiedTime":\#(time)}"#])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "--to", folder.path, "--since", "2026-01-01T00:00Z", "--until", "2026-01-31T00:00Z",
                "--window",
                "10d",
                "--retry", "0",
            ]
            expectFailure(
                try await sandbox.clover(arguments), status: 79,
                saying: "incomplete: orders of 2026-01-01T00:00:00.000Z..2026-01-11T00:00:00.000Z could not be read",
                "2 of 3 windows are safe")
            #expect(folder.files.count == 2)
            let before = try folder.contents()
            isDown.add()
            expectSuccess(try await sandbox.clover(arguments))
            #expect(folder.files.count == 3)
            for (file, bytes) in before { #expect(try folder.read(file) == bytes) }
            #expect(try folder.records(of: "orders").count == 3)
        }
    }

    @Test("a day follows the merchant's local time, also on clock changes")
    func days() async throws {
        let seen = Seen()
        try await Sandbox.run(server: { request, _ in
            if request.path.hasSuffix("/properties") {
                return LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
            }
            if request.path.hasSuffix("/orders") { seen.add(Self.times(request)) }
            return .page([])
        }) { sandbox, _ in
            for (day, start, hours) in [
                ("2026-03-08", "00:00", 23), ("2026-11-01", "00:00", 25), ("2026-03-07", "04:00", 23),
                ("2026-11-20", "04:00", 24),
            ] {
                let folder = sandbox.exports("\(day)-\(start)")
                expectSuccess(
                    try await sandbox.clover(
                        "export", "orders", "--to", folder.path, "--day", day, "--day-start", start))
                // A day without orders is an empty file.
                #expect(folder.files == ["orders/\(day).ndjson"])
                #expect(try folder.read("orders/\(day).ndjson") == [])
                let filters = try #require(seen.last)
                let bounds = filters.compactMap { Int($0.drop { !$0.isNumber }) }.sorted()
                #expect(filters.allSatisfy { $0.hasPrefix("createdTime") })
                #expect(bounds[1] - bounds[0] == hours * 3_600_000, "\(day)")
            }
            // A day with other bounds is distinguished from the one with its name, and no day has a lag.
            let folder = sandbox.exports("days")
            let named = [
                "export", "orders", "--to", folder.path, "--day", "2026-01-20", "--name", "{resource}-{date}.json",
            ]
            expectSuccess(try await sandbox.clover(named))
            expectFailure(
                try await sandbox.clover(named + ["--day-start", "04:00"]), status: 73,
                saying: "holds the same day with different bounds", "use the same --day-start and --zone")
            let status = try await sandbox.clover("export", "status", "--to", folder.path, "--json")
            #expect(try JSONValue(status.outputText)["lag"] == .null, "\(status)")
            expectFailure(
                try await sandbox.clover(
                    "export", "orders", "--to", sandbox.directory["x"], "--day", "2026-02-30"), status: 64,
                saying: "'2026-02-30' is not a day")
        }
    }

    @Test("--max-time ends with 83 and keeps complete windows; the next run resumes")
    func maximumTime() async throws {
        let isSlow = Counter()
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders") else { return .page([]) }
            let filters = Self.times(request)
            if filters.contains("modifiedTime>=1768089600000"), isSlow.value == 0 {
                return LoopbackResponse(bytes: [], ending: .hold)
            }
            let time = filters.compactMap { Int($0.dropFirst("modifiedTime>=".count)) }.first ?? 0
            // One at the beginning of each window.
            return .page(time % 86_400_000 == 0 ? [#"{"id":"R\#(time)","modifiedTime":\#(time)}"#] : [])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "--to", folder.path, "--since", "2026-01-01T00:00Z", "--until", "2026-01-31T00:00Z",
                "--window", "10d",
            ]
            expectFailure(
                try await sandbox.clover(arguments + ["--max-time", "15"]), status: 83,
                saying: "--max-time 15 s ran out; 1 of 3 windows of orders is safe")
            #expect(folder.files.count == 1)
            isSlow.add()
            expectSuccess(try await sandbox.clover(arguments))
            #expect(folder.files.count == 3)
            try folder.expectWhole()
        }
    }

    @Test("a clock that was a day ahead and is set back hides no later changes")
    func clockSetBack() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "items", "--to", folder.path]
            let clock = try await WallClock(ahead: 86_400, in: sandbox.directory)
            let armed = sandbox.with(clock.variables)
            expectSuccess(try await armed.clover(arguments))
            let ends = try folder.manifest().compactMap { $0["to"]?.string }
            #expect(ends.contains { $0 > ISO8601DateFormatter().string(from: Date().addingTimeInterval(3600)) })
            // A run dated tomorrow has no known age, until the next successful one.
            let judge = ["export", "status", "--to", folder.path, "--fail-if-older-than", "12h", "-q"]
            expectFailure(try await sandbox.clover(judge), status: 79, saying: "12h")
            try await emulator.churn(40)
            expectSuccess(try await sandbox.clover(arguments))
            let judged = try await sandbox.clover(judge)
            expectSuccess(judged)
            #expect(judged.outputText == "")
            let now = ISO8601DateFormatter().string(from: Date().addingTimeInterval(60))
            let rows = try await sandbox.clover(["export", "status", "--to", folder.path]).lines
            #expect(rows.count == 2)
            for row in rows {
                let entry = try JSONValue(row)
                #expect(try #require(entry["lastSuccess"]?.string) < now, "\(row)")
            }
            for list in ["orders", "items"] {
                let published = try folder.newest(of: list)
                let truth = try await emulator.truth(list)
                #expect(truth.filter { published[$0.key] != $0.value }.isEmpty, "\(list)")
            }
            // A clock that is behind has no range to request, which does not mean that nothing changed.
            try clock.set(-86_400)
            expectFailure(
                try await armed.clover(arguments), status: 79, saying: "incomplete: this machine's clock shows",
                "clover doctor")
            try clock.set(0)
            expectSuccess(try await armed.clover(arguments))
            try folder.expectWhole()
        }
    }

    @Test("wrong usage is reported before anything is sent or created")
    func usage() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, emulator in
            let out = sandbox.directory["out"]
            for (arguments, words) in [
                (["orders", "nothing", "--to", out], "unknown path 'nothing'\n  there are: address, "),
                (["nothing", "--to", out], ", properties, "),
                (["ordes", "--to", out], "unknown path 'ordes'\n  did you mean: orders"),
                ([], "name what to export"), (["orders", "orders", "--to", out], "orders is named twice"),
                (["orders", "--compress", "gzip"], "--compress needs --to"),
                (["orders", "--to", out, "--overlap", "-1s"], "is not a duration"),
                (["orders", "--to", out, "--format", "table"], "--format takes ndjson, csv or tsv"),
                (["orders", "--to", out, "--name", "{x}"], "--name has no {x}"),
                (["orders", "--to", out, "--name", "../x"], "not a path inside"),
                (["orders", "items", "--to", out, "--name", "x"], "add {resource} to it"),
                (["orders", "--to", out, "--day", "today", "--full"], "exclude each other"),
                (["orders", "--to", out, "--window", "1s"], "--window takes at least a minute"),
                (["orders", "--to", out, "--name", "manifest.ndjson/{window}"], "is reserved for the export itself"),
                (["orders", "--to", out, "--since", "soon"], "'soon' is not a time"),
                (
                    ["orders", "--to", out, "--since", "2026-02-02T00:00Z", "--until", "2026-02-01T00:00Z"],
                    "the range is empty"
                ),
                (["orders", "--to", out, "--name", "x", "--since", "-100d"], "add {window} to it"),
                (["orders", "--to", out, "--day", "foo"], "'foo' is not a day"),
                (["orders", "--to", out, "--day", "today", "--day-start", "99"], "'99' is not a time of day"),
                (["orders", "--to", out, "--with", "nothing"], "orders has no parts 'nothing'"),
                (
                    ["orders", "items", "--to", out, "--with", "payments,lineitem"],
                    "orders, items have no parts 'lineitem'\n  did you mean: line_items"
                ),
                (["orders", "--to", out, "--fields", "id,totl"], "orders has no field 'totl'\n  did you mean: total"),
                (["orders", "--to", out, "--fields", "id,employee.nme"], "did you mean: employee.name"),
                (["orders", "--to", out, "--window", "100d"], "--window takes at most 89d, not 100d"),
                (["orders", "--to", out, "--day", "2099-01-01", "--time-zone", "UTC"], "2099-01-01 has not begun"),
                (["customers", "--to", out, "--since", "-7d"], "--since does not apply to customers"),
                (["items.csv", "--to", out], "unknown path"), (["customers.csv", "--to", out], "instead of records"),
            ] as [([String], String)] {
                let result = try await sandbox.clover(["export"] + arguments)
                #expect(result.status == 64, "\(result)")
                #expect(result.errorText.contains(words), "\(result)")
            }
            #expect(!FileManager.default.fileExists(atPath: out))
            #expect(try await emulator.stats().requests == 0)
            // None of this counts as a failed run.
            expectFailure(
                try await sandbox.clover("export", "status"), status: 66, saying: "nothing has been exported yet")
        }
    }
}

/// State of a scripted server.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}

private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var filters: [[String]] = []
    var last: [String]? { lock.withLock { filters.last } }
    func add(_ value: [String]) { lock.withLock { filters.append(value) } }
}
