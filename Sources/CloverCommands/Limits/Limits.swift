import ArgumentParser
import CloverCore

/// `clover limits`.
struct Limits: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show the shared budget of requests, who holds it and who waits",
        discussion: """
            Examples:
              clover limits
              clover limits --watch
              clover limits --json | jq -c '.waiting[]'

            One JSON object a line for the token's budget and one for its app's; \
            text on a terminal. The service is not asked, and nothing is taken \
            of the budget. 'granted' counts the requests of the last second, \
            'perSecond' is the limit of those who sent them, and \
            'limitInFlight' of those who have or want a request under way: \
            what --requests-per-second and --in-flight of other runs say counts \
            while they run. Runs with a lower limit than others share it, see \
            'lowerLimits'. 'holding' are those under way; who is 'stopped', \
            as by Ctrl-Z, keeps its requests under way until it goes on.

            A pause that the service asks for is waited out to the second, and a \
            day at most: whoever is refused after that waits again.

            The budget is kept in files of the state directory. Without them \
            it counts as used up for a second, so that whoever deletes one \
            of them is slowed down, and does not go too fast. Who deletes all \
            at once while requests are under way takes away what is known of \
            these: the next may find the service's limit in flight.
            """
    )

    @Flag(name: .long, help: "Show it again every second, until stopped.")
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
