import CloverHTTP
import FoundationEssentials

/// Where the records of a list begin. A merchant's records may be older than the merchant: they were imported, or the account
/// was made anew.
///
/// A list that is filtered by a time without a 90-day rule says itself what it has before an instant, in one request. One with
/// the rule answers for 90 days at a time: it is asked for one record in each of the windows before the merchant's first day,
/// until many of them in a row are empty; and the oldest order says how far back its payments may be.
package struct ListBeginning: Sendable, Equatable {
    /// Milliseconds since 1970: nothing that is known of is earlier.
    package var instant: Int64
    /// Where the last look ended; nil when all that is earlier was looked at.
    package var lookedBackTo: Int64?

    /// Requests at most, without the one for the merchant.
    static let mostLooks = 12
    /// So many windows of 89 days without a record, nearly two years, are the end of a list with the rule.
    static let emptyWindows = 8
    /// The year 1900, in milliseconds since 1970: from there on to now there are a few hundred windows. No record of a shop is
    /// earlier, and one that says so would make them without number.
    static let earliest: Int64 = -2_208_988_800_000
}

/// The oldest record of a list gives a time that cannot be: nobody can ask for everything from there on, window by window.
package struct ImpossibleBeginning: Error, Equatable, Sendable {
    /// The last word of the list's path, such as `orders`.
    package var list: String
    package var field: String
    /// Milliseconds since 1970.
    package var time: Int64
}

extension ListAge {
    /// How far back a list of the merchant's goes.
    ///
    /// - Parameter field: the time by which its windows are divided.
    /// - Throws: `ImpossibleBeginning`, and what it throws when the service cannot be asked now.
    package func beginning(by field: String) async throws -> ListBeginning {
        let start = try await earliest() ?? TimeWindows.beginning
        guard isOwnList else { return ListBeginning(instant: start) }
        var query = RecordQuery()
        query.filters = [FilterExpression(field: field, condition: ">=0")]
        guard HistoryLimit.rule(of: path, for: query) != nil else {
            return try await beginningByTime(field, start: start)
        }
        return try await beginningByWindows(field, start: start)
    }

    /// `v3/merchants/{mId}/orders`: the lists of a record are no older than the record.
    private var isOwnList: Bool { path.segments.count == 4 && path.segments.starts(with: ["v3", "merchants"]) }

    private func beginningByTime(_ field: String, start: Int64) async throws -> ListBeginning {
        var begin = start
        for _ in 0..<ListBeginning.mostLooks {
            let before = FilterExpression(field: field, condition: "<\(begin)")
            guard let found = try await oldest(by: field, of: path.encoded, [before]), found < begin else {
                return ListBeginning(instant: begin)
            }
            begin = found
        }
        // A service that does not sort names another one each time.
        begin = min(begin, TimeWindows.beginning)
        return ListBeginning(instant: begin, lookedBackTo: begin)
    }

    private func beginningByWindows(_ field: String, start: Int64) async throws -> ListBeginning {
        var begin = start
        // Without a filter the orders have no rule, and what is paid was ordered before.
        let orders = "/" + path.segments.prefix(3).map { PercentEncoding.encode($0) }.joined(separator: "/") + "/orders"
        do {
            if let order = try await oldest(by: Self.created, of: orders, []) {
                begin = min(begin, order - Self.margin)
            }
        } catch let error as ImpossibleBeginning {
            // Of another list it tells nothing.
            if orders == path.encoded { throw error }
        }
        var end = begin
        var empty = 0
        for _ in 1..<ListBeginning.mostLooks where empty < ListBeginning.emptyWindows && end > TimeWindows.beginning {
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
        guard empty < ListBeginning.emptyWindows else { return ListBeginning(instant: begin, lookedBackTo: end) }
        begin = min(begin, TimeWindows.beginning)
        return ListBeginning(instant: begin, lookedBackTo: begin)
    }

    private static let created = "createdTime"

    /// The time of the first record that a list has in the order of a time; nil where there is none, and where the service does
    /// not say it: the token may not read the list.
    private func oldest(
        by field: String, of path: String, _ filters: [FilterExpression]
    ) async throws -> Int64? {
        var query = RecordQuery()
        query.filters = filters
        do throws(QueryError) {
            query.sort = [try SortKey(parsing: field)]
        } catch {
            return nil
        }
        let url = client.url(path: path, query: query.encoded(page: RecordQuery.Page(offset: 0, limit: 1)))
        let time = try await answer(to: url) { body in
            try JSONDecoder().decode(Page.self, from: body).elements.first?.time(field)
        }
        if let time, time < ListBeginning.earliest {
            let list = path.split(separator: "/").last.map(String.init) ?? path
            throw ImpossibleBeginning(list: list, field: field, time: time)
        }
        return time
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
