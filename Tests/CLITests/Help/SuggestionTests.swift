import CloverTestSupport
import Testing

/// What people who come from other programs type first: the message names what they meant, or nothing.
@Suite("usage: suggestions are right, or there is none; nothing is sent")
struct SuggestionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let says: [String]
        var never: [String] = []
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rows = [
        Row(
            arguments: ["get", "orders", "--since", "2026-01-01"],
            says: ["unknown option '--since'", "--filter 'createdTime>=2026-01-01'"], never: ["--zone", "did you mean"]),
        Row(
            arguments: ["get", "items", "--until=-7d"],
            says: ["unknown option '--until'", "--filter 'modifiedTime<-7d'"], never: ["did you mean"]),
        Row(
            arguments: ["get", "sales"], says: ["unknown path 'sales'", "did you mean: clover report sales"],
            never: ["roles"]),
        Row(
            arguments: ["get", "orders", "--json", "id"],
            says: ["--json takes no value, and 'id' is no ID", "--fields id"]),
        Row(arguments: ["get", "orders", "--json", "id,total"], says: ["--fields id,total"]),
        Row(
            arguments: ["help", "cron", "--html"], says: ["takes no '--html'", "run: clover help cron"],
            never: ["did you mean"]),
        Row(
            arguments: ["get", "orders", "--filter", "total>50.00"],
            says: ["total takes a whole number of cents, not '50.00'", "write 5000"]),
        Row(arguments: ["get", "orders", "--filter", "total>=$12,5"], says: ["write 1250"]),
        Row(
            arguments: ["get", "items", "--filter", "hidden=maybe"], says: ["hidden takes true or false, not 'maybe'"]),
        Row(
            arguments: ["get", "orders", "--filter", "paymentState=PAID"],
            says: ["unknown filter 'paymentState' for orders", "it takes: cardTransaction.last4"],
            never: ["did you mean"]),
        Row(
            arguments: ["get", "refunds", "--filter", "shoe=1"],
            says: ["unknown filter 'shoe' for refunds", "clover schema refunds"], never: ["did you mean"]),
        Row(arguments: ["get", "orders", "--filters", "a=1"], says: ["did you mean: --filter"]),
        Row(
            arguments: ["get", "orders", "--where", "a=1"], says: ["unknown option '--where'", "--filter"],
            never: ["did you mean"]),
        Row(
            arguments: ["report", "sale"],
            says: ["the value 'sale' is invalid", "did you mean: sales", "it is one of: sales,"]),
        Row(arguments: ["get", "orders", "--format", "jsn"], says: ["did you mean: json", "it is one of: ndjson"]),
    ]

    @Test("each is refused with what was meant", arguments: rows)
    func refused(_ row: Row) async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id, total, createdTime"],
                body: LoopbackResponse.envelope([]))
        }) { sandbox, server in
            let result = try await sandbox.clover(row.arguments)
            let text = result.errorText
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.outputText == "", "\(result)")
            for part in row.says { #expect(text.contains(part), "no '\(part)' in: \(text)") }
            for part in row.never { #expect(!text.contains(part), "'\(part)' is in: \(text)") }
            // Clover is asked which filters it has; nothing else is sent.
            #expect(server.requests.allSatisfy { $0.query == ["limit=1"] }, "\(server.requests)")
        }
    }

    @Test("a refusal by the service names the user's filter, without what clover added to the address")
    func refusedByService() async throws {
        try await Sandbox.run(
            server: { _, _ in .init(status: "400 Bad Request", #"{"message":"Unsupported filter field: amount"}"#) }
        ) { sandbox, server in
            let result = try await sandbox.clover("get", "payments", "--filter", "amount>100")
            expectFailure(
                result, status: 64, saying: "(400)", "the filters were: 'amount>100'", "Unsupported filter field")
            #expect(!result.errorText.contains("createdTime"), "\(result)")
            #expect(!server.requests.isEmpty)
        }
    }
}
