import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverJSON
import Testing

/// A service that ignores every sort order.
@Suite("records that are not in the order of their request")
struct SortCheckTests {
    private static let now: Int64 = 1_780_000_000_000

    struct Row: CustomTestStringConvertible, Sendable {
        let sort: [String]
        /// Each record without its id, which is its place.
        let records: [String]
        /// The ids of the two neighbours in the wrong order; nil if nothing shows one.
        var found: [String]?
        let testDescription: String
    }

    static let rows = [
        Row(
            sort: ["price:desc"], records: [#""price":5"#, #""price":900"#, #""price":20"#], found: ["0", "1"],
            testDescription: "the largest comes second"),
        Row(
            sort: ["price"], records: [#""price":-2.5"#, #""price":10"#, #""price":9"#], found: ["1", "2"],
            testDescription: "numbers are not compared as texts"),
        Row(
            sort: ["price"], records: [#""price":5"#, #""price":null"#, #""name":"x""#, #""price":4"#],
            found: ["0", "3"], testDescription: "records without a value stand between two others"),
        Row(
            sort: ["price:desc", "name"],
            records: [#""price":null"#, #""price":9,"name":"b""#, #""price":9,"name":"a""#, #""price":1"#, #""x":1"#],
            testDescription: "equal values, and none at either end"),
        Row(
            sort: ["name"], records: [#""name":"b""#, #""name":"A""#, #""name":"a""#],
            testDescription: "texts are not compared"),
        Row(
            sort: ["modifiedTime"],
            records: [#""modifiedTime":1770000001000"#, #""modifiedTime":1770000000000"#],
            testDescription: "times that differ by their rounding"),
        Row(
            sort: ["modifiedTime"],
            records: [#""modifiedTime":1770000010000"#, #""modifiedTime":1770000000000"#], found: ["0", "1"],
            testDescription: "times in the wrong order"),
        Row(
            sort: ["modifiedTime"],
            records: [#""modifiedTime":1780000000001"#, #""modifiedTime":1770000000000"#],
            testDescription: "a record that was changed during the run"),
        Row(
            sort: ["price"],
            records: [#""price":9"#, #""price":7,"modifiedTime":1779999990000"#, #""price":8"#],
            testDescription: "a record whose price was changed before the run"),
        Row(
            sort: ["unknown"], records: [#""unknown":9"#, #""unknown":7"#],
            testDescription: "a field of which nothing is known"),
    ]

    private func contradiction(
        _ records: [String], _ query: RecordQuery, of list: String = "items", isChecked: Bool = true,
        compares: Bool = true
    ) async throws -> (delivered: Int, contradiction: SortContradiction?) {
        let records = records.enumerated().map { #"{"id":"\#($0)",\#($1)}"# }
        let transport = ScriptedTransport { request, _ in
            let isFirst = request.url.values(of: "offset").isEmpty
            // Each record arrives by itself.
            let parts = isFirst ? records.enumerated().map { ($0 == 0 ? "" : ",") + $1 } : []
            return .init(chunks: ["{\"elements\":["] + parts + ["]}"])
        }
        let pager = RecordPager(
            client: try ServiceClient.scripted(transport, retries: 0),
            path: try ResourcePath(parsing: list, identifier: nil, merchantID: "M1", isChecked: true), query: query,
            isChecked: isChecked, now: Self.now, toleratesIgnoredFilters: compares)
        let summary = try await pager.run(plan: PagePlan(offset: 0, limit: nil, pageSize: 10)) { _ in .more }
        return (summary.records, summary.sortContradiction)
    }

    private func query(_ row: Row) throws -> RecordQuery {
        var query = RecordQuery()
        query.sort = try row.sort.map { try SortKey(parsing: $0) }
        return query
    }

    @Test("two neighbours in the wrong order are named, and all records are delivered", arguments: rows)
    func compares(_ row: Row) async throws {
        let (delivered, found) = try await contradiction(row.records, try query(row))
        #expect(found.map { [$0.precedingID ?? "-", $0.id ?? "-"] } == row.found)
        #expect(delivered == row.records.count)
    }

    @Test("nothing is compared without checks, nor where the reader checks by itself")
    func unchecked() async throws {
        let row = Self.rows[0]
        for (isChecked, compares) in [(false, true), (true, false)] {
            let (_, found) = try await contradiction(
                row.records, try query(row), isChecked: isChecked, compares: compares)
            #expect(found == nil)
        }
    }

    @Test("an order that only the tool asks for, to end early, is not compared")
    func ownOrder() async throws {
        var query = RecordQuery()
        let times = TimeExpression.Context(now: Self.now, zone: .utc)
        query.filters = [try FilterExpression(parsing: "createdTime>=1760000000000", times: times)]
        let path = try ResourcePath(parsing: "credits", identifier: nil, merchantID: "M1", isChecked: true)
        query.separateLocalFilters(of: path)
        try #require(!query.sort.isEmpty)
        let records = [#""createdTime":1770000000000"#, #""createdTime":1775000000000"#]
        #expect(try await contradiction(records, query, of: "credits").contradiction == nil)
    }
}
