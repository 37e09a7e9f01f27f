import CloverTestSupport
import Foundation
import Testing

@Suite("export --via export-api: Clover's own exports")
struct ExportServiceTests {
    private static let via = ["--via", "export-api"]

    @Test(
        "the history is complete, byte for byte, and later runs export changes",
        arguments: ["orders", "payments"])
    func history(resource: String) async throws {
        let flags = ["--orders", "4000", "--now", "clock", "--export-time", "20ms"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let arguments = ["export", resource, "--to", "out", "--retry", "0"] + Self.via
            expectSuccess(try await sandbox.clover(arguments))
            let lines = try ExportedLines.all(in: sandbox, "out", resource)
            #expect(try await emulator.recordLines(resource).sorted() == lines.sorted())
            let exports = try await emulator.control("/emulator/exports", method: "GET")["exports"]?.elements ?? []
            #expect(exports.count > 1)
            try await emulator.churn(150)
            expectSuccess(try await sandbox.clover(arguments))
            // The changes came page by page.
            let later = try await emulator.control("/emulator/exports", method: "GET")["exports"]?.elements ?? []
            #expect(later.count == exports.count)
            let newest = try ExportedLines.newest(try ExportedLines.all(in: sandbox, "out", resource))
            for (id, line) in try ExportedLines.newest(try await emulator.recordLines(resource)) {
                #expect(newest[id] == line)
            }
        }
    }

    @Test("outside the permitted hours it waits, and a later run resumes")
    func hours() async throws {
        let flags = ["--orders", "200", "--export-hours", "us", "--export-now", "2026-01-31T09:00:00Z"]
        try await Sandbox.run(emulator: flags + ["--export-time", "0ms"]) { sandbox, emulator in
            let arguments = ["export", "orders", "--to", "out", "--verbose"] + Self.via
            let early = try await sandbox.clover(arguments + ["--max-time", "15"])
            // The opening is computed by this machine's clock, which may be within the service's hours.
            expectFailure(early, status: 83, saying: "Clover accepts export requests from")
            #expect(early.errorText.contains(/from \d{4}-\d\d-\d\dT[\d:.]+Z; trying again in \d+ s/), "\(early)")
            try await emulator.control("/emulator/exports?now=2026-01-31T10:00:00Z")
            let result = try await sandbox.clover(arguments)
            #expect(result.status == 0, "\(result)")
            #expect(try ExportedLines.all(in: sandbox, "out", "orders").count == 200)
        }
    }

    @Test("the run after one killed while waiting for an export does not request it again")
    func killed() async throws {
        let flags = ["--orders", "100", "--export-time", "1h", "--export-life", "10000d"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let arguments = ["export", "orders", "--to", "out", "--verbose"] + Self.via
            let run = try sandbox.start(arguments)
            try await run.waitForErrors(containing: "requested an export")
            run.send(SIGKILL)
            _ = try await run.result()
            let folder = sandbox.directory["out"]
            for (words, text) in [
                (["export", "status"], "never completed"), ([], "clover export orders --to \(folder)"),
                ([], "orders to \(folder): never exported"),
            ] {
                let page = try await sandbox.startOnTerminal(words, columns: 300, rows: 40).result().terminalText
                #expect(page.contains(text), "\(page)")
            }
            func interrupted() async throws -> JSONValue? {
                try JSONValue(try await sandbox.clover("export", "status").outputText)["interrupted"]
            }
            #expect(try await interrupted() == .bool(true))
            try await emulator.control("/emulator/exports?advance=1h")
            let second = try sandbox.start(arguments)
            try await second.waitForErrors(containing: "requested earlier")
            while !second.hasEnded { try await emulator.control("/emulator/exports?advance=1h") }
            #expect(try await second.result().status == 0)
            #expect(try await interrupted() == .bool(false))
            #expect(try ExportedLines.all(in: sandbox, "out", "orders").count == 100)
            let exports = try await emulator.control("/emulator/exports", method: "GET")["exports"]?.elements ?? []
            let spans = exports.map { "\($0["startTime"]?.integer ?? 0)" }
            #expect(Set(spans).count == spans.count, "\(spans)")
        }
    }

