import CloverTestSupport
import Synchronization
import Testing

/// Outcomes that a person enters with a payment, against a card service whose records can be set.
@Suite("charge: settled by hand with a payment")
struct ChargeSettleTests {
    private static let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN"]
    private static let missing = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
    private static let outage = LoopbackResponse(status: "503 Service Unavailable", "{}")

    /// The record of the charge X9 as the card service shows it.
    private static func record(_ amount: Int = 1250, _ currency: String = "usd") -> LoopbackResponse {
        LoopbackResponse(
            #"{"id":"X9","amount":\#(amount),"currency":"\#(currency)","status":"succeeded","captured":true}"#)
    }

    /// The card service: it loses the response to each charge, and shows nothing but the charge X9.
    private final class Cards: Sendable {
        let shown: Mutex<LoopbackResponse>

        init(_ shown: LoopbackResponse) { self.shown = Mutex(shown) }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            switch (request.method, request.path) {
            case ("POST", _): .reset
            case ("GET", "/v1/charges"): LoopbackResponse(#"{"has_more":false,"data":[]}"#)
            case ("GET", "/v1/charges/X9"): shown.withLock(\.self)
            default: ChargeSettleTests.missing
            }
        }
    }

    /// Runs `body` with a charge whose outcome is unknown.
    private static func run(
        showing shown: LoopbackResponse, _ body: (Sandbox, Cards, LoopbackServer, _ id: String) async throws -> Void
    ) async throws {
        let cards = Cards(shown)
        try await Sandbox.run(server: { request, _ in cards.answer(request) }) { sandbox, server in
            let lost = try await sandbox.clover(Self.charge)
            #expect(lost.ending == .exited(80), "\(lost)")
            let id = try #require(try lost.events.last?["charge"]?.string)
            try await body(sandbox, cards, server, id)
        }
    }

    @Test("a check names the amount or currency of a payment that is not that of the charge it was entered for")
    func check() async throws {
        try await Self.run(showing: Self.outage) { sandbox, cards, _, id in
            let settled = try await sandbox.clover("charge", "settle", id, "--paid", "--payment", "X9")
            #expect(settled.ending == .exited(0), "\(settled)")
            let rows: [(LoopbackResponse, Bool, String?)] = [
                (Self.record(), true, nil),
                (Self.record(2000), false, "Clover shows 20.00 USD, the journal has 12.50 USD"),
                (Self.record(600), false, "Clover shows 6.00 USD, the journal has 12.50 USD"),
                (Self.record(1250, "eur"), false, "Clover shows 12.50 EUR, the journal has 12.50 USD"),
            ]
            for (shown, agrees, words) in rows {
                cards.shown.withLock { $0 = shown }
                let result = try await sandbox.clover("charge", "show", id, "--check", "--json")
                expectSuccess(result)
                let service = try #require(try JSONValue(result.outputText)["service"])
                #expect(service["payment"]?.string == "X9", "\(result)")
                #expect(service["agrees"] == .bool(agrees), "\(result)")
                #expect(service["reason"]?.string == words, "\(result)")
            }
            let text = try await sandbox.cloverOnTerminal("charge", "show", id, "--check")
            let line = text.terminalText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(line.contains("service: approved, 12.50 EUR, payment X9, Clover shows 12.50 EUR"), "\(text)")
            #expect(line.contains("the journal has 12.50 USD; differs from the journal"), "\(text)")
        }
    }
}
