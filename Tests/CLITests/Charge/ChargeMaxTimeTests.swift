import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// What never answers does not hold a run for longer than --max-time: without it, each of these waits for minutes.
@Suite("charge: --max-time")
struct ChargeMaxTimeTests {
    private static let silence = LoopbackResponse(bytes: [], ending: .hold)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var rail = ["--source", "clv_1TOKEN"]
        let response: LoopbackResponse
    }

    @Test(
        "a charge that was sent ends with 80 and the way to recover it, whatever does not come",
        arguments: [
            Row(testDescription: "no response", response: silence),
            Row(
                testDescription: "a response that does not end",
                response: LoopbackResponse(
                    bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{".utf8), ending: .hold)),
            Row(testDescription: "a look that is not answered", response: .reset),
            Row(testDescription: "no response of a device", rail: ["--device", "C1"], response: silence),
        ])
    func silent(_ row: Row) async throws {
        try await Sandbox.run(
            server: { request, _ in
                switch (request.method, request.path) {
                case ("POST", "/v1/charges"), ("POST", "/connect/v1/payments"): row.response
                case (_, let path) where path.hasSuffix("/properties"):
                    LoopbackResponse(#"{"defaultCurrency":"USD"}"#)
                case ("POST", "/connect/v1/device/cancel"): LoopbackResponse("{}")
                case (_, let path) where path.hasSuffix("/devices"): .page([#"{"id":"D1","serial":"C1"}"#])
                default: Self.silence
                }
            }, weight: 0
        ) { sandbox, server in
            let sandbox = sandbox.limited(to: .seconds(40))
            let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--max-time", "3s"] + row.rail
            let result = try await sandbox.clover(charge)
            let id = try #require(try result.events.last?["charge"]?.string)
            expectFailure(
                result, status: 80, saying: "outcome unknown", "clover charge recover \(id)", output: nil)
            // The device must not go on when the result is no longer awaited.
            #expect(server.requests.contains { $0.path.hasSuffix("/device/cancel") } == (row.rail[0] == "--device"))
            let recovery = try await sandbox.clover("charge", "recover", "--all", "--max-time", "1s")
            expectFailure(recovery, status: 80, saying: "1 is still unknown", output: nil)
        }
    }
}
