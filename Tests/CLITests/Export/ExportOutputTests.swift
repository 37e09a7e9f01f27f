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

    @Test("a growing file has one header and every record once")
    func appended() async throws {
        try await Sandbox.run(emulator: ["--orders", "400", "--no-limits"]) { sandbox, emulator in
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

    @Test("a program's results are written, and a record on which it fails prevents publication: 65")
    func program() async throws {
        try await Sandbox.run(emulator: ["--orders", "100"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let base = ["export", "orders", "--to", folder.path, "--until", "2026-02-02T00:00Z"]
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
            #expect(folder.files.count == 2)
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
                    "coveredTo", "destination", "environment", "failures", "files", "lag", "lastAttempt",
                    "lastError", "lastRecords", "lastSuccess", "merchant", "missing", "missingFiles", "newest",
                    "nextDue", "profile",
                    "records",
                    "resource", "running",
                ])
            #expect(entry["records"]?.integer == 20)
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
            #expect(metrics.lines.count { $0.hasPrefix("# TYPE ") } == 7)
        }
    }
}
