import ArgumentParser
import CloverCore

extension Auth {
    /// `clover auth status`.
    struct Status: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show who is signed in",
            discussion: """
                Examples:
                  clover auth status
                  clover auth status --json | jq -r .merchant
                  clover auth status --check

                Exits with 0 if you are signed in, and with 77 if not; tokens in a keyring that is locked or missing do \
                not count. The service is asked only with --check. Clover gives the same response to a bad token and to \
                a missing permission, so --check tries six kinds of records; if one of them responds, the token is \
                valid. If none does, the tokens are renewed, once: if a new token opens nothing either, it lacks \
                permissions. For a token that cannot be renewed, the cause cannot be determined: the status is then 77, \
                and tokenAccepted is null.
                """
        )

        @Flag(name: .long, help: "Ask the service whether it accepts the token, and which permissions it has.")
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
                // The check may have renewed the tokens.
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
                    "choose one with --profile, or with --merchant and --environment; or for all commands, run "
                        + "'clover auth switch'")
            }
            return status.isLoggedIn ? 0 : ExitStatus.notAuthorized.rawValue
        }
    }
}
