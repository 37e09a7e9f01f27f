import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverJSON
import CloverOutput
import CloverSystem

extension Config {
    struct List: RecordCommand {
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

        @OptionGroup(title: "What to print")
        var outputFile: OutputFileOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
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
            if explain, let idle = report.ignoredProfile {
                environment.diagnostics.notice(
                    "the section of profile '\(idle.name)' has no effect: \(idle.causes.joined(separator: " and ")) "
                        + "\(idle.causes.count == 1 ? "selects" : "select") other data; "
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
            return widest(0) + min(widest(1), readableWidth) + widest(2) + 2 * TableWriter.gap.count
        }

        private static let readableWidth = 12

        /// A setting on separate lines, for a terminal without room for columns. The source is kept: --explain asks
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

/// Settings as text and as JSON.
enum ConfigurationText {
    /// One JSON object; numbers and booleans have their JSON types.
    static func json(_ key: ConfigurationKey, _ value: ConfigurationValue?) -> String {
        object(key, value).text
    }

    /// One JSON object with the value's source, and the values that it overrides.
    static func explanation(_ entry: ConfigurationReport.Entry) -> String {
        var line = object(entry.key, entry.value)
        add(entry.value?.source, to: &line)
        let others = entry.overruled.map { value in
            var other = JSONLine()
            other.add("value", json: json(of: value.text, for: entry.key))
            add(value.source, to: &other)
            return other.text
        }
        line.add("overruled", json: "[" + others.joined(separator: ",") + "]")
        return line.text
    }

    /// A short description of the source of a value.
    static func place(_ source: ConfigurationValue.Source) -> String {
        switch source {
        case .flag: "flag"
        case .variable(let name): name
        case .file(_, let line, let profile):
            "\(ConfigurationFile.name) line \(line)" + (profile.map { ", profile \($0)" } ?? "")
        case .signIn: "sign-in"
        case .standard: "default"
        }
    }

    private static func object(_ key: ConfigurationKey, _ value: ConfigurationValue?) -> JSONLine {
        var line = JSONLine()
        line.add("key", key.name)
        line.add("value", json: value.map { json(of: $0.text, for: key) } ?? "null")
        return line
    }

    private static func add(_ source: ConfigurationValue.Source?, to line: inout JSONLine) {
        switch source {
        case .flag: line.add("source", "flag")
        case .variable(let name):
            line.add("source", "environment")
            line.add("variable", name)
        case .file(let path, let number, let profile):
            line.add("source", "file")
            line.add("path", path)
            line.add("line", Int64(number))
            line.add("profile", profile)
        case .signIn: line.add("source", "sign-in")
        case .standard: line.add("source", "default")
        case nil: line.add("source", String?.none)
        }
    }

    private static func json(of text: String, for key: ConfigurationKey) -> String {
        switch key.facts.kind {
        case .wholeNumber: text.drop { $0 == "0" }.isEmpty ? "0" : String(text.drop { $0 == "0" })
        case .truth: ["true", "yes", "on", "1"].contains(text.lowercased()) ? "true" : "false"
        default: JSONString.quoted(text)
        }
    }
}
