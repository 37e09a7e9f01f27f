import CloverJSON
import CloverTestSupport
import Testing

@Suite("Extracting records from a page")
struct PageScannerTests {
    struct Page: CustomTestStringConvertible, Sendable {
        let name: String
        var shape = PageScanner.Shape.list
        let text: String
        let records: [String]

        var testDescription: String { name }
    }

    @Test(
        "has_more of an ecommerce list",
        arguments: [("true", true), ("false", false), ("null", nil), (#""true""#, nil)])
    func hasMore(value: String, expected: Bool?) throws {
        var scanner = PageScanner(expecting: .cursorList)
        var batch = RecordBatch()
        try scanner.scan(Array(#"{"has_more":\#(value),"data":[{"has_more":true}]}"#.utf8), into: &batch)
        try scanner.finish(into: &batch)
        #expect(scanner.hasMore == expected)
    }

    static let pages: [Page] = [
        Page(name: "empty list", text: #"{"elements":[]}"#, records: []),
        Page(name: "empty list with spaces", text: " { \"elements\" : [ \n ] } \r\n", records: []),
        Page(
            name: "one record", text: #"{"elements":[{"id":"A"}],"href":"http://x/?a=%3D"}"#, records: [#"{"id":"A"}"#]),
        Page(
            name: "elements last", text: #"{"href":"x","n":-1.5e+3,"t":true,"z":null,"elements":[{},[]]}"#,
            records: ["{}", "[]"]),
        Page(
            name: "escapes in strings",
            text: #"{"elements":[{"a":"\"}]\\"},{"b":"\\\\\"{"},{"c":"\\\""},{"d":"\u005c\u0022"}]}"#,
            records: [#"{"a":"\"}]\\"}"#, #"{"b":"\\\\\"{"}"#, #"{"c":"\\\""}"#, #"{"d":"\u005c\u0022"}"#]),
        Page(
            name: "surrogates and multi-byte text",
            text: #"{"elements":[{"n":"\ud83d\ude00 caf\u00e9"},{"n":"Çà 🥐 قهوة \ud800"}]}"#,
            records: [#"{"n":"\ud83d\ude00 caf\u00e9"}"#, #"{"n":"Çà 🥐 قهوة \ud800"}"#]),
        Page(
            name: "nested arrays and lists in records",
            text: #"{"elements":[[[1,[2]],[]],{"elements":[{"elements":[]}]},[{"a":[{}]}]]}"#,
            records: ["[[1,[2]],[]]", #"{"elements":[{"elements":[]}]}"#, #"[{"a":[{}]}]"#]),
        Page(
            name: "the word elements elsewhere",
            text:
                #"{"a":"elements","elements2":[9],"element":[8],"x":{"elements":[7]},"elements":["\"elements\":[1]"]}"#,
            records: [#""\"elements\":[1]""#]),
        Page(
            name: "a name with escapes is another name",
            text: #"{"\u0065lements":[1],"elements":[2],"elements\"":[3]}"#,
            records: ["2"]),
        Page(
            name: "records that are no objects", text: #"{"elements":[1, -2.5e3 ,true,null,"a,]}",false]}"#,
            records: ["1", "-2.5e3", "true", "null", #""a,]}""#, "false"]),
        Page(
            name: "line breaks between tokens",
            text:
                "{\r\n  \"elements\" : [\n    {\n      \"id\" : \"A\",\r\n      \"l\" : [ 1,\n 2 ]\n    },\n    {}\n  ]\n}\n",
            records: ["{      \"id\" : \"A\",      \"l\" : [ 1, 2 ]    }", "{}"]),
        Page(
            name: "an ecommerce list", shape: .cursorList,
            text: #"{"object":"list","url":"/v1/data","has_more":true,"data":[{"data":[1]},{"a":2}]}"#,
            records: [#"{"data":[1]}"#, #"{"a":2}"#]),
        Page(
            name: "an ecommerce list with names that only look right", shape: .cursorList,
            text: #"{"dat":[9],"data2":[8],"da\u0074a":[7],"has_more":null,"data":[{"a":1}]}"#,
            records: [#"{"a":1}"#]),
        Page(
            name: "an ecommerce list without envelope", shape: .cursorList, text: " [{} ,\n{}] ", records: ["{}", "{}"]),
        Page(name: "an empty one", shape: .cursorList, text: "[]", records: []),
        Page(name: "byte order mark", text: "\u{FEFF}{\"elements\":[{\"a\":1}]}", records: [#"{"a":1}"#]),
        Page(
            name: "long strings around block borders",
            text: #"{"elements":[{"a":""# + String(repeating: "é\\\"", count: 40) + #""},{"b":""#
                + String(repeating: #"\\"#, count: 63) + #""}]}"#,
            records: [
                #"{"a":""# + String(repeating: "é\\\"", count: 40) + #""}"#,
                #"{"b":""# + String(repeating: #"\\"#, count: 63) + #""}"#,
            ]),
        Page(
            name: "deep nesting",
            text: #"{"elements":["# + String(repeating: #"{"a":["#, count: 300) + String(repeating: "]}", count: 300)
                + "]}",
            records: [String(repeating: #"{"a":["#, count: 300) + String(repeating: "]}", count: 300)]),
        Page(
            name: "one object", shape: .object, text: "{\"elements\":[1],\n\"id\":\"A\"}\n",
            records: [#"{"elements":[1],"id":"A"}"#]),
        Page(
            name: "one object and no array", shape: .oneObject, text: "\u{FEFF}{\"elements\":[1],\n\"id\":\"A\"}\n",
            records: [#"{"elements":[1],"id":"A"}"#]),
        Page(name: "an array as one record", shape: .object, text: "[{\"a\":1},\n2]", records: [#"[{"a":1},2]"#]),
        Page(
            name: "either: a list", shape: .either,
            text: #"{"href":"x","more":{"elements":[0]},"elements":[{"a":1},2]}"#,
            records: [#"{"a":1}"#, "2"]),
        Page(
            name: "either: an object", shape: .either,
            text: "{\n\"id\":\"A\",\r\n \"lineItems\":{\"elements\":[{\n}]},\n\"total\":5\n}",
            records: [#"{"id":"A", "lineItems":{"elements":[{}]},"total":5}"#]),
        Page(name: "either: empty object", shape: .either, text: "{}", records: ["{}"]),
        Page(
            name: "either: elements that are no array", shape: .either, text: #"{"elements":{"a":1},"b":2}"#,
            records: [#"{"elements":{"a":1},"b":2}"#]),
        Page(name: "either: an array", shape: .either, text: " [1,2] ", records: ["[1,2]"]),
    ]

    @Test("gives every record, in order, with its own bytes", arguments: pages)
    func wholePage(page: Page) throws {
        #expect(try PageScan(shape: page.shape).records(of: page.text) == page.records)
    }

    @Test("gives the same records wherever the page is cut in two", arguments: pages)
    func cutInTwo(page: Page) throws {
        let bytes = Array(page.text.utf8)
        for place in 0...bytes.count {
            let records = try PageScan(shape: page.shape).records(of: [Array(bytes[..<place]), Array(bytes[place...])])
            #expect(records == page.records, "cut at \(place)")
        }
    }

    @Test("gives the same records in chunks of any size", arguments: pages)
    func chunks(page: Page) throws {
        for size in [1, 2, 3, 5, 7, 13, 63, 64, 65, 100] {
            let chunks = PageScan.chunks(of: Array(page.text.utf8), size: size)
            #expect(try PageScan(shape: page.shape).records(of: chunks) == page.records, "chunks of \(size)")
        }
    }

    @Test("never accepts a truncated page as complete", arguments: pages)
    func cutOff(page: Page) throws {
        let bytes = Array(page.text.utf8)
        let end = try #require(bytes.lastIndex { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") })
        for count in 0...end {
            #expect(throws: PageError.cutOff(at: count)) {
                _ = try PageScan(shape: page.shape).records(of: [Array(bytes[..<count])])
            }
        }
    }

    @Test("adds only complete records to the batch, each as soon as it is complete")
    func wholeRecordsOnly() throws {
        var scanner = PageScanner(expecting: .list)
        var batch = RecordBatch()
        try scanner.scan(Array(#"{"elements":[{"id":"A"},{"id""#.utf8), into: &batch)
        #expect(PageScan.texts(of: batch) == [#"{"id":"A"}"#])
        #expect(batch.bytes == Array("{\"id\":\"A\"}\n".utf8))
        batch = RecordBatch()
        try scanner.scan(Array(#":"B"},{}]}"#.utf8), into: &batch)
        try scanner.finish(into: &batch)
        #expect(PageScan.texts(of: batch) == [#"{"id":"B"}"#, "{}"])
        #expect(scanner.recordCount == 3)
    }

    @Test("follows every record with one newline")
    func newlines() throws {
        var scanner = PageScanner(expecting: .list, elements: .anything)
        var batch = RecordBatch()
        try scanner.scan(Array("{\"elements\":[{\"a\":\n1}\n,\n2]}".utf8), into: &batch)
        try scanner.finish(into: &batch)
        #expect(String(decoding: batch.bytes, as: UTF8.self) == "{\"a\":1}\n2\n")
    }

    /// Between two records: mostly a comma alone.
    private static let gaps = [",", ",", ",", ",", ",", ", ", " ,", ",\n", "\r\n,\n  "]

    @Test("gives the same records whatever lies between them and wherever chunks end", arguments: 0..<20)
    func runs(seed: UInt64) throws {
        var sample = SampleJSON(seed: seed)
        var page = "{\"elements\":["
        var expected: [String] = []
        for number in 0..<40 {
            var record = number % 9 == 8 ? sample.scalar() : sample.record()
            if number > 0 { page += Self.gaps[Int(sample.integer(0...Int64(Self.gaps.count - 1)))] }
            expected.append(record)
            // Line breaks between tokens go, and nothing else does.
            if number % 13 == 5, record.hasPrefix("{") { record = "{\n" + record.dropFirst().dropLast() + "\r\n}" }
            page += record
        }
        page += "],\"href\":\"x\"}"
        let bytes = Array(page.utf8)
        for size in [bytes.count, 1000, 257, 64, 7] {
            var scanner = PageScanner(expecting: .list, elements: .anything)
            var all = RecordBatch()
            var texts: [String] = []
            for chunk in PageScan.chunks(of: bytes, size: size) {
                var batch = RecordBatch()
                try scanner.scan(chunk, into: &batch)
                try scanner.scan([], into: &batch)
                texts += PageScan.texts(of: batch)
                #expect(batch.bytes == batch.records.flatMap { batch.bytes[$0.range] + [UInt8(ascii: "\n")] })
            }
            try scanner.finish(into: &all)
            #expect(texts == expected, "chunks of \(size)")
            #expect(scanner.recordCount == expected.count)
        }
    }

    @Test("a mismatched bracket is found after any number of complete records", arguments: [0, 1, 50])
    func wrongBracket(count: Int) throws {
        let before = "{\"elements\":[" + String(repeating: #"{"id":"A"},"#, count: count)
        let page = Array((before + #"{"id":"B"],{"id":"C"}]}"#).utf8)
        for size in [page.count, 10, 1] {
            var scanner = PageScanner(expecting: .list)
            var batch = RecordBatch()
            #expect(throws: PageError.self) {
                for chunk in PageScan.chunks(of: page, size: size) { try scanner.scan(chunk, into: &batch) }
            }
            #expect(PageScan.texts(of: batch) == Array(repeating: #"{"id":"A"}"#, count: count))
        }
    }
}
