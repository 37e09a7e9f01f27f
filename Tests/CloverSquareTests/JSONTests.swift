import CloverSquare
import Foundation
import Testing

@Suite("JSON")
struct JSONTests {
    private static let texts = [
        #"{"status":"ok","state":"a\u00e9\ud83d\ude00\n","x":[1,-0.5e+2,true,null,{"":"\/"}]}"#,
        #"{"status":"error","error_code":"payment_canceled"}"#, #"[{"a":[]},[[]],{}]"#, "{}",
        #"{"a":{"a":{"a":"\\"}}}"#,
    ]
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "/", "\\u", "\\ud83d", "\\ude00", "\\u0000", "\\x", "e", "E", "+",
        "-", ".",
        "0", "1", "true", "nul", " ", "\t", "\n", "\r", "\u{B}", "\0", "\u{1}", "\u{7F}", "\u{A0}", "\u{FEFF}",
        "\u{2028}", "é",
        "e\u{301}", "😀", "'", "//", "NaN", "\"a\":1",
    ]

    @Test("damaged JSON is refused where Foundation's reader refuses it, and else read alike")
    func damaged() throws {
        var generator = SeededGenerator(seed: 7)
        var taken = 0
        for _ in 0..<20_000 {
            var text = Array((Self.texts.randomElement(using: &generator) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0...text.count, using: &generator)
                let end = Int.random(in: place...min(place + 3, text.count), using: &generator)
                text.replaceSubrange(
                    place..<end, with: (Self.pieces.randomElement(using: &generator) ?? "").unicodeScalars)
            }
            var json = ""
            json.unicodeScalars.append(contentsOf: text)
            let ours = SquareJSONParser.value(of: Array(json.utf8), dialect: .apple)
            guard let theirs = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else {
                try #require(ours == nil || !Self.isContainer(ours), "\(json)")
                continue
            }
            taken += 1
            let value = try #require(ours, "\(json)")
            let written = try JSONSerialization.jsonObject(with: Data(value.written(slashes: .escaped).utf8))
            try #require((written as? NSObject) == (theirs as? NSObject), "\(json)")
        }
        // Without either kind the comparison would prove nothing.
        #expect(taken > 5_000 && taken < 18_000)
    }

    private static func isContainer(_ value: SquareJSON?) -> Bool {
        switch value {
        case .object, .array: true
        default: false
        }
    }

    @Test("strings are written as Apple's serializer writes them")
    func strings() {
        var written = SquareJSON.string("\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{2028}é😀").written(slashes: .escaped)
        #expect(written == #""\"\\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}\u{2028}é😀\"")
        written = SquareJSON.string("/").written()
        #expect(written == #""/""#)
    }

    @Test("an unpaired surrogate is kept where the standard allows it, and written unchanged")
    func surrogates() {
        let text = #""a\ud83d\u0041é\ude00/\ud83d\ude00\udbff""#
        #expect(SquareJSONParser.value(of: Array(text.utf8), dialect: .apple) == nil)
        let value = SquareJSONParser.value(of: Array(text.utf8), dialect: .standard)
        #expect(
            value?.text?.units == [0x61, 0xD83D, 0x41, 0xE9, 0xDE00, 0x2F, 0xD83D, 0xDE00, 0xDBFF])
        #expect(value?.written() == #""a\ud83dA\u00e9\ude00/\ud83d\ude00\udbff""#)
        #expect(value?.isWritable == false)
    }
}
