import ArgumentParser
import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverOutput
import CloverReports

/// What ArgumentParser refused, in our words. Its own suggestions for options are dropped: it suggests whatever is within
/// three letters, such as `--zone` for `--since`.
struct ParserRefusal {
    let message: String
    private(set) var hints: [String] = []

    /// - Parameters:
    ///   - text: ArgumentParser's message.
    ///   - arguments: the command line, without the program's name.
    ///   - now: milliseconds since 1970.
    init(_ text: String, arguments: [String], now: Int64) {
        let lines = text.split(separator: "\n").map(String.init)
        var first = Self.firstLowercased(lines.first ?? text)
        if let found = first.firstMatch(of: /unknown option '(--?[^']+)'(\. Did you mean '(-[^']+)'\?)?/) {
            let option = String(found.1)
            let suggested = found.3.map(String.init)
            if let path = Self.reportTypedAsPath(arguments), let report = FamiliarWords.report(path) {
                // The option may be one of the report, or of another program.
                let asked = ["report"] + arguments.dropFirst()
                let known = KnownOptions(of: asked).names
                first = "unknown path '\(path)'"
                hints = ["did you mean: clover \(report)"]
                if let meant = FamiliarWords.option(option, in: asked, known: known, now: now), !known.contains(option)
                {
                    hints.append(meant)
                }
            } else {
                first = "unknown option '\(option)'"
                hints = Self.hints(forOption: option, suggested: suggested, arguments, now: now)
            }
        } else if first.hasSuffix(Self.listFollows) || first.contains(Self.wordsFollow) {
            var values = Self.values(lines)
            let isGrouping = arguments.first == "report" && first.contains("'--by ")
            let report = isGrouping ? arguments.dropFirst().first.flatMap { ReportName(rawValue: $0) } : nil
            if let report { values = report.groupings.map(\.rawValue) }
            for ending in [Self.listFollows, Self.wordsFollow] {
                if let range = first.firstRange(of: ending) { first = String(first[..<range.lowerBound]) }
            }
            let typed = first.firstMatch(of: /the value '([^']*)'/).map { String($0.1) } ?? ""
            if arguments.first == "report", first.contains("'--format ") { values.append("xlsx") }
            if ["excel", "xls"].contains(typed.lowercased()), values.contains("csv"), !values.contains("xlsx") {
                hints.append("spreadsheets open --format csv")
            }
            let familiar = FamiliarWords.value(typed, among: values)
            let near = familiar.map { [$0] } ?? NearestNames.of(typed, among: values)
            if arguments.first == "report", Period.whole(typed.lowercased(), today: 0) != nil {
                hints.append("did you mean: clover report \(values.first ?? "") --period \(typed)")
            } else if typed == "help" {
                hints.append("did you mean: clover help \(arguments.first ?? "")")
            } else if !near.isEmpty {
                hints.append("did you mean: " + near.joined(separator: ", "))
            }
            if let report, report != .hours, typed.hasPrefix("weekday") {
                hints.append("for weekdays by hour: clover report hours")
            }
            hints.append(
                values.isEmpty ? report?.ungrouped ?? "" : "it is one of: " + values.joined(separator: ", "))
        } else if let word = first.firstMatch(of: /^unexpected argument '([^' ]+)'/).map({ String($0.1) }) {
            hints = Self.hints(forArgument: word, arguments)
        } else if first.contains(" unexpected arguments: ") {
            let words = first.matches(of: /'([^' ]+)'/).map { String($0.1) }
            hints = Self.hints(forArgument: words.joined(separator: "-"), arguments)
            if hints.isEmpty, let word = words.first { hints = Self.hints(forArgument: word, arguments) }
        } else if let found = first.firstMatch(of: /^missing expected argument '([^']+)'/) {
            (first, hints) = Self.missing(found.1)
            if arguments.first == "charge" { hints += Self.amountHints(arguments) }
        } else if first.hasPrefix("missing value for '--card ") {
            (first, hints) = ("--card takes '-'", ["to type a card, or to pass one through standard input: --card -"])
        } else if first.contains("is invalid for"), first.contains("<count>'") {
            hints.append("a count is a whole number")
        }
        message = first
    }

    // ArgumentParser's words before a list of values, on lines of their own or in the sentence.
    private static let listFollows = ". Please provide one of the following:"
    private static let wordsFollow = ". Please provide one of '"

    /// The values that ArgumentParser lists.
    private static func values(_ lines: [String]) -> [String] {
        guard let first = lines.first else { return [] }
        if first.hasSuffix(listFollows) {
            return lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst("  - ".count)) }
        }
        guard let range = first.firstRange(of: wordsFollow) else { return [] }
        return ("'" + first[range.upperBound...]).matches(of: /'([^']*)'/).map { String($0.1) }
    }

    private static func hints(
        forOption option: String, suggested: String?, _ arguments: [String], now: Int64
    ) -> [String] {
        let known = KnownOptions(of: arguments).names
        if let meant = FamiliarWords.option(option, in: arguments, known: known, now: now) { return [meant] }
        guard let suggested, !NearestNames.of(option, among: [suggested]).isEmpty else { return [] }
        return ["did you mean: \(suggested)"]
    }

    /// The path of `get` that is none, but may be a report; nil for other command lines.
    private static func reportTypedAsPath(_ arguments: [String]) -> String? {
        guard arguments.first == "get", let path = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }),
            FamiliarWords.report(path) != nil, EndpointCatalogue.operation(typed: path) == nil
        else { return nil }
        return path
    }

    /// What a word is that no argument of the command takes.
    private static func hints(forArgument word: String, _ arguments: [String]) -> [String] {
        let command = arguments.first ?? ""
        if ["get", "report", "reconcile"].contains(command), Period.whole(word.lowercased(), today: 0) != nil {
            return ["did you mean: --period \(word)"]
        }
        // gh's -q is --jq, and here it is --quiet.
        let isAfterQuiet = arguments.firstIndex(of: "-q").map { arguments[($0 + 1)...].first == word } ?? false
        // gh's --json takes fields.
        if arguments.firstIndex(of: "--json").map({ arguments[($0 + 1)...].first == word }) ?? false {
            return ["--json takes no value; to choose fields: --fields \(word) --format ndjson"]
        }
        if word.hasPrefix(".") || command == "api" && isAfterQuiet { return ["did you mean: --jq '\(word)'"] }
        if command == "api", arguments.count > 2, let method = HTTPMethod(rawValue: arguments[1].uppercased()) {
            return ["did you mean: clover api \(method == .get ? "" : "-X \(method.rawValue) ")\(arguments[2])"]
        }
        if ["post", "put"].contains(command), word.contains(/^[A-Za-z_][A-Za-z0-9_.\[\]]*:?=/) {
            return ["to send a field, write --field \(word)"]
        }
        if command == "report", word == "help" { return ["did you mean: clover help report"] }
        if arguments.starts(with: ["export", "status"]) { return ["did you mean: --to \(word)"] }
        return []
    }

    /// The message and hints for an argument or option that is missing, as `--currency <code>` or `<path>`.
    private static func missing(_ usage: Substring) -> (message: String, hints: [String]) {
        let words = usage.split(separator: " ").map { $0.filter { $0 != "<" && $0 != ">" } }
        guard words.count > 1 else {
            return switch words.first {
            case "report": ("which report?", ["it is one of: " + ReportName.list])
            case "path": ("the path is missing", ["such as: orders, items or payments (all: clover endpoints)"])
            default: ("the \(words.first ?? "argument") is missing", [])
            }
        }
        let example =
            words[0] == "--currency" ? "--currency USD, or the shop's own" : "\(words[0]) \(words[1].uppercased())"
        return ("\(words[0]) is missing", ["add \(example)"])
    }

    /// What else is wrong with a charge, so that it is not found out one by one. Long values may be a card's number.
    private static func amountHints(_ arguments: [String]) -> [String] {
        var hints: [String] = []
        func value(_ option: String) -> String? {
            arguments.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
                ?? arguments.firstIndex(of: option).flatMap { arguments[($0 + 1)...].first }
        }
        if let amount = value("--amount") {
            let isRight = amount.contains(/^[0-9]+(\.[0-9]+)?$/) && amount.contains(/[1-9]/)
            let shown = amount.count <= 10 ? ", not '\(amount)'" : ""
            if !isRight { hints.append("--amount is more than zero and written as 12.50\(shown)") }
        }
        if let card = value("--card"), card != "-" {
            hints.append("--card takes -: the card comes from standard input or a prompt, and is never an argument")
        }
        return hints
    }

    private static func firstLowercased(_ line: String) -> String {
        // Keep a name that is written in capitals.
        let isName = line.dropFirst().first?.isUppercase ?? false
        return isName ? line : line.prefix(1).lowercased() + line.dropFirst()
    }
}

