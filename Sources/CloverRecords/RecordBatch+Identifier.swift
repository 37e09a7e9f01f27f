extension RecordBatch {
    /// The record's top-level `id` if it is a string or a number; nil otherwise, or if the record is not JSON.
    ///
    /// A string is decoded, a number is returned as written. Reads only as far as needed: Clover puts `id` near the
    /// front. Member names are compared literally.
    package func id(of record: Record) -> String? {
        value(of: "id", in: record)
    }

    /// A top-level member if it is a string or a number, as for `id(of:)`.
    package func value(of name: String, in record: Record) -> String? {
        bytes.withUnsafeBytes { all in
            guard record.range.lowerBound >= 0, record.range.upperBound <= all.count else { return nil }
            var reader = MemberReader(bytes: UnsafeRawBufferPointer(rebasing: all[record.range]))
            return reader.value(of: name)
        }
    }
}

/// The location of a member in an object.
struct MemberPlace {
    var value: Range<Int>
    /// The name, the value and one comma.
    var whole: Range<Int>
}

/// Reads the members of one object. Every method leaves `offset` after what it read.
struct MemberReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func value(of wanted: String) -> String? {
        guard take(UInt8(ascii: "{")) else { return nil }
        while let name = string() {
            guard take(UInt8(ascii: ":")) else { return nil }
            skipSpace()
            if name.count == wanted.utf8.count, bytes[name].elementsEqual(wanted.utf8) { return value() }
            guard skipValue(), take(UInt8(ascii: ",")) else { return nil }
        }
        return nil
    }

    /// The member with this name: the range of its value, and the range to remove to delete it.
    mutating func place(of wanted: String) -> MemberPlace? {
        guard take(UInt8(ascii: "{")) else { return nil }
        var comma: Int?
        while true {
            skipSpace()
            let start = offset
            guard let name = string(), take(UInt8(ascii: ":")) else { return nil }
            skipSpace()
            let value = offset
            guard skipValue() else { return nil }
            let end = offset
            let hasNext = take(UInt8(ascii: ","))
            if name.count == wanted.utf8.count, bytes[name].elementsEqual(wanted.utf8) {
                // With the comma after it, or else the one before it.
                return MemberPlace(value: value..<end, whole: hasNext ? start..<offset : (comma ?? start)..<end)
            }
            guard hasNext else { return nil }
            comma = offset - 1
        }
    }

    /// The elements of the array at the current offset; nil if it is not an array.
    mutating func elements() -> [Range<Int>]? {
        guard take(UInt8(ascii: "[")) else { return nil }
        var elements: [Range<Int>] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            skipSpace()
            let start = offset
            guard skipValue() else { return nil }
            elements.append(start..<offset)
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func value() -> String? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            guard let range = string() else { return nil }
            return JSONString(escaped: UnsafeRawBufferPointer(rebasing: bytes[range])).text
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            let start = offset
            skipWord()
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        default:
            return nil
        }
    }

    /// The contents of the string at the current offset (after white space), without its quotes.
    private mutating func string() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return start..<(offset - 1)
            case UInt8(ascii: "\\"): offset += 2
            default: offset += 1
            }
        }
        return nil
    }

    private mutating func skipValue() -> Bool {
        guard let start = bytes.baseAddress, offset < bytes.count else { return false }
        let first = bytes[offset]
        switch first {
        case UInt8(ascii: "\""):
            return string() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var nested = NestedValue(openedBy: first)
            guard
                case .ended(let next) = nested.advance(
                    through: start, from: offset + 1, to: bytes.count, onLineBreak: { _ in })
            else { return false }
            offset = next
            return true
        default:
            let before = offset
            skipWord()
            return offset > before
        }
    }

    private mutating func skipWord() {
        while offset < bytes.count, ![0x20, 0x09, 0x2C, 0x7D, 0x5D, 0x3A].contains(bytes[offset]) {
            offset += 1
        }
    }

    private mutating func skipSpace() {
        while offset < bytes.count, bytes[offset] == 0x20 || bytes[offset] == 0x09 {
            offset += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }
}
