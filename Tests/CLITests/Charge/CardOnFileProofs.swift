import CloverTestSupport
import Foundation
import Testing

/// What must hold whatever happens to a charge that saves its card. `make soak` runs the same with the full counts.
@Suite("charge: proofs of cards on file", .serialized)
struct CardOnFileProofs {
    @Test("a charge that saves its card and is killed at any time saves once and charges once, and nothing is denied")
    func killed() async throws {
        let rounds = Scale.pick(8, full: 200)
        let faults = ["--fault", "lose-answer:0.15:/v1/customers", "--fault", "lose-answer:0.1:/v1/charges"]
        try await ChargeFixture.run(emulator: ["--no-limits", "--authorization-time", "40ms"] + faults) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(900)), emulator: given.emulator)
            for number in 0..<Int.random(in: 0...6) { try await till.pastSave(number) }
            _ = try await till.sandbox.clover("charge", "recover", "--all")
            let past = try await till.taken().count
            var killed = 0
            for round in 0..<rounds {
                let email = "kim\(round)@example.com"
                let key = "saved-\(round)"
                let amount = ["--amount", "1.\(10 + round % 90)", "--currency", "USD", "--idempotency-key", key]
                let saving = ["charge"] + amount + ["--card", "-", "--save-card", email, "--consent"]
                let command = try till.sandbox.start(saving, input: ChargeFixture.card())
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...(round % 2 == 0 ? 150 : 700))))
                command.send(9)
                if try await command.result().ending == .signalled(9) { killed += 1 }
                // What it sent may still be in a socket's buffer, where it cannot be seen.
                try await Task.sleep(for: .milliseconds(100))
                try await till.waitUntilIdle()
                // A person goes on in one of the ways that there are, until the service has the charge.
                for _ in 0..<Int.random(in: 0...3) {
                    if Bool.random() {
                        _ = try await till.sandbox.clover("charge", "recover", "--all")
                    } else if Bool.random(), let customer = try await till.customers(email).first {
                        _ = try await till.sandbox.clover(["charge"] + amount + ["--customer", customer])
                    } else {
                        _ = try await till.sandbox.clover(arguments: saving, input: ChargeFixture.card())
                    }
                }
            }
            _ = try await till.sandbox.clover("charge", "recover", "--all")
            try await till.expectAgreement(mayStayUnknown: true)
            let rows = try await till.journal()
            var saved = 0
            for round in 0..<rounds {
                let customers = try await till.customers("kim\(round)@example.com")
                #expect(customers.count <= 1, "saved twice")
                saved += customers.count
                guard let customer = customers.first,
                    let row = rows.first(where: { $0["idempotencyKey"] == .string("saved-\(round)") })
                else { continue }
                // A row that ended otherwise says that the card is, or may be, on file.
                let isNamed = row["customer"]?.string == customer
                let reason = row["reason"]?.string ?? ""
                #expect(
                    isNamed || reason.contains("may be on file") || reason.contains("may have been saved")
                        || reason.contains(customer), "\(row)")
            }
            #expect(killed > 0)
            let taken = try await till.taken().count
            try Scale.report(
                "Charges that save a card, killed at random moments, then continued at random",
                count: "\(rounds) charges, \(killed) killed, after \(past) older ones",
                result: "\(saved) saved and \(taken - past) charged, none twice, nothing denied")
        }
    }
}

extension ChargeFixture {
    /// A charge from before that saves a card, killed or not; or one of a customer whom the service got otherwise.
    fileprivate func pastSave(_ number: Int) async throws {
        let email = "past\(number)@example.com"
        let command = try sandbox.start(
            [
                "charge", "--amount", "2.\(10 + number)", "--currency", "USD", "--card", "-", "--save-card", email,
                "--consent",
            ], input: ChargeFixture.card())
        if Bool.random() {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...500)))
            command.send(9)
        }
        _ = try await command.result()
        try await Task.sleep(for: .milliseconds(100))
        try await waitUntilIdle()
        guard Bool.random(), let customer = try await customers(email).first else { return }
        _ = try await charge(customer: customer, "3.\(10 + number)")
    }
}
