import CloverJSON
import CloverMCP
import Testing

@Suite("sessions of the Model Context Protocol")
struct MCPSessionTests {
    private static let tool = Tool(
        "get", title: "Read", description: "Reads records.",
        [
            ToolParameter("path", .text, "Path to read.", isRequired: true),
            ToolParameter("limit", .whole(from: 1), "Maximum number."),
            ToolParameter("filter", .texts, "Filters."), ToolParameter("all", .truth, "Read all."),
            ToolParameter("by", .choice(["day", "week"]), "Unit."), ToolParameter("body", .object, "What to send."),
        ])

    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

    private var session = MCPSession(
        MCPSession.Server(name: "clover", version: "1.0", instructions: "Be exact."), tools: [tool])

    /// The only message sent in response to a line, as a tree.
    private mutating func response(to line: String) throws -> JSONTree {
        let actions = session.receive(Array(line.utf8))
        guard actions.count == 1, case .send(let text) = actions[0] else {
            throw Unexpected(line: line, actions: "\(actions)")
        }
        #expect(!text.contains("\n"))
        return try #require(JSONTree(Array(text.utf8)), "\(text)")
    }

    private mutating func call(_ line: String) throws -> ToolCall {
        let actions = session.receive(Array(line.utf8))
        guard actions.count == 1, case .call(let call) = actions[0] else {
            throw Unexpected(line: line, actions: "\(actions)")
        }
        return call
    }

    private struct Unexpected: Error {
        let line: String
        let actions: String
    }

    private mutating func initialize(_ version: String = "2025-11-25") throws -> JSONTree {
        try response(
            to: #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)","#
                + #""capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
        )
    }

    @Test(
        "initialize agrees on the requested version, or on one before it",
        arguments: [
            ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2024-11-05"), ("2027-01-01", "2025-11-25"), ("1.0", "2025-11-25"),
        ])
    mutating func versions(_ requested: String, _ agreed: String) throws {
        let result = try initialize(requested)["result"]
        #expect(result?["protocolVersion"]?.string == agreed)
        #expect(result?["serverInfo"]?["name"]?.string == "clover")
        #expect(result?["instructions"]?.string == "Be exact.")
        #expect(result?["capabilities"]?["tools"]?.isObject == true)
        #expect(result?["resultType"] == nil && result?["_meta"] == nil)
    }

