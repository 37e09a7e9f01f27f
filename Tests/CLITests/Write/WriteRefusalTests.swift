import CloverTestSupport
import Testing

@Suite("writes: refusals and failures of the service")
struct WriteRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var answer: LoopbackResponse
        var arguments = ["post", "items", "-F", "name=x", "--retry", "1"]
        var status: Int32
        var code: String
        var parts: [String]
        /// Number of requests that the service receives.
        var requests = 1
        var testDescription: String
    }

    private static func says(_ status: String, _ message: String = "no") -> LoopbackResponse {
        LoopbackResponse(status: status, "{\"message\":\"\(message)\"}")
    }

    static let rows = [
        Row(
            answer: says("400 Bad Request", "Missing field: price"), status: 64, code: "refused",
            parts: ["(400)", "Missing field: price", "clover schema inventory.Item"], testDescription: "400"),
        Row(
            answer: says("403 Forbidden"), status: 77, code: "forbidden", parts: ["INVENTORY_W", "dashboard"],
            testDescription: "403"),
        Row(
            answer: LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found","details":"Item not found"}"#),
            arguments: ["post", "items/A", "-F", "name=x"], status: 66, code: "not_found",
            parts: ["Item not found", "see what is there: clover get items\n"], testDescription: "404"),
        Row(
            answer: says("405 Method Not Allowed"), status: 64, code: "method_not_allowed",
            parts: ["clover endpoints items"],
            testDescription: "405"),
        Row(
            answer: says("409 Conflict"), arguments: ["post", "items/A", "-F", "name=x"], status: 64, code: "conflict",
            parts: ["changed in the meantime", "clover get items/A"], testDescription: "409"),
        Row(
            answer: says("413 Content Too Large"), status: 64, code: "refused", parts: ["send less"],
            testDescription: "413"),
        Row(
            answer: says("415 Unsupported Media Type"), status: 64, code: "unsupported_media_type",
            parts: ["another kind of body"],
            testDescription: "415"),
        Row(
            answer: LoopbackResponse(
                status: "429 Too Many Requests", headers: ["Retry-After: 0", "X-RateLimit-tokenLimit: 16"], body: []),
            status: 75, code: "rate_limited", parts: ["limits requests"], requests: 2, testDescription: "429"),
        Row(
            answer: says("501 Not Implemented"), status: 69, code: "service_failed", parts: ["does not support this"],
            testDescription: "501: it was not done"),
        Row(
            answer: says("500 Internal Server Error", "boom"), status: 69, code: "outcome_unknown",
            parts: ["outcome unknown: the POST may have been carried out", "boom", "twice", "clover get items"],
            testDescription: "500"),
        Row(
            answer: LoopbackResponse(
                status: "503 Service Unavailable", headers: ["Retry-After: 1"], body: "<html>".utf8),
            status: 69, code: "outcome_unknown", parts: ["outcome unknown"],
            testDescription: "503, also with Retry-After"),
        Row(
            answer: .reset, status: 69, code: "outcome_unknown", parts: ["outcome unknown", "lost"],
            testDescription: "the connection is lost"),
        Row(
            answer: .reset, arguments: ["post", "orders", "-F", "note=x"], status: 69, code: "outcome_unknown",
            parts: ["clover get orders --filter 'createdTime>=-10m'"],
            testDescription: "lost where times can be filtered"),
        Row(
            answer: .reset, arguments: ["post", "orders/A/payments", "-F", "amount=1"], status: 80,
            code: "outcome_unknown",
            parts: ["money may have moved: do not send it again", "clover get orders/A/payments"],
            testDescription: "lost where money moves"),
        Row(
            answer: says("502 Bad Gateway"), arguments: ["delete", "authorizations/A"], status: 80,
            code: "outcome_unknown", parts: ["money may have moved"], testDescription: "502 where money moves"),
        Row(
            answer: says("502 Bad Gateway"), arguments: ["put", "item_stocks/A", "-F", "quantity=1", "--retry", "2"],
            status: 69, code: "outcome_unknown", parts: ["twice has the same effect as once"], requests: 3,
            testDescription: "a PUT is sent again"),
        Row(
            answer: LoopbackResponse(body: #"{"id":"A","na"#.utf8, declaredLength: 500, ending: .close), status: 76,
            code: "answer_lost", parts: ["carried it out (200)", "do not send it again"],
            testDescription: "a cut answer"),
        Row(
            answer: LoopbackResponse(#"{"id":"A""#), status: 76, code: "answer_lost", parts: ["carried it out (200)"],
            testDescription: "an answer that ends too early"),
        Row(
            answer: LoopbackResponse(headers: ["Content-Type: text/html"], body: "<html>Log in</html>".utf8),
            status: 76,
            code: "outcome_unknown", parts: ["outcome unknown", "the response is an HTML page, not JSON: http"],
            testDescription: "an HTML page of another server"),
        Row(
            answer: LoopbackResponse("null"), status: 76, code: "outcome_unknown",
            parts: ["the response is null, neither an object nor a list: http"], testDescription: "null"),
        Row(
            answer: .redirect(to: "https://elsewhere.invalid/"), status: 76, code: "outcome_unknown",
            parts: ["outcome unknown", "which is another server: not followed"],
            testDescription: "a redirect elsewhere"),
        Row(
            answer: .redirect(to: "/v3/merchants/\(Sandbox.merchantID)/items/"),
            arguments: ["put", "item_stocks/A", "-F", "quantity=1"], status: 76, code: "outcome_unknown",
            parts: [
                "may have been carried out", "redirects to '/v3/merchants/\(Sandbox.merchantID)/items/': not followed",
            ],
            testDescription: "a redirect at home"),
        Row(
            answer: LoopbackResponse(status: "400 Bad Request", "{}"), status: 69, code: "outcome_unknown",
            parts: ["a response with status 400 came that is not in the form of Clover's errors", "clover get items"],
            testDescription: "a bare 400"),
        Row(
            answer: LoopbackResponse(status: "401 Unauthorized", "{}"),
            arguments: ["post", "orders/A/payments", "-F", "amount=1"], status: 80, code: "outcome_unknown",
            parts: ["money may have moved"], testDescription: "a bare 401 where money moves"),
        Row(
            answer: LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: 0"], body: "{}".utf8),
            arguments: ["post", "orders/A/payments", "-F", "amount=1"], status: 80, code: "outcome_unknown",
            parts: ["money may have moved"], testDescription: "a bare 429 where money moves"),
        Row(
            answer: LoopbackResponse(""), status: 76, code: "outcome_unknown",
            parts: ["outcome unknown", "the response came without the record"], testDescription: "an empty answer"),
        Row(
            answer: LoopbackResponse(#"{"elements":[]}"#), arguments: ["post", "orders/A/payments", "-F", "amount=1"],
            status: 80, code: "outcome_unknown", parts: ["the response came without the record"],
            testDescription: "an empty list where money moves"),
        Row(
            answer: LoopbackResponse(status: "204 No Content", ""),
            arguments: ["post", "orders/A/payments", "-F", "amount=1"],
            status: 80, code: "outcome_unknown", parts: ["the response came without the record"],
            testDescription: "no content where money moves"),
    ]

    @Test("each response has its exit status, message and hint", arguments: rows)
    func hasItsStatus(_ row: Row) async throws {
        try await Sandbox.run(server: { _, _ in row.answer }) { sandbox, server in
            let result = try await sandbox.clover(row.arguments)
            expectFailure(result, status: row.status)
            for part in row.parts { #expect(result.errorText.contains(part), "no '\(part)' in: \(result)") }
            #expect(server.requests.count == row.requests, "\(server.requests.map(\.method))")
        }
    }

    @Test("sent secrets are not shown when the service repeats them, under any name or none")
    func repeatedValues() async throws {
        // Longer than the number of a port.
        let words = [
            #"{"message":"PIN 864213 is taken","details":"value 864213"}"#, #"{"message":"x","got":{"pin":"864213"}}"#,
            #"{"echo":"864213","h":"HEADER-S"}"#, "cannot use 864213, HEADER-S", "<title>864213 HEADER-S</title>",
        ]
        for (text, status) in words.flatMap({ [($0, "400 Bad Request"), ($0, "200 OK"), ($0, "500 Oops")] }) {
            try await Sandbox.run(server: { _, _ in LoopbackResponse(status: status, text) }) { sandbox, _ in
                let arguments = [
                    "post", "employees", "--raw-field", "pin=864213", "--header", "X-Clover-Auth: HEADER-S", "--debug",
                    "all",
                ]
                let result = try await sandbox.clover(arguments)
                let each = try await sandbox.clover(
                    "post", "employees", "--each", "--header", "X-Clover-Auth: HEADER-S", "--debug", "body",
                    input: .text("{\"pin\":864213}\n"))
                for result in [result, each] {
                    // A value under a name that is not a secret's is data.
                    let isData = status == "200 OK" && text.hasPrefix("{")
                    for secret in ["864213", "HEADER-S"] {
                        #expect(!result.errorText.contains(secret), "\(result)")
                        #expect(isData || !result.outputText.contains(secret), "\(result)")
                    }
                }
            }
        }
    }

    @Test("a field refused before sending repeats no PIN")
    func malformedField() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, _ in
            let result = try await sandbox.clover("post", "employees", "-F", "pin:4321")
            expectFailure(result, status: 64, saying: "malformed field 'pin:(redacted)'")
            #expect(!result.errorText.contains("4321"), "\(result)")
        }
    }

    @Test("with --each, results do not repeat a token from the response")
    func repeatedToken() async throws {
        let answer = LoopbackResponse(status: "400 Bad Request", "{\"message\":\"bad \(Sandbox.token)\"}")
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
            let result = try await sandbox.clover("post", "items", "--each", input: .text("{}\n"))
            #expect(result.outputText.contains("bad (redacted)"), "\(result)")
            expectNoSecret(result)
        }
    }

    @Test("as JSON it is one line with the same facts", arguments: rows)
    func asJSON(_ row: Row) async throws {
        try await Sandbox.run(server: { _, _ in row.answer }) { sandbox, _ in
            let result = try await sandbox.clover(row.arguments + ["--json"])
            let lines = result.errorText.split(separator: "\n")
            #expect(lines.count == 1, "\(result)")
            let error = try #require(try JSONValue(String(lines.first ?? ""))["error"])
            #expect(error["code"] == .string(row.code))
            #expect(error["status"] == .integer(Int(row.status)))
            expectNoSecret(result)
        }
    }

    @Test("a 401 with a good token names the permission for writing")
    func permission() async throws {
        try await Sandbox.run(server: { request, _ in
            request.method == "GET"
                ? LoopbackResponse(#"{"id":"M"}"#) : LoopbackResponse(status: "401 Unauthorized", #"{"message":"401"}"#)
        }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("post", "items", "-F", "name=x"), status: 77, saying: "the token is valid",
                "may not change items", "INVENTORY_W")
            let each = try await sandbox.clover("post", "items", "--each", input: .text("{}\n{}\n"))
            #expect(each.status == 77 && each.lines.count == 1, "\(each)")
            #expect(try JSONValue(each.lines[0])["status"] == .integer(401))
        }
    }

    @Test("a 401 with a bad token says so")
    func badToken() async throws {
        let refusal = LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)
        try await Sandbox.run(server: { _, _ in refusal }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("post", "items", "-F", "name=x"), status: 77,
                saying: "does not accept the token")
        }
    }

    @Test("a failed connection leaves no doubt")
    func unreachable() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("http://127.0.0.1:9").clover(
                "post", "orders/A/payments", "-F", "amount=1")
            expectFailure(result, status: 69, saying: "cannot reach 127.0.0.1:9")
            #expect(!result.errorText.contains("may have"), "\(result)")
        }
    }

    @Test("a 429 is waited for, and the body sent again")
    func limited() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1
                ? LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["Retry-After: 0"],
                    body: #"{"message":"429 Too Many Requests"}"#.utf8)
                : LoopbackResponse(#"{"id":"A"}"#)
        }) { sandbox, server in
            let result = try await sandbox.clover("post", "items", "-F", "name=x")
            expectSuccess(result)
            #expect(server.requests.map(\.bodyText) == [#"{"name":"x"}"#, #"{"name":"x"}"#])
        }
    }

    @Test("--max-time that runs out while waiting for the response reports the doubt", arguments: [83, 80])
    func maximumTime(status: Int32) async throws {
        let path = status == 80 ? "orders/A/payments" : "items"
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("post", path, "--max-time", "1"), status: status,
                saying: "--max-time 1 s ran out while waiting for the response", "may have been carried out")
        }
    }
}
