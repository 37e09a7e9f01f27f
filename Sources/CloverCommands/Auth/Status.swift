import ArgumentParser
import CloverCore

extension Auth {
    /// `clover auth status`.
    struct Status: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Say who is signed in",
            discussion: """
                Examples:
                  clover auth status
                  clover auth status --json | jq -r .merchant
                  clover auth status --check

                Ends with 0 when signed in and 77 when not; tokens in a keyring that \
                is locked or gone do not count. The service is asked \
                with --check only: Clover answers alike to a bad token and to a \
                missing permission, so six families of records are tried, and one \
                that answers shows that the token is good. When none does, the \
                tokens are renewed, once: a new token that opens nothing either lacks \
                permissions. A token that nothing renews may be either, and ends \
                with 77; tokenAccepted is then null.
                """
        )

        @Flag(name: .long, help: "Ask the service whether it accepts the token, and what it may read.")
        var check = false

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var status = try await SignInStatus.current(connection.choice, in: environment)
            var result: TokenCheck.Result?
            if check, status.isLoggedIn || status.isDead {
                result = try await TokenCheck(choice: connection.choice).run(in: environment)
                // The tokens may have been renewed by that.
                status = try await SignInStatus.current(connection.choice, in: environment)
                if let result { status = status.checked(result) }
            }
            if messages.json || !environment.terminal.isOutputTerminal {
                try await StandardOutput.print(StatusText.json(status, check: result).text + "\n", in: environment)
            } else {
                let times = try await DisplayedTimes.ofMachine(connection.choice, in: environment)
                try await StandardOutput.print(
                    StatusText.lines(status, check: result, times, in: environment), in: environment)
            }
            if case .noneChosen = status.reason {
                environment.diagnostics.notice(
                    "choose one with --profile, or with --merchant and --environment; or for all commands with "
                        + "'clover auth switch'")
            }
            return status.isLoggedIn ? 0 : ExitStatus.notAuthorized.rawValue
        }
    }
}
