import CloverTestSupport
import Dispatch
import Testing

@Suite("post: what is sent, and what is printed")
struct PostTests {
    private static let path = "/v3/merchants/\(Sandbox.merchantID)/items"

    /// Runs `clover post items` with these arguments against a server that accepts everything, and returns its requests.
    private func sent(
        _ arguments: [String], input: CommandRunner.Input = .nothing,
        answer: LoopbackResponse = LoopbackResponse(#"{"id":"A"}"#)
    ) async throws -> (request: LoopbackRequest, result: CommandResult) {
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, server in
            let result = try await sandbox.start(["post", "items"] + arguments, input: input).result()
            return (try #require(server.requests.first, "\(result)"), result)
        }
    }

    @Test("a record is created, changed by its id, and read back")
    func madeAndChanged() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"]) { sandbox, _ in
            let made = try await sandbox.clover("post", "items", "-F", "name=Latte", "-F", "price=450")
            expectSuccess(made)
            #expect(made.lines.count == 1)
            let id = try #require(try JSONValue(made.outputText)["id"]?.string)
            let changed = try await sandbox.clover(
                "post", "items", id, "--field", "price=475", "--jq", "[.name,.price]")
            expectSuccess(changed)
            #expect(changed.outputText == "[\"Latte\",475]\n")
            let read = try await sandbox.clover("get", "items", id, "--jq", ".price")
            #expect(read.outputText == "475\n")
        }
    }

    @Test("the body is sent as JSON, and the token only in its header")
    func request() async throws {
        let (request, result) = try await sent([
            "--field", "name=Latte", "--raw-field", "code=7", "--param", "a=b c", "--expand", "tags,categories",
        ])
        expectSuccess(result)
        #expect(request.method == "POST")
        #expect(request.target == "\(Self.path)?expand=tags,categories&a=b%20c")
        #expect(request.bodyText == #"{"name":"Latte","code":"7"}"#)
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Authorization") == "Bearer \(Sandbox.token)")
        #expect(request.header("Expect") == nil)
    }

    @Test("a required header field is sent with the others")
    func header() async throws {
        let (request, result) = try await sent(["--header", "X-Clover-Account-Id:  E 1", "--header", "X-B: c"])
        expectSuccess(result)
        #expect(request.header("X-Clover-Account-Id") == "E 1")
        #expect(request.header("X-B") == "c")
        #expect(request.header("Authorization") == "Bearer \(Sandbox.token)")
    }

    @Test(
        "reserved or malformed header fields are refused without repeating their value",
        arguments: [
            "Authorization: s3cr3t", "host:s3cr3t", "Content-Length: 5", "s3cr3t", ": s3cr3t", "X B: s3cr3t", "X-B:",
            "X-B: s3cr3t\r\nHost: x",
        ])
    func badHeader(_ text: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover("delete", "items", "A", "--header", text)
            expectFailure(result, status: 64, saying: "header")
            #expect(!result.errorText.contains("s3cr3t"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a value from a file that is not text is refused")
    func notText() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            try sandbox.directory.write("latin", [0x63, 0xE9])
            let result = try await sandbox.clover("post", "items", "-F", "name=@latin")
            expectFailure(result, status: 65, saying: "the value in latin is not UTF-8 text")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("without a body, an empty object is sent")
    func empty() async throws {
        #expect(try await sent([]).request.bodyText == "{}")
    }

    @Test("a body from a file or standard input is sent unchanged")
    func untouched() async throws {
        let body = "{\"name\" : \"Zo\\u00eb\",\n  \"price\": 12345678901234567890.10}\n"
        #expect(try await sent(["--input", "-", "--no-check"], input: .text(body)).request.bodyText == body)
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let file = try sandbox.directory.write("body.json", body.utf8)
            expectSuccess(try await sandbox.clover("post", "items", "--input", file, "--no-check"))
            #expect(server.requests.first?.bodyText == body)
        }
    }

    @Test("a value is read from a file, or from standard input")
    func fieldFromFile() async throws {
        let (request, _) = try await sent(["-F", "name=@-", "-F", "price=1"], input: .text("Zoë's \"best\"\n"))
        #expect(request.bodyText == #"{"name":"Zoë's \"best\"","price":1}"#)
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let file = try sandbox.directory.write("price.txt", "450\n".utf8)
            expectSuccess(try await sandbox.clover("post", "items", "-F", "price=@\(file)"))
            #expect(server.requests.first?.bodyText == #"{"price":450}"#)
        }
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var answer: LoopbackResponse
        var output: String
        var testDescription: String
    }

    @Test(
        "a response is printed record by record, and an empty one not at all",
        arguments: [
            Answer(
                answer: LoopbackResponse("{\"id\":\"A\",\n\"n\": 1}\n"), output: "{\"id\":\"A\",\"n\": 1}\n",
                testDescription: "a record"),
            Answer(
                answer: LoopbackResponse(#"{"elements":[{"id":"A"},{"id":"B"}]}"#),
                output: "{\"id\":\"A\"}\n{\"id\":\"B\"}\n", testDescription: "a list"),
            Answer(
                answer: LoopbackResponse(#"[{"id":"A"},{"id":"B"}]"#), output: "{\"id\":\"A\"}\n{\"id\":\"B\"}\n",
                testDescription: "an array"),
            Answer(
                answer: LoopbackResponse(bytes: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), ending: .keepOpen),
                output: "", testDescription: "204"),
        ])
    func printed(row: Answer) async throws {
        let result = try await sent(["-F", "name=x"], answer: row.answer).result
        expectSuccess(result)
        #expect(result.outputText == row.output)
    }

    @Test("formats and columns are those of the record that was sent")
    func formats() async throws {
        let answer = LoopbackResponse(#"{"id":"A","name":"Latte","price":450}"#)
        let result = try await sent(["--format", "csv", "--fields", "id,price", "--money", "minor"], answer: answer)
            .result
        #expect(result.outputText == "id,price\r\nA,450\r\n" || result.outputText == "id,price\nA,450\n", "\(result)")
        let table = try await sent(["--format", "table", "--fields", "name,id"], answer: answer).result
        #expect(table.outputText.contains("Latte") && table.status == 0, "\(table)")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var input = CommandRunner.Input.nothing
        var status: Int32 = 64
        var parts: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "a senseless request is refused before anything is sent, with a hint",
        arguments: [
            Refusal(arguments: ["post", "itms", "-F", "a=1"], parts: ["unknown path 'itms'", "did you mean: items"]),
            Refusal(
                arguments: ["put", "orders/X", "-F", "note=1"],
                parts: ["orders/X cannot be called with PUT", "Clover updates with POST: clover post orders/X"]),
            Refusal(
                arguments: ["delete", "orders"], parts: ["cannot be called with DELETE", "it takes: GET, POST"]),
            Refusal(arguments: ["post", "devices"], parts: ["cannot be called with POST", "it takes: GET"]),
            Refusal(
                arguments: ["post", "/v1/charges"],
                parts: ["/v1/charges belongs to Clover's ecommerce service", "--no-check"]),
            Refusal(arguments: ["post", "merchant-items"], parts: ["unknown path", "did you mean: items"]),
            Refusal(arguments: ["post", "items/{id}"], parts: ["{id}", "--each"]),
            Refusal(
                arguments: ["post", "items", "-F", "pirce=1"],
                parts: ["unknown field 'pirce' of inventory.Item", "did you mean: price", "--no-check"]),
            Refusal(
                arguments: ["post", "items", "-F", "price=12.50"],
                parts: ["the field 'price' cannot be '12.50'", "write price=1250"]),
            Refusal(
                arguments: ["post", "items", "-F", "priceType=FIXD"], parts: ["did you mean: FIXED", "PER_UNIT"]),
            Refusal(
                arguments: ["post", "items", "-F", "name=a", "-F", "name=b"], parts: ["'name' is given twice"]),
            Refusal(
                arguments: ["post", "orders", "-F", "employee=A", "-F", "employee.id=B", "--no-check"],
                parts: ["'employee.id' and 'employee' exclude each other"]),
            Refusal(
                arguments: ["post", "items", "--input", "-"], input: .text("{\"a\":1}\n{\"a\":2}\n"), status: 65,
                parts: ["the body in standard input is not JSON at line 2, column 1", "--each"]),
            Refusal(
                arguments: ["post", "items", "--input", "-"], status: 65, parts: ["is not JSON at line 1, column 1"]),
            Refusal(arguments: ["post", "items", "--input", "/no/such/file"], status: 74, parts: ["/no/such/file"]),
            Refusal(
                arguments: ["post", "items", "--input", "-", "-F", "a=1"],
                parts: ["--field and --input exclude each other"]),
            Refusal(
                arguments: ["post", "items", "--each", "-F", "a=1"], parts: ["--field and --each exclude each other"]),
            Refusal(arguments: ["post", "items", "--resume-from", "2"], parts: ["--resume-from goes with --each"]),
            Refusal(arguments: ["post", "items", "--each", "--resume-from", "0"], parts: ["--resume-from", "from 1"]),
            Refusal(
                arguments: ["post", "items", "-F", "name=@-", "-F", "code=@-"], parts: ["standard input", "only once"]),
            Refusal(arguments: ["post", "items", "--expand", "tgas"], parts: ["unknown expand 'tgas'", "tags"]),
            Refusal(arguments: ["post", "items", "--param", "access_token=x"], parts: ["access_token"]),
            Refusal(arguments: ["post", "items", "--jq", ".id |"], status: 65, parts: ["jq program does not compile"]),
            Refusal(
                arguments: ["delete", "items/A", "--input", "x"], parts: ["a DELETE has no body", "--each"]),
        ])
    func refused(row: Refusal) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.start(row.arguments, input: row.input).result()
            expectFailure(result, status: row.status)
            for part in row.parts { #expect(result.errorText.contains(part), "no '\(part)' in: \(result)") }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("unchecked, the path, method, fields and values are sent unchanged")
    func unchecked() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(
                "put", "new_things/A", "-F", "price=12.50", "-F", "state=odd", "--no-check")
            expectSuccess(result)
            #expect(server.requests.first?.method == "PUT")
            #expect(server.requests.first?.path == "/v3/merchants/\(Sandbox.merchantID)/new_things/A")
            #expect(server.requests.first?.bodyText == #"{"price":12.50,"state":"odd"}"#)
        }
    }

    @Test("paths of other versions are sent unchanged, with the merchant filled in", arguments: ["post", "put", "get"])
    func versions(verb: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(verb, "/v2/merchants/{mId}/custom things")
            expectSuccess(result)
            #expect(result.outputText == "{\"id\":\"A\"}\n")
            #expect(server.requests.first?.target == "/v2/merchants/\(Sandbox.merchantID)/custom%20things")
        }
    }

    @Test("a response that cannot be printed is not a failed write, and the message says so")
    func notPrinted() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let full = try await sandbox.clover("post", "items", "-F", "name=x", output: .file("/dev/full"))
            expectFailure(full, status: 74, saying: "was carried out, so do not send it again", "No space left")
            let filtered = try await sandbox.clover("post", "items", "-F", "name=x", "--jq", ".id + 1")
            expectFailure(
                filtered, status: 65, saying: "jq failed on record A", "was carried out, so do not send it again")
            #expect(server.requests.count == 2)
        }
    }

    @Test("Ctrl-C while waiting for the response still prints it, and ends by the signal")
    func interrupted() async throws {
        let release = DispatchSemaphore(value: 0)
        try await Sandbox.run(server: { _, _ in
            release.wait()
            return LoopbackResponse(#"{"id":"A"}"#)
        }) { sandbox, server in
            let command = try sandbox.start("post", "items", "-F", "name=x")
            try await server.waitForRequests(1)
            command.send(2)
            try await command.waitForErrors(containing: "waiting for the response before stopping")
            release.signal()
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
            #expect(result.outputText == "{\"id\":\"A\"}\n")
        }
    }
}
