/// Percent-encoding of URL parts (RFC 3986, section 2).
enum PercentCoding {
    /// Encodes everything but letters, digits and `-._~`, so that the text fits into any part of a URL.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Reads a name or value of a query, where a plus sign may stand for a space.
    ///
    /// - Returns: nil when a percent sign is not followed by two digits, or the bytes are not UTF-8.
    static func decodeQuery(_ text: Substring) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
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

    /// The characters that mean themselves everywhere in a URL (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
