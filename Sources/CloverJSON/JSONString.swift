import CloverSystem

/// The strings of JSON (RFC 8259, section 7).
package enum JSONString {
    /// The text of the bytes between the quotes. Lone surrogates, unknown escapes and invalid UTF-8 become U+FFFD.
    package static func decoded(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var units: [UInt16] = []
        var offset = 0
        // A surrogate pair takes two escapes, so escaped units are collected and decoded together.
        func flush() {
            guard !units.isEmpty else { return }
            result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            units.removeAll()
        }
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count else {
                flush()
                result.append(bytes[offset])
                offset += 1
                continue
            }
            let letter = bytes[offset + 1]
            if letter == UInt8(ascii: "u") {
                units.append(unit(in: bytes, at: offset) ?? 0xFFFD)
                offset = min(offset + 6, bytes.count)
            } else {
                flush()
                result.append(contentsOf: plain(letter))
                offset += 2
            }
        }
        flush()
        return String(decoding: result, as: UTF8.self)
    }

    private static func plain(_ letter: UInt8) -> [UInt8] {
        switch letter {
        case UInt8(ascii: "b"): [0x08]
        case UInt8(ascii: "f"): [0x0C]
        case UInt8(ascii: "n"): [0x0A]
        case UInt8(ascii: "r"): [0x0D]
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): [letter]
        default: [0xEF, 0xBF, 0xBD]
        }
    }

    /// The text as a JSON string, including quotes.
    /// - Parameter isShown: whether to escape what would mislead people who read it on a terminal, such as characters
    ///   that change the writing direction.
    package static func quoted(_ text: String, isShown: Bool = true) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || isShown && scalar.value <= 0xFFFF && TerminalText.steers(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    // MARK: Repair

    /// Replaces each invalid UTF-8 sequence by U+FFFD (the Unicode Standard, chapter 3, "U+FFFD Substitution of Maximal
    /// Subparts"), and counts them.
    package static func replacingInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> (bytes: [UInt8], count: Int) {
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count + 16)
        var count = 0
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): repaired.append(contentsOf: scalar)
            case .error:
                repaired.append(contentsOf: [0xEF, 0xBF, 0xBD])
                count += 1
            case .emptyInput: return (repaired, count)
            }
        }
    }

    /// The record with `\ufffd` in place of each unpaired surrogate escape; nil if there is none. Such an escape is not
    /// a character (RFC 8259, section 8.2), and libjq refuses the record.
    ///
    /// - Parameter record: JSON, which has backslashes in strings only.
    package static func replacingLoneSurrogates(in record: UnsafeRawBufferPointer) -> [UInt8]? {
        var repaired: [UInt8]?
        var offset = 0
        while let backslash = record[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            offset = min(backslash + 2, record.count)
            guard let first = unit(in: record, at: backslash) else { continue }
            offset = backslash + 6
            guard UTF16.isSurrogate(first) else { continue }
            if UTF16.isLeadSurrogate(first), let second = unit(in: record, at: offset), UTF16.isTrailSurrogate(second) {
                offset += 6
                continue
            }
            if repaired == nil { repaired = Array(record) }
            repaired?.replaceSubrange(backslash..<offset, with: #"\ufffd"#.utf8)
        }
        return repaired
    }

    /// The UTF-16 code unit of the escape `\uXXXX` at this offset; nil if there is none.
    package static func unit(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[offset + 2..<offset + 6] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit &<< 4 | UInt16(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit &<< 4 | UInt16(byte - 0x57)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit &<< 4 | UInt16(byte - 0x37)
            default: return nil
            }
        }
        return unit
    }
}

/// Builds a JSON object on one line, with its fields in the order in which they were added.
package struct JSONLine: Sendable {
    private var fields: [String] = []

    package init() {}

    package mutating func add(_ name: String, _ value: String?) {
        add(name, json: value.map { JSONString.quoted($0) } ?? "null")
    }

    package mutating func add(_ name: String, _ value: Bool?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    package mutating func add(_ name: String, _ value: Int64?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    package mutating func add(_ name: String, _ values: [String]) {
        add(name, json: "[\(values.map { JSONString.quoted($0) }.joined(separator: ","))]")
    }

    package mutating func add(_ name: String, json: String) {
        fields.append("\(JSONString.quoted(name)):\(json)")
    }

    package var text: String { "{" + fields.joined(separator: ",") + "}" }
}
