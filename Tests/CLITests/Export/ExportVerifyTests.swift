import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("export verify")
struct ExportVerifyTests {
    private static func kinds(_ result: CommandResult) throws -> Set<String> {
        Set(try result.lines.map { try JSONValue($0)["kind"]?.string ?? "" })
    }

    /// A destination with several runs, nested lists, a growing file, a compressed one and a table.
    private static func export(in sandbox: Sandbox, _ emulator: EmulatorProcess) async throws -> ExportFolder {
        let folder = sandbox.exports("out")
        for _ in 1...2 {
            for words in [
                ["orders", "payments", "customers", "--with", "line_items", "--window", "10d"], ["items", "--append"],
                ["employees", "--compress", "gzip"], ["tenders", "--format", "csv"],
            ] { expectSuccess(try await sandbox.clover(["export"] + words + ["--to", folder.path])) }
            try await emulator.churn(40)
        }
        return folder
    }

    @Test("after a first export that failed, verify does not speak of another database")
    func nothingExported() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "503 Unavailable", "{}") }) { sandbox, _ in
            let address = "sqlite:" + sandbox.directory["shop.db"]
            let failed = try await sandbox.clover("export", "orders", "--to", address, "--retry", "0")
            #expect(failed.status == 69, "\(failed)")
            let result = try await sandbox.clover("export", "verify", address)
            #expect(result.status == 66 && !result.outputText.contains("is not the one"), "\(result)")
        }
    }

    /// All kinds of damage are in the tests of the module.
    @Test("finds damage of each kind of finding, with the state and from the manifest alone, and nothing when healthy")
    func damage() async throws {
        let flags = ["--orders", "200", "--days", "90", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = try await Self.export(in: sandbox, emulator)
            let elsewhere = sandbox.withState("elsewhere")
            let verify = ["export", "verify", folder.path]
            let healthy = try await sandbox.clover(verify)
            expectSuccess(healthy)
            #expect(healthy.output.isEmpty)
            expectSuccess(try await elsewhere.clover(verify + ["--quiet"]))
            let files = FileManager.default
            let whole = sandbox.directory["whole"]
            try files.copyItem(atPath: folder.path, toPath: whole)
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            try #require(world.orders.count > 4)
            for damage in ExportDamage.samples {
                try damage.make(world)
                let found = try await sandbox.clover(verify)
                #expect(found.status == damage.status, "\(damage.name): \(found)")
                #expect(try Self.kinds(found).contains(damage.finding), "\(damage.name): \(found)")
                let without = try await elsewhere.clover(verify)
                if let finding = damage.elsewhere {
                    #expect(try Self.kinds(without).contains(finding), "\(damage.name), elsewhere: \(without)")
                }
                try files.removeItem(atPath: folder.path)
                for name in ["elsewhere.ndjson", "payments-elsewhere"] {
                    let moved = sandbox.directory[name]
                    if files.fileExists(atPath: moved) { try files.removeItem(atPath: moved) }
                }
                try files.copyItem(atPath: whole, toPath: folder.path)
            }
            expectSuccess(try await sandbox.clover(verify))
        }
    }

    @Test("a window that the state and the manifest have lost is a gap, also if it was the last one")
    func gaps() async throws {
        let flags = ["--orders", "200", "--days", "90", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "orders", "--window", "10d", "--to", folder.path))
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            let state = sandbox.directory[sandbox.stateFolder + "/exports.sqlite"]
            for file in [world.orders[2], try #require(world.orders.last)] {
                try world.remove(file)
                try world.forget(file)
                let shell = try await sandbox.shell("sqlite3 '\(state)' \"DELETE FROM files WHERE path = '\(file)'\"")
                #expect(shell.status == 0, "\(shell)")
                let found = try await sandbox.clover("export", "verify", folder.path)
                expectFailure(found, status: 79, saying: "records are missing", output: nil)
                #expect(try Self.kinds(found).contains("gap"), "\(file) \(found)")
            }
        }
    }

    @Test("--repair exports again what is missing, and nothing else")
    func repair() async throws {
        let flags = ["--orders", "200", "--days", "90", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = try await Self.export(in: sandbox, emulator)
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            let before = try folder.contents()
            // Changed and foreign files are not ours to replace.
            let kept = [world.orders[3]: Array("mine\n".utf8), "notes.txt": [UInt8(1)]]
            for (name, bytes) in kept { try world.write(name, (before[name] ?? []) + bytes) }
            let missing = [world.orders[1], world.first("orders.line_items"), world.first("tenders")]
            for file in missing { try world.remove(file) }
            try world.edit(world.orders[2]) { $0.removeLast(30) }
            let cut = try world.read(world.orders[2])
            try world.editLines("manifest.ndjson") { $0.removeLast(2) }
            try await emulator.churn(30)

            let result = try await sandbox.clover("export", "verify", folder.path, "--repair")
            expectFailure(result, status: 82, saying: "2 findings", output: nil)
            #expect(try Self.kinds(result) == ["changed", "foreign"], "\(result)")
            for (name, bytes) in kept { #expect(try world.read(name) == (before[name] ?? []) + bytes, "\(name)") }
            #expect(try world.read(world.orders[2] + ".changed") == cut)
            for file in [world.orders[1], world.orders[2], world.first("orders.line_items")] {
                #expect(try !folder.read(file).isEmpty, "\(file)")
            }
            // Nothing of the changes since, and every other file is as it was.
            let lines = try folder.manifest()
            #expect(lines.count == world.lines.count, "\(lines.count) \(world.lines.count)")
            let touched = Set(missing + [world.orders[2]]).union(kept.keys)
            for (name, bytes) in before where !touched.contains(name) {
                #expect(try folder.read(name) == bytes, "\(name)")
            }
            // The next run goes on as if nothing had happened.
            let ran = try await sandbox.clover(
                "export", "orders", "payments", "--with", "line_items", "--to", folder.path)
            #expect(ran.status == 79, "\(ran)")
            let published = try folder.newest(of: "payments")
            for (id, record) in try await emulator.truth("payments") { #expect(published[id] == record, "\(id)") }
        }
    }

    @Test("a file that --repair exports again is not counted twice", arguments: ["orders", "items"])
    func repairedCount(resource: String) async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", resource, "--to", folder.path))
            func counts() async throws -> [Int?] {
                let status = try JSONValue(try await sandbox.clover("export", "status").outputText)
                return [status["rows"]?.integer, status["files"]?.integer]
            }
            let before = try await counts()
            #expect((before[0] ?? 0) > 0)
            for file in folder.files where file.hasPrefix(resource) {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
            }
            #expect(try await sandbox.clover("export", "verify", folder.path, "--repair").status == 0)
            let after = try await counts()
            #expect(after == before)
        }
    }

    @Test("a run names a missing file until it is repaired or accepted once, and verify agrees")
    func acceptance() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--days", "60", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "items", "--to", folder.path, "--window", "10d"]
            let verify = ["export", "verify", folder.path]
            expectSuccess(try await sandbox.clover(run))
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            for isRepaired in [true, false] {
                try world.remove(world.orders[isRepaired ? 0 : 1])
                for _ in 1...2 { expectFailure(try await sandbox.clover(run), status: 79, saying: "is missing in") }
                expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
                let ended = try await sandbox.clover(isRepaired ? verify + ["--repair"] : run + ["--accept-missing"])
                #expect(ended.status == 0, "\(ended)")
                expectSuccess(try await sandbox.clover(run))
                expectSuccess(try await sandbox.clover(verify))
            }
        }
    }

    @Test("--repair restores a manifest and an id that are gone, and keeps what is left of the manifest")
    func manifest() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path, "--window", "10d"]
            let verify = ["export", "verify", folder.path]
            expectSuccess(try await sandbox.clover(run))
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            let manifest = try folder.read("manifest.ndjson")
            try world.write("manifest.ndjson", Array("mine\n".utf8))
            try world.remove(".clover-export")
            expectFailure(try await sandbox.clover(verify), status: 82, saying: "findings", output: nil)
            let repaired = try await sandbox.clover(verify + ["--repair"])
            #expect(
                repaired.status == 0 && repaired.errorText.contains("is now manifest.ndjson.changed"), "\(repaired)")
            #expect(try folder.read("manifest.ndjson") == manifest)
            #expect(try folder.read("manifest.ndjson.changed") == Array("mine\n".utf8))
            expectSuccess(try await sandbox.clover(run))
            expectSuccess(try await sandbox.clover(verify))
        }
    }

    @Test("a destination that was moved, copied, emptied of records or exported in another way is healthy")
    func healthy() async throws {
        let flags = ["--orders", "150", "--days", "60", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            for words in [
                ["orders", "--day", "yesterday", "--time-zone", "UTC"],
                ["orders", "--since", "-20d", "--until", "-10d"],
                ["orders", "--window", "1d"], ["orders", "--full", "--format", "csv", "--window", "9d"],
                ["payments", "--jq", "\"a\\nb\"", "-r"], ["items", "--jq", "select(false)"],
                ["refunds", "--compress", "zstd"], ["employees", "--with", "shifts"], ["customers", "--append"],
            ] {
                expectSuccess(try await sandbox.clover(["export"] + words + ["--to", folder.path]))
                try await emulator.churn(10)
                for other in [sandbox, sandbox.withState("elsewhere")] {
                    let result = try await other.clover("export", "verify", folder.path)
                    #expect(result.status == 0, "\(words) \(result)")
                }
            }
            let moved = sandbox.exports("moved")
            try FileManager.default.moveItem(atPath: folder.path, toPath: moved.path)
            try FileManager.default.copyItem(atPath: moved.path, toPath: folder.path)
            for path in [moved.path, folder.path] {
                let result = try await sandbox.clover("export", "verify", path)
                #expect(result.status == 0, "\(path) \(result)")
            }
        }
    }

    @Test("changes nothing, reads no destination that is not there, and waits for no export")
    func refusals() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let plain = try sandbox.directory.makeFolder("plain")
            for path in [plain, sandbox.directory["none"]] {
                expectFailure(
                    try await sandbox.clover("export", "verify", path), status: 66, saying: "nothing has been exported")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: plain) == [])
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
            try FileManager.default.removeItem(atPath: folder.path + "/" + folder.files[0])
            expectFailure(
                try await sandbox.withState("elsewhere").clover("export", "verify", folder.path, "--repair"),
                status: 78,
                saying: "has no state of")
            let lock = folder.path + "/.clover-export/lock"
            let busy = try await sandbox.shell("flock '\(lock)' clover export verify '\(folder.path)'")
            expectFailure(busy, status: 75, saying: "is running")
        }
    }

    @Test("a manifest of an earlier version is read, and the next run renames it")
    func oldName() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path]
            let verify = ["export", "verify", folder.path]
            expectSuccess(try await sandbox.clover(run))
            let manifest = try folder.read("manifest.ndjson")
            let world = DamagedExport(path: folder.path, lines: try folder.manifest())
            try world.move("manifest.ndjson", to: "manifest.json")
            expectSuccess(try await sandbox.clover(verify))
            try await emulator.churn(10)
            expectSuccess(try await sandbox.clover(run))
            #expect(try folder.read("manifest.ndjson").starts(with: manifest))
            #expect(!folder.files.contains("manifest.json"))
            expectSuccess(try await sandbox.clover(verify))
            // A file of that name that no export made stays.
            try world.write("manifest.json", Array("{\"name\":\"app\"}".utf8))
            expectSuccess(try await sandbox.clover(run))
            #expect(try world.read("manifest.json") == Array("{\"name\":\"app\"}".utf8))
            expectFailure(try await sandbox.clover(verify), status: 82, saying: "1 finding", output: nil)
            expectSuccess(try await sandbox.clover(verify + ["--ignore-foreign"]))
        }
    }

    /// Removes records of a resource from what was exported.
    private struct Loss: Sendable {
        let address: String
        let remove: @Sendable (_ resource: String, _ id: String) async throws -> Void
    }

    @Test("--service names what is missing here and gone at Clover, and sends no more requests than --explain says")
    func service() async throws {
        try await Sandbox.run(unpaced: ["--orders", "1500", "--days", "200", "--now", "clock", "--no-limits"]) {
            sandbox, emulator in
            let folder = sandbox.exports("out")
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let losses = [
                Loss(address: folder.path) { resource, id in
                    for file in folder.files where file.hasPrefix(resource + "/") {
                        let lines = try folder.lines(of: file).filter { !$0.contains("\"id\":\"\(id)\"") }
                        try sandbox.directory.write("out/" + file, lines.map { $0 + "\n" }.joined().utf8)
                    }
                },
                Loss(address: database.address) { resource, id in
                    try database.run("DELETE FROM \(resource) WHERE id = '\(id)'")
                },
            ]
            func findings(_ address: String, status: Int32) async throws -> Set<String> {
                let explained = try await sandbox.clover("export", "verify", address, "--service", "--explain")
                #expect(explained.status == 0, "\(explained)")
                let most = try #require(try JSONValue(explained.outputText)["requestsAtMost"]?.integer)
                let before = try await emulator.stats().requests
                let result = try await sandbox.clover("export", "verify", address, "--service")
                #expect(result.status == status, "\(result)")
                let sent = try await emulator.stats().requests - before
                #expect(sent > 0 && sent <= most, "\(sent) of \(most)")
                return Set(
                    try result.lines.compactMap { line in
                        let finding = try JSONValue(line)
                        guard finding["file"]?.string == nil else { return nil }
                        return
                            "\(finding["kind"]?.string ?? "") \(finding["sentence"]?.string?.split(separator: " ")[1] ?? "")"
                    })
            }
            for loss in losses {
                let export = ["export", "orders", "items", "tenders", "--to", loss.address]
                expectSuccess(try await sandbox.clover(export))
                #expect(try await findings(loss.address, status: 0) == [])
                // What changed since is no finding; what was deleted is gone.
                let item = try #require(try await emulator.truth("items").keys.min())
                let order = try #require(try await emulator.truth("orders").keys.max())
                let tender = try #require(try await emulator.truth("tenders").keys.max())
                #expect(try await sandbox.clover("post", "items/\(item)", "--field", "name=Tea").status == 0)
                #expect(
                    try await sandbox.clover("post", "items", "--field", "name=New", "--field", "price=1").status == 0)
                #expect(try await findings(loss.address, status: 0) == [])
                #expect(try await sandbox.clover("delete", "tenders/\(tender)", "--yes").status == 0)
                #expect(try await findings(loss.address, status: 82) == ["gone \(tender)"])
                try await loss.remove("orders", order)
                #expect(try await findings(loss.address, status: 79) == ["missing \(order)", "gone \(tender)"])
            }
            // Many more records than were there: the requests are used up, and it says so.
            let small = ExportedDatabase(sandbox: sandbox, name: "small.db")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", small.address))
            try small.run(
                "DELETE FROM orders WHERE created_time > (SELECT min(created_time) FROM orders)")
            #expect(
                try await sandbox.clover("export", "verify", small.address, "--service").status == 79)
        }
    }

    /// A list as the service returns it: filtered and sorted by time.
    private static func page(_ times: [Int], _ request: LoopbackRequest) -> LoopbackResponse {
        let filters = request.values(of: "filter").compactMap(\.removingPercentEncoding)
        func bounds(_ sign: String) -> [Int] {
            filters.filter { $0.contains(sign) }.compactMap { Int($0.split(separator: sign).last ?? "") }
        }
        let (from, to) = (bounds(">=").max() ?? 0, bounds("<").min() ?? .max)
        let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
        let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
        return .page(
            times.filter { $0 >= from && $0 < to }.dropFirst(offset).prefix(limit).map {
                #"{"id":"O\#($0)","createdTime":\#($0),"modifiedTime":\#($0)}"#
            })
    }

    @Test(
        "--service needs no more requests than --explain says where the last of many orders came days ago",
        arguments: [900, 1200, 2100])
    func serviceAfterQuietDays(count: Int) async throws {
        let (now, day) = (Int(Date().timeIntervalSince1970 * 1000), 86_400_000)
        let times = (0..<count).map { now - 8 * day + $0 * 60_000 }
        let sent = Counter()
        try await Sandbox.run(server: { request, _ in
            sent.add()
            guard request.path.hasSuffix("/orders") else {
                return LoopbackResponse(#"{"id":"M","createdTime":\#(now - 30 * day)}"#)
            }
            return Self.page(times, request)
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path, "--no-pacing"))
            let verify = ["export", "verify", folder.path, "--service"]
            let explained = try await sandbox.clover(verify + ["--explain"])
            let most = try #require(try JSONValue(explained.outputText)["requestsAtMost"]?.integer)
            let before = sent.value
            expectSuccess(try await sandbox.clover(verify))
            #expect(sent.value - before <= most, "\(sent.value - before) of \(most)")
        }
    }

    @Test("--service says of a list whose only run failed that no run has exported it to its end")
    func serviceAfterFailure() async throws {
        try await Sandbox.run(server: { request, _ in
            guard !request.path.hasSuffix("/payments") else {
                return LoopbackResponse(status: "503 Unavailable", "{}")
            }
            return .page([])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "tenders", "--to", folder.path))
            let failed = try await sandbox.clover("export", "payments", "--to", folder.path, "--retry", "0")
            #expect(failed.status == 69, "\(failed)")
            let result = try await sandbox.clover("export", "verify", folder.path, "--service")
            #expect(result.status == 79, "\(result)")
            #expect(
                result.outputText.contains(
                    "payments cannot be compared with Clover: no run has exported it to its end yet"), "\(result)")
        }
    }

    @Test("--service says that records without an id cannot be compared, in a directory and in a database")
    func serviceUnnamed() async throws {
        let stock = #"{"item":{"id":"I"},"quantity":1}"#
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/item_stocks") else {
                return LoopbackResponse(#"{"id":"M","defaultCurrency":"USD","timezone":"UTC"}"#)
            }
            return .page(request.values(of: "offset").first ?? "0" == "0" ? [stock] : [])
        }) { sandbox, _ in
            for address in [sandbox.exports("out").path, ExportedDatabase(sandbox: sandbox, name: "shop.db").address] {
                expectSuccess(try await sandbox.clover("export", "item_stocks", "--to", address))
                let result = try await sandbox.clover("export", "verify", address, "--service")
                expectFailure(result, status: 79, saying: "1 finding", output: nil)
                #expect(result.outputText.contains("cannot be compared with Clover: 1 of its records"), "\(result)")
            }
        }
    }

    @Test("--service does not miss a refund that came after the last export")
    func serviceLaterRefund() async throws {
        let refunds = Mutex([#"{"id":"A","amount":1,"createdTime":1767225600000}"#])
        try await Sandbox.run(server: { request, _ in
            let isFirst = request.values(of: "offset").first ?? "0" == "0"
            return .page(isFirst && request.path.hasSuffix("/refunds") ? refunds.withLock { $0 } : [])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let verify = ["export", "verify", folder.path, "--service"]
            expectSuccess(try await sandbox.clover("export", "refunds", "--to", folder.path))
            let now = Int(Date().timeIntervalSince1970 * 1000) + 1
            refunds.withLock { $0.append(#"{"id":"B","amount":1,"createdTime":\#(now)}"#) }
            let later = try await sandbox.clover(verify)
            #expect(later.status == 0 && later.errorText.contains("1 record came or changed at Clover"), "\(later)")
            // One that was there is missing.
            refunds.withLock { $0.append(#"{"id":"C","amount":1,"createdTime":1767225600000}"#) }
            expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
        }
    }

    @Test("a run with --since that moves the bookmark on leaves no gap")
    func sinceLeavesNoGap() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path]
            for options in [[], ["--since", "-7d"], []] {
                try await emulator.churn(30)
                expectSuccess(try await sandbox.clover(run + options))
                expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            }
        }
    }

    @Test("--service counts the failed records of all windows")
    func serviceFailed() async throws {
        let flags = ["--orders", "200", "--days", "90", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            let program = "if .total % 2 == 0 then error(\"even\") else . end"
            let run = ["export", "orders", "--window", "10d", "--to", folder.path, "--jq", program]
            expectFailure(try await sandbox.clover(run), status: 82, saying: "jq failed on ")
            #expect(folder.files.count { $0.hasPrefix("failed/") } > 1)
            expectSuccess(try await sandbox.clover("export", "verify", folder.path, "--service"))
        }
    }

    @Test("--service needs this machine's state, and --explain needs --service")
    func serviceRefusals() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "--day", "yesterday", "--time-zone", "UTC", "--to", folder.path))
            expectFailure(
                try await sandbox.clover("export", "verify", folder.path, "--explain"), status: 64, saying: "--service")
            expectFailure(
                try await sandbox.withState("elsewhere").clover("export", "verify", folder.path, "--service"),
                status: 78, saying: "has no state of")
            let day = try await sandbox.clover("export", "verify", folder.path, "--service")
            expectFailure(day, status: 79, saying: "1 finding", output: nil)
            #expect(day.outputText.contains("only single days"), "\(day)")
        }
    }
}
