/// Parses JSON text (RFC 8259). Numbers keep their spelling, members their order.
package struct JSONParser {
    /// Maximum nesting depth; limits the stack use of any body.
    private static let mostLevels = 64

    private var rest: ArraySlice<UInt8>
    private var level = 0

    /// Parses a complete text; nil if it is not JSON or is nested more than 64 levels deep.
    package static func value(of text: [UInt8]) -> JSONValue? {
        var parser = JSONParser(rest: text[...])
        guard let value = parser.value() else { return nil }
        parser.skipSpace()
        return parser.rest.isEmpty ? value : nil
    }

    private mutating func skipSpace() {
        while let byte = rest.first, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { rest.removeFirst() }
    }

    private mutating func take(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest.removeFirst(word.utf8.count)
        return true
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        level += 1
        defer { level -= 1 }
        switch rest.first {
        case UInt8(ascii: "{"): return level > Self.mostLevels ? nil : object()
        case UInt8(ascii: "["): return level > Self.mostLevels ? nil : array()
        case UInt8(ascii: "\""): return text().map { .string($0) }
        default:
            if take("true") { return .boolean(true) }
            if take("false") { return .boolean(false) }
            return take("null") ? .null : number()
        }
    }

    private mutating func object() -> JSONValue? {
        var members: [(key: String, value: JSONValue)] = []
        let isWhole = entries(until: "}") { parser in
            parser.skipSpace()
            guard let key = parser.text() else { return false }
            parser.skipSpace()
            guard parser.take(":"), let value = parser.value() else { return false }
            // The last of several members with the same name wins, as in most parsers.
            members.removeAll { $0.key == key }
            members.append((key, value))
            return true
        }
        return isWhole ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        var values: [JSONValue] = []
        let isWhole = entries(until: "]") { parser in
            guard let value = parser.value() else { return false }
            values.append(value)
            return true
        }
        return isWhole ? .array(values) : nil
    }

    /// Parses an opening bracket, entries with commas between them, and the closing bracket; false if malformed.
    private mutating func entries(until end: String, _ entry: (inout JSONParser) -> Bool) -> Bool {
        rest.removeFirst()
        skipSpace()
        if take(end) { return true }
        while entry(&self) {
            skipSpace()
            if take(end) { return true }
            guard take(",") else { return false }
        }
        return false
    }

    private mutating func digits() -> Bool {
        let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        guard rest.first.map(isDigit) == true else { return false }
        rest = rest.drop(while: isDigit)
        return true
    }

    private mutating func number() -> JSONValue? {
        let start = rest
        _ = take("-")
        guard take("0") || digits() else { return nil }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() else { return nil }
        }
        if take("e") || take("E") {
            isWhole = false
            _ = take("+") || take("-")
            guard digits() else { return nil }
        }
        let text = String(decoding: start.prefix(upTo: rest.startIndex), as: UTF8.self)
        if isWhole, text != "-0", let integer = Int(text) { return .integer(integer) }
        return .number(text)
    }

    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
            case UInt8(ascii: "\\"): guard escape(into: &content) else { return nil }
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into content: inout [UInt8]) -> Bool {
        guard let byte = rest.popFirst() else { return false }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            guard var scalar = unit() else { return false }
            if (0xD800...0xDBFF).contains(scalar) {
                guard take("\\u"), let second = unit(), (0xDC00...0xDFFF).contains(second) else { return false }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (second - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else { return false }
            content.append(contentsOf: String(character).utf8)
        default: return false
        }
        return true
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        rest.removeFirst(4)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
