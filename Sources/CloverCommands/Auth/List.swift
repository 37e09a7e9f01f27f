import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON

extension Auth {
    /// `clover auth list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every sign-in on this machine",
            discussion: """
                Examples:
                  clover auth list
                  clover auth list --json | jq -r 'select(.loggedIn|not).merchant'
                  clover auth list --json | jq -r .profile

                Prints one JSON object a line, or a table on a terminal. The service is not asked. A sign-in that \
                cannot be read is named on standard error, and the status is then 78. If the tokens of a sign-in are in \
                a keyring that is locked or unavailable, the list shows what its file contains.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            var statuses: [SignInStatus] = []
            var unreadable = 0
            for entry in try await SignInList.entries(connection.choice, in: environment) {
                switch entry {
                case .status(let status): statuses.append(status)
                case .unreachable(let status, let error):
                    statuses.append(status)
                    let report = ErrorReport(error)
                    environment.diagnostics.failure(report.message, code: report.code, status: report.status.rawValue)
                case .unreadable(let key, let profile, let error):
                    unreadable += 1
                    let name = profile.map { ", profile \($0)" } ?? ""
                    environment.diagnostics.failure(
                        "the sign-in of merchant \(key.merchantID) (\(key.environment)\(name)) cannot be read: \(error)",
                        code: "credential_file", status: ExitStatus.configuration.rawValue)
                }
            }
            let isTable = environment.terminal.isOutputTerminal && !messages.json
            if isTable {
                let times = try await DisplayedTimes.ofMachine(ConnectionChoice(), in: environment)
                try await StandardOutput.show(StatusText.table(statuses, times, in: environment), in: environment)
            } else {
                let lines = statuses.map { StatusText.json($0).text + "\n" }
                try await StandardOutput.print(lines.joined(), in: environment)
            }
            if unreadable > 0 { throw CoreError.unreadableCredentials(unreadable) }
            return 0
        }
    }
}
