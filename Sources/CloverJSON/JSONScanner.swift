/// The kind of a JSON value. A number without a fraction is an integer, however it is written.
package enum JSONKind: String, Sendable {
    case null, boolean, integer, number, string, object, array
}

/// Reads JSON (RFC 8259) token by token, in place.
package struct JSONScanner {
    /// The input is not valid JSON at this position.
    package struct Fault: Error {
        package let position: Int
        /// True if the JSON is nested too deeply; it may still be valid.
        package var isTooDeep = false
    }

    /// The contents of a string, without its quotes.
    package struct Text {
        package let range: Range<Int>
        package let isPlain: Bool

        package init(range: Range<Int>, isPlain: Bool) {
            self.range = range
            self.isPlain = isPlain
        }
    }

    package enum Bracket {
        case object, array
    }

    private let bytes: UnsafeRawBufferPointer
    package private(set) var position = 0
    /// The number of open objects and arrays.
    private var depth = 0
    /// Whether the innermost one has had no entry: it was opened last.
    private var isAtStart = false

    /// The maximum nesting depth; no record is that deep. Callers recurse once per level.
    package static let deepest = 200

    package init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The kind of the next value, which is not consumed.
    package mutating func kind() throws(Fault) -> JSONKind {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        case .some(let byte) where byte == UInt8(ascii: "-") || byte &- 0x30 < 10:
            let start = position
            let isWhole = try number()
            position = start
            return isWhole ? .integer : .number
        default: throw Fault(position: position)
        }
    }

    /// Reads an integer of at most 18 digits without fraction and exponent, which fits in any case.
    ///
    /// - Returns: nil for any other value, also a malformed number; nothing but white space is consumed then.
    package mutating func plainInteger() -> Int64? {
        skipSpace()
        var end = position
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative { end += 1 }
        let start = end
        var number: Int64 = 0
        while end < bytes.count, bytes[end] &- 0x30 < 10 {
            guard end - start < Self.plainDigits else { return nil }
            number = number &* 10 &+ Int64(bytes[end] &- 0x30)
            end += 1
        }
        guard end > start, end == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        if end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
            default: break
            }
        }
        position = end
        return isNegative ? -number : number
    }

    /// The most decimal digits that every `Int64` has room for.
    private static let plainDigits = 18

    package mutating func open(_ bracket: Bracket) throws(Fault) {
        try take(bracket == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        guard depth < Self.deepest else { throw Fault(position: position, isTooDeep: true) }
        depth += 1
        isAtStart = true
    }

    /// Reads the next member name and its colon. At the end of the object, consumes the brace and returns nil.
    package mutating func nextName() throws(Fault) -> Text? {
        guard try continues(until: UInt8(ascii: "}")) else { return nil }
        let name = try string()
        try take(UInt8(ascii: ":"))
        return name
    }

    /// Whether the array has another element. At the end of the array, consumes the bracket.
    package mutating func nextEntry() throws(Fault) -> Bool {
        try continues(until: UInt8(ascii: "]"))
    }

    package mutating func string() throws(Fault) -> Text {
        try take(UInt8(ascii: "\""))
        let start = position
        var isPlain = true
        // A local variable, which stays in a register.
        var place = position
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                position = place + 1
                return Text(range: start..<place, isPlain: isPlain)
            case UInt8(ascii: "\\"):
                isPlain = false
                position = place + 1
                try escape()
                place = position
            case 0..<0x20: throw Fault(position: place)
            default: place += 1
            }
        }
        throw Fault(position: place)
    }

    /// Reads a number, `true`, `false` or `null`.
    package mutating func skipScalar() throws(Fault) {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    /// Throws if anything but white space is left.
    package mutating func end() throws(Fault) {
        skipSpace()
        guard position == bytes.count else { throw Fault(position: position) }
    }

    package func isName(_ text: Text, _ name: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let bytes = plainBytes(text) else { return decoded(text).utf8.elementsEqual(expected) }
        return bytes.elementsEqual(expected)
    }

    /// The bytes of a string without escapes; nil for others.
    package func plainBytes(_ text: Text) -> UnsafeRawBufferPointer? {
        text.isPlain ? UnsafeRawBufferPointer(rebasing: bytes[text.range]) : nil
    }

    /// The decoded string. Unpaired surrogates become U+FFFD.
    package func decoded(_ text: Text) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[text.range])
        return text.isPlain ? String(decoding: bytes, as: UTF8.self) : JSONString.decoded(bytes)
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) throws(Fault) {
        skipSpace()
        guard peek() == byte else { throw Fault(position: position) }
        position += 1
    }

    private mutating func continues(until closing: UInt8) throws(Fault) -> Bool {
        skipSpace()
        if peek() == closing {
            position += 1
            depth -= 1
            isAtStart = false
            return false
        }
        if !isAtStart { try take(UInt8(ascii: ",")) }
        isAtStart = false
        skipSpace()
        return true
    }

    private mutating func escape() throws(Fault) {
        switch peek() {
        case UInt8(ascii: "u"):
            guard JSONString.unit(in: bytes, at: position - 1) != nil else { throw Fault(position: position) }
            position += 5
        case .some(let letter) where "\"\\/bfnrt".utf8.contains(letter): position += 1
        default: throw Fault(position: position)
        }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[position..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw Fault(position: position) }
        position = end
    }

    /// Reads a number. Returns true if its value is whole.
    private mutating func number() throws(Fault) -> Bool {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        let first = peek()
        let whole = try digits()
        if first == UInt8(ascii: "0"), whole > 1 { throw Fault(position: start) }
        var isWhole = true
        if peek() == UInt8(ascii: ".") {
            position += 1
            let fraction = position
            _ = try digits()
            isWhole = bytes[fraction..<position].allSatisfy { $0 == UInt8(ascii: "0") }
        }
        guard peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") else { return isWhole }
        position += 1
        if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
        _ = try digits()
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else { return false }
        return value.rounded() == value
    }

    /// Reads at least one digit. Returns the number of digits.
    private mutating func digits() throws(Fault) -> Int {
        let start = position
        while let byte = peek(), byte &- 0x30 < 10 { position += 1 }
        guard position > start else { throw Fault(position: position) }
        return position - start
    }
}
