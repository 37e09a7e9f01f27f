extension SquareJSON {
    /// How a slash in a string is written.
    package enum Slashes: Sendable {
        case plain
        /// `\/`, as Apple's `NSJSONSerialization` writes it.
        case escaped
    }

    /// The value as compact JSON. Non-ASCII stays as it is; half of a surrogate pair is written as its escape.
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
