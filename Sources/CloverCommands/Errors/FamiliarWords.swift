import ArgumentParser
import CloverAPI
import CloverCalendar
import CloverExport
import CloverOutput
import CloverReports

/// The words of other programs and of shops, and what clover has in their place: the one table for what no spelling rule can
/// find. The errors of commands, options, paths and values look here first, and only then among `NearestNames`.
enum FamiliarWords {
    /// Commands by the verbs of other programs.
    private static let verbs = [
        "create": "post", "add": "post", "new": "post", "insert": "post", "update": "post", "patch": "post",
        "edit": "post", "modify": "post",
        "import": "post", "upload": "post",
        "show": "get", "list": "get", "ls": "get", "view": "get", "fetch": "get", "read": "get", "find": "get",
        "search": "get", "query": "get", "describe": "get", "download": "get", "retrieve": "get", "get": "get",
        "watch": "follow", "tail": "follow", "stream": "follow",
        "rm": "delete", "remove": "delete", "del": "delete", "destroy": "delete",
        "browse": "open", "sync": "export", "backup": "export", "dump": "export", "pay": "charge",
        "request": "api", "call": "api", "fields": "schema", "settings": "config",
    ]

    /// Words that stand alone in the place of a command.
    private static let words = [
        "signin": "auth login", "sign-in": "auth login", "sign in": "auth login", "setup": "auth login",
        "set up": "auth login", "init": "auth login", "configure": "auth login", "signout": "auth logout",
        "sign out": "auth logout", "serve": "emulator serve", "demo": "emulator demo", "docs": "open docs",
        "doc": "open docs", "reports": "report", "stats": "report sales", "man": "help", "set": "config set",
        "health": "doctor", "check": "doctor", "diagnose": "doctor", "me": "whoami", "trigger": "webhook trigger",
        "event": "webhook list", "events": "webhook list",
    ]

    /// What moves money, by the words in the order of other programs.
    private static let money = [
        "charges create": "charge", "payments create": "charge", "refunds create": "charge refund",
        "charges list": "charge list", "charges retrieve": "charge show", "charges get": "charge show",
    ]

    /// Subcommands by the words that people type, by their command.
    private static let subcommands = [
        "alias": ["rm": "delete", "remove": "delete", "ls": "list", "add": "set", "create": "set"],
        "auth": [
            "ls": "list", "signin": "login", "signout": "logout", "rm": "logout", "use": "switch", "show": "status",
        ],
        "charge": ["get": "show", "status": "show", "view": "show", "cancel": "void", "ls": "list", "history": "list"],
        "config": ["ls": "list", "show": "list", "rm": "unset", "delete": "unset"],
        "emulator": ["start": "serve", "run": "serve", "up": "serve", "tour": "demo"],
        "export": ["ls": "status", "list": "status", "check": "verify", "query": "sql"],
        "reader": [
            "ls": "list", "rm": "forget", "remove": "forget", "pair": "connect", "find": "scan", "status": "watch",
        ],
        "webhook": ["ls": "list", "serve": "listen", "forward": "listen", "check": "verify", "send": "trigger"],
    ]

    /// What to type after `get` for the words of a shop.
    private static let nouns = [
        "product": ["items"], "products": ["items"], "menu": ["items", "categories"], "catalog": ["items"],
        "catalogue": ["items"], "inventory": ["items", "item_stocks"], "stock": ["item_stocks"],
        "stocks": ["item_stocks"], "staff": ["employees"], "users": ["employees"], "clients": ["customers"],
        "transactions": ["payments"], "receipts": ["orders"],
        "line_items": ["orders --expand lineItems", "orders/ID/line_items"],
        "lineitems": ["orders --expand lineItems", "orders/ID/line_items"],
        "order_items": ["orders --expand lineItems", "orders/ID/line_items"],
        "shop": ["merchant"], "merchants": ["merchant"], "tax": ["tax_rates"],
    ]

    /// Values of options, where clover has another word for the same.
    private static let values = [
        "jsonl": "ndjson", "jsonlines": "ndjson", "json-lines": "ndjson", "excel": "xlsx", "xls": "xlsx",
        "text": "table", "pretty": "table", "daily": "day", "weekly": "week", "monthly": "month", "hourly": "hour",
        "cents": "minor", "prev": "previous", "staff": "employees", "employee": "employees", "products": "items",
        "product": "items", "bestsellers": "items", "best-sellers": "items", "revenue": "sales",
    ]

