import CloverTestSupport
import Testing

@Suite("--debug")
struct DebugTests {
    private static let page = LoopbackResponse(
        headers: [
            "Content-Type: application/json", "Set-Cookie: session=hidden-cookie", "X-RateLimit-tokenLimit: 16",
        ], body: LoopbackResponse.envelope([#"{"id":"E1","pin":"PIN-1111","name":"Zoë"}"#]))

    private func run(
        _ answer: LoopbackResponse = page, _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { _, _ in answer }, body)
    }

    private func lines(_ result: CommandResult) -> [String] {
        result.errorText.split(separator: "\n").map(String.init)
    }

    private func debugLines(_ result: CommandResult) -> [String] {
        lines(result).filter { $0.hasPrefix("debug: ") }
    }

    @Test("request and headers: both directions, without secrets")
    func headers() async throws {
        try await run { sandbox, server in
            let result = try await sandbox.clover(
                "get", "employees", "--limit", "1", "--param", "access=1", "--debug", "request,headers", "-q")
            #expect(result.ending == .exited(0), "\(result)")
            let lines = lines(result)
            let url = "\(server.url)/v3/merchants/\(Sandbox.merchantID)/employees?access=1&limit=1"
            #expect(lines.first == "debug: request GET \(url) [1]")
            #expect(lines.contains("debug: headers > Authorization: Bearer (redacted) [1]"))
            #expect(lines.contains("debug: headers > Accept: application/json [1]"))
            #expect(lines.contains { $0.hasPrefix("debug: headers > User-Agent: clover/") })
            #expect(lines.contains("debug: headers < Set-Cookie: (redacted) [1]"))
            #expect(lines.contains("debug: headers < X-RateLimit-tokenLimit: 16 [1]"))
            #expect(!result.errorText.contains("hidden-cookie"))
            expectNoSecret(result)
            #expect(lines.allSatisfy { $0.hasPrefix("debug: request") || $0.hasPrefix("debug: headers") }, "\(lines)")
        }
    }

    @Test("body: the response without sensitive fields; the records are unchanged")
    func body() async throws {
        try await run { sandbox, _ in
            let plain = try await sandbox.clover("get", "employees", "--limit", "1", "-q", "--show-sensitive")
            let result = try await sandbox.clover(
                "get", "employees", "--limit", "1", "-q", "--show-sensitive", "--debug", "body")
            #expect(result.output == plain.output)
            #expect(
                result.errorText
                    == #"debug: body < {"elements":[{"id":"E1","pin":"(redacted)","name":"Zoë"}],"href":"http://api.clover.com/v3"} [1]"#
                    + "\n")
        }
    }

    @Test("a large body is shown up to 64 KiB and still streamed completely")
    func largeBody() async throws {
        let note = String(repeating: "long ", count: 40)
        let records = (0..<2500).map { #"{"id":"\#(Record.identifier($0))","note":"\#(note)"}"# }
        try await Sandbox.run(server: { request, _ in ServedList(records: records).answer(to: request) }) {
            sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--all", "--debug", "body", "--json")
            #expect(result.ending == .exited(0))
            #expect(result.outputText == ServedList(records: records).lines)
            let bodies = try JSONValue.lines(lines(result)).compactMap { $0["debug"] }
            let largest = try #require(bodies.max { ($0["bytes"]?.integer ?? 0) < ($1["bytes"]?.integer ?? 0) })
            let size = try #require(largest["bytes"]?.integer)
            #expect(size > 64 << 10)
            #expect(largest["bytesLeftOut"]?.integer == size - (64 << 10))
            #expect((largest["text"]?.string?.utf8.count ?? 0) <= 64 << 10)
        }
    }

    @Test("response, timing and cache: status, protocol, size, times, connections")
    func responseAndTiming() async throws {
        let records = Record.orders(1500)
        try await Sandbox.run(server: { request, _ in ServedList(records: records).answer(to: request) }) {
            sandbox, _ in
            let result = try await sandbox.clover(
                "get", "orders", "--limit", "1500", "--debug", "response,timing,cache", "--json")
            #expect(result.ending == .exited(0))
            let entries = try JSONValue.lines(lines(result)).compactMap { $0["debug"] }
            let responses = entries.filter { $0["part"]?.string == "response" }
            #expect(responses.count == 2)
            #expect(responses.allSatisfy { $0["status"]?.integer == 200 && $0["protocol"]?.string == "HTTP/1.1" })
            #expect(responses.allSatisfy { ($0["bytes"]?.integer ?? 0) > 1000 })
            let timings = entries.filter { $0["part"]?.string == "timing" }
            #expect(timings.count == 2)
            for name in ["nameLookup", "connect", "tls", "firstByte", "total"] {
                #expect(timings.allSatisfy { $0[name] != nil }, "\(name)")
            }
            let cache = entries.filter { $0["part"]?.string == "cache" }
            #expect(cache.first?["source"]?.string == "CLOVER_ACCESS_TOKEN")
            #expect(cache.contains { $0["address"]?.string?.hasPrefix("127.0.0.1:") == true })
        }
    }

    @Test("a request without a response is shown too")
    func noAnswer() async throws {
        try await run(.reset) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--retry", "0", "--debug", "request,response")
            #expect(result.status == 69)
            #expect(lines(result).contains { $0.hasPrefix("debug: response none, no answer, 0 bytes") }, "\(result)")
        }
    }

    @Test("pacing: what each request waited for, and why")
    func pacing() async throws {
        try await run { sandbox, _ in
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "orders", "--limit", "1", "--debug", "pacing", "--json")
                let entry = try JSONValue(lines(result).first ?? "")["debug"]
                #expect(entry?["part"]?.string == "pacing")
                #expect((0..<5).contains(entry?["slot"]?.integer ?? -1))
                #expect(entry?["waited"] != nil && entry?["granted"]?.string?.hasSuffix("Z") == true)
            }
        }
    }

    @Test("a pause of the service is shown as reason")
    func pause() async throws {
        try await Sandbox.run(server: { request, number in
            number == 1
                ? LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 1"],
                    body: [])
                : .page([])
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--limit", "1", "--debug", "pacing")
            #expect(result.ending == .exited(0))
            #expect(
                lines(result).last?.contains("for a pause of the service's: X-RateLimit-tokenLimit") == true,
                "\(result)")
        }
    }

    @Test("cache: the file of the credential and its validity, never the token")
    func credential() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let kept = sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
            expectSignedIn(try await kept.signIn(environment: server.url))
            let result = try await kept.clover("get", "orders", "--debug", "cache")
            let line = lines(result).first ?? ""
            #expect(
                line.contains("/state/credentials/") && line.contains("_\(Sandbox.merchantID)_static.json"), "\(line)")
            #expect(line.contains("without an end: not due"))
            expectNoSecret(result)
        }
    }

    @Test("the variable does the same, the flag takes precedence, and unknown parts are refused by name")
    func choosing() async throws {
        try await run { sandbox, _ in
            let variable = sandbox.with(["CLOVER_DEBUG": "request, response"])
            let result = try await variable.clover("get", "orders", "--limit", "1")
            #expect(debugLines(result).count == 2)
            let flag = try await variable.clover("get", "orders", "--limit", "1", "--debug", "timing")
            #expect(debugLines(flag).count == 1 && debugLines(flag)[0].hasPrefix("debug: timing "))
            expectFailure(
                try await sandbox.clover("get", "orders", "--debug", "request,everything"), status: 64,
                saying: "'everything'", "request, headers, body, response, timing, pacing, cache, all")
            expectFailure(
                try await sandbox.with(["CLOVER_DEBUG": "x"]).clover("get", "orders"), status: 64,
                saying: "CLOVER_DEBUG", "'x'", "pacing")
        }
    }

    @Test("no part shows a secret: a token renewed with a secret, a PIN in a filter")
    func nothingLeaks() async throws {
        try await Sandbox.run(emulator: []) { sandbox, emulator in
            let result = try await sandbox.clover(
                "get", "employees", "--filter", "pin=9712", "--debug", "all", "--no-check")
            #expect(!result.errorText.contains("9712"), "\(result)")
            #expect(!result.errorText.contains(emulator.accessToken))
            #expect(result.errorText.contains("filter=(redacted)"))
        }
    }
}
