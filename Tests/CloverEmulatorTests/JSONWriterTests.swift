import CloverEmulator
import Foundation
import Testing

@Suite("JSON")
struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 1)
        body(&writer)
        return String(decoding: writer.bytes(), as: UTF8.self)
    }

    @Test("Numbers of every length are exact")
    func numbers() {
        var value = 1
        for _ in 0..<18 {
            for number in [value - 1, value, -value] { #expect(written { $0.integer(number) } == String(number)) }
            value *= 10
        }
        for number in [Int.max, Int.min, 0] { #expect(written { $0.integer(number) } == String(number)) }
    }

    @Test("Strings survive a round trip")
    func strings() throws {
        let texts = [
            "", "plain", "a\"b\\c/d", "tab\tline\nreturn\r", "\u{0}\u{1}\u{1f}\u{7f}", "é 🎂 שלום 日本", "\u{2028}",
        ]
        for text in texts {
            let json = written { $0.string(text) }
            #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == text)
        }
    }

    @Test("Values are written without white space and in their order")
    func values() {
        let value: JSONValue = .object([
            ("b", .array([.integer(1), .number("2.0"), .boolean(false)])), ("a", .elements([.string("x")])),
        ])
        #expect(written { value.write(to: &$0) } == #"{"b":[1,2.0,false],"a":{"elements":["x"]}}"#)
    }
}
