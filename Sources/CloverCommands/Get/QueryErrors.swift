import CloverAPI
import CloverCalendar
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverReports

extension ErrorReport {
    /// Invalid input, found before anything was sent.
    init(_ error: QueryError) {
        switch error {
        case .unknownEnvironment(let name):
            self.init(
                usage: "bad_environment", "unknown environment '\(name)'",
                "use sandbox, us, eu, la or an address such as https://host")
        case .malformedAddress(let address):
            self.init(
                usage: "bad_environment", "'\(address)' is not an address of a service",
                "write it as https://host or https://host:port")
        case .insecureAddress(let address):
            self.init(
                usage: "bad_environment", "'\(address)' would send the token unencrypted",
                "use https; plain http is allowed for this machine only")
        case .unknownPath(let path, let suggestions, let method):
            self.init(usage: "unknown_path", "unknown path '\(path)'")
            // A report's name is typed as a path more often than a path is mistyped as one.
            let report = method == .get ? FamiliarWords.report(path) : nil
            hints =
                report.map { ["did you mean: clover \($0)", Self.unchecked] }
                ?? Self.pathHints(Self.familiar(path, suggestions, method), for: path, method)
        case .malformedPath(let path, let reason):
            self.init(
                usage: "unknown_path", "'\(path)' is not a path: \(Self.words(for: reason))",
                "write it as orders or orders/ID/line_items")
        case .methodNotTaken(let method, let path, let takes):
            self.init(
                usage: "unknown_method", "\(path) cannot be called with \(method.rawValue)",
                Self.methodHint(method, path, takes), Self.unchecked)
        case .noSuchOperation(let method, let path, let takes):
            self.init(
                usage: "unknown_method", "\(path) cannot be called with \(method.rawValue)",
                Self.methodHint(method, path, takes))
        case .otherService(let api, let path):
            self.init(
                usage: "other_service",
                "\(path) belongs to \(Self.words(for: api)), which has its own host: clover does not send to it here",
                Self.unchecked)
        case .noEcommerce(let environment, let path):
            self.init(
                usage: "no_ecommerce",
                "\(path) is read from Clover's ecommerce API, which '\(environment)' does not have",
                "it exists in us (United States and Canada) and sandbox")
        case .headerMissing(let name, let meaning, let path):
            self.init(
                usage: "header_missing", "\(path) requires the header \(name); nothing was sent",
                "its value is \(meaning): --header '\(name): ID'", Self.unchecked)
        case .unfilledName(let name, let path):
            self.init(
                usage: "unfilled_name", "there is no value for {\(name)} in \(path)",
                "write the ID itself; with --each, post, put and delete fill it from the field '\(name)' of each line",
                "only {mId} is filled in automatically")
        case .aliasIdentifiers(let alias, let path, let given):
            self.init(
                usage: "unknown_path", "'\(alias)' stands for \(path), but \(given) IDs were given",
                "write an ID for each name in braces, after '\(alias)', separated by slashes")
        case .unknownEndpoint(let name, var suggestions):
            let nouns = FamiliarWords.paths(name).filter { !$0.contains(" ") }
            suggestions = nouns.isEmpty ? suggestions : nouns
            self.init(
                usage: "unknown_path", "the catalogue has no '\(name)'",
                suggestions.isEmpty
                    ? "families: " + EndpointCatalogue.allFamilies.joined(separator: ", ")
                    : Self.suggestion(of: suggestions, for: name))
        case .unknownModel(let name, let suggestions):
            self.init(
                usage: "unknown_model", "unknown model '\(name)'",
                suggestions.isEmpty
                    ? "to list all: clover schema" : "did you mean: " + suggestions.joined(separator: ", "))
        case .fieldsUnknown(let model, let path):
            self.init(
                usage: "unknown_model", "the fields of \(model) are not known: no description of the API has them",
                path.map { "see what is there: clover get \($0)" }
                    ?? "to list the models that are known: clover schema")
        case .responseUndocumented(let path):
            self.init(
                usage: "unknown_model", "the catalogue does not know the records of \(path)",
                "to see what it knows: clover endpoints \(path)")
        case .unknownName(let name, let role, let path, let suggestions):
            self.init(usage: "unknown_\(role.rawValue)", "unknown \(role.rawValue) '\(name)' for \(path)")
            hints =
                (role == .filter ? Self.fieldHints(name, of: path) : [])
                + Self.nameHints(suggestions, of: path, for: name)
        case .notTaken(let role, let path):
            self.init(usage: "unknown_\(role.rawValue)", "\(path) takes no \(role.rawValue)", Self.unchecked)
        case .malformedFilter(let text, let reason):
            self.init(
                usage: "bad_filter", "malformed filter '\(text)': \(Self.words(for: reason))",
                Self.filterHint(text) ?? "write it as 'total>=1000', 'id in (A,B)' or 'note is not null'")
            if reason == .noOperator, text.contains(/^ *[A-Za-z_.0-9]+( +[A-Za-z*]| *!?~)/) {
                hints.append(
                    "Clover does not search in texts; to do it here: --all --jq 'select(.name // \"\" | test(\"latte\"; \"i\"))'"
                )
            }
        case .conditionNotTaken(let filter, let path, let isTime):
            self.init(
                usage: "bad_filter", "\(path) cannot be filtered by '\(filter.field)\(filter.condition)'",
                isTime
                    ? "compare \(filter.field) with >=, >, <=, < or ="
                    : "the ecommerce API compares \(filter.field) with =",
                "or filter the output: --jq 'select(.\(filter.field) ...)'")
        case .malformedTime(let value, let filter):
            self.init(
                usage: "bad_time", "malformed time '\(value)' in filter '\(filter)'",
                "use milliseconds (13 digits), 2026-11-20, 2026-11-20T08:00Z, today, yesterday, tomorrow, now, or -7d, "
                    + "-12h, -30m, -8w; a period such as last-month or 2026-10 goes with = >= > <= <")
        case .daysNotOneRange(let filter):
            let isExclusion = filter.contains("!=")
            self.init(
                usage: "bad_filter",
                "the filter '\(filter)' "
                    + (isExclusion
                        ? "excludes days, and the service selects one range of time"
                        : "names days that are not one range, and all filters must match"),
                isExclusion
                    ? "read what came before and after in two runs, with < and >"
                    : "read each range in its own run, such as --filter 'createdTime=2026-10-01..2026-10-03'")
        case .period(let error):
            self.init(error, today: nil)
        case .noPeriods(let path):
            self.init(
                usage: "bad_period", "\(path) has no time of creation to select days by",
                "select by another time: --filter 'modifiedTime>=yesterday'")
        case .wrongValue(let value, let filter, let kind):
            self.init(usage: "bad_filter", "\(filter.field) takes \(Self.words(for: kind)), not '\(value)'")
            switch kind {
            case .amount(let meant?):
                hints = ["amounts are in the currency's smallest unit: for \(value) in dollars, write \(meant)"]
            case .oneOf(_, let near): hints = ["did you mean: " + near.joined(separator: ", ")]
            default: break
            }
            if let several = Self.severalFilters(filter.field + filter.condition) {
                hints = [several]
            } else {
                hints.append(Self.unchecked)
            }
        case .malformedSort(let text):
            let meant = text.wholeMatch(of: /([A-Za-z_.]+)[ ,]+(asc|desc|ASC|DESC)/)
            self.init(
                usage: "bad_sort", "malformed sort '\(text)'",
                meant.map { "did you mean: \($0.1):\($0.2.lowercased())" }
                    ?? "write it as total, total:asc, total:desc or -total")
        case .malformedParameter(let text):
            self.init(usage: "bad_parameter", "malformed parameter '\(text)'", "write it as name=value")
        case .reservedParameter(let name, let option):
            self.init(usage: "bad_parameter", "'\(name)' cannot be given as a parameter", "use \(option)")
        case .notRecords(let path, let option):
            self.init(
                usage: "not_records",
                "\(path) returns text, which is printed unchanged: \(option) does not apply", "leave \(option) out")
        case .sortAcrossWindows(let field, let path, let timeField):
            self.init(
                usage: "sort_across_windows",
                "cannot sort \(path) by \(field) over more than \(HistoryLimit.days - 1) days: "
                    + "Clover returns \(HistoryLimit.days) days at a time, so they come in the order of \(timeField)",
                "limit the time: --filter '\(timeField)>=-\(HistoryLimit.days - 1)d'",
                "or leave --sort out and sort the output: --slurp --jq 'sort_by(.\(field))[]'")
        case .reversedTimeRange(let field, let from, let to):
            self.init(
                usage: "bad_time",
                "no \(field) is both from \(InstantText.utc(milliseconds: from)) on and before "
                    + InstantText.utc(milliseconds: to), "swap the two times")
        case .notAList(let path, let option):
            self.init(
                usage: "usage", "\(path) is a single record and not a list: \(option) does not apply",
                "leave \(option) out")
        }
    }

