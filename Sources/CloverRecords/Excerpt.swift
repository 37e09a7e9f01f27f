/// A short part of a body for an error message.
struct Excerpt {
    /// At most 60 characters, without control characters.
    let text: String

    /// Reads as much as it needs from the start of `bytes`; invalid UTF-8 becomes U+FFFD.
    init(of bytes: UnsafeRawBufferPointer) {
        // 60 characters rarely need more than 4 bytes each; truncating a longer grapheme is acceptable here.
        let decoded = String(decoding: bytes.prefix(240), as: UTF8.self)
        text = String(TerminalText.line(decoded).prefix(60))
    }
}
