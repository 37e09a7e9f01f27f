import CloverTestSupport
import Foundation
import Testing

/// What must hold whatever happens. `make soak` runs the same with the full counts.
@Suite("charge: proofs", .serialized)
struct ChargeProofs {
    @Test(
        "a charge killed at any time is charged at most once, and recovery leaves nothing unexplained",
        arguments: [
            "ecommerce", "device",
        ])
    func killed(_ rail: String) async throws {
        let rounds = Scale.pick(12, full: 500)
        try await ChargeFixture.run(emulator: ["--no-limits", "--authorization-time", "60ms"]) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(600)), emulator: given.emulator)
            let device = try await till.device()
            let way = rail == "device" ? ["--device", device] : ["--card", "-"]
            var killed = 0
            for round in 0..<rounds {
                let command = try till.sandbox.start(
                    ["charge", "--amount", "1.\(10 + round % 90)", "--currency", "USD"] + way,
                    input: ChargeFixture.card())
                // Only the time of the kill is random; of the duration, only that some charges take longer is expected.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...(round % 2 == 0 ? 100 : 700))))
                command.send(9)
                let result = try await command.result()
                if result.ending == .signalled(9) { killed += 1 }
                // A device does one thing at a time, and goes on with it when its caller is gone.
                if rail == "device" { try await till.waitUntilIdle() }
            }
            // What the last one sent may still be in a socket's buffer, where it cannot be seen.
            try await Task.sleep(for: .milliseconds(300))
            try await till.waitUntilIdle()
            let recovery = try await till.sandbox.clover("charge", "recover", "--all")
            // What never arrived stays unknown: that it is not there proves nothing.
            let unknown = try await till.journal().count { $0["state"] == .string("unknown") }
            #expect(recovery.ending == .exited(unknown > 0 ? 80 : 0), "\(recovery)")
            try await till.expectAgreement(mayStayUnknown: true)
            // Once more changes nothing.
            func states() async throws -> [JSONValue?] { try await till.journal().map { $0["state"] } }
            let before = try await states()
            #expect(try await till.sandbox.clover("charge", "recover", "--all").ending == recovery.ending)
            #expect(try await states() == before)
            #expect(killed > 0)
            let taken = try await till.taken().count
            try Scale.report(
                "Charges (\(rail)) killed at random moments, then recovered",
                count: "\(rounds) charges, \(killed) killed",
                result: "\(taken) charged, none twice, \(unknown) unknown, the journal agrees row by row")
        }
    }

    @Test(
        "a charge by a reader that is killed at any time is charged at most once, and recovery leaves nothing unexplained"
    )
    func killedReader() async throws {
        let rounds = Scale.pick(12, full: 500)
        try await ReaderWorld.run { given in
            let emulator = try await EmulatorProcess(["--orders", "5", "--no-limits"])
            let sandbox = try given.emulated().using(emulator).limited(to: .seconds(600))
            var killed = 0
            for round in 0..<rounds {
                let command = try sandbox.start([
                    "charge", "--amount", "1.\(10 + round % 90)", "--currency", "USD", "--reader", ReaderWorld.first,
                ])
                // Beginning a session takes most of the time, and the charge comes after it.
                if round % 3 > 0 {
                    try await command.waitForOutput(round % 3 == 1 ? "created" : "a card") { output in
                        String(decoding: output, as: UTF8.self).contains(round % 3 == 1 ? "created" : "SWIPE")
                    }
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...(round % 3 == 0 ? 600 : 130))))
                command.send(9)
                if try await command.result().ending == .signalled(9) { killed += 1 }
                // The driver ends with its input, and what it has begun with it.
                try await given.expectNoDriver()
            }
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovery.ending == .exited(0), "\(recovery)")
            let rows = try await expectReaderAgreement(sandbox)
            expectSuccess(try await sandbox.clover("charge", "recover", "--all"))
            #expect(try await expectReaderAgreement(sandbox) == rows)
            #expect(killed > 0)
            let taken = rows.count { $0["state"] == .string("approved") }
            try Scale.report(
                "Charges (reader) killed at random moments, then recovered",
                count: "\(rounds) charges, \(killed) killed",
                result: "\(taken) charged, none twice, the journal agrees row by row")
        }
    }

    /// The driver's own book and the journal agree row by row; gives the journal.
    private func expectReaderAgreement(_ sandbox: Sandbox) async throws -> [JSONValue] {
        let entries = try JSONValue.lines(try sandbox.text("cards").split(separator: "\n").map(String.init))
        let payments = entries.filter { $0["outcome"]?["payment"] != nil }
        let keys = payments.compactMap { $0["key"]?.string }
        #expect(Set(keys).count == keys.count, "charged twice")
        let list = try await sandbox.clover("charge", "list", "--limit", "100000")
        expectSuccess(list)
        let rows = try JSONValue.lines(list.lines)
        for row in rows {
            let payment = payments.first { $0["key"] == row["idempotencyKey"] }?["outcome"]?["payment"]
            #expect(
                ["approved", "declined", "cancelled", "failed"].contains(row["state"]?.string), "\(row)")
            #expect((row["state"] == .string("approved")) == (payment != nil), "\(row)")
            if let payment { #expect(payment["amount"] == row["approved"], "\(row)") }
        }
        #expect(Set(keys).isSubset(of: Set(rows.compactMap { $0["idempotencyKey"]?.string })))
        return rows
    }

    @Test("many processes charge at once: as many rows as charges, and equal sums")
    func manyProcesses() async throws {
        let processes = Scale.pick(5, full: 20)
        let each = Scale.pick(3, full: 10)
        try await ChargeFixture.run(weight: 4) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(600)), emulator: given.emulator)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for process in 0..<processes {
                    group.addTask {
                        for turn in 0..<each {
                            let result = try await till.charge("\(process + 1).\(10 + turn)", "--quiet")
                            expectSuccess(result)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await till.expectAgreement()
            let rows = try await till.journal()
            let taken = try await till.taken()
            #expect(rows.count == processes * each)
            #expect(taken.count == processes * each)
            let sum = rows.compactMap { $0["approved"]?.integer }.reduce(0, +)
            #expect(sum == taken.compactMap { $0["amount"]?.integer }.reduce(0, +))
            try Scale.report(
                "Processes that charge at once", count: "\(processes) processes, \(each) charges each",
                result: "\(rows.count) rows, \(taken.count) at the service, sums equal")
        }
    }

    @Test("refunds killed at any time give back at most once each")
    func killedRefunds() async throws {
        let rounds = Scale.pick(6, full: 100)
        try await ChargeFixture.run(emulator: ["--no-limits", "--authorization-time", "30ms"]) { given in
            let till = ChargeFixture(sandbox: given.sandbox.limited(to: .seconds(600)), emulator: given.emulator)
            var unknown = 0
            for _ in 0..<rounds {
                let charge = try await till.charge("10.00", "--quiet")
                let id = try #require(try charge.events.last?["charge"]?.string)
                let command = try till.sandbox.start(["charge", "refund", id, "--amount", "6.00"])
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...500)))
                command.send(9)
                _ = try await command.result()
                try await till.waitUntilIdle()
                // A refund that the charge shows may also be another's: that stays unknown, and is not repeated.
                let recovery = try await till.sandbox.clover("charge", "recover", "--all")
                unknown = try recovery.events.count { $0["event"]?.string == "unknown" }
                #expect(recovery.ending == .exited(unknown > 0 ? 80 : 0), "\(recovery)")
            }
            let refunds = try await till.movements().filter { $0["kind"] == .string("refund") }
            let keys = refunds.compactMap { $0["key"]?.string }
            #expect(Set(keys).count == keys.count)
            let refunded = try await till.journal().compactMap { $0["refunded"]?.integer }.reduce(0, +)
            #expect(refunded <= keys.count * 600 && keys.count * 600 <= refunded + unknown * 600)
            try Scale.report(
                "Refunds killed at random moments, then recovered", count: "\(rounds) refunds",
                result: "\(keys.count) given back, none twice, \(refunded / 600) recorded, \(unknown) unknown")
        }
    }

    @Test("no card number and no card token is anywhere but in the requests themselves")
    func canary() async throws {
        try await ChargeFixture.run { till in
            let number = "4005562231212123"
            var seen: [CommandResult] = []
            for flags in [["--debug", "all", "--verbose"], ["--debug", "all", "--json"], ["--preauth"]] {
                let arguments = ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"] + flags
                seen.append(try await till.sandbox.clover(arguments: arguments, input: ChargeFixture.card(number)))
            }
            let id = try #require(try await till.journal().first?["charge"]?.string)
            for arguments in [
                ["charge", "list", "--json"], ["charge", "show", id, "--check", "--debug", "all"],
                ["charge", "capture", id, "--debug", "all"], ["charge", "refund", id, "--debug", "all"],
            ] {
                let result = try await till.sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
                seen.append(result)
            }
            // What a person mistypes is not repeated either.
            for wrong in ["4005562231212124", "not-a-card-4005562231212123"] {
                seen.append(
                    try await till.sandbox.clover(
                        arguments: ["charge", "--amount", "1.00", "--currency", "USD", "--card", "-"],
                        input: ChargeFixture.card(wrong)))
                seen.append(
                    try await till.sandbox.clover("charge", "--amount", "1.00", "--currency", "USD", "--card", wrong))
            }
            let secrets = ["4005562231212123", "4005562231212124", #""737""#, "clv_"]
            for result in seen {
                for secret in secrets {
                    #expect(!result.outputText.contains(secret), "\(secret) in \(result)")
                    // The command's own explanation of --source names the prefix.
                    #expect(!result.errorText.replacing("clv_...", with: "").contains(secret), "\(secret) in \(result)")
                }
            }
            #expect(seen[0].errorText.contains("/v1/tokens"), "the probe sees the requests")
            let files = till.sandbox.directory.files(below: "state")
            #expect(files.contains("state/journal.sqlite"))
            for file in files {
                let text = String(decoding: try till.sandbox.directory.read(file), as: UTF8.self)
                for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(file)") }
            }
        }
    }
}
