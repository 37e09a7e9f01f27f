/// A short piece of a body for an error message.
struct Excerpt {
    /// At most 60 characters, never a control character.
    let text: String

    /// Takes what it needs from the start of `bytes`; invalid UTF-8 becomes U+FFFD.
    init(of bytes: UnsafeRawBufferPointer) {
        // 60 characters rarely need more than 4 bytes each; a longer grapheme is cut, which an excerpt may be.
        let decoded = String(decoding: bytes.prefix(240), as: UTF8.self)
        text = String(TerminalText.line(decoded).prefix(60))
    }
}
