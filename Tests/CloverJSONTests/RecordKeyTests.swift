import CloverJSON
import Testing

@Suite("Keys of records")
struct RecordKeyTests {
    private func key(_ record: String) -> RecordKey? {
        var batch = RecordBatch()
        Array("{\"id\":\"before\"}".utf8).withUnsafeBytes { batch.append($0) }
        Array(record.utf8).withUnsafeBytes { batch.append($0) }
        return batch.key(of: batch.records[1])
    }

    @Test("differ when the ids do, whatever their length")
    func different() {
        var ids: [String] = []
        for length in 0...40 {
            // One that differs in each single place, and in nothing else.
            let base = [UInt8](repeating: UInt8(ascii: "A"), count: length)
            ids.append(String(decoding: base, as: UTF8.self))
            for place in 0..<length {
                var other = base
                other[place] = UInt8(ascii: "B")
                ids.append(String(decoding: other, as: UTF8.self))
            }
        }
        let keys = ids.map { key("{\"id\":\"\($0)\",\"x\":1}") }
        #expect(!keys.contains(nil))
        #expect(Set(keys).count == ids.count)
        for id in ids { #expect(key("{\"id\":\"\(id)\",\"x\":1}") == key("{\"x\":\"\\\"\",\"id\":\"\(id)\"}")) }
    }

    @Test("are the same for the same id however the record is written")
    func same() {
        for length in 0...20 {
            let id = String(repeating: "A", count: length)
            let keys = [#","x":1"#, #","a\\b":2"#, ",\"\u{7F}\":[]", ""].map { key("{\"id\":\"\(id)\"\($0)}") }
            #expect(Set(keys).count == 1)
        }
        #expect(key(#"{"id":"a/b"}"#) == key(#"{"id":"a\/b"}"#))
        #expect(key(#"{"id":"12"}"#) == key(#"{ "x" : [1], "id" : 12 }"#))
        #expect(key(#"{"id":"été"}"#) == key(#"{"id":"\u00e9t\u00e9"}"#))
    }

    @Test(
        "are for records with an id",
        arguments: ["{}", "[]", "1", #"{"id":null}"#, #"{"id":"x"#, #"{"id":""#, #"{"ids":"x"}"#])
    func none(record: String) {
        #expect(key(record) == nil)
    }

    @Test("a set knows what was put into it and nothing else")
    func set() throws {
        let keys = try (0..<20_000).map { try #require(key("{\"id\":\"\(String($0, radix: 36))\"}")) }
        var set = RecordKeySet()
        for (number, key) in keys.prefix(10_000).enumerated() {
            #expect(!set.contains(key))
            set.insert(key)
            #expect(set.count == number + 1)
        }
        #expect(Self.isNew(keys[0], in: &set) == false)
        #expect(set.count == 10_000)
        for (number, key) in keys.enumerated() { #expect(set.contains(key) == (number < 10_000)) }
    }

    @Test("a set that was emptied knows nothing any more")
    func emptied() throws {
        var set = RecordKeySet()
        let known = try #require(key(#"{"id":"A"}"#))
        #expect(Self.isNew(known, in: &set))
        set.removeAll()
        #expect(set.count == 0)
        #expect(!set.contains(known))
        #expect(Self.isNew(known, in: &set))
    }

    private static func isNew(_ key: RecordKey, in set: inout RecordKeySet) -> Bool {
        set.insert(key)
    }
}
