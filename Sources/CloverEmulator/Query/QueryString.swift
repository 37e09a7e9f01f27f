/// The query part of a request's target, as pairs in the order they came.
package struct QueryString: Sendable {
    /// A parameter after percent-decoding.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let parameters: [Parameter]

    package init(parameters: [Parameter]) {
        self.parameters = parameters
    }

    /// Splits at `&`, then at the first `=`; a second `=` belongs to the value, raw or encoded (recorded requests of
    /// other clients do both). `+` is a plus sign: phone numbers in filters depend on it.
    package init(_ text: some StringProtocol) {
        parameters = text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                name: Self.decode(halves[0]), value: halves.count > 1 ? Self.decode(halves[1]) : "")
        }
    }

    /// All values of a parameter, in order.
    package func values(_ name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }

    /// Undoes percent-encoding (RFC 3986 section 2.1). A percent sign without two hexadecimal digits stays, and bytes
    /// that are no UTF-8 become the replacement character.
    package static func decode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var place = 0
        while place < source.count {
            if source[place] == UInt8(ascii: "%"), place + 2 < source.count,
                let high = hexadecimal(source[place + 1]), let low = hexadecimal(source[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986 section 2.3.
    package static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
