import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON
import FoundationEssentials

/// `clover whoami`.
struct WhoAmI: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Print the merchant that commands use, as the service names it",
        discussion: """
            Examples:
              clover whoami
              clover whoami --profile downtown
              clover whoami --json | jq -r .name

            Sends one request, so a status of 0 proves that Clover accepts the token. 'clover auth status' says what is \
            known without asking: when the token expires, and where it is kept.
            """
    )

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    /// A merchant is smaller by far.
    private static let sizeLimit = 1 << 20
    private static let retries = 5

    private struct Merchant: Decodable {
        var name: String?
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let choice = connection.choice
        let connection = try await Connection.resolve(choice, in: environment)
        let client = try connection.makeClient(retries: Self.retries, in: environment)
        var attempt = ServiceClient.Attempt()
        let url = client.url(path: "/v3/merchants/\(connection.merchantID)", query: "")
        let body = try await client.object(of: url, limit: Self.sizeLimit, attempt: &attempt)
        // A merchant whose name cannot be read has none to print.
        let name = (try? JSONDecoder().decode(Merchant.self, from: Data(body)))?.name
        let status = try await SignInStatus.current(choice, in: environment)
        guard environment.terminal.isOutputTerminal, !messages.json else {
            var line = JSONLine()
            line.add("merchant", connection.merchantID)
            line.add("name", name)
            line.add("environment", connection.environment.name)
            line.add("profile", status.profile)
            line.add("employee", status.employeeID)
            line.add("app", connection.appID)
            try await StandardOutput.print(line.text + "\n", in: environment)
            return 0
        }
        let profile = status.profile.map { ", profile \($0)" } ?? ""
        let text =
            "\(name ?? "a merchant without a name"): \(connection.merchantID) (\(connection.environment.name)\(profile))"
        try await StandardOutput.print(Diagnostics.printable(text) + "\n", in: environment)
        return 0
    }
}
