import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config keys`.
    struct Keys: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract: "List every key, and what it takes",
            discussion: """
                Examples:
                  clover config keys
                  clover config keys --json | jq -r 'select(.perProfile).key'

                One JSON object a line, a table on a terminal. The configuration \
                file is not read.
                """
        )

        /// The manual pages are made by this; see Scripts/generate-docs.
        @Option(help: .hidden)
        var manual: Manual?

        enum Manual: String, ExpressibleByArgument { case keys, variables }

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            let isTable = manual == nil && environment.terminal.isOutputTerminal && !messages.json
            let text =
                switch manual {
                case .keys: KeyText.manual
                case .variables: VariableText.manual
                case nil where isTable: KeyText.table(in: environment)
                case nil: ConfigurationKey.allCases.map { KeyText.json($0) + "\n" }.joined()
                }
            try await StandardOutput.show(text, isTable: isTable, in: environment)
            return 0
        }
    }
}
