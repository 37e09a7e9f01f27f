/// The small JSON objects that requests carry.
enum RequestJSON {
    /// An object of strings, keys sorted (RFC 8259).
    static func object(_ fields: [String: String]) -> [UInt8] {
        let members = fields.sorted { $0.key < $1.key }.map { string($0.key) + ":" + string($0.value) }
        return Array(("{" + members.joined(separator: ",") + "}").utf8)
    }

    private static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
