/// Percent-encoding of URL parts (RFC 3986, section 2).
enum PercentEncoding {
    /// Encodes everything except unreserved characters, so that a value is always read literally: a `+` stays a plus,
    /// and the `=` of an operator is not a separator.
    static func encode(_ text: some StringProtocol, keeping kept: Set<UInt8> = []) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            case _ where kept.contains(byte):
                result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result.append(hexadecimal[Int(byte >> 4)])
                result.append(hexadecimal[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
