import CloverTestSupport
import Testing

@Suite("delete: one record immediately, many after confirmation")
struct DeleteTests {
    private static let yes = LoopbackResponse("")

    @Test("without a terminal one record is deleted without confirmation, and the response is printed")
    func one() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"]) { sandbox, _ in
            let id = try #require(
                try await sandbox.clover("get", "items", "--limit", "1", "-r", "--jq", ".id").lines.first)
            let result = try await sandbox.clover("delete", "items", id)
            expectSuccess(result)
            #expect(result.lines == ["{}"])
            expectFailure(try await sandbox.clover("get", "items", id), status: 66)
            expectFailure(
                try await sandbox.clover("delete", "items", id), status: 66, saying: "invalid ID", "clover get items\n")
        }
    }

    @Test("a missing required header is reported before anything is sent")
    func header() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"]) { sandbox, emulator in
            let made = try await sandbox.shell(
                """
                E=$(clover get employees --limit 1 -r --jq .id); S=$(clover post employees/$E/shifts -r --jq .id)
                echo $E $S
                """)
            let ids = made.outputText.split(whereSeparator: \.isWhitespace).map(String.init)
            #expect(ids.count == 2, "\(made)")
            let path = "employees/\(ids[0])/shifts/\(ids[1])"
            let before = try await emulator.stats().requests
            expectFailure(
                try await sandbox.clover("delete", path), status: 64, saying: "requires the header X-Clover-Account-Id",
                "--header 'X-Clover-Account-Id: ID'", "--no-check")
            #expect(try await emulator.stats().requests == before)
            expectFailure(
                try await sandbox.clover("delete", path, "--no-check"), status: 64, saying: "Missing header")
            expectSuccess(try await sandbox.clover("delete", path, "--header", "x-clover-account-id: \(ids[0])"))
        }
    }

    @Test("the hint after a 404 is the list, without a time filter")
    func notFound() async throws {
        let answer = LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
            let result = try await sandbox.clover("delete", "orders", "A")
            expectFailure(result, status: 66, saying: "see what is there: clover get orders\n")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var what: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let many = [
        Row(arguments: ["items"], what: "all of items"),
        Row(arguments: ["orders/A/line_items"], what: "all of orders/A/line_items"),
        Row(arguments: ["items", "--param", "itemIds=A,B"], what: "itemIds=A%2CB"),
        Row(arguments: ["items/A", "--param", "x=1"], what: "items/A with ?x=1"),
        Row(arguments: ["items/{id}", "--each"], what: "one of items/{id} for each line"),
    ]

    @Test("deleting more than one record needs confirmation", arguments: many)
    func needsYes(row: Row) async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            let refused = try await sandbox.clover(["delete"] + row.arguments)
            expectFailure(refused, status: 64, saying: "this deletes", row.what, "nothing was sent", "--yes")
            #expect(server.requests.isEmpty)
            let shown = try await sandbox.clover(["delete"] + row.arguments + ["--dry-run"])
            expectSuccess(shown)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("with --yes it is deleted, without a request body")
    func withYes() async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            expectSuccess(try await sandbox.clover("delete", "items", "--param", "itemIds=A,B", "--yes"))
            let request = try #require(server.requests.first)
            #expect(request.method == "DELETE")
            #expect(request.target == "/v3/merchants/\(Sandbox.merchantID)/items?itemIds=A%2CB")
            #expect(request.body == [] && request.header("Content-Type") == nil)
        }
    }

    @Test("on a terminal a question names the flag, and Enter alone is a no", arguments: ["y", "n", ""])
    func question(answer: String) async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            let result = try await sandbox.cloverOnTerminal("delete", "items", input: .text(answer + "\n"))
            #expect(result.terminalText.contains("this deletes all of items; continue? [y/N]"), "\(result)")
            #expect(result.terminalText.contains("--yes"))
            #expect(result.status == (answer == "y" ? 0 : 81), "\(result)")
            #expect(server.requests.count { $0.method == "DELETE" } == (answer == "y" ? 1 : 0))
        }
    }

    @Test("on a terminal deleting one record asks too, and the result is reported", arguments: ["y", "n"])
    func questionOfOne(answer: String) async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            let result = try await sandbox.cloverOnTerminal("delete", "items", "A", input: .text(answer + "\n"))
            #expect(result.terminalText.contains("this deletes items/A; continue? [y/N]"), "\(result)")
            #expect(result.terminalText.contains("deleted items/A") == (answer == "y"), "\(result)")
            #expect(result.status == (answer == "y" ? 0 : 81), "\(result)")
            #expect(server.requests.count { $0.method == "DELETE" } == (answer == "y" ? 1 : 0))
            let sure = try await sandbox.cloverOnTerminal("delete", "items", "B", "--yes")
            #expect(sure.status == 0 && sure.terminalText.contains("deleted items/B"), "\(sure)")
            #expect(!sure.terminalText.contains("[y/N]"), "\(sure)")
        }
    }

    @Test("lines fill the path: objects by their fields, strings directly")
    func each() async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            let runner = try sandbox.start(
                ["delete", "items/{id}", "--each", "-y"],
                input: .text("{\"id\":\"A/1\",\"name\":\"x\"}\n\"B\"\nbare\n[\"C\"]\n"))
            let result = try await runner.result()
            expectFailure(
                result, status: 82, saying: "line 3: not JSON", "line 4: ", "2 of 4 lines failed", output: nil)
            #expect(
                server.requests.map(\.target)
                    == ["A%2F1", "B"].map { "/v3/merchants/\(Sandbox.merchantID)/items/\($0)" })
            #expect(server.requests.allSatisfy { $0.body == [] })
            // Ids as `-r` prints them are a likely mistake.
            #expect(try JSONValue(result.lines[2])["error"]?["hint"]?.string?.contains("jq -R") == true)
        }
    }

    @Test("a path without placeholders is refused")
    func sameForAll() async throws {
        try await Sandbox.run(server: { _, _ in Self.yes }) { sandbox, server in
            let result = try await sandbox.clover("delete", "items/A", "--each", "--yes", input: .text("\"A\"\n"))
            expectFailure(result, status: 64, saying: "every line would delete the same", "{id}")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a deletion whose response is lost is sent again, and a 404 then counts as deleted")
    func gone() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1 ? .reset : LoopbackResponse(status: "404 Not Found", #"{"message":"invalid ID"}"#)
        }) { sandbox, server in
            let result = try await sandbox.clover("delete", "items", "A")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.errorText.contains("items/A no longer exists"))
            #expect(server.requests.map(\.method) == ["DELETE", "DELETE"])
        }
    }
}
