import CloverAPI
import CloverExport
import CloverJSON
import Foundation
import Testing

@Suite("Singer messages")
struct SingerTests {
    private func stream(_ resource: String, _ model: String?, _ bookmark: String? = nil) -> SingerStream {
        SingerStream(resource, model: model.flatMap { ModelCatalogue.model(named: $0) }, bookmark: bookmark)
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("A schema names the stream, its key, its bookmark, and its members with null")
    func schema() throws {
        let message = try json(stream("orders", "order.Order", "modifiedTime").schemaMessage)
        #expect(message["type"] as? String == "SCHEMA")
        #expect(message["stream"] as? String == "orders")
        #expect(message["key_properties"] as? [String] == ["id"])
        #expect(message["bookmark_properties"] as? [String] == ["modifiedTime"])
        let schema = try #require(message["schema"] as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties["id"]?["type"] as? [String] == ["string", "null"])
        #expect(properties["total"]?["type"] as? [String] == ["integer", "null"])
        #expect(properties["employee"]?["properties"] != nil)
    }

    @Test("every schema is valid JSON without references")
    func allModels() throws {
        for name in ModelCatalogue.names {
            let text = SingerSchema(model: ModelCatalogue.model(named: name)).text
            #expect(!text.contains("$ref"), "\(name)")
            _ = try json(text)
        }
    }

    @Test("filters of a list reveal members that the model lacks")
    func filterable() throws {
        let model = try #require(ModelCatalogue.model(named: "inventory.Tag"))
        #expect(model.field(named: "deleted") == nil)
        let tags = SingerStream("tags", model: model, filterable: ["deleted", "items.id"], bookmark: nil)
        var records = SingerRecords(tags)
        _ = records.messages(batch(#"{"id":"A","deleted":false,"href":"x"}"#), extracted: "X")
        #expect(records.leftOut.isEmpty)
        #expect(tags.schemaMessage.contains(#""deleted":{"type":["boolean","null"]}"#))
        #expect(!tags.schemaMessage.contains("items.id"))
    }

    @Test("an unknown stream has an open schema and no key")
    func unknown() throws {
        let message = try json(stream("orders/X/line_items", nil).schemaMessage)
        #expect(message["stream"] as? String == "orders_X_line_items")
        #expect(message["key_properties"] as? [String] == [])
        #expect(message["bookmark_properties"] == nil)
    }

    private func batch(_ records: String...) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    @Test("records keep their bytes and have the time of extraction")
    func records() throws {
        let record = #"{"id":"A","total":12345678901234567890,"note":"é\u0001"}"#
        var records = SingerRecords(stream("orders", "order.Order"))
        let messages = records.messages(batch(record, "{}"), extracted: "2025-11-20T22:58:01.204Z")
        #expect(
            String(decoding: messages, as: UTF8.self)
                == """
                {"type":"RECORD","stream":"orders","record":\(record),"time_extracted":"2025-11-20T22:58:01.204Z"}
                {"type":"RECORD","stream":"orders","record":{},"time_extracted":"2025-11-20T22:58:01.204Z"}

                """)
        #expect(records.leftOut.isEmpty)
    }

    @Test(
        "members outside the schema are omitted, wherever they are",
        arguments: [
            (#"{"id":"A","zz":1}"#, #"{"id":"A"}"#), (#"{"zz":{"id":[1,{"a":"}"}]},"id":"A"}"#, #"{"id":"A"}"#),
            (#"{"zz":"\",\"id\":1","total":5,"yy":[],"id":"A"}"#, #"{"total":5,"id":"A"}"#), (#"{"zz":null}"#, "{}"),
            (
                #"{"href":"x","lineItems":{"elements":[{"zz":1}]}}"#,
                #"{"href":"x","lineItems":{"elements":[{"zz":1}]}}"#
            ),
        ])
    func leftOut(record: String, kept: String) throws {
        var records = SingerRecords(stream("orders", "order.Order"))
        let message = records.messages(batch(record), extracted: "X")
        #expect(
            String(decoding: message, as: UTF8.self)
                == #"{"type":"RECORD","stream":"orders","record":\#(kept),"time_extracted":"X"}"# + "\n")
        #expect(records.leftOut.contains("zz") == (record != kept))
        var unknown = SingerRecords(stream("orders", nil))
        #expect(String(decoding: unknown.messages(batch(record), extracted: "X"), as: UTF8.self).contains(record))
    }

    // MARK: State

    private func state(_ text: String) throws(SingerStateError) -> SingerState {
        try SingerState(reading: Array(text.utf8), from: "state.json", merchant: "M", environment: "us")
    }

    @Test("a bookmark never moves back; those of other streams are kept")
    func bookmarks() throws {
        let orders = stream("orders", "order.Order", "modifiedTime")
        var state = try state(#"{"bookmarks":{"other":{"time":7}}}"#)
        #expect(state.bookmark(of: orders) == nil)
        state.advance(orders, to: 20)
        state.advance(orders, to: 10)
        #expect(state.bookmark(of: orders) == 20)
        #expect(
            try state.message
                == #"{"type":"STATE","value":{"bookmarks":{"orders":{"modifiedTime":20},"other":{"time":7}},"environment":"us","merchant":"M"}}"#
                + "\n")
        state.advance(stream("cash", nil), to: 30)
        #expect(try !state.message.contains("cash"))
    }

    @Test(
        "reads what a target wrote: a file, the last line of its output, a message, or nothing",
        arguments: [
            #"{"bookmarks":{"orders":{"modifiedTime":5}}}"#,
            "{\n  \"bookmarks\": {\n    \"orders\": {\"modifiedTime\": 5}\n  }\n}\n",
            #"{"bookmarks":{}}"# + "\n" + #"{"merchant":"M","bookmarks":{"orders":{"modifiedTime":5}}}"# + "\n\n",
            #"{"type":"STATE","value":{"environment":"us","bookmarks":{"orders":{"modifiedTime":5}}}}"#,
        ])
    func read(text: String) throws {
        #expect(try state(text).bookmark(of: stream("orders", "order.Order", "modifiedTime")) == 5)
    }

    @Test("an empty state is the one before the first run", arguments: ["", " \n", "{}"])
    func empty(text: String) throws {
        #expect(try state(text) == SingerState(merchant: "M", environment: "us"))
    }

    @Test("Other states are refused")
    func refused() {
        #expect(throws: SingerStateError.unreadable(path: "state.json")) { try state("[]") }
        #expect(throws: SingerStateError.unreadable(path: "state.json")) { try state(#"{"bookmarks":{"orders":5}}"#) }
        #expect(throws: SingerStateError.otherMerchant(path: "state.json", merchant: "N")) {
            try state(#"{"merchant":"N"}"#)
        }
        #expect(throws: SingerStateError.otherEnvironment(path: "state.json", environment: "eu")) {
            try state(#"{"merchant":"M","environment":"eu"}"#)
        }
    }
}
