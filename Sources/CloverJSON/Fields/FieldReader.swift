internal import Glibc

/// A single pass over one record. The pointers are only used during the pass.
struct FieldReader {
    typealias Malformed = FieldScanner.Malformed
    typealias Nodes = UnsafeBufferPointer<FieldTree.Node>
    typealias Values = UnsafeMutableBufferPointer<FieldValue>

    private let record: UnsafeRawPointer
    private let count: Int
    private var offset = 0
    /// The names of the record's members that are not part of any path, if requested.
    private(set) var others: [Range<Int>]?

    /// - Parameter others: an empty list to fill; nil ignores those members.
    init(record: UnsafeRawPointer, count: Int, others: [Range<Int>]? = nil) {
        self.record = record
        self.count = count
        self.others = others
    }

    mutating func run(_ nodes: Nodes, into values: Values) throws(Malformed) {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): _ = try object(nodes, at: 0, into: values)
        case UInt8(ascii: "["): _ = try array(nodes, at: 0, into: values)
        default: return
        }
    }

    /// Reads the value at the current offset. The recursion is as deep as the paths.
    /// - Returns: the number of slots that were filled.
    private mutating func value(_ nodes: Nodes, at place: Int, into values: Values) throws(Malformed) -> Int {
        let start = offset
        let first = peek()
        var found = 0
        switch first {
        case UInt8(ascii: "{") where !nodes[place].members.isEmpty:
            found = try object(nodes, at: place, into: values, skipsRest: true)
        case UInt8(ascii: "[") where !nodes[place].elements.isEmpty || !nodes[place].lengthSlots.isEmpty:
            found = try array(nodes, at: place, into: values)
        case UInt8(ascii: "\""):
            let (inside, hasEscapes) = try string()
            return set(
                nodes[place].slots, in: values,
                to: FieldValue(
                    kind: hasEscapes ? .escapedText : .text, start: inside.lowerBound, end: inside.upperBound))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skipNested(openedBy: first)
        default:
            let kind = try scalar()
            return set(nodes[place].slots, in: values, to: FieldValue(kind: kind, start: start, end: offset))
        }
        return found
            + set(nodes[place].slots, in: values, to: FieldValue(kind: .nested, start: start, end: offset))
    }

    private func set(_ slots: [Int], in values: Values, to value: FieldValue) -> Int {
        var count = 0
        for slot in slots where values[slot].kind == .missing {
            values[slot] = value
            count += 1
        }
        return count
    }

    /// - Parameter skipsRest: moves to the end of the object even if everything was found before.
    private mutating func object(
        _ nodes: Nodes, at place: Int, into values: Values, skipsRest: Bool = false
    ) throws(Malformed) -> Int {
        var found = 0
        let wanted = nodes[place].slotCount - nodes[place].slots.count
        // Only the record itself is the root.
        let notesOthers = place == 0 && others != nil
        offset += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return 0 }
        while true {
            let (name, hasEscapes) = try string()
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            if let child = member(named: name, hasEscapes: hasEscapes, of: nodes[place].members) {
                found += try value(nodes, at: child, into: values)
                if found == wanted, !notesOthers {
                    if skipsRest { try skipNested(openedBy: UInt8(ascii: "{"), isInside: true) }
                    return found
                }
            } else {
                if notesOthers { others?.append(name) }
                try skipValue()
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return found }
            try expect(UInt8(ascii: ","))
            skipSpace()
        }
    }

    private mutating func array(_ nodes: Nodes, at place: Int, into values: Values) throws(Malformed) -> Int {
        var found = 0
        var index = 0
        var next = 0
        offset += 1
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            while true {
                if next < nodes[place].elements.count, nodes[place].elements[next].index == index {
                    found += try value(nodes, at: nodes[place].elements[next].node, into: values)
                    next += 1
                } else {
                    try skipValue()
                }
                index += 1
                if next == nodes[place].elements.count, nodes[place].lengthSlots.isEmpty {
                    try skipNested(openedBy: UInt8(ascii: "["), isInside: true)
                    return found
                }
                skipSpace()
                if take(UInt8(ascii: "]")) { break }
                try expect(UInt8(ascii: ","))
                skipSpace()
            }
        }
        return found
            + set(nodes[place].lengthSlots, in: values, to: FieldValue(kind: .count, start: index, end: index))
    }

    @inline(__always)
    private func member(named name: Range<Int>, hasEscapes: Bool, of members: [FieldTree.Member]) -> Int? {
        if hasEscapes {
            let inside = UnsafeRawBufferPointer(start: record + name.lowerBound, count: name.count)
            let text = Array(JSONString(escaped: inside).text.utf8)
            return members.first { $0.name == text }?.node
        }
        for member in members where member.name.count == name.count {
            if memcmp(member.name, record + name.lowerBound, name.count) == 0 { return member.node }
        }
        return nil
    }

    // MARK: Values

    /// Reads the string whose opening quote is at the current offset.
    @inline(__always)
    private mutating func string() throws(Malformed) -> (inside: Range<Int>, hasEscapes: Bool) {
        try expect(UInt8(ascii: "\""))
        let start = offset
        var hasEscapes = false
        while true {
            // Eight bytes at once; the lowest hit is exact, because carries only affect the bytes above it.
            while count - offset >= 8 {
                let word = UInt64(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
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
                return (start..<offset - 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset += 2
            default:
                offset += 1
            }
        }
    }

    @inline(__always)
    private mutating func skipValue() throws(Malformed) {
        switch peek() {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try skipNested(openedBy: UInt8(ascii: "{"))
        case UInt8(ascii: "["): try skipNested(openedBy: UInt8(ascii: "["))
        default:
            let start = offset
            while offset < count, !Self.endsWord(byte(offset)) { offset += 1 }
            if offset == start { throw Malformed(offset: start) }
        }
    }

    /// - Parameter isInside: true if the opening bracket was already read.
    private mutating func skipNested(openedBy bracket: UInt8, isInside: Bool = false) throws(Malformed) {
        var nested = NestedValue(openedBy: bracket)
        let start = isInside ? offset : offset + 1
        switch nested.advance(through: record, from: start, to: count, onLineBreak: { _ in }) {
        case .ended(let next): offset = next
        case .unfinished: throw Malformed(offset: count)
        case .broken(let place): throw Malformed(offset: place)
        }
    }

    /// Reads a number or word, which is checked because it will be written as it is.
    private mutating func scalar() throws(Malformed) -> FieldValue.Kind {
        let start = offset
        while offset < count, !Self.endsWord(byte(offset)) { offset += 1 }
        let bytes = UnsafeRawBufferPointer(start: record + start, count: offset - start)
        switch bytes.first {
        case UInt8(ascii: "t") where bytes.elementsEqual("true".utf8): return .word
        case UInt8(ascii: "f") where bytes.elementsEqual("false".utf8): return .word
        case UInt8(ascii: "n") where bytes.elementsEqual("null".utf8): return .null
        default:
            guard JSONNumber.isOne(bytes) else { throw Malformed(offset: start) }
            return .number
        }
    }

    // MARK: Bytes

    @inline(__always)
    private func byte(_ offset: Int) -> UInt8 {
        record.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// The current byte; 0 at the end.
    @inline(__always)
    private func peek() -> UInt8 {
        offset < count ? byte(offset) : 0
    }

    @inline(__always)
    private mutating func skipSpace() {
        while offset < count, Self.isSpace(byte(offset)) { offset += 1 }
    }

    @inline(__always)
    private mutating func take(_ wanted: UInt8) -> Bool {
        guard offset < count, byte(offset) == wanted else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ wanted: UInt8) throws(Malformed) {
        guard take(wanted) else { throw Malformed(offset: offset) }
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
