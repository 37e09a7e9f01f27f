import CloverAPI
import CloverAuth
import CloverJSON

/// The records of one list of Clover, read lazily: the first request is sent for the first record, and no page is taken from
/// the reader before the records of the page before were used. At most a few pages wait in memory.
///
/// The loop ends normally only if all records came. If any is missing, or cannot be completed, it throws `CloverError` after the
/// last one before it: those that came are right and complete. The kind says why: `.forbidden`, `.unavailable` and so on if a
/// request failed, `.incomplete` if none did. A cancelled task gets `CancellationError`. Leaving the loop early ends the requests.
///
/// ```swift
/// for try await order in shop.orders.filter(\.total >= 5000).expand(\.lineItems).sort(\.createdTime, .descending) {
///     print(order.id?.text ?? "", order.total?.minorUnits ?? 0)
/// }
/// ```
public struct Records<Record: CloverRecord>: AsyncSequence, Sendable {
    public typealias Element = Record
    public typealias Failure = any Error

    /// The direction of a sort order.
    ///
    /// ```swift
    /// let direction: Records<Order>.Direction = .ascending
    /// for try await order in shop.orders.sort(\.createdTime, direction) { print(order.id?.text ?? "") }
    /// ```
    public enum Direction: Sendable, Hashable {
        /// The smallest value first.
        case ascending
        /// The largest value first.
        case descending
    }

    let shop: Shop
    let segments: [String]
    private var filters: [RecordFilter<Record.Fields>] = []
    private var order: [(field: String, direction: Direction)] = []
    private var page = (offset: 0, limit: Int?.none)
    var expanded: [String] = []

    init(shop: Shop, segments: [String]) {
        self.shop = shop
        self.segments = segments
    }

    /// Only the records that also meet this condition: `.filter(\.total >= 5000)`. A field by which Clover does not filter the list,
    /// as the catalogue has it, is an error of the kind `.request`, and nothing is sent. The page of each list, such as `Shop.orders`,
    /// names its filters, its sort orders and its expansions.
    ///
    /// Clover applies the condition, and the library compares each record that has the member itself, where it is a number, a
    /// time, or a text without special characters: a record that contradicts the condition is an error of the kind `.request`.
    /// A member of a nested record (`\.employee.id`), and a member that the record lacks, are not compared. Clover leaves out
    /// records that lack the member, also for `!=`.
    ///
    /// By a time of the record that Clover does not filter by, such as the `createdTime` of refunds, the library filters itself.
    /// Records without that time, or with one that is not in milliseconds, are left out; `Shop.Options.logger` gets their number at
    /// the level `notice` when the list was read. To see them, read without the filter.
    ///
    /// ```swift
    /// let large = try await shop.orders.filter(\.total >= 5000).all()
    /// print(large.count)
    /// ```
    public func filter(_ filter: RecordFilter<Record.Fields>) -> Records {
        var copy = self
        copy.filters.append(filter)
        return copy
    }

    /// Includes a nested object or list: `.expand(\.lineItems)`, `.expand(\.lineItems.discounts)`. Nested lists are
    /// completed, however long they are; a record whose list cannot be completed is not returned, but is an error.
    ///
    /// Clover leaves out a list that has no entries, and also one that it does not expand here. So nil means that there is
    /// none, or that Clover did not send it: to be sure, read the list from its own address, such as `Shop.orderLineItems(order:)`.
    ///
    /// ```swift
    /// for try await order in shop.orders.expand(\.lineItems).limit(10) { print(order.lineItems?.count ?? 0) }
    /// ```
    public func expand<Value>(_ path: KeyPath<Record.Fields, Field<Value>>) -> Records {
        var copy = self
        copy.expanded.append(Record.Fields()[keyPath: path].name)
        return copy
    }

    /// Sorts by a field, after the fields of earlier calls. A field by which Clover neither sorts nor filters the list, as the
    /// catalogue has it, is an error of the kind `.request`, and nothing is sent.
    ///
    /// Clover sorts, and the library compares the records of each page by the first field, where it is a number or a time of the
    /// record itself. Where a page shows that Clover does not sort the list, the loop ends before the first two records that are
    /// not in order, with an error of the kind `.request`. Texts, and records that were changed in the last minutes, are not
    /// compared: if your program depends on their order, read `all()` and sort the array. Without this call the order is Clover's,
    /// which it does not promise; a list that is read in parts has the newest part first.
    ///
    /// Clover searches at most 90 days of payments and authorizations, and of orders that are filtered by `\.createdTime`,
    /// `\.state`, `\.total` and some other fields. A longer time is read in parts, one after the other, and Clover sorts each part
    /// by itself. So these are sorted by another field than `\.createdTime` only if they are filtered to a range of it of at most
    /// 89 days. Otherwise the error is of the kind `.request`, and nothing is sent.
    ///
    /// ```swift
    /// import Foundation
    ///
    /// let week = Timestamp(Date.now.addingTimeInterval(-7 * 86_400))
    /// let largest = try await shop.orders.filter(\.createdTime >= week).sort(\.total, .descending).limit(5).all()
    /// print(largest.count)
    /// ```
    public func sort<Value>(
        _ path: KeyPath<Record.Fields, Field<Value>>, _ direction: Direction = .ascending
    ) -> Records {
        var copy = self
        copy.order.append((Record.Fields()[keyPath: path].name, direction))
        return copy
    }

