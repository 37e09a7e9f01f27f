import CloverAPI
import CloverCalendar

/// What ArgumentParser refused, in our words. Its own suggestions for options are dropped: it suggests whatever is within
/// three letters, such as `--zone` for `--since`.
struct ParserRefusal {
    let message: String
    private(set) var hints: [String] = []

    /// - Parameters:
    ///   - text: ArgumentParser's message.
    ///   - arguments: the command line, without the program's name.
    init(_ text: String, arguments: [String]) {
        let lines = text.split(separator: "\n").map(String.init)
        var first = Self.firstLowercased(lines.first ?? text)
        if let found = first.firstMatch(of: /unknown option '(--?[^']+)'(\. Did you mean '(-[^']+)'\?)?/) {
            let option = String(found.1)
            let suggested = found.3.map(String.init)
            first = "unknown option '\(option)'"
            hints = Self.hints(forOption: option, suggested: suggested, arguments)
        } else if first.hasSuffix(Self.listFollows) || first.contains(Self.wordsFollow) {
            let values = Self.values(lines)
            for ending in [Self.listFollows, Self.wordsFollow] {
                if let range = first.firstRange(of: ending) { first = String(first[..<range.lowerBound]) }
            }
            let typed = first.firstMatch(of: /the value '([^']*)'/).map { String($0.1) } ?? ""
            let near = NearestNames.of(typed, among: values)
            if arguments.first == "report", Period.whole(typed.lowercased(), today: 0) != nil {
                hints.append("did you mean: clover report \(values.first ?? "") --period \(typed)")
            } else if !near.isEmpty {
                hints.append("did you mean: " + near.joined(separator: ", "))
            }
            hints.append("it is one of: " + values.joined(separator: ", "))
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
        forOption option: String, suggested: String?, _ arguments: [String]
    ) -> [String] {
        if let meant = meant(by: option, arguments) { return [meant] }
        guard let suggested, !NearestNames.of(option, among: [suggested]).isEmpty else { return [] }
        return ["did you mean: \(suggested)"]
    }

    /// What `clover` has for an option of another command or another program; nil if nothing.
    private static func meant(by option: String, _ arguments: [String]) -> String? {
        let command = arguments.first ?? ""
        if command == "export", let hint = exportHints[option] { return hint }
        guard command == "get" else { return nil }
        if let comparison = times[option] { return timeHint(comparison, arguments) }
        return getHints[option]
    }

    private static let exportHints = [
        "--dry-run": "to check an export without sending anything: clover export schedule --every 1d -- ...",
        "--curl": "to print a request as a curl command: clover get RESOURCE --curl",
        "--slurp": "an export writes one record a line; for one array: clover get RESOURCE --all --slurp",
    ]

    private static let getHints = [
        "--where": "to choose records: --filter 'total>=5000'", "--search": "to choose records: --filter 'name=Latte'",
        "--query": "to choose records: --filter 'total>=5000'; to choose and change fields: --jq '{id,total}'",
        "--order-by": "to sort: --sort total:desc", "--sort-by": "to sort: --sort total:desc",
        "--select": "to choose fields: --fields id,total", "--columns": "to choose fields: --fields id,total",
        "--page": "pages are read as needed: --limit N or --all",
        "--per-page": "pages are read as needed: --limit N or --all",
        "--paginate": "pages are read as needed: --limit N or --all", "--max": "to limit records: --limit N",
        "--template": "to form the output: --jq '...' or --format table",
    ]

    /// Options of `export` and of other programs that limit the time, and the comparison of a filter that does.
    private static let times = [
        "--since": ">=", "--from": ">=", "--after": ">", "--until": "<", "--before": "<", "--to": "<",
    ]

    /// The filter on the time by which the list can be limited, with the value that was typed.
    private static func timeHint(_ comparison: String, _ arguments: [String]) -> String? {
        let path = arguments.dropFirst().first { !$0.hasPrefix("-") } ?? ""
        guard let endpoint = EndpointCatalogue.operation(typed: path),
            let field = endpoint.timeField ?? endpoint.changeField ?? (endpoint.shape == .list ? "createdTime" : nil)
        else { return "to limit the time: --filter 'createdTime\(comparison)yesterday'" }
        let option = arguments.first { times[$0] != nil || times[String($0.prefix { $0 != "=" })] != nil }
        let index = option.flatMap { arguments.firstIndex(of: $0) }
        let value =
            option?.contains("=") == true
            ? option?.drop { $0 != "=" }.dropFirst().description
            : index.flatMap { arguments[($0 + 1)...].first }
        let isTime = value?.allSatisfy { $0.isLetter || $0.isNumber || "-:.+".contains($0) } ?? false
        return "to limit the time: --filter '\(field)\(comparison)\(isTime ? value ?? "" : "yesterday")'"
    }

    private static func firstLowercased(_ line: String) -> String {
        // Keep a name that is written in capitals.
        let isName = line.dropFirst().first?.isUppercase ?? false
        return isName ? line : line.prefix(1).lowercased() + line.dropFirst()
    }
}

extension ErrorReport {
    /// Adds the filters that the user wrote to the report of a refusal that may be about one of them.
    func naming(filters: [String]) -> ErrorReport {
        guard http == 400, !filters.isEmpty else { return self }
        var report = self
        report.hints.insert("the filters were: " + filters.map { "'\($0)'" }.joined(separator: " and "), at: 0)
        return report
    }
}
