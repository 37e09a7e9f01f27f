import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON
import FoundationEssentials

/// `clover whoami`.
struct WhoAmI: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Print the merchant that commands use, as the service names it",
        discussion: """
            Examples:
              clover whoami
              clover whoami --profile downtown
              clover whoami -r --jq .name

            Sends one request, so a status of 0 proves that Clover accepts the token. 'clover auth status' says what is \
            known without asking: when the token expires, and where it is kept.
            """
    )

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    var outputFile: OutputFileOptions { output.file }

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
        var line = JSONLine()
        line.add("merchant", connection.merchantID)
        line.add("name", name)
        line.add("environment", connection.environment.name)
        line.add("profile", status.profile)
        line.add("employee", status.employeeID)
        line.add("app", connection.appID)
        let list = OwnList(
            lines: [line.text], columns: ["merchant", "name", "environment", "profile", "employee", "app"])
        return try await list.print(output, messages, choice, in: environment) { _ in
            let profile = status.profile.map { ", profile \($0)" } ?? ""
            let place = "\(connection.merchantID) (\(connection.environment.name)\(profile))"
            return TextPage(Diagnostics.printable("\(name ?? "a merchant without a name"): \(place)") + "\n")
        }
    }
}
