import CloverJSON
import Testing

@Suite("A batch of records")
struct RecordBatchTests {
    struct Identified: CustomTestStringConvertible, Sendable {
        let name: String
        let record: String
        let id: String?

        var testDescription: String { name }
    }

    static let identified: [Identified] = [
        Identified(name: "first", record: #"{"id":"A1","x":"B"}"#, id: "A1"),
        Identified(name: "last", record: #"{"x":1,"y":"q\"","id":"A2"}"#, id: "A2"),
        Identified(name: "nested one before", record: #"{"employee":{"id":"E"},"l":[{"id":"L"}],"id":"A3"}"#, id: "A3"),
        Identified(name: "only nested", record: #"{"employee":{"id":"E"}}"#, id: nil),
        Identified(name: "number", record: #"{"id":12345678901234567890}"#, id: "12345678901234567890"),
        Identified(name: "negative number with spaces", record: #"{ "id" : -1.5 , "a" : 2 }"#, id: "-1.5"),
        Identified(
            name: "escapes", record: #"{"id":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\q"}"#,
            id: "a\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}"),
        Identified(name: "lone surrogate", record: #"{"id":"\ud800x"}"#, id: "\u{FFFD}x"),
        Identified(name: "multi-byte", record: #"{"id":"Ünï 🥐"}"#, id: "Ünï 🥐"),
        Identified(name: "empty", record: #"{"id":""}"#, id: ""),
        Identified(name: "null", record: #"{"id":null}"#, id: nil),
        Identified(name: "object", record: #"{"id":{"id":"x"}}"#, id: nil),
        Identified(name: "boolean", record: #"{"id":true}"#, id: nil),
        Identified(name: "none", record: #"{"a":true,"b":null,"c":[1,{"d":"}"}]}"#, id: nil),
        Identified(
            name: "names that only look like it", record: #"{"ids":"a","i":"b","Id":"c","\u0069d":"d"}"#, id: nil),
        Identified(name: "word as another value", record: #"{"s":"\"id\":\"x\"","id":"y"}"#, id: "y"),
        Identified(name: "empty object", record: "{}", id: nil),
        Identified(name: "array", record: #"["id"]"#, id: nil),
        Identified(name: "string", record: #""id""#, id: nil),
        Identified(name: "not JSON", record: #"{"id" "x"}"#, id: nil),
        Identified(name: "not JSON in front", record: #"{"a":,"id":"x"}"#, id: nil),
        Identified(name: "string without end", record: #"{"id":"x"#, id: nil),
    ]

    private func batch(_ records: [String]) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    @Test("knows a record's id", arguments: identified)
    func id(row: Identified) throws {
        let batch = batch([#"{"id":"before"}"#, row.record, #"{"id":"after"}"#])
        #expect(batch.id(of: batch.records[1]) == row.id)
    }

    @Test("gives no id for a record of another batch")
    func strangeRecord() {
        #expect(batch(["{}"]).id(of: Record(range: 0..<100)) == nil)
    }

    @Test("removes repeats and keeps the rest in order")
    func removing() {
        var batch = batch([#"{"id":"A"}"#, #"{"id":"B"}"#, #"{"id":"A"}"#, #"{"id":"C"}"#, #"{"id":"C"}"#])
        var seen: Set<String> = []
        let removed = batch.removeRecords { batch, record in
            guard let id = batch.id(of: record) else { return false }
            return !seen.insert(id).inserted
        }
        #expect(removed == 2)
        #expect(String(decoding: batch.bytes, as: UTF8.self) == "{\"id\":\"A\"}\n{\"id\":\"B\"}\n{\"id\":\"C\"}\n")
        #expect(batch.records.map { batch.id(of: $0) } == ["A", "B", "C"])
    }

    @Test("stays the same when nothing is removed, and can become empty")
    func removingNothingOrAll() {
        var batch = batch(["1", "2"])
        #expect(batch.removeRecords { _, _ in false } == 0)
        #expect(batch.bytes == Array("1\n2\n".utf8))
        #expect(batch.removeRecords { _, _ in true } == 2)
        #expect(batch.isEmpty && batch.bytes.isEmpty)
    }
}
