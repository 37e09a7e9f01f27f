import CloverTestSupport
import Testing

@Suite("get: responses of the service other than records")
struct ServiceErrorTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let answer: LoopbackResponse
        let statuses: [Int32]
        let parts: [String]
        let testDescription: String

        init(_ name: String, _ answer: LoopbackResponse, endingWith statuses: Int32..., saying parts: String...) {
            testDescription = name
            self.answer = answer
            self.statuses = statuses
            self.parts = parts
        }
    }

    static let refusals = [
        Refusal(
            "401", LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#), endingWith: 77,
            saying: "401"),
        Refusal(
            "404", LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found","details":"Order not found"}"#),
            endingWith: 66, saying: "rder"),
        Refusal(
            "400", LoopbackResponse(status: "400 Bad Request", #"{"message":"limit must be a number"}"#),
            endingWith: 64,
            65,
            saying: "limit must be a number"),
        Refusal(
            "400 with an error object",
            LoopbackResponse(
                status: "400 Bad Request",
                #"{"message":"400 Bad Request","error":{"type":"invalid_request_error","code":400,"message":"no such x"}}"#
            ),
            endingWith: 64, 65, saying: "no such x"),
        Refusal(
            "HTML with 200",
            LoopbackResponse(headers: ["Content-Type: text/html"], body: "<!DOCTYPE html><html></html>".utf8),
            endingWith: 76,
            saying: "HTML"),
        Refusal("text with 200", LoopbackResponse("All is well"), endingWith: 76, saying: "JSON"),
        Refusal("an empty body with 200", LoopbackResponse(""), endingWith: 76),
        Refusal("no elements", LoopbackResponse(#"{"message":"hello"}"#), endingWith: 76, saying: "elements"),
        Refusal(
            "elements that are no array", LoopbackResponse(#"{"elements":{}}"#), endingWith: 76, saying: "elements"),
        Refusal(
            "an array in place of the envelope", LoopbackResponse(#"[{"id":"A"}]"#), endingWith: 76, saying: "elements"),
    ]

    @Test(
        "anything but an object in place of one record ends with 76 and is named; --no-complete passes an array on",
        arguments: [
            ("[]", "the response is an array, not an object"),
            (#"[{"id":"A"}]"#, "the response is an array, not an object"),
            ("null", "the response is null, neither an object nor a list"),
            ("5\n", "the response is 5, neither an object nor a list"),
        ])
    func notOneObject(body: String, words: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(body) }) { sandbox, server in
            let result = try await sandbox.clover("get", "items", "ITEM1")
            expectFailure(result, status: 76, saying: words, "/v3/merchants/\(Sandbox.merchantID)/items/ITEM1")
            #expect(server.requests.count == 1)
            guard body.hasPrefix("[") else { return }
            let raw = try await sandbox.clover("get", "items", "ITEM1", "--no-complete")
            expectSuccess(raw)
            #expect(raw.outputText == body + "\n")
        }
    }

    @Test("a token that the service repeats, or that stands in the path, is not shown")
    func repeatedToken() async throws {
        let body = Array("{\"message\":\"bad header Bearer \(Sandbox.token)\"}".utf8)
        let answers = [
            LoopbackResponse(status: "400 Bad Request", String(decoding: body, as: UTF8.self)),
            LoopbackResponse("{\"elements\":[]} token=\(Sandbox.token)"),
        ]
        for answer in answers {
            try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
                let result = try await sandbox.clover("get", "items", Sandbox.token, "-v", "--no-check")
                #expect(result.status >= 64)
                expectNoSecret(result)
                let list = try await sandbox.clover("get", "items", "-v")
                #expect(list.status >= 64)
                expectNoSecret(list)
            }
        }
    }

    @Test("a page of HTML, JSON without a message, and text that is cut hide what they repeat")
    func repeatedSecrets() async throws {
        let answers = [
            "<html><title>no \(Sandbox.token) here</title></html>",
            "{\"error\":{\"access_token\":\"\(Sandbox.token)\"}}",
            String(repeating: "x", count: 180) + " " + Sandbox.token, "{\"pin\":\"9876\",\"reason\":\"no\"}",
            #"{"message":"bad: {\"PIN\":\"9876\",\"a\":1}"}"#, "wrong pin=9876 and password: h9876x",
        ]
        for answer in answers {
            for status in ["400 Bad Request", "200 OK"] {
                try await Sandbox.run(server: { _, _ in LoopbackResponse(status: status, answer) }) { sandbox, _ in
                    for options in [["-v"], ["--json"], ["--debug", "all"]] {
                        let result = try await sandbox.clover(["get", "items"] + options)
                        #expect(result.status >= 64)
                        #expect(!result.errorText.contains(Sandbox.token.prefix(12)), "\(result)")
                        #expect(!result.errorText.contains("9876"), "\(result)")
                    }
                }
            }
        }
    }

    @Test("CLOVER_ERRORS takes text and json, and nothing else")
    func unclearVariable() async throws {
        try await Sandbox.run { sandbox in
            for arguments in [["get", "orders"], ["auth", "status"], ["schema"]] {
                expectFailure(
                    try await sandbox.with(["CLOVER_ERRORS": "jsn"]).clover(arguments), status: 64,
                    saying: "CLOVER_ERRORS cannot be 'jsn'", "text, json")
            }
            expectSuccess(try await sandbox.with(["CLOVER_ERRORS": "text"]).clover("schema"))
            let json = try await sandbox.with(["CLOVER_ERRORS": "JSON"]).clover("get", "nonsense")
            #expect(json.errorText.hasPrefix("{\"error\":"), "\(json)")
        }
    }

    @Test("in JSON, a record on which jq failed is an error line too")
    func failedRecordAsJSON() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(2)) }) { sandbox, _ in
            let result = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover(
                "get", "orders", "--jq", "error(\"x\")")
            #expect(result.status == 65)
            let lines = result.errorText.split(separator: "\n").map(String.init)
            #expect(lines.count == 3)
            #expect(lines.allSatisfy { $0.hasPrefix("{\"error\":{") && $0.hasSuffix("}}") }, "\(lines)")
            #expect(lines.first?.contains("ORDER00000000") == true)
        }
    }

    @Test("each response has its status and names the place without secrets", arguments: refusals)
    func hasItsStatus(_ row: Refusal) async throws {
        try await Sandbox.run(server: { _, _ in row.answer }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--retry", "1")
            #expect(row.statuses.contains(result.status), "\(result)")
            expectFailure(result, status: result.status, saying: "/v3/merchants/\(Sandbox.merchantID)/orders")
            for part in row.parts { #expect(result.errorText.contains(part), "no '\(part)' in: \(result)") }
            #expect(result.lines.isEmpty)
        }
    }

    @Test("with CLOVER_ERRORS=json an error is one line of JSON with the same facts", arguments: refusals)
    func asJSON(_ row: Refusal) async throws {
        try await Sandbox.run(server: { _, _ in row.answer }) { sandbox, _ in
            let result = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover("get", "orders", "--retry", "0", "-q")
            #expect(row.statuses.contains(result.status), "\(result)")
            let lines = result.errorText.split(separator: "\n").map(String.init)
            #expect(lines.count == 1, "\(result)")
            let error = try #require(try JSONValue(lines[0])["error"])
            #expect(error["status"]?.integer == Int(result.status))
            #expect(error["code"]?.string?.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
            #expect(error["message"]?.string?.isEmpty == false)
            #expect(error["path"]?.string?.hasPrefix("/v3/merchants/\(Sandbox.merchantID)/orders") == true)
            if let status = Int(String(decoding: row.answer.bytes.dropFirst(9).prefix(3), as: UTF8.self)), status >= 400
            {
                #expect(error["http"]?.integer == status)
            }
            expectNoSecret(result)
        }
    }

    @Test("a record that does not exist ends with 66 and names it")
    func notFound() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders", "NOSUCHORDER00"), status: 66, saying: "NOSUCHORDER00")
        }
    }

    @Test("a wrong token ends with 77 and the command to run")
    func wrongToken() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let wrong = sandbox.with(["CLOVER_ACCESS_TOKEN": Sandbox.token])
            expectFailure(try await wrong.clover("get", "orders"), status: 77, saying: "401")
        }
    }

    @Test("another merchant than the token's ends with 77")
    func wrongMerchant() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders", "--merchant", "OTHERMERCHANT"), status: 77,
                saying: "OTHERMERCHANT")
        }
    }

    @Test("a filter field that the service refuses with 400 is a usage error")
    func refusedFilter() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--no-check", "--filter", "nonsense=1")
            expectFailure(result, status: 64, saying: "nonsense")
        }
    }

    @Test("control characters from the service do not reach stderr")
    func controlCharacters() async throws {
        let body = "{\"message\":\"red \\u001b[31malert\\u001b[0m \\u202Efdp\\u2066 \\u0007end\"}"
        try await Sandbox.run(server: { _, _ in LoopbackResponse(status: "400 Bad Request", body) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders")
            #expect(result.errorText.contains("(the service says: red alert fdp end)"), "\(result)")
            let json = try await sandbox.clover("get", "orders", "--json")
            #expect(json.errorText.contains("(the service says: red alert fdp end)"), "\(json)")
            #expect(!result.errors.contains(0x1b) && !result.errors.contains(0x07), "\(result)")
        }
    }
}
