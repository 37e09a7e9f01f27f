import CloverSystem

/// The query part of a URL except the page: filters, expansions, sorting and other parameters.
package struct RecordQuery: Sendable, Equatable {
    package var filters: [FilterExpression] = []
    /// Filters that the service does not apply. They are not sent; see `LocalFilter`.
    package var localFilters: [FilterExpression] = []
    /// Whether records that do not match the local filters are delivered as well: the filters then only show where reading
    /// may end (`EarlyEnd`).
    package var deliversAll = false
    /// Names of nested objects to include, such as `lineItems.discounts`.
    package var expand: [String] = []
    package var sort: [SortKey] = []
    /// Whether `sort` is the tool's own, and not asked for by the user.
    var isSortOwn = false
    package var parameters: [Parameter] = []

    package init() {}

    /// The parts of comma-separated lists. An empty part is kept, to be refused by name.
    package static func names(in lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// A parameter that is passed on unchanged.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// The percent-encoded query with a page, without `?`; empty if there is nothing to encode.
    package func encoded(page: Page?) -> String {
        var pairs = pairs(filters.map { "filter=" + $0.encoded })
        if let page {
            pairs.append("limit=\(page.limit)")
            if page.offset > 0 { pairs.append("offset=\(page.offset)") }
        }
        return pairs.joined(separator: "&")
    }

    /// The percent-encoded query of an ecommerce list (Clover: get charges), without `?`.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records; nil for the service's own.
    ///   - cursor: the id of the record that the page comes after; nil for the first page.
    func encoded(limit: Int?, after cursor: String?) -> String {
        var pairs = pairs(filters.compactMap(\.parameter).map(Self.encoded))
        if let limit { pairs.append("limit=\(limit)") }
        if let cursor { pairs.append("starting_after=" + PercentCoding.encode(cursor)) }
        return pairs.joined(separator: "&")
    }

    private static func encoded(_ parameter: Parameter) -> String {
        PercentCoding.encode(parameter.name) + "=" + PercentCoding.encode(parameter.value)
    }

    private func pairs(_ filters: [String]) -> [String] {
        var pairs = filters
        if !expand.isEmpty {
            pairs.append("expand=" + expand.map { PercentCoding.encode($0) }.joined(separator: ","))
        }
        if !sort.isEmpty {
            pairs.append("orderBy=" + sort.map { PercentCoding.encode($0.serviceForm) }.joined(separator: ","))
        }
        return pairs + parameters.map(Self.encoded)
    }

    /// A page of a list: `limit` records from the zero-based `offset`.
    package struct Page: Sendable, Hashable {
        package var offset: Int
        package var limit: Int

        package init(offset: Int, limit: Int) {
            self.offset = offset
            self.limit = limit
        }
    }
}

extension RecordQuery.Parameter {
    /// Parses `name=value`. Refuses names that have a separate option, and access tokens.
    ///
    /// - Parameter isReading: true for a read, which also has options for paging, filters and sorting.
    package init(parsing text: String, isReading: Bool = true) throws(QueryError) {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else { throw .malformedParameter(text) }
        try self.init(name: String(text[..<mark]), text: String(text[text.index(after: mark)...]))
        var options = ["expand": "--expand"]
        if isReading {
            options.merge(["limit": "--limit", "offset": "--offset", "filter": "--filter", "orderBy": "--sort"]) { $1 }
        }
        if let option = options[name] { throw .reservedParameter(name, option: option) }
    }

    /// Accepts any name except that of an access token, which must not be in a URL.
    package init(name: String, text: String) throws(QueryError) {
        self.init(name: name, value: text)
        if name == "access_token" { throw .reservedParameter(name, option: "clover auth login --with-token") }
    }
}

/// One field of `--sort`: `total`, `total:asc`, `total:desc`, or `-total` as in many other APIs (Clover: sorting
/// collections).
package struct SortKey: Sendable, Equatable {
    package let field: String
    package let isDescending: Bool

    package init(parsing text: String) throws(QueryError) {
        let isReversed = text.first == "-"
        let parts = text.dropFirst(isReversed ? 1 : 0).split(separator: ":", omittingEmptySubsequences: false)
        guard let field = parts.first, !field.isEmpty, parts.count <= 2,
            field.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") })
        else { throw .malformedSort(text) }
        self.field = String(field)
        switch parts.count == 2 ? parts[1].lowercased() : "asc" {
        case "asc" where parts.count == 1: isDescending = isReversed
        // A sign and a direction could mean either.
        case _ where isReversed: throw .malformedSort(text)
        case "asc": isDescending = false
        case "desc": isDescending = true
        default: throw .malformedSort(text)
        }
    }

    init(field: String, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }

    /// The same field in the other direction.
    var reversed: Self { Self(field: field, isDescending: !isDescending) }

    /// The value for `orderBy`, not yet percent-encoded.
    var serviceForm: String { field + (isDescending ? " DESC" : " ASC") }
}

/// Clover's 90-day rules: some lists return at most 90 days, without a sign that there is more (Clover: limits added to
/// payments and orders, API usage and rate limits). The catalogue knows which lists these are.
package enum HistoryLimit {
    package static let days = 90

    static let millisecondsPerDay: Int64 = 86_400_000

    package struct Rule: Sendable, Equatable {
        /// The creation time that the list can be filtered by; nil if there is none, so that older records cannot be
        /// read from this list.
        package var timeField: String?
    }

    /// The rule that applies to this query; nil if the list returns all records.
    package static func rule(of path: ResourcePath, for query: RecordQuery) -> Rule? {
        guard let endpoint = path.endpoint, endpoint.shape == .list else { return nil }
        switch endpoint.history {
        case .whole: return nil
        case .cut: break
        case .cutByFilter(let fields):
            guard query.filters.contains(where: { fields.contains($0.field) }) else { return nil }
        }
        return Rule(timeField: endpoint.timeField)
    }

    /// Whether the service may silently leave out older records: the rule applies, and the query is not limited to 90
    /// days.
    ///
    /// - Parameter now: milliseconds since 1970; the upper bound where the query has none.
    package static func mayCut(_ query: RecordQuery, of path: ResourcePath, now: Int64) -> Bool {
        guard let rule = rule(of: path, for: query) else { return false }
        // The filter names of an employee's orders are not known, but the rule itself mentions `createdTime`.
        let bounds = TimeBounds(of: rule.timeField ?? "createdTime", in: query.filters)
        guard let earliest = bounds.from else { return true }
        return (bounds.to ?? now) - earliest > Int64(days) * millisecondsPerDay
    }
}
