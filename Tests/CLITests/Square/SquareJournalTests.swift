import CloverTestSupport
import Testing

@Suite("charge square: the journal")
struct SquareJournalTests {
    private static let request = ["--amount", "12.50", "--currency", "USD", "--location", "L-77"]

    /// The rows of `charge list`, the newest first.
    private func rows(_ sandbox: Sandbox) async throws -> [JSONValue] {
        let result = try await sandbox.clover("charge", "list")
        expectSuccess(result)
        return try JSONValue.lines(result.lines)
    }

    @Test("a request with a state is listed as handed off, and its answer settles it")
    func paid() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]))
            let open = try #require(try await rows(sandbox).first)
            #expect(open["rail"]?.string == "square" && open["state"]?.string == "sent")
            #expect(open["amount"]?.integer == 1250 && open["currency"]?.string == "USD")
            #expect(open["externalId"]?.string == "table-9" && open["merchant"]?.string == "L-77")
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let settled = try await rows(sandbox)
            #expect(settled.count == 1)
            #expect(settled[0]["charge"] == open["charge"] && settled[0]["state"]?.string == "approved")
            #expect(settled[0]["payment"]?.string == "T-1")
            // The same answer once more changes nothing, another one is only said.
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let late = try await sandbox.square("response", try SquareCallback.url(SquareCallback.cancelled))
            expectFailure(late, status: 81, saying: "was settled before as approved", output: nil)
            #expect(try await rows(sandbox) == settled)
        }
    }

    @Test(
        "an error of the app settles as what it says about money",
        arguments: [
            ("payment_canceled", "cancelled"), ("amount_too_small", "failed"), ("never_heard_of", "unknown"),
        ])
    func notPaid(_ wire: String, _ state: String) async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]))
            let url = try SquareCallback.url(["status": "error", "error_code": wire, "state": "table-9"])
            #expect(try await sandbox.square("response", url).status == 81)
            let row = try #require(try await rows(sandbox).first)
            #expect(row["state"]?.string == state && row["code"]?.string == wire, "\(row)")
        }
    }

    @Test("what has no state, a batch, and --no-journal write nothing down")
    func nothing() async throws {
        try await Sandbox.run { sandbox in
            let url = try #require(
                try JSONValue(
                    try await sandbox.squareRequest(Self.request + ["--state", "s", "--no-journal"]).outputText)[
                        "url"]?.string)
            expectSuccess(try await sandbox.squareRequest(Self.request))
            let line = #"{"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://","state":"s"}"# + "\n"
            expectSuccess(try await sandbox.square("request", "--input", "-", input: .text(line)))
            #expect(try await rows(sandbox).isEmpty)
            // Written down or not, the URL is the same.
            let other = try await sandbox.squareRequest(Self.request + ["--state", "s"])
            #expect(try JSONValue(other.outputText)["url"]?.string == url)
            #expect(try await rows(sandbox).count == 1)
            _ = try await sandbox.square(
                "response", "--no-journal", try SquareCallback.url(["status": "ok", "state": "s"]))
            #expect(try await rows(sandbox)[0]["state"]?.string == "sent")
        }
    }

    @Test("two requests with one state are told apart as well as can be, and that is said")
    func sameState() async throws {
        try await Sandbox.run { sandbox in
            for _ in 0..<2 {
                let result = try await sandbox.squareRequest(Self.request + ["--state", "table-9"])
                #expect(result.status == 0, "\(result)")
            }
            let again = try await sandbox.squareRequest(Self.request + ["--state", "table-9"])
            #expect(again.errorText.contains("has the same state and no answer yet"), "\(again)")
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            #expect(try await rows(sandbox).map { $0["state"]?.string } == ["approved", "sent", "sent"])
        }
    }

    @Test("recovery leaves hand-offs alone, and nothing comes after them at Clover")
    func afterwards() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]))
            let recovered = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovered.status == 0, "\(recovered)")
            let row = try #require(try await rows(sandbox).first)
            #expect(row["state"]?.string == "sent")
            let id = try #require(row["charge"]?.string)
            for verb in [["recover"], ["refund"], ["show", "--check"]] {
                expectFailure(
                    try await sandbox.clover(arguments: ["charge"] + verb + [id], input: .nothing), status: 64,
                    saying: "handed to the Square app", "charge square response")
            }
        }
    }

    @Test("the answer that a listener gets settles too")
    func listener() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]))
            let command = try sandbox.start(["charge", "square", "listen", "--port", "0", "--state", "table-9"])
            try await command.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
            let match = try #require(command.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/))
            _ = try await Visitor.page(try SquareCallback.url(SquareCallback.paid, to: String(match.1)))
            #expect(try await command.result().ending == .exited(0))
            #expect(try await rows(sandbox).first?["state"]?.string == "approved")
        }
    }

    @Test("a journal that cannot be written gives no URL; one that cannot be read hides no answer")
    func damaged() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]))
            let broken = try await sandbox.shell("printf nonsense >state/journal.sqlite; rm -f state/journal.sqlite-*")
            #expect(broken.status == 0, "\(broken)")
            expectFailure(try await sandbox.squareRequest(Self.request + ["--state", "table-9"]), status: 78)
            let read = try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid))
            #expect(read.status == 0 && read.lines.count == 1, "\(read)")
            #expect(read.errorText.contains("the journal of charges did not learn of this answer"), "\(read)")
        }
    }
}
