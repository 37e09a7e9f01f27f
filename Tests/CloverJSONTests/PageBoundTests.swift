import CloverJSON
import Testing

@Suite("Page size limits")
struct PageBoundTests {
    struct Endless: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var shape = PageScanner.Shape.list
        let start: String
        var piece = " "
        /// Whether it counts as one record, and not as what lies between them.
        var isRecord = false
    }

    static let endless: [Endless] = [
        Endless(testDescription: "white space before the page", start: ""),
        Endless(testDescription: "line breaks before an object", shape: .object, start: "", piece: "\r\n"),
        Endless(testDescription: "white space before the first record", start: #"{"elements":["#),
        Endless(testDescription: "white space between records", start: #"{"elements":[{"id":"A"}, "#, piece: "\n"),
        Endless(testDescription: "white space before a comma", start: #"{"elements":[{"id":"A"}"#, piece: "\t"),
        Endless(testDescription: "white space behind the records", start: #"{"elements":[{"id":"A"}]"#),
        Endless(testDescription: "white space behind the page", start: #"{"elements":[{"id":"A"}]}"#),
        Endless(testDescription: "white space behind an object", shape: .object, start: #"{"id":"A"}"#),
        Endless(testDescription: "a name", start: #"{""#, piece: "x"),
        Endless(testDescription: "another member's string", start: #"{"href":""#, piece: "x"),
        Endless(testDescription: "another member's value", start: #"{"elements":[],"more":["#, piece: "[],"),
        Endless(testDescription: "other members", start: #"{"elements":[]"#, piece: #","a":0"#),
        Endless(testDescription: "a number", start: #"{"more":1"#, piece: "1"),
        Endless(testDescription: "a record's string", start: #"{"elements":[{"a":""#, piece: "x", isRecord: true),
        Endless(testDescription: "a record's line breaks", start: #"{"elements":[{"#, piece: "\n", isRecord: true),
        Endless(testDescription: "a record's members", start: #"{"elements":[{"a":["#, piece: "{},", isRecord: true),
        Endless(
            testDescription: "an object's line breaks", shape: .object, start: #"{"a":["#, piece: "\r\n", isRecord: true
        ),
        Endless(testDescription: "what may be a list", shape: .either, start: #"{"a":["#, piece: "\n", isRecord: true),
        Endless(
            testDescription: "white space in what may be a list", shape: .either, start: #"{"a":1"#, isRecord: true),
    ]

    @Test("is refused when it does not end, without being kept", arguments: endless)
    func refused(row: Endless) throws {
        var scanner = PageScanner(expecting: row.shape)
        var batch = RecordBatch()
        try scanner.scan(Array(row.start.utf8), into: &batch)
        let piece = Array(String(repeating: row.piece, count: 1 << 20).utf8)
        let limit = row.isRecord ? PageScanner.recordLimit : PageScanner.gapLimit
        var bytes = row.start.utf8.count
        let error = #expect(throws: PageError.self) {
            while bytes <= limit + piece.count {
                try scanner.scan(piece, into: &batch)
                bytes += piece.count
            }
        }
        #expect(bytes > limit - piece.count)
        switch (error, row.isRecord) {
        case (.recordTooLarge(_, limit), true), (.gapTooLarge(_, limit), false): break
        default: Issue.record("got \(String(describing: error))")
        }
        #expect(batch.records.count <= 1)
    }

    @Test("is refused also where the record comes with the last of the white space")
    func inOneChunk() {
        let space = String(repeating: " ", count: PageScanner.gapLimit + 1)
        for page in [#"{"elements":[\#(space){"id":"A"}]}"#, #"{"elements":[{"id":"A"},\#(space){"id":"B"}]}"#] {
            let error = #expect(throws: PageError.self) {
                _ = try PageScan(elements: .objects).records(of: page)
            }
            guard case .gapTooLarge = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
        }
    }

    @Test("may have any number of records, and white space between them up to the bound")
    func passed() throws {
        let space = String(repeating: " ", count: PageScanner.gapLimit - 100)
        let page = #"{"elements":[{"id":"A"}\#(space),{"id":"B"},\#(space){"id":"C"}]\#(space)}"#
        for size in [page.utf8.count, 1 << 20] {
            let records = try PageScan(elements: .objects).records(
                of: PageScan.chunks(of: Array(page.utf8), size: size))
            #expect(records == [#"{"id":"A"}"#, #"{"id":"B"}"#, #"{"id":"C"}"#])
        }
    }
}
