import CloverTestSupport
import Foundation
import Testing

/// A destination changed since the last run: restored from a backup, or tidied up.
@Suite("export: a directory restored from a backup, or tidied up")
struct ExportBackupTests {
    private static let flags = ["--orders", "100", "--now", "clock", "--no-limits"]

    /// Expects that the directory has the shop's current records.
    private func expectNewest(
        _ lists: [String], _ folder: ExportFolder, _ emulator: EmulatorProcess, _ name: String = ""
    ) async throws {
        for list in lists {
            let published = try folder.newest(of: list)
            for (id, record) in try await emulator.truth(list) {
                #expect(published[id] == record, "\(list) \(id) \(name)")
            }
        }
    }

    @Test(
        "what was exported after a backup is exported again, wherever the backup is restored",
        arguments: ["out", "elsewhere"])
    func restored(name: String) async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let (folder, backup, restored) = (sandbox.exports("out"), sandbox.exports("backup"), sandbox.exports(name))
            func export(_ folder: ExportFolder) async throws -> CommandResult {
                let result = try await sandbox.clover(
                    "export", "orders", "items", "--with", "line_items", "--to", folder.path)
                #expect(result.status == 0, "\(result)")
                return result
            }
            _ = try await export(folder)
            try await emulator.churn(30)
            _ = try await export(folder)
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            for _ in 0..<2 {
                try await emulator.churn(40)
                _ = try await export(folder)
            }
            try await emulator.churn(10)
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: restored.path)
            let again = try await export(restored)
            #expect(
                again.errorText.contains("is older than the last export to it, as if restored from a backup"),
                "\(again)")
            #expect(again.errorText.contains("exporting later changes again"), "\(again)")
            try await expectNewest(["orders", "items"], restored, emulator)
            try restored.expectWhole()
            let fresh = sandbox.exports("fresh")
            _ = try await export(fresh)
            let expected = try fresh.lineItems()
            let found = try restored.lineItems()
            for (order, items) in expected { #expect(found[order] == items, "\(order)") }
            // Once is enough.
            let files = restored.files
            #expect(try await export(restored).errorText.isEmpty)
            #expect(restored.files == files)
        }
    }

    @Test(
        "a backup of before a repair is what was exported, and the next run keeps it",
        arguments: [[], ["--state", "current"]])
    func restoredBeforeRepair(options: [String]) async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let (folder, backup) = (sandbox.exports("out"), sandbox.exports("backup"))
            let run = ["export", "orders", "--to", folder.path] + options
            for _ in 0..<2 {
                try await emulator.churn(60)
                expectSuccess(try await sandbox.clover(run))
            }
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            let lines = try folder.manifest().filter { $0["resource"]?.string == "orders" }
            let last = try #require(lines.last?["file"]?.string)
            let before = try folder.read(last)
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(last)")
            try await emulator.churn(30)
            #expect(try await sandbox.clover("export", "verify", folder.path, "--repair").status == 0)
            try #require(try folder.read(last) != before)
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
            for _ in 0..<2 { #expect(try await sandbox.clover(run).status == 0) }
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            #expect(try folder.read(last) == before)
            try folder.expectWhole()
            try await expectNewest(["orders"], folder, emulator)
        }
    }

    @Test("a full export is repeated by itself, and a day when it is requested again")
    func restoredRanges() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let (folder, backup) = (sandbox.exports("out"), sandbox.exports("backup"))
            func export(_ arguments: String...) async throws -> String {
                let result = try await sandbox.clover(["export"] + arguments + ["--to", folder.path])
                #expect(result.status == 0, "\(result)")
                return result.errorText
            }
            func addCustomer() async throws {
                let made = try await sandbox.clover("post", "customers", "--field", "firstName=Ann")
                #expect(made.status == 0, "\(made)")
            }
            _ = try await export("customers")
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            try await addCustomer()
            _ = try await export("customers", "--full")
            _ = try await export("orders", "--day", "yesterday")
            let days = try folder.contents().filter { $0.key.hasPrefix("orders/") }
            #expect(days.count == 1)
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
            let warning = try await export("customers")
            // The list, its log, and the day.
            #expect(warning.contains("3 files of later runs are missing"), "\(warning)")
            #expect(warning.contains("to restore files of --day or another range, run that export again"), "\(warning)")
            try folder.expectWhole()
            #expect(try await export("orders", "--day", "yesterday").isEmpty)
            #expect(try folder.contents().filter { $0.key.hasPrefix("orders/") } == days)
            #expect(try folder.newest(of: "customers") == (try await emulator.truth("customers")))
            try folder.expectWhole()
        }
    }

    @Test("a file that a killed run published before the backup and listed after it is kept")
    func restoredNamed() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            func export(
                _ folder: ExportFolder, in sandbox: Sandbox, _ options: String...
            ) async throws -> CommandResult {
                try await sandbox.clover(
                    ["export", "tenders", "--name", "{resource}/{window}.{extension}", "--to", folder.path] + options)
            }
            let (calm, own) = (sandbox.exports("calm"), sandbox.withState("state-of-calm"))
            expectSuccess(try await export(calm, in: own))
            let counted = try await KillPoint(number: nil, side: .after).arm(own, log: "calm.log", everywhere: true)
            expectSuccess(try await export(calm, in: counted, "--full"))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            let named = try #require(calls.firstIndex { $0.hasPrefix("rename") && $0.contains("ndjson") }) + 1
            var hits = 0
            // The calls of a run that creates folders vary.
            for number in max(1, named - 6)...named + 6 {
                let (folder, backup) = (sandbox.exports("out-\(number)"), sandbox.exports("backup-\(number)"))
                let own = sandbox.withState("state-\(number)")
                expectSuccess(try await export(folder, in: own))
                let armed = try await KillPoint(number: number, side: .after)
                    .arm(own, log: "killed-\(number).log", everywhere: true)
                #expect(try await export(folder, in: armed, "--full").ending == .signalled(9))
                let (files, listed) = (folder.files, try folder.manifest().count)
                if files.count == 2, listed == 1 { hits += 1 }
                try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
                expectSuccess(try await export(folder, in: own))
                try folder.expectWhole()
                try FileManager.default.removeItem(atPath: folder.path)
                try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
                let again = try await export(folder, in: own)
                #expect(again.status == 0, "\(again)")
                try folder.expectWhole()
            }
            #expect(hits > 0)
        }
    }

    @Test("a backup whose manifest has more lines than the current one gets the current lines")
    func restoredManifest() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let (folder, backup) = (sandbox.exports("out"), sandbox.exports("backup"))
            func export() async throws {
                expectSuccess(try await sandbox.clover("export", "orders", "customers", "--to", folder.path))
                try folder.expectWhole()
            }
            try await export()
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            // As written by a program that has read everything: with a line before ours.
            let lines = String(decoding: try folder.read("manifest.ndjson"), as: UTF8.self)
            let first = try #require(lines.split(separator: "\n").first)
            try sandbox.directory.write(
                "backup/manifest.ndjson", (first.replacing("orders", with: "other orders") + "\n" + lines).utf8)
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
            try await emulator.churn(10)
            try await export()
            try await expectNewest(["orders", "customers"], folder, emulator)
        }
    }

    @Test("files of a killed run are exported again after an older backup is restored")
    func restoredFinished() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            func export(_ folder: ExportFolder, in own: Sandbox, _ options: String...) async throws -> CommandResult {
                try await own.clover(["export", "orders", "tenders", "--to", folder.path] + options)
            }
            func change() async throws {
                try await emulator.churn(5)
                let made = try await sandbox.clover(
                    "post", "tenders", "--field", "label=T", "--field", "opensCashDrawer=true")
                #expect(made.status == 0, "\(made)")
            }
            let calm = sandbox.withState("state-of-calm")
            let counted = try await KillPoint(number: nil, side: .after).arm(calm, log: "calm.log", everywhere: true)
            expectSuccess(try await export(sandbox.exports("calm"), in: counted))
            let calls = try KillPoint.calls(in: sandbox, log: "calm.log")
            let named = calls.indices.filter { calls[$0].hasPrefix("rename") && calls[$0].contains("ndjson") }
            let step = Scale.pick(4, full: 2)
            let points = named.flatMap { stride(from: $0 - 1, through: $0 + Scale.pick(11, full: 40), by: step) }
            #expect(points.count > 6)
            var deaths = 0
            let worlds = points.enumerated().flatMap { index, point in
                Scale.pick([index % 2 == 0], full: [true, false]).map { (point, $0) }
            }
            for (run, names) in worlds {
                let name = "\(run)-\(names)"
                let (folder, backup) = (sandbox.exports("out-\(name)"), sandbox.exports("backup-\(name)"))
                let own = sandbox.withState("state-\(name)")
                expectSuccess(try await export(folder, in: own))
                try await change()
                expectSuccess(try await export(folder, in: own))
                try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
                try await change()
                if names { expectSuccess(try await export(folder, in: own)) }
                try await change()
                let naming = KillPoint.Calls(name: "rename", about: "ndjson")
                if names {
                    let first = try await KillPoint(number: 1, side: .after, among: naming)
                        .arm(own, log: "first-\(name).log", everywhere: true)
                    #expect(try await export(folder, in: first).ending == .signalled(9))
                }
                let armed = try await KillPoint(number: run, side: .after)
                    .arm(own, log: "killed-\(name).log", everywhere: true)
                let killed = try await export(folder, in: armed, "--name", "{resource}/then/{window}.{extension}")
                if killed.ending == .signalled(9) { deaths += 1 }
                try FileManager.default.removeItem(atPath: folder.path)
                try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
                for _ in 0..<2 {
                    let again = try await export(folder, in: own)
                    #expect(again.status == 0, "\(name) \(again)")
                    try folder.expectWhole()
                    try await expectNewest(["orders", "tenders"], folder, emulator, name)
                }
            }
            #expect(deaths > worlds.count / 2)
            try Scale.report(
                "`kill -9` of one and of two runs in a row, then a backup of before is put back",
                count: "\(deaths) points",
                result: "the run after it has all, and the manifest every file")
        }
    }

    @Test("growing files continue where the backup ends, and those not in it start again")
    func restoredGrowing() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let (folder, backup) = (sandbox.exports("out"), sandbox.exports("backup"))
            func export(_ resources: String...) async throws -> CommandResult {
                try await sandbox.clover(["export"] + resources + ["--append", "--to", folder.path])
            }
            func change() async throws {
                try await emulator.churn(30)
                let made = try await sandbox.clover("post", "customers", "--field", "firstName=Ann")
                #expect(made.status == 0, "\(made)")
            }
            for _ in 0..<2 {
                expectSuccess(try await export("orders"))
                try await change()
            }
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            for _ in 0..<2 {
                expectSuccess(try await export("orders", "items", "customers"))
                try await change()
            }
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
            let again = try await export("orders", "items", "customers")
            #expect(again.status == 0, "\(again)")
            #expect(again.errorText.contains("3 files of later runs are missing"), "\(again)")
            try folder.expectWhole()
            for list in ["orders", "items", "customers"] {
                let lines = try JSONValue.lines(try folder.lines(of: list + ".ndjson"))
                let newest = Dictionary(lines.map { ($0["id"]?.string ?? "", $0) }) { $1 }
                for (id, record) in try await emulator.truth(list) { #expect(newest[id] == record, "\(list) \(id)") }
            }
            expectSuccess(try await export("orders", "items", "customers"))
        }
    }

    @Test(
        "accepted missing files are not exported again, whatever was done to the manifest"
    )
    func tidiedUp() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            func export() async throws -> [String] {
                let result = try await sandbox.clover(
                    "export", "orders", "items", "--to", folder.path, "--accept-missing")
                expectSuccess(result)
                #expect(result.errorText.isEmpty)
                return folder.files.filter { $0.hasPrefix("orders/") }
            }
            func takeAway() throws {
                for file in folder.files { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
            }
            _ = try await export()
            for number in 0..<3 {
                try await emulator.churn(20)
                _ = try await export()
                try takeAway()
                switch number {
                case 0: break
                case 1:
                    let last = try folder.lines(of: "manifest.ndjson").suffix(1)
                    try sandbox.directory.write("out/manifest.ndjson", (last[last.startIndex] + "\n").utf8)
                default: try FileManager.default.removeItem(atPath: folder.path + "/manifest.ndjson")
                }
                #expect(try await export().isEmpty)
            }
        }
    }

    @Test("a file that becomes a growing one later is its first addition in the manifest")
    func addedToLater() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--name", "{resource}.{extension}"]
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.manifest().map { $0["offset"]?.integer } == [nil])
            for _ in 0..<2 {
                try await emulator.churn(20)
                expectSuccess(try await sandbox.clover(arguments + ["--append"]))
                try folder.expectWhole()
            }
            let offsets = try folder.manifest().map { $0["offset"]?.integer }
            #expect(offsets.count == 3 && offsets.first == 0, "\(offsets)")
        }
    }
}
