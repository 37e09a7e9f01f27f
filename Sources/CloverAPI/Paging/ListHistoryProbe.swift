import CloverHTTP
import CloverSystem
import FoundationEssentials

/// Finds how far back a list can have records: normally none is older than the merchant, and no payment of an order is
/// older than the order. Imported records may be older; see `OldestRecord`.
package struct ListHistoryProbe {
    let client: ServiceClient
    let path: ResourcePath

    /// One day, for differences in clocks and time zones.
    static let margin = HistoryLimit.millisecondsPerDay

    package init(_ client: ServiceClient, _ path: ResourcePath) {
        self.client = client
        self.path = path
    }

    /// The earliest possible time, in milliseconds since 1970; nil if the token may not read the owner.
    ///
    /// - Throws: if the service cannot be reached. Otherwise a temporary failure would change an export's windows.
    package func earliest() async throws -> Int64? {
        guard path.segments.count > 2, path.segments.starts(with: ["v3", "merchants"]) else { return nil }
        let isOfOrder = path.segments.count == 6 && path.segments[3] == "orders"
        let owner = path.segments.prefix(isOfOrder ? 5 : 3).map { "/" + PercentCoding.encode($0) }.joined()
        // If unknown, windows go back to Clover's beginning: more requests, but equally complete.
        return try await answer(to: client.url(path: owner, query: "")) { body in
            let created = try JSONDecoder().decode(Owner.self, from: body).createdTime
            // Ignore a creation time in the future, which would put the list's start after its end.
            let latest = Int64(Date.now.timeIntervalSince1970 * 1000) + Self.margin
            return created.flatMap { $0 > latest ? nil : max(0, $0) - Self.margin }
        }
    }

    /// Fetches an object and returns what `read` finds in it; nil if the service refuses or the value is missing.
    ///
    /// - Throws: if the service cannot be reached.
    func answer(to url: String, _ read: (Data) throws -> Int64?) async throws -> Int64? {
        var attempt = ServiceClient.Attempt()
        do {
            return try read(Data(try await client.object(of: url, limit: 1 << 20, attempt: &attempt)))
        } catch let error as ServiceError {
            switch error {
            case .unauthorized, .forbidden, .notFound, .refused: break
            default: throw error
            }
            return nil
        } catch is DecodingError {
            return nil
        }
    }

    private struct Owner: Decodable {
        var createdTime: Int64?
    }
}

/// Where the records of a list begin. They may be older than the merchant, if they were imported or the account was
/// recreated.
///
/// A list without a 90-day rule is asked for its oldest record before a given time, in one request. A list with the
/// rule returns only 90 days at a time: it is asked for one record in each window before the merchant's first day,
/// until several windows in a row are empty. The oldest order then bounds how far back payments can go.
package struct OldestRecord: Sendable, Equatable {
    /// Milliseconds since 1970: no earlier record is known.
    package var instant: Int64
    /// Where the search ended; nil if everything earlier was searched.
    package var searchedBackTo: Int64?

    /// The maximum number of requests, not counting the one for the merchant.
    static let maximumRequests = 12
    /// This many consecutive empty windows of 89 days, nearly two years, count as the start of a list with the rule.
    static let emptyWindows = 8
    /// The start of 1900, in milliseconds since 1970; there are a few hundred windows between then and now. No shop has
    /// an earlier record, and a record that claims to be earlier would create windows without limit.
    static let earliest: Int64 = -2_208_988_800_000
}

/// The oldest record of a list has an impossible time, too far back to read everything since then window by window.
package struct ImpossibleOldestRecord: Error, Equatable, Sendable {
    /// The last segment of the list's path, such as `orders`.
    package var list: String
    package var field: String
    /// Milliseconds since 1970.
    package var time: Int64
}

extension ListHistoryProbe {
    /// Finds how far back one of the merchant's lists goes.
    ///
    /// - Parameter field: the time that divides the list into windows.
    /// - Throws: `ImpossibleOldestRecord`, or an error if the service cannot be reached.
    package func beginning(by field: String) async throws -> OldestRecord {
        let start = try await earliest() ?? TimeWindows.beginning
        guard isOwnList else { return OldestRecord(instant: start) }
        var query = RecordQuery()
        query.filters = [FilterExpression(field: field, condition: ">=0")]
        guard HistoryLimit.rule(of: path, for: query) != nil else {
            return try await beginningByTime(field, start: start)
        }
        return try await beginningByWindows(field, start: start)
    }

