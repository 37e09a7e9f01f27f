import CloverTestSupport
import Testing

@Suite("recorded responses: charges")
struct RecordedChargeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int32
        let event: String
        var parts: [String] = []
        var testDescription: String { name }
    }

    static let charges = [
        Row(name: "ecomm-charge-created", status: 0, event: "approved"),
        Row(name: "ecomm-charge-authorised", status: 0, event: "approved"),
        Row(name: "ecomm-3ds-method", status: 80, event: "unknown", parts: ["3-D Secure"]),
        Row(name: "ecomm-504-html", status: 80, event: "unknown", parts: ["504"]),
        Row(name: "ecomm-decline-expired", status: 81, event: "declined"),
        Row(name: "ecomm-decline-no-type", status: 81, event: "declined"),
        Row(name: "ecomm-amount-invalid", status: 64, event: "failed"),
        Row(name: "ecomm-token-used", status: 80, event: "unknown", parts: ["token_already_used"]),
        Row(name: "ecomm-401", status: 77, event: "failed"),
    ]

    private static let empty = #"{"object":"list","url":"/v1/charges","data":[]}"#

    /// Runs `body` with a service that responds to a charge with the case, and lists no charges.
    private func serve(
        _ recorded: RecordedCase, _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, _ in
            if request.method == "POST", request.path == "/v1/charges" { return recorded.response(to: request) }
            // A sign-in that is refused is refused for reading, too.
            if recorded.status == 401 { return recorded.response(to: request) }
            if request.path == "/v1/charges" { return LoopbackResponse(Self.empty) }
            // The charge of a case can be read as it was made.
            if recorded.status == 200, request.method == "GET", request.path.hasPrefix("/v1/charges/") {
                return recorded.response(to: request)
            }
            return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
        }) { sandbox, server in
            try await body(sandbox.with(["CLOVER_MERCHANT_ID": RecordedCase.merchantID]), server)
        }
    }

    @Test("a response is an approval or a decline only where it says so", arguments: charges)
    func charged(_ row: Row) async throws {
        let recorded = try RecordedCase.named(row.name)
        try await serve(recorded) { sandbox, server in
            let amount = recorded.json?["amount"]?.integer ?? 5298
            let kind = recorded.json?["captured"] == .bool(false) && row.status == 0 ? ["--preauth"] : []
            let result = try await sandbox.clover(
                ["charge", "--minor", "\(amount)", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1"]
                    + kind)
            #expect(result.ending == .exited(row.status), "\(result)")
            let last = try JSONValue(try #require(result.lines.last, "\(result)"))
            #expect(last["event"]?.string == row.event, "\(result)")
            for part in row.parts { #expect((result.outputText + result.errorText).contains(part), "\(result)") }
            if row.event == "approved" {
                #expect(last["payment"] == recorded.json?["id"])
                #expect(last["card"]?["last4"]?.string == "4242")
            }
            // Whatever comes, the card is asked for money once under one key.
            let keys = server.requests.filter { $0.method == "POST" }.compactMap { $0.header("idempotency-key") }
            #expect(Set(keys).count == 1)
        }
    }
}
