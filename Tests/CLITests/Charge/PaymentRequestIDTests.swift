import CloverTestSupport
import Testing

/// Clover's own id of a request about money, which its support asks for.
@Suite("charge: Clover's id of the request")
struct PaymentRequestIDTests {
    private static let token = "clv_1TSTSXxFw5WpZRueFjDqBxj1"

    private static func answer(_ status: String, id: String) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: ["Content-Type: application/json", "X-Clover-Request-Id: \(id)"],
            body: #"{"error":{"code":"resource_missing","message":"no"}}"#.utf8)
    }

    private static let service: LoopbackServer.Answering = { request, _ in
        switch (request.method, request.path) {
        case (_, "/v3/merchants/\(Sandbox.merchantID)/properties"):
            LoopbackResponse(#"{"timezone":"America/New_York","defaultCurrency":"USD"}"#)
        case ("POST", "/v1/charges"): answer("500 Error", id: "R-CHARGE")
        // What is read afterwards fails as well.
        case ("GET", "/v1/charges"): answer("500 Error", id: "R-READ")
        default: answer("404 Not Found", id: "R-404")
        }
    }

    @Test(
        "an error about money names the id of the request that caused it",
        arguments: [
            (["charge", "--amount", "1.00", "--currency", "USD", "--source", token], "R-CHARGE"),
            (["plan", "show", "P1"], "R-404"), (["subscription", "show", "S1"], "R-404"),
            (["charge", "card", "list", "C1"], "R-404"),
        ])
    func named(_ arguments: [String], id: String) async throws {
        try await Sandbox.run(server: Self.service) { sandbox, _ in
            let result = try await sandbox.with(["CLOVER_RETRY": "0"]).clover(arguments + ["--json"])
            let line = try #require(result.errorText.split(separator: "\n").last { $0.hasPrefix("{") }, "\(result)")
            #expect(try JSONValue(String(line))["error"]?["requestId"]?.string == id, "\(result)")
        }
    }
}
