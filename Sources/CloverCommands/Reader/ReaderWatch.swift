import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader watch`.
    struct Watch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Watch the state and battery of the connected reader",
            discussion: """
                Examples:
                  clover reader connect --follow >/dev/null &
                  clover reader watch --json
                  clover reader watch --json | jq -r .state

                Prints the current state, then a line for each change, until the session ends, whichever process opened \
                it. Exits with 66 if no reader is connected.
                """
        )

        @OptionGroup(title: "Drivers")
        var drivers: DriverOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var watch = ReaderWatch()
            watch.drivers = try drivers.choice()
            let isForPerson = environment.terminal.isOutputTerminal && !messages.json
            try await watch.run(in: environment) { report in
                try await StandardOutput.print(
                    isForPerson ? report.text(isColored: environment.screen.isColored) : report.json, in: environment)
            }
            return 0
        }
    }
}
