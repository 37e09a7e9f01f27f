import CloverJSON
import Testing

@Suite("taking a nested list out of a record")
struct NestedListRemovalTests {
    private func split(_ record: String, _ name: String = "l") -> (String, [String])? {
        var batch = RecordBatch()
        Array(record.utf8).withUnsafeBytes { batch.append($0) }
        guard let found = batch.removing(list: name, from: batch.records[0], prefix: Array(#"{"p":1"#.utf8)) else {
            return nil
        }
        let entries = found.entries.records.map { String(decoding: found.entries.bytes[$0.range], as: UTF8.self) }
        return (String(decoding: found.record, as: UTF8.self), entries)
    }

    struct Row: Sendable {
        var record: String
        var rest: String
        var entries: [String]
    }

    @Test(
        "the rest is the record without it, wherever it stands",
        arguments: [
            Row(record: #"{"l":{"elements":[{"a":1}]}}"#, rest: "{}", entries: [#"{"p":1,"a":1}"#]),
            Row(record: #"{"l":{"elements":[]},"x":1}"#, rest: #"{"x":1}"#, entries: []),
            Row(record: #"{"x":1,"l":{"elements":[{}]}}"#, rest: #"{"x":1}"#, entries: [#"{"p":1}"#]),
            Row(
                record: #"{"x":"}],\"","l":{"href":"h","elements":[{"a":[1,{"b":2}]}, {"c":"]"},7]},"y":{"l":3}}"#,
                rest: #"{"x":"}],\"","y":{"l":3}}"#,
                entries: [#"{"p":1,"a":[1,{"b":2}]}"#, #"{"p":1,"c":"]"}"#, "7"]),
        ])
    func removes(_ row: Row) throws {
        let (rest, entries) = try #require(split(row.record))
        #expect(rest == row.rest)
        #expect(entries == row.entries)
    }

    @Test(
        "a record without such a list is unchanged",
        arguments: [
            "{}", #"{"x":1}"#, #"{"l":3}"#, #"{"l":{}}"#, #"{"l":{"elements":3}}"#, #"{"x":{"l":{"elements":[]}}}"#,
            "[]",
            #"{"l":{"elements":[1,}}"#,
        ])
    func leaves(_ record: String) {
        #expect(split(record) == nil)
    }
}
