import CloverSquare

/// The same values in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Requests and texts made of what breaks encoders.
struct RandomValues {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private static let pieces = [
        "%", "%%", "%zz", "%4", "%41", "%25", "%C3%28", "+", "++", "&", "=", "&data=", "?", "#", "/", "\\", "\\/", ";",
        ":",
        "@", "\"", "'", "\\\"", "\\u0041", "{", "}", "[", "]", "<", ">", "`", "|", "^", " ", "  ", "\t", "\n", "\r\n",
        "\r",
        "\0", "\u{1}", "\u{8}", "\u{C}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{AD}", "\u{E9}",
        "e\u{301}", "\u{301}", "\u{37E}", "\u{212A}", "\u{200D}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{FEFF}",
        "\u{FFFD}",
        "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "😀", "👩‍👩‍👧‍👦",
        "🇯🇵", "☕️", "日本語", "عربى", "a", "Z", "09", "-._~",
        "null", "true", "{\"a\":[1,2]}",
    ]

    mutating func text() -> SquareText {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            if Bool.random(using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return SquareText(text)
    }

    mutating func optionalText() -> SquareText? { Int.random(in: 0..<4, using: &generator) == 0 ? nil : text() }

    mutating func flag() -> Bool { Bool.random(using: &generator) }

    mutating func profile() -> SquareProfile { flag() ? .register21 : .pointOfSale354 }

    mutating func callback() -> SquareText {
        let authority = ["", "pay", "u@host:8080", "Cafe.Example", "[::1]"].randomElement(using: &generator) ?? ""
        let path = ["", "/", "/a/b", "/a%20b/", "/%E2%98%95", "//", "/a,b=c"].randomElement(using: &generator) ?? ""
        let query = ["", "?", "?a=b", "?a=%25&b=+", "?data=x"].randomElement(using: &generator) ?? ""
        let fragment = ["", "#", "#top"].randomElement(using: &generator) ?? ""
        return SquareText("corner-cafe+x.1://\(authority)\(path)\(query)\(fragment)")
    }

    /// A request that a profile takes.
    mutating func draft(_ profile: SquareProfile) -> SquareRequestDraft {
        var draft = SquareRequestDraft()
        draft.clientID = SquareText("sq0idp-" + text().string)
        draft.amount =
            Int.random(in: 0..<8, using: &generator) == 0
            ? Int.random(in: 1...Int.max, using: &generator) : Int.random(in: 1...99999, using: &generator)
        draft.currency = profile.currencies?.randomElement(using: &generator) ?? SquareText("X" + text().string)
        draft.callbackURL = callback()
        draft.state = optionalText()
        draft.notes = optionalText()
        draft.locationID = optionalText()
        draft.customerID = optionalText()
        draft.tenders = SquareTenderSet(rawValue: UInt.random(in: 0..<64, using: &generator))
        draft.clearDefaultFees = flag()
        draft.autoReturn = flag()
        draft.disableKeyedIn = flag()
        draft.skipReceipt = flag()
        return draft
    }
}
