import CloverOutput
import CloverTestSupport
import Testing

@Suite("Fields of records")
struct FieldTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var record: String
        var fields: String
        /// The values as JSON, with commas between them.
        var values: String

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "members in any order", record: #"{"b":1,"a":2}"#, fields: "a,b", values: "2,1"),
        Case(
            name: "the spelling stays", record: #"{"a":1.0,"b":1e400,"c":"\u00e9\/","d":-0}"#, fields: "a,b,c,d",
            values: #"1.0,1e400,"\u00e9\/",-0"#),
        Case(name: "inside of objects", record: #"{"a":{"b":{"c":true}}}"#, fields: "a.b.c", values: "true"),
        Case(
            name: "an object and what is in it", record: #"{"a":{"b":1, "c":[]},"d":2}"#, fields: "a,a.b,d",
            values: #"{"b":1, "c":[]},1,2"#),
        Case(
            name: "elements by number", record: #"{"a":[{"b":1},[5,6],"x"]}"#, fields: "a.0.b,a.1.1,a.2,a.3",
            values: #"1,6,"x",null"#),
        Case(
            name: "elements behind the last wanted one are passed over", record: #"{"a":[1,{"x":"]"},3],"b":4}"#,
            fields: "a.0,b", values: "1,4"),
        Case(
            name: "length of arrays", record: #"{"a":[],"b":[1,[2,3],{"x":[]}],"c":{"length":"l"}}"#,
            fields: "a.length,b.length,c.length", values: #"0,3,"l""#),
        Case(
            name: "length of what is no array", record: #"{"a":"xyz","b":{}}"#, fields: "a.length,b.length",
            values: "null,null"),
        Case(
            name: "length in the middle is a name", record: #"{"a":[{"length":{"b":1}}]}"#, fields: "a.0.length.b",
            values: "1"),
        Case(
            name: "length and elements of one array", record: #"{"a":[7,8]}"#, fields: "a.length,a.1,a",
            values: "2,8,[7,8]"),
        Case(name: "numbers as names", record: #"{"0":{"01":5}}"#, fields: "0.01", values: "5"),
        Case(name: "an index is written plainly", record: #"{"a":[1,2]}"#, fields: "a.01,a.+1", values: "null,null"),
        Case(name: "null has no members", record: #"{"a":null}"#, fields: "a,a.b", values: "null,null"),
        Case(
            name: "the last of two members counts, as in jq",
            record: #"{"a":1,"a":2,"b":{"c":3},"b":4,"d":{"e":5,"f":6},"d":{"e":7},"g":8,"\u0067":null}"#,
            fields: "a,b,b.c,d.e,d.f,g", values: "2,4,null,7,null,null"),
        Case(name: "names with escapes", record: #"{"\u0061\/":1}"#, fields: "a/", values: "1"),
        Case(name: "names with quotes", record: #"{"a\"b":1}"#, fields: #"a"b"#, values: "1"),
        Case(name: "names that begin alike", record: #"{"ab":1,"a":2,"abc":3}"#, fields: "a,ab", values: "2,1"),
        Case(
            name: "white space", record: "{ \"a\" :\t{ \"b\" : [ 1 , 2 ] } , \"c\" : 3 }", fields: "a.b.1,a.b.length,c",
            values: "2,2,3"),
        Case(
            name: "brackets and quotes in strings", record: #"{"x":"}]\"{","y":["]","\\"],"a":1}"#, fields: "a",
            values: "1"),
        Case(
            name: "a long string before", record: #"{"x":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\","a":1}"#, fields: "a",
            values: "1"),
        Case(name: "a record that is an array", record: "[[4],5]", fields: "0.0,length", values: "4,2"),
        Case(name: "a record that is a word", record: "true", fields: "a", values: "null"),
        Case(name: "an empty record", record: "{}", fields: "a,b.c", values: "null,null"),
    ]

    @Test("are found", arguments: cases)
    func found(test: Case) async throws {
        let names = test.fields.split(separator: ",").map { $0.replacing("\"", with: "\\\"") }
        let text = try await FormatRun.text(FormatRun.layout(.ndjson, test.fields), [test.record])
        var expected = text
        // The values may hold commas themselves, so the names are taken out instead.
        for name in names {
            let label = "\"\(name)\":"
            if let range = expected.firstRange(of: label) { expected.removeSubrange(range) }
        }
        #expect(expected == "{\(test.values)}\n")
        #expect(text.hasPrefix("{\"\(names[0])\":"))
    }

    struct Broken: Sendable {
        var record: String
        var offset: Int
    }

    @Test(
        "of a record that is not JSON are not printed, and it is named",
        arguments: [
            Broken(record: #"{"id":"X" "a":1}"#, offset: 10),
            Broken(record: #"{"id":"X","b":tru,"a":1}"#, offset: 14),
            Broken(record: #"{"id":"X","b":1.,"a":1}"#, offset: 14),
            Broken(record: #"{"id":"X","b":01,"a":1}"#, offset: 14),
            Broken(record: #"{"id":"X","b":,"a":1}"#, offset: 14),
            Broken(record: #"{"id":"X","c":,"a":1}"#, offset: 14),
            Broken(record: #"{"id":"X",a:1}"#, offset: 10),
            Broken(record: #"{"id":"X","c":[1}}"#, offset: 16),
            Broken(record: #"{"id":"X","b":"abcdefgh\"#, offset: 24),
            Broken(record: #"{"id":"X","c":{"#, offset: 15),
            Broken(record: #"{"id":"X","#, offset: 10),
        ])
    func malformed(test: Broken) async throws {
        let good = #"{"a":7,"b":true}"#
        let result = try await FormatRun.run(FormatRun.layout(.csv, "a,b"), [[good], [test.record, good]])
        #expect(result.text == "a,b\r\n7,true\r\n7,true\r\n")
        #expect(result.failures == [FormatFailure(index: 1, id: "X", offset: test.offset)])
        #expect(result.report == FilterReport(results: 2, failures: 1, lastResult: .truthy))
    }

    @Test("are the same that a parser finds", arguments: [RecordFormat.csv, .ndjson, .json])
    func comparedWithPython(format: RecordFormat) async throws {
        var sample = SampleJSON(seed: 4)
        let records = (0..<3000).map { _ in sample.record() }
        let fields =
            #"id,total,name,name.length,elements.length,elements.0,elements.0.id,0,0.0,id.id,a b,é.a,q"q,a,"#
            + "total.elements.elements,elements"
        let paths = fields.split(separator: ",").map(String.init)
        let input = Array((records.joined(separator: "\n") + "\n").utf8)
        let expected = try RealProgram("python3").run(
            ["-c", PythonReference.rows, format.rawValue] + paths, input: input)
        let text = try await FormatRun.run(
            FormatRun.layout(format, fields), [Array(records[..<1000]), [], Array(records[1000...])]
        ).text
        #expect(Self.firstDifference(text, String(decoding: expected, as: UTF8.self)) == nil)
    }

    /// The first line that differs, from both.
    static func firstDifference(_ one: String, _ other: String) -> String? {
        let lines = one.split(separator: "\n", omittingEmptySubsequences: false)
        let others = other.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, (line, second)) in zip(lines, others).enumerated() where Array(line.utf8) != Array(second.utf8) {
            return "line \(index + 1): \(line) <> \(second)"
        }
        return lines.count == others.count ? nil : "\(lines.count) lines <> \(others.count) lines"
    }
}
