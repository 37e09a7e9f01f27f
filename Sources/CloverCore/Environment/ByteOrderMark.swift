/// The mark that some programs put in front of UTF-8 text. It is no part of the text, and JSON may be read without it
/// (RFC 8259, section 8.1).
package enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text without its mark.
    package static func dropped(from text: [UInt8]) -> [UInt8] {
        text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text
    }
}
