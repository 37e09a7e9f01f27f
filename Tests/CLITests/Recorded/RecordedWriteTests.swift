import CloverTestSupport
import Testing

@Suite("recorded responses: writes, webhooks and sign-ins")
struct RecordedWriteTests {
    static let writes = RecordedCase.all.filter { ["POST", "DELETE"].contains($0.method) && $0.path.hasPrefix("/v3/") }
    static let webhooks = RecordedCase.all.filter { $0.status == 0 }

    @Test("a write prints its record, and a refusal in plain text proves nothing", arguments: writes)
    func written(_ recorded: RecordedCase) async throws {
        try await RecordedCase.serve([recorded]) { sandbox, server in
            let verb = recorded.method.lowercased()
            let options = recorded.method == "DELETE" ? ["--yes"] : []
            let result = try await sandbox.clover([verb, recorded.typedPath, "--no-check"] + options)
            #expect(server.requests.count == 1)
            if recorded.status == 200 {
                #expect(result.ending == .exited(0), "\(result)")
                let expected = try #require(recorded.json)
                #expect(try JSONValue.lines(result.lines) == [expected], "\(result)")
            } else {
                // 405 in plain text is not in Clover's form: a proxy may have sent it after the service did its work.
                #expect(result.ending == .exited(recorded.name == "error-400-plain" ? 64 : 69), "\(result)")
                #expect(result.errorText.contains("outcome unknown") == (recorded.status == 405), "\(result)")
            }
        }
    }

    @Test("a webhook gives one line for each event, and a code is a separate line", arguments: webhooks)
    func webhook(_ recorded: RecordedCase) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(
                arguments: ["webhook", "parse", "--json"], input: .text(recorded.body))
            expectSuccess(result)
            let lines = try JSONValue.lines(result.lines)
            if let code = recorded.json?["verificationCode"] {
                #expect(lines.map { $0["verificationCode"] } == [code])
                return
            }
            guard case .object(let merchants)? = recorded.json?["merchants"] else {
                Issue.record("no merchants in \(recorded.name)")
                return
            }
            let events = merchants.flatMap { merchant, events in
                (events.elements ?? []).map { [merchant, $0["objectId"]?.string ?? "", $0["type"]?.string ?? ""] }
            }
            let shown = lines.map { [$0["merchant"]?.string ?? "", $0["id"]?.string ?? "", $0["type"]?.string ?? ""] }
            #expect(shown.count == events.count)
            for event in events {
                let id = event[1].drop { $0 != ":" }.dropFirst()
                #expect(shown.contains { $0[0] == event[0] && $0[1] == id && $0[2] == event[2] }, "\(event)")
            }
        }
    }

    @Test("the token of a redirect to another host is not sent there")
    func redirected() async throws {
        try await RecordedCase.serve([try RecordedCase.named("error-302-v3")]) { sandbox, server in
            let result = try await sandbox.clover("get", "orders")
            expectFailure(result, status: 76, saying: "another server")
            #expect(server.requests.count == 1)
        }
    }

    @Test("every case can be read, and says what it shows and how sure that is")
    func corpus() {
        #expect(RecordedCase.all.count == 80)
        #expect(RecordedCase.all.allSatisfy { !$0.shows.isEmpty && !$0.evidence.isEmpty })
    }
}
