/// Reads one JSON value (RFC 8259), strictly. Of members with the same name, it keeps the first.
///
/// `JSONDecoder` makes an error for each type that a value does not have: with thousands of records a test, that took longer
/// than the programs under test.
struct JSONReader {
    struct Malformed: Error {}

    private static let mostLevels = 512

    private let bytes: [UInt8]
    private var position = 0
    private var level = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The value that the whole text is.
    mutating func document() throws(Malformed) -> JSONValue {
        skipSpace()
        let result = try value()
        skipSpace()
        guard position == bytes.count else { throw Malformed() }
        return result
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Goes over a byte if it is there.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Malformed) -> JSONValue {
        guard let byte = next else { throw Malformed() }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: String, _ meaning: JSONValue) throws(Malformed) -> JSONValue {
        let end = position + text.utf8.count
        guard end <= bytes.count, bytes[position..<end].elementsEqual(text.utf8) else { throw Malformed() }
        position = end
        return meaning
    }

    private mutating func enter() throws(Malformed) {
        position += 1
        level += 1
        guard level <= Self.mostLevels else { throw Malformed() }
        skipSpace()
    }

    private mutating func object() throws(Malformed) -> JSONValue {
        var members: [String: JSONValue] = [:]
        try enter()
        defer { level -= 1 }
        if skip("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            guard skip(":") else { throw Malformed() }
            skipSpace()
            let member = try value()
            if members[name] == nil { members[name] = member }
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw Malformed() }
        return .object(members)
    }

    private mutating func array() throws(Malformed) -> JSONValue {
        var elements: [JSONValue] = []
        try enter()
        defer { level -= 1 }
        if skip("]") { return .array(elements) }
        repeat {
            skipSpace()
            elements.append(try value())
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw Malformed() }
        return .array(elements)
    }

    /// An integer, also one that is written as `1.0` or `1e2`.
    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        _ = skip("-")
        let first = position
        try digits()
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else { throw Malformed() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw Malformed() }
        return Int(exactly: number).map { JSONValue.integer($0) } ?? .number(number)
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw Malformed() }
    }

    private mutating func string() throws(Malformed) -> String {
        guard skip("\"") else { throw Malformed() }
        var start = position
        var text = ""
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                text.unicodeScalars.append(try escaped())
                start = position
            case 0..<0x20: throw Malformed()
            default: position += 1
            }
        }
        throw Malformed()
    }

    /// The character after a backslash.
    private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Malformed()
        }
        var number = try fourDigits()
        if (0xD800..<0xDC00).contains(number) {
            guard skip("\\"), skip("u") else { throw Malformed() }
            let low = try fourDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw Malformed() }
            number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(number) else { throw Malformed() }
        return scalar
    }

    private mutating func fourDigits() throws(Malformed) -> UInt32 {
        guard position + 4 <= bytes.count else { throw Malformed() }
        var number: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Malformed() }
            number = number << 4 | UInt32(digit)
        }
        position += 4
        return number
    }
}