    /// What a word in the place of a command means; empty if no other program has it for a command.
    ///
    /// - Parameters:
    ///   - path: the words before it.
    ///   - next: the word after it, if that is no option.
    static func commands(_ word: String, after path: [String], next: String?) -> [String] {
        if let command = path.first {
            guard path.count == 1 else { return [] }
            if command == "charge", let charge = charge(word) { return [charge] }
            if command == "auth", ["whoami", "me"].contains(word) { return ["whoami"] }
            return subcommands[command]?[word].map { ["\(command) \($0)"] } ?? []
        }
        let both = next.map { "\(word) \($0)" }
        if let meant = both.flatMap({ words[$0] ?? money[$0] }) ?? words[word] { return [meant] }
        if let period = [word, next.map { "\(word)-\($0)" }].compactMap(\.self).first(where: isPeriod) {
            return ["report sales --period \(period.lowercased())"]
        }
        if word == "explain", let next, !lists(next).isEmpty {
            return lists(next).flatMap { ["endpoints \($0)", "schema \($0)"] }
        }
        // 'opening hours' is the list opening_hours, 'items create' is 'post items', and 'list-orders' is 'get orders'.
        if let both, EndpointCatalogue.families().contains(both.replacing(" ", with: "_")) {
            return ["get " + both.replacing(" ", with: "_")]
        }
        if let next, let verb = ownVerb(next) ?? verbs[next], !lists(word).isEmpty {
            return lists(word).map { "\(verb) \($0)" }
        }
        let parts = word.split(separator: "-", maxSplits: 1).map(String.init)
        if parts.count == 2, let verb = ownVerb(parts[0]) ?? verbs[parts[0]] {
            return lists(parts[1].replacing("-", with: "_")).map { "\(verb) \($0)" }
        }
        guard let verb = verbs[word] else { return [] }
        guard let next else { return [verb] }
        if verb == "charge", let charge = charge(next) { return [charge] }
        let family = next.split(separator: "/").first.map(String.init) ?? next
        if nouns[family.lowercased()] != nil || family == next, !lists(family).isEmpty {
            return lists(family).map { "\(verb) \($0)" }
        }
        // 'list readers' is 'reader list'.
        let owners = Clover.configuration.subcommands.filter { command in
            [next, String(next.dropLast())].contains(command._commandName)
                && command.configuration.subcommands.contains { $0._commandName == word }
        }
        guard owners.isEmpty else { return owners.map { "\($0._commandName) \(word)" } }
        if EndpointCatalogue.families().contains(family) { return ["\(verb) \(next)"] }
        // What is searched for is no path.
        return ["find", "search", "query"].contains(word) ? [] : [verb]
    }

    /// Whether a command can be meant by a word, and the one that follows it: gh's 'repo' is no 'report'.
    static func mayBe(_ command: String, by word: String, before next: String?) -> Bool {
        if word == "repo" { return false }
        guard let next, verbs[next] != nil else { return true }
        return Clover.configuration.subcommands.contains { known in
            known._commandName == command && !known.configuration.subcommands.isEmpty
        }
    }

    private static func ownVerb(_ word: String) -> String? {
        ["get", "post", "put", "delete", "follow", "export"].contains(word) ? word : nil
    }

    /// The lists that a word means, in the singular or the plural; empty if there is none.
    static func lists(_ word: String) -> [String] {
        let name = word.lowercased().replacing("-", with: "_")
        let families = EndpointCatalogue.families()
        if let meant = nouns[name] { return meant }
        let plurals = ["\(name)s", "\(name)es", "\(name.dropLast())ies"]
        return ([name] + plurals).first { families.contains($0) }.map { [$0] } ?? []
    }

    private static func charge(_ amount: String) -> String? {
        let text = amount.first == "$" ? amount.dropFirst() : amount[...]
        guard text.count <= 10, text.wholeMatch(of: /[0-9]+([.,][0-9]+)?/) != nil else { return nil }
        return "charge --amount \(text.replacing(",", with: ".")) --currency USD"
    }

