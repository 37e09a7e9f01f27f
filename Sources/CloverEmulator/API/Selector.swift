import Synchronization

/// Selects the records of a list request: history rule, filters, order.
package struct Selector: Sendable {
    private let now: Int
    private let cache: SelectionCache

    /// - Parameter now: the end of the 90 days when a request gives no upper bound, in milliseconds since 1970.
    package init(now: Int, cache: SelectionCache) {
        self.now = now
        self.cache = cache
    }

    /// - Throws: `APIError.badRequest` for a field or value that the endpoint does not accept.
    package func select<Source: RecordSource>(_ query: ListQuery, from source: Source) throws(APIError) -> Selection {
        var conditions: [Condition] = []
        for expression in query.filters {
            conditions.append(try Condition(expression, fields: source.fields))
        }
        if source.historyRule.applies(to: query.filters), let cut = historyCut(conditions, source) {
            conditions.append(cut)
        }
        var range = 0..<source.count
        if source.isNewestFirst, let created = source.fields.firstIndex(where: { $0.name == "createdTime" }) {
            for condition in conditions where condition.field == created {
                guard let bounds = condition.bounds else { continue }
                range = range.clamped(to: positions(createdIn: bounds, source))
            }
            conditions.removeAll { $0.field == created && $0.bounds != nil }
        }
        let sort = query.sort.compactMap { term in
            source.fields.firstIndex { $0.name == term.field }.map { (field: $0, isDescending: term.isDescending) }
        }
        if conditions.isEmpty, sort.isEmpty { return .range(range) }
        if let ordered = ordered(by: sort, range, conditions, source) { return .list(ordered) }
        let key = source.cacheName.map { "\($0) \(range) \(query.filters) \(query.sort)" }
        if let key, let known = cache[key] { return .list(known[...]) }
        var found = scan(range, conditions, source)
        if !sort.isEmpty { found = sorted(found, by: sort, source) }
        if let key { cache[key] = found }
        return .list(found[...])
    }

    /// The selection from a cached sort order; nil when no order is cached, or when the request filters by a field
    /// other than the first sort field.
    private func ordered<Source: RecordSource>(
        by terms: [(field: Int, isDescending: Bool)], _ range: Range<Int>, _ conditions: [Condition], _ source: Source
    ) -> ArraySlice<UInt32>? {
        guard let name = source.cacheName, let field = terms.first?.field, terms.first?.isDescending == false,
            source.fields[field].kind == .integer
        else { return nil }
        var bounds: ClosedRange<Int>?
        for condition in conditions {
            guard condition.field == field, let own = condition.bounds else { return nil }
            guard let known = bounds else {
                bounds = own
                continue
            }
            guard known.overlaps(own) else { return [] }
            bounds = known.clamped(to: own)
        }
        let order = cache.order("\(name) \(terms)") {
            let all = sorted((0..<source.count).map { UInt32($0) }, by: terms, source)
            return FieldOrder(of: field, in: source, sorted: all)
        }
        guard let order else { return nil }
        let found = order.positions(in: bounds)
        guard range != 0..<source.count else { return found }
        return found.filter { range.contains(Int($0)) }[...]
    }

    /// The 90-day rule as a condition: nothing older than 90 days before the upper bound of the requested time range,
    /// or before now if there is none. The sources do not say what a range wider than 90 days returns; a silent cut is
    /// assumed.
    private func historyCut<Source: RecordSource>(_ conditions: [Condition], _ source: Source) -> Condition? {
        let times = ["createdTime", "clientCreatedTime", "modifiedTime"].compactMap { name in
            source.fields.firstIndex { $0.name == name }
        }
        // The rule for orders names the creation time; for payments any time filter sets the range.
        var asked: Int?
        if case .always = source.historyRule {
            asked = times.first { time in conditions.contains { $0.field == time && $0.bounds != nil } }
        }
        guard let field = asked ?? times.first else { return nil }
        let upper = conditions.filter { $0.field == field }.compactMap { $0.bounds?.upperBound }.min() ?? now
        return Condition(field: field, atLeast: min(upper, now) - HistoryRule.window)
    }

    /// The positions with creation times in a range, by binary search: times fall as positions rise.
    private func positions<Source: RecordSource>(createdIn bounds: ClosedRange<Int>, _ source: Source) -> Range<Int> {
        let all = 0..<source.count
        let begin = all.partitioningPoint { source.createdTime(at: $0) <= bounds.upperBound }
        let end = all.partitioningPoint { source.createdTime(at: $0) < bounds.lowerBound }
        return begin..<max(begin, end)
    }

    private func scan<Source: RecordSource>(
        _ range: Range<Int>, _ conditions: [Condition], _ source: Source
    ) -> [UInt32] {
        var scratch = source.makeScratch(expanding: .none)
        var found: [UInt32] = []
        func check(_ position: Int) {
            source.load(position, into: &scratch)
            for condition in conditions where !condition.matches(source.value(of: condition.field, in: scratch)) {
                return
            }
            found.append(UInt32(position))
        }
        // A filter by id is the only one that does not need a scan of every record.
        let byID = conditions.first { source.fields[$0.field].name == "id" && $0.allowedTexts != nil }
        if let ids = byID?.allowedTexts {
            for position in Set(ids.compactMap { source.position(ofID: $0) }).sorted() where range.contains(position) {
                check(position)
            }
        } else {
            for position in range { check(position) }
        }
        return found
    }

    private func sorted<Source: RecordSource>(
        _ positions: [UInt32], by terms: [(field: Int, isDescending: Bool)], _ source: Source
    ) -> [UInt32] {
        var scratch = source.makeScratch(expanding: .none)
        var keyed: [(position: UInt32, keys: [FieldValue])] = []
        keyed.reserveCapacity(positions.count)
        for position in positions {
            source.load(Int(position), into: &scratch)
            keyed.append((position, terms.map { source.value(of: $0.field, in: scratch) }))
        }
        keyed.sort { left, right in
            for (place, term) in terms.enumerated() {
                switch SortKey.compare(left.keys[place], right.keys[place]) {
                case 0: continue
                case let order: return term.isDescending ? order > 0 : order < 0
                }
            }
            // Equal keys keep the default order.
            return left.position < right.position
        }
        return keyed.map(\.position)
    }
}

