import CloverTestSupport
import Foundation
import Testing

/// Charges of several machines with one journal, by the built program.
@Suite("charge: one journal for many machines")
struct FleetChargeTests {
    /// Two machines that share a database, and its server if the test may stop it.
    private func machines(
        own: Bool = false, emulator flags: [String] = [], weight: Int = 2,
        _ body: (_ first: ChargeFixture, _ second: ChargeFixture, ServedDatabase) async throws -> Void
    ) async throws {
        let server = own ? try await PostgreSQLServer() : try await PostgreSQLServer.shared
        try await ChargeFixture.run(on: server, emulator: flags, weight: weight) { first, database in
            let second = ChargeFixture(sandbox: first.sandbox.withState("second"), emulator: first.emulator)
            try await body(first, second, database)
        }
    }

    @Test("charge, list, show, refund, settle, reconcile: what one machine did, the other has")
    func wholeWay() async throws {
        try await machines { first, second, database in
            let charge = try await first.charge("12.50", "--quiet")
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            for machine in [first, second] {
                #expect(try await machine.journal().compactMap { $0["charge"]?.string } == [id])
                expectSuccess(try await machine.sandbox.clover("charge", "show", id))
            }
            expectSuccess(try await second.sandbox.clover("charge", "refund", id, "--amount", "5.00"))
            let again = try await first.sandbox.clover("charge", "refund", id, "--amount", "8.00")
            expectFailure(again, status: 64, saying: "7.50", output: nil)
            let check = try JSONValue(try await second.sandbox.clover("state", "check").outputText)
            #expect(check["charges"]?.integer == 2 && check["openCharges"]?.integer == 0, "\(check)")
            #expect(check["inDatabase"]?.elements?.contains(.string("charges")) == true)
            let files = first.sandbox.directory.files(below: ".").filter { $0.contains("journal") }
            #expect(files == [], "charges were recorded in files")
            // Masked card data only.
            let rows = try await database.rows("SELECT request::text || outcome::text FROM clover_state.operations")
            #expect(rows.allSatisfy { !$0.contains("4242424242424242") && !$0.contains("737") }, "\(rows)")
            let page = try #require(try await first.checkout([]).events.last)
            let pages = try JSONValue.lines(try await second.sandbox.clover("checkout", "list").lines)
            #expect(pages.map { $0["operation"] } == [page["operation"]], "\(pages)")
        }
    }

    @Test("reconcile on one machine compares the charges of another")
    func reconciled() async throws {
        try await machines { first, second, database in
            expectSuccess(try await first.charge("12.50", "--quiet"))
            _ = try await database.rows(
                """
                UPDATE clover_state.operations SET external_id = 'GONE',
                    outcome = replace(outcome::text, outcome ->> 'paymentID', 'GONE')::json WHERE kind = 'charge'
                """)
            let reconciled = try await second.sandbox.clover(
                "reconcile", "--period", "yesterday..today", "--zone", "UTC", "--json", "--ecommerce")
            let kinds = try JSONValue.lines(reconciled.lines).map { $0["kind"]?.string }
            #expect(kinds.contains("charge_without_payment"), "\(reconciled)")
        }
    }

    @Test("cards on file, plans and subscriptions are made once by all machines")
    func madeOnce() async throws {
        try await machines { first, second, _ in
            let saved = try await first.charge("12.50", "--save-card", "kim@example.com", "--consent", "--quiet")
            expectSuccess(saved)
            let customer = try #require(try saved.events.last?["customer"]?.string)
            let again = try await second.charge("3.00", "--save-card", "kim@example.com", "--consent", "--quiet")
            expectFailure(again, status: 64, saying: "--customer \(customer)", output: nil)
            let plan = try #require(try await first.plan("Coffee club").events.last?["plan"]?.string)
            expectFailure(
                try await second.plan("Coffee club"), status: 64, saying: "there is the plan \(plan) already",
                output: nil)
            let made = try await first.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            let same = try await second.subscribe(customer, to: plan, "--idempotency-key", "k-1")
            #expect(try made.events.last?["subscription"] == same.events.last?["subscription"])
        }
    }

    @Test("one key on two machines at once is charged once, and both have the result")
    func sameKey() async throws {
        try await machines(emulator: ["--authorization-time", "700ms"]) { first, second, _ in
            let device = try await first.device()
            async let one = first.charge(on: device, "--idempotency-key", "k-1")
            async let other = second.charge(on: device, "--idempotency-key", "k-1")
            let results = [try await one, try await other]
            for result in results { expectSuccess(result) }
            let payments = try results.map { try $0.events.last?["payment"]?.string }
            #expect(payments[0] != nil && payments[0] == payments[1], "\(results)")
            #expect(try await first.taken().count == 1)
            try await first.expectAgreement()
        }
    }

