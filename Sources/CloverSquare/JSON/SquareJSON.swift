/// A JSON value (RFC 8259) that keeps the order of its members and compares strings like the SDK.
package enum SquareJSON: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// Any number that is not a plain 64-bit integer, as spelled in the text.
    case number(String)
    case string(SquareText)
    case array([SquareJSON])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let name: SquareText
        package let value: SquareJSON

        package init(_ name: SquareText, _ value: SquareJSON) {
            self.name = name
            self.value = value
        }
    }

    /// A string, or null.
    package init(_ text: SquareText?) {
        self = text.map(SquareJSON.string) ?? .null
    }

    package static func text(_ text: String) -> SquareJSON { .string(SquareText(text)) }

    /// An object with these members, in this order.
    package static func record(_ members: [(SquareText, SquareJSON)]) -> SquareJSON {
        .object(members.map { Member($0, $1) })
    }

    /// An object with its members sorted by the bytes of their names.
    package static func sorted(_ members: [Member]) -> SquareJSON {
        .object(members.sorted { $0.name.string.utf8.lexicographicallyPrecedes($1.name.string.utf8) })
    }

    /// The value of a member, the last one of that name; nil if there is none, or if this is not an object.
    package subscript(_ name: SquareText) -> SquareJSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var text: SquareText? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Whether all strings have a UTF-8 form. Apple's serializer fails for others.
    package var isWritable: Bool {
        switch self {
        case .null, .boolean, .integer, .number: true
        case .string(let text): text.isWritable
        case .array(let values): values.allSatisfy(\.isWritable)
        case .object(let members): members.allSatisfy { $0.name.isWritable && $0.value.isWritable }
        }
    }

    /// The kind of value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension SquareJSON {
    /// How a slash in a string is written.
    package enum Slashes: Sendable {
        case plain
        /// `\/`, as Apple's `NSJSONSerialization` writes it.
        case escaped
    }

    /// The value as compact JSON. Non-ASCII text is not escaped; an unpaired surrogate is written as an escape.
    package func written(slashes: Slashes = .plain) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, slashes: slashes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], slashes: Slashes) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .number(let spelling): bytes.append(contentsOf: spelling.utf8)
        case .string(let text): Self.write(text, to: &bytes, slashes: slashes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes, slashes: slashes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes, slashes: slashes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes, slashes: slashes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: SquareText, to bytes: inout [UInt8], slashes: Slashes) {
        bytes.append(UInt8(ascii: "\""))
        if text.isWritable {
            for byte in text.string.utf8 { write(byte: byte, to: &bytes, slashes: slashes) }
        } else {
            for unit in text.units {
                if let byte = UInt8(exactly: unit), byte < 0x80 {
                    write(byte: byte, to: &bytes, slashes: slashes)
                } else {
                    escape(unit, to: &bytes)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func write(byte: UInt8, to bytes: inout [UInt8], slashes: Slashes) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case UInt8(ascii: "/") where slashes == .escaped: bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x08: bytes.append(contentsOf: "\\b".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0C: bytes.append(contentsOf: "\\f".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case ..<0x20: escape(UInt16(byte), to: &bytes)
        default: bytes.append(byte)
        }
    }

    private static func escape(_ unit: UInt16, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
        bytes.append(contentsOf: digits.utf8)
    }
}

extension SquareJSON {
    /// The value of a whole number of up to 64 bits, in any spelling: `1250`, `1250.0`, `1.25e3`, `-0`. Nil for anything
    /// else; never rounded or truncated.
    ///
    /// JSON has one kind of number (RFC 8259, section 6), and 1 and 1.0 are also equal for the SDK's `NSNumber`.
    package var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let spelling): Self.wholeNumber(spelling)
        default: nil
        }
    }

    /// Maximum absolute exponent. It exceeds the length of any text.
    private static let maximumExponent = 1 << 40

    private static func wholeNumber(_ spelling: String) -> Int? {
        let sign = spelling.hasPrefix("-") ? "-" : ""
        let parts = spelling.dropFirst(sign.count).split { $0 == "e" || $0 == "E" }
        let halves = parts[0].split(separator: ".")
        let fraction = halves.count > 1 ? halves[1] : ""
        var digits = Array((halves[0] + fraction).utf8.drop { $0 == UInt8(ascii: "0") })
        if digits.isEmpty { return 0 }
        guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, abs(exponent) <= maximumExponent else { return nil }
        var zeros = exponent - fraction.utf8.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            zeros += 1
        }
        // No integer of 64 bits has more than 19 digits.
        guard zeros >= 0, digits.count + zeros <= 19 else { return nil }
        return Int(sign + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros))
    }
}
