import CloverTestSupport
import Testing

@Suite("bodies from files and lines are checked as fields are")
struct BodyCheckTests {
    private static let ok: @Sendable (LoopbackRequest, Int) -> LoopbackResponse = { request, _ in
        // The record of a path that names one, or a new one.
        LoopbackResponse(#"{"id":"\#(request.path.split(separator: "/").last ?? "")"}"#)
    }

    @Test("--input with an unknown field or a wrong value is refused, and sent with --no-check")
    func input() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, server in
            for (body, part) in [
                (#"{"pirce":1}"#, "did you mean: price"), (#"{"price":"1"}"#, "the field 'price' cannot be a string"),
                (#"{"categories":[{"idd":"A"}]}"#, "unknown field 'categories[].idd' of inventory.Category"),
            ] {
                let result = try await sandbox.clover("post", "items", "--input", "-", input: .text(body))
                expectFailure(result, status: 64, saying: part, "--no-check")
                #expect(server.requests.isEmpty)
            }
            expectSuccess(
                try await sandbox.clover("post", "items", "--input", "-", "--no-check", input: .text(#"{"pirce":1}"#)))
            #expect(server.requests.map(\.bodyText) == [#"{"pirce":1}"#])
        }
    }

    @Test("an object as a field's value is checked like its parts")
    func fieldOfJSON() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, server in
            let arguments = ["post", "items", "-F", #"categories=[{"idd":"A"}]"#]
            expectFailure(
                try await sandbox.clover(arguments), status: 64, saying: "categories[].idd", "categories[].id")
            expectSuccess(try await sandbox.clover(arguments + ["--no-check"]))
            #expect(server.requests.count == 1)
        }
    }

    @Test("with --each an invalid line fails on its own, and is not sent")
    func each() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, server in
            let lines = "{\"name\":\"a\"}\n{\"nmae\":\"b\"}\n{\"price\":1.5}\n{\"name\":\"d\"}\n"
            let result = try await sandbox.clover("post", "items", "--each", input: .text(lines))
            expectFailure(
                result, status: 82, saying: "line 2: unknown field 'nmae'", "line 3: the field 'price' cannot be '1.5'",
                "failed: 2, 3", output: nil)
            #expect(
                try JSONValue.lines(result.lines).map { $0["error"]?["code"]?.string }
                    == [nil, "unknown_field", "bad_value", nil])
            #expect(server.requests.map(\.bodyText) == [#"{"name":"a"}"#, #"{"name":"d"}"#])
            expectSuccess(try await sandbox.clover("post", "items", "--each", "--no-check", input: .text(lines)))
            #expect(server.requests.count == 6)
        }
    }

    @Test("a failed line is one JSON line on stderr with number, path and hint")
    func jsonErrors() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "404 Not Found", #"{"message":"no such item"}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "post", "items/{id}", "--each", "--json",
                input: .text("{\"id\":\"A\"}\n{\"id\":\"B\",\"nmae\":\"x\"}\n"))
            let errors = try JSONValue.lines(result.errorText.split(separator: "\n").map(String.init))
                .compactMap { $0["error"] }
            #expect(errors.map { $0["line"]?.integer } == [1, 2, nil])
            #expect(errors[0]["http"]?.integer == 404)
            #expect(errors[0]["path"]?.string == "/v3/merchants/\(Sandbox.merchantID)/items/A")
            #expect(errors[0]["hint"]?.string?.contains("clover get items") == true)
            #expect(errors[1]["hint"]?.string?.contains("did you mean: name") == true)
        }
    }

    @Test(
        "the emulator's records may be sent back", arguments: ["items", "orders", "customers", "categories"])
    func roundTrip(_ path: String) async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            let result = try await sandbox.shell(
                "clover get \(path) --limit 20 | clover post '\(path)/{id}' --each --dry-run --jq .method -r | sort -u")
            #expect(result.outputText == "POST\n", "\(result)")
            #expect(!result.errorText.contains("cannot be sent"), "\(result)")
        }
    }

    @Test("a byte order mark at the start of a file or of standard input is ignored")
    func byteOrderMark() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, server in
            let body = "\u{FEFF}{\"name\":\"a\"}"
            expectSuccess(try await sandbox.clover("post", "items", "--input", "-", input: .text(body)))
            let file = try sandbox.directory.write("body", body.utf8)
            expectSuccess(try await sandbox.clover("post", "items", "--input", file))
            expectSuccess(try await sandbox.clover("post", "items", "--each", "--input", file))
            expectSuccess(try await sandbox.clover("post", "items", "-F", "name=@\(file)"))
            #expect(
                server.requests.map(\.bodyText)
                    == Array(repeating: #"{"name":"a"}"#, count: 3) + [#"{"name":"{\"name\":\"a\"}"}"#])
        }
    }

    @Test("a line longer than 16 MiB fails by its number and is skipped, and the run continues")
    func longLine() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, server in
            let long = Array(repeating: UInt8(ascii: "a"), count: (16 << 20) + 1)
            let file = try sandbox.directory.write(
                "lines", Array("{\"name\":\"a\"}\n".utf8) + long + Array("\n{\"name\":\"c\"}\n".utf8))
            let result = try await sandbox.clover("post", "items", "--each", "--input", file)
            expectFailure(result, status: 82, saying: "line 2: longer than 16 MiB", "failed: 2", output: nil)
            #expect(server.requests.map(\.bodyText) == [#"{"name":"a"}"#, #"{"name":"c"}"#])
        }
    }

    @Test("JSON with too many levels is distinguished from invalid JSON")
    func depth() async throws {
        let deep = #"{"name":"# + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}"
        try await Sandbox.run(server: Self.ok) { sandbox, _ in
            let one = try await sandbox.clover("post", "items", "--input", "-", input: .text(deep))
            expectFailure(one, status: 65, saying: "more than 200 levels deep")
            let each = try await sandbox.clover("post", "items", "--each", input: .text(deep))
            expectFailure(each, status: 82, saying: "line 1: more than 200 levels deep", output: nil)
        }
    }

    @Test("a plain word gets a hint on quoting only where strings are accepted")
    func words() async throws {
        try await Sandbox.run(server: Self.ok) { sandbox, _ in
            let post = try await sandbox.clover("post", "items", "--each", input: .text("nonsense\n"))
            #expect(!post.outputText.contains("jq -R") && post.outputText.contains("JSON object"), "\(post)")
            let delete = try await sandbox.clover("delete", "items/{id}", "--each", "--yes", input: .text("A1\n"))
            #expect(delete.outputText.contains("jq -R"), "\(delete)")
        }
    }
}
