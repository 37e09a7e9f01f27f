/// Percent-encoding (RFC 3986, section 2).
package enum PercentCoding {
    /// Encodes every byte but those to keep: by default the unreserved ones, so that the text fits into any part of a
    /// URL and is read literally. A `+` stays a plus, and the `=` of an operator is not a separator.
    package static func encode(
        _ text: some StringProtocol, keeping isKept: (UInt8) -> Bool = isUnreserved
    ) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            encoded += isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// - Parameter isQuery: whether a plus sign stands for a space, as in names and values of a query.
    /// - Returns: nil if a percent sign is not followed by two digits, or the bytes are not UTF-8.
    package static func decode(_ text: Substring, isQuery: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where isQuery: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }),
                    let low = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue })
                else { return nil }
                decoded.append(UInt8(high << 4 | low))
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Whether the text, encoded, is one segment of a path. Dots are removed from a path (RFC 3986, section 5.2.4), so that
    /// the request would be one for another resource.
    package static func isSegment(_ text: some StringProtocol) -> Bool { !["", ".", ".."].contains(String(text)) }

    /// The unreserved characters (RFC 3986, section 2.3): letters, digits and `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~".utf8.contains(byte) }

    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension [UInt8] {
    /// The bytes of hexadecimal digits, two for each; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
    }
}

extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimalDigits: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
