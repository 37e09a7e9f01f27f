/// Reads JSON text (RFC 8259).
package struct SquareJSONParser {
    package enum Dialect: Sendable {
        /// As `NSJSONSerialization` without options: accepts a comma after the last element or member, and refuses an
        /// unpaired surrogate such as `\ud800`.
        case apple
        /// The exact standard, which allows an unpaired surrogate: the string is kept unchanged.
        case standard
    }

    /// Maximum nesting depth of Apple's parser.
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private let dialect: Dialect
    private var place = 0
    private var level = 0

    /// Parses a whole text; nil if it is not JSON or nests more than 512 levels. Skips a byte order mark.
    package static func value(of text: [UInt8], dialect: Dialect) -> SquareJSON? {
        var parser = SquareJSONParser(bytes: text, dialect: dialect)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { parser.place = 3 }
        guard let value = parser.value() else { return nil }
        parser.skipSpace()
        return parser.place == text.count ? value : nil
    }

    private init(bytes: [UInt8], dialect: Dialect) {
        self.bytes = bytes
        self.dialect = dialect
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

    private mutating func value() -> SquareJSON? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return text().map(SquareJSON.string)
        case UInt8(ascii: "t"): return take(word: "true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return number()
        }
    }

    private mutating func nested(_ body: (inout SquareJSONParser) -> SquareJSON?) -> SquareJSON? {
        level += 1
        defer { level -= 1 }
        place += 1
        return level > Self.maximumDepth ? nil : body(&self)
    }

    private mutating func object() -> SquareJSON? {
        var members: [SquareJSON.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard let name = text() else { return nil }
            skipSpace()
            guard take(UInt8(ascii: ":")), let value = value() else { return nil }
            members.append(SquareJSON.Member(name, value))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
            if endsAfterComma(UInt8(ascii: "}")) { return .object(members) }
        }
    }

    private mutating func array() -> SquareJSON? {
        var values: [SquareJSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            guard let value = value() else { return nil }
            values.append(value)
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { return nil }
            if endsAfterComma(UInt8(ascii: "]")) { return .array(values) }
        }
    }

    private mutating func endsAfterComma(_ end: UInt8) -> Bool {
        guard dialect == .apple else { return false }
        skipSpace()
        return take(end)
    }

    private mutating func digits() -> Bool {
        let start = place
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
        return place > start
    }

    private mutating func number() -> SquareJSON? {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !digits() { return nil }
        if take(UInt8(ascii: ".")), !digits() { return nil }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        let spelling = String(decoding: bytes[start..<place], as: UTF8.self)
        if let integer = Int(spelling), String(integer) == spelling { return .integer(integer) }
        return .number(spelling)
    }

    private mutating func text() -> SquareText? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var content = StringContent()
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return content.text
            case UInt8(ascii: "\\"): guard escape(into: &content) else { return nil }
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into content: inout StringContent) -> Bool {
        guard let byte = next else { return false }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): return character(into: &content)
        default: return false
        }
        return true
    }

    /// Parses the rest of a `\u` escape, with the escape of the second half if it is the first half of a surrogate pair.
    private mutating func character(into content: inout StringContent) -> Bool {
        guard let unit = unit() else { return false }
        if let scalar = Unicode.Scalar(unit) {
            content.append(scalar)
            return true
        }
        let afterFirst = place
        if UTF16.isLeadSurrogate(unit), take(word: "\\u"), let second = self.unit(), UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        {
            content.append(scalar)
            return true
        }
        place = afterFirst
        content.append(unpaired: unit)
        return dialect == .standard
    }

    /// Parses four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        guard place + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = PercentEncoding.value(ofHexDigit: byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        place += 4
        return unit
    }
}

/// The content of a JSON string during parsing.
struct StringContent {
    /// UTF-8 since the beginning, or since the last unpaired surrogate.
    private var bytes: [UInt8] = []
    /// The units before `bytes`, if there was an unpaired surrogate.
    private var units: [UInt16] = []
    private var isBroken = false
    private var isUTF8 = true

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    mutating func append(unpaired unit: UInt16) {
        moveBytes()
        units.append(unit)
        isBroken = true
    }

    /// Nil if the bytes are not UTF-8.
    var text: SquareText? {
        guard isBroken else { return String(validating: bytes, as: UTF8.self).map { SquareText($0) } }
        var whole = self
        whole.moveBytes()
        return whole.isUTF8 ? SquareText(units: whole.units) : nil
    }

    private mutating func moveBytes() {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            isUTF8 = false
            return
        }
        units.append(contentsOf: text.utf16)
        bytes.removeAll()
    }
}
