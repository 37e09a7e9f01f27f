import CloverEmulator
import Testing

@Suite("JSON of requests")
struct JSONParserTests {
    @Test(
        "Values keep their spelling and the order of their members",
        arguments: [
            #"{"b":1,"a":[true,false,null,-0,1.50,1e3,"x"]}"#, "[]", "{}", #""é\u0000""#,
            "123456789012345678901234567890",
        ])
    func same(text: String) throws {
        let value = try #require(JSONParser.value(of: Array(text.utf8)))
        let again = String(decoding: value.encoded, as: UTF8.self)
        #expect(again == text)
        #expect(JSONParser.value(of: value.encoded)?.encoded == value.encoded)
    }

    @Test("Escapes and surrogate pairs become characters")
    func escapes() {
        let value = JSONParser.value(of: Array(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#.utf8))
        #expect(value?.text == "\"\\/\u{8}\u{c}\n\r\té😀")
    }

    @Test(
        "Refuses text that is not JSON",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":}", "01", "1.", ".5", "+1", "1e", "nul", "'a'", "\"\u{1}\"",
            #""\x""#, #""\ud800""#, #""\ud800A""#, "{} {}", "[1 2]", #""\u12""#,
            String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
        ])
    func bad(text: String) {
        #expect(JSONParser.value(of: Array(text.utf8)) == nil)
    }

    @Test("Refuses invalid UTF-8")
    func notUTF8() {
        #expect(JSONParser.value(of: [0x22, 0xFF, 0x22]) == nil)
    }
}
