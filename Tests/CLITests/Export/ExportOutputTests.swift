import CloverTestSupport
import Foundation
import Testing

@Suite("export: formats, and many merchants")
struct ExportOutputTests {
    @Test("compressed files have the plain contents and are reproducible", arguments: ["gzip", "zstd"])
    func compressed(format: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "300"]) { sandbox, _ in
            let until = ["--until", "2026-02-02T00:00Z"]
            let plain = sandbox.exports("plain")
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", plain.path] + until))
            for name in ["one", "two"] {
                expectSuccess(
                    try await sandbox.clover(
                        ["export", "orders", "--to", sandbox.directory[name], "--compress", format] + until))
            }
            let one = sandbox.exports("one")
            #expect(try one.contents() == (try sandbox.exports("two").contents()))
            let file = try #require(one.files.first)
            #expect(file == plain.files[0] + (format == "gzip" ? ".gz" : ".zst"))
            let expanded = try await CommandRunner(executable: "/usr/bin/\(format)", environment: [:])
                .run(["-dc", "\(one.path)/\(file)"])
            #expect(expanded.output == (try plain.read(plain.files[0])))
            try one.expectWhole()
        }
    }

    @Test("a repeated export to standard output says that it has only what changed, unless that was asked for by name")
    func repeated() async throws {
        try await Sandbox.run(emulator: ["--orders", "20", "--now", "clock"]) { sandbox, _ in
            let run = ["export", "payments", "--format", "csv"]
            let first = try await sandbox.clover(run)
            expectSuccess(first)
            #expect(first.errorText == "" && first.lines.count > 1, "\(first)")
            let second = try await sandbox.clover(run)
            #expect(second.ending == .exited(0))
            #expect(second.errorText.contains("payments: only what changed since 2"), "\(second)")
            #expect(second.errorText.contains("--full, or use 'clover get payments --all'"), "\(second)")
            for words in [["--since", "last"], ["--full"]] {
                let result = try await sandbox.clover(run + words)
                #expect(result.ending == .exited(0) && result.errorText == "", "\(result)")
            }
        }
    }

    @Test("a growing file has one header and every record once")
    func appended() async throws {
        try await Sandbox.run(unpaced: ["--orders", "400", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "--to", folder.path, "--append", "--name", "{resource}.csv", "--format", "csv",
                "--fields", "id,total",
            ]
            expectSuccess(try await sandbox.clover(arguments + ["--until", "2026-01-20T00:00Z"]))
            expectSuccess(try await sandbox.clover(arguments + ["--until", "2026-01-28T00:00Z"]))
            expectSuccess(try await sandbox.clover(arguments))
            let lines = try folder.lines(of: "orders.csv").map { $0.filter { $0 != "\r" } }
            #expect(lines.first == "id,total")
            #expect(lines.count == 401)
            #expect(Set(lines.dropFirst().map { $0.prefix { $0 != "," } }).count == 400)
            // A file that was moved away is started again.
            try FileManager.default.moveItem(atPath: folder.path + "/orders.csv", toPath: folder.path + "/old.csv")
            expectSuccess(try await sandbox.clover(arguments + ["--since", "2026-01-30T00:00Z", "--accept-missing"]))
            #expect(try folder.lines(of: "orders.csv").first?.hasPrefix("id,total") ?? false)
            _ = emulator
        }
    }

    @Test(
        "records on which a program fails are kept with their errors, the others are written, and the run ends with 82")
    func failedRecords() async throws {
        try await Sandbox.run(unpaced: ["--orders", "300", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            for (number, options) in [[], ["--append"], ["--compress", "gzip", "--window", "10d"]].enumerated() {
                let folder = sandbox.exports("out-\(number)")
                let program = "if .total % 2 == 0 then error(\"even \\(.total)\") else .id end"
                let run = ["export", "orders", "--to", folder.path, "--jq", program, "-r"] + options
                expectFailure(
                    try await sandbox.clover(run), status: 82, saying: "jq failed on ",
                    "they are in \(folder.path)/failed")
                let orders = try await emulator.truth("orders")
                let even = orders.filter { ($0.value["total"]?.integer ?? 0) % 2 == 0 }
                try #require(!even.isEmpty && even.count < orders.count)
                func kept() throws -> [String: JSONValue] {
                    let lines = try folder.files.filter { $0.hasPrefix("failed/") }
                        .flatMap { try JSONValue.lines(try folder.lines(of: $0)) }
                    for line in lines {
                        #expect(line["error"]?.string == "even \(line["record"]?["total"]?.integer ?? 0)")
                        #expect(line["resource"]?.string == "orders" && line["merchant"]?.string != nil)
                    }
                    return Dictionary(lines.map { ($0["id"]?.string ?? "", $0["record"] ?? .null) }) { $1 }
                }
                #expect(try kept() == even)
                let written = try folder.files.filter { !$0.hasPrefix("failed/") }
                    .flatMap { try folder.lines(of: $0) }
                #expect(Set(written) == Set(orders.keys).subtracting(even.keys))
                // The export is not stuck, and the destination is healthy.
                expectSuccess(try await sandbox.clover(run))
                expectSuccess(try await sandbox.clover("export", "verify", folder.path))
                try await emulator.churn(40)
                let next = try await sandbox.clover(run + ["--summary"])
                let isAny = (try sandbox.summary(next, "orders")["failed"]?.integer ?? 0) > 0
                #expect(next.status == (isAny ? 82 : 0), "\(next)")
                let changed = try await emulator.truth("orders").filter { ($0.value["total"]?.integer ?? 0) % 2 == 0 }
                let all = try kept()
                for (id, record) in changed { #expect(all[id] == record, "\(id)") }
            }
        }
    }

    @Test(
        "a file of failed records is listed, counts as exported, and is made again when it is lost",
        arguments: [[], ["--append"]])
    func failedFiles(options: [String]) async throws {
        let flags = ["--orders", "100", "--days", "40", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            let program = "if .total % 2 == 0 then error(\"even\") else . end"
            let run = ["export", "orders", "--to", folder.path, "--jq", program] + options
            let verify = ["export", "verify", folder.path]
            expectFailure(try await sandbox.clover(run), status: 82, saying: "jq failed on ")
            let line = try #require(try folder.manifest().first { $0["role"]?.string == "failed" })
            let name = try #require(line["file"]?.string)
            #expect(name.hasPrefix("failed/") && line["resource"]?.string == "orders.failed")
            expectSuccess(try await sandbox.clover(verify + ["--service"]))
            let whole = try folder.contents()
            for isEmptied in [false, true] {
                if isEmptied {
                    try sandbox.directory.write("out/" + name, [UInt8]())
                } else {
                    try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
                }
                expectFailure(try await sandbox.clover(run), status: 79, saying: name)
                expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
                #expect(try await sandbox.clover(verify + ["--repair"]).status == 0)
                for (file, bytes) in whole { #expect(try folder.read(file) == bytes, "\(file)") }
            }
            expectSuccess(try await sandbox.clover(run))
            // A list that is exported in full.
            let list = [
                "export", "tenders", "--to", folder.path, "--jq", "error(\"no\")", "--name", "all-{resource}.ndjson",
            ]
            expectFailure(try await sandbox.clover(list + options), status: 82, saying: "jq failed on ")
            let other = try #require(folder.files.first { $0.hasPrefix("failed/all-tenders") })
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(other)")
            expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
            #expect(try await sandbox.clover(verify + ["--repair"]).status == 0)
        }
    }

    @Test("records that failed before a run was killed are kept once, and a file of that name is not replaced")
    func failedOnce() async throws {
        try await Sandbox.run(unpaced: ["--orders", "100", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path, "--jq", "error(\"no\")"]
            let point = KillPoint(number: 1, side: .after, among: KillPoint.Calls(name: "rename", about: "failed"))
            let killed = try await point.arm(sandbox, log: "killed.log", everywhere: true).clover(run)
            #expect(killed.ending == .signalled(9), "\(killed)")
            let first = try folder.contents()
            try #require(first.count == 1)
            expectFailure(try await sandbox.clover(run), status: 82, saying: "jq failed on 100 records")
            #expect(try folder.contents() == first)
            // The same window again, where someone has changed the file.
            let name = try #require(first.keys.first)
            try sandbox.directory.write("out/\(name)", Array("mine\n".utf8))
            let full = try await sandbox.clover(run + ["--full"])
            expectFailure(full, status: 79, saying: "missing or changed", "jq failed on 100 records")
            #expect(try folder.read(name) == Array("mine\n".utf8))
            #expect(folder.files.filter { !$0.hasSuffix(".log") }.count == 2)
        }
    }

    @Test("a file of failed records that a killed run left is listed or removed, also if records changed since")
    func failedLeft() async throws {
        let flags = ["--orders", "100", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = ["export", "orders", "--to", folder.path, "--jq", "error(\"no\")"]
            let point = KillPoint(number: 1, side: .after, among: KillPoint.Calls(name: "rename", about: "failed"))
            let killed = try await point.arm(sandbox, log: "killed.log", everywhere: true).clover(run)
            #expect(killed.ending == .signalled(9), "\(killed)")
            try #require(folder.files.count == 1)
            try await emulator.churn(40)
            expectFailure(try await sandbox.clover(run), status: 82, saying: "jq failed on ")
            // What changed since the killed run began.
            let rest = try await sandbox.clover(run)
            #expect([0, 82].contains(rest.status), "\(rest)")
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            let listed = Set(try folder.manifest().compactMap { $0["file"]?.string })
            #expect(listed == Set(folder.files))
            let ids = try folder.files.flatMap { try JSONValue.lines(try folder.lines(of: $0)) }
                .compactMap { $0["id"]?.string }
            let truth = try await emulator.truth("orders")
            #expect(Set(ids).isSuperset(of: truth.keys))
            try sandbox.directory.write("out/failed/orders/other.ndjson", Array("{}\n".utf8))
            let foreign = try await sandbox.clover("export", "verify", folder.path)
            expectFailure(foreign, status: 82, saying: "1 finding", output: nil)
        }
    }

    @Test("failed records that an earlier version did not list are listed by the next run, and never removed")
    func failedUnlisted() async throws {
        try await Sandbox.run(unpaced: ["--orders", "50", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let program = "if .total % 2 == 0 then error(\"no\") else . end"
            let run = ["export", "orders", "--to", folder.path, "--jq", program]
            let verify = ["export", "verify", folder.path]
            expectFailure(try await sandbox.clover(run), status: 82, saying: "jq failed on ")
            let listed = try #require(folder.files.first { $0.hasPrefix("failed/orders/") })
            let line = try #require(folder.lines(of: listed).first)
            let orphan = "failed/orders/20250101T000000.000Z--20250201T000000.000Z.ndjson"
            let bytes = Array((line + "\n").utf8)
            try sandbox.directory.write("out/\(orphan)", bytes)
            let before = try await sandbox.clover(verify)
            expectFailure(before, status: 82, saying: "1 finding", output: nil)
            #expect(before.outputText.contains("has failed records: the next run to this"), "\(before)")
            expectSuccess(try await sandbox.clover(run))
            #expect(try folder.read(orphan) == bytes)
            #expect(try folder.manifest().contains { $0["file"]?.string == orphan })
            expectSuccess(try await sandbox.clover(verify))
            try folder.expectWhole()
            // Nothing can export it again, so that it is not missed.
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(orphan)")
            expectSuccess(try await sandbox.clover(run))
            expectSuccess(try await sandbox.clover(verify))
        }
    }

    @Test("a window that a growing file has in another form is refused before its failed records are kept: 73")
    func failedRefused() async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let append = ["--to", folder.path, "--append"]
            let day = ["export", "orders", "--day", "2026-01-20"] + append
            expectSuccess(try await sandbox.clover(day))
            let before = try folder.contents()
            let program = "if .total % 2 == 0 then error(\"even\") else . end"
            let refused = try await sandbox.clover(day + ["--jq", program])
            expectFailure(refused, status: 73, saying: "already, and would have records twice")
            #expect(try folder.contents() == before)
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            // The failed records of one resource, beside another that is refused.
            let both = try await sandbox.clover(["export", "tenders", "orders"] + append + ["--jq", "error(\"no\")"])
            expectFailure(both, status: 82, saying: "jq failed on ", "orders failed, 1 is done")
            #expect(!both.errorText.contains("everything else"), "\(both)")
        }
    }

    @Test("with --strict, a record on which a program fails prevents publication: 65")
    func program() async throws {
        try await Sandbox.run(emulator: ["--orders", "100"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let base = ["export", "orders", "--to", folder.path, "--until", "2026-02-02T00:00Z", "--strict"]
            expectFailure(
                try await sandbox.clover("export", "orders", "--to", folder.path, "--strict"), status: 64,
                saying: "--strict needs --jq")
            // What the program has read ahead would be lost.
            expectFailure(
                try await sandbox.clover(base.dropLast() + ["--jq", "[., input] | error(\"no\")"]), status: 65,
                saying: "the file with them was not written")
            expectFailure(
                try await sandbox.clover(base + ["--jq", "if .total > 0 then error(\"no\") else . end"]), status: 65,
                saying: "jq failed on 100 records, the first of them record ", "the file with them was not written")
            let failing = "if .total % 2 == 0 then error(\"no\") else .id end"
            expectFailure(
                try await sandbox.clover("export", "orders", "--until", "2026-02-02T00:00Z", "--jq", failing),
                status: 65,
                saying: "the rest of their window was written, and nothing after it", output: nil)
            expectFailure(
                try await sandbox.clover(base + ["--jq", "halt"]), status: 65, saying: "the jq program ended the run")
            expectFailure(try await sandbox.clover(base + ["--jq", ".["]), status: 65, saying: "does not compile")
            #expect(folder.files == [])
            expectSuccess(try await sandbox.clover(base + ["--jq", ".id", "-r"]))
            #expect(try folder.lines(of: folder.files[0]).allSatisfy { $0.count == 13 })
        }
    }

    @Test("every named sign-in is exported; one that fails does not stop the others: 82")
    func merchants() async throws {
        try await Sandbox.run(emulator: ["--orders", "50", "--now", "clock"]) { given, emulator in
            let sandbox = given.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            for (profile, merchant, token) in [
                ("good", emulator.merchantID, emulator.accessToken), ("wrong", "OTHERMERCHANT", "unknown-token"),
            ] {
                let result = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", merchant, "--environment", emulator.url,
                    "--profile", profile, input: .text(token + "\n"))
                #expect(result.status == 0, "\(result)")
            }
            let folder = sandbox.exports("out")
            let both = try await sandbox.clover(
                "export", "orders", "items", "--profiles", "all", "--to", folder.path, "--tag-merchant", "--summary")
            expectFailure(
                both, status: 82, saying: "orders of OTHERMERCHANT: ", "2 are done", output: nil)
            let summary = try JSONValue(try #require(both.lines.last))
            #expect(summary["merchants"]?[emulator.merchantID]?["ok"] == .bool(true))
            #expect(summary["merchants"]?["OTHERMERCHANT"]?["ok"] == .bool(false))
            #expect(folder.files.allSatisfy { $0.hasPrefix(emulator.merchantID + "/") })
            try folder.expectWhole()
            for list in ["orders", "items"] {
                let records = try folder.records(of: list)
                let truth = Set(try await emulator.truth(list).keys)
                #expect(!truth.isEmpty && Set(records.compactMap { $0["id"]?.string }) == truth, "\(list)")
                #expect(records.count == truth.count, "\(list)")
                #expect(records.allSatisfy { $0["merchant"]?["id"]?.string == emulator.merchantID }, "\(list)")
                let resource = summary["merchants"]?[emulator.merchantID]?["resources"]?[list]
                #expect(resource?["records"]?.integer == truth.count, "\(list)")
            }
            let failure = summary["merchants"]?["OTHERMERCHANT"]?["resources"]?["orders"]?["error"]
            #expect(failure?["status"]?.integer == 77, "\(summary)")
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "items", "--profiles", "good", "--to", folder.path, "--tag-merchant"))
            expectFailure(
                try await sandbox.clover(
                    "export", "orders", "--profiles", "good", "--to", folder.path, "--name", "{window}"),
                status: 64, saying: "add {merchant} to it")
        }
    }

    @Test("options of 'get' that export lacks are refused with the nearest equivalent")
    func optionsOfGet() async throws {
        try await Sandbox.run { sandbox in
            for (option, hint) in [
                ("--dry-run", "clover export schedule --every 1d"), ("--curl", "clover get RESOURCE --curl"),
                ("--slurp", "clover get RESOURCE --all --slurp"),
            ] {
                expectFailure(
                    try await sandbox.clover("export", "orders", "--to", sandbox.directory["out"], option), status: 64,
                    saying: option, hint)
            }
        }
    }

    @Test("works under cron, with few variables and no standard input")
    func cron() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { given, _ in
            let sandbox = given.without("LANG", "TZ", "COLUMNS", "PATH")
            let folder = sandbox.exports("out")
            let result = try await sandbox.clover(
                "export", "orders", "employees", "--to", folder.path, "--jitter", "10ms", input: .closed)
            expectSuccess(result)
            #expect(result.output == [])
            #expect(folder.files.filter { !$0.hasSuffix(".log") }.count == 2)
        }
    }

    @Test("the status is printed as text, JSON and Prometheus metrics")
    func status() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, emulator in
            expectFailure(
                try await sandbox.clover("export", "status"), status: 66, saying: "nothing has been exported yet")
            expectFailure(
                try await sandbox.clover("export", "status", "--fail-if-older-than", "1h"), status: 79,
                saying: "not exported for 1h: anything")
            let folder = sandbox.exports("out")
            for _ in 0..<2 { expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path)) }
            let result = try await sandbox.clover("export", "status", "--json")
            expectSuccess(result)
            let entry = try JSONValue(result.outputText)
            #expect(
                entry.keys == [
                    "coveredTo", "destination", "environment", "expected", "failures", "files", "interrupted", "lag",
                    "lastAttempt",
                    "lastError", "lastRecords", "lastSuccess", "merchant", "missing", "missingFiles", "newest",
                    "nextDue", "profile",
                    "records",
                    "resource", "rows", "running", "unfinished",
                ])
            #expect(entry["rows"]?.integer == 20)
            // Only a resource with a current file has a known number of records.
            #expect(entry["records"] == .null)
            #expect(entry["lastRecords"]?.integer == 0)
            #expect(entry["destination"]?.string == folder.path)
            #expect(entry["nextDue"]?.string != nil)
            #expect(entry["running"] == .bool(false))
            let metrics = try await sandbox.clover("export", "status", "--prometheus")
            expectSuccess(metrics)
            let labels =
                #"{destination="\#(folder.path)",environment="\#(emulator.url)",merchant="\#(emulator.merchantID)",resource="orders"}"#
            #expect(metrics.lines.contains("clover_export_records_total\(labels) 20"))
            #expect(metrics.lines.contains("clover_export_failures\(labels) 0"))
            #expect(metrics.lines.count { $0.hasPrefix("# TYPE ") } == 8)
        }
    }
}
