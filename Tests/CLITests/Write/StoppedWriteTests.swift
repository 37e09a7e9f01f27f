import CloverTestSupport
import Dispatch
import Testing

@Suite("writes stopped from outside report their outcome")
struct StoppedWriteTests {
    @Test("a pipe closed during a request does not end it, and the line is named")
    func closedWhileUnderWay() async throws {
        let release = DispatchSemaphore(value: 0)
        try await Sandbox.run(server: { _, number in
            if number == 2 { release.wait() }
            return LoopbackResponse("{\"id\":\"R\(number)\"}")
        }) { sandbox, server in
            // `head` ends with the first result, while the second request is in flight.
            let command = try sandbox.startShell(
                "set -o pipefail; printf '{}\\n{}\\n{}\\n' | clover post items --each | head -n 1; exit ${PIPESTATUS[1]}"
            )
            try await server.waitForRequests(2)
            try await command.waitForErrors(containing: "waiting for the response to line 2 before stopping")
            release.signal()
            let result = try await command.result()
            #expect(result.ending == .exited(141), "\(result)")
            #expect(result.lines.count == 1)
            #expect(result.errorText.contains("everything up to line 2 was sent"), "\(result)")
            #expect(result.errorText.contains("--resume-from 3"), "\(result)")
            #expect(server.requests.count == 2)
        }
    }

    @Test("a pipe closed while waiting for the next line: the line to resume from is named")
    func closedWhileWaiting() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.shell(
                "clover post items --each < <(echo '{}'; exec sleep 3600) | head -n 1; exit ${PIPESTATUS[0]}")
            #expect(result.ending == .exited(141), "\(result)")
            #expect(result.errorText == "clover: stopped after line 1; resume with --resume-from 2\n", "\(result)")
            #expect(server.requests.count == 1)
        }
    }

    @Test("a single write with a closed pipe is completed and reported as done")
    func closedSingle() async throws {
        let release = DispatchSemaphore(value: 0)
        try await Sandbox.run(server: { _, _ in
            release.wait()
            return LoopbackResponse("{\"id\":\"A\"}")
        }) { sandbox, server in
            let gone = "\(sandbox.directory.path)/gone"
            let command = try sandbox.startShell(
                "clover post items -F name=x | until [ -e '\(gone)' ]; do sleep 0.1; done; exit ${PIPESTATUS[0]}")
            try await server.waitForRequests(1)
            _ = try sandbox.directory.write("gone", [])
            try await command.waitForErrors(containing: "waiting for the response before stopping")
            release.signal()
            let result = try await command.result()
            #expect(result.ending == .exited(141), "\(result)")
            #expect(result.errorText.contains("was carried out, so do not send it again"), "\(result)")
        }
    }

    private static let limited = LoopbackResponse(
        status: "429 Too Many Requests", headers: ["Retry-After: 60", "X-RateLimit-tokenLimit: 16"], body: [])

    @Test("Ctrl-C during the wait after a 429 reports that nothing was carried out")
    func interruptedInPause() async throws {
        try await Sandbox.run(server: { _, _ in Self.limited }) { sandbox, server in
            let command = try sandbox.start("post", "orders/A/payments", "-F", "amount=1", "--verbose")
            try await command.waitForErrors(containing: "all requests wait")
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
            #expect(
                result.errorText.contains("stopped: the POST to orders/A/payments was not carried out"), "\(result)")
            #expect(server.requests.count == 1)
        }
    }

    @Test("--max-time during the wait after a 429 leaves no doubt")
    func maximumTimeInPause() async throws {
        try await Sandbox.run(server: { _, _ in Self.limited }) { sandbox, _ in
            let one = try await sandbox.clover("post", "orders/A/payments", "-F", "amount=1", "--max-time", "4")
            expectFailure(one, status: 83, saying: "it was not sent, or refused")
            #expect(!one.errorText.contains("may have been"), "\(one)")
            #expect(!one.errorText.contains("stopping"), "\(one)")
        }
    }

    @Test("--max-time while waiting for the response is reported once, with the path")
    func maximumTimeUnderWay() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, _ in
            let arguments = ["post", "items", "-F", "name=x", "--max-time", "1", "--json"]
            let one = try await sandbox.clover(arguments)
            let lines = one.errorText.split(separator: "\n").map(String.init)
            #expect(lines.count == 1, "\(one)")
            let error = try JSONValue(lines[0])["error"]
            #expect(error?["code"]?.string == "time_ran_out")
            #expect(error?["path"]?.string == "/v3/merchants/\(Sandbox.merchantID)/items")
            let each = try await sandbox.clover(
                "post", "items/{id}", "--each", "--max-time", "1", "--json", input: .text("{\"id\":\"A\"}\n"))
            let path = try JSONValue(each.errorText)["error"]?["path"]
            #expect(path?.string == "/v3/merchants/\(Sandbox.merchantID)/items/A")
        }
    }

    @Test("--max-time between two attempts of a PUT leaves a doubt if the first may have been carried out")
    func maximumTimeBetweenTries() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "503 Service Unavailable", headers: ["Retry-After: 60"], body: [])
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "put", "item_stocks/A", "-F", "quantity=1", "--max-time", "15")
            expectFailure(result, status: 83, saying: "an earlier one may have been carried out", "check before")
        }
    }

    @Test("a deletion that found nothing reports the result of the earlier attempt", arguments: [true, false])
    func gone(isLost: Bool) async throws {
        try await Sandbox.run(server: { _, number in
            if number == 2 { return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#) }
            return isLost ? .reset : LoopbackResponse(status: "500 Internal Server Error", "{}")
        }) { sandbox, _ in
            let result = try await sandbox.clover("delete", "items", "A")
            #expect(result.ending == .exited(0), "\(result)")
            let words =
                isLost ? "the response to an earlier attempt was lost" : "an earlier attempt got status 500"
            #expect(result.errorText.contains(words), "\(result)")
            #expect(result.errorText.contains("items/A no longer exists"), "\(result)")
        }
    }
}
