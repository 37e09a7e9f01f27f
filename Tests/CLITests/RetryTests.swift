import CloverTestSupport
import Synchronization
import Testing

@Suite("get: faults on the way")
struct RetryTests {
    /// A fault made from the response that should have arrived.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statuses: [Int32]
        let answer: @Sendable (_ body: [UInt8]) -> LoopbackResponse

        init(_ name: String, endingWith statuses: Int32..., answer: @escaping @Sendable ([UInt8]) -> LoopbackResponse) {
            testDescription = name
            self.statuses = statuses
            self.answer = answer
        }
    }

    static let faults = [
        Fault("500", endingWith: 69) { _ in LoopbackResponse(status: "500 Internal Server Error", "{}") },
        Fault("503 with HTML", endingWith: 69) { _ in
            LoopbackResponse(
                status: "503 Service Unavailable", headers: ["Content-Type: text/html"], body: "<html></html>".utf8)
        },
        Fault("reset before the answer", endingWith: 69) { _ in .reset },
        Fault("reset in mid-body", endingWith: 69, 76) { body in
            LoopbackResponse(body: body.prefix(body.count / 2), declaredLength: body.count, ending: .reset)
        },
        Fault("body shorter than declared", endingWith: 69, 76) { body in
            LoopbackResponse(body: body.prefix(body.count * 2 / 3), declaredLength: body.count, ending: .close)
        },
        Fault("whole body with cut JSON", endingWith: 76) { body in LoopbackResponse(body: body.prefix(body.count / 3))
        },
        Fault("206, whose page is whole JSON", endingWith: 76) { _ in
            LoopbackResponse(status: "206 Partial Content", body: LoopbackResponse.envelope([]))
        },
        Fault("HTML with 200", endingWith: 76) { _ in
            LoopbackResponse(headers: ["Content-Type: text/html"], body: "<!DOCTYPE html><html></html>".utf8)
        },
        Fault("chunked body that ends early", endingWith: 69, 76) { body in
            let chunk = Array(body.prefix(body.count / 2))
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(chunk.count, radix: 16))\r\n"
            return LoopbackResponse(bytes: Array(head.utf8) + chunk + Array("\r\n".utf8), ending: .close)
        },
    ]

    @Test("a fault that stays ends the run after the retries", arguments: faults)
    func staying(_ fault: Fault) async throws {
        let list = ServedList(records: Record.orders(90))
        try await Sandbox.run(server: { request, _ in fault.answer(list.body(for: request)) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--retry", "2")
            #expect(fault.statuses.contains(result.status), "\(result)")
            #expect(result.errorText.hasPrefix("clover: "))
            #expect(result.errorText.contains("127.0.0.1"), "\(result)")
            #expect(server.requests.count == 3)
            #expect(list.lines.hasPrefix(result.outputText), "whole records, none twice, none out of order")
            #expect(result.endsWithWholeLine)
            expectNoSecret(result)
        }
    }

    @Test(
        "--no-retry gives the service's own words on standard error, without secrets; records alone are data",
        arguments: [
            "401 Unauthorized", "403 Forbidden", "404 Not Found", "429 Too Many Requests", "503 Service Unavailable",
        ])
    func rawRefusal(_ status: String) async throws {
        let body = #"{"message":"not today","detail":{"ray":"8f1c"},"access_token":"\#(Sandbox.token)"}"#
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: status, headers: ["Retry-After: 600"], body: Array(body.utf8))
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--no-retry")
            #expect(result.status != 0 && result.outputText == "", "\(result)")
            let words = #"{"message":"not today","detail":{"ray":"8f1c"},"access_token":"(redacted)"}"#
            #expect(result.errorText.split(separator: "\n").first.map(String.init) == words, "\(result)")
            #expect(result.errorText.contains("\nclover: "), "\(result)")
            expectNoSecret(result)
            let json = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover(
                "get", "orders", "--no-retry", "--quiet")
            // A 429 has paused all processes, so that nothing is sent a second time.
            if status.hasPrefix("429") {
                #expect(json.status == 75 && server.requests.count == 1, "\(json)")
                let error = try JSONValue(json.errorText)["error"]
                #expect(error?["code"]?.string == "rate_limited" && error?["http"]?.integer == nil, "\(json)")
            } else {
                let first = try JSONValue(try #require(json.errorText.split(separator: "\n").first.map(String.init)))
                #expect(first["answer"]?["http"]?.integer == Int(status.prefix(3)), "\(json)")
                #expect(first["answer"]?["body"]?.string == words, "\(json)")
            }
            let usual = try await sandbox.clover("get", "orders", "--retry", "0")
            #expect(!usual.errorText.contains("8f1c"), "\(usual)")
            let written = try await sandbox.clover("post", "orders", "--field", "title=x", "--no-retry")
            #expect(status.hasPrefix("429") || written.errorText.contains(words), "\(written)")
        }
    }

    @Test(
        "a run that breaks off gives no result over all records, which would look like the real one",
        arguments: [
            ["--slurp", "--jq", "length"], ["--jq", "reduce inputs as $x (1; . + 1)"], ["--jq", "[inputs] | length"],
        ])
    func noPartialSum(_ options: [String]) async throws {
        let list = ServedList(records: Record.orders(1500))
        try await Sandbox.run(server: { request, _ in
            request.values(of: "offset").first == "999"
                ? LoopbackResponse(status: "503 Service Unavailable", "") : list.answer(to: request)
        }) { sandbox, _ in
            let result = try await sandbox.clover(["get", "orders", "--all", "--retry", "0"] + options)
            #expect(result.status == 69, "\(result)")
            #expect(result.output == [], "\(result)")
        }
    }

    @Test("a fault that passes costs a retry and neither loses nor repeats a record", arguments: faults)
    func passing(_ fault: Fault) async throws {
        let list = ServedList(records: Record.orders(2345))
        // The second page fails at its first try.
        let failed = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            let isSecond = request.values(of: "offset").first == "999"
            let fails = failed.withLock { failed in
                defer { failed = failed || isSecond }
                return isSecond && !failed
            }
            return fails ? fault.answer(list.body(for: request)) : list.answer(to: request)
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--all")
            expectSuccess(result)
            #expect(result.outputText == list.lines)
            #expect(server.requests.filter { $0.values(of: "offset").first == "999" }.count == 2)
        }
    }

    @Test("a page that is cut at any byte is completed without loss or repetition")
    func cutAnywhere() async throws {
        let list = ServedList(records: Record.orders(60))
        let page = list.answer(to: LoopbackRequest(method: "GET", target: "/"))
        let head = page.bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
        let cuts = Array(stride(from: head, to: page.bytes.count - 1, by: 61))
        try await Sandbox.run { sandbox in
            for cut in cuts {
                let server = try LoopbackServer { request, number in
                    number == 1 ? LoopbackResponse(bytes: Array(page.bytes.prefix(cut)), ending: .close) : page
                }
                let result = try await sandbox.using(server.url).clover("get", "orders", "--limit", "60")
                #expect(result.ending == .exited(0), "cut at \(cut): \(result)")
                #expect(result.outputText == list.lines, "cut at \(cut)")
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test("reports retries with -v and not without")
    func verbose() async throws {
        try await Sandbox.run(server: { _, number in
            number % 2 == 1 ? LoopbackResponse(status: "503 Service Unavailable", "") : .page(Record.orders(1))
        }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders"))
            let verbose = try await sandbox.clover("get", "orders", "-v")
            #expect(verbose.status == 0)
            #expect(verbose.errorText.contains("503"), "\(verbose)")
            expectNoSecret(verbose)
        }
    }

    @Test("-v tells of a lost connection in words")
    func verboseConnection() async throws {
        try await Sandbox.run(server: { _, number in number == 1 ? .reset : .page(Record.orders(1)) }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "-v")
            #expect(result.status == 0, "\(result)")
            #expect(result.errorText.contains("trying again in "), "\(result)")
            for word in ["(", "host:", "detail:"] { #expect(!result.errorText.contains(word), "\(result)") }
        }
    }

    @Test("a 429 is obeyed: nothing is sent before Retry-After is over, by no process, and the run is complete")
    func retryAfter() async throws {
        let clock = ContinuousClock()
        let times = Mutex<[ContinuousClock.Instant]>([])
        let list = ServedList(records: Record.orders(30))
        try await Sandbox.run(
            server: { request, number in
                times.withLock { $0.append(clock.now) }
                guard number == 1 else { return list.answer(to: request) }
                return LoopbackResponse(
                    status: "429 Too Many Requests",
                    headers: ["X-RateLimit-tokenConcurrentLimit: 5", "Retry-After: 2"],
                    body: #"{"message":"429 Too Many Requests"}"#.utf8)
            }, weight: 0
        ) { sandbox, server in
            let first = try sandbox.start("get", "orders", "--limit", "30", "-v")
            try await first.waitForErrors(containing: "tokenConcurrentLimit")
            let second = try await sandbox.clover("get", "orders", "--limit", "30")
            expectSuccess(second)
            let result = try await first.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.outputText == list.lines)
            #expect(second.outputText == list.lines)
            let seen = times.withLock { $0 }
            #expect(seen.count == 3)
            for time in seen.dropFirst() { #expect(seen[0].duration(to: time) >= .seconds(2)) }
        }
    }

    @Test(
        "a Retry-After of more than an hour ends the command, which names it",
        arguments: [("8640000", "100 days"), ("7201", "2 h")], ["429 Too Many Requests", "503 Service Unavailable"])
    func largeRetryAfter(_ value: (header: String, words: String), _ status: String) async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: status, headers: ["Retry-After: \(value.header)"], body: [])
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders", "--max-time", "1m")
            #expect(result.status == (status.hasPrefix("429") ? 75 : 69), "\(result)")
            #expect(server.requests.count == 1)
            #expect(result.errorText.contains("asks to wait for "), "\(result)")
            #expect(result.errorText.contains("\(value.words); clover waits for "), "\(result)")
            guard status.hasPrefix("429") else { return }
            let other = try await sandbox.clover("get", "items", "--no-retry")
            #expect(other.status == 75 && other.errorText.contains(/for 3[0-9]{3} s more/), "\(other)")
        }
    }

    @Test(
        "a Retry-After that no service can mean counts as none",
        arguments: ["99999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
    func meaningless(_ value: String) async throws {
        try await Sandbox.run(server: { _, number in
            number == 1
                ? LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: \(value)"], body: [])
                : .page([])
        }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(server.requests.count > 1)
        }
    }

    @Test(
        "a pause of a service that failed is announced once, however many requests wait for its end",
        arguments: ["503 Service Unavailable", "520 Unknown Error"])
    func announcedOnce(_ status: String) async throws {
        let list = ServedList(records: Record.orders(9000))
        try await Sandbox.run(
            server: { request, _ in
                request.values(of: "offset").first ?? "0" == "0"
                    ? list.answer(to: request)
                    : LoopbackResponse(status: status, headers: ["Retry-After: 3600"], body: [])
            }, weight: 2
        ) { sandbox, _ in
            let command = try sandbox.start("get", "orders", "--all", "-v")
            // Reported by each request that waits, after the pause was announced.
            try await command.waitForErrors(matching: "three requests that wait") {
                $0.split(separator: "\n").count { $0.contains("trying again in 3600.00 s: status") } >= 3
            }
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
            let notices = result.errorText.split(separator: "\n").filter { $0.contains("; sending it again at ") }
            #expect(notices.count == 1, "\(result)")
            #expect(notices.first?.contains("status \(status.prefix(3)): /v3/merchants/") == true, "\(result)")
            #expect(notices.first?.contains("in 3600.00 s; a signal ends the wait") == true, "\(result)")
        }
    }

    @Test("429 until the retries end is 75 and says so")
    func limitedForEver() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 0"], body: [])
        }) { sandbox, server in
            expectFailure(try await sandbox.clover("get", "orders", "--retry", "2"), status: 75, saying: "limit")
            #expect(server.requests.count == 3)
        }
    }

    struct Storm: Sendable, CustomTestStringConvertible {
        let fault: String
        let flags: [String]
        var testDescription: String { fault }
    }

    static let storms =
        [
            "429-rate:0.2", "429-concurrent:0.05", "503-html:0.2", "500:0.2", "truncate:0.3", "reset:0.3", "slow:0.1",
        ].map { Storm(fault: $0, flags: ["--fault", $0]) }
        + [
            Storm(
                fault: "all at once",
                flags: [
                    "--fault", "503-html:0.1", "--fault", "truncate:0.1", "--fault", "reset:0.1", "--fault",
                    "429-rate:0.05",
                ])
        ]

    @Test("a storm of faults delivers every record exactly once", arguments: storms)
    func storm(_ storm: Storm) async throws {
        try await Sandbox.run { calm in
            let reference = try await EmulatorProcess(["--orders", "7300", "--seed", "11"])
            let expected = try await calm.using(reference).clover("get", "orders", "--all")
            expectSuccess(expected)
            let emulator = try await EmulatorProcess(["--orders", "7300", "--seed", "11"] + storm.flags)
            let stormy = calm.using(emulator).limited(to: .seconds(150))
            let result = try await stormy.clover("get", "orders", "--all", "--retry", "20", "-r", "--jq", ".id")
            expectSuccessAfterPauses(result)
            let ids = try await calm.jq(["-r", ".id"], expected.output)
            #expect(result.outputText == ids)
        }
    }
}
