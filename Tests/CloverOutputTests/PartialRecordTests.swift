import CloverJSON
import CloverOutput
import Testing

extension JQTests {
    @Suite("Skipped parts of a record do not affect the result")
    struct PartialRecordTests {
        static let programs = [
            ".id", ".lineItems.elements|length", "{id,total,n:(.lineItems.elements|length)}", ".total|length",
            "{a:.id,b:.id.total,c:(.id|length)}", "length", ".elements.elements", "{id,all:.}", "{id}|.id|length",
        ]

        /// The same program as one that the interpreter runs on whole records.
        private func compare(_ source: String, on records: [String]) async throws {
            let whole = try await FilterRun(workers: 1).run(source + " # whole", on: records)
            let part = try await FilterRun(workers: 2, batchSize: 11).run(source, on: records)
            #expect(part.output == whole.output, "\(source)")
            #expect(part.failures == whole.failures, "\(source)")
        }

        @Test("where records are of any kind", arguments: programs)
        func kinds(_ source: String) async throws {
            try await compare(
                source,
                on: [
                    #"{"id":1,"total":2,"lineItems":{"elements":[{"id":[1,{"a":"}"}]},2]}}"#, #"{"id":1,"id":2}"#,
                    #"{"id":{"total":3},"\u0069d":4}"#, #"{"lineItems":{"elements":{"a":1,"a":2,"b":[]}}}"#,
                    #"{"lineItems":[]}"#, #"{"lineItems":null,"total":-3.5e0}"#, "null", "[1,[2]]", "7", "true",
                    #""id""#,
                    "{}", #"{"id":"x","other":"\ud83d\ude00","total":null}"#, #"{"elements":{"elements":"ab\u00e9"}}"#,
                    #"{ "id" : [ ] , "x" : { } , "total" : false }"#,
                ])
        }

        static let damagedRecords: [String] = [
            #"{"id":1,"x":tru}"#, #"{"id":1,"x":"\q"}"#, #"{"id":1,"x":"\u12"}"#, #"{"id":1,"x":[1,]}"#,
            #"{"id":1,"x":{"a"}}"#, #"{"id":1,"x":{1:2}}"#, #"{"id":1,"x":-}"#, #"{"id":1,"x":1.2.3}"#,
            #"{"id":1,}"#, #"{"id":1} 2"#, #"{"id":1,"x":nan}"#, #"{"id":1,"x":"\ud800"}"#, #"{"id":1,"x":01}"#,
            #"{"id":1,"x"}"#, #"{"id":1,"x":truest}"#, #"{"id":1,"x":+1}"#, #"{"id":1,"x":1e}"#,
            "{\"id\":1,\"x\":" + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}",
            "{\"id\":1,\"x\":" + String(repeating: "{\"a\":", count: 254) + "1" + String(repeating: "}", count: 255),
        ]

        @Test("when a skipped part is not JSON", arguments: programs)
        func damaged(_ source: String) async throws {
            // Between whole ones, each of which follows another damaged one.
            try await compare(source, on: Self.damagedRecords.flatMap { [#"{"id":0}"#, $0, #"{"id":2}"#] })
        }

        @Test("in random records, whole and damaged", arguments: 1...6 as ClosedRange<UInt64>)
        func random(seed: UInt64) async throws {
            var random = RandomJSON(seed: seed &* 31337)
            var records: [String] = []
            for _ in 0..<300 {
                let text =
                    "{\"id\":" + random.value(depth: 3, lineBreaks: false) + ",\"lineItems\":"
                    + random.value(depth: 4, lineBreaks: false) + "," + random.string() + ":"
                    + random.value(depth: 5, lineBreaks: false) + "}"
                var bytes = Array(text.utf8)
                if random.number(below: 3) == 0 {
                    bytes[random.number(below: bytes.count)] = Array(#"{}[],:"\ ae1.-+"#.utf8)[random.number(below: 15)]
                }
                records.append(String(decoding: bytes, as: UTF8.self))
            }
            for source in Self.programs { try await compare(source, on: records) }
        }
    }
}
