import CloverTestSupport
import Foundation
import Testing

/// A sandbox with an emulator, and what it takes to charge there and to judge what was charged.
struct ChargeFixture: Sendable {
    let sandbox: Sandbox
    let emulator: EmulatorProcess

    static func run(
        emulator flags: [String] = [], weight: Int = 1, _ body: (ChargeFixture) async throws -> Void
    ) async throws {
        try await Sandbox.run(emulator: ["--orders", "5"] + flags, weight: weight) { sandbox, emulator in
            try await body(ChargeFixture(sandbox: sandbox, emulator: emulator))
        }
    }

    /// A machine whose journal is in a database of the server.
    static func run(
        on server: PostgreSQLServer, emulator flags: [String], weight: Int, limit: Duration = .seconds(300),
        _ body: (ChargeFixture, ServedDatabase) async throws -> Void
    ) async throws {
        try await run(emulator: flags, weight: weight) { given in
            let database = try await ServedDatabase(server)
            let machine = given.sandbox.with(["CLOVER_STATE": database.address]).limited(to: limit)
            expectSuccess(try await machine.clover("state", "init", "-q"))
            try await body(ChargeFixture(sandbox: machine, emulator: given.emulator), database)
        }
    }

    /// A card as `--card -` takes it.
    static func card(_ number: String = "4242424242424242") -> CommandRunner.Input {
        .text(#"{"number":"\#(number)","exp_month":"12","exp_year":"2030","cvv":"737"}"#)
    }

    /// The serial number of the merchant's first device.
    func device() async throws -> String {
        let result = try await sandbox.clover("get", "devices", "-r", "--jq", ".serial")
        return try #require(result.lines.first, "\(result)")
    }

    /// Charges a card that is not present.
    func charge(
        _ amount: String = "12.50", _ options: String..., card: CommandRunner.Input = ChargeFixture.card()
    ) async throws -> CommandResult {
        try await sandbox.clover(
            arguments: ["charge", "--amount", amount, "--currency", "USD", "--card", "-"] + options, input: card)
    }

    /// Charges the card that is shown to a device.
    func charge(on device: String, _ options: String...) async throws -> CommandResult {
        try await sandbox.clover(
            ["charge", "--amount", "12.50", "--currency", "USD", "--device", device] + options)
    }

    /// A token of a card, as a web page would make it.
    func cardToken() async throws -> String {
        let result = try await sandbox.shell(
            """
            key=$(curl --silent -H 'Authorization: Bearer \(emulator.accessToken)' \(emulator.url)/pakms/apikey)
            curl --silent -H "apikey: $(jq -r .apiAccessKey <<<"$key")" -H 'Content-Type: application/json' \
                --data '{"card":{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}}' \
                \(emulator.url)/v1/tokens | jq -r .id
            """)
        return try #require(result.lines.first, "\(result)")
    }

    /// All movements of money, as the service reports them.
    func movements() async throws -> [JSONValue] {
        let text = String(decoding: try await emulator.page("/emulator/charges"), as: UTF8.self)
        return try #require(JSONValue(text)["elements"]?.elements)
    }

    /// The movements that took money or held it.
    func taken() async throws -> [JSONValue] {
        try await movements().filter {
            ["charge", "auth", "preauth"].contains($0["kind"]?.string ?? "") && $0["result"]?.string == "approved"
        }
    }

    /// The charges of the journal, the newest first.
    func journal() async throws -> [JSONValue] {
        let result = try await sandbox.clover("charge", "list", "--limit", "100000", "--json")
        expectSuccess(result)
        return try JSONValue.lines(result.lines)
    }

    /// Recovers all charges. What killed processes left is waited for: others do not touch it at once.
    func recoverAll() async throws -> CommandResult {
        while true {
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            guard recovery.status == 75 else { return recovery }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Waits until the service has nothing under way: what a killed client sent is done then.
    func waitUntilIdle() async throws {
        for _ in 0..<6000 {
            let stats = try JSONValue(String(decoding: try await emulator.page("/emulator/stats"), as: UTF8.self))
            if stats["inFlight"]?.integer == 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the emulator does not come to rest")
    }

    /// Waits until the service has taken money.
    func waitUntilTaken() async throws {
        for _ in 0..<6000 {
            if try await !taken().isEmpty { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the emulator takes no money")
    }

    /// Waits until a charge is recorded as sent, and has reached the service.
    func waitUntilUnderWay(_ command: RunningCommand) async throws {
        try await command.waitForOutput("the charge's departure") {
            String(decoding: $0, as: UTF8.self).contains(#""event":"sent""#)
        }
        try await waitUntilUnderWay()
    }

    /// Waits until the service has begun with what it was sent.
    func waitUntilUnderWay() async throws {
        for _ in 0..<600 {
            let stats = try JSONValue(String(decoding: try await emulator.page("/emulator/stats"), as: UTF8.self))
            if let inFlight = stats["inFlight"]?.integer, inFlight > 0 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("nothing reaches the emulator")
    }

    /// Every key at most once at the service, and journal and service agree row by row.
    ///
    /// - Parameter mayStayUnknown: whether a charge that never arrived may be unknown.
    func expectAgreement(
        mayStayUnknown: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let taken = try await taken()
        var counts: [String: Int] = [:]
        var amounts: [String: Int] = [:]
        for movement in taken {
            let key = try #require(movement["key"]?.string, sourceLocation: sourceLocation)
            counts[key, default: 0] += 1
            amounts[key] = movement["amount"]?.integer
        }
        #expect(counts.values.allSatisfy { $0 == 1 }, "charged twice: \(counts)", sourceLocation: sourceLocation)
        let rows = try await journal()
        for row in rows {
            let key = try #require(row["idempotencyKey"]?.string, sourceLocation: sourceLocation)
            let state = row["state"]?.string
            let isTaken = counts[key] != nil
            #expect(
                (state == "approved") == isTaken, "\(row) is \(isTaken ? "" : "not ")at the service",
                sourceLocation: sourceLocation)
            #expect(
                ["approved", "declined", "cancelled", "failed"].contains(state) || mayStayUnknown && state == "unknown",
                "\(row)", sourceLocation: sourceLocation)
            if isTaken { #expect(amounts[key] == row["amount"]?.integer, sourceLocation: sourceLocation) }
        }
        #expect(
            Set(counts.keys).isSubset(of: Set(rows.compactMap { $0["idempotencyKey"]?.string })),
            "something was charged that the journal does not have", sourceLocation: sourceLocation)
    }
}

extension CommandResult {
    /// The events that were printed.
    var events: [JSONValue] {
        get throws { try JSONValue.lines(lines) }
    }

    /// Their names.
    var eventNames: [String] {
        get throws { try events.compactMap { $0["event"]?.string } }
    }
}