    /// Whether the path is a list of the merchant, such as `v3/merchants/{mId}/orders`. A record's lists are no older
    /// than it.
    private var isOwnList: Bool { path.segments.count == 4 && path.segments.starts(with: ["v3", "merchants"]) }

    private func beginningByTime(_ field: String, start: Int64) async throws -> OldestRecord {
        var begin = start
        for _ in 0..<OldestRecord.maximumRequests {
            let before = FilterExpression(field: field, condition: "<\(begin)")
            guard let found = try await oldest(by: field, of: path.encoded, [before]), found < begin else {
                return OldestRecord(instant: begin)
            }
            begin = found
        }
        // The service does not sort: it returned a different record each time.
        begin = min(begin, TimeWindows.beginning)
        return OldestRecord(instant: begin, searchedBackTo: begin)
    }

    private func beginningByWindows(_ field: String, start: Int64) async throws -> OldestRecord {
        var begin = start
        // Unfiltered orders are not subject to the rule, and a payment is not older than its order.
        let orders = "/" + path.segments.prefix(3).map { PercentCoding.encode($0) }.joined(separator: "/") + "/orders"
        do {
            if let order = try await oldest(by: Self.created, of: orders, []) {
                begin = min(begin, order - Self.margin)
            }
        } catch let error as ImpossibleOldestRecord {
            // The impossible time belongs to another list.
            if orders == path.encoded { throw error }
        }
        var end = begin
        var empty = 0
        for _ in 1..<OldestRecord.maximumRequests where empty < OldestRecord.emptyWindows && end > TimeWindows.beginning
        {
            let window = TimeWindow(from: end - TimeWindows.longest, to: end)
            let bounds = RecordQuery().narrowed(field, to: window).filters
            let found = try await oldest(by: field, of: path.encoded, bounds)
            end = window.from
            if let found, found >= window.from, found < window.to {
                begin = window.from
                empty = 0
            } else {
                empty += 1
            }
        }
        guard empty < OldestRecord.emptyWindows else { return OldestRecord(instant: begin, searchedBackTo: end) }
        begin = min(begin, TimeWindows.beginning)
        return OldestRecord(instant: begin, searchedBackTo: begin)
    }

    private static let created = "createdTime"

    /// The time of a list's oldest record; nil if the list is empty or the token may not read it.
    private func oldest(
        by field: String, of path: String, _ filters: [FilterExpression]
    ) async throws -> Int64? {
        var query = RecordQuery()
        query.filters = filters
        query.sort = [SortKey(field: field, isDescending: false)]
        let time = try await firstTime(field, of: path, query)
        if let time, time < OldestRecord.earliest {
            let list = path.split(separator: "/").last.map(String.init) ?? path
            throw ImpossibleOldestRecord(list: list, field: field, time: time)
        }
        return time
    }

    /// The time of the record that the path's list begins with in another order; nil if the list is empty, the record
    /// has no such time, or the service refuses.
    func firstTime(in sort: SortKey, of query: RecordQuery) async throws -> Int64? {
        var query = query
        query.sort = [sort]
        query.expand = []
        return try await firstTime(sort.field, of: path.encoded, query)
    }

    private func firstTime(_ field: String, of path: String, _ query: RecordQuery) async throws -> Int64? {
        let url = client.url(path: path, query: query.encoded(page: RecordQuery.Page(offset: 0, limit: 1)))
        return try await answer(to: url) { body in
            try JSONDecoder().decode(Page.self, from: body).elements.first?.time(field)
        }
    }

    private struct Page: Decodable {
        var elements: [Element]
    }

    private struct Element: Decodable {
        private var container: KeyedDecodingContainer<Name>

        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: Name.self)
        }

        func time(_ field: String) -> Int64? {
            Name(stringValue: field).flatMap { name in
                do { return try container.decodeIfPresent(Int64.self, forKey: name) } catch { return nil }
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