/// The options of the command that a command line names.
struct KnownOptions {
    /// With their hyphens. Empty if no command is named.
    let names: Set<String>
    /// Those of them that take a value.
    private let valued: Set<String>
    /// The words after the command's name.
    private let rest: ArraySlice<String>

    /// - Parameter arguments: without the program's name.
    init(of arguments: [String]) {
        var command: any ParsableCommand.Type = Clover.self
        var rest = arguments[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            rest = rest.dropFirst()
        }
        self.rest = rest
        guard command != Clover.self else {
            (names, valued) = ([], [])
            return
        }
        command = command.configuration.defaultSubcommand ?? command
        var pages = command.helpMessage(for: command, includeHidden: true, columns: NarrowPage.usualWidth)
        // The options of the export that is scheduled follow its own.
        if command == Export.Schedule.self {
            pages += Export.Run.helpMessage(
                for: Export.Run.self, includeHidden: true, columns: NarrowPage.usualWidth)
        }
        // The lines of options only: other lines may name options of other commands.
        let heads = pages.split(separator: "\n").filter { $0.hasPrefix("  -") }.map { line in
            let name = line.dropFirst(2)
            return name[..<(name.firstRange(of: "  ")?.lowerBound ?? name.endIndex)]
        }
        func found(in heads: [Substring]) -> [String] {
            heads.flatMap { head in
                head.prefix { $0 != "<" }.matches(of: /(?:--[a-z][a-z-]*|-[A-Za-z](?![a-z-]))/)
                    .map { String($0.output) }
            }
        }
        names = Set(found(in: heads) + ["--help", "-h", "--version"])
        valued = Set(found(in: heads.filter { $0.contains("<") }))
    }

