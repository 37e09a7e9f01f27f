import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config keys`.
    struct Keys: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract: "List every key and its accepted values",
            discussion: """
                Examples:
                  clover config keys
                  clover config keys --json | jq -r 'select(.perProfile).key'
                  clover config keys --json | jq -r 'select(.default != null).key'

                Prints one JSON object a line, or a table on a terminal. The configuration file is not read.
                """
        )

        /// Prints parts of manual pages; see Scripts/generate-docs.
        @Option(help: .hidden)
        var manual: Manual?

        enum Manual: String, ExpressibleByArgument, CaseIterable {
            case keys, variables, statuses
            case exitCodes = "exit-codes"
            case filters, jq, cron
        }

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
                case .statuses: HelpPage.macros(HelpPage.statuses).map { $0 + "\n" }.joined()
                case .exitCodes: HelpPage.exitCodes.manual
                case .filters: HelpPage.filters.manual
                case .jq: HelpPage.jq.manual
                case .cron: HelpPage.cron.manual
                case nil where isTable: KeyText.table(in: environment).text
                case nil: ConfigurationKey.allCases.map { KeyText.json($0) + "\n" }.joined()
                }
            try await StandardOutput.show(text, isTable: isTable, in: environment)
            return 0
        }
    }
}
