import CloverTestSupport
import Foundation
import Testing

/// How an incomplete run ends, and what it leaves for the next one.
@Suite("export: how it ends")
struct ExportEndingTests {
    private func expectFailed(
        _ result: CommandResult, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
        let summary = try JSONValue(try #require(result.lines.last, "\(result)", sourceLocation: sourceLocation))
        #expect(summary["event"]?.string == "summary", sourceLocation: sourceLocation)
        #expect(summary["ok"] == .bool(false), sourceLocation: sourceLocation)
        #expect(summary["error"]?["status"]?.integer == Int(status), "\(summary)", sourceLocation: sourceLocation)
        #expect(summary["error"]?["message"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test("the summary of a run that failed before its first record gives the reason")
    func failedSummary() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            try sandbox.directory.write("file", [1])
            try expectFailed(
                try await sandbox.clover(
                    "export", "orders", "--to", sandbox.directory["file/out"], "--summary"), status: 73)
            try expectFailed(
                try await sandbox.clover("export", "tenders", "--to", "out", "--since", "-7d", "--summary"), status: 64)
            try expectFailed(
                try await sandbox.clover(
                    "export", "tenders", "--to", "out", "--jitter", "600", "--max-time", "0.01", "--summary"),
                status: 83)
            try expectFailed(
                try await sandbox.without("CLOVER_ACCESS_TOKEN").clover(
                    "export", "orders", "--to", "out", "--summary"), status: 77)
        }
    }

