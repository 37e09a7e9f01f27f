/// A short piece of a body for an error message.
struct Excerpt {
    /// At most 60 characters, never a control character.
    let text: String

    /// Takes what it needs from the start of `bytes`; invalid UTF-8 becomes U+FFFD.
    init(of bytes: UnsafeRawBufferPointer) {
        // 60 characters rarely need more than 4 bytes each; a longer grapheme is cut, which an excerpt may be.
        let decoded = String(decoding: bytes.prefix(240), as: UTF8.self)
        var cleaned = String.UnicodeScalarView()
        for scalar in decoded.unicodeScalars where !Excerpt.steersTerminal(scalar) {
            cleaned.append(scalar)
        }
        text = String(String(cleaned).prefix(60))
    }

    /// Control characters, line and paragraph separators, and the marks that turn the writing direction.
    private static func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
