import CloverTestSupport
import Dispatch
import Testing

@Suite("--each: a request for every line, a result for every line")
struct EachTests {
    /// Makes `{"id":"N-TEXT"}` of the text in each body, and refuses bodies with `bad`.
    private static func answer(_ request: LoopbackRequest, _ number: Int) -> LoopbackResponse {
        request.bodyText.contains("bad")
            ? LoopbackResponse(status: "400 Bad Request", #"{"message":"bad name"}"#)
            : LoopbackResponse("{\"id\":\"R\(number)\"}")
    }

    private static func lines(_ names: String...) -> CommandRunner.Input {
        .text(names.map { "{\"name\":\"\($0)\"}\n" }.joined())
    }

    @Test("results come in line order, including failures, and the run continues")
    func results() async throws {
        try await Sandbox.run(server: Self.answer) { sandbox, server in
            let result = try await sandbox.clover("post", "items", "--each", input: Self.lines("a", "bad", "c"))
            expectFailure(
                result, status: 82, saying: "line 2: ", "bad name", "1 of 3 lines failed; the other 2 are done",
                "failed: 2", output: nil)
            #expect(result.lines.first == #"{"line":1,"ok":true,"status":200,"result":{"id":"R1"}}"#)
            #expect(result.lines.last == #"{"line":3,"ok":true,"status":200,"result":{"id":"R3"}}"#)
            let failed = try JSONValue(result.lines[1])
            #expect(failed.keys == ["error", "line", "ok", "status"])
            #expect(failed["ok"] == .bool(false) && failed["status"] == .integer(400))
            #expect(failed["error"]?.keys == ["code", "hint", "http", "message", "path", "status"])
            #expect(server.requests.map(\.bodyText) == ["a", "bad", "c"].map { "{\"name\":\"\($0)\"}" })
        }
    }

    @Test("lists in responses stay lists, and the empty response to a deletion is null")
    func shapes() async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("category_items")
                ? LoopbackResponse(#"{"elements":[{"id":"A"}]}"#) : LoopbackResponse("")
        }) { sandbox, _ in
            let list = try await sandbox.clover("post", "category_items", "--each", input: .text("{\"elements\":[]}\n"))
            #expect(list.outputText == "{\"line\":1,\"ok\":true,\"status\":200,\"result\":[{\"id\":\"A\"}]}\n")
            let empty = try await sandbox.clover("delete", "items/{id}", "--each", "--yes", input: .text("\"A\""))
            #expect(empty.outputText == "{\"line\":1,\"ok\":true,\"status\":200,\"result\":null}\n")
        }
    }

    @Test("placeholders are filled from the line, whose bytes are unchanged")
    func filled() async throws {
        try await Sandbox.run(server: { _, number in LoopbackResponse(number == 1 ? #"{"id":"A/B"}"# : #"{"id":9}"#) })
        {
            sandbox, server in
            let file = try sandbox.directory.write(
                "lines", "{\"id\":\"A/B\", \"price\": 1.0}\r\n\n  \n{\"id\":9,\"price\":12345678901234567890}".utf8)
            let result = try await sandbox.clover("post", "items/{id}", "--each", "--no-check", "--input", file)
            expectSuccess(result)
            #expect(try JSONValue.lines(result.lines).map { $0["line"]?.integer } == [1, 4])
            let prefix = "/v3/merchants/\(Sandbox.merchantID)/items/"
            #expect(server.requests.map(\.target) == [prefix + "A%2FB", prefix + "9"])
            #expect(
                server.requests.map(\.bodyText)
                    == ["{\"id\":\"A/B\", \"price\": 1.0}\r", "{\"id\":9,\"price\":12345678901234567890}"])
        }
    }

    @Test("a line that is not a request fails on its own")
    func badLines() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(#"{"id":"A"}"#) }) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items/{id}", "--each",
                input: .text("nonsense\n\"A\"\n{\"x\":1}\n{\"id\":\"..\"}\n{\"id\":\"A\"}\n"))
            expectFailure(
                result, status: 82, saying: "line 1: not JSON at column 1", "line 2: ",
                "line 3: there is no string or number 'id'",
                "line 4: ", "failed: 1, 2, 3, 4", output: nil)
            #expect(
                try JSONValue.lines(result.lines).map { $0["error"]?["status"]?.integer } == [65, 65, 65, 65, nil])
            #expect(server.requests.count == 1)
        }
    }

    @Test("when all lines fail, their statuses are in the results")
    func allFailed() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "404 Not Found", #"{"message":"invalid ID"}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "post", "items/{id}", "--each", input: .text("{\"id\":\"A\"}\n{\"id\":\"B\"}\n"))
            expectFailure(result, status: 82, saying: "2 of 2 lines failed", output: nil)
            #expect(try JSONValue.lines(result.lines).map { $0["error"]?["status"]?.integer } == [66, 66])
        }
    }

    @Test("--resume-from skips earlier lines, whatever they contain")
    func resumes() async throws {
        try await Sandbox.run(server: Self.answer) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items", "--each", "--resume-from", "3",
                input: .text("nonsense\n{\"name\":\"b\"}\n{\"name\":\"c\"}\n"))
            expectSuccess(result)
            #expect(result.outputText == "{\"line\":3,\"ok\":true,\"status\":200,\"result\":{\"id\":\"R1\"}}\n")
            #expect(server.requests.map(\.bodyText) == ["{\"name\":\"c\"}"])
        }
    }

    @Test("--resume-from past the end of the input is an error")
    func resumeBehindEnd() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items", "--each", "--resume-from", "9", input: .text("{}\n{}\n"))
            expectFailure(result, status: 64, saying: "the input has only 2 lines")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("programs and columns see the results")
    func programs() async throws {
        try await Sandbox.run(server: Self.answer) { sandbox, _ in
            let result = try await sandbox.clover(
                "post", "items", "--each", "-r", "--jq", "\"\\(.line) \\(.result.id // .error.code)\"",
                input: Self.lines("a", "bad"))
            #expect(result.outputText == "1 R1\n2 refused\n")
            #expect(result.status == 82)
            let table = try await sandbox.clover(
                "post", "items", "--each", "--format", "csv", "--fields", "line,ok,result.id", input: Self.lines("a"))
            #expect(table.lines.last?.filter { !$0.isNewline } == "1,true,R3", "\(table)")
        }
    }

    struct Stop: Sendable, CustomTestStringConvertible {
        var answer: LoopbackResponse
        var verb = "post"
        var status: Int32
        var outcome: String?
        var resume: String
        /// Number of writes, including retries.
        var requests: Int
        var testDescription: String
    }

    @Test(
        "an error that would repeat, or leaves a doubt, ends the run and names the line to resume from",
        arguments: [
            Stop(
                answer: LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#), status: 77,
                resume: "--resume-from 2",
                requests: 2, testDescription: "401"),
            Stop(
                answer: LoopbackResponse(status: "403 Forbidden", #"{"message":"403 Forbidden"}"#), status: 77,
                resume: "--resume-from 2", requests: 2, testDescription: "403"),
            Stop(
                answer: LoopbackResponse(status: "403 Forbidden", "{}"), status: 69, outcome: "unknown",
                resume: "--resume-from 3 if line 2 was carried out", requests: 2,
                testDescription: "403 that is not Clover's"),
            Stop(
                answer: LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["Retry-After: 0"],
                    body: #"{"message":"429 Too Many Requests"}"#.utf8),
                status: 75,
                resume: "--resume-from 2", requests: 3, testDescription: "429"),
            Stop(
                answer: .reset, status: 69, outcome: "unknown",
                resume: "--resume-from 3 if line 2 was carried out, or 2 if it was not", requests: 2,
                testDescription: "a lost answer"),
            Stop(
                answer: LoopbackResponse(status: "500 Internal Server Error", "{}"), verb: "put", status: 69,
                outcome: "unknown", resume: "--resume-from 3 if line 2 was carried out", requests: 3,
                testDescription: "failures of a PUT to the end"),
        ])
    func stops(row: Stop) async throws {
        try await Sandbox.run(server: { request, _ in
            request.bodyText.contains("stop") || request.method == "GET" ? row.answer : LoopbackResponse(#"{"id":"A"}"#)
        }) { sandbox, server in
            let result = try await sandbox.clover(
                row.verb, "items/{id}", "--each", "--retry", "1",
                input: .text("{\"id\":\"A\"}\n{\"id\":\"B\",\"name\":\"stop\"}\n{\"id\":\"C\"}\n"))
            expectFailure(result, status: row.status, saying: "stopped at line 2: ", row.resume, output: nil)
            let lines = try JSONValue.lines(result.lines)
            #expect(lines.map { $0["line"]?.integer } == [1, 2])
            #expect(lines.map { $0["ok"] } == [.bool(true), .bool(false)])
            #expect(lines.last?["outcome"]?.string == row.outcome)
            // A few reads diagnose a 401.
            let writes = server.requests.filter { $0.method != "GET" }
            #expect(writes.count == row.requests, "\(server.requests.map(\.target))")
        }
    }

    @Test("a truncated response leaves no doubt: the line is done, and the run continues")
    func answerLost() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1
                ? LoopbackResponse(body: #"{"id":"A","na"#.utf8, declaredLength: 100, ending: .close)
                : LoopbackResponse(#"{"id":"B"}"#)
        }) { sandbox, server in
            let result = try await sandbox.clover("post", "items", "--each", input: Self.lines("a", "b"))
            expectFailure(
                result, status: 79, saying: "line 1: the service carried it out",
                "all 2 lines were carried out, but 1 of the responses is incomplete", "do not send again: 1",
                output: nil)
            let first = try JSONValue(result.lines[0])
            #expect(first["ok"] == .bool(true) && first["result"] == .null)
            #expect(first["outcome"] == .string("answer_incomplete"))
            #expect(first["error"]?["path"]?.string == "/v3/merchants/\(Sandbox.merchantID)/items")
            #expect(server.requests.count == 2)
        }
    }

    @Test("a truncated response beside a failed line counts as done and is reported")
    func answerLostAndFailed() async throws {
        try await Sandbox.run(server: { request, number in
            number == 1
                ? LoopbackResponse(body: #"{"id":"A","na"#.utf8, declaredLength: 100, ending: .close)
                : Self.answer(request, number)
        }) { sandbox, _ in
            let result = try await sandbox.clover("post", "items", "--each", input: Self.lines("a", "bad", "c"))
            expectFailure(
                result, status: 82,
                saying: "1 of 3 lines failed; the other 2 are done, 1 of them with an incomplete response",
                "failed: 2", "do not send again: 1", output: nil)
        }
    }

    @Test("against the emulator: prices are raised, and created records are deleted")
    func emulator() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"]) { sandbox, emulator in
            let line = """
                for i in 1 2 3 4 5; do echo "{\\"name\\":\\"New $i\\",\\"price\\":$i}"; done \
                | clover post items --each --jq .result.id >ids \
                && clover delete 'items/{id}' --each --yes --input ids --jq .ok
                """
            let result = try await sandbox.shell("cd '\(sandbox.directory.path)'; \(line)")
            #expect(result.outputText == "true\ntrue\ntrue\ntrue\ntrue\n", "\(result)")
            let stats = try await emulator.stats()
            #expect(stats.peakInFlight == 1)
            #expect(stats.rejectedInAll == 0)
        }
    }

    @Test("a full output ends the run, and the message names the line to resume from")
    func fullOutput() async throws {
        try await Sandbox.run(server: Self.answer) { sandbox, server in
            let result = try await sandbox.clover(
                "post", "items", "--each", input: Self.lines("a", "b"), output: .file("/dev/full"))
            expectFailure(
                result, status: 74, saying: "everything up to line 1 was sent", "--resume-from 2", "No space left")
            #expect(server.requests.count == 1)
        }
    }

    // MARK: Stopped from outside

    @Test("Ctrl-C lets the request in flight finish, prints its result and names the line to resume from")
    func interrupted() async throws {
        let release = DispatchSemaphore(value: 0)
        try await Sandbox.run(server: { request, number in
            if number == 2 { release.wait() }
            return Self.answer(request, number)
        }) { sandbox, server in
            let command = try sandbox.start(["post", "items", "--each"], input: Self.lines("a", "b", "c"))
            try await server.waitForRequests(2)
            command.send(2)
            try await command.waitForErrors(containing: "waiting for the response to line 2 before stopping")
            release.signal()
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
            #expect(result.lines.count == 2 && result.lines.last?.contains("\"R2\"") == true, "\(result)")
            #expect(result.errorText.contains("stopped after line 2; resume with --resume-from 3"), "\(result)")
            #expect(server.requests.count == 2)
        }
    }

    @Test("Ctrl-C ends the run even without a response, after the doubt was reported")
    func interruptedWithoutAnswer() async throws {
        try await Sandbox.run(server: { request, number in
            number == 2 ? LoopbackResponse(bytes: [], ending: .hold) : Self.answer(request, number)
        }) { sandbox, server in
            let command = try sandbox.start(
                ["post", "items", "--each", "--jq", ".line"], input: Self.lines("a", "b", "c"))
            try await server.waitForRequests(2)
            command.send(15)
            let result = try await command.result()
            #expect(result.ending == .signalled(15), "\(result)")
            #expect(result.outputText == "1\n")
            #expect(result.errorText.contains("line 2 may have been carried out"), "\(result)")
        }
    }

    @Test("Ctrl-C while waiting for the next line ends the run immediately, after the last complete line")
    func interruptedWaiting() async throws {
        try await Sandbox.run(server: Self.answer) { sandbox, _ in
            let command = try sandbox.startShell(
                "exec clover post items --each < <(echo '{\"name\":\"a\"}'; exec sleep 3600)")
            _ = try await command.firstLine()
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
            #expect(result.lines.count == 1)
            #expect(result.errorText == "clover: stopped after line 1; resume with --resume-from 2\n", "\(result)")
        }
    }

    @Test("--max-time ends the run in the middle and names the line")
    func maximumTime() async throws {
        try await Sandbox.run(server: { request, number in
            number == 2 ? LoopbackResponse(bytes: [], ending: .hold) : Self.answer(request, number)
        }) { sandbox, _ in
            let result = try await sandbox.clover(
                "post", "items", "--each", "--max-time", "15", input: Self.lines("a", "b", "c"))
            expectFailure(
                result, status: 83, saying: "ran out at line 2", "may have been carried out", "--resume-from 3",
                output: nil)
            #expect(result.lines.count == 1)
        }
    }
}
