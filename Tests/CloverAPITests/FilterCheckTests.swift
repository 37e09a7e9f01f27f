import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverJSON
import Testing

/// A service that ignores every filter, beside one that says nothing about a field.
@Suite("records that contradict the filters of their request")
struct FilterCheckTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_780_000_000_000

    struct Row: CustomTestStringConvertible, Sendable {
        let filters: [String]
        /// Each record without its id, which is its place.
        let records: [String]
        let kept: [String]
        var testDescription: String { filters.joined(separator: " ") }
    }

    static let rows = [
        Row(
            filters: ["createdTime>=1770000000000", "createdTime<1770086400000"],
            records: [
                #""createdTime":1770000000000"#, #""createdTime":1769999999500"#, #""createdTime":1769000000000"#,
                #""createdTime":1770086400500"#, #""createdTime":1770090000000"#, #""createdTime":null"#,
                #""name":"x""#,
            ], kept: ["0", "1", "3", "5", "6"]),
        // What was changed after the start of the run, while it was read.
        Row(
            filters: ["modifiedTime<=1775000000000"],
            records: [#""modifiedTime":1780000000001"#, #""modifiedTime":1776000000000"#], kept: ["0"]),
        // Seconds are not compared.
        Row(filters: ["createdTime>=1770000000000"], records: [#""createdTime":1769000000"#], kept: ["0"]),
        // Whether the service regards case is not known.
        Row(
            filters: ["name!=green tea"], records: [#""name":"Green tea""#, #""name":"green tea""#, #""name":"tea""#],
            kept: ["0", "2"]),
        Row(
            filters: ["name=Green  tea"],
            records: [
                #""name":"green tea""#, #""name":"Black tea""#, #""name":"Grün""#, #""name":{"en":"x"}"#, #""n":1"#,
            ],
            kept: ["0", "2", "3", "4"]),
        Row(filters: ["name=tea%"], records: [#""name":"Black""#], kept: ["0"]),
        Row(filters: ["price>100"], records: [#""price":100"#, #""price":101"#, #""price":"99""#], kept: ["1"]),
        Row(filters: ["price!=100"], records: [#""price":100"#, #""price":100.0"#, #""price":7"#], kept: ["2"]),
        Row(filters: ["id in (0,2)"], records: ["", "", ""].map { _ in #""a":1"# }, kept: ["0", "2"]),
        Row(filters: ["item.name=x"], records: [#""item":{"name":"y"}"#], kept: ["0"]),
        Row(filters: ["hidden=true"], records: [#""hidden":false"#], kept: ["0"]),
    ]

    private func read(_ row: Row, isChecked: Bool = true, compares: Bool = true) async throws -> (
        ids: [String], summary: RecordPager.Summary
    ) {
        let records = row.records.enumerated().map { #"{"id":"\#($0)",\#($1)}"# }
        let transport = ScriptedTransport { request, _ in
            let isFirst = request.url.values(of: "offset").isEmpty
            return .init(chunks: ["{\"elements\":[\(isFirst ? records.joined(separator: ",") : "")]}"])
        }
        var query = RecordQuery()
        query.filters = try row.filters.map {
            try FilterExpression(parsing: $0, times: TimeExpression.Context(now: Self.now, zone: .utc))
        }
        let pager = RecordPager(
            client: try ServiceClient.scripted(transport, retries: 0),
            path: try ResourcePath(parsing: "items", identifier: nil, merchantID: "M1", isChecked: true), query: query,
            isChecked: isChecked, now: Self.now, toleratesIgnoredFilters: compares)
        var ids: [String] = []
        let summary = try await pager.run(plan: PagePlan(offset: 0, limit: nil, pageSize: 10)) { batch in
            ids += batch.records.map { batch.id(of: $0) ?? "-" }
            return .more
        }
        return (ids, summary)
    }

    @Test(
        "a record that a filter excludes is left out and named; what cannot be compared is delivered", arguments: rows)
    func compares(_ row: Row) async throws {
        let (ids, summary) = try await read(row)
        #expect(ids == row.kept)
        let left = row.records.count - row.kept.count
        #expect(summary.contradiction?.count ?? 0 == left)
        #expect(summary.recordsRead == row.records.count)
        if left > 0 {
            let first = row.records.indices.map(String.init).first { !row.kept.contains($0) }
            #expect(summary.contradiction?.id == first)
        }
    }

    @Test("nothing is compared without checks, nor where the reader checks by itself")
    func unchecked() async throws {
        for (isChecked, compares) in [(false, true), (true, false)] {
            let (ids, summary) = try await read(Self.rows[0], isChecked: isChecked, compares: compares)
            #expect(ids.count == 7 && summary.contradiction == nil)
        }
    }
}
