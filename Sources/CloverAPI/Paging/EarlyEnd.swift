/// Decides when no later record of a list can match the tool's own filter, so that reading may end. No input or output.
///
/// The list is read to its end unless all of this holds:
/// - The requests ask the service to sort by the time that the filter bounds (Clover: sorting collections).
/// - Every record so far has that time, and all of them are in this order, up to the rounding of times.
/// - The last of them is past the bound.
/// - The service sorts by that time, and did not just happen to return the records so far in this order: the service
///   ignores sort fields that it does not know. Asked for the opposite order, it begins at the other end of the list.
struct EarlyEnd: Sendable, Equatable {
    /// The order of the list.
    let sort: SortKey
    /// The filter's bound: the first time to deliver if the newest come first, otherwise the time after the last.
    private let bound: Int64
    private var first: Int64?
    /// The time that is furthest along.
    private var last: Int64?
    private var isOrdered = true
    /// Whether the service sorts by the time; nil until it was asked for the opposite order.
    private(set) var isSortProved: Bool?

    private static let rounding = TimePaginator.rounding

    /// Nil if the order of the list cannot show that nothing else matches.
    init?(_ query: RecordQuery, of path: ResourcePath) {
        guard !query.localFilters.isEmpty, let sort = query.sort.first, HistoryLimit.rule(of: path, for: query) == nil
        else { return nil }
        let bounds = TimeBounds(of: sort.field, in: query.localFilters)
        guard let bound = sort.isDescending ? bounds.from : bounds.to else { return nil }
        self.sort = sort
        self.bound = bound
    }

    /// Adds the times of records in the order of the list; nil for a record without one.
    mutating func see(_ times: [Int64?]) {
        for time in times {
            guard let time, last.map({ distance(from: $0, to: time) >= -Self.rounding }) ?? true else {
                isOrdered = false
                return
            }
            first = first ?? time
            if last.map({ distance(from: $0, to: time) > 0 }) ?? true { last = time }
        }
    }

    /// Whether nothing else can match if the service sorts by the time.
    var isPast: Bool {
        guard isOrdered, isSortProved != false, let last else { return false }
        return distance(from: bound, to: last) > Self.rounding
    }

    /// Processes the time of the record that the list begins with in the opposite order; nil if there is none.
    mutating func seeOpposite(_ time: Int64?) {
        guard let time, let first, let last else {
            isSortProved = false
            return
        }
        isSortProved =
            distance(from: last, to: time) >= -Self.rounding && distance(from: first, to: time) > Self.rounding
    }

    /// How much further along the list the second time is, in milliseconds.
    private func distance(from one: Int64, to other: Int64) -> Int64 {
        // The service's times may be arbitrary numbers.
        let (distance, isBeyond) =
            sort.isDescending
            ? one.subtractingReportingOverflow(other)
            : other.subtractingReportingOverflow(one)
        guard isBeyond else { return distance }
        return (one > other) == sort.isDescending ? .max : .min
    }
}
