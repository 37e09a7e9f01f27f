import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: its part of the shared budget", .serialized)
struct ChargeBudgetTests {
    @Test("devices that wait for cards block neither each other, nor other requests, nor a cancellation")
    func waitingDevices() async throws {
        let waiting = Mutex(0)
        let isOver = Mutex(false)
        let serials = (0..<7).map { "C030UQ7123400\($0)" }
        try await Sandbox.run(
            server: { request, _ in
                switch request.path {
                case "/connect/v1/payments":
                    waiting.withLock { $0 += 1 }
                    while !isOver.withLock(\.self) { usleep(20_000) }
                    return LoopbackResponse(status: "209 Cancelled", "{}")
                case "/connect/v1/device/cancel":
                    isOver.withLock { $0 = true }
                    return LoopbackResponse("{}")
                case let path where path.hasSuffix("/devices"):
                    return .page(serials.map { #"{"id":"\#($0)","serial":"\#($0)"}"# })
                case let path where path.hasSuffix("/properties"):
                    return LoopbackResponse(#"{"defaultCurrency":"USD"}"#)
                case let path where path.contains("/payments/external/"):
                    return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
                default: return LoopbackResponse(#"{"id":"\#(Sandbox.merchantID)"}"#)
                }
            }, weight: 4
        ) { sandbox, _ in
            // More than may be in flight.
            let charges = try serials.map {
                try sandbox.start("charge", "--amount", "12.50", "--currency", "USD", "--device", $0, "--quiet")
            }
            try await sandbox.eventually("every device") { waiting.withLock(\.self) == serials.count }
            expectSuccess(try await sandbox.clover("get", "merchant"))
            charges[0].send(2)
            for charge in charges {
                let result = try await charge.result()
                #expect(result.ending == .exited(81), "\(result)")
            }
        }
    }

    /// The service's pages of a thousand items without end, some tenths of a second each, and charges at once.
    private static func busy(_ request: LoopbackRequest) -> LoopbackResponse {
        switch (request.method, request.path) {
        case ("GET", "/pakms/apikey"): return LoopbackResponse(#"{"apiAccessKey":"key"}"#)
        case ("POST", "/v1/tokens"): return LoopbackResponse(#"{"id":"clv_1TOKEN"}"#)
        case ("POST", "/v1/charges"):
            let id = request.header("Idempotency-Key") ?? ""
            return LoopbackResponse(#"{"id":"\#(id)","amount":1250,"currency":"usd","status":"succeeded"}"#)
        default:
            usleep(200_000)
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            return .page((0..<1000).map { #"{"id":"\#(offset + $0)"}"# })
        }
    }

    @Test(
        "a charge goes before ten bulk runs: while it waits, the service hears of them fewer than 16 times, a second's worth"
    )
    func priority() async throws {
        try await Sandbox.run(server: { request, _ in Self.busy(request) }, weight: 4) { given, server in
            let sandbox = given.limited(to: .seconds(300))
            let bulk = try (0..<10).map { _ in
                try sandbox.startShell("exec clover get items --all >/dev/null")
            }
            // All of them are at it, and the budget is used up.
            try await server.waitForRequests(60, limit: .seconds(120))
            var waits: [Int] = []
            for _ in 0..<5 {
                let charge = try sandbox.start(
                    ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"], input: ChargeFixture.card())
                try await charge.waitForOutput("created") { String(decoding: $0, as: UTF8.self).contains("created") }
                var last = server.requests.count
                expectSuccess(try await charge.result())
                let requests = server.requests
                for path in ["/pakms/apikey", "/v1/tokens", "/v1/charges"] {
                    let place = try #require(requests.lastIndex { $0.path == path })
                    waits.append(max(0, place - last))
                    last = place
                }
            }
            for run in bulk { run.send(9) }
            for run in bulk { _ = try await run.result() }
            waits.sort()
            #expect(waits.count == 15)
            #expect(waits[waits.count / 2] < 8, "\(waits)")
            #expect(waits.allSatisfy { $0 < 16 }, "\(waits)")
            // The bulk runs went on meanwhile: there is more than the requests before, and the charges' own.
            #expect(server.requests.count > 60 + waits.count)
        }
    }
}
