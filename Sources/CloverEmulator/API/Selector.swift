import Synchronization

/// Selects the records of a list request: history rule, filters, order.
struct Selector: Sendable {
    /// The end of the 90 days when a request gives no upper bound, in milliseconds since 1970.
    let now: Int
    private let cache = SelectionCache()

    /// What a list is sorted by: the value of `fields[field]`, or a member of the records.
    private enum SortField {
        case field(Int)
        case member(String)
    }

    private typealias SortTerms = [(field: SortField, isDescending: Bool)]

    /// - Parameter members: the names to sort by that are not fields of the source.
    /// - Throws: `APIError.badRequest` for a field or value that the endpoint does not accept.
    func select<Source: RecordSource>(
        _ query: ListQuery, from source: Source, sortingBy members: [String] = []
    ) throws(APIError) -> Selection {
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
        let sort = query.sort.compactMap { term -> SortTerms.Element? in
            if let field = source.fields.firstIndex(where: { $0.name == term.field }) {
                return (field: .field(field), isDescending: term.isDescending)
            }
            guard members.contains(term.field) else { return nil }
            return (field: .member(term.field), isDescending: term.isDescending)
        }
        if conditions.isEmpty, sort.isEmpty { return Selection(range) }
        if let ordered = ordered(by: sort, range, conditions, source) { return Selection(ordered) }
        let key = source.cacheName.map { "\($0) \(range) \(query.filters) \(query.sort)" }
        if let key, let known = cache.selections.withLock({ $0.value(key) }) { return Selection(known) }
        var found = scan(range, conditions, source)
        if !sort.isEmpty { found = sorted(found, by: sort, source).map(\.position) }
        if let key { cache.selections.withLock { $0.keep(found, as: key) } }
        return Selection(found)
    }

    /// The selection from a cached sort order; nil when no order is cached, or when the request filters by a field
    /// other than the first sort field.
    private func ordered<Source: RecordSource>(
        by terms: SortTerms, _ range: Range<Int>, _ conditions: [Condition], _ source: Source
    ) -> ArraySlice<Int>? {
        guard let name = source.cacheName, case .field(let field)? = terms.first?.field,
            terms.first?.isDescending == false, source.fields[field].kind == .integer
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
            FieldOrder(sorted(0..<source.count, by: terms, source))
        }
        guard let order else { return nil }
        let found = order.positions(in: bounds)
        guard range != 0..<source.count else { return found }
        return found.filter { range.contains($0) }[...]
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
    ) -> [Int] {
        var scratch = source.makeScratch(expanding: .none)
        func matches(_ position: Int) -> Bool {
            source.load(position, into: &scratch)
            return conditions.allSatisfy { $0.matches(source.value(of: $0.field, in: scratch)) }
        }
        // A filter by id is the only one that does not need a scan of every record.
        let byID = conditions.first { source.fields[$0.field].name == "id" && $0.allowedTexts != nil }
        guard let ids = byID?.allowedTexts else { return range.filter(matches) }
        return Set(ids.compactMap { source.position(ofID: $0) }).sorted().filter { range.contains($0) && matches($0) }
    }

    private func sorted<Source: RecordSource>(
        _ positions: some Collection<Int>, by terms: SortTerms, _ source: Source
    ) -> [(position: Int, keys: [FieldValue])] {
        let needsMembers = terms.contains { if case .member = $0.field { true } else { false } }
        var scratch = source.makeScratch(expanding: .none)
        return positions.map { position -> (position: Int, keys: [FieldValue]) in
            source.load(position, into: &scratch)
            let record = needsMembers ? source.shown(&scratch) : nil
            let keys = terms.map { term -> FieldValue in
                switch term.field {
                case .field(let field): source.value(of: field, in: scratch)
                case .member(let name): record?[name]?.fieldValue ?? .absent
                }
            }
            return (position, keys)
        }.sorted { left, right in
            for (place, term) in terms.enumerated() {
                let order = left.keys[place].order(to: right.keys[place])
                if order != 0 { return term.isDescending ? order > 0 : order < 0 }
            }
            // Equal keys keep the default order.
            return left.position < right.position
        }
    }
}

/// The positions of the selected records, before paging.
typealias Selection = AnyRandomAccessCollection<Int>

/// Caches the last few selections that needed a scan, so that paging through a filtered list scans once, and the sort
/// orders of lists that are requested repeatedly. Keys contain the version of the list, so entries never go stale.
final class SelectionCache: Sendable {
    struct Recent<Value: Sendable>: Sendable {
        let capacity: Int
        private(set) var entries: [(key: String, value: Value)] = []

        init(capacity: Int) { self.capacity = capacity }

        /// The value, which becomes the most recent one.
        mutating func value(_ key: String) -> Value? {
            guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
            entries.append(entries.remove(at: place))
            return entries.last?.value
        }

        mutating func keep(_ value: Value, as key: String) {
            entries.removeAll { $0.key == key }
            if entries.count == capacity { entries.removeFirst() }
            entries.append((key, value))
        }
    }

    let selections = Mutex(Recent<[Int]>(capacity: 8))
    /// Nil for an order that was requested only once so far.
    private let orders = Mutex(Recent<FieldOrder?>(capacity: 4))

    /// The sort order of a list; nil on the first request, because sorting is not worth it for a list that changes
    /// between requests.
    func order(_ key: String, _ make: () -> FieldOrder?) -> FieldOrder? {
        // Held while sorting: a concurrent caller would compute the same order.
        orders.withLock { recent in
            let order = recent.value(key).flatMap { $0 ?? make() }
            recent.keep(order, as: key)
            return order
        }
    }
}

/// All records of a list sorted ascending by an integer field; records without a value come first. Built once, so that
/// each page is found by binary search.
struct FieldOrder: Sendable {
    /// The positions of all records, sorted.
    private let positions: [Int]
    /// The values of the records that have one, in the same order.
    private var values: [Int] = []

    /// Fails when a record has a value that is not an integer.
    ///
    /// - Parameter sorted: all records in this order, with the field as their first key.
    init?(_ sorted: [(position: Int, keys: [FieldValue])]) {
        positions = sorted.map(\.position)
        for record in sorted {
            switch record.keys[0] {
            case .absent where values.isEmpty: continue
            case .integer(let value) where values.last ?? .min <= value: values.append(value)
            default: return nil
            }
        }
    }

    /// All positions, or those whose value is in a range.
    ///
    /// - Parameter bounds: nil for all; records without a value match no range.
    func positions(in bounds: ClosedRange<Int>?) -> ArraySlice<Int> {
        guard let bounds else { return positions[...] }
        let absent = positions.count - values.count
        let begin = values.indices.partitioningPoint { values[$0] >= bounds.lowerBound }
        let end = max(begin, values.indices.partitioningPoint { values[$0] > bounds.upperBound })
        return positions[(absent + begin)..<(absent + end)]
    }
}
