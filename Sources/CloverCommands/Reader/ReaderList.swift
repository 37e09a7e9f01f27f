import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the readers that were connected before, in range or not",
            discussion: """
                Examples:
                  clover reader list
                  clover reader list --last --json | jq -r .id
                  clover reader list --json | jq -r .name

                The last connected reader comes first. No reader is contacted.
                """
        )

        @Flag(help: "List only the last connected reader.")
        var last = false

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            var readers = try await KnownReaders(environment).all()
            if last {
                guard let reader = readers.first else { throw ReaderError.noPreviousReader }
                readers = [reader]
            }
            guard environment.terminal.isOutputTerminal, !messages.json else {
                for reader in readers { try await StandardOutput.print(ReaderText.json(reader), in: environment) }
                return 0
            }
            if readers.isEmpty {
                environment.diagnostics.notice("no reader has been connected yet; to find some: clover reader scan")
            } else {
                let times = try await DisplayedTimes.ofMachine(ConnectionChoice(), in: environment)
                try await StandardOutput.show(ReaderText.table(readers, times, in: environment), in: environment)
            }
            return 0
        }
    }
}
