import CloverTestSupport
import Foundation
import Testing

/// Sessions that a user has, whole: what stands on the terminal, and what a pipe gets.
@Suite("Sessions")
struct SessionTests {
    private static func data(_ request: LoopbackRequest) -> LoopbackResponse {
        if request.path.hasSuffix("/orders/XYZ") {
            return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found","details":"Order not found"}"#)
        }
        guard request.path.hasSuffix("/orders") else { return TerminalTableTests.serve(request) }
        let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
        return LoopbackResponse(body: LoopbackResponse.envelope(Array(orders.prefix(limit))))
    }

    private static let orders = [
        #"{"id":"4F2M8Q0ZC6H1T","createdTime":1795184040000,"state":"locked","paymentState":"PAID","employee":{"id":"E1","name":"Zoë A."},"total":7421}"#,
        #"{"id":"9XK3T7B2N5PWA","createdTime":1795183860000,"state":"locked","paymentState":"PAID","employee":{"id":"E2","name":"Ben K."},"total":5230}"#,
        #"{"id":"B0UJOU874WBDK","createdTime":1795183800000,"state":"open","paymentState":"OPEN","employee":{"id":"E2","name":"Ben K."},"total":6100}"#,
    ]

    @Test("the first minute: the purpose of clover, and the sign-in")
    func firstMinute() async throws {
        try await Sandbox.run(server: { request, _ in Self.data(request) }) { signedIn, _ in
            var session = try Session(signedIn)
            try await session.pipe()
            try await session.terminals()
            let stranger = signedIn.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            var other = try Session(stranger)
            try await other.pipe()
            try await other.terminals()
            try await other.pipe("get", "orders")
            try await other.terminals("get", "orders")
            try Snapshot.check(session.text + other.text, "first-minute")
        }
    }

    @Test("data: integers in a pipe, money and the merchant's time on a terminal")
    func data() async throws {
        try await Sandbox.run(server: { request, _ in Self.data(request) }) { sandbox, _ in
            var session = try Session(sandbox)
            try await session.run([
                "get", "orders", "--filter", "total>=5000", "--filter", "createdTime>=2026-11-19", "--limit", "2",
                "--jq", "{id,total}",
            ])
            try await session.pipe("get", "orders", "--limit", "2")
            try await session.terminals("get", "orders", "--limit", "2")
            try Snapshot.check(session.text, "data")
        }
    }

    @Test("errors: what failed, on what, why, and the next thing to do")
    func errors() async throws {
        try await Sandbox.run(server: { request, _ in Self.data(request) }) { sandbox, _ in
            var session = try Session(sandbox)
            let mistakes = [
                ["get", "orders", "--expand", "lineitems"], ["get", "order/XYZ"], ["get", "ordrs"],
                ["get", "orders", "--limt", "5"], ["limts"], ["config", "get", "formt"],
                ["get", "orders", "--profile", "downtwn"], ["schema", "ordr"],
                ["charge", "--amount", "12", "--currency", "USD", "--source", "clv_x"],
            ]
            for mistake in mistakes {
                try await session.run(mistake)
            }
            session = try session.with(["CLOVER_ERRORS": "json"])
            try await session.run(["get", "order/XYZ"])
            try Snapshot.check(session.text, "errors")
        }
    }

    @Test("an expired sign-in is reported with the command for a new one")
    func endedSignIn() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve", "--refresh-token-cap", "1"])
            let service = SignInService(emulator)
            try await sandbox.receive(service, "--profile", "downtown")
            // A second sign-in elsewhere pushes the first one out.
            try await sandbox.withState("elsewhere").receive(service)
            try sandbox.expireAccessToken()
            var session = try Session(sandbox)
            try session.hide(emulator.merchantID, "MERCHANT")
            try session.hide(emulator.appID, "APP")
            try await session.run(["get", "orders"])
            try Snapshot.check(session.text, "ended-sign-in")
        }
    }

    @Test("incomplete: what is missing, and how to get it")
    func incomplete() async throws {
        try await Sandbox.run(server: { request, _ in
            guard request.path.hasSuffix("/payments") else { return TerminalTableTests.serve(request) }
            return Self.isWindow(of: 1_700_000_000_000, request)
                ? LoopbackResponse(status: "503 Service Unavailable", "{}") : .page([])
        }) { sandbox, _ in
            var session = try Session(sandbox)
            let words = [
                "get", "payments", "--all", "--retry", "0", "--filter", "createdTime>=1690000000000", "--filter",
                "createdTime<1720000000000",
            ]
            try await session.run(words)
            try Snapshot.check(session.text, "incomplete")
        }
    }

    private static func isWindow(of instant: Int, _ request: LoopbackRequest) -> Bool {
        func bound(_ symbol: String) -> Int? {
            request.values(of: "filter").compactMap { filter in
                filter.hasPrefix("createdTime\(symbol)") ? Int(filter.dropFirst(11 + symbol.count)) : nil
            }.first
        }
        return bound("%3E%3D").map { $0 <= instant } ?? true && bound("%3C").map { instant < $0 } ?? true
    }

    @Test("the budget")
    func limits() async throws {
        try await Sandbox.run { sandbox in
            var session = try Session(sandbox.using("http://127.0.0.1:9"))
            try await session.run(["limits", "--json"])
            try await session.run(["limits"])
            try Snapshot.check(session.text, "limits")
        }
    }
}
