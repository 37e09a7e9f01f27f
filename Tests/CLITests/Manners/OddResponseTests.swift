import CloverTestSupport
import Foundation
import Testing

@Suite("responses that are not what was asked for, or repeat a secret")
struct OddResponseTests {
    @Test(
        "whoami believes a response no more than 'get merchant' does",
        arguments: [
            #"{"id":"OTHERMERCHANT","name":"Other shop"}"#, #"{"elements":[{"id":"A"}]}"#, #"{"elements":"x"}"#,
            #"{"name":"Nameless"}"#,
        ])
    func whoami(_ body: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(body) }) { sandbox, _ in
            for command in ["whoami", "get merchant"] {
                let words = command.split(separator: " ").map(String.init)
                expectFailure(try await sandbox.clover(words), status: 76, saying: "the response")
            }
        }
    }

    @Test("the run's token is masked in the merchant's name, in a pipe and on a terminal")
    func tokenInName() async throws {
        let body = #"{"id":"\#(Sandbox.merchantID)","name":"shop \#(Sandbox.token)"}"#
        try await Sandbox.run(server: { _, _ in LoopbackResponse(body) }) { sandbox, _ in
            let piped = try await sandbox.clover("whoami")
            #expect(piped.status == 0 && piped.outputText.contains("[masked]"), "\(piped)")
            expectNoSecret(piped)
            let shown = try await sandbox.cloverOnTerminal("whoami")
            #expect(!shown.terminalText.contains(Sandbox.token), "the token is shown")
        }
    }

    @Test("a token in the place of a request ID is neither in the log of runs nor in an error")
    func tokenAsRequestID() async throws {
        let response = LoopbackResponse(
            status: "404 Not Found",
            headers: ["Content-Type: application/json", "X-Clover-Request-Id: \(Sandbox.token)"],
            body: Array(#"{"message":"Not Found"}"#.utf8))
        try await Sandbox.run(server: { _, _ in response }) { sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "X1", "--log-file", sandbox.directory["log"])
            #expect(result.status == 66, "\(result)")
            expectNoSecret(result)
            let log = String(decoding: try sandbox.directory.read("log"), as: UTF8.self)
            #expect(log.contains("\"status\":66") && !log.contains(Sandbox.token), "the token is in the log")
        }
    }

    @Test("an option that follows --log-file is not the name of the log")
    func logFileWithoutName() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.shell(
                "mkdir '\(sandbox.directory["here"])' && cd '\(sandbox.directory["here"])' && clover charge void c --log-file --dry-run"
            )
            expectFailure(result, status: 64, saying: "--log-file has no value: another option follows")
            #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.directory["here"]) == [])
        }
    }

    @Test("a run that a signal ends while it waits for the reader of its output has its line in the log")
    func signalInFullPipe() async throws {
        let records = (0..<5000).map { #"{"id":"R\#($0)","filler":"\#(String(repeating: "x", count: 100))"}"# }
        try await Sandbox.run(server: { request, _ in
            .page(request.values(of: "offset").first.flatMap { Int($0) } ?? 0 == 0 ? Array(records.prefix(1000)) : [])
        }) { sandbox, _ in
            let (log, pipe) = (sandbox.directory["log"], sandbox.directory["pipe"])
            let result = try await sandbox.shell(
                """
                mkfifo '\(pipe)'
                sleep 30 <'\(pipe)' &
                reader=$!
                clover get customers --all --log-file '\(log)' >'\(pipe)' &
                run=$!
                while [ "$(cat /proc/$run/wchan 2>/dev/null)" != pipe_write ] && kill -0 $run 2>/dev/null && [ "${n:=0}" -lt 100 ]
                do n=$((n + 1)); sleep 0.1; done
                kill -TERM $run
                wait $run
                kill $reader
                """)
            let text = String(decoding: try sandbox.directory.read("log"), as: UTF8.self)
            #expect(text.contains(#""ending":"signal""#), "\(result) \(text)")
        }
    }

    @Test("clover api does not take nothing, or what is no list, for the record or the list")
    func rawCall() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("") }) { sandbox, _ in
            expectFailure(try await sandbox.clover("api", "merchant", "--retry", "0"), status: 76, saying: "0 bytes")
        }
        for body in [#"{"id":"X1"}"#, #"{"elements":"x"}"#] {
            try await Sandbox.run(server: { _, _ in LoopbackResponse(body) }) { sandbox, _ in
                expectFailure(
                    try await sandbox.clover("api", "/v1/charges", "--paginate"), status: 76,
                    saying: "no page of a list")
            }
        }
    }

    @Test("clover open leads nowhere but below Clover's documentation")
    func open() async throws {
        try await Sandbox.run { sandbox in
            for path in ["../../x", "a/../../../x", "./x"] {
                expectFailure(try await sandbox.clover("open", "docs", path), status: 64, saying: "takes no '..'")
            }
        }
    }
}
