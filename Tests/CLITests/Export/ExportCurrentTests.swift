import CloverTestSupport
import Foundation
import Testing

/// Current files: one row per record. Programs are started, because runs are killed.
@Suite("export: current files")
struct ExportCurrentTests {
    private static let flags = CurrentExport.flags

    @Test("a list without a change filter is one file with each record once, beside a log of its changes")
    func whole() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            for round in 0..<3 {
                expectSuccess(
                    try await sandbox.clover(
                        "export", "tenders", "customers", "--state", "current", "--to", folder.path))
                #expect(
                    Set(folder.files) == [
                        "customers/changes.log", "customers/current.ndjson", "tenders/changes.log",
                        "tenders/current.ndjson",
                    ])
                for list in ["tenders", "customers"] {
                    let current = try folder.rows(of: "\(list)/current.ndjson")
                    let truth = try await emulator.truth(list)
                    #expect(current == truth, "\(list) \(round)")
                    #expect(try folder.replay("\(list)/changes.log") == current, "\(list) \(round)")
                }
                try folder.expectWhole()
                expectSuccess(try await sandbox.clover("export", "verify", folder.path))
                try await emulator.churn(60)
                let post = ["post", "tenders", "--field", "label=T\(round)", "--field", "opensCashDrawer=true"]
                #expect(try await sandbox.clover(post).status == 0)
            }
            let status = try await sandbox.clover("export", "status", "--jq", "[.resource,.records]")
            let count = try folder.rows(of: "tenders/current.ndjson").count
            #expect(status.lines.contains(#"["tenders",\#(count)]"#))
        }
    }

    @Test("a run that is killed before or after a current file gets its name is completed by the next run")
    func killed() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover(CurrentExport.run(to: folder)))
            for side in [KillPoint.Side.before, .after] {
                try await emulator.churn(20)
                let point = KillPoint(
                    number: 1, side: side, among: KillPoint.Calls(name: "rename", about: "orders/current"))
                let killed = try await point.arm(sandbox, log: "killed.log", everywhere: true)
                    .clover(CurrentExport.run(to: folder))
                #expect(killed.ending == .signalled(9), "\(killed)")
                try await CurrentExport.expectCompleted(sandbox, folder, "\(point)")
            }
        }
    }

    @Test("a removed current file or log is made again by --repair", arguments: ["current.ndjson", "log"])
    func repaired(kind: String) async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "tenders", "--state", "current", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(arguments))
            let before = try folder.contents()
            let paths = kind == "log" ? ["tenders/changes.log"] : ["tenders/current.ndjson", "orders/current.ndjson"]
            for path in paths { try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)") }
            expectFailure(
                try await sandbox.clover("export", "verify", folder.path), status: 79, saying: "missing", output: nil)
            #expect(try await sandbox.clover("export", "verify", folder.path, "--repair").status == 0)
            for path in paths where kind != "log" {
                #expect(try folder.read(path) == before[path], "\(path)")
            }
            #expect(try folder.replay("tenders/changes.log") == folder.rows(of: "tenders/current.ndjson"))
        }
    }

    @Test(
        "a log that has lost its end, or is gone, is named by every run, is not added to, and is made again by --repair",
        arguments: [nil, 0, 1] as [Int?])
    func damagedLog(bytesLost: Int?) async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            let (run, verify) = (["export", "tenders", "--to", folder.path], ["export", "verify", folder.path])
            expectSuccess(try await sandbox.clover(run))
            let log = try folder.read("tenders/changes.log")
            switch bytesLost {
            case nil: try FileManager.default.removeItem(atPath: folder.path + "/tenders/changes.log")
            case 0: try sandbox.directory.write("out/tenders/changes.log", [UInt8]())
            default: try sandbox.directory.write("out/tenders/changes.log", log.dropLast())
            }
            func expectNamed() async throws {
                expectFailure(try await sandbox.clover(run), status: 79, saying: "tenders/changes.log")
                expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
            }
            try await expectNamed()
            let post = ["post", "tenders", "--field", "label=New", "--field", "opensCashDrawer=true"]
            if bytesLost != 1 {
                #expect(try await sandbox.clover(post).status == 0)
                let status: Int32 = bytesLost == nil ? 79 : 65
                #expect(try await sandbox.clover(run).status == status)
                expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
            }
            #expect(try await sandbox.clover(verify + ["--repair"]).status == 0)
            expectSuccess(try await sandbox.clover(run))
            #expect(try folder.replay("tenders/changes.log") == folder.rows(of: "tenders/current.ndjson"))
        }
    }

    @Test("a backup of before compact that is restored after it is brought up to date, with no record twice")
    func restoredBeforeCompact() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let (folder, backup) = (sandbox.exports("out"), sandbox.exports("backup"))
            let former = ["--name", "{resource}/{window}.{extension}"]
            let arguments = ["export", "orders", "customers", "--to", folder.path]
            for _ in 0..<2 {
                expectSuccess(try await sandbox.clover(arguments + former))
                try await emulator.churn(30)
            }
            try FileManager.default.copyItem(atPath: folder.path, toPath: backup.path)
            let compact = try await sandbox.clover("export", "compact", folder.path)
            #expect(compact.status == 0, "\(compact)")
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(arguments))
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.moveItem(atPath: backup.path, toPath: folder.path)
            let again = try await sandbox.clover(arguments)
            #expect(again.status == 0 && again.errorText.contains("as if restored from a backup"), "\(again)")
            for list in ["orders", "customers"] {
                let current = try folder.rows(of: "\(list)/current.ndjson")
                for (id, record) in try await emulator.truth(list) { #expect(current[id] == record, "\(list) \(id)") }
            }
            try folder.expectWhole()
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            expectSuccess(try await sandbox.clover(arguments))
        }
    }

    @Test("compact makes current files of an earlier destination, loses nothing, and later runs keep them")
    func compact() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            // The names that earlier versions gave to lists in full.
            let former = ["--name", "{resource}/{window}.{extension}"]
            let arguments = ["export", "orders", "customers", "--to", folder.path]
            for _ in 0..<3 {
                expectSuccess(try await sandbox.clover(arguments + former))
                try await emulator.churn(30)
            }
            let before = Set(try folder.contents().values)
            expectSuccess(try await sandbox.clover("export", "compact", folder.path, "--jq", ".file"))
            #expect(Set(try folder.contents().values).isSuperset(of: before))
            #expect(try folder.rows(of: "orders/current.ndjson") == folder.newest(of: "orders"))
            try folder.expectWhole()
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            // Again changes nothing.
            let files = try folder.contents()
            expectSuccess(try await sandbox.clover("export", "compact", folder.path, "--jq", "empty"))
            #expect(try folder.contents() == files)
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.rows(of: "orders/current.ndjson") == folder.newest(of: "orders"))
            let truth = try await emulator.truth("customers")
            #expect(try folder.rows(of: "customers/current.ndjson") == truth)
            for list in ["orders", "customers"] {
                let names = folder.files.filter { $0.hasPrefix(list + "/") && $0.split(separator: "/").count == 2 }
                #expect(names.filter { $0.hasSuffix(".ndjson") } == ["\(list)/current.ndjson"])
            }
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
        }
    }

    @Test("compact that is killed when a file has got its name leaves nothing missing, and the next one completes it")
    func killedCompact() async throws {
        try await CompactedExport.run { world in
            for name in ["current", "changes"] {
                let point = KillPoint(number: 1, side: .after, among: KillPoint.Calls(name: "rename", about: name))
                let (isKilled, interrupted) = try await world.kill(at: point, log: "\(name).log")
                #expect(isKilled)
                #expect(
                    interrupted.errorText.contains("was interrupted; to complete it, run it again"), "\(interrupted)")
            }
        }
    }

    @Test("the run after a killed compact keeps its current file up to date; one that is older is a finding")
    func runAfterKilledCompact() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path]
            let compact = ["export", "compact", folder.path, "--jq", "empty"]
            let verify = ["export", "verify", folder.path]
            func expectNewest() async throws {
                expectSuccess(try await sandbox.clover(verify))
                let current = try folder.rows(of: "orders/current.ndjson")
                #expect(try current == folder.newest(of: "orders"))
                let status = try await sandbox.clover("export", "status", "--jq", ".records")
                #expect(status.lines == ["\(current.count)"])
            }
            expectSuccess(try await sandbox.clover(run))
            let point = KillPoint(
                number: 1, side: .after, among: KillPoint.Calls(name: "rename", about: "orders/current"))
            _ = try await point.arm(sandbox, log: "killed.log", everywhere: true).clover(compact)
            try #require(folder.files.contains("orders/current.ndjson"))
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(run))
            try await expectNewest()

            // As a version left it that did not keep such a file up to date.
            let state = sandbox.directory[sandbox.stateFolder + "/exports.sqlite"]
            let shell = try await sandbox.shell("sqlite3 '\(state)' 'UPDATE streams SET keeps_current = 0'")
            #expect(shell.status == 0, "\(shell)")
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(run))
            let found = try await sandbox.clover(verify)
            expectFailure(found, status: 82, saying: "1 finding", output: nil)
            #expect(found.outputText.contains("orders/current.ndjson lacks the records of 1 later file"), "\(found)")
            expectSuccess(try await sandbox.clover(compact))
            try await expectNewest()
        }
    }

    @Test("compact after --full takes the files that replaced others; with a changed file it moves nothing")
    func compactAfterFull() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--window", "10d", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            try await emulator.churn(30)
            expectSuccess(try await sandbox.clover(arguments + ["--full"]))
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            let before = try folder.contents()
            let file = try #require(folder.files.first { $0.hasPrefix("orders/") })
            let bytes = try folder.read(file)
            try sandbox.directory.write("out/\(file)", bytes.map { $0 == UInt8(ascii: "a") ? UInt8(ascii: "b") : $0 })
            let compact = ["export", "compact", folder.path, "--jq", ".file"]
            expectFailure(
                try await sandbox.clover(compact), status: 79, saying: "\(file) has other bytes than were exported",
                "nothing of orders was moved or changed", output: nil)
            #expect(Set(folder.files) == Set(before.keys))
            // Later runs are as before, too.
            try sandbox.directory.write("out/\(file)", bytes)
            expectSuccess(try await sandbox.clover(arguments))
            expectSuccess(try await sandbox.clover(compact))
            let current = try folder.rows(of: "orders/current.ndjson")
            for (id, record) in try await emulator.truth("orders") { #expect(current[id] == record, "\(id)") }
            try folder.expectWhole()
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
        }
    }

    @Test("a list whose last record was removed is an empty file, and no stale one")
    func emptied() async throws {
        let records = Records()
        try await Sandbox.run(server: { _, _ in .page(records.lines) }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let rounds: [(lines: [String], changes: Int)] = [([#"{"id":"A"}"#], 1), ([], 2), ([], 2)]
            for (lines, changes) in rounds {
                records.lines = lines
                expectSuccess(try await sandbox.clover("export", "tenders", "--state", "current", "--to", folder.path))
                #expect(try folder.lines(of: "tenders/current.ndjson") == lines)
                #expect(try folder.lines(of: "tenders/changes.log").count == changes)
            }
        }
    }

    @Test("--name beside the current files of lists in full alone, where it names nothing, is refused: 73")
    func namedBeside() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            let name = ["--name", "{resource}/{window}.{extension}"]
            let tenders = ["export", "tenders", "--to", folder.path]
            expectSuccess(try await sandbox.clover(tenders))
            let before = try folder.contents()
            for options in [[], ["--full"]] {
                expectFailure(
                    try await sandbox.clover(tenders + name + options), status: 73,
                    saying: "tenders has a current file in this directory", "--name does not apply",
                    "leave such options out, or export to another directory: --to DIRECTORY")
                #expect(try folder.contents() == before)
            }
            // It names the files of other resources.
            expectSuccess(try await sandbox.clover(["export", "tenders", "orders", "--to", folder.path] + name))
        }
    }

    @Test("--append beside the current file of a list in full is refused, and says what to do: 73")
    func appendedBeside() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let (folder, other) = (sandbox.exports("out"), sandbox.exports("other"))
            let csv = ["export", "tenders", "--format", "csv", "--to"]
            let append = ["--append", "--name", "all.csv"]
            expectSuccess(try await sandbox.clover(csv + [folder.path]))
            let before = try folder.contents()
            try #require(before["tenders/current.csv"] != nil)
            for options in [[], ["--full"]] {
                expectFailure(
                    try await sandbox.clover(csv + [folder.path] + append + options), status: 73,
                    saying: "tenders has a current file in this directory", "--append does not apply",
                    "leave such options out, or export to another directory: --to DIRECTORY")
                #expect(try folder.contents() == before)
            }
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            // What it says works.
            expectSuccess(try await sandbox.clover(csv + [folder.path]))
            expectSuccess(try await sandbox.clover(csv + [other.path] + append))
            #expect(other.files.contains("all.csv"), "\(other.files)")
        }
    }

    private final class Records: @unchecked Sendable {
        // Changed only between runs.
        var lines: [String] = []
    }

    @Test("a directory in which nothing was exported is not all well")
    func nothing() async throws {
        try await Sandbox.run { sandbox in
            let folder = sandbox.exports("out")
            for path in [".clover-export/id", "manifest.ndjson"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/.clover-export", withIntermediateDirectories: true)
                try sandbox.directory.write("out/" + path, [UInt8]())
                expectFailure(
                    try await sandbox.clover("export", "verify", folder.path), status: 66,
                    saying: "nothing has been exported yet")
                try FileManager.default.removeItem(atPath: folder.path)
            }
        }
    }

    @Test(
        "options that leave no whole records exclude a current file",
        arguments: [
            ["--jq", ".id"], ["--compress", "gzip"], ["--format", "csv"], ["--append"], ["--with", "line_items"],
            ["--fields", "total"],
        ])
    func excluded(options: [String]) async throws {
        try await Sandbox.run { sandbox in
            let arguments = ["export", "orders", "--state", "current", "--to", sandbox.directory["out"]]
            let result = try await sandbox.using("http://127.0.0.1:1").clover(arguments + options)
            expectFailure(result, status: 64, saying: "--state current exclude each other")
        }
    }
}
