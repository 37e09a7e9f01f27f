import CloverJSON
import CloverTestSupport
import Testing

@Suite("Records that are checked")
struct ValueCheckTests {
    /// Numbers, words and strings that no JSON has (RFC 8259).
    static let noValues: [String] = [
        "NaN", "Infinity", "-Infinity", "nan", "True", "FALSE", "nul", "nulll", "undefined", "01", "-01", "1.", ".5",
        "+1", "1e", "1e+", "-", "0x10", "1_000", "1 2", "'a'", #""\x41""#, #""\u12g4""#, #""\u123""#, "\"a\tb\"",
        "\"a\nb\"", "\"a\u{0}b\"", "[1,]", "[,1]", "[1 2]", "[1", #"{"a" 1}"#, #"{"a":1,}"#, #"{"a",1}"#, #"{"a":}"#,
        #"{a:1}"#, "{1:2}", #"{"a":1:2}"#, #"["a":1]"#, #"{"a":[1}]"#, #"{"a":1 "b":2}"#, #""a" "b""#, "/* */1", "é",
        "1é", "[[[1]]", "{]", "[}", ":", "{\"a\"}", "tr\u{75}e1", "truefalse", "{\"a\":\"b\":\"c\"}",
    ]

    static let values: [String] = [
        "0", "-0", "10", "-1.5", "1e5", "1E-5", "0.1e+10", "9007199254740993", "true", "false", "null", "[]", "{}",
        "[[]]", "[{},{}]", #"{"a":{"b":[1,2,{"c":null}]},"d":"x"}"#, #"{"":""}"#, #""\"\\\/\b\f\n\r\t\u00e9""#,
        #""\ud83d\ude00""#, #""\ud800""#, #""{,}:[]""#, "\"é漢😀\u{7F}\"", #"{"a:b,c":[1,"2",true]}"#, "[1, 2 ]",
        "{ \"a\" : 1 }", "[true,false,null,\"\",0]",
        String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    ]

    /// A page whose only record has the value between strings of this length, so that it lies anywhere in a block.
    private static func page(_ value: String, gap: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: gap)
        return Array(
            (#"{"elements":[{"before":"\#(filler)","value":"# + value
                + #","after":"\#(filler)"}],"href":"\#(String(repeating: "y", count: 100))"}"#).utf8)
    }

    @Test("end the page where one is not JSON, wherever it lies and however it comes", arguments: noValues)
    func refused(value: String) {
        for gap in 0..<70 {
            let page = Self.page(value, gap: gap)
            for size in gap % 10 == 0 ? [page.count, 50, 1] : [page.count] {
                let error = #expect(throws: PageError.self) {
                    _ = try PageScan().records(of: PageScan.chunks(of: page, size: size))
                }
                guard case .notJSON = error else {
                    Issue.record("\(value) at \(gap) in chunks of \(size): \(String(describing: error))")
                    return
                }
            }
        }
    }

    @Test("pass where they are JSON, wherever they lie and however they come", arguments: values)
    func passed(value: String) throws {
        for gap in 0..<70 {
            let page = Self.page(value, gap: gap)
            for size in gap % 10 == 0 ? [page.count, 50, 1] : [page.count] {
                let records = try PageScan().records(of: PageScan.chunks(of: page, size: size))
                #expect(records.count == 1)
                #expect(records.first?.contains("\"value\":\(value),") ?? false)
            }
        }
    }

    @Test("are judged alike in blocks and byte by byte, after any change of a byte", arguments: 0..<40 as Range<UInt64>)
    func changed(seed: UInt64) {
        var sample = SampleJSON(seed: seed)
        let bytes = Array("{}[],:\"\\0159-.eEtrufalsn x\t\u{1}".utf8) + [0x80, 0xC3, 0xA9, 0xED, 0xA0, 0xFF]
        var judged = 0
        for _ in 0..<150 {
            let filler = String(repeating: "y", count: 64)
            var page = Array(#"{"elements":[\#(sample.record()),\#(sample.record())],"h":"\#(filler)"}"#.utf8)
            let end = Int64(page.count - 72)
            for _ in 0..<sample.integer(0...2) {
                page[Int(sample.integer(13...max(13, end)))] = bytes[Int(sample.integer(0...Int64(bytes.count - 1)))]
            }
            let whole = Self.outcome(of: page, size: page.count)
            #expect(whole == Self.outcome(of: page, size: 1), "\(String(decoding: page, as: UTF8.self))")
            if whole != nil { judged += 1 }
        }
        #expect(judged > 10 && judged < 150)
    }

    /// The records, and how much was replaced in them; nil for a page that is refused.
    private static func outcome(of page: [UInt8], size: Int) -> [String]? {
        var scanner = PageScanner(expecting: .list)
        var batch = RecordBatch()
        do throws(PageError) {
            for chunk in PageScan.chunks(of: page, size: size) { try scanner.scan(chunk, into: &batch) }
            try scanner.finish(into: &batch)
        } catch {
            return nil
        }
        return zip(PageScan.texts(of: batch), batch.records).map { "\($0) \($1.replacements)" }
    }

    struct Broken: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let text: String
        let count: Int
    }

