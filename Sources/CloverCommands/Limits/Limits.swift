import ArgumentParser
import CloverCore

/// `clover limits`.
struct Limits: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show the shared request budget, who uses it, and who is waiting",
        discussion: """
            Examples:
              clover limits
              clover limits --watch
              clover limits --json | jq -c '.waiting[]'

            Prints one JSON object a line for the token's budget and one for its app's, or text on a terminal. The \
            service is not asked, and no request is taken from the budget. 'granted' counts the requests of the last \
            second. 'perSecond' is the limit of the runs that sent them; 'limitInFlight' is the limit of the runs that \
            have or want a request in flight: the --requests-per-second and --in-flight of other runs count while they \
            run. Runs with a lower limit than others share it; see 'lowerLimits'. 'holding' lists requests in flight. \
            A process that is 'stopped', such as by Ctrl-Z, keeps its requests in flight until it continues.

            A pause that the service asks for is waited out to the second, but for at most a day; a process that is \
            refused after that waits again.

            The budget is kept in files in the state directory. If a file is missing, the budget counts as used up for \
            a second, so that deleting one slows requests down and never speeds them up. Deleting these files during a \
            run loses track of requests in flight: the next request may run into the service's limit.
            """
    )

    @Flag(name: .long, help: "Refresh the display every second until stopped.")
    var watch = false

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let choice = connection.choice
        guard environment.terminal.isOutputTerminal, !messages.json else {
            while true {
                let report = try await LimitsReport.look(choice, in: environment)
                try await StandardOutput.print(report.json, in: environment)
                guard watch else { return 0 }
                try await environment.sleep(1)
            }
        }
        let lines = { try await LimitsReport.look(choice, in: environment).lines(on: environment.screen) }
        if watch { try await LiveView.run(in: environment, lines) }
        try await StandardOutput.print(lines().map { $0 + "\n" }.joined(), in: environment)
        return 0
    }
}
