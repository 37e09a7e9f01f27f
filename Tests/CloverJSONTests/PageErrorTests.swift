import CloverJSON
import Testing

@Suite("Pages that are refused")
struct PageErrorTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let name: String
        var shape = PageScanner.Shape.list
        let text: String
        let error: PageError

        var testDescription: String { name }
    }

    static let refused: [Refused] = [
        Refused(name: "HTML", text: "\r\n <!DOCTYPE html><html></html>", error: .html),
        Refused(name: "HTML where an object was expected", shape: .object, text: "<html>", error: .html),
        Refused(
            name: "plain text", text: "Service Unavailable", error: .notJSON(at: 0, excerpt: "Service Unavailable")),
        Refused(
            name: "control characters in what is quoted", text: "\u{1B}[31mred\u{7}\u{202E}x",
            error: .notJSON(at: 0, excerpt: "redx")),
        Refused(
            name: "a long excerpt", text: String(repeating: "é", count: 200),
            error: .notJSON(at: 0, excerpt: String(repeating: "é", count: 60))),
        Refused(name: "empty body", text: "", error: .cutOff(at: 0)),
        Refused(name: "white space only", text: " \n ", error: .cutOff(at: 3)),
        Refused(
            name: "an error object", text: #"{"message":"Not Found","details":{"elements":[1]}}"#, error: .noElements),
        Refused(name: "an array where a list was expected", text: #"[{"id":"A"}]"#, error: .noElements),
        Refused(name: "empty object", text: "{}", error: .noElements),
        Refused(name: "elements an object", text: #"{"elements":{}}"#, error: .elementsNotAnArray(at: 12)),
        Refused(name: "elements a string", text: #"{"elements": "x"}"#, error: .elementsNotAnArray(at: 13)),
        Refused(name: "elements null", text: #"{"elements":null}"#, error: .elementsNotAnArray(at: 12)),
        Refused(name: "elements twice", text: #"{"elements":[],"elements":[1]}"#, error: .elementsRepeated(at: 26)),
        Refused(
            name: "an ecommerce error object", shape: .cursorList, text: #"{"message":"Not Found"}"#, error: .noData),
        Refused(
            name: "data an object", shape: .cursorList, text: #"{"data":{}}"#,
            error: .elementsNotAnArray(at: 8, member: "data")),
        Refused(
            name: "elements of an ecommerce list an object", shape: .cursorList, text: #"{"elements":{}}"#,
            error: .elementsNotAnArray(at: 12)),
        Refused(
            name: "data twice", shape: .cursorList, text: #"{"data":[],"data":[1]}"#,
            error: .elementsRepeated(at: 18, member: "data")),
        Refused(
            name: "elements twice where either will do", shape: .either, text: #"{"elements":[],"elements":5}"#,
            error: .elementsRepeated(at: 26)),
        Refused(
            name: "garbage behind the list", text: #"{"elements":[]} x"#, error: .notJSON(at: 16, excerpt: "x")),
        Refused(
            name: "a second list", text: #"{"elements":[]}{"elements":[]}"#,
            error: .notJSON(at: 15, excerpt: #"{"elements":[]}"#)),
        Refused(name: "garbage behind an object", shape: .object, text: "{},", error: .notJSON(at: 2, excerpt: ",")),
        Refused(name: "a number", shape: .object, text: "5", error: .notJSON(at: 0, excerpt: "5")),
        Refused(name: "an empty array where one object was expected", shape: .oneObject, text: " []", error: .anArray),
        Refused(
            name: "an array of one object where one object was expected", shape: .oneObject, text: #"[{"id":"A"}]"#,
            error: .anArray),
        Refused(
            name: "null where one object was expected", shape: .oneObject, text: "null",
            error: .notJSON(at: 0, excerpt: "null")),
        Refused(name: "a string", shape: .either, text: #""a""#, error: .notJSON(at: 0, excerpt: #""a""#)),
        Refused(
            name: "no comma between records", text: #"{"elements":[{} {}]}"#, error: .notJSON(at: 16, excerpt: "{}]}")),
        Refused(name: "two commas", text: #"{"elements":[1,,2]}"#, error: .notJSON(at: 15, excerpt: ",2]}")),
        Refused(name: "comma before the end", text: #"{"elements":[1,]}"#, error: .notJSON(at: 15, excerpt: "]}")),
        Refused(name: "comma first", text: #"{"elements":[,1]}"#, error: .notJSON(at: 13, excerpt: ",1]}")),
        Refused(name: "no colon", text: #"{"elements"[]}"#, error: .notJSON(at: 11, excerpt: "[]}")),
        Refused(
            name: "a name without quotes", text: #"{elements:[]}"#, error: .notJSON(at: 1, excerpt: "elements:[]}")),
        Refused(
            name: "comma before the envelope's end", text: #"{"elements":[],}"#, error: .notJSON(at: 15, excerpt: "}")),
        Refused(
            name: "the wrong bracket at a record's end", text: #"{"elements":[{"a":1],{}]}"#,
            error: .notJSON(at: 19, excerpt: "],{}]}")),
        Refused(
            name: "a backslash outside strings", text: #"{"elements":[{"a":\n}]}"#,
            error: .notJSON(at: 18, excerpt: #"\n}]}"#)),
        Refused(
            name: "NaN beside the list", text: #"{"x":NaN,"elements":[]}"#,
            error: .notJSON(at: 5, excerpt: #"NaN,"elements":[]}"#)),
        Refused(
            name: "a word that cannot be", text: #"{"elements":[nul&]}"#, error: .notJSON(at: 13, excerpt: "nul")),
        Refused(name: "half a byte order mark", text: "\u{FEC0}", error: .notJSON(at: 2, excerpt: "\u{FFFD}")),
    ]

    @Test("are refused with what is wrong and where", arguments: refused)
    func refusal(page: Refused) {
        #expect(throws: page.error) { _ = try PageScan(shape: page.shape).records(of: page.text) }
    }

    @Test("are refused for the same reason when they come byte by byte", arguments: refused)
    func refusalByteByByte(page: Refused) throws {
        let chunks = PageScan.chunks(of: Array(page.text.utf8), size: 1)
        let error = #expect(throws: PageError.self) { _ = try PageScan(shape: page.shape).records(of: chunks) }
        // The excerpt ends with the chunk.
        switch (error, page.error) {
        case (.notJSON(let at, _), .notJSON(let expected, _)): #expect(at == expected)
        default: #expect(error == page.error)
        }
    }

    @Test("stay refused: the same error comes again")
    func staysRefused() {
        var scanner = PageScanner(expecting: .list)
        var batch = RecordBatch()
        #expect(throws: PageError.html) { try scanner.scan(Array("<".utf8), into: &batch) }
        #expect(throws: PageError.html) { try scanner.scan(Array(#"{"elements":[]}"#.utf8), into: &batch) }
        #expect(throws: PageError.html) { try scanner.finish(into: &batch) }
        #expect(batch.isEmpty)
    }

    @Test(
        "a record of more than 64 MB is refused before it has all come", arguments: [PageScanner.Shape.list, .object])
    func tooLarge(shape: PageScanner.Shape) throws {
        var scanner = PageScanner(expecting: shape)
        var batch = RecordBatch()
        let start = shape == .object ? #"{"a":""# : #"{"elements":[{"a":""#
        try scanner.scan(Array(start.utf8), into: &batch)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var pieces = 0
        let error = #expect(throws: PageError.self) {
            while pieces < 65 {
                try scanner.scan(piece, into: &batch)
                pieces += 1
            }
        }
        guard case .recordTooLarge(_, let limit) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(limit == 64 << 20)
        #expect(pieces == 63)
        #expect(batch.isEmpty)
    }

    @Test("a record of 60 MB is taken")
    func large() throws {
        var scanner = PageScanner(expecting: .list)
        var batch = RecordBatch()
        try scanner.scan(Array(#"{"elements":[{"a":""#.utf8), into: &batch)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<60 { try scanner.scan(piece, into: &batch) }
        try scanner.scan(Array(#""}]}"#.utf8), into: &batch)
        try scanner.finish(into: &batch)
        #expect(batch.records.map(\.range.count) == [(60 << 20) + 8])
    }

    @Test("every error describes itself in one line")
    func descriptions() {
        let errors =
            Self.refused.map(\.error) + [
                .recordTooLarge(at: 5, limit: 7), .gapTooLarge(at: 5, limit: 7), .notAnObject(at: 5),
            ]
        for error in errors {
            #expect(!error.description.isEmpty && !error.description.contains("\n"))
        }
    }
}
