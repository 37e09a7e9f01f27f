import CloverEmulator
import Testing

@Suite("Ids")
struct IdentifierTests {
    private let scheme = IdentifierScheme(seed: 42)

    @Test("have 13 upper-case letters and digits")
    func form() {
        for place in 0..<500 {
            let text = scheme.identifier(.order, place).description
            #expect(text.utf8.count == 13)
            #expect(text.allSatisfy { $0.isASCII && ($0.isNumber || ($0.isLetter && $0.isUppercase)) })
        }
    }

    @Test("decode to their kind and index")
    func inverse() {
        for kind in RecordKind.allCases {
            for place in [0, 1, 77, 1 << 24, (1 << 56) - 1] {
                let text = scheme.identifier(kind, place).description
                #expect(scheme.place(of: text, kind: kind) == place)
            }
        }
    }

    @Test("of one kind are not ids of another")
    func kinds() {
        let text = scheme.identifier(.order, 5).description
        #expect(scheme.place(of: text, kind: .payment) == nil)
    }

    @Test("use every character in the first position")
    func spread() {
        let first = Set((0..<3000).compactMap { scheme.identifier(.item, $0).description.first })
        #expect(first.count == 36)
    }

    @Test("are not read from other texts", arguments: ["", "abc", "0000000000000x", "ZZZZZZZZZZZZZZ", "a000000000000"])
    func malformed(_ text: String) {
        #expect(Identifier(text) == nil)
    }

    @Test("encode at most one number, in one spelling")
    func roundTrip() {
        var random = SeededRandom(seed: 9, stream: .shop, index: 0)
        for _ in 0..<2000 {
            let number = random.next()
            #expect(Identifier(Identifier(number: number).description)?.number == number)
        }
    }
}
