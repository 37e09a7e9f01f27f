/// Decodes the bytes between the quotes of a JSON string (RFC 8259, section 7).
struct JSONString {
    /// Lone surrogates, unknown escapes and invalid UTF-8 become U+FFFD.
    let text: String

    init(escaped bytes: UnsafeRawBufferPointer) {
        guard bytes.contains(UInt8(ascii: "\\")) else {
            text = String(decoding: bytes, as: UTF8.self)
            return
        }
        var result: [UInt8] = []
        var units: [UInt16] = []
        var offset = 0
        // A surrogate pair takes two escapes, so escaped units are collected and decoded together.
        func flush() {
            guard !units.isEmpty else { return }
            result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            units.removeAll()
        }
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count else {
                flush()
                result.append(bytes[offset])
                offset += 1
                continue
            }
            let letter = bytes[offset + 1]
            offset += 2
            if letter == UInt8(ascii: "u") {
                let digits = bytes[offset..<min(offset + 4, bytes.count)]
                units.append(UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD)
                offset += digits.count
            } else {
                flush()
                result.append(contentsOf: Self.plain(letter))
            }
        }
        flush()
        text = String(decoding: result, as: UTF8.self)
    }

    private static func plain(_ letter: UInt8) -> [UInt8] {
        switch letter {
        case UInt8(ascii: "b"): [0x08]
        case UInt8(ascii: "f"): [0x0C]
        case UInt8(ascii: "n"): [0x0A]
        case UInt8(ascii: "r"): [0x0D]
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): [letter]
        default: [0xEF, 0xBF, 0xBD]
        }
    }
}
