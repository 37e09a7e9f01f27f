import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    /// `clover reader list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the readers that were connected once, in range or not",
            discussion: """
                Examples:
                  clover reader list
                  clover reader list --last --json | jq -r .id
                  clover reader list --json | jq -r .name

                The last connected comes first. Nothing is asked of any reader.
                """
        )

        @Flag(help: "Only the reader that was connected last.")
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
                environment.diagnostics.notice("no reader was connected yet; 'clover reader scan' finds some")
            } else {
                let times = try await DisplayedTimes.ofMachine(ConnectionChoice(), in: environment)
                try await StandardOutput.show(ReaderText.table(readers, times, in: environment), in: environment)
            }
            return 0
        }
    }
}
