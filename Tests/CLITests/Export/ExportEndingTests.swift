import CloverTestSupport
import Foundation
import Testing

/// How a run that could not do all of it ends, and what it leaves to the next one.
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

    @Test("the summary of a run that failed before its first record says so, and why")
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

    @Test("a service that cannot be asked for the merchant leaves no other windows to the next run")
    func ageUnknown() async throws {
        let calls = Counter()
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/orders") else {
                calls.add()
                return calls.value == 1
                    ? LoopbackAnswer(status: "503 Service Unavailable", "{}")
                    : LoopbackAnswer(status: "200 OK", #"{"id":"M","createdTime":1767312000000}"#)
            }
            let isFirst = ["0", nil].contains(request.values(of: "offset").first)
            return .page(isFirst ? [#"{"id":"R","modifiedTime":1767400000000}"#] : [])
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--until", "2026-02-01", "--no-retry"]
            expectFailure(try await sandbox.clover(arguments), status: 69, saying: "503")
            expectSuccess(try await sandbox.clover(arguments))
            // A day before the merchant was there.
            #expect(try folder.manifest().first?["from"]?.string == "2026-01-01T00:00:00.000Z")
        }
    }

    @Test("a token that is not taken leaves no windows that another one would not have made")
    func wrongToken() async throws {
        try await Sandbox.run(emulator: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let calm = sandbox.exports("calm")
            let folder = sandbox.exports("out")
            let arguments = ["--until", "2026-01-01"]
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", calm.path] + arguments))
            expectFailure(
                try await sandbox.with(["CLOVER_ACCESS_TOKEN": "nobody-knows-this"]).clover(
                    ["export", "orders", "--to", folder.path] + arguments), status: 77, saying: "token")
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", folder.path] + arguments))
            #expect(try folder.contents() == calm.contents())
        }
    }

    @Test("a destination whose state is lost keeps its manifest and its files, and nothing is added to them twice")
    func lostState() async throws {
        try await Sandbox.run(emulator: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "tenders", "--to", folder.path, "--append", "--name", "all.ndjson"]
            expectSuccess(try await sandbox.clover(arguments))
            let before = try folder.contents()
            let manifest = try folder.read("manifest.json")
            let elsewhere = sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["elsewhere"]])
            expectFailure(
                try await elsewhere.clover(arguments), status: 78, saying: "another state directory", "move the files")
            try FileManager.default.removeItem(atPath: folder.path + "/.clover-export")
            expectFailure(
                try await elsewhere.clover(arguments), status: 73,
                saying: "all.ndjson is there and no export has made it")
            #expect(try folder.contents() == before)
            expectSuccess(try await elsewhere.clover("export", "items", "--to", folder.path))
            #expect(try folder.read("manifest.json").starts(with: manifest))
            #expect(try folder.manifest().count > before.count)
        }
    }

    @Test(
        "--tag-merchant is a column, too, beside those of the model and before those that were chosen",
        arguments: [nil, "id,label"])
    func tagColumn(fields: String?) async throws {
        try await Sandbox.run(emulator: ["--orders", "20", "--no-limits"]) { sandbox, emulator in
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
