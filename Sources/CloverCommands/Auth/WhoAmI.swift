import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON

/// `clover whoami`.
struct WhoAmI: OwnRecordCommand {
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

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let choice = connection.choice
        let connection = try await Connection.resolve(choice, in: environment)
        let client = try connection.makeClient(retries: RetryPolicy.usualRetries, in: environment)
        let name = try await name(connection, client, in: environment)
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

    /// The merchant's name, checked and masked as `clover get merchant` does it; nil if the merchant has none.
    private func name(
        _ connection: Connection, _ client: ServiceClient, in environment: CommandEnvironment
    ) async throws -> String? {
        let path = try ResourcePath(
            parsing: "merchant", identifier: nil, merchantID: connection.merchantID, isChecked: true)
        let inspection = try RecordInspection(
            path, isEnvelope: false, showsSensitive: false, validates: false, environment.diagnostics)
        let pager = RecordPager(
            client: client, path: path, query: RecordQuery(), isChecked: true, now: environment.clock.wall())
        var name: String?
        _ = try await pager.run(plan: nil) { batch in
            let shown = try inspection.pass(batch)
            name = shown.records.first.flatMap { JSONTree(Array(shown.bytes[$0.range])) }?["name"]?.string
            return .more
        }
        // What is masked in members that are not printed needs no notice.
        return name
    }
}
