import CloverKit
import CloverKitPayments
import CloverTestSupport
import Testing

/// An emulator that counts money by itself, and a shop with a separate journal.
struct ChargeWorld: Sendable {
    let emulator: EmulatorProcess
    let directory: TemporaryDirectory
    let charges: Charges

    init(_ faults: String...) async throws {
        emulator = try await EmulatorProcess(
            ["--orders", "3", "--no-limits"] + faults.flatMap { ["--fault", $0] })
        directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        charges = Charges(
            for: try Shop(
                token: emulator.accessToken, merchantID: emulator.merchantID, environment: emulator.url,
                options: options))
    }

    func run(_ program: String, _ arguments: [String]) async throws -> CommandResult {
        try await CommandRunner(
            executable: program,
            environment: [
                "PATH": "/usr/bin:/bin", "CLOVER_STATE_DIR": directory["state"],
                "CLOVER_CONFIG_DIR": directory["config"], "CLOVER_ENVIRONMENT": emulator.url,
                "CLOVER_ACCESS_TOKEN": emulator.accessToken, "CLOVER_MERCHANT_ID": emulator.merchantID,
            ]
        ).run(arguments)
    }

    /// A token of a card, as a web page would make it.
    func cardToken() async throws -> String {
        let result = try await run(
            "/bin/bash",
            [
                "-c",
                """
                key=$(curl --silent -H "Authorization: Bearer $CLOVER_ACCESS_TOKEN" $CLOVER_ENVIRONMENT/pakms/apikey)
                curl --silent -H "apikey: $(jq -r .apiAccessKey <<<"$key")" -H 'Content-Type: application/json' \
                    --data '{"card":{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}}' \
                    $CLOVER_ENVIRONMENT/v1/tokens | jq -r .id
                """,
            ])
        return try #require(result.lines.first, "\(result)")
    }

    func request(_ amount: CloverKit.Money = 1250, key: String = "order-1") async throws -> ChargeRequest {
        ChargeRequest(
            amount: amount, currency: "USD", cardToken: try await cardToken(), key: key,
            payerAddress: "203.0.113.7")
    }

    /// The number of charges that took money, as the emulator counts them.
    func taken() async throws -> Int {
        try await movements("charge").count
    }

    /// The cents that moved through each call of a kind, as the emulator counts them; negative for money returned.
    func movements(_ kind: String) async throws -> [Int64] {
        try Coding.value(try await emulator.page("/emulator/charges")).elements.compactMap { item in
            guard item["kind"] == .string(kind), item["result"] == .string("approved") else { return nil }
            return item["moved"].flatMap { Int64(json: $0) }
        }
    }
}
