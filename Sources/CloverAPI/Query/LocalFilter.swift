import CloverJSON

/// The filters that the service does not apply to a list, so that the tool applies them to the records it reads.
///
/// They compare top-level times in milliseconds since 1970. A record without the time does not match, whatever the
/// operator, as in SQL.
struct LocalFilter: Sendable, Equatable {
    private let conditions: [Condition]

    private struct Condition: Sendable, Equatable {
        let field: String
        let test: Test
    }

    private enum Test: Sendable, Equatable {
        case less(Int64), atMost(Int64), greater(Int64), atLeast(Int64)
        case among(Set<Int64>), notEqual(Int64)
        case isPresent
    }

    /// Nil if there are no filters.
    init?(_ filters: [FilterExpression]) {
        guard !filters.isEmpty else { return nil }
        conditions = filters.map { Condition(field: $0.field, test: Self.test($0.condition)) }
    }

    /// Removes the records that do not match.
    ///
    /// - Returns: how many of them lack a time.
    func filter(_ batch: inout RecordBatch) -> Int {
        var lacking = 0
        batch.removeRecords { batch, record in
            let verdict = verdict(on: record, of: batch)
            if verdict == .lacksTime { lacking += 1 }
            return verdict != .matches
        }
        return lacking
    }

    /// Times that would be of early 1970 in milliseconds are seconds: comparing them would hide every record.
    static let seconds: Range<Int64> = 1_000_000_000..<100_000_000_000

    private enum Verdict { case matches, differs, lacksTime }

    private func verdict(on record: Record, of batch: RecordBatch) -> Verdict {
        var verdict = Verdict.matches
        for condition in conditions {
            guard let time = batch.time(condition.field, of: record), !Self.seconds.contains(time) else {
                return .lacksTime
            }
            if !Self.passes(time, condition.test) { verdict = .differs }
        }
        return verdict
    }

    private static func passes(_ time: Int64, _ test: Test) -> Bool {
        switch test {
        case .less(let bound): time < bound
        case .atMost(let bound): time <= bound
        case .greater(let bound): time > bound
        case .atLeast(let bound): time >= bound
        case .among(let times): times.contains(time)
        case .notEqual(let other): time != other
        case .isPresent: true
        }
    }

    /// The test for a time's condition in the service's form, as `FilterExpression` writes it.
    private static func test(_ condition: String) -> Test {
        let symbol = condition.prefix { "!<>=".contains($0) }
        guard !symbol.isEmpty, let value = Int64(condition.dropFirst(symbol.count)) else {
            let listed = condition.split { !$0.isNumber && $0 != "-" }.compactMap { Int64($0) }
            return listed.isEmpty ? .isPresent : .among(Set(listed))
        }
        return switch symbol {
        case "<": .less(value)
        case "<=": .atMost(value)
        case ">": .greater(value)
        case ">=": .atLeast(value)
        case "!=": .notEqual(value)
        default: .among([value])
        }
    }
}

extension RecordBatch {
    /// A record's time in milliseconds since 1970; nil if the member is missing or not a number. Times of the ecommerce API
    /// may have a fraction.
    func time(_ field: String, of record: Record) -> Int64? {
        value(of: field, in: record).flatMap { text in
            Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
        }
    }
}

extension RecordQuery {
    /// Moves the filters that only the tool can apply to `localFilters`: those by a time of the list's records that the
    /// service does not filter by. If the query has no sort order, it asks for the newest records first, so that
    /// reading can end early (`EarlyEnd`).
    ///
    /// An ecommerce list gets its filters by `created` both ways: the spelling of these parameters differs between
    /// Clover's own pages, and a service that ignores one would return records of other times.
    package mutating func separateLocalFilters(of path: ResourcePath) {
        if path.isPagedByCursor {
            localFilters += filters.filter { FilterExpression.isTimeField($0.field) }
            return
        }
        guard let endpoint = path.endpoint, endpoint.shape == .list, endpoint.isFilterListComplete,
            let model = endpoint.model.flatMap(ModelCatalogue.model(named:))
        else { return }
        func isLocal(_ filter: FilterExpression) -> Bool {
            guard FilterExpression.isTimeField(filter.field), !endpoint.filterable.contains(filter.field),
                let field = model.field(named: filter.field)
            else { return false }
            return field.isInstant && field.unit == .milliseconds
        }
        localFilters += filters.filter(isLocal)
        filters.removeAll(where: isLocal)
        guard sort.isEmpty, HistoryLimit.rule(of: path, for: self) == nil else { return }
        let bounded = localFilters.map(\.field).first {
            endpoint.sortable.contains($0) && TimeBounds(of: $0, in: localFilters).from != nil
        }
        guard let bounded else { return }
        sort = [SortKey(field: bounded, isDescending: true)]
        isSortOwn = true
    }
}