    /// At most this many records. Then nothing says whether the list has more. Below 1, there are none, and nothing is sent.
    ///
    /// ```swift
    /// let newest = try await shop.orders.sort(\.createdTime, .descending).limit(5).all()
    /// print(newest.count)
    /// ```
    public func limit(_ count: Int) -> Records {
        var copy = self
        copy.page.limit = Swift.max(0, count)
        return copy
    }

    /// Skips records at the beginning of the list: none if the number is below 1.
    ///
    /// ```swift
    /// let second = try await shop.employees.sort(\.name).offset(50).limit(50).all()
    /// print(second.count)
    /// ```
    public func offset(_ count: Int) -> Records {
        var copy = self
        copy.page.offset = Swift.max(0, count)
        return copy
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The same records as Clover sent them: JSON that is not decoded, for programs that pass it on, or decode it themselves.
    ///
    /// ```swift
    /// for try await order in shop.orders.limit(5).bytes { print(String(decoding: order, as: UTF8.self)) }
    /// ```
    public var bytes: RawRecords<Record> { RawRecords(records: self) }

    /// All records, in memory.
    ///
    /// ```swift
    /// let names = try await shop.employees.all().compactMap(\.name)
    /// print(names.sorted())
    /// ```
    ///
    /// - Throws: `CloverError`, or `CancellationError`.
    public func all() async throws -> [Record] {
        var all: [Record] = []
        for try await record in self { all.append(record) }
        return all
    }

    /// Reads on where it stopped. Belongs to one task.
    ///
    /// ```swift
    /// var orders = shop.orders.makeAsyncIterator()
    /// while let order = try await orders.next() { print(order.id?.text ?? "") }
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private let name: String
        private var cursor: RecordCursor
        private var reader = JSONValueReader()

        init(_ records: Records) {
            name = records.name
            cursor = RecordCursor(records)
        }

        /// The next record; nil after the last one.
        ///
        /// - Throws: `CloverError`, or `CancellationError`.
        public mutating func next() async throws -> Record? {
            if !cursor.hasRecord, try await !cursor.readOn() { return nil }
            return try Record(bytes: cursor.take(), of: name, &reader)
        }
    }

    /// The path for people, such as `orders`.
    var name: String { shop.name(of: segments) }

    /// Reads the whole list.
    func read(_ deliver: (RecordBatch) async throws -> RecordFlow) async throws {
        guard page.limit != 0 else { return }
        let now = Shop.now
        let path = try shop.path(segments)
        var query = RecordQuery()
        query.filters = filters.map(\.expression)
        query.expand = expanded
        query.sort = try order.map { try SortKey(parsing: $0.field + ($0.direction == .ascending ? ":asc" : ":desc")) }
        query.separateLocalFilters(of: path)
        do throws(QueryError) {
            try QueryValidator.check(query, of: path)
        } catch {
            switch error {
            // These do not name the list.
            case .wrongValue, .reversedTimeRange:
                throw CloverError.request("\(path.display): \(error.words)", error.nextStep)
            default: throw error
            }
        }
        let isList = path.endpoint?.shape == .list
        let plan =
            isList
            ? PagePlan(offset: page.offset, limit: page.limit, pageSize: path.pageSize) : nil
        var pager = RecordPager(client: shop.client, path: path, query: query, isChecked: true, now: now)
        pager.requiresAll = true
        let summary: RecordPager.Summary
        do {
            summary = try await pager.run(plan: plan, deliver: deliver)
        } catch let error as FilterContradiction {
            throw CloverError.contradiction(error, of: path.display)
        } catch let error as SortContradiction {
            throw CloverError.request(
                error.words(of: path.display), "leave the sort order out, and sort the records yourself")
        }
        if let logger = shop.logger { summary.logLeftOut(of: path, by: query.localFilters, to: logger) }
        try summary.requireAll(of: query, path, isWholeList: isList && !summary.mayHaveMore, now: now)
    }
}

extension RecordPager.Summary {
    /// - Parameter isWholeList: whether the list was read to its end.
    /// - Throws: `CloverError` of the kind `.incomplete` if records are missing, or may be.
    func requireAll(of query: RecordQuery, _ path: ResourcePath, isWholeList: Bool, now: Int64) throws {
        if !isWhole {
            throw CloverError.incomplete(
                "some records of \(path.display), or lists in them, could not be read" + (gap.map { ": \($0)" } ?? ""))
        }
        // A list read in windows was read back to its oldest record.
        if isWholeList, windowCount == nil, HistoryLimit.mayCut(query, of: path, now: now) {
            throw CloverError.incomplete("Clover lists \(path.display) of the last \(HistoryLimit.days) days only")
        }
    }
}
