import CloverTestSupport
import Testing

@Suite("charge square settle")
struct SquareSettleTests {
    private static let request = ["--minor", "1250", "--currency", "USD", "--state", "table-9"]

    /// The id of a request that was just made.
    private func handedOff(_ sandbox: Sandbox) async throws -> String {
        let result = try await sandbox.squareRequest(Self.request)
        #expect(result.status == 0, "\(result)")
        return try #require(try await sandbox.handOffs().first?["charge"]?.string)
    }

    @Test("a hand-off without a response is settled by hand, and printed like any outcome")
    func ends() async throws {
        try await Sandbox.run { sandbox in
            let first = try await handedOff(sandbox)
            let cancelled = try await sandbox.square("settle", first, "--not-paid")
            expectSuccess(cancelled)
            let event = try JSONValue(cancelled.outputText)
            #expect(event["event"]?.string == "cancelled" && event["charge"]?.string == first, "\(cancelled)")
            #expect(event["reason"]?.string == "settled by hand" && event["requestedAmount"]?.integer == 1250)
            let second = try await handedOff(sandbox)
            let paid = try await sandbox.square("settle", second, "--paid", "--transaction", "T-1")
            expectSuccess(paid)
            #expect(try JSONValue(paid.outputText)["payment"]?.string == "T-1")
            let rows = try await sandbox.handOffs()
            #expect(rows.map { $0["state"]?.string } == ["approved", "cancelled"])
            // Settling twice is not an error.
            expectSuccess(try await sandbox.square("settle", first, "--not-paid"))
            expectSuccess(try await sandbox.square("settle", second, "--paid"))
            // The response arrives late: it belongs to the named payment, and adds the rest.
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let known = try await sandbox.handOffs()
            #expect(known.map { $0["clientPayment"]?.string } == ["C-1", nil])
            #expect(known.map { $0["state"]?.string } == ["approved", "cancelled"])
        }
    }

    @Test("a response that reports a payment overrides an outcome entered by hand; entering one undoes no payment")
    func paymentWins() async throws {
        try await Sandbox.run { sandbox in
            let id = try await handedOff(sandbox)
            expectSuccess(try await sandbox.square("settle", id, "--not-paid"))
            let late = try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid))
            #expect(late.status == 0 && late.errorText.contains("it is now approved"), "\(late)")
            expectFailure(
                try await sandbox.square("settle", id, "--not-paid"), status: 64, saying: "\(id) is approved")
            expectFailure(
                try await sandbox.square("settle", id, "--paid", "--transaction", "T-2"), status: 64,
                saying: "\(id) is approved with another transaction")
            let other = try await handedOff(sandbox)
            expectFailure(
                try await sandbox.square("settle", other, "--paid", "--transaction", "T-1"), status: 64,
                saying: "already settled another hand-off: \(id)")
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent", "approved"])
        }
    }

    @Test("the help says that one of the two ends is given, not both")
    func usage() async throws {
        let result = try await Sandbox.run { try await $0.square("settle", "--help") }
        // The usage is folded at the width of a page.
        let words = result.outputText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("settle <id> (--paid [--transaction <id>] | --not-paid)"), "\(result)")
    }

    @Test("what it cannot be about is refused")
    func refusals() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.square("settle", "c_none", "--paid"), status: 66, saying: "'c_none'")
            let id = try await handedOff(sandbox)
            for arguments in [[], ["--paid", "--not-paid"], ["--not-paid", "--transaction", "T"]] {
                let result = try await sandbox.clover(
                    arguments: ["charge", "square", "settle", id] + arguments, input: .nothing)
                expectFailure(result, status: 64)
            }
            let url = try SquareCallback.url(SquareCallback.paid)
            expectFailure(try await sandbox.square("response", "--charge", "c_none", url), status: 66, saying: "c_none")
            expectFailure(try await sandbox.square("response", "--charge", id), status: 64, saying: "one URL")
            expectFailure(
                try await sandbox.square("response", "--charge", id, "--no-journal", url), status: 64,
                saying: "--no-journal")
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent"])
        }
    }
}