    /// Whether an option takes a value: a long one, a short one, or several short ones in one word.
    func takesValue(_ option: String) -> Bool {
        if option.hasPrefix("--") { return valued.contains(option) }
        return option.dropFirst().contains { valued.contains("-\($0)") }
    }

    /// The first option that the command does not have, on a command line that was refused for another reason; nil if there
    /// is none.
    var firstUnknown: String? {
        guard !names.isEmpty else { return nil }
        return rest.prefix { $0 != "--" }.lazy
            .filter { $0.hasPrefix("--") || $0.contains(/^-[A-Za-z]$/) }.map { String($0.prefix { $0 != "=" }) }
            .first { !names.contains($0) }
    }
}

extension ErrorReport {
    /// Adds that a jq program sees one record at a time, if the program that failed was written for a list.
    func naming(programs: [String], isSlurping: Bool) -> ErrorReport {
        guard code == "records_failed", !isSlurping, let program = programs.last,
            program.contains(/^ *(\.elements|\.\[\]|(map|group_by|sort_by|unique_by|min_by|max_by|add|first|last)\b)/)
        else { return self }
        var report = self
        report.hints.append(
            "the program runs on each record by itself, such as --jq '.id'; for one array of all records, add --slurp")
        return report
    }

    /// Adds the filters that the user wrote to the report of a refusal that may be about one of them.
    func naming(filters: [String]) -> ErrorReport {
        guard http == 400, !filters.isEmpty else { return self }
        var report = self
        report.hints.insert(
            (filters.count == 1 ? "the filter was: " : "the filters were: ")
                + filters.map { "'\($0)'" }.joined(separator: " and "), at: 0)
        return report
    }
}