/// Caches the last few selections that needed a scan, so that paging through a filtered list scans once, and the sort
/// orders of lists that are requested repeatedly. Keys contain the version of the list, so entries never go stale.
package final class SelectionCache: Sendable {
    private static let capacity = 8
    private static let mostOrders = 4
    private let entries = Mutex<[(key: String, positions: [UInt32])]>([])
    /// Nil for an order that was requested only once so far.
    private let orders = Mutex<[(key: String, order: FieldOrder?)]>([])

    package init() {}

    package subscript(key: String) -> [UInt32]? {
        get {
            entries.withLock { list in
                guard let place = list.firstIndex(where: { $0.key == key }) else { return nil }
                let entry = list.remove(at: place)
                list.append(entry)
                return entry.positions
            }
        }
        set {
            guard let newValue else { return }
            entries.withLock { list in
                list.removeAll { $0.key == key }
                if list.count == Self.capacity { list.removeFirst() }
                list.append((key, newValue))
            }
        }
    }

    /// The sort order of a list; nil on the first request, because sorting is not worth it for a list that changes
    /// between requests.
    func order(_ key: String, _ make: () -> FieldOrder?) -> FieldOrder? {
        // Held while sorting: a concurrent caller would compute the same order.
        orders.withLock { list in
            guard let place = list.firstIndex(where: { $0.key == key }) else {
                if list.count == Self.mostOrders { list.removeFirst() }
                list.append((key, nil))
                return nil
            }
            var entry = list.remove(at: place)
            entry.order = entry.order ?? make()
            list.append(entry)
            return entry.order
        }
    }
}

/// The positions of the selected records, before paging.
package enum Selection: Sendable {
    case range(Range<Int>)
    case list(ArraySlice<UInt32>)

    package var count: Int {
        switch self {
        case .range(let range): range.count
        case .list(let list): list.count
        }
    }

    /// Calls `body` with the positions of one page.
    package func forEach(offset: Int, limit: Int, _ body: (Int) -> Void) {
        let end = min(count, offset.addingReportingOverflow(limit).overflow ? Int.max : offset + limit)
        guard offset < end else { return }
        switch self {
        case .range(let range):
            for position in (range.lowerBound + offset)..<(range.lowerBound + end) { body(position) }
        case .list(let list):
            for position in list.dropFirst(offset).prefix(end - offset) { body(Int(position)) }
        }
    }
}

/// All records of a list sorted ascending by an integer field; records without a value come first. Built once, so that
/// each page is found by binary search.
package struct FieldOrder: Sendable {
    /// The positions of all records, sorted.
    private let positions: [UInt32]
    /// The values of the records that have one, in the same order.
    private let values: [Int]

    /// Fails when a record has a value that is not an integer.
    ///
    /// - Parameter sorted: all positions, in this order.
    init?<Source: RecordSource>(of field: Int, in source: Source, sorted: [UInt32]) {
        var scratch = source.makeScratch(expanding: .none)
        var values: [Int] = []
        values.reserveCapacity(source.count)
        for position in sorted {
            source.load(Int(position), into: &scratch)
            switch source.value(of: field, in: scratch) {
            case .absent where values.isEmpty: continue
            case .integer(let value) where values.last ?? .min <= value: values.append(value)
            default: return nil
            }
        }
        positions = sorted
        self.values = values
    }

    /// All positions, or those whose value is in a range.
    ///
    /// - Parameter bounds: nil for all; records without a value match no range.
    func positions(in bounds: ClosedRange<Int>?) -> ArraySlice<UInt32> {
        guard let bounds else { return positions[...] }
        let absent = positions.count - values.count
        let begin = values.indices.partitioningPoint { values[$0] >= bounds.lowerBound }
        let end = max(begin, values.indices.partitioningPoint { values[$0] > bounds.upperBound })
        return positions[(absent + begin)..<(absent + end)]
    }
}

/// Compares field values for sorting.
enum SortKey {
    /// Negative, zero or positive; absent values sort first, like NULL in SQL databases such as MySQL.
    static func compare(_ left: FieldValue, _ right: FieldValue) -> Int {
        switch (left, right) {
        case (.absent, .absent): 0
        case (.absent, _): -1
        case (_, .absent): 1
        case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
        case (.text(let first), .text(let second)): first < second ? -1 : first > second ? 1 : 0
        case (.boolean(let first), .boolean(let second)): first == second ? 0 : second ? -1 : 1
        case (.many(let first), _): compare(first.first ?? .absent, right)
        case (_, .many(let second)): compare(left, second.first ?? .absent)
        default: 0
        }
    }
}
