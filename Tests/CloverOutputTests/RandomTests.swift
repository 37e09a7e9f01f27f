import CloverJSON
import CloverOutput
import Testing

extension JQTests {
    @Suite("Random data gives what jq gives")
    struct RandomTests {
        @Test("the records of a page are its elements", arguments: 1...8 as ClosedRange<UInt64>)
        func pages(seed: UInt64) throws {
            var random = RandomJSON(seed: seed)
            var (pages, records): ([UInt8], [UInt8]) = ([], [])
            for _ in 0..<40 {
                let lineBreaks = random.number(below: 2) == 0
                let elements = (0..<random.number(below: 20)).map { _ in random.value(depth: 6, lineBreaks: lineBreaks)
                }
                var page = "{" + random.space(true) + "\"before\":" + random.value(depth: 3, lineBreaks: true) + ","
                page +=
                    "\"elements\"" + random.space(true) + ":[" + elements.joined(separator: random.space(true) + ",")
                page +=
                    random.space(true) + "]" + random.space(true) + ",\"after\":"
                    + random.value(depth: 3, lineBreaks: true) + "}\n"
                let bytes = Array(page.utf8)

                var scanner = PageScanner(expecting: .list, elements: .anything)
                var batch = RecordBatch()
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + 1 + random.number(below: 300))
                    try scanner.scan(Array(bytes[start..<end]), into: &batch)
                    start = end
                }
                try scanner.finish(into: &batch)
                #expect(batch.records.count == elements.count)
                #expect(!batch.bytes.contains(UInt8(ascii: "\r")))
                #expect(batch.bytes.count { $0 == UInt8(ascii: "\n") } == elements.count, "\(page)")
                pages += bytes
                records += batch.bytes
            }
            // jq takes longer to start than to read, so it reads all pages at once; the counts above keep them apart.
            let jq = try RealJQ()
            let expected = try jq.run([".elements[]"], input: pages)
            #expect(expected.status == 0)
            let found = try jq.run(["."], input: records)
            let texts = [found.output, expected.output].map { String(decoding: $0, as: UTF8.self) }
            #expect(found.output == expected.output, "\(FieldTests.firstDifference(texts[0], texts[1]) ?? "")")
        }

        @Test("records are read and printed as by jq", arguments: 1...8 as ClosedRange<UInt64>)
        func values(seed: UInt64) async throws {
            var random = RandomJSON(seed: seed &* 1000)
            let records = (0..<400).map { _ in random.value(depth: 7, lineBreaks: false) }
            for source in [".", "[.. | scalars]", "tojson | fromjson", "[.[]?, keys?]"] {
                let expected = try RealJQ().run([source], input: JQTests.DifferentialTests.lines(records))
                let result = try await FilterRun(batchSize: 50).run(source, on: records)
                #expect(result.output == expected.output)
                #expect(result.failures.isEmpty == expected.errors.isEmpty)
            }
        }

        @Test(
            "invalid JSON is refused exactly where jq refuses it, except unpaired surrogates",
            arguments: 1...4 as ClosedRange<UInt64>)
        func damaged(seed: UInt64) async throws {
            var random = RandomJSON(seed: seed &* 77777)
            var records: [String] = []
            for _ in 0..<60 {
                var text = Array(random.value(depth: 4, lineBreaks: false).utf8)
                let place = random.number(below: text.count)
                switch random.number(below: 3) {
                case 0: text.remove(at: place)
                case 1: text[place] = Array(#"{}[],:"\ ae1.-+"#.utf8)[random.number(below: 15)]
                default: text.insert(Array(#"{}[],:"\ ae1.-+"#.utf8)[random.number(below: 15)], at: place)
                }
                // Line breaks would make two inputs of it for jq.
                records.append(String(decoding: text, as: UTF8.self))
            }
            let jq = try RealJQ()
            let result = try await FilterRun(workers: 1).run("[., input_line_number]", on: records)
            let failed = Set(result.failures.map(\.index))
            var failures = result.failures.makeIterator()
            var lines = result.text.split(separator: "\n").makeIterator()
            for (index, record) in records.enumerated() {
                // Slurped, because jq prints each of several values before it meets an error, and a record must be one.
                let answer = try jq.run(
                    ["-s", "if length == 1 then [.[0], \(index + 1)] else error(\"\") end"], input: Array(record.utf8))
                if answer.status == 0 {
                    #expect(lines.next().map(String.init) == String(decoding: answer.output.dropLast(), as: UTF8.self))
                } else if answer.errors.contains("surrogate pair"), !failed.contains(index) {
                    // It was replaced before jq saw it.
                    #expect(lines.next()?.contains("\u{FFFD}") == true, "\(record)")
                } else {
                    let failure = failures.next()
                    #expect(failure?.index == index, "\(record)")
                    #expect(failure?.message.hasPrefix("parse error: ") == true)
                }
            }
            #expect(failures.next() == nil)
            #expect(lines.next() == nil)
        }
    }
}
