import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverJSON

extension Config {
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
            case filters, jq, reports, cron
        }

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            let isTable = manual == nil && environment.terminal.isOutputTerminal && !messages.json
            let text =
                switch manual {
                case .keys: KeyText.manual
                case .variables: VariableText.manual
                case .statuses: HelpPage.macros(HelpPage.statuses).map { $0 + "\n" }.joined()
                case .exitCodes: HelpPage.exitCodes.manual
                case .filters: HelpPage.filters.manual
                case .jq: HelpPage.jq.manual
                case .reports: HelpPage.reports.manual
                case .cron: HelpPage.cron.manual
                case nil where isTable: KeyText.table(in: environment).text
                case nil: ConfigurationKey.allCases.map { KeyText.json($0) + "\n" }.joined()
                }
            try await StandardOutput.show(text, isTable: isTable, in: environment)
            return 0
        }
    }
}

/// Descriptions of the configuration keys, for the help, `config keys` and the manual pages.
enum KeyText {
    /// All names, in lines that fit a terminal.
    static var list: String {
        FoldedText.lines(ConfigurationKey.allCases.map(\.name), separator: ", ", width: 74).map { "  " + $0 }
            .joined(separator: "\n")
    }

    /// One JSON object.
    static func json(_ key: ConfigurationKey) -> String {
        let facts = key.facts
        var line = JSONLine()
        line.add("key", key.name)
        line.add("takes", facts.kind.expectation)
        line.add("default", facts.standard)
        line.add("option", facts.option)
        line.add("variables", key.variables)
        line.add("perProfile", key.isPerProfile)
        line.add("summary", facts.summary)
        return line.text
    }

    /// A table for a person. If it does not fit the terminal, a list instead, because truncation would drop the
    /// explanation.
    static func table(in environment: CommandEnvironment) -> TextPage {
        let rows = ConfigurationKey.allCases.map { key in
            [key.name, key.facts.standard ?? "", key.facts.kind.expectation, key.facts.summary]
        }
        let table = AlignedRows.text(head: ["KEY", "DEFAULT", "TAKES", "WHAT"], rows)
        guard let width = environment.terminal.width,
            table.text.split(separator: "\n").contains(where: { $0.count > width })
        else { return table }
        return TextPage(rows.map { entry($0, width: width) }.joined())
    }

    private static func entry(_ row: [String], width: Int) -> String {
        let standard = row[1].isEmpty ? "" : "; default: \(row[1])"
        var text = row[0] + "\n"
        for sentence in [row[3], "Takes \(row[2])\(standard)."] {
            let words = sentence.split(separator: " ").map(String.init)
            for line in FoldedText.lines(words, width: max(1, width - indent)) {
                text += String(repeating: " ", count: indent) + line + "\n"
            }
        }
        return text
    }

    private static let indent = 4

    /// The list entries in mdoc(7), for the manual page of the file.
    static var manual: String {
        ConfigurationKey.allCases.map { key in
            let facts = key.facts
            var words = [facts.summary, "Takes \(facts.kind.expectation)."]
            if let standard = facts.standard { words.append("Default: \(standard).") }
            if let option = facts.option { words.append("Option: \(option).") }
            words.append("Variable: \(key.variables.joined(separator: " or ")).")
            if !key.isPerProfile { words.append("Top level only.") }
            return ".It Ic \(key.name)\n" + words.map { escaped($0) + "\n" }.joined()
        }.joined()
    }

    /// Escapes text for mdoc: a hyphen stays a hyphen, and no line begins with a control character.
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
