/// Parses JSON text (RFC 8259). Numbers keep their spelling, members their order.
package struct JSONParser {
    /// Maximum nesting depth; limits the stack use of any body.
    private static let mostLevels = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var level = 0

    /// Parses a complete text; nil if it is not JSON or is nested more than 64 levels deep.
    package static func value(of text: [UInt8]) -> JSONValue? {
        text.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(bytes: bytes)
            guard let value = parser.value() else { return nil }
            parser.skipSpace()
            return parser.place == bytes.count ? value : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return text().map { .string($0) }
        default:
            if take(word: "true") { return .boolean(true) }
            if take(word: "false") { return .boolean(false) }
            return take(word: "null") ? .null : number()
        }
    }

    private mutating func nested(_ body: (inout JSONParser) -> JSONValue?) -> JSONValue? {
        level += 1
        defer { level -= 1 }
        place += 1
        return level > Self.mostLevels ? nil : body(&self)
    }

    private mutating func object() -> JSONValue? {
        var members: [(key: String, value: JSONValue)] = []
        let isWhole = entries(until: UInt8(ascii: "}")) { parser in
            parser.skipSpace()
            guard let key = parser.text() else { return false }
            parser.skipSpace()
            guard parser.take(UInt8(ascii: ":")), let value = parser.value() else { return false }
            // The last of several members with the same name wins, as in most parsers.
            members.removeAll { $0.key == key }
            members.append((key, value))
            return true
        }
        return isWhole ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        var values: [JSONValue] = []
        let isWhole = entries(until: UInt8(ascii: "]")) { parser in
            guard let value = parser.value() else { return false }
            values.append(value)
            return true
        }
        return isWhole ? .array(values) : nil
    }

    /// Parses entries with commas between them, up to the closing bracket; false if malformed.
    private mutating func entries(until end: UInt8, _ entry: (inout JSONParser) -> Bool) -> Bool {
        skipSpace()
        if take(end) { return true }
        while entry(&self) {
            skipSpace()
            if take(end) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
        }
        return false
    }

    private mutating func digits() -> Bool {
        let start = place
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        return place > start
    }

    private mutating func number() -> JSONValue? {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !digits() { return nil }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() else { return nil }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, text != "-0", let integer = Int(text) { return .integer(integer) }
        return .number(text)
    }

    private mutating func text() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            place += 1
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
        guard let byte = next else { return false }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            guard let first = unit() else { return false }
            var scalar = UInt32(first)
            if (0xD800...0xDBFF).contains(first) {
                guard take(word: "\\u"), let second = unit(), (0xDC00...0xDFFF).contains(second) else { return false }
                scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else { return false }
            content.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        default: return false
        }
        return true
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        guard place + 4 <= bytes.count else { return nil }
        let digits = bytes[place..<place + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        place += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
