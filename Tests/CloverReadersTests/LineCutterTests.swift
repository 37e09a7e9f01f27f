import CloverReaders
import Testing

struct LineCutterTests {
    @Test("lines are split at any chunk boundary")
    func pieces() {
        let text = Array("{\"id\":1}\n\n{\"id\":2}\nrest".utf8)
        for size in 1...text.count {
            var cutter = LineSplitter(limit: 100)
            var lines: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                let piece = text[start..<min(start + size, text.count)]
                lines += (cutter.take(piece) ?? []).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(lines == ["{\"id\":1}", "", "{\"id\":2}"])
            #expect(cutter.take(Array("\n".utf8)[...]) == [Array("rest".utf8)])
        }
    }

    @Test("a line may be as long as the limit but not longer, even before its end has arrived")
    func limit() {
        var cutter = LineSplitter(limit: 4)
        #expect(cutter.take(Array("1234\n".utf8)[...]) == [Array("1234".utf8)])
        #expect(cutter.take(Array("1234".utf8)[...]) == [])
        #expect(cutter.take(Array("5".utf8)[...]) == nil)
        var other = LineSplitter(limit: 4)
        #expect(other.take(Array("12345\n".utf8)[...]) == nil)
    }
}
