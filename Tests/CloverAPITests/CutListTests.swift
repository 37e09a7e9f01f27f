import CloverAPI
import CloverRecords
import Testing

@Suite("Nested lists that may have been cut")
struct CutListTests {
    private func order(_ id: String, lines: Int, inner: Int = 1) -> String {
        let line = "{\"name\":\"a, \\\"[b\",\"discounts\":{\"elements\":[\(list("{}", inner))]},\"tags\":[1,2]}"
        return "{\"id\":\"\(id)\",\"note\":\"elements\",\"lineItems\":{\"elements\":[\(list(line, lines))]}}"
    }

    private func list(_ entry: String, _ count: Int) -> String {
        Array(repeating: entry, count: count).joined(separator: ",")
    }

    private func run(_ records: [String], expand: [String]) async throws -> RecordPager.Summary {
        let transport = ScriptedTransport { _, _ in
            .init(chunks: ["{\"elements\":[\(records.joined(separator: ","))]}"])
        }
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.expand = expand
        let pager = RecordPager(
            client: try ServiceClient.scripted(transport), path: path, query: query, isChecked: true)
        return try await pager.run(plan: PagePlan(offset: 0, limit: nil, pageSize: 1000)) { _ in .more }
    }

    @Test("a list of exactly 100 entries is suspicious at any depth; others are not")
    func suspicion() async throws {
        let records = [
            order("A", lines: 99), order("B", lines: 100), order("C", lines: 101), order("D", lines: 0),
            order("E", lines: 3, inner: 100), order("F", lines: 1),
        ]
        let summary = try await run(records, expand: ["lineItems"])
        #expect(summary.records == 6)
        #expect(summary.suspicious == 2)
        #expect(summary.suspiciousIDs == ["B", "E"])
    }

    @Test("without an expansion nothing is looked at")
    func unexpanded() async throws {
        #expect(try await run([order("B", lines: 100)], expand: []).suspicious == 0)
    }

    @Test("a line break inside a string is no JSON, and never becomes two lines")
    func lineBreaks() async throws {
        await #expect(throws: ServiceError.self) {
            try await run(["{\"id\":\"A\",\"note\":\"two\nlines\"}"], expand: [])
        }
    }
}
