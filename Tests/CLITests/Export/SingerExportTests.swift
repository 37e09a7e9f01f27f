import CloverTestSupport
import Foundation
import Testing

@Suite("export --singer")
struct SingerExportTests {
    private struct Messages {
        var lines: [JSONValue]
        var texts: [String]

        init(_ result: CommandResult) throws {
            texts = result.lines
            lines = try result.lines.map { try JSONValue($0) }
        }

        func types() -> [String] { lines.compactMap { $0["type"]?.string } }

        func records(_ stream: String) -> [JSONValue] {
            lines.filter { $0["type"]?.string == "RECORD" && $0["stream"]?.string == stream }
                .compactMap { $0["record"] }
        }

        var lastState: JSONValue? { lines.last { $0["type"]?.string == "STATE" }?["value"] }

        func bookmark(_ stream: String) -> Int? {
            lastState?["bookmarks"]?[stream]?["modifiedTime"]?.integer
        }
    }

    @Test("per stream: the schema first, then all records, then the state")
    func order() async throws {
        try await Sandbox.run(emulator: ["--orders", "300"]) { sandbox, emulator in
            let result = try await sandbox.clover("export", "items", "customers", "--singer")
            expectSuccess(result)
            let messages = try Messages(result)
            var open: String?
            for line in messages.lines {
                switch line["type"]?.string {
                case "SCHEMA": open = line["stream"]?.string
                case "RECORD":
                    #expect(line["stream"]?.string == open)
                    #expect(line["time_extracted"]?.string?.hasSuffix("Z") == true)
                default: #expect(line["type"]?.string == "STATE")
                }
            }
            #expect(messages.types().last == "STATE")
            for list in ["items", "customers"] {
                #expect(try await messages.records(list) == emulator.recordLines(list).map { try JSONValue($0) })
            }
            let newest = messages.records("items").compactMap { $0["modifiedTime"]?.integer }.max()
            #expect(messages.bookmark("items") == newest)
            #expect(messages.bookmark("customers") == nil)
        }
    }

    @Test("with the last run's state, changes since then are written, with some overlap")
    func incremental() async throws {
        try await Sandbox.run(unpaced: ["--orders", "800", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            var messages = try Messages(try await sandbox.clover("export", "orders", "--singer"))
            #expect(messages.records("orders").count == 800)
            for round in 1...3 {
                let before = try ExportedLines.newest(try await emulator.recordLines("orders"))
                try await emulator.churn(40)
                try #require(messages.texts.last).write(
                    toFile: sandbox.directory["state.json"], atomically: true, encoding: .utf8)
                let result = try await sandbox.clover("export", "orders", "--singer", "--state", "state.json")
                expectSuccess(result)
                let last = messages.bookmark("orders") ?? 0
                messages = try Messages(result)
                #expect(messages.records("orders").count < 400, "round \(round)")
                #expect(try #require(messages.bookmark("orders")) > last)
                let found = Set(messages.records("orders").compactMap { $0["id"]?.string })
                for (id, line) in try ExportedLines.newest(try await emulator.recordLines("orders"))
                where before[id] != line {
                    #expect(found.contains(id), "\(id) changed in round \(round)")
                }
            }
        }
    }

    @Test("a failure keeps the states of finished streams only")
    func failure() async throws {
        let flags = ["--orders", "300", "--fault", "500:1:/orders"]
        try await Sandbox.run(emulator: flags) { sandbox, _ in
            let result = try await sandbox.clover("export", "items", "orders", "--singer", "--retry", "0")
            #expect(result.status == 69, "\(result)")
            let messages = try Messages(result)
            #expect(messages.bookmark("items") != nil)
            #expect(messages.bookmark("orders") == nil)
            #expect(messages.types().suffix(2) == ["STATE", "SCHEMA"])
        }
    }

    @Test("another merchant's state, and an invalid state, are refused")
    func badState() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let state = ["export", "items", "--singer", "--state"]
            for (text, status, message) in [
                (#"{"merchant":"OTHER"}"#, Int32(78), "belongs to merchant OTHER"),
                (#"{"environment":"eu"}"#, 78, "belongs to a merchant in eu"), ("[1]", 65, "is not a state"),
            ] {
                try text.write(toFile: sandbox.directory["state.json"], atomically: true, encoding: .utf8)
                let result = try await sandbox.clover(state + ["state.json"])
                expectFailure(result, status: status, saying: "state.json", message)
            }
            expectFailure(try await sandbox.clover(state + ["missing"]), status: 74)
        }
    }

    @Test("a state that is no regular file is refused: a FIFO without a writer would be read for ever")
    func fifoState() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            #expect(mkfifo(sandbox.directory["fifo"], 0o600) == 0)
            let result = try await sandbox.limited(to: .seconds(60)).clover(
                "export", "items", "--singer", "--state", "fifo")
            expectFailure(result, status: 65, saying: "fifo is not a regular file")
        }
    }

    @Test(
        "options that messages do not support are refused",
        arguments: [
            ["--singer", "--to", "out"], ["--singer", "--jq", ".id"], ["--singer", "--format", "csv"],
            ["--singer", "--fields", "id"], ["--singer", "--compress", "gzip"], ["--state", "x"],
            ["--singer", "--via", "export-api"],
        ])
    func usage(arguments: [String]) async throws {
        try await Sandbox.run { sandbox in
            let offline = sandbox.using("http://127.0.0.1:1")
            expectFailure(try await offline.clover(["export", "orders"] + arguments), status: 64, saying: "--singer")
        }
    }
}
