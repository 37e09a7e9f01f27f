import CloverEmulator
import Foundation
import Testing

@Suite("Ecommerce: keys")
struct EcommerceKeyTests {
    private let till = PaymentFixture()

    @Test("Repeats the first response for the same key; refuses another call with it")
    func replay() async throws {
        let token = try await till.token()
        let first = try await till.charge("k", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        let again = try await till.charge("k", "\"source\":\"\(token)\", \"currency\":\"usd\",\"amount\":10")
        #expect(again.status == 200)
        #expect(again.text == first.text)
        let other = try await till.charge("k", "\"amount\":11,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(other.status == 409)
        #expect(other.error == "idempotency_error -")
        let reused = try await till.charge("k2", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
        #expect(reused.status == 400)
        #expect(reused.error == "- token_already_used")
        #expect(try till.moved == [10])
    }

    @Test("Repeats a decline, which uses up the token")
    func replayedDecline() async throws {
        let token = try await till.token("4005571702222222")
        let body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\""
        let first = try await till.charge("k", body)
        #expect(first.status == 402)
        #expect(try await till.charge("k", body).text == first.text)
        #expect(try await till.charge("k2", body).error == "- token_already_used")
        #expect(try till.moved == [0])
    }

    @Test("A repetition during a slow card waits and charges nothing more")
    func repetitionMeanwhile() async throws {
        var settings = PaymentSettings()
        settings.authorizationTime = .milliseconds(100)
        let till = PaymentFixture(settings: settings)
        let token = try await till.token()
        let body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\""
        let replies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await till.charge("k", body).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count == 8)
        #expect(Set(replies).count == 1)
        #expect(try till.moved == [10])
    }

    @Test("Charges one token once, under many concurrent keys")
    func tokenRace() async throws {
        let till = till
        let token = try await till.token()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await till.charge("k\(number)", "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(token)\"")
                        .status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 400, count: 7))
        #expect(try till.moved == [10])
    }

    @Test("Charges again under a forgotten key, and reports the duplicate")
    func forgottenKey() async throws {
        #expect(try await till.charge(10, key: "k", fault: .forgetKey).status == 200)
        #expect(till.report.duplicateCharges == 0)
        #expect(try await till.charge(10, key: "k").status == 200)
        #expect(till.report.charges == 2)
        #expect(till.report.duplicateCharges == 1)
    }

    @Test("Reports two charges of one invoice as a duplicate, whatever their keys")
    func sameInvoice() async throws {
        for key in ["a", "b", "c"] {
            _ = try await till.charge(10, key: key, #","external_reference_id":"INV-1""#)
        }
        #expect(till.report.duplicateCharges == 2)
    }

    @Test(
        "Faults of charges",
        arguments: [
            (FaultKind.decline, 402, "card_error card_declined"), (.declineAsError, 500, "card_error card_declined"),
            (.keyClash, 409, "idempotency_error -"), (.tokenUsed, 400, "- token_already_used"),
        ])
    func faults(kind: FaultKind, status: Int, error: String) async throws {
        let reply = try await till.charge(10, key: "k", fault: kind)
        #expect(reply.status == status)
        #expect(reply.error == error)
        #expect(till.report.charges == 0)
    }

    // MARK: State

    @Test("Keeps charges, keys and used tokens in the state file, and no card number")
    func state() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        let body: String
        let first: PaymentFixture.Reply
        do {
            let till = try PaymentFixture(state: path)
            body = "\"amount\":10,\"currency\":\"usd\",\"source\":\"\(try await till.token())\""
            first = try await till.charge("k", body)
            #expect(first.status == 200)
            #expect(try await till.refund("{\"charge\":\"\(first.json.id)\",\"amount\":4}").status == 200)
        }
        #expect(!(try String(contentsOfFile: path, encoding: .utf8)).contains("4242424242424242"))
        let till = try PaymentFixture(state: path)
        #expect(try await till.charge("k", body).text == first.text)
        #expect(try await till.charge("k2", body).error == "- token_already_used")
        #expect(try till.moved == [10, -4])
        #expect(try till.records("refunds?limit=1").first?["amount"]?.integer == 4)
        // Ids continue where they ended.
        #expect(try await till.charge(7, key: "k3").json.id != first.json.id)
    }
}