    @Test("discovery and lists of the newer protocol say what they are, and how long they hold")
    mutating func modern() throws {
        for method in ["server/discover", "tools/list"] {
            let result = try response(
                to: #"{"jsonrpc":"2.0","id":"a","method":"\#(method)","params":{\#(Self.meta)}}"#)["result"]
            #expect(result?["resultType"]?.string == "complete")
            #expect(result?["ttlMs"]?.int != nil && result?["cacheScope"]?.string == "private")
            #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["version"]?.string == "1.0")
            if method == "server/discover" {
                #expect(result?["supportedVersions"]?.list == [.text("2026-07-28")])
            } else {
                let tool = try #require(result?["tools"]?.list?.first)
                #expect(tool["inputSchema"]?["required"]?.list == [.text("path")])
                #expect(tool["inputSchema"]?["properties"]?["limit"]?["minimum"]?.int == 1)
                #expect(tool["annotations"]?["readOnlyHint"]?.bool == true)
            }
        }
        // There is no ping in it.
        let ping = try response(to: #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{\#(Self.meta)}}"#)
        #expect(ping["error"]?["code"]?.int == -32601)
    }

    @Test("a request of another version is refused with the versions that are served")
    mutating func otherVersion() throws {
        let error = try response(
            to: #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"#
                + Self.meta.replacing("2026-07-28", with: "2031-01-01") + "}}"
        )["error"]
        #expect(error?["code"]?.int == -32022)
        #expect(error?["data"]?["supported"]?.list == [.text("2026-07-28")])
        #expect(error?["data"]?["requested"]?.string == "2031-01-01")
    }

    @Test(
        "what is no message gets the code of its fault, with the id if there is one",
        arguments: [
            ("{", -32700, nil), ("\u{FEFF}", -32700, nil), ("[]", -32600, nil),
            (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, nil), ("7", -32600, nil),
            (#"{"id":7,"method":"ping"}"#, -32600, 7), (#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600, 7),
            (#"{"jsonrpc":"2.0","id":7}"#, -32600, 7), (#"{"jsonrpc":"2.0","id":7,"method":3}"#, -32600, 7),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, nil),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, nil),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, nil),
            (#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#, -32602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"resources/list"}"#, -32602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#, -32602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}"#, -32602, 7),
        ] as [(String, Int64, Int64?)])
    mutating func malformed(_ line: String, _ code: Int64, _ id: Int64?) throws {
        let response = try response(to: line)
        #expect(response["jsonrpc"]?.string == "2.0")
        #expect(response["error"]?["code"]?.int == code, "\(response)")
        #expect(response["id"]?.int == id)
    }

    @Test("deep nesting, notifications and responses end nothing")
    mutating func ignored() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(try response(to: deep)["error"]?["code"]?.int == -32700)
        for line in [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"nonsense"}"#,
            #"{"jsonrpc":"2.0","id":3,"result":{}}"#, #"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        ] { #expect(session.receive(Array(line.utf8)) == []) }
        #expect(try response(to: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)["result"]?.isObject == true)
    }

    @Test("a thousand random lines get at most one response each, and the session goes on")
    mutating func random() throws {
        var generator = SplitMix(state: 20_261_127)
        let seeds = [
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":{"path":"orders"}}}"#,
            #"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{\#(Self.meta)}}"#,
        ]
        for round in 0..<1000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
            let actions = session.receive(bytes)
            #expect(actions.count <= 1)
            for case .send(let text) in actions {
                #expect(JSONTree(Array(text.utf8))?["jsonrpc"]?.string == "2.0", "\(text)")
                #expect(!text.utf8.contains(UInt8(ascii: "\n")))
            }
        }
        #expect(try response(to: #"{"jsonrpc":"2.0","id":"end","method":"ping"}"#)["id"]?.string == "end")
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}

extension MCPSessionTests {
    private func calling(_ arguments: String, id: String = "1", tool: String = "get", meta: String = "") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","#
            + #""arguments":\#(arguments)\#(meta)}}"#
    }

    @Test(
        "arguments that the tool does not take are results that the model can correct",
        arguments: [
            (#"{}"#, "needs the argument 'path'"), (#"{"path":7}"#, "'path' takes a string"),
            (#"{"path":"orders","limit":0}"#, "'limit' takes a whole number from 1"),
            (#"{"path":"orders","limit":99999999999}"#, "'limit' takes a whole number"),
            (#"{"path":"orders","limit":1.5}"#, "'limit' takes a whole number"),
            (#"{"path":"orders","filter":5}"#, "'filter' takes a list of strings"),
            (#"{"path":"orders","filter":[1]}"#, "'filter' takes a list of strings"),
            (#"{"path":"orders","all":"yes"}"#, "'all' takes true or false"),
            (#"{"path":"orders","by":"year"}"#, "'by' takes one of day, week"),
            (#"{"path":"orders","body":"x"}"#, "'body' takes an object"),
            (#"{"path":"orders","jq":"."}"#, "no argument 'jq'"),
        ])
    mutating func badArguments(_ arguments: String, _ message: String) throws {
        _ = try initialize()
        let result = try response(to: calling(arguments))["result"]
        #expect(result?["isError"]?.bool == true)
        let error = result?["structuredContent"]?["error"]
        #expect(error?["status"]?.int == 64)
        #expect(error?["message"]?.string?.contains(message) == true, "\(String(describing: error))")
        #expect(error?["hint"]?.string?.isEmpty == false)
        let text = try #require(result?["content"]?.list?.first?["text"]?.string)
        #expect(JSONTree(Array(text.utf8)) == result?["structuredContent"])
    }

    @Test("an unknown tool, or arguments that are no object, are errors of the protocol")
    mutating func unknownTool() throws {
        _ = try initialize()
        for line in [
            calling("{}", tool: "charge"), calling("[]"),
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
        ] { #expect(try response(to: line)["error"]?["code"]?.int == -32602) }
    }

    @Test("a call gets one response, in the form of its request")
    mutating func finished() throws {
        _ = try initialize()
        let old = try call(calling(#"{"path":"orders","limit":null}"#, id: #""a""#))
        let new = try call(calling(#"{"path":"items"}"#, id: "2", meta: "," + Self.meta))
        #expect(old.tool == "get" && old.arguments["path"]?.string == "orders")
        // An id in use is not taken again.
        #expect(try response(to: calling(#"{"path":"orders"}"#, id: "2"))["error"]?["code"]?.int == -32600)
        var result = ToolResult()
        result.records = [#"{"id":"A"}"#]
        result.isComplete = true
        let answered = session.finish(old.number, result, content: result.content)
        let first = try #require(answered)
        let tree = try #require(JSONTree(Array(first.utf8)))
        #expect(tree["id"]?.string == "a" && tree["result"]?["resultType"] == nil)
        #expect(tree["result"]?["structuredContent"]?["records"]?.list?.first?["id"]?.string == "A")
        #expect(tree["result"]?["isError"]?.bool == false)
        let again = session.finish(old.number, result, content: result.content)
        #expect(again == nil)
        let answeredToo = session.finish(new.number, result, content: result.content)
        let second = try #require(answeredToo)
        #expect(JSONTree(Array(second.utf8))?["result"]?["resultType"]?.string == "complete")
    }

    @Test("a cancelled call gets no response, and its id is free again")
    mutating func cancelled() throws {
        _ = try initialize()
        let first = try call(calling(#"{"path":"orders"}"#))
        let line = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}"#
        #expect(session.receive(Array(line.utf8)) == [.cancel(first.number)])
        let second = try call(calling(#"{"path":"orders"}"#))
        let late = session.finish(first.number, ToolResult(), content: "{}")
        #expect(late == nil)
        let answered = session.finish(second.number, ToolResult(), content: "{}")
        #expect(answered != nil)
    }

    @Test("more calls at once than are served are refused, until one ends")
    mutating func busy() throws {
        _ = try initialize()
        let calls = try (1...MCPSession.maximumCalls).map { try call(calling(#"{"path":"orders"}"#, id: "\($0)")) }
        let refused = try response(to: calling(#"{"path":"orders"}"#, id: "99"))
        #expect(refused["result"]?["structuredContent"]?["error"]?["status"]?.int == 75)
        _ = session.finish(calls[0].number, ToolResult(), content: "{}")
        _ = try call(calling(#"{"path":"orders"}"#, id: "99"))
    }
}
