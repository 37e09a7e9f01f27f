import CloverTestSupport
import Testing

@Suite("--dry-run: shows the request and sends nothing")
struct DryRunTests {
    @Test("as JSON, with the body as it would be sent and without the token")
    func json() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items", "A", "-F", "price=450", "--param", "x=y", "--dry-run")
            expectSuccess(result)
            expectNoSecret(result)
            #expect(server.requests.isEmpty)
            let value = try JSONValue(result.outputText)
            #expect(value.keys == ["body", "headers", "method", "url"])
            #expect(value["method"] == .string("POST"))
            #expect(value["url"] == .string("\(server.url)/v3/merchants/\(Sandbox.merchantID)/items/A?x=y"))
            #expect(value["headers"]?["Authorization"] == .string("Bearer [redacted]"))
            #expect(value["headers"]?["Content-Type"] == .string("application/json"))
            #expect(value["body"] == .object(["price": .integer(450)]))
        }
    }

    @Test("shows what is really sent")
    func agrees() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let arguments = [
                "post", "orders/A/line_items", "-F", "item.id=X Y", "--expand", "discounts", "--header",
                "X-Clover-Account-Id: E",
            ]
            let shown = try JSONValue(try await sandbox.clover(arguments + ["--dry-run"]).outputText)
            expectSuccess(try await sandbox.clover(arguments))
            let sent = try #require(server.requests.first)
            #expect(shown["url"]?.string == server.url + sent.target)
            #expect(shown["body"] == (try JSONValue(sent.bodyText)))
            for name in ["Accept", "Content-Type", "X-Clover-Account-Id"] {
                #expect(sent.header(name) != nil)
                #expect(shown["headers"]?[name]?.string == sent.header(name))
            }
        }
    }

    private static let secrets = ["4321", "HEADER-S", "SESSION-S", "PARAMETER-S"]
    private static let sensitive = [
        "post", "employees", "E1", "--raw-field", "pin=4321", "--field", "name=A", "--header",
        "X-Clover-Auth: HEADER-S",
        "--header", "apikey: SESSION-S", "--param", "pin=PARAMETER-S", "--dry-run",
    ]

    @Test("secrets in the body, the header fields and the address are masked, and one line names them")
    func masked() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(Self.sensitive)
            let value = try JSONValue(result.outputText)
            #expect(value["body"] == .object(["pin": .string("[masked]"), "name": .string("A")]))
            #expect(value["headers"]?["X-Clover-Auth"] == .string("[masked]"))
            #expect(value["headers"]?["apikey"] == .string("[masked]"))
            #expect(value["url"]?.string?.hasSuffix("?pin=(redacted)") == true, "\(result)")
            for secret in Self.secrets { #expect(!result.outputText.contains(secret)) }
            #expect(
                result.errorText
                    == "clover: masked in 1 request: a parameter of the address, employees.Employee.pin, the header field "
                    + "X-Clover-Auth, the header field apikey; --show-sensitive shows them\n")
            let shown = try await sandbox.clover(Self.sensitive + ["--show-sensitive"])
            expectSuccess(shown)
            for secret in Self.secrets { #expect(shown.outputText.contains(secret), "\(shown)") }
            let terminal = try await sandbox.cloverOnTerminal(
                "post", "employees", "E1", "--raw-field", "pin=4321", "--header", "'apikey: SESSION-S'", "--dry-run")
            for secret in Self.secrets { #expect(!terminal.terminalText.contains(secret), "\(terminal)") }
            let lines = try await sandbox.clover(
                "post", "employees/{id}", "--each", "--dry-run", "--no-check",
                input: .text("{\"id\":\"A\",\"PIN\":\"4321\"}\n{\"id\":\"B\",\"pin\":4321}\n{\"id\":\"C\"}\n"))
            #expect(lines.lines.count == 3 && !lines.outputText.contains("4321"), "\(lines)")
            #expect(lines.errorText.contains("masked in 2 requests: PIN, employees.Employee.pin;"), "\(lines)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("the run's own token in a body is masked also with --show-sensitive")
    func ownToken() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, _ in
            let result = try await sandbox.clover(
                "post", "items", "--raw-field", "name=\(Sandbox.token)", "--dry-run", "--show-sensitive")
            expectNoSecret(result)
            #expect(try JSONValue(result.outputText)["body"]?["name"] == .string("[masked]"))
        }
    }

    @Test("on a terminal it is shown as text")
    func terminal() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.cloverOnTerminal("post", "items", "-F", "name=Latte", "--dry-run")
            #expect(
                result.terminalText == """
                    POST \(server.url)/v3/merchants/\(Sandbox.merchantID)/items
                    Accept: application/json
                    Authorization: Bearer [redacted]
                    Content-Type: application/json

                    {"name":"Latte"}

                    """)
        }
    }

    @Test("needs no sign-in: an unknown merchant stays {mId}")
    func notSignedIn() async throws {
        try await Sandbox.run { sandbox in
            let bare = try await sandbox.clover("post", "items", "-F", "name=x", "--dry-run", "--jq", ".url", "-r")
            expectSuccess(bare)
            #expect(bare.outputText == "https://api.clover.com/v3/merchants/{mId}/items\n")
            let named = try await sandbox.clover(
                "delete", "items", "--yes", "--merchant", "M1", "--environment", "sandbox", "--dry-run", "-r", "--jq",
                "[.method,.url,.body]|@csv")
            #expect(
                named.outputText
                    == "\"DELETE\",\"https://apisandbox.dev.clover.com/v3/merchants/M1/items\",\n", "\(named)")
        }
    }

    @Test("with --each every line is shown, and a bad one is reported")
    func each() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items/{id}", "--each", "--dry-run",
                input: .text("{\"id\":\"A\",\"price\":1}\n{}\n\n{\"id\":7}\n"))
            expectFailure(
                result, status: 82, saying: "line 2: ", "'id'", "1 of 3 lines cannot be sent",
                "the requests of the other 2 are printed, and nothing was sent", output: nil)
            #expect(!result.errorText.contains("done"))
            let lines = try JSONValue.lines(result.lines)
            #expect(lines.map { $0["line"] } == [.integer(1), .integer(2), .integer(4)])
            #expect(lines[0]["url"]?.string?.hasSuffix("/items/A") == true)
            #expect(lines[0]["body"] == .object(["id": .string("A"), "price": .integer(1)]))
            #expect(lines[1]["ok"] == .bool(false))
            #expect(lines[2]["url"]?.string?.hasSuffix("/items/7") == true)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("get shows its first request, as JSON and as text, and notes when there are more")
    func get() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let one = try await sandbox.clover("get", "items", "A", "--expand", "tags", "--dry-run")
            expectNoSecret(one)
            let value = try JSONValue(one.outputText)
            #expect(value.keys == ["body", "headers", "method", "url"])
            #expect(value["method"] == .string("GET") && value["body"] == .null)
            #expect(
                value["url"] == .string("\(server.url)/v3/merchants/\(Sandbox.merchantID)/items/A?expand=tags"))
            let all = try await sandbox.clover("get", "items", "--all", "--dry-run", "--jq", ".method", "-r")
            #expect(all.outputText == "GET\n")
            #expect(all.errorText.contains("only the first request for records"), "\(all)")
            let person = try await sandbox.cloverOnTerminal("get", "items", "A", "--dry-run")
            #expect(person.terminalText.hasPrefix("GET \(server.url)/v3/merchants/"), "\(person)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("an option of get given to a write, and the reverse, gets the equivalent as hint")
    func others() async throws {
        try await Sandbox.run { sandbox in
            for verb in ["post", "put", "delete"] {
                expectFailure(
                    try await sandbox.clover(verb, "items", "A", "--explain"), status: 64, saying: "use --dry-run")
            }
            expectFailure(
                try await sandbox.clover("get", "items", "--dry-run", "--explain"), status: 64,
                saying: "exclude each other")
        }
    }

    @Test("an unknown path of a write gets suggestions that support the method")
    func unknownPath() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("post", "xyzzyplugh", "--dry-run")
            expectFailure(
                result, status: 64, saying: "paths that take POST begin with: ", "bulk_items", "--method POST")
            #expect(!result.errorText.contains("devices"), "\(result)")
            let endpoint = try await sandbox.clover("endpoints", "tenders", "--method", "put")
            expectFailure(endpoint, status: 64, saying: "clover post tenders/ID")
            #expect(!endpoint.errorText.contains("--no-check"), "\(endpoint)")
        }
    }

    @Test("help of delete describes lines, not a body")
    func help() async throws {
        let result = try await Sandbox.run { try await $0.clover("help", "delete") }
        let words = result.outputText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("--input <file> With --each, read the lines from this file"), "\(result)")
        #expect(!words.contains("Read the body"), "\(result)")
    }
}
