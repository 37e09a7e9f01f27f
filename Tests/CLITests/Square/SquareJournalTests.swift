import CloverTestSupport
import Foundation
import Testing

@Suite("charge square: the journal")
struct SquareJournalTests {
    private static let request = ["--amount", "12.50", "--currency", "USD", "--location", "L-77"]
    private static let named = request + ["--state", "table-9"]

    private static func paid(_ transaction: String, state: String? = "table-9") throws -> String {
        var data = ["status": "ok", "transaction_id": transaction, "client_transaction_id": "C-\(transaction)"]
        data["state"] = state
        return try SquareCallback.url(data)
    }

    @Test("a request is listed as handed off, and its response settles it")
    func paid() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let open = try #require(try await sandbox.handOffs().first)
            #expect(open["rail"]?.string == "square" && open["state"]?.string == "sent")
            #expect(open["amount"]?.integer == 1250 && open["currency"]?.string == "USD")
            #expect(open["externalId"]?.string == "table-9" && open["merchant"]?.string == "L-77")
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let settled = try await sandbox.handOffs()
            #expect(settled.count == 1)
            #expect(settled[0]["charge"] == open["charge"] && settled[0]["state"]?.string == "approved")
            #expect(settled[0]["payment"]?.string == "T-1" && settled[0]["clientPayment"]?.string == "C-1")
            // Repeating the same response changes nothing, and another one only causes a notice.
            expectSuccess(try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid)))
            let late = try await sandbox.square("response", try SquareCallback.url(SquareCallback.cancelled))
            expectFailure(
                late, status: 80, saying: "but the journal has", "was already settled as approved",
                output: nil)
            #expect(try await sandbox.handOffs() == settled)
        }
    }

    @Test(
        "an error of the app settles as what it says about money",
        arguments: [
            ("payment_canceled", "cancelled", 81), ("amount_too_small", "failed", 81),
            ("never_heard_of", "unknown", 80), ("transaction_canceled", "unknown", 80),
        ])
    func notPaid(_ wire: String, _ state: String, _ status: Int32) async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let url = try SquareCallback.url(["status": "error", "error_code": wire, "state": "table-9"])
            #expect(try await sandbox.square("response", url).status == status)
            let row = try #require(try await sandbox.handOffs().first)
            #expect(row["state"]?.string == state && row["code"]?.string == wire, "\(row)")
        }
    }

    @Test("every request is listed, and --no-journal makes the same URL and nothing else")
    func everything() async throws {
        try await Sandbox.run { sandbox in
            func url(_ arguments: [String]) async throws -> String? {
                try JSONValue(try await sandbox.squareRequest(Self.request + arguments).outputText)["url"]?.string
            }
            let line = #"{"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://","state":"s"}"# + "\n"
            for arguments in [["--state", "s"], ["--state", ""], []] {
                #expect(try await url(arguments + ["--no-journal"]) != nil)
            }
            expectSuccess(try await sandbox.square("request", "--no-journal", "--input", "-", input: .text(line)))
            #expect(try await sandbox.handOffs().isEmpty)
            for arguments in [["--state", "r"], ["--state", ""], []] {
                #expect(try await url(arguments) == (try await url(arguments + ["--no-journal"])))
            }
            let batch = line + #"{"clientId":"a"}"# + "\n" + line.replacing(#","state":"s""#, with: "")
            let result = try await sandbox.square("request", "--input", "-", input: .text(batch))
            #expect(result.status == 82 && result.lines.count == 3, "\(result)")
            let rows = try await sandbox.handOffs()
            #expect(rows.reversed().map { $0["externalId"]?.string } == ["r", "", nil, "s", nil])
            #expect(rows.allSatisfy { $0["state"]?.string == "sent" })
            _ = try await sandbox.square("response", "--no-journal", try Self.paid("T-1", state: "s"))
            #expect(try await sandbox.handOffs() == rows)
            expectSuccess(try await sandbox.square("response", try Self.paid("T-1", state: "")))
            #expect(try await sandbox.handOffs().reversed()[1]["payment"]?.string == "T-1")
        }
    }

    @Test("an old response does not settle a newer request with the same state")
    func oldAnswer() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            expectSuccess(try await sandbox.square("response", try Self.paid("T-1")))
            expectSuccess(try await sandbox.squareRequest(Self.named))
            expectSuccess(try await sandbox.square("response", try Self.paid("T-1")))
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent", "approved"])
            expectSuccess(try await sandbox.square("response", try Self.paid("T-2")))
            #expect(try await sandbox.handOffs().map { $0["payment"]?.string } == ["T-2", "T-1"])
            let third = try await sandbox.square("response", try Self.paid("T-3"))
            expectFailure(
                third, status: 80, saying: "this payment is not that of", "cannot be matched with one open request",
                output: nil)
        }
    }

    @Test("a payment that no open request waits for is not a success, and settles nothing")
    func unmatched() async throws {
        try await Sandbox.run { sandbox in
            for state in ["table-1", "table-2"] {
                expectSuccess(try await sandbox.squareRequest(Self.request + ["--state", state]))
            }
            expectSuccess(try await sandbox.square("response", try Self.paid("T-1", state: "table-1")))
            let rows = try await sandbox.handOffs()
            let ids = rows.compactMap { $0["charge"]?.string }
            let other = try await sandbox.square("response", try Self.paid("T-9", state: "nosuch"))
            expectFailure(other, status: 80, saying: "belongs to no request in the journal", output: nil)
            let reused = try Self.paid("T-1", state: "table-2")
            for arguments in [[reused], ["--charge", ids[0], reused]] {
                let result = try await sandbox.clover(
                    arguments: ["charge", "square", "response"] + arguments, input: .nothing)
                expectFailure(
                    result, status: 80, saying: "has the payment of \(ids[1]), which is another request", output: nil)
            }
            let several = try await sandbox.square(
                "response", try Self.paid("T-1", state: "table-1"), reused, try Self.paid("T-9", state: "nosuch"))
            expectFailure(
                several, status: 80, saying: "of 3 URLs 2 are payments that match no single open request", output: nil)
            expectFailure(
                try await sandbox.square("settle", ids[0], "--paid", "--transaction", "T-1"), status: 64,
                saying: "already settled another hand-off: \(ids[1])", output: nil)
            #expect(try await sandbox.handOffs() == rows)
        }
    }

    @Test("a cancellation that may be an old one settles nothing, and says who is meant; --charge says it")
    func oldCancellation() async throws {
        try await Sandbox.run { sandbox in
            let cancelled = try SquareCallback.url(SquareCallback.cancelled)
            expectSuccess(try await sandbox.squareRequest(Self.named))
            #expect(try await sandbox.square("response", cancelled).status == 81)
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let result = try await sandbox.square("response", cancelled)
            let rows = try await sandbox.handOffs()
            #expect(rows.map { $0["state"]?.string } == ["sent", "cancelled"])
            let ids = rows.compactMap { $0["charge"]?.string }
            #expect(result.errorText.contains("may belong to \(ids[0]) or \(ids[1])"), "\(result)")
            #expect(result.errorText.contains("--charge ID URL"), "\(result)")
            #expect(try await sandbox.square("response", "--charge", ids[0], cancelled).status == 81)
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["cancelled", "cancelled"])
        }
    }

    @Test("paid after cancelled wins with a notice; cancelled after paid changes nothing")
    func paidWins() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let cancelled = try SquareCallback.url(SquareCallback.cancelled)
            #expect(try await sandbox.square("response", cancelled).status == 81)
            let paid = try await sandbox.square("response", try Self.paid("T-1"))
            #expect(paid.status == 0, "\(paid)")
            #expect(paid.errorText.contains("was already settled as cancelled"), "\(paid)")
            #expect(paid.errorText.contains("it is now approved"), "\(paid)")
            #expect(try await sandbox.square("response", cancelled).status == 80)
            let row = try #require(try await sandbox.handOffs().first)
            #expect(row["state"]?.string == "approved" && row["payment"]?.string == "T-1" && row["code"] == .null)
        }
    }

    @Test("an error with a transaction, and the repeated error of a request that was paid, leave the request open")
    func doubtfulErrors() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let url = try SquareCallback.url([
                "status": "error", "error_code": "payment_canceled", "transaction_id": "T-9", "state": "table-9",
            ])
            let doubtful = try await sandbox.square("response", url)
            expectFailure(doubtful, status: 80, saying: "unknown whether it was paid", output: nil)
            #expect(try await sandbox.handOffs().first?["state"]?.string == "unknown")
            let cancelled = try SquareCallback.url(SquareCallback.cancelled)
            #expect(try await sandbox.square("response", cancelled).status == 81)
            #expect(try await sandbox.square("response", try Self.paid("T-1")).status == 0)
            expectSuccess(try await sandbox.squareRequest(Self.named))
            #expect(try await sandbox.square("response", cancelled).status == 80)
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent", "approved"])
        }
    }

    @Test("two open requests with one state are ambiguous: none is settled, with a notice")
    func sameState() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let again = try await sandbox.squareRequest(Self.named + ["--notes", "another"])
            #expect(again.errorText.contains("has the same state and no response yet"), "\(again)")
            let result = try await sandbox.square("response", try Self.paid("T-1"))
            #expect(result.status == 80 && result.errorText.contains("none is settled"), "\(result)")
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent", "sent"])
            // Of many responses, these are counted.
            let many = try await sandbox.square("response", try Self.paid("T-1"), try Self.paid("T-2"))
            #expect(many.errorText.contains("2 of the responses match several requests"), "\(many)")
        }
    }

    @Test("of two identical requests, the response settles the newer, and the next response the older")
    func sameRequest() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let again = try await sandbox.squareRequest(Self.named)
            #expect(again.status == 0 && again.errorText.contains("is the same request"), "\(again)")
            for (transaction, states) in [("T-1", ["approved", "sent"]), ("T-2", ["approved", "approved"])] {
                expectSuccess(try await sandbox.square("response", try Self.paid(transaction)))
                expectSuccess(try await sandbox.square("response", try Self.paid(transaction)))
                #expect(try await sandbox.handOffs().map { $0["state"]?.string } == states)
            }
            #expect(try await sandbox.handOffs().map { $0["payment"]?.string } == ["T-1", "T-2"])
        }
    }

    @Test("a response without a state settles only by its payment, or the hand-off named with --charge")
    func noState() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.request))
            let id = try #require(try await sandbox.handOffs().first?["charge"]?.string)
            let url = try Self.paid("T-1", state: nil)
            let result = try await sandbox.square("response", url)
            expectFailure(
                result, status: 80, saying: "has no state; it may belong to \(id)", "cannot be matched", output: nil)
            #expect(try await sandbox.handOffs().first?["state"]?.string == "sent")
            expectFailure(
                try await sandbox.square("response", "--charge", id, try Self.paid("T-1")), status: 64,
                saying: "whose state is different", output: nil)
            expectSuccess(try await sandbox.square("response", "--charge", id, url))
            #expect(try await sandbox.handOffs().first?["payment"]?.string == "T-1")
            // Settled already: the payment is known.
            expectSuccess(try await sandbox.squareRequest(Self.request))
            expectSuccess(try await sandbox.square("response", url))
            #expect(try await sandbox.handOffs().map { $0["state"]?.string } == ["sent", "approved"])
        }
    }

    @Test("amounts in currencies of no list are kept, and states have a column of their own on a terminal")
    func listed() async throws {
        try await Sandbox.run { sandbox in
            let request = try await sandbox.squareRequest([
                "--minor", "1250", "--currency", "XBT", "--state", "table-7",
            ])
            expectSuccess(request)
            let row = try #require(try await sandbox.handOffs().first)
            #expect(row["amount"]?.integer == 1250 && row["currency"]?.string == "XBT")
            let page = try await sandbox.cloverOnTerminal("charge list", columns: 200).terminalText
            #expect(page.contains("SQUARE STATE") && page.contains("table-7"), "\(page)")
            #expect(page.contains("1250 smallest units of XBT"), "\(page)")
            let id = try #require(row["charge"]?.string)
            let shown = try await sandbox.cloverOnTerminal("charge show \(id)", columns: 200).terminalText
            #expect(shown.contains("square state: table-7"), "\(shown)")
            let elsewhere = try await sandbox.squareRequest(["--amount", "1.00", "--currency", "XBT"])
            expectFailure(elsewhere, status: 64, saying: "'XBT' is not a currency of ISO 4217", "--minor")
        }
    }

    @Test("recovery leaves hand-offs alone, and nothing comes after them at Clover")
    func afterwards() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let recovered = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovered.status == 0, "\(recovered)")
            let row = try #require(try await sandbox.handOffs().first)
            #expect(row["state"]?.string == "sent")
            let id = try #require(row["charge"]?.string)
            for verb in [["recover"], ["refund"], ["show", "--check"]] {
                expectFailure(
                    try await sandbox.clover(arguments: ["charge"] + verb + [id], input: .nothing), status: 64,
                    saying: "handed to the Square app", "charge square response", "charge square settle \(id)")
            }
        }
    }

    @Test("a response that the listener receives settles, too")
    func listener() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let command = try sandbox.start(["charge", "square", "listen", "--port", "0", "--state", "table-9"])
            try await command.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
            let match = try #require(command.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/))
            _ = try await Visitor.page(try SquareCallback.url(SquareCallback.paid, to: String(match.1)))
            #expect(try await command.result().ending == .exited(0))
            #expect(try await sandbox.handOffs().first?["state"]?.string == "approved")
        }
    }

    @Test("responses that arrive together are settled in one transaction, and reported in their order")
    func together() async throws {
        try await Sandbox.run { sandbox in
            let states = (1...40).map { "table-\($0)" }
            let requests = states.map {
                #"{"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://","state":"\#($0)"}"# + "\n"
            }
            expectSuccess(try await sandbox.square("request", "--input", "-", input: .text(requests.joined())))
            /// How many transactions changed the file (SQLite: database file format, offset 24).
            func changes() throws -> UInt32 {
                let file = try FileHandle(
                    forReadingFrom: URL(fileURLWithPath: sandbox.directory["state/journal.sqlite"]))
                defer { file.closeFile() }
                return try #require(try file.read(upToCount: 28)).suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
            }
            let before = try changes()
            let answers = try states.map { try Self.paid("T-\($0)", state: $0) + "\n" }
            let result = try await sandbox.square("response", input: .text(answers.joined()))
            expectSuccess(result)
            #expect(try JSONValue.lines(result.lines).compactMap { $0["state"]?.string } == states)
            #expect(try changes() - before == 1)
            #expect(try await sandbox.handOffs().allSatisfy { $0["state"]?.string == "approved" })
        }
    }

    @Test(
        "a response is recorded before its line is printed, even if that cannot be written",
        arguments: ["response URL", "response <<<URL", "response --charge ID URL"])
    func settledFirst(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let id = try #require(try await sandbox.handOffs().first?["charge"]?.string)
            let command = words.replacing("URL", with: "'\(try Self.paid("T-1"))'").replacing("ID", with: id)
            let result = try await sandbox.shell("clover charge square \(command) >/dev/full")
            #expect(result.ending == .exited(74), "\(result)")
            #expect(try await sandbox.handOffs().first?["payment"]?.string == "T-1")
        }
    }

    @Test("a request that names no location has no merchant")
    func noMerchant() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(["--amount", "12.50", "--currency", "USD"]))
            #expect(try await sandbox.handOffs().first?["merchant"] == .null)
        }
    }

    @Test("a journal that cannot be written yields no URL; one that cannot be read hides no response, nor is it paid")
    func damaged() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.squareRequest(Self.named))
            let broken = try await sandbox.shell("printf nonsense >state/journal.sqlite; rm -f state/journal.sqlite-*")
            #expect(broken.status == 0, "\(broken)")
            expectFailure(try await sandbox.squareRequest(Self.named), status: 78)
            let line = #"{"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://"}"# + "\n"
            expectFailure(try await sandbox.square("request", "--input", "-", input: .text(line)), status: 78)
            let read = try await sandbox.square("response", try SquareCallback.url(SquareCallback.paid))
            expectFailure(
                read, status: 80, saying: "reports a payment T-1, and the journal could not record it", output: nil)
            #expect(read.lines.count == 1, "\(read)")
            let several = try await sandbox.square("response", try Self.paid("T-1"), try Self.paid("T-2"))
            expectFailure(
                several, status: 80, saying: "of 2 URLs 2 are payments that could not be recorded", output: nil)
            let cancelled = try await sandbox.square("response", try SquareCallback.url(SquareCallback.cancelled))
            expectFailure(
                cancelled, status: 81, saying: "cannot record this response in the charge journal", output: nil)
        }
    }
}