    /// Whether the word is a period of days; four digits may be anything.
    static func isPeriod(_ word: String) -> Bool {
        word.count > 4 && Period.whole(word.lowercased(), today: 0) != nil
    }

    /// The report that is meant by a path after `get`; nil for other paths.
    static func report(_ path: String) -> String? {
        if path == "report" || path == "reports" { return "report" }
        return (ReportName(rawValue: path) ?? ReportName(rawValue: path + "s")).map { "report \($0.rawValue)" }
    }

    /// What to type after `get` for a path that does not exist; empty if it is no word of a shop.
    static func paths(_ path: String) -> [String] {
        nouns[path.lowercased().replacing("-", with: "_")] ?? []
    }

    /// The one of an option's values that is meant; nil if no other program has the word.
    static func value(_ typed: String, among known: [String]) -> String? {
        values[typed.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    }

    /// What clover has for an option of another command or another program; nil if nothing.
    ///
    /// - Parameters:
    ///   - arguments: the command line, without the program's name.
    ///   - known: the options of the command.
    ///   - now: milliseconds since 1970.
    static func option(_ option: String, in arguments: [String], known: Set<String>, now: Int64) -> String? {
        let command = arguments.first ?? ""
        let pair = arguments.prefix(2).joined(separator: " ")
        if let hint = options[pair]?[option] ?? options[command]?[option] { return hint }
        if option == "--count", known.contains("--limit"), value(of: option, in: arguments).flatMap({ Int($0) }) == nil
        {
            return "to count records: --all --jq .id | wc -l"
        }
        if let (own, hint) = common[option], known.contains(own) { return hint }
        if ["--group-by", "--group", "--interval"].contains(option), known.contains("--by"),
            let groupings = ReportName(rawValue: arguments.dropFirst().first ?? "")?.groupings.map(\.rawValue)
        {
            let typed = value(of: option, in: arguments) ?? ""
            let meant = groupings.contains(typed) ? typed : Self.value(typed, among: groupings)
            if let meant { return "to group: --by \(meant)" }
            return groupings.isEmpty ? nil : "to group, for example: --by \(groupings[0])"
        }
        let word = String(option.drop { $0 == "-" })
        if known.contains("--format") {
            let isSheet = ["excel", "xls", "xlsx"].contains(word)
            if isSheet {
                return command == "report"
                    ? "for Excel: --format xlsx --output FILE.xlsx" : "spreadsheets open --format csv"
            }
            if let format = RecordFormat(rawValue: word), format != .json {
                return "to choose the format: --format \(format.rawValue)"
            }
        }
        if known.contains("--period"), isPeriod(word) { return "to limit the time: --period \(word)" }
        if ["--jq", "--format", "--fields"].contains(option) {
            return "it writes JSON in a pipe, or with --json; for other forms, pipe it to jq"
        }
        if command == "get" {
            if option == "--where" { return whereHint(option, arguments, now: now) }
            if option == "--query" {
                return whereHint(option, arguments, now: now) + "; to choose and change fields: --jq '{id,total}'"
            }
            if ["--order", "--order-by", "--sort-by"].contains(option) { return sortHint(option, arguments) }
            if days.contains(option) {
                let (typed, field) = (period(option, in: arguments), timeField(arguments))
                return "to choose the days\(typed == nil ? ", for example" : ""): "
                    + "--filter '\(field) in (\(typed ?? "yesterday"))'"
            }
            let path = arguments.dropFirst().first { !$0.hasPrefix("-") }
            return comparisons[option].map { timeHint($0, arguments, now: now) } ?? filterHint(option, arguments)
                ?? (option == "--name" ? path.map { "for what the list filters by: clover endpoints \($0)" } : nil)
        }
        if command == "export", let comparison = comparisons[option] {
            let time = value(of: option, in: arguments).flatMap { Self.time($0, now: now) } ?? "2026-10-01"
            return "to limit the time: \(comparison.hasPrefix(">") ? "--since" : "--until")"
                + (time.hasPrefix("-") ? "=" : " ") + time
        }
        return known.contains("--period") ? periodHint(option, arguments, now: now) : nil
    }

    /// The condition that was typed for another option, as a filter; an example if it is no filter of the list.
    private static func whereHint(_ option: String, _ arguments: [String], now: Int64) -> String {
        let endpoint = EndpointCatalogue.operation(typed: path(arguments))
        let names = endpoint?.filterable ?? []
        let model = endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
        let context = TimeExpression.Context(now: now, zone: .utc)
        // One filter, in characters that a shell leaves alone between single quotes.
        if let text = typed(option, in: arguments), text.wholeMatch(of: /[A-Za-z0-9_.:<>=!+@$()*%,\- ]+/) != nil,
            !text.contains(/\s(?:and|or|AND|OR)\s/),
            let filters = try? FilterExpression.parse(text, times: context),
            filters.allSatisfy({ filter in
                guard names.contains(filter.field) else { return false }
                guard let model else { return true }
                return (try? FilterValue.check(filter, of: model)) != nil
            })
        {
            return "to choose records: --filter '\(text)'"
        }
        let example = names.contains("total") ? "total>=5000" : timeField(arguments) + ">=yesterday"
        return "to choose records, for example: --filter '\(example)'"
    }

    /// The order that was asked for with another option; an example if the list is not sorted by it.
    private static func sortHint(_ option: String, _ arguments: [String]) -> String {
        let names = EndpointCatalogue.operation(typed: path(arguments))?.sortable ?? []
        if let text = typed(option, in: arguments),
            let found = text.wholeMatch(of: /([-+]?)([A-Za-z][A-Za-z0-9_.]*)(?:[ :,]+(asc|desc|ASC|DESC))?/),
            names.contains(String(found.2))
        {
            let isDescending = found.3.map { $0.lowercased() == "desc" } ?? (found.1 == "-")
            return "to sort: --sort \(found.2):\(isDescending ? "desc" : "asc")"
        }
        let example = names.contains("total") ? "total" : names.first ?? "FIELD"
        return "to sort, for example: --sort \(example):desc"
    }

    /// The first word after the command that is no option: the path of a list.
    private static func path(_ arguments: [String]) -> String {
        arguments.dropFirst().first { !$0.hasPrefix("-") } ?? ""
    }

    /// The filter on a field of the list that an option is named like.
    private static func filterHint(_ option: String, _ arguments: [String]) -> String? {
        let word = option.drop { $0 == "-" }.lowercased().filter { $0 != "-" && $0 != "_" }
        guard word.count > 1, let names = EndpointCatalogue.operation(typed: path(arguments))?.filterable
        else { return nil }
        let plain = names.filter { !$0.contains(".") }
        let exact = plain.filter { $0.lowercased() == word }
        let near =
            exact.isEmpty ? plain.filter { $0.lowercased().hasPrefix(word) || $0.lowercased().hasSuffix(word) } : exact
        guard !near.isEmpty, near.count <= 4 else { return nil }
        let value = value(of: option, in: arguments) ?? "VALUE"
        return "to choose records: " + near.map { "--filter '\($0)=\(value)'" }.joined(separator: " or ")
    }

    /// What options of other programs are here, in every command that has the option named first.
    private static let common: [String: (own: String, hint: String)] = {
        let limit = ("--limit", "to limit records: --limit N")
        let file = ("--output", "to write to a file: --output FILE")
        let place = ("--environment", "to choose the service: --environment sandbox, us, eu, la or an address")
        let program = ("--from-file", "for a file with a jq program: --from-file FILE")
        let merchant = ("--merchant", "to choose the merchant: --merchant ID")
        let format = ("--format", "to choose the format: --format csv")
        return [
            "--max-items": limit, "--max-results": limit, "--page-size": limit, "--no-paginate": limit, "-L": limit,
            "-n": limit, "--count": limit, "--top": limit,
            "--out": file, "--output-file": file, "--out-file": file, "--outfile": file, "-O": file,
            "-s": ("--slurp", "for one array of all records: --slurp"),
            "-C": ("--jq", "for colored JSON, pipe it to: jq -C ."), "-M": ("--jq", "JSON has no colors"),
            "--endpoint-url": place, "--region": place, "--host": place, "--hostname": place, "--base-url": place,
            "--url": place, "--env": place,
            "--jq-file": program, "-f": program,
            "--merchant-id": merchant, "--account": merchant, "--shop": merchant, "--store": merchant,
            "--output-format": format,
            "--web": ("--filter", "to open a page in the browser: clover open"),
        ]
    }()

    private static let exported =
        "an export writes to a directory or a database: --to DIRECTORY; one list to a file: "
        + "clover export orders --format csv >FILE"
    private static let body =
        "the body comes from fields or a file: --field name=value, or --input FILE (- for standard input)"
    private static let redirection = "to write what was done to a file, also if the run fails: >FILE"
    private static let continued =
        "it prints changes without an end, and --output replaces a file only after a complete run: >FILE, or >>FILE to "
        + "add to a file"
    private static let printed = "to write it to a file: >FILE"
    private static let inPath = "parameters are part of the path: clover api 'orders?limit=1&filter=...'"

    /// Hints by command and option.
    private static let options: [String: [String: String]] = [
        "alias": ["--shell": "to run another program, begin the words with '!'"],
        "api": [
            "--limit": inPath, "--offset": inPath, "--filter": inPath, "--expand": inPath, "-n": inPath,
            "-d": "the body comes from fields or a file: -f name=value, or --input FILE",
            "--data": "the body comes from fields or a file: -f name=value, or --input FILE",
        ],
        "auth": ["--token": "for an access token on standard input: --with-token"],
        "auth login": [
            "--web": "'clover auth login' opens the browser by itself",
            "-w": "'clover auth login' opens the browser by itself",
        ],
        "config": [
            "--list": "did you mean: config list", "-l": "did you mean: config list",
            "--get": "did you mean: config get",
        ],
        "charge list": ["--status": "to choose by state: --state approved"],
        "completion": [
            "-o": printed, "--output": printed, "-s": "write the shell alone: clover completion zsh",
            "--shell": "write the shell alone: clover completion zsh",
        ],
        "export": [
            "--dry-run": "to check an export without sending anything: clover export schedule --every 1d -- ...",
            "--curl": "to print a request as a curl command: clover get RESOURCE --curl",
            "--slurp": "an export writes one record a line; for one array: clover get RESOURCE --all --slurp",
            "--period": "to export business days: --day 2026-10", "--output": exported, "-o": exported,
            "--out": exported,
            "--incremental": "every export is: after the first run, it writes only what has changed",
            "--all": "name what to export: clover export orders payments --to DIRECTORY; for everything that reports "
                + "read: --for-reports",
        ],
        "export sql": ["--to": "name the database first: clover export sql sqlite:FILE 'SELECT ...'"],
        "endpoints": ["--search": "to search: clover endpoints | grep WORD"],
        "checkout create": ["--amount": "name what is paid for, with its price: --item 'Tea=4.25'"],
        "export schedule": [
            "--systemd": "for systemd units: --print systemd", "--cron": "a crontab line is the default",
        ],
        "get": [
            "--search": "to search in texts: --all --jq 'select(.name // \"\" | test(\"latte\"; \"i\"))'",
            "--select": "to choose fields: --fields id,total", "--columns": "to choose fields: --fields id,total",
            "--page": "pages are read as needed: --limit N or --all",
            "--per-page": "pages are read as needed: --limit N or --all",
            "--paginate": "pages are read as needed: --limit N or --all", "--max": "to limit records: --limit N",
            "-d": "to send a body: clover post PATH --input FILE",
            "--template": "to form the output: --jq '...' or --format table",
            "--follow": "for changes as they happen: clover follow orders",
            "--watch": "for changes as they happen: clover follow orders",
        ],
        "delete": ["-o": redirection, "--output": redirection],
        "follow": ["-o": continued, "--output": continued],
        "post": [
            "-d": body, "--data": body, "-f": body, "-F": body, "-o": redirection, "--output": redirection,
        ],
        "version": ["-o": printed, "--output": printed],
        "put": ["-d": body, "--data": body, "-o": redirection, "--output": redirection],
    ]

    /// Options of `export` and of other programs that limit the time, and the comparison of a filter that does.
    private static let comparisons = [
        "--since": ">=", "--from": ">=", "--after": ">", "--until": "<", "--before": "<", "--to": "<",
        "--start-date": ">=", "--start": ">=", "--end-date": "<", "--end": "<",
    ]

    /// Options of `export` and of other programs for whole days.
    private static let days: Set = ["--day", "--date", "--month", "--period"]

    /// The filter on the time by which the list can be limited, with the value that was typed.
    private static func timeHint(_ comparison: String, _ arguments: [String], now: Int64) -> String {
        let field = timeField(arguments)
        let bounds = comparisons.compactMap { option, comparison -> (comparison: String, time: String)? in
            guard let typed = Self.value(of: option, in: arguments), let time = Self.time(typed, now: now) else {
                return nil
            }
            return (comparison, time)
        }.sorted { $0.comparison > $1.comparison }
        guard !bounds.isEmpty else { return "to limit the time: --filter '\(field)\(comparison)yesterday'" }
        let filters = bounds.map { "--filter '\(field)\($0.comparison)\($0.time)'" }
        return "to limit the time: " + filters.joined(separator: " ")
    }

    /// The time by which the list on the command line can be limited.
    private static func timeField(_ arguments: [String]) -> String {
        let endpoint = EndpointCatalogue.operation(typed: path(arguments))
        return endpoint?.timeField ?? endpoint?.changeField ?? "createdTime"
    }

    /// A time as filters take it: `7d` is meant as `-7d`. Nil for what is no time.
    private static func time(_ text: String, now: Int64) -> String? {
        let time = text.wholeMatch(of: /[0-9]{1,4}[mhdw]/) == nil ? text : "-" + text
        let context = TimeExpression.Context(now: now, zone: .utc)
        return TimeExpression.beginning(time, in: context) == nil ? nil : time
    }

    /// The value of an option for whole days; nil if it is no period.
    private static func period(_ option: String, in arguments: [String]) -> String? {
        guard let typed = value(of: option, in: arguments) else { return nil }
        return Period.whole(typed.lowercased(), today: 0) == nil ? nil : typed
    }

    /// An end of a period; `7d` is the day seven days ago.
    private static func day(_ text: String, today: Int64) -> String {
        guard let ago = text.wholeMatch(of: /-?([0-9]{1,4})([dw])/), let count = Int64(ago.1) else { return text }
        return CalendarDate.text(today - count * (ago.2 == "w" ? 7 : 1))
    }

    /// The days that were meant with options of other programs; nil if `--period` cannot say them.
    private static func periodHint(_ option: String, _ arguments: [String], now: Int64) -> String? {
        if days.contains(option) {
            return period(option, in: arguments).map { "to choose the days: --period \($0)" }
                ?? "to choose the days, for example: --period 2026-10"
        }
        guard comparisons[option] != nil else { return nil }
        let today = now / 86_400_000
        func first(_ options: String...) -> String? {
            options.lazy.compactMap { value(of: $0, in: arguments) }.first.map { day($0, today: today) }
        }
        let from = first("--from", "--since", "--after", "--start-date", "--start") ?? "2026-10-01"
        if let database = arguments.firstIndex(of: "--from").flatMap({ arguments[($0 + 1)...].first }),
            DatabaseAddress.isMeant(by: database) || database.hasSuffix(".db")
        {
            return "'clover \(arguments[0])' asks the service only; reports can read a database: "
                + "clover report sales --from \(database)"
        }
        let range = "\(from)..\(first("--to", "--until", "--before", "--end-date", "--end") ?? "today")"
        return Period.whole(range.lowercased(), today: today) == nil ? nil : "to choose the days: --period \(range)"
    }

    /// The value of an option on the command line, if it may be a time.
    private static func value(of option: String, in arguments: [String]) -> String? {
        guard let value = typed(option, in: arguments), !value.isEmpty,
            value.allSatisfy({ $0.isLetter || $0.isNumber || "-:.+".contains($0) })
        else { return nil }
        return value
    }

    /// The word after an option on the command line, or what is joined to it.
    private static func typed(_ option: String, in arguments: [String]) -> String? {
        let joined = arguments.first { $0.hasPrefix(option + "=") }?.dropFirst(option.count + 1)
        return joined.map(String.init) ?? arguments.firstIndex(of: option).flatMap { arguments[($0 + 1)...].first }
    }
}
