import CloverSquare
import Testing

@Suite("Tenders")
struct TenderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var bit: UInt
        var word: String
        var wire: String
        var isInRegister: Bool
        var testDescription: String { word }
    }

    static let rows = [
        Row(bit: 1, word: "card", wire: "CREDIT_CARD", isInRegister: true),
        Row(bit: 2, word: "cash", wire: "CASH", isInRegister: true),
        Row(bit: 4, word: "other", wire: "OTHER", isInRegister: true),
        Row(bit: 8, word: "gift", wire: "SQUARE_GIFT_CARD", isInRegister: true),
        Row(bit: 16, word: "card-on-file", wire: "CARD_ON_FILE", isInRegister: true),
        Row(bit: 32, word: "paypay", wire: "PAYPAY", isInRegister: false),
    ]

    private func wire(_ tenders: SquareTenderSet, _ profile: SquareProfile) throws -> [String] {
        let data = SquareRequestData(try SquareRequest(plainDraft { $0.tenders = tenders }, profile: profile))
        return try #require(data.options).tenders.map(\.string)
    }

    @Test("each bit has its word and its name on the wire", arguments: rows)
    func bits(row: Row) throws {
        let tenders = SquareTenderSet(rawValue: row.bit)
        #expect(try wire(tenders, .pointOfSale354) == [row.wire])
        #expect(try wire(tenders, .register21) == (row.isInRegister ? [row.wire] : []))
        #expect(try SquareTenderSet(words: row.word, profile: .pointOfSale354) == tenders)
        // As a bit that the older SDK does not know: it is kept, and writes nothing.
        #expect(try SquareTenderSet(words: row.word, profile: .register21) == tenders)
    }

    @Test("every mask is written in the order of the bits; bits without a tender write nothing")
    func order() throws {
        for mask in UInt(0)..<128 {
            let names = Self.rows.filter { mask & $0.bit != 0 }
            #expect(try wire(.init(rawValue: mask), .pointOfSale354) == names.map(\.wire))
            #expect(try wire(.init(rawValue: mask), .register21) == names.filter(\.isInRegister).map(\.wire))
        }
        #expect(try SquareTenderSet(words: "paypay,card", profile: .pointOfSale354) == .init([.card, .payPay]))
    }

    @Test("all is every bit: the same names, and not equal to their sum")
    func all() throws {
        let sum = SquareTenderSet(SquareTender.allCases)
        #expect(SquareTenderSet.all.rawValue == UInt.max)
        #expect(sum.rawValue == 63)
        #expect(SquareTenderSet.all != sum)
        #expect(try wire(.all, .pointOfSale354) == Self.rows.map(\.wire))
        #expect(try wire(sum, .pointOfSale354) == Self.rows.map(\.wire))
        #expect(try wire(.all, .register21) == Self.rows.filter(\.isInRegister).map(\.wire))
        #expect(try SquareTenderSet(words: "all", profile: .register21) == .all)
    }

    @Test("an unknown tender is reported with the names of the profile; an empty text is the empty mask")
    func words() throws {
        #expect(
            throws: SquareTenderError.unknown(
                "cheque", known: ["card", "cash", "other", "gift", "card-on-file", "all"])
        ) { try SquareTenderSet(words: "cheque", profile: .register21) }
        #expect(try SquareTenderSet(words: "", profile: .pointOfSale354) == SquareTenderSet(rawValue: 0))
    }

    @Test("words that are no tender", arguments: [" ", "CARD", "card,", ",", "card,cash,x", "card, cash", "all,card"])
    func unknown(words: String) {
        #expect(throws: SquareTenderError.self) { try SquareTenderSet(words: words, profile: .pointOfSale354) }
    }
}
