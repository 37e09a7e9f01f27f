import CloverTestSupport
import Foundation
import Testing

/// A place where every example of the help pages can be run as it is printed: a service, a sign-in called downtown, and
/// the files that examples name.
struct ExampleWorld: Sendable {
    let sandbox: Sandbox
    private let words: [(String, String)]

    /// - Parameter weight: 0 for examples that mostly wait.
    static func run(weight: Int = 1, _ body: (ExampleWorld) async throws -> Void) async throws {
        try await Sandbox.run(weight: weight) { empty in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve", "--now", "clock"])
            let service = SignInService(emulator)
            let programs = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
            let sandbox = empty.withoutBuses.with([
                "CLOVER_READER_DRIVER": "\(programs)/clover-emulator reader-driver", "EDITOR": "cat",
                "URL": "\(emulator.url)/v3/merchants/\(emulator.merchantID)", "CLOVER_CALLBACK_PORT": "0",
                "CLOVER_TIMEOUT": "200ms", "BROWSER": "true", "HOME": empty.directory["home"],
            ])
            try await sandbox.receive(service, "--profile", "downtown")
            let id = { (path: String) in
                let result = try await sandbox.clover("get", path, "--limit", "1", "-r", "--jq", ".id")
                return try #require(result.lines.first, "\(result)")
            }
            let order = try await id("orders")
            let item = try await id("items")
            let device = try #require(
                try await sandbox.clover("get", "devices", "-r", "--jq", ".serial").lines.first)
            try await writeFiles(sandbox, service, emulator, item: item)
            try await body(
                ExampleWorld(
                    sandbox: sandbox,
                    words: [
                        ("ORDER_ID", order), ("ITEM_ID", item), ("A,B", "\(item),\(item)"),
                        ("--app-id APP", "--app-id \(service.appID)"), ("MERCHANT", service.merchantID),
                        ("C030UQ12345678", device), ("--environment sandbox", "--environment \(service.url)"),
                        ("--environment eu", "--environment \(service.url)"),
                        ("clv_1ABC", "clv_1TSTSAAAAAAAAAAAAAAAAAAA"),
                    ]))
        }
    }

    /// An example with real ids in the place of made-up ones.
    func line(_ example: String) async throws -> String {
        var line = words.reduce(example) { $0.replacing($1.0, with: $1.1) }
        if let made = line.firstMatch(of: /c_01JD[0-9A-Z]+/) {
            let held = ["capture", "increment"].contains { line.contains("charge \($0) ") }
            // What is not taken yet can be taken back on a device only.
            let device = words.first { $0.0 == "C030UQ12345678" }?.1 ?? ""
            let rail =
                line.contains("charge void ")
                ? "--device \(device)" : "--card - <'\(sandbox.directory["card.json"])' \(held ? "--preauth" : "")"
            let charged = try await sandbox.shell("clover charge --amount 12.50 --currency USD --json \(rail)")
            let id = try JSONValue(try #require(charged.lines.first, "\(charged)"))["charge"]?.string
            line = line.replacing(made.output, with: try #require(id))
        }
        return line.replacing("*/5 * * * * ", with: "")
    }

    private static func writeFiles(
        _ sandbox: Sandbox, _ service: SignInService, _ emulator: EmulatorProcess, item: String
    ) async throws {
        let address = try await service.approvedAddress(
            challenge: nil)
        try sandbox.directory.makeFolder("config")
        let card = #"{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}"#
        let request = #"{"id":1,"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://"}"#
        for (name, text) in [
            ("token.txt", emulator.accessToken), ("secret.txt", service.appSecret), ("proof", KnownProof.verifier),
            ("address.txt", address), ("merchants.ndjson", #"{"merchant":"M","refreshToken":"T"}"#),
            ("codes.ndjson", #"{"merchant":"M","code":"C"}"#), ("code.txt", address), ("card.json", card),
            ("requests.ndjson", request),
            ("body.json", #"{"merchants":{"M":[{"objectId":"O:1","type":"UPDATE","ts":1}]}}"#),
            ("bodies.ndjson", #"{"verificationCode":"5220ecf5"}"#),
            ("urls.txt", try SquareCallback.url(SquareCallback.paid)),
            ("items.json", #"{"items":[{"id":"\#(item)","price":450}]}"#),
            ("changes.ndjson", #"{"id":"\#(item)","hidden":true}"#), ("ids.ndjson", #"{"id":"\#(item)"}"#),
            ("config/config.yml", "# settings"),
        ] { try sandbox.directory.write(name, Array((text + "\n").utf8)) }
        _ = try await sandbox.makeScript("my-driver", "exec $CLOVER_READER_DRIVER")
        _ = try await sandbox.makeScript("pass", "cat '\(sandbox.directory["token.txt"])'")
    }
}
