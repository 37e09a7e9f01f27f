import CloverTestSupport
import Testing

/// All records of a list as curl gets them, and what a query has to give of them, worked out here and nowhere else.
struct ReferenceList: Sendable {
    /// Without anything expanded, in the service's order.
    let records: [JSONValue]
    let expandable: [String]
    /// Filters whose values the plain records show.
    let filterable: [String]
    /// Those that every record has.
    let sortable: [String]
    /// The first and last creation of a list that is read in windows of time.
    let bounds: ClosedRange<Int>?
    /// The same records with the first level of all expansions, and with the second.
    private let first: [JSONValue]
    private let second: [JSONValue]

    /// - Parameter expandable: names to expand that bring no list of more than 100 entries.
    init(_ operation: CatalogueOperation, expandable: [String], in shop: CatalogueShop) async throws {
        self.expandable = expandable
        let owners = expandable.map { String($0.prefix { $0 != "." }) }
        records = try await Self.read(operation, [], in: shop)
        first = try await Self.read(operation, owners, in: shop)
        second = try await Self.read(operation, owners + expandable, in: shop)
        try #require(!records.isEmpty && first.count == records.count && second.count == records.count)
        let records = records
        filterable = operation.filterNames.filter { name in
            name != "deleted" && records.contains { $0.plain(at: name) != nil }
        }
        sortable = operation.sortNames.filter { name in
            records.allSatisfy { $0.plain(at: name) != nil }
        }
        let times = records.compactMap { $0["createdTime"]?.integer }
        let isWindowed = ["orders", "payments", "authorizations"].contains(operation.shortPath)
        bounds = isWindowed ? times.min().flatMap { least in times.max().map { least...$0 } } : nil
    }

    private static func read(
        _ operation: CatalogueOperation, _ expand: [String], in shop: CatalogueShop
    ) async throws -> [JSONValue] {
        let query = expand.isEmpty ? "" : "expand=" + expand.joined(separator: ",")
        let lines = try await shop.rawList(
            operation.shortPath, query: query, page: operation.largestPage, jq: ".elements[]")
        return try JSONValue.lines(lines)
    }

    /// The different values that records have.
    func values(of field: String) -> [JSONValue] {
        var seen: Set<String> = []
        return records.compactMap { $0.plain(at: field) }.filter { seen.insert($0.filterText).inserted }
    }

    /// The records that the query has to give, in order.
    func answer(_ query: RandomQuery) -> [JSONValue] {
        var places = records.indices.filter { place in
            query.filters.allSatisfy { matches(place, $0) }
        }
        // Sorting is stable: what is equal keeps the service's order.
        places = places.enumerated().sorted { left, right in
            for sort in query.sort {
                let order = Self.order(value(left.element, sort.field), value(right.element, sort.field))
                if order != 0 { return sort.isDescending ? order > 0 : order < 0 }
            }
            return left.offset < right.offset
        }.map(\.element)
        let rest = places.dropFirst(query.offset)
        return rest.prefix(query.limit ?? rest.count).map { expanded($0, query.expand) }
    }

    /// What is compared. States come in capitals and not (`paid`, `PAID`), and are the same.
    private func value(_ place: Int, _ field: String) -> JSONValue? {
        Self.compared(records[place].plain(at: field), field)
    }

    private static func compared(_ value: JSONValue?, _ field: String) -> JSONValue? {
        guard field == "state", case .string(let text)? = value else { return value }
        return .string(text.lowercased())
    }

    private func matches(_ place: Int, _ filter: RandomQuery.Filter) -> Bool {
        guard let value = value(place, filter.field) else { return false }
        let orders = filter.values.map { Self.order(value, Self.compared($0, filter.field)) }
        switch filter.symbol {
        case "=", "in": return orders.contains(0)
        case "!=": return !orders.contains(0)
        case "<": return orders.allSatisfy { $0 < 0 }
        case "<=": return orders.allSatisfy { $0 <= 0 }
        case ">": return orders.allSatisfy { $0 > 0 }
        case ">=": return orders.allSatisfy { $0 >= 0 }
        default: return true
        }
    }

    /// Negative, zero or positive.
    private static func order(_ left: JSONValue?, _ right: JSONValue?) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.bool(let left), .bool(let right)): left == right ? 0 : left ? 1 : -1
        case (.string(let left), .string(let right)): left < right ? -1 : left > right ? 1 : 0
        default: 0
        }
    }

    /// The plain record with the parts that are expanded, and inside these the parts that are.
    private func expanded(_ place: Int, _ names: [String]) -> JSONValue {
        var record = records[place]
        for owner in Set(names.map { String($0.prefix { $0 != "." }) }) {
            guard let part = first[place][owner] else { continue }
            let inner = names.filter { $0.hasPrefix(owner + ".") }.map { String($0.dropFirst(owner.count + 1)) }
            record = record.setting(owner, part.taking(inner, from: second[place][owner]))
        }
        return record
    }
}

extension JSONValue {
    /// The number, text or flag at the end of a path; nil where there is none.
    fileprivate func plain(at path: String) -> JSONValue? {
        let value = path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
        switch value {
        case .integer, .string, .bool: return value
        default: return nil
        }
    }

    fileprivate func setting(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    /// The same part, or list of parts, with these members of a richer one.
    fileprivate func taking(_ names: [String], from rich: JSONValue?) -> JSONValue {
        guard let rich, !names.isEmpty else { return self }
        if let own = self["elements"]?.elements, let others = rich["elements"]?.elements {
            return setting("elements", .array(zip(own, others).map { $0.taking(names, from: $1) }))
        }
        return names.reduce(self) { part, name in rich[name].map { part.setting(name, $0) } ?? part }
    }
}