    init(usage code: String, _ message: String, _ hints: String...) {
        self.init(code: code, status: .usage, message: message, hints: hints)
    }

    private static func isList(_ path: String) -> Bool {
        do throws(QueryError) {
            let path = try ResourcePath(parsing: path, identifier: nil, merchantID: "{mId}", isChecked: true)
            return path.endpoint?.shape == .list
        } catch {
            return false
        }
    }

    /// Users expect PUT to change a record; Clover uses POST for that.
    private static func methodHint(
        _ method: Endpoint.Method, _ path: String, _ takes: [Endpoint.Method]
    ) -> String {
        if method == .put, takes.contains(.post) {
            // A POST to the list itself creates a new record.
            return "Clover updates with POST: clover post \(path)\(isList(path) ? "/ID" : "") ..."
        }
        let commands = takes.map { "clover \($0.rawValue.lowercased()) \(path)" }
        return "it takes: " + takes.map(\.rawValue).joined(separator: ", ") + ", such as: " + commands[0]
    }

    private static func words(for kind: FilterValue.Kind) -> String {
        switch kind {
        case .amount: "a whole number of cents, or of the currency's smallest unit"
        case .wholeNumber: "a whole number"
        case .number: "a number"
        case .truth: "true or false"
        case .oneOf(let cases, _): "one of " + cases.joined(separator: ", ")
        }
    }

