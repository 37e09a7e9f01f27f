import CloverJSON
import CloverOutput
import CloverSystem
import CloverTestSupport
import Testing

@Suite("Formats")
struct RecordLayoutTests {
    private let records = [
        #"{"id":"A","note":"two, \"three\"\r\nfour","n":{ "x": [1, "a b"] },"ok":true,"none":null}"#,
        #"{"id":"B","note":"tab\there \\ and \u00e9"}"#,
    ]

    @Test("csv follows RFC 4180, with nested values as compact JSON and nothing for what is not there")
    func csv() async throws {
        let text = try await FormatRun.text(FormatRun.layout(.csv, "id,note,n,ok,none,other"), records)
        #expect(
            text == "id,note,n,ok,none,other\r\n"
                + "A,\"two, \"\"three\"\"\r\nfour\",\"{\"\"x\"\":[1,\"\"a b\"\"]}\",true,,\r\n"
                + "B,tab\there \\ and é,,,,\r\n")
    }

    @Test("tsv escapes as jq does")
    func tsv() async throws {
        let text = try await FormatRun.text(FormatRun.layout(.tsv, "id,note,n"), records)
        #expect(
            text == "id\tnote\tn\n" + #"A"# + "\t" + #"two, "three"\r\nfour"# + "\t" + #"{"x":[1,"a b"]}"# + "\n"
                + "B\t" + #"tab\there \\ and é"# + "\t\n")
    }

    @Test("ndjson and json print the chosen fields, null for what is not there")
    func json() async throws {
        let lines = #"{"id":"A","none":null,"n.x.1":"a b"}"# + "\n" + #"{"id":"B","none":null,"n.x.1":null}"# + "\n"
        #expect(try await FormatRun.text(FormatRun.layout(.ndjson, "id,none,n.x.1"), records) == lines)
        let array = "[" + lines.dropLast().replacing("\n", with: ",") + "]\n"
        #expect(try await FormatRun.text(FormatRun.layout(.json, "id,none,n.x.1"), records) == array)
    }

    @Test("ndjson and json without fields print whole records unchanged")
    func wholeRecords() async throws {
        #expect(try await FormatRun.text(RecordLayout(format: .ndjson), records) == records.map { $0 + "\n" }.joined())
        let array = "[" + records.joined(separator: ",") + "]\n"
        #expect(try await FormatRun.text(RecordLayout(format: .json), records) == array)
    }

    @Test("csv, tsv and tables are refused without columns", arguments: [RecordFormat.csv, .tsv, .table])
    func noColumns(format: RecordFormat) {
        let output = RecordOutput(descriptor: -1)
        for columns in [nil, []] as [[RecordColumn]?] {
            #expect(throws: RecordFormatError.noColumns(format)) {
                _ = try RecordLayout(format: format, columns: columns).makeFilter(output: output, onFailure: { _ in })
            }
        }
    }

    @Test("names of formats", arguments: RecordFormat.allCases)
    func names(format: RecordFormat) throws {
        #expect(try RecordFormat(parsing: format.rawValue) == format)
        #expect(throws: RecordFormatError.unknownFormat("xml")) { try RecordFormat(parsing: "xml") }
    }

    @Test(
        "no records at all give the heading or an empty array",
        arguments: [
            (RecordFormat.csv, "id,total\r\n"), (.tsv, "id\ttotal\n"), (.json, "[]\n"), (.ndjson, ""),
            (.table, "ID  TOTAL\n"),
        ])
    func empty(format: RecordFormat, text: String) async throws {
        for batches in [[], [[]]] as [[[String]]] {
            let result = try await FormatRun.run(FormatRun.layout(format, "id,total"), batches)
            #expect(result.text == text)
            #expect(result.report == FilterReport())
        }
    }

    @Test(
        "a broken stream leaves the rows received, without an end",
        arguments: [
            (RecordFormat.csv, "id\r\nA\r\n"), (.tsv, "id\nA\n"), (.json, #"[{"id":"A"}"#),
            (.ndjson, "{\"id\":\"A\"}\n"),
            (.table, "ID\nA\n"),
        ])
    func breakOff(format: RecordFormat, text: String) async throws {
        let layout = try FormatRun.layout(format, "id")
        #expect(try await FormatRun.run(layout, [[#"{"id":"A"}"#]], breaksOff: true).text == text)
        #expect(try await FormatRun.run(layout, [], breaksOff: true).text == "")
    }

    @Test("the heading can be left out", arguments: [(RecordFormat.csv, "A\r\n"), (.tsv, "A\n"), (.table, "A\n")])
    func noHeader(format: RecordFormat, text: String) async throws {
        var layout = try FormatRun.layout(format, "id")
        layout.hasHeader = false
        #expect(try await FormatRun.text(layout, [#"{"id":"A"}"#]) == text)
    }

    @Test("a line of one empty value is quoted, so that it is a row for every reader")
    func emptyLine() async throws {
        let text = try await FormatRun.text(FormatRun.layout(.csv, "a"), ["{}", #"{"a":""}"#, #"{"a":"x"}"#])
        #expect(text == "a\r\n\"\"\r\n\"\"\r\nx\r\n")
    }

    @Test(
        "text that a spreadsheet would run as a formula is guarded only on request",
        arguments: [
            (#""=1+1""#, "'=1+1"), (#""+1""#, "'+1"), (#""-a""#, "'-a"), (#""@SUM(A1)""#, "'@SUM(A1)"),
            (#""\t=1""#, "'\t=1"), (#""\r=1""#, "\"'\r=1\""), (#""=\"a\",b""#, "\"'=\"\"a\"\",b\""), (#""＝1""#, "'＝1"),
            ("-5", "-5"), ("-0.5e1", "-0.5e1"), (#""a=1""#, "a=1"), (#""'a""#, "'a"), (#""""#, ""),
        ])
    func spreadsheets(value: String, cell: String) async throws {
        var layout = try FormatRun.layout(.csv, "id,a")
        let record = #"{"id":1,"a":\#(value)}"#
        layout.isSpreadsheetSafe = true
        #expect(try await FormatRun.text(layout, [record]) == "id,a\r\n1,\(cell)\r\n")
        layout.isSpreadsheetSafe = false
        let plain =
            cell.hasPrefix("\"'") ? "\"" + cell.dropFirst(2) : cell.hasPrefix("'") ? String(cell.dropFirst()) : cell
        let expected = value == #""'a""# ? cell : plain
        #expect(try await FormatRun.text(layout, [record]) == "id,a\r\n1,\(expected)\r\n")
    }

    @Test("csv is read by Python's csv module as what was in the records")
    func readByPython() async throws {
        var sample = SampleJSON(seed: 9)
        let values = (0..<2000).map { _ in [sample.string(), sample.string()] }
        let records = values.map { #"{"a":\#($0[0]),"b":\#($0[1])}"# }
        let text = try await FormatRun.text(FormatRun.layout(.csv, "a,b"), records)
        let rows = try RealProgram("python3").run(["-c", PythonReference.readCSV], input: Array(text.utf8))
        let expected = try RealProgram("jq").run(
            ["-n", "-c", "-a", #"["a","b"], (inputs|[.a,.b])"#], input: Array(records.joined(separator: "\n").utf8))
        #expect(
            FieldTests.firstDifference(
                String(decoding: rows, as: UTF8.self),
                String(decoding: expected, as: UTF8.self)) == nil)
    }

    @Test("tsv is what jq's @tsv gives for scalars")
    func comparedWithJQ() async throws {
        var sample = SampleJSON(seed: 11)
        let records = (0..<3000).map { _ in
            let values = (0..<3).map { _ in sample.string() } + [sample.integer(-5000...90_000_000).description]
            return
                #"{"a":\#(values[0]),"b":{"c":\#(values[1])},"d":[\#(values[2])],"n":\#(values[3]),"t":true,"z":null}"#
        }
        let text = try await FormatRun.text(FormatRun.layout(.tsv, "a,b.c,d.0,n,t,z,d.length"), records)
        let program = #"["a","b.c","d.0","n","t","z","d.length"], (inputs|[.a,.b.c,.d[0],.n,.t,.z,(.d|length)]) | @tsv"#
        let expected = try RealProgram("jq").run(
            ["-n", "-r", program], input: Array(records.joined(separator: "\n").utf8))
        #expect(FieldTests.firstDifference(text, String(decoding: expected, as: UTF8.self)) == nil)
    }

    @Test("a lone surrogate and broken UTF-8 stop nothing")
    func brokenText() async throws {
        let text = try await FormatRun.text(FormatRun.layout(.csv, "a,b"), [#"{"a":"x\ud83dy","b":1}"#])
        #expect(text == "a,b\r\nx\u{FFFD}y,1\r\n")
        var batch = RecordBatch()
        let bytes: [UInt8] = Array(#"{"a":""#.utf8) + [0xFF, 0xC3] + Array(#"","b":2}"#.utf8)
        bytes.withUnsafeBytes { batch.append($0) }
        let pipe = try Pipe()
        try pipe.startReading(step: 64)
        let filter = try FormatRun.layout(.csv, "a,b").makeFilter(
            output: RecordOutput(descriptor: pipe.writing), onFailure: { Issue.record("\($0)") })
        _ = try await filter.consume(batch)
        _ = try await filter.finish()
        pipe.closeWriting()
        #expect(await pipe.all() == Array("a,b\r\n".utf8) + [0xFF, 0xC3] + Array(",2\r\n".utf8))
    }

    @Test("a failed record is reported after the records before it are written")
    func failureOrder() async throws {
        let pipe = try Pipe(capacity: 64 << 10)
        let output = RecordOutput(descriptor: pipe.writing)
        let written = Monitor<[Int]>([])
        let filter = try FormatRun.layout(.tsv, "a").makeFilter(
            output: output, onFailure: { _ in written.update { $0.append(output.bytesWritten) } })
        let good = #"{"a":1}"#
        _ = try await filter.consume(FormatRun.batch([good, good, "{x", good, "{y"]))
        #expect(written.withLock { $0 } == ["a\n1\n1\n".utf8.count, "a\n1\n1\n1\n".utf8.count])
        pipe.closeWriting()
        pipe.closeReading()
    }

    @Test("a slow reader holds back the records")
    func backPressure() async throws {
        let pipe = try Pipe(capacity: 64 << 10)
        let output = RecordOutput(descriptor: pipe.writing)
        let filter = try FormatRun.layout(.csv, "a").makeFilter(output: output, onFailure: { _ in })
        let records = Array(repeating: #"{"a":"0123456789"}"#, count: 50_000)
        let done = Monitor(false)
        async let result: Void = {
            _ = try await filter.consume(FormatRun.batch(records))
            done.update { $0 = true }
            _ = try await filter.finish()
        }()
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while output.bytesWritten == 0, ContinuousClock.now < deadline { await Task.yield() }
        // A piece is larger than the pipe, and it is not read: only what fits in the pipe was written.
        #expect(output.bytesWritten == 64 << 10)
        #expect(!done.withLock { $0 })
        try pipe.startReading(step: 16 << 10)
        try await result
        pipe.closeWriting()
        #expect(await pipe.all().count == 3 + 50_000 * 12)
    }

    @Test("a closed output throws to the caller that delivers records")
    func closedOutput() async throws {
        let pipe = try Pipe()
        pipe.closeReading()
        let filter = try FormatRun.layout(.csv, "a").makeFilter(
            output: RecordOutput(descriptor: pipe.writing), onFailure: { _ in })
        await #expect(throws: RecordWriteError.closed) { _ = try await filter.consume(FormatRun.batch(["{}"])) }
        pipe.closeWriting()
    }

    @Test("a cancelled task prints nothing more")
    func cancelled() async throws {
        let pipe = try Pipe()
        try pipe.startReading(step: 64)
        let filter = try FormatRun.layout(.json, "a").makeFilter(
            output: RecordOutput(descriptor: pipe.writing), onFailure: { _ in })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await filter.consume(FormatRun.batch(["{}"]))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        pipe.closeWriting()
        #expect(await pipe.all().isEmpty)
    }
}

@Suite("CSV for spreadsheets of other countries")
struct CSVStyleTests {
    private func layout(_ change: (inout RecordLayout) -> Void) throws -> RecordLayout {
        var layout = RecordLayout(
            format: .csv,
            columns: [
                RecordColumn(try FieldPath(parsing: "id")),
                RecordColumn(try FieldPath(parsing: "total"), kind: .money(currency: nil)),
                RecordColumn(try FieldPath(parsing: "rate")), RecordColumn(try FieldPath(parsing: "note")),
            ])
        layout.money = .major(.usDollar)
        change(&layout)
        return layout
    }

    private let records = [#"{"id":"A;B","total":-1250,"rate":12.5,"note":"1.5, or 2"}"#]

    @Test("decimals follow a comma, and text keeps its points")
    func decimalComma() async throws {
        let text = try await FormatRun.text(
            try layout {
                $0.csv.separator = UInt8(ascii: ";")
                $0.csv.hasDecimalComma = true
            }, records)
        #expect(text == "id;total;rate;note\r\n\"A;B\";-12,50;12,5;1.5, or 2\r\n")
    }

    @Test("a number with a comma is quoted where the comma separates")
    func quoted() async throws {
        let text = try await FormatRun.text(try layout { $0.csv.hasDecimalComma = true }, records)
        #expect(text == "id,total,rate,note\r\nA;B,\"-12,50\",\"12,5\",\"1.5, or 2\"\r\n")
    }

    @Test("the byte order mark is before the first line, with or without a header")
    func byteOrderMark() async throws {
        let headed = try await FormatRun.text(try layout { $0.csv.hasByteOrderMark = true }, records)
        #expect(headed.unicodeScalars.first == "\u{FEFF}")
        let bare = try await FormatRun.text(
            try layout {
                $0.csv.hasByteOrderMark = true
                $0.hasHeader = false
            }, records)
        #expect(Array(bare.utf8.prefix(4)) == [0xEF, 0xBB, 0xBF, UInt8(ascii: "A")])
    }

    @Test(
        "separators", arguments: [(";", 0x3B), ("|", 0x7C), ("tab", 9), ("\\t", 9), (",", 0x2C)] as [(String, UInt8)])
    func separators(text: String, byte: UInt8) {
        #expect(CSVStyle.separator(parsing: text) == byte)
    }

    @Test(
        "no separator that numbers, words or quotes contain",
        arguments: ["", ";;", "\"", "'", "-", ".", "a", "1", "\n", "é"])
    func noSeparators(text: String) {
        #expect(CSVStyle.separator(parsing: text) == nil)
    }
}
