import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverRecords

extension Config {
    /// `clover config list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the settings in effect",
            discussion: """
                Examples:
                  clover config list
                  clover config list --explain
                  clover config list --profile downtown --explain --json

                Lists the values from variables and the file that are in effect. With --explain, lists every key, even \
                if it is not set, and where its value comes from: the flag, the variable, the line of the file, the \
                sign-in, or the default; in JSON also the values that it overrides.

                Prints one JSON object a line, or a table on a terminal.
                """
        )

        @Flag(name: .long, help: "List every key, and where its value comes from.")
        var explain = false

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            let report = try await ConfigurationReport.make(connection.choice, in: environment)
            let entries = report.entries.filter { explain || $0.isSet }
            let isTable = environment.terminal.isOutputTerminal && !messages.json
            if isTable {
                try await StandardOutput.show(table(entries, in: environment), in: environment)
            } else {
                let lines = entries.map {
                    (explain ? ConfigurationText.explanation($0) : ConfigurationText.json($0.key, $0.value)) + "\n"
                }
                try await StandardOutput.print(lines.joined(), in: environment)
            }
            if explain, let idle = report.idleProfile {
                environment.diagnostics.notice(
                    "the section of profile '\(idle.name)' has no effect: \(idle.causes.joined(separator: " and ")) "
                        + "\(idle.causes.count == 1 ? "selects" : "select") the merchant; "
                        + "to use the section, add --profile \(idle.name)"
                )
            }
            if isTable, entries.isEmpty {
                environment.diagnostics.notice("nothing is set; --explain lists every key and its default")
            }
            return 0
        }

        private func table(_ entries: [ConfigurationReport.Entry], in environment: CommandEnvironment) -> TextPage {
            let rows = entries.map { entry in
                [
                    entry.key.name, entry.value?.text ?? "",
                    entry.value.map { ConfigurationText.place($0.source) } ?? "",
                ]
            }
            guard !rows.isEmpty else { return TextPage("") }
            let head = ["KEY", "VALUE", "FROM"]
            if explain, let width = environment.terminal.width, width < Self.leastWidth([head] + rows) {
                return TextPage(rows.map { Self.lines($0, width: width) }.joined())
            }
            return explain
                ? AlignedRows.text(head: head, rows, meanings: ["FROM": .whole], in: environment)
                : AlignedRows.text(head: ["KEY", "VALUE"], rows.map { Array($0.prefix(2)) }, in: environment)
        }

        /// Minimum number of terminal columns for the whole of KEY and FROM, and a readable VALUE.
        private static func leastWidth(_ rows: [[String]]) -> Int {
            func widest(_ column: Int) -> Int { rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
            return widest(0) + min(widest(1), readableWidth) + widest(2) + 2 * TableLine.gap.count
        }

        private static let readableWidth = 12

        /// A setting on lines of its own, for a terminal without room for columns. The source is kept: --explain asks
        /// for it.
        private static func lines(_ row: [String], width: Int) -> String {
            let setting = row[1].isEmpty ? row[0] : "\(row[0]): \(TerminalText.line(row[1]))"
            let place = row[2].isEmpty ? "  not set" : "  from: \(row[2])"
            return
                (FoldedText.lines(setting, indent: 4, width: width) + FoldedText.lines(place, indent: 4, width: width))
                .map { $0 + "\n" }.joined()
        }
    }
}