    private static func words(for api: Endpoint.API) -> String {
        switch api {
        case .ecommerce: "Clover's ecommerce service"
        case .token: "the service that makes card tokens"
        case .oauth: "the service that signs apps in"
        case .hostedCheckout: "the service of the hosted checkout"
        case .v3, .platform: "V3"
        }
    }

    /// The filter in Clover's form, if it was typed in that of another language or without a value.
    private static func filterHint(_ text: String) -> String? {
        if let several = severalFilters(text) { return several }
        let operators = ["==": "=", "===": "=", "!==": "!=", "=>": ">=", "=<": "<=", "<>": "!="]
        if let found = text.wholeMatch(of: /\s*([A-Za-z_.0-9]+)\s*(===?|!==|=>|=<|<>)\s*([^=<>].*)/),
            let meant = operators[String(found.2)]
        {
            return "did you mean: --filter '\(found.1)\(meant)\(found.3)'"
        }
        return text.wholeMatch(of: /[A-Za-z_.0-9]+/) == nil ? nil : "write it with a value: --filter '\(text)=VALUE'"
    }

    /// What several filters in one are here; nil if it is one filter.
    private static func severalFilters(_ text: String) -> String? {
        let parts = text.replacing(/\s+(?:and|AND)\s+|\s*&&?\s*|\s*,\s*/, with: "\n").split(separator: "\n")
        guard parts.count > 1, parts.allSatisfy({ $0.contains(/^[A-Za-z][A-Za-z_.0-9]*\s*[=<>!]+\s*[^=<>!\s]/) }) else {
            return nil
        }
        return "one filter each: " + parts.map { "--filter '\($0)'" }.joined(separator: " ")
    }

    private static let unchecked = "to send it anyway, add --no-check"