    @Test("recovery on one machine leaves alone what is alive on another, also while that has lost its sessions")
    func alive() async throws {
        try await machines(emulator: ["--authorization-time", "8s"], weight: 0) { first, second, database in
            let device = try await first.device()
            let command = try first.sandbox.start([
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device, "--idempotency-key", "k-1",
            ])
            try await first.waitUntilUnderWay(command)
            func states() async throws -> [String] {
                try await database.rows("SELECT state FROM clover_state.transitions ORDER BY rowid")
            }
            let before = try await states()
            #expect(before == ["created", "sent"])
            for isCut in [false, true] {
                if isCut {
                    _ = try await database.rows(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name LIKE 'clover %charge%'
                            AND pid <> pg_backend_pid()
                        """)
                }
                let recovery = try await second.sandbox.clover("charge", "recover", "--all")
                expectFailure(recovery, status: 75, saying: "other processes still work on 1 operation", output: nil)
                #expect(try await states() == before)
            }
            expectSuccess(try await command.result())
            #expect(try await states() == ["created", "sent", "approved"])
            #expect(try await second.sandbox.clover("charge", "recover", "--all").status == 0)
            #expect(try await first.taken().count == 1)
        }
    }

    @Test("if the database is away before anything is sent, a charge ends with 75 and nothing is sent")
    func awayBefore() async throws {
        try await machines(own: true) { first, _, database in
            let device = try await first.device()
            try await database.server.stop()
            let charge = try await first.charge(on: device)
            expectFailure(charge, status: 75, saying: database.address, output: "")
            #expect(try await first.movements().isEmpty)
            try await database.server.restart()
            expectSuccess(try await first.charge(on: device))
            #expect(try await first.journal().count == 1)
        }
    }

    /// - Returns: number of statements.
    private static func charge(
        lostAt number: Int, _ till: ChargeFixture, _ database: ServedDatabase
    ) async throws -> Int {
        let relay = try await PostgreSQLRelay(to: database.server, at: number, "before", "crash")
        let before = try await till.taken().count
        let command = try till.sandbox.with(["CLOVER_STATE": relay.address(of: database.name)]).start(
            ["charge", "--amount", "1.00", "--currency", "USD", "--card", "-", "--quiet"],
            input: ChargeFixture.card())
        // The number of statements depends on how often the server's clock had to be read.
        func isLost() -> Bool { number > 0 && relay.count >= number }
        while !command.hasEnded, !isLost() { try await Task.sleep(for: .milliseconds(10)) }
        if isLost() {
            try await Task.sleep(for: .seconds(1))
            try await database.server.crash()
        }
        let result = try await command.result()
        let taken = try await till.taken().count - before
        #expect([0, 75].contains(result.status), "statement \(number): \(result)")
        #expect(taken == (result.status == 0 ? 1 : 0), "statement \(number): \(result)")
        return relay.count
    }

    @Test("whatever statement the server is lost at, a charge is recorded as it ended, or was never sent")
    func awayAtEach() async throws {
        try await machines(own: true, emulator: ["--no-limits"]) { first, _, database in
            let count = try await Self.charge(lostAt: 0, first, database)
            for number in stride(from: Int.random(in: 1...min(16, count - 1)), to: count, by: 16) {
                _ = try await Self.charge(lostAt: number, first, database)
            }
            _ = try await first.recoverAll()
            try await first.expectAgreement(mayStayUnknown: true)
        }
    }

    @Test("if the database goes away after a charge was sent, its outcome is recorded when the database is back")
    func awayAfter() async throws {
        try await machines(own: true, emulator: ["--authorization-time", "1s"]) { first, _, database in
            let device = try await first.device()
            let command = try first.sandbox.start([
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device,
            ])
            try await first.waitUntilUnderWay(command)
            try await database.server.stop()
            try await first.waitUntilTaken()
            try await command.waitForErrors(containing: "waiting for the database")
            try await database.server.restart()
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            try await first.expectAgreement()
        }
    }

    @Test("open charges of this machine's file are named while the journal is in a database")
    func leftInFile() async throws {
        try await machines(emulator: ["--authorization-time", "60s"]) { first, _, _ in
            let device = try await first.device()
            let alone = ChargeFixture(sandbox: first.sandbox.with(["CLOVER_STATE": "files"]), emulator: first.emulator)
            // As on a machine of a fleet, whose setting is in the file.
            let address = try #require(first.sandbox.variables["CLOVER_STATE"])
            let configured = first.sandbox.without("CLOVER_STATE")
            #expect(try await configured.clover("config", "set", "state", address).status == 0)
            let command = try alone.sandbox.start([
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device,
            ])
            try await alone.waitUntilUnderWay(command)
            command.send(9)
            _ = try await command.result()
            let words = "settle it there with 'CLOVER_STATE=files clover charge recover --all', or move it"
            let check = try await configured.clover("state", "check")
            #expect(check.status == 0 && check.errorText.contains(words), "\(check)")
            expectFailure(
                try await configured.clover("charge", "recover", "--all"), status: 80, saying: words, output: "")
            let doctor = try await configured.withoutBuses.doctor()
            #expect(doctor.result.outputText.contains("1 charge of unknown outcome"), "\(doctor.result)")
            // Both ways out.
            let there = try await configured.with(["CLOVER_STATE": "files"]).clover("charge", "recover", "--all")
            #expect(!there.outputText.isEmpty && !there.errorText.contains(words), "\(there)")
            let moved = try await configured.clover("state", "move")
            #expect(moved.status == 0, "\(moved)")
            #expect(try await configured.clover("charge", "recover", "--all").errorText.contains(words) == false)
        }
    }
}
