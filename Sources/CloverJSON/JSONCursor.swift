/// Reads one record from left to right, checking only what it looks at. The pointer is only used during the pass.
struct JSONCursor {
    typealias Malformed = FieldScanner.Malformed

    let start: UnsafeRawPointer
    let count: Int
    var offset = 0

    // MARK: Values

    /// Reads the string whose opening quote is at the current offset.
    /// - Returns: the range between the quotes.
    @inline(__always)
    mutating func string() throws(Malformed) -> (inside: Range<Int>, hasEscapes: Bool) {
        try expect(UInt8(ascii: "\""))
        let first = offset
        var hasEscapes = false
        while true {
            // Eight bytes at once; the lowest hit is exact, because carries only affect the bytes above it.
            while count - offset >= 8 {
                let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let quote = word ^ 0x2222_2222_2222_2222
                let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
                let hits =
                    (((quote &- 0x0101_0101_0101_0101) & ~quote) | ((slash &- 0x0101_0101_0101_0101) & ~slash))
                    & 0x8080_8080_8080_8080
                if hits != 0 {
                    offset += hits.trailingZeroBitCount / 8
                    break
                }
                offset += 8
            }
            guard offset < count else { throw Malformed(offset: count) }
            switch byte(offset) {
            case UInt8(ascii: "\""):
                offset += 1
                return (first..<offset - 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset += 2
            default:
                offset += 1
            }
        }
    }

    @inline(__always)
    mutating func skipValue() throws(Malformed) {
        switch peek() {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try skipNested(openedBy: UInt8(ascii: "{"))
        case UInt8(ascii: "["): try skipNested(openedBy: UInt8(ascii: "["))
        default: if word().isEmpty { throw Malformed(offset: offset) }
        }
    }

    /// - Parameter isInside: true if the opening bracket was already read.
    mutating func skipNested(openedBy bracket: UInt8, isInside: Bool = false) throws(Malformed) {
        var nested = NestedValue(openedBy: bracket)
        let first = isInside ? offset : offset + 1
        switch nested.advance(through: start, from: first, to: count, onLineBreak: { _ in }) {
        case .ended(let next): offset = next
        case .unfinished: throw Malformed(offset: count)
        case .broken(let place): throw Malformed(offset: place)
        }
    }

    /// Reads to the end of a number, `true`, `false` or `null`, without checking it.
    @inline(__always)
    mutating func word() -> Range<Int> {
        let first = offset
        while offset < count, !Self.endsWord(byte(offset)) { offset += 1 }
        return first..<offset
    }

    // MARK: Bytes

    @inline(__always)
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// The current byte; 0 at the end.
    @inline(__always)
    func peek() -> UInt8 {
        offset < count ? byte(offset) : 0
    }

    @inline(__always)
    mutating func skipSpace() {
        while offset < count, Self.isSpace(byte(offset)) { offset += 1 }
    }

    @inline(__always)
    mutating func take(_ wanted: UInt8) -> Bool {
        guard offset < count, byte(offset) == wanted else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    mutating func expect(_ wanted: UInt8) throws(Malformed) {
        guard take(wanted) else { throw Malformed(offset: offset) }
    }

    @inline(__always)
    private func byte(_ offset: Int) -> UInt8 {
        start.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    @inline(__always)
    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || isSpace(byte)
    }
}

extension JSONCursor {
    /// The location of a member in an object.
    struct MemberPlace {
        var value: Range<Int>
        /// The name, the value and one comma: what to remove to delete the member.
        var whole: Range<Int>
    }

    /// The first member with this name; nil if there is none, or if the bytes before its end are not an object. Names
    /// are compared literally.
    static func member(_ name: String, of object: UnsafeRawBufferPointer) -> MemberPlace? {
        guard let start = object.baseAddress else { return nil }
        var cursor = JSONCursor(start: start, count: object.count)
        do throws(Malformed) { return try cursor.member(name) } catch { return nil }
    }

    /// The elements of an array; nil if the bytes are not an array.
    static func elements(of array: UnsafeRawBufferPointer) -> [Range<Int>]? {
        guard let start = array.baseAddress else { return nil }
        var cursor = JSONCursor(start: start, count: array.count)
        do throws(Malformed) { return try cursor.elements() } catch { return nil }
    }

    private mutating func member(_ wanted: String) throws(Malformed) -> MemberPlace? {
        skipSpace()
        try expect(UInt8(ascii: "{"))
        var comma: Int?
        while true {
            skipSpace()
            let first = offset
            let (name, _) = try string()
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            let value = offset
            try skipValue()
            let end = offset
            skipSpace()
            let hasNext = take(UInt8(ascii: ","))
            if name.count == wanted.utf8.count, bytes(name).elementsEqual(wanted.utf8) {
                // With the comma after it, or else the one before it.
                return MemberPlace(value: value..<end, whole: hasNext ? first..<offset : (comma ?? first)..<end)
            }
            guard hasNext else { return nil }
            comma = offset - 1
        }
    }

    private mutating func elements() throws(Malformed) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        skipSpace()
        try expect(UInt8(ascii: "["))
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            skipSpace()
            let first = offset
            try skipValue()
            elements.append(first..<offset)
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            try expect(UInt8(ascii: ","))
        }
    }
}