    /// How to choose by a field that the records have, and by which their list does not filter; empty for other names.
    private static func fieldHints(_ name: String, of path: String) -> [String] {
        func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
        guard let endpoint = EndpointCatalogue.operation(typed: path), endpoint.shape == .list,
            let model = endpoint.model.flatMap({ ModelCatalogue.model(named: $0) }),
            let field = model.fields.first(where: { plain($0.name) == plain(name) }),
            !endpoint.filterable.contains(where: { plain($0) == plain(name) })
        else { return [] }
        return [
            "the records have \(field.name), and the list does not filter by it; to choose by it here: --all --jq "
                + "'select(.\(field.name) == ...)'"
        ]
    }

    /// The nearest names, or all of them if none is near; none if what the list filters by is not documented.
    private static func nameHints(_ names: [String], of path: String, for typed: String) -> [String] {
        guard !names.isEmpty else {
            return ["its records have no such field; to see those that they have: clover schema \(path)", unchecked]
        }
        let near = NearestNames.of(typed, among: names)
        guard near.isEmpty else {
            return ["did you mean: \(near.joined(separator: ", "))   (all: clover endpoints \(path))", unchecked]
        }
        let shown = names.prefix(24).joined(separator: ", ") + (names.count > 24 ? ", ..." : "")
        return ["it takes: \(shown)   (all: clover endpoints \(path))", unchecked]
    }

    /// The paths for a word of a shop, or else the nearest ones.
    private static func familiar(_ path: String, _ near: [String], _ method: Endpoint.Method) -> [String] {
        let paths = FamiliarWords.paths(path)
        let taken = method == .get ? paths : paths.filter { EndpointCatalogue.families(taking: method).contains($0) }
        return taken.isEmpty ? near : taken
    }

    private static func pathHints(_ paths: [String], for typed: String, _ method: Endpoint.Method) -> [String] {
        guard paths.isEmpty else { return [suggestion(of: paths, for: typed), unchecked] }
        let families = EndpointCatalogue.families(taking: method).joined(separator: ", ")
        guard method != .get else { return ["paths begin with: \(families), charges, ecommerce", unchecked] }
        return [
            "paths that take \(method.rawValue) begin with: \(families)   (all: clover endpoints --method \(method.rawValue))",
            unchecked,
        ]
    }

    /// The nearest paths, or else those below the part that is right.
    private static func suggestion(of paths: [String], for typed: String) -> String {
        let near = paths.filter { !isBelow($0, typed) }
        return near.isEmpty
            ? "below it there is: " + paths.joined(separator: ", ") : "did you mean: " + near.joined(separator: ", ")
    }

    /// Whether a path begins as the typed one, and goes on with another name.
    private static func isBelow(_ path: String, _ typed: String) -> Bool {
        let words = path.split(separator: "/")
        var given = typed.split(separator: "/")[...]
        if given.starts(with: ["v3", "merchants"]) { given = given.dropFirst(3) }
        guard words.count > 1, given.count >= words.count - 1,
            zip(words.dropLast(), given).allSatisfy({ $0.first == "{" || $0 == $1 })
        else { return false }
        let (next, last) = (given.dropFirst(words.count - 1).first, String(words[words.count - 1]))
        return next.map { NearestNames.of(String($0), among: [last]).isEmpty } ?? true
    }

    private static func words(for reason: QueryError.PathFault) -> String {
        switch reason {
        case .empty: "it is empty"
        case .wholeURL: "it is a complete address"
        case .query: "it holds a query or fragment; use --filter or --param"
        case .dotSegment: "it holds '.' or '..'"
        case .emptySegment: "it holds '//'"
        case .controlCharacter: "it holds a control character"
        case .identifierTwice: "an ID is one segment of a path"
        }
    }

    private static func words(for reason: QueryError.FilterFault) -> String {
        switch reason {
        case .noOperator: "there is no operator that the service knows"
        case .noField: "it does not begin with a field"
        case .noValue: "there is no value"
        case .emptyList: "an entry of the list is empty"
        case .listSyntax: "the list has no brackets"
        case .quoteInList: "an entry of the list holds a quote"
        }
    }
}
