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
            'holding' are those under way.
            """
    )

    @Flag(name: .long, help: "Show it again every second, until stopped.")
    var watch = false

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    /// Moves to the upper left corner and clears what is below (ECMA-48: CUP, ED).
    private static let fromTheTop = "\u{1B}[H\u{1B}[J"

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        while true {
            let report = try await LimitsReport.look(connection.choice, in: environment)
            let text = isForPerson ? report.text : report.json
            try await StandardOutput.print(isForPerson && watch ? Self.fromTheTop + text : text, in: environment)
            guard watch else { return 0 }
            try await environment.sleep(1)
        }
    }
}
