import CloverTestSupport
import Testing

@Suite("filters that the catalogue lacks")
struct FilterNameTests {
    /// A service that filters nothing, and names these fields in its header; nil for no header.
    private func serve(_ header: String?, _ body: (Sandbox, LoopbackServer) async throws -> Void) async throws {
        try await Sandbox.run(
            server: { request, _ in
                let records = request.values(of: "offset").isEmpty ? [#"{"id":"A"}"#] : []
                let fields = header.map { ["X-Clover-Allowed-Filter-Fields: \($0)"] } ?? []
                return LoopbackResponse(
                    headers: ["Content-Type: application/json"] + fields, body: LoopbackResponse.envelope(records))
            }, body)
    }

    @Test("a name that Clover has is sent with a notice, and Clover is asked about it once")
    func accepted() async throws {
        try await serve("id, name, shelfLife") { sandbox, server in
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "items", "--filter", "shelfLife>3", "--filter", "name=x")
                #expect(result.ending == .exited(0), "\(result)")
                #expect(result.lines == [#"{"id":"A"}"#])
                #expect(result.errorText.contains("items: Clover filters by shelfLife, which the catalogue lacks"))
            }
            #expect(server.requests.count { $0.query.allSatisfy { !$0.hasPrefix("filter=") } } == 1)
        }
    }

    @Test("a name that Clover does not have either is refused, with the nearest ones")
    func refused() async throws {
        try await serve("id, name") { sandbox, server in
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "items", "--filter", "nmae=x")
                expectFailure(result, status: 64, saying: "unknown filter 'nmae' for items", "did you mean: name")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a response is delivered although Clover does not name the field of a filter, and the run is incomplete")
    func unproved() async throws {
        for (header, filter) in [(nil, "cost>3"), ("id", "name=x")] {
            try await serve(header) { sandbox, _ in
                let receipt = sandbox.directory["receipt"]
                let result = try await sandbox.clover("get", "items", "--filter", filter, "--receipt", receipt)
                expectFailure(result, status: 79, saying: "Clover does not say that it filters items by", output: nil)
                #expect(result.lines == [#"{"id":"A"}"#])
                let accepted = try await sandbox.clover("get", "items", "--filter", filter, "--no-check")
                expectSuccess(accepted)
            }
        }
    }

    @Test("a list that is read in windows is delivered although Clover does not name the field of its times")
    func unprovedWindows() async throws {
        try await serve("id, total") { sandbox, _ in
            let result = try await sandbox.clover(
                "get", "payments", "--filter", "createdTime>=2026-01-01T00:00Z", "--filter",
                "createdTime<2026-09-01T00:00Z", "--all")
            expectFailure(result, status: 79, saying: "createdTime", output: nil)
            #expect(result.lines == [#"{"id":"A"}"#])
        }
    }

    @Test("an error names Clover's id of its request, in text, as JSON and with --debug")
    func requestID() async throws {
        let id = "d92e3a52-cb86-0872-ecac-a9324cbddadf"
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "404 Not Found", headers: ["Content-Type: application/json", "X-Clover-Request-Id: \(id)"],
                body: #"{"message":"Not Found","details":"Order not found"}"#.utf8)
        }) { sandbox, _ in
            let text = try await sandbox.clover("get", "orders", "X1")
            expectFailure(text, status: 66, saying: "Clover's id of the request, for its support: \(id)")
            let json = try await sandbox.clover("get", "orders", "X1", "--json")
            let line = try #require(json.errorText.split(separator: "\n").last)
            #expect(try JSONValue(String(line))["error"]?["requestId"]?.string == id, "\(json)")
            let debug = try await sandbox.clover("get", "orders", "X1", "--debug", "response")
            #expect(debug.errorText.contains("request id \(id)"), "\(debug)")
        }
    }
}
