/// Values as they are written into YAML.
enum ConfigurationScalar {
    /// Plain where every reader of YAML takes it for the same text, else in single quotes, in which only the quote itself
    /// has a meaning (YAML 1.2 section 7.3.2). Values hold no line breaks.
    static func written(_ value: String) -> String {
        isPlain(value) ? value : "'" + value.replacing("'", with: "''") + "'"
    }

    private static func isPlain(_ value: String) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last else { return false }
        // YAML's own word for nothing (YAML 1.2, section 10.3.2).
        if value.lowercased() == "null" { return false }
        let isHarmless = value.utf8.allSatisfy { isWord($0) || "./:@+-".utf8.contains($0) || $0 == UInt8(ascii: "~") }
        return isHarmless && (isWord(first) || first == UInt8(ascii: "/") || value.hasPrefix("~/"))
            && last != UInt8(ascii: ":")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