    static let broken: [Broken] = [
        Broken(
            testDescription: "a byte of Latin-1", bytes: Array("Z".utf8) + [0xFC] + Array("rich".utf8),
            text: "Z\u{FFFD}rich", count: 1),
        Broken(testDescription: "half a character", bytes: [0xE6, 0xBC], text: "\u{FFFD}", count: 1),
        Broken(testDescription: "a surrogate", bytes: [0xED, 0xA0, 0x80], text: "\u{FFFD}\u{FFFD}\u{FFFD}", count: 3),
        Broken(testDescription: "an overlong form", bytes: [0xC0, 0x80], text: "\u{FFFD}\u{FFFD}", count: 2),
        Broken(
            testDescription: "beyond Unicode", bytes: [0xF4, 0x90, 0x80, 0x80],
            text: "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", count: 4),
        Broken(
            testDescription: "beside good text", bytes: Array("é".utf8) + [0xFF] + Array("😀".utf8), text: "é\u{FFFD}😀",
            count: 1),
    ]

    @Test("have U+FFFD for invalid UTF-8, and count the replacements", arguments: broken)
    func replaced(row: Broken) throws {
        for gap in [0, 30, 60] {
            let filler = String(repeating: "x", count: gap)
            let start = #"{"elements":[{"id":"A"},{"f":"\#(filler)","n":""#
            let tail = #""},{"id":"B"}],"h":"\#(String(repeating: "y", count: 100))"}"#
            let page = Array(start.utf8) + row.bytes + Array(tail.utf8)
            for size in [page.count, 16, 1] {
                var scanner = PageScanner(expecting: .list)
                var batch = RecordBatch()
                for chunk in PageScan.chunks(of: page, size: size) { try scanner.scan(chunk, into: &batch) }
                try scanner.finish(into: &batch)
                #expect(
                    PageScan.texts(of: batch) == [
                        #"{"id":"A"}"#, #"{"f":"\#(filler)","n":"\#(row.text)"}"#, #"{"id":"B"}"#,
                    ])
                #expect(batch.records.map(\.replacements) == [0, row.count, 0])
                batch.removeRecords { batch, record in batch.id(of: record) == "A" }
                #expect(batch.records.map(\.replacements) == [row.count, 0])
            }
        }
    }

    @Test("of a list are objects", arguments: ["null", "1", "\"a\"", "[]", "[{}]", "true", "NaN"])
    func objectsOnly(element: String) {
        for before in ["", #"{"id":"A"},"#, #"{"id":"A"} , "#] {
            let page = Array(#"{"elements":[\#(before)\#(element)]}"#.utf8)
            for size in [page.count, 1] {
                #expect(throws: PageError.notAnObject(at: 13 + before.utf8.count)) {
                    _ = try PageScan(elements: .objects).records(of: PageScan.chunks(of: page, size: size))
                }
            }
        }
    }

    @Test("escapes of half a character become that of U+FFFD, and no others")
    func surrogates() {
        func repaired(_ text: String) -> String? {
            Array(text.utf8).withUnsafeBytes { JSONString.replacingLoneSurrogates(in: $0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(repaired(#"{"a":"\ud800"}"#) == #"{"a":"\ufffd"}"#)
        #expect(repaired(#"["\uDC00\ud83d\ude00\uD83D"]"#) == #"["\ufffd\ud83d\ude00\ufffd"]"#)
        #expect(repaired(#"["\ud83d\ud83d\ude00"]"#) == #"["\ufffd\ud83d\ude00"]"#)
        #expect(repaired(#"["\ud83dx\\ud800"]"#) == #"["\ufffdx\\ud800"]"#)
        #expect(repaired(#"["\\ud800","\u0041\n"]"#) == nil)
        #expect(repaired(#"{}"#) == nil)
    }
}
