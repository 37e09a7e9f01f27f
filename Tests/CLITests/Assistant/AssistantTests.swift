import CloverTestSupport
import Glibc
import Testing

/// Sessions of `clover mcp` that no well-behaved client has. Processes, because the ends of pipes and signals are their
/// subject; the protocol itself is in CloverMCPTests, and sessions of the official clients in Tests/Assistants.
@Suite("assistants: a server that nothing but its input or a signal ends")
struct AssistantTests {
    private static let start =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#
        + #""capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#

    private static func call(_ id: Int, _ arguments: String = #"{"path":"items"}"#) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"get","arguments":\#(arguments)}}"#
    }

    private static func ping(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"# }

    @Test("malformed and endless lines get errors, and the request after them its response")
    func malformed() async throws {
        var generator = SystemRandomNumberGenerator()
        var input = Array((Self.start + "\n\n \n").utf8)
        for _ in 0..<1000 {
            // Whole lines, so that each is one message.
            input += (0..<Int.random(in: 1...80, using: &generator)).map { _ in
                let byte = UInt8.random(in: 0...255, using: &generator)
                return byte == UInt8(ascii: "\n") ? 0 : byte
            }
            input.append(UInt8(ascii: "\n"))
        }
        input += Array(repeating: UInt8(ascii: "["), count: 20 << 20) + Array("\n".utf8)
        input += Array(repeating: UInt8(ascii: "["), count: 100_000) + Array("\n\(Self.ping(7))".utf8)
        let bytes = input
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("mcp", input: .bytes(bytes))
            expectSuccess(result)
            #expect(result.endsWithWholeLine)
            let messages = try JSONValue.lines(result.lines)
            #expect(messages.first?["result"]?["protocolVersion"]?.string == "2025-11-25")
            #expect(messages.last?["id"]?.integer == 7 && messages.last?["result"] != nil)
            #expect(messages.dropFirst().dropLast().allSatisfy { $0["error"]?["code"]?.integer != nil })
            #expect(messages.contains { $0["error"]?["message"]?.string?.contains("longer than") == true })
        }
    }

    @Test("calls are answered although the input has ended, and a token in a record is not shown")
    func endOfInput() async throws {
        let page = LoopbackResponse.page([#"{"id":"A","note":"\#(Sandbox.token)"}"#])
        try await Sandbox.run(server: { _, _ in page }) { sandbox, _ in
            let input = [Self.start, Self.call(1), Self.call(2)].joined(separator: "\n")
            let result = try await sandbox.clover("mcp", input: .text(input))
            expectSuccess(result)
            expectNoSecret(result)
            let messages = try JSONValue.lines(result.lines)
            #expect(Set(messages.compactMap { $0["id"]?.integer }) == [0, 1, 2])
            for message in messages.dropFirst() {
                let content = try #require(message["result"]?["structuredContent"], "\(message)")
                #expect(content["records"]?.elements?.first?["id"]?.string == "A", "\(content)")
            }
        }
    }

    @Test("a list that is continued says that it may have shifted, and a body that says that money moved is refused")
    func shifted() async throws {
        let page = LoopbackResponse.page([#"{"id":"A"}"#])
        try await Sandbox.run(server: { _, _ in page }) { sandbox, server in
            func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
            }
            let input = [
                Self.start, call(1, "get", #"{"path":"items","limit":1}"#),
                call(2, "get", #"{"path":"items","limit":1,"offset":1}"#),
                call(3, "post", #"{"path":"orders","body":{"total":5,"payments":{"elements":[]}}}"#),
                call(4, "post", #"{"path":"orders/A","body":{"paymentState":"PAID"}}"#),
                call(5, "post", #"{"path":"orders/A","body":{"state":"paid"}}"#),
                call(6, "get", #"{"path":"items","filter":"name=x"}"#), call(7, "schema", "{}"),
                call(8, "post", #"{"path":"orders/A","body":{"state":"settled"}}"#),
            ]
            let log = sandbox.directory["log"]
            let result = try await sandbox.clover(
                "mcp", "--allow-writes", "--log-file", log, input: .text(input.joined(separator: "\n")))
            let answers = try JSONValue.lines(result.lines)
            func text(_ id: Int) -> String { "\(answers.first { $0["id"]?.integer == id } ?? .null)" }
            #expect(!text(1).contains("come twice") && text(2).contains("come twice"), "\(result)")
            #expect(try await sandbox.shell("cat log").outputText.contains("\"command\":\"mcp\""))
            #expect(text(6).contains("at the shop") && !text(7).contains("at the shop"), "\(result)")
            for id in [3, 4, 5, 8] { #expect(text(id).contains("the body says that money moved"), "\(result)") }
            #expect(!server.requests.contains { $0.method == "POST" })
        }
    }

    @Test("a value of a filter that may be in no record is noticed in the result, as on the command line")
    func unlistedValue() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let call = Self.call(1, #"{"path":"orders","filter":["state=settled"]}"#)
            let result = try await sandbox.clover("mcp", input: .text(Self.start + "\n" + call))
            expectSuccess(result)
            let words = "unknown value 'settled' of state (known: open, locked, paid)"
            #expect(result.outputText.contains(words), "\(result)")
        }
    }

    @Test("a cancelled call gets no response, and SIGTERM ends the calls in progress with the server")
    func cancelled() async throws {
        let silence = LoopbackResponse(bytes: [], ending: .hold)
        try await Sandbox.run(server: { _, _ in silence }, weight: 0) { sandbox, server in
            let path = sandbox.directory["input"]
            try #require(mkfifo(path, 0o600) == 0)
            // Both ends, so that the input ends only with this descriptor.
            let input = open(path, O_RDWR | O_CLOEXEC)
            try #require(input >= 0)
            defer { close(input) }
            func send(_ line: String) throws {
                let bytes = Array((line + "\n").utf8)
                try #require(write(input, bytes, bytes.count) == bytes.count)
            }
            let command = try sandbox.start(["mcp"], input: .file(path))
            try send(Self.start)
            try send(Self.call(1))
            try await server.waitForRequests(1)
            try send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
            try send(Self.ping(2))
            try await command.waitForOutput("the response") { String(decoding: $0, as: UTF8.self).contains(#""id":2"#) }
            try send(Self.call(3))
            try await server.waitForRequests(2)
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGTERM), "\(result)")
            #expect(result.errorText == "", "\(result)")
            let ids = try JSONValue.lines(result.lines).compactMap { $0["id"]?.integer }
            #expect(ids == [0, 2], "\(result)")
        }
    }

    @Test("on a terminal, a person learns what it waits for")
    func person() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.startOnTerminal(["mcp"])
            try await session.waitForScreen("what it waits for") {
                $0.text.contains("waiting for an assistant's messages")
            }
            // Ctrl-D ends the input.
            session.type("\u{4}")
            #expect(try await session.result().ending == .exited(0))
        }
    }

    @Test(
        "sizes of results that make no sense are refused", arguments: ["999", "0", "-1", "16000001", "many"])
    func sizes(_ size: String) async throws {
        let result = try await Sandbox.run { try await $0.clover("mcp", "--max-result-bytes", size) }
        expectFailure(result, status: 64, saying: size)
    }
}