    @Test("files that expired after 24 hours are exported again")
    func expired() async throws {
        try await Sandbox.run(emulator: ["--orders", "100", "--export-time", "1h"]) { sandbox, emulator in
            let range = ["--since", "2026-01-20T00:00Z", "--until", "2026-01-31T00:00Z"]
            let arguments = ["export", "orders", "--to", "out", "--verbose"] + range + Self.via
            let run = try sandbox.start(arguments)
            try await run.waitForErrors(containing: "requested an export")
            run.send(SIGKILL)
            _ = try await run.result()
            try await emulator.control("/emulator/exports?advance=26h")
            let second = try sandbox.start(arguments)
            try await second.waitForErrors(containing: "its files cannot be read")
            try await second.waitForErrors(containing: "requested an export")
            try await emulator.control("/emulator/exports?advance=1h")
            let result = try await second.result()
            #expect(result.status == 0, "\(result)")
            let expected = try await sandbox.clover([
                "get", "orders", "--all", "--filter", "createdTime>=2026-01-20T00:00Z", "--filter",
                "createdTime<2026-01-31T00:00Z",
            ])
            #expect(try ExportedLines.all(in: sandbox, "out", "orders").sorted() == expected.lines.sorted())
            #expect(!expected.lines.isEmpty)
        }
    }

    @Test("while three other exports are in progress, it waits")
    func slots() async throws {
        let flags = ["--orders", "100", "--export-time", "1h", "--export-life", "10000d"]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
            for month in 1...3 {
                let others = try await curl.run([
                    "--disable", "--silent", "--fail", "--header", "Authorization: Bearer \(emulator.accessToken)",
                    "--data", #"{"type":"PAYMENTS","startTime":\#(month * 1_000_000),"endTime":\#(month * 2_000_000)}"#,
                    "\(emulator.url)/v3/merchants/\(emulator.merchantID)/exports",
                ])
                #expect(others.status == 0, "\(others)")
            }
            let range = ["--since", "2026-01-20T00:00Z", "--until", "2026-01-31T00:00Z"]
            let run = try sandbox.start(["export", "orders", "--to", "out", "--verbose"] + range + Self.via)
            try await run.waitForErrors(containing: "Clover is busy or cannot be reached; trying again")
            try await emulator.control("/emulator/exports?advance=1h")
            try await run.waitForErrors(containing: "requested an export")
            try await emulator.control("/emulator/exports?advance=1h")
            let result = try await run.result()
            #expect(result.status == 0, "\(result)")
            #expect(try ExportedLines.all(in: sandbox, "out", "orders").isEmpty == false)
        }
    }

    @Test("a shop without orders publishes nothing and appears in the status")
    func empty() async throws {
        try await Sandbox.run(emulator: ["--orders", "0", "--export-time", "0ms"]) { sandbox, _ in
            let range = ["--since", "2026-01-20T00:00Z"]
            expectSuccess(try await sandbox.clover(["export", "orders", "payments", "--to", "out"] + range + Self.via))
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["out/orders"]))
            let status = try await sandbox.clover("export", "status", "--fail-if-older-than", "1h")
            expectSuccess(status)
            #expect(status.lines.count == 2)
        }
    }

    @Test("corrupt files are downloaded again, and failed exports are requested again")
    func faults() async throws {
        let flags = [
            "--orders", "3000", "--export-time", "0ms", "--fail-exports", "1", "--fault", "truncate@1:/export-files/",
            "--fault", "reset@3:/export-files/", "--fault", "503-html@2:/exports",
        ]
        try await Sandbox.run(emulator: flags) { sandbox, emulator in
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", "out"] + Self.via))
            let lines = try ExportedLines.all(in: sandbox, "out", "orders")
            #expect(try await emulator.recordLines("orders").sorted() == lines.sorted())
        }
    }

    @Test(
        "exports that never succeed end with 69, and nothing is published",
        arguments: [
            (["--fail-exports", "1000"], "status FAILED, 3 times"),
            (["--export-life", "0ms"], "cannot read the files of the service"),
        ])
    func hopeless(flags: [String], saying: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "50", "--export-time", "0ms"] + flags) { sandbox, _ in
            let result = try await sandbox.clover(["export", "orders", "--to", "out"] + Self.via)
            expectFailure(result, status: 69, saying: saying, "without --via export-api")
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["out/orders"]))
        }
    }

    @Test("a token without export permission ends with 77")
    func forbidden() async throws {
        try await Sandbox.run(emulator: ["--orders", "5", "--without-permission", "exports"]) { sandbox, _ in
            let result = try await sandbox.clover(["export", "orders", "--to", "out"] + Self.via)
            expectFailure(result, status: 77)
        }
    }

    @Test(
        "What the service does not export is refused",
        arguments: [
            (["items"], "orders and payments, not items"), (["orders", "--expand", "lineItems"], "--expand and --via"),
            (["orders", "--with", "line_items"], "--with and --via"),
            (["orders", "--via", "post"], "'post' is invalid"),
        ])
    func usage(arguments: [String], saying: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let result = try await sandbox.clover(["export"] + Self.via + ["--to", "out"] + arguments)
            expectFailure(result, status: 64, saying: saying)
        }
    }
}
