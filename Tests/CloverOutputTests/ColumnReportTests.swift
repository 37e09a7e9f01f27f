import CloverJSON
import CloverOutput
import Testing

@Suite("How columns matched the records")
struct ColumnReportTests {
    private func layout(_ fields: String, notesOthers: Bool = false) throws -> RecordLayout {
        var layout = try FormatRun.layout(.csv, fields)
        layout.notesOthers = notesOthers
        return layout
    }

    @Test("a column is absent when no record of any batch has it")
    func absent() async throws {
        let result = try await FormatRun.run(
            try layout("a,b.c,d,e.length,f"),
            [[#"{"a":null,"b":{"x":1}}"#, #"{"b":[1]}"#], [#"{"e":[]}"#, #"{"f":{}}"#]])
        #expect(result.reports.map(\.absent) == [try FieldPath.list(parsing: "b.c,d")])
        #expect(result.reports.first?.others == [])
    }

    @Test("without records nothing is absent, and a broken run reports nothing")
    func empty() async throws {
        #expect(try await FormatRun.run(try layout("a"), [[]]).reports.map(\.absent) == [[]])
        #expect(try await FormatRun.run(try layout("a"), [["{}"]], breaksOff: true).reports == [])
    }

    @Test("the names of other members come once, in their order, also behind the last wanted value")
    func others() async throws {
        let result = try await FormatRun.run(
            try layout("id,in.x", notesOthers: true),
            [
                [#"{"p":1,"id":2,"in":{"x":1,"inner":2},"q":{"deep":1}}"#, #"{"q":1,"id":1,"p":[{"deep":1}]}"#],
                [#"{"r\u0041":1,"":2}"#, #"{"p":1,"new":1}"#, "{}", "[{\"list\":1}]", "7"],
            ])
        #expect(result.reports.first?.others == ["p", "q", "rA", "", "new"])
    }

    @Test("many names do not fill the memory")
    func many() async throws {
        let records = (0..<2000).map { "{\"name\($0)\":1}" }
        let result = try await FormatRun.run(try layout("id", notesOthers: true), [records])
        #expect(result.reports.first?.others.count == 256)
    }
}