    @Test("a failed request for the merchant does not change the next run's windows")
    func ageUnknown() async throws {
        let calls = Counter()
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders") else {
                calls.add()
                return calls.value == 1
                    ? LoopbackResponse(status: "503 Service Unavailable", "{}")
                    : LoopbackResponse(status: "200 OK", #"{"id":"M","createdTime":1767312000000}"#)
            }
            let isFirst = ["0", nil].contains(request.values(of: "offset").first)
            return .page(isFirst ? [#"{"id":"R","modifiedTime":1767400000000}"#] : [])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--until", "2026-02-01T00:00Z", "--retry", "0"]
            expectFailure(try await sandbox.clover(arguments), status: 69, saying: "503")
            expectSuccess(try await sandbox.clover(arguments))
            // A day before the merchant existed.
            #expect(try folder.manifest().first?["from"]?.string == "2026-01-01T00:00:00.000Z")
        }
    }

    @Test("a rejected token does not change the next run's windows")
    func wrongToken() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let calm = sandbox.exports("calm")
            let folder = sandbox.exports("out")
            let arguments = ["--until", "2026-01-01T00:00Z"]
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", calm.path] + arguments))
            expectFailure(
                try await sandbox.with(["CLOVER_ACCESS_TOKEN": "unknown-token"]).clover(
                    ["export", "orders", "--to", folder.path] + arguments), status: 77, saying: "token")
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", folder.path] + arguments))
            #expect(try folder.contents() == calm.contents())
        }
    }

    @Test("a destination whose state is lost keeps its manifest and files, without duplicates")
    func lostState() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "tenders", "--to", folder.path, "--append", "--name", "all.ndjson"]
            expectSuccess(try await sandbox.clover(arguments))
            let before = try folder.contents()
            let manifest = try folder.read("manifest.ndjson")
            let elsewhere = sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["elsewhere"]])
            expectFailure(
                try await elsewhere.clover(arguments), status: 78, saying: "another state directory", "move the files")
            try FileManager.default.removeItem(atPath: folder.path + "/.clover-export")
            expectFailure(
                try await elsewhere.clover(arguments), status: 78, saying: "has files of tenders",
                "has lost .clover-export",
                "move the files")
            // Also in the state that knows the directory, and for a merchant whose records would be among the others.
            expectFailure(
                try await sandbox.clover("export", "tenders", "--to", folder.path), status: 78,
                saying: "has files of tenders")
            expectFailure(
                try await elsewhere.clover("export", "items", "--to", folder.path, "--merchant", "OTHERMERCHANT"),
                status: 78, saying: "has the exports of merchant", "this run is for merchant OTHERMERCHANT")
            #expect(try folder.contents() == before)
            expectSuccess(try await elsewhere.clover("export", "items", "--to", folder.path))
            #expect(try folder.read("manifest.ndjson").starts(with: manifest))
            #expect(try folder.manifest().count > before.count)
        }
    }

    @Test("failed windows are distinguished from untried ones")
    func untried() async throws {
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders"), ["0", nil].contains(request.values(of: "offset").first) else {
                return .page([])
            }
            let from =
                request.values(of: "filter").compactMap(\.removingPercentEncoding)
                .compactMap { $0.split(separator: ">=").last.flatMap { Int($0) } }.first ?? 0
            return from > 1_767_225_600_000
                ? LoopbackResponse(status: "503 Service Unavailable", "{}")
                : .page([#"{"id":"R","modifiedTime":\#(from)}"#])
        }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover(
                    "export", "orders", "--to", "out", "--since", "2026-01-01T00:00Z", "--until", "2026-02-10T00:00Z",
                    "--window",
                    "10d", "--retry", "0"), status: 79,
                saying: "orders of 2026-01-11T00:00:00.000Z..2026-01-31T00:00:00.000Z could not be read: 503; "
                    + "2026-01-31T00:00:00.000Z..2026-02-10T00:00:00.000Z was not tried after that",
                "1 of 4 windows are safe")
        }
    }

    @Test("resources not reached in time are named and in the status, each time: 83")
    func notReached() async throws {
        let isQuick = Counter()
        try await Sandbox.run(
            server: { request, _ in
                guard request.path.hasSuffix("/items"), isQuick.value == 0 else { return .page([]) }
                return LoopbackResponse(bytes: [], ending: .hold)
            }, weight: 0
        ) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "items", "orders", "payments", "--to", folder.path]
            let status = ["export", "status", "--to", folder.path]
            for failures in 1...2 {
                let result = try await sandbox.clover(arguments + ["--max-time", "1", "--summary"])
                #expect(result.status == 83, "\(result)")
                #expect(result.errorText.contains("orders, payments"), "\(result)")
                #expect(result.errorText.contains("not reached: "), "\(result)")
                for list in ["orders", "payments"] {
                    let entry = try sandbox.summary(result, list)
                    #expect(entry["ok"] == .bool(false))
                    #expect(entry["reached"] == .bool(false))
                }
                #expect(try sandbox.summary(result, "items")["reached"] == nil)
                let rows = try JSONValue.lines(try await sandbox.clover(status).lines)
                #expect(rows.compactMap { $0["resource"]?.string } == ["items", "orders", "payments"])
                for row in rows {
                    #expect(row["lastSuccess"] == .null, "\(row)")
                    #expect(row["failures"]?.integer == failures, "\(row)")
                    #expect(row["lastError"]?.string?.contains("--max-time 1 s ran out") == true, "\(row)")
                }
                #expect(rows.last?["lastError"]?.string?.hasSuffix("not reached: payments") == true)
                let metrics = try await sandbox.clover(status + ["--prometheus"])
                #expect(
                    metrics.lines.count { line in
                        line.hasPrefix("clover_export_last_success_timestamp_seconds{") && line.hasSuffix("} 0.0")
                    } == 3, "\(metrics)")
                expectFailure(
                    try await sandbox.clover(status + ["--fail-if-older-than", "2h", "-q"]), status: 79,
                    saying: "payments of")
            }
            isQuick.add()
            expectSuccess(try await sandbox.clover(arguments))
            expectSuccess(try await sandbox.clover(status + ["--fail-if-older-than", "2h", "-q"]))
            for row in try JSONValue.lines(try await sandbox.clover(status).lines) {
                #expect(row["failures"]?.integer == 0, "\(row)")
                #expect(row["lastError"] == .null, "\(row)")
            }
        }
    }

    @Test("resumes with the state of an older version")
    func formerState() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "payments", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            let before = try await sandbox.clover("export", "status", "--json")
            let files = try folder.contents()
            let script = """
                import sqlite3, sys
                state = sqlite3.connect(sys.argv[1])
                for table, column in [("streams", "asked_at"), ("streams", "beginning"), ("streams", "form"),
                        ("streams", "form_words"), ("files", "choice"), ("files", "is_regular"), ("files", "is_first"),
                        ("files", "broken_plan"), ("files", "drops_known"), ("publishing", "file"),
                        ("publishing", "stream"), ("publishing", "plan"), ("publishing", "drops_known"),
                        ("files", "is_forgotten"), ("files", "is_tagged"), ("files", "words"),
                        ("streams", "is_expected"), ("streams", "revision"),
                        ("streams", "keeps_current"), ("files", "role"), ("files", "merged_into")]:
                    state.execute("ALTER TABLE %s DROP COLUMN %s" % (table, column))
                state.execute("DROP TABLE default_columns")
                state.execute("DROP TABLE empty_windows")
                state.execute("DROP TABLE current_records")
                state.execute("DROP TABLE moves")
                version = state.execute("PRAGMA user_version").fetchone()[0]
                state.execute("PRAGMA user_version = %d" % (version - 10))
                state.commit()
                """
            let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            let changed = try await python.run(["-c", script, sandbox.directory["state/exports.sqlite"]])
            #expect(changed.status == 0, "\(changed)")
            let after = try await sandbox.clover("export", "status", "--json")
            #expect(after.status == 0, "\(after)")
            #expect(after.lines.count == 2)
            #expect(
                try JSONValue.lines(after.lines).map { $0["rows"] }
                    == (try JSONValue.lines(before.lines).map { $0["rows"] }))
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.contents() == files)
        }
    }

    @Test("--max-time that runs out during a rate-limit pause names the pause")
    func limited() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/tenders")
                ? LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: 600"], body: [])
                : .page([])
        }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("export", "tenders", "--to", "out", "--max-time", "5"), status: 83,
                saying: "--max-time 5 s ran out: the service limits requests (429")
        }
    }

    @Test("a run without a single page stores no plan")
    func noPage() async throws {
        let isDown = Counter()
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders"), ["0", nil].contains(request.values(of: "offset").first) else {
                return .page([])
            }
            // A record of the hour before the range ends.
            let end =
                request.values(of: "filter").compactMap(\.removingPercentEncoding)
                .first { $0.hasPrefix("modifiedTime<") }.flatMap { Int($0.dropFirst("modifiedTime<".count)) } ?? 0
            return isDown.value == 0
                ? LoopbackResponse(status: "503 Service Unavailable", "{}")
                : .page([#"{"id":"R","modifiedTime":\#(end - 3_600_000)}"#])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--window", "30d", "--retry", "0"]
            let clock = try await WallClock(ahead: 0, in: sandbox.directory)
            let armed = sandbox.with(clock.variables)
            expectFailure(
                try await armed.clover(arguments + ["--since", "-10d"]), status: 69, saying: "503")
            isDown.add()
            try clock.set(86_400)
            expectSuccess(try await armed.clover(arguments + ["--since", "-10d"]))
            // One window, and not the old one and the day since.
            #expect(try folder.manifest().count == 1, "\(folder.files)")
        }
    }

    @Test("a removed destination is shown as missing until it is forgotten")
    func missing() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let (kept, gone) = (sandbox.exports("kept"), sandbox.exports("gone"))
            for folder in [kept, gone] {
                expectSuccess(try await sandbox.clover("export", "tenders", "--to", folder.path))
            }
            func status(_ options: String...) async throws -> [String: Bool] {
                let result = try await sandbox.clover(["export", "status"] + options)
                let entries = try JSONValue.lines(result.lines)
                return Dictionary(
                    entries.map { ($0["destination"]?.string ?? "", $0["missing"] == .bool(true)) }
                ) { $0 != $1 }
            }
            #expect(try await status() == [kept.path: false, gone.path: false])
            try FileManager.default.moveItem(atPath: gone.path, toPath: sandbox.directory["elsewhere"])
            #expect(try await status() == [kept.path: false, gone.path: true])
            #expect(try await status("--forget-missing") == [kept.path: false])
            #expect(try await status() == [kept.path: false])
            // A forgotten destination that comes back is recognized again.
            let again = try await sandbox.clover(
                "export", "tenders", "--to", sandbox.directory["elsewhere"], "--summary")
            expectSuccess(again)
            #expect(try sandbox.summary(again, "tenders")["files"]?.integer == 0)
            #expect(try await status() == [kept.path: false, sandbox.directory["elsewhere"]: false])
        }
    }

    @Test("an overlap of zero is accepted in any unit", arguments: ["0", "0s", "0m", "0d"])
    func noOverlap(text: String) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("export", "tenders", "--overlap", text))
        }
    }

    @Test("--with gives each resource those parts that it has")
    func partsOfSeveral() async throws {
        try await Sandbox.run(unpaced: ["--orders", "40", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "payments", "tenders", "--to", folder.path, "--with", "line_items,refunds"))
            let resources = Set(try folder.manifest().compactMap { $0["resource"]?.string })
            #expect(resources.isSuperset(of: ["orders", "orders.line_items", "payments", "tenders"]), "\(resources)")
            #expect(!resources.contains("payments.line_items") && !resources.contains("tenders.refunds"))
            try folder.expectWhole()
        }
    }

    @Test(
        "--tag-merchant adds a column to the model's columns and before chosen ones",
        arguments: [nil, "id,label"])
    func tagColumn(fields: String?) async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, emulator in
            let result = try await sandbox.clover(
                ["export", "tenders", "--tag-merchant", "--format", "csv"] + (fields.map { ["--fields", $0] } ?? []))
            #expect(result.status == 0, "\(result)")
            let lines = result.lines
            #expect(lines.first?.hasPrefix("merchant.id,id,") == true, "\(result)")
            #expect(lines.count > 1)
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(emulator.merchantID + ",") })
        }
    }
}
