import CloverAPI
import CloverHTTP
import CloverJSON
import Testing

@Suite("Lines that become requests")
struct RequestLineTests {
    private func path(_ text: String, _ line: String, takesBareValue: Bool = false) throws -> String {
        let template = try ResourcePath(
            parsing: text, identifier: nil, merchantID: "M", isChecked: true, method: .delete)
        return try RequestLine(Array(line.utf8), takesBareValue: takesBareValue).path(template).display
    }

    @Test("texts and numbers fill the names in the path, those of nested objects too")
    func fills() throws {
        #expect(try path("items/{id}", #"{"name":"x","id":"A1"}"#) == "items/A1")
        #expect(try path("items/{item.id}", #"{"id":"no","item":{"id":"A2"}}"#) == "items/A2")
        #expect(try path("items/{n}", #"{"n":12345678901234567890}"#) == "items/12345678901234567890")
        #expect(try path("items/{id}", #"{"id":"Aé"}"#) == "items/Aé")
    }

    @Test("a bare value fills the only name in the path if allowed")
    func bare() throws {
        #expect(try path("items/{id}", #""A1""#, takesBareValue: true) == "items/A1")
        #expect(try path("items/{id}", "17", takesBareValue: true) == "items/17")
        #expect(throws: RequestLine.Fault.missing("id")) { try path("items/{id}", #""A1""#) }
        #expect(throws: RequestLine.Fault.missing("o")) {
            try path("orders/{o}/line_items/{l}", #""A1""#, takesBareValue: true)
        }
    }

    @Test("values that cannot fill a path are refused")
    func unusable() {
        for line in [#"{"x":1}"#, #"{"id":null}"#, #"{"id":{"id":"A"}}"#, #"[{"id":"A"}]"#, #"{"x":[{"id":"A"}]}"#] {
            #expect(throws: RequestLine.Fault.missing("id")) { try path("items/{id}", line) }
        }
        for value in ["", ".", ".."] {
            #expect(throws: RequestLine.Fault.unusable("id")) { try path("items/{id}", "{\"id\":\"\(value)\"}") }
        }
    }

    @Test("bytes of a body stay as they are; a body is an object or an array")
    func bodies() throws {
        let text = #" {"price": 12345678901234567890.10, "a":[1 ,2]}"#
        #expect(try RequestLine(Array(text.utf8)).body() == Array(text.utf8))
        #expect(try RequestLine(Array("[1]".utf8)).body() == Array("[1]".utf8))
        #expect(throws: RequestLine.Fault.notABody(.string)) { try RequestLine(Array(#""A""#.utf8)).body() }
    }

    @Test(
        "a line that is not JSON says where", arguments: [("nonsense", 1), ("{\"a\":1,}", 8), ("{} {}", 4), ("[1,", 4)])
    func notJSON(text: String, column: Int) {
        #expect(throws: RequestLine.Fault.notJSON(column: column)) { try RequestLine(Array(text.utf8)) }
    }

    @Test("invalid UTF-8 is not JSON")
    func notUnicode() {
        #expect(throws: RequestLine.Fault.notJSON(column: 4)) {
            try RequestLine(Array("\"é".utf8) + [0xC3, UInt8(ascii: "\"")])
        }
    }
}
