internal import Glibc

/// A single pass over one record. The pointers are only used during the pass.
struct FieldReader {
    typealias Malformed = FieldScanner.Malformed
    typealias Nodes = UnsafeBufferPointer<FieldTree.Node>
    typealias Values = UnsafeMutableBufferPointer<FieldValue>

    var json: JSONCursor
    /// The names of the record's members that are not part of any path; starts empty, or nil to ignore them.
    var others: [Range<Int>]?

    mutating func run(_ nodes: Nodes, into values: Values) throws(Malformed) {
        json.skipSpace()
        switch json.peek() {
        case UInt8(ascii: "{"): try object(nodes, at: 0, into: values)
        case UInt8(ascii: "["): try array(nodes, at: 0, into: values)
        default: return
        }
    }

    /// Reads the value at the current offset. The recursion is as deep as the paths.
    private mutating func value(_ nodes: Nodes, at place: Int, into values: Values) throws(Malformed) {
        let start = json.offset
        let first = json.peek()
        // An earlier member of the same name counts no more.
        for member in nodes[place].members { Self.clear(nodes, at: member.node, in: values) }
        switch first {
        case UInt8(ascii: "{") where !nodes[place].members.isEmpty:
            try object(nodes, at: place, into: values)
        case UInt8(ascii: "[") where !nodes[place].elements.isEmpty || !nodes[place].lengthSlots.isEmpty:
            try array(nodes, at: place, into: values)
        case UInt8(ascii: "\""):
            let (inside, hasEscapes) = try json.string()
            let kind: FieldValue.Kind = hasEscapes ? .escapedText : .text
            return Self.set(
                nodes[place].slots, in: values,
                to: FieldValue(kind: kind, start: inside.lowerBound, end: inside.upperBound))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try json.skipNested(openedBy: first)
        default:
            let kind = try scalar()
            return Self.set(nodes[place].slots, in: values, to: FieldValue(kind: kind, start: start, end: json.offset))
        }
        Self.set(nodes[place].slots, in: values, to: FieldValue(kind: .nested, start: start, end: json.offset))
    }

    private static func set(_ slots: [Int], in values: Values, to value: FieldValue) {
        for slot in slots { values[slot] = value }
    }

    private static func clear(_ nodes: Nodes, at place: Int, in values: Values) {
        set(nodes[place].slots, in: values, to: .missing)
        for member in nodes[place].members { clear(nodes, at: member.node, in: values) }
    }

    private mutating func object(_ nodes: Nodes, at place: Int, into values: Values) throws(Malformed) {
        // Only the record itself is the root.
        let notesOthers = place == 0 && others != nil
        json.offset += 1
        json.skipSpace()
        if json.take(UInt8(ascii: "}")) { return }
        while true {
            let (name, hasEscapes) = try json.string()
            json.skipSpace()
            try json.expect(UInt8(ascii: ":"))
            json.skipSpace()
            if let child = member(named: name, hasEscapes: hasEscapes, of: nodes[place].members) {
                try value(nodes, at: child, into: values)
            } else {
                if notesOthers { others?.append(name) }
                try json.skipValue()
            }
            json.skipSpace()
            if json.take(UInt8(ascii: "}")) { return }
            try json.expect(UInt8(ascii: ","))
            json.skipSpace()
        }
    }

    private mutating func array(_ nodes: Nodes, at place: Int, into values: Values) throws(Malformed) {
        var index = 0
        var next = 0
        json.offset += 1
        json.skipSpace()
        if !json.take(UInt8(ascii: "]")) {
            while true {
                if next < nodes[place].elements.count, nodes[place].elements[next].index == index {
                    try value(nodes, at: nodes[place].elements[next].node, into: values)
                    next += 1
                } else {
                    try json.skipValue()
                }
                index += 1
                if next == nodes[place].elements.count, nodes[place].lengthSlots.isEmpty {
                    return try json.skipNested(openedBy: UInt8(ascii: "["), isInside: true)
                }
                json.skipSpace()
                if json.take(UInt8(ascii: "]")) { break }
                try json.expect(UInt8(ascii: ","))
                json.skipSpace()
            }
        }
        Self.set(nodes[place].lengthSlots, in: values, to: FieldValue(kind: .count, start: index, end: index))
    }

    @inline(__always)
    private func member(named name: Range<Int>, hasEscapes: Bool, of members: [(name: [UInt8], node: Int)]) -> Int? {
        if hasEscapes {
            let text = Array(JSONString.decoded(json.bytes(name)).utf8)
            return members.first { $0.name == text }?.node
        }
        for member in members where member.name.count == name.count {
            if memcmp(member.name, json.start + name.lowerBound, name.count) == 0 { return member.node }
        }
        return nil
    }

    /// Reads a number or word, which is checked because it will be written as it is.
    private mutating func scalar() throws(Malformed) -> FieldValue.Kind {
        let word = json.word()
        let bytes = json.bytes(word)
        switch bytes.first {
        case UInt8(ascii: "t") where bytes.elementsEqual("true".utf8): return .word
        case UInt8(ascii: "f") where bytes.elementsEqual("false".utf8): return .word
        case UInt8(ascii: "n") where bytes.elementsEqual("null".utf8): return .null
        default:
            guard JSONNumber.isOne(bytes) else { throw Malformed(offset: word.lowerBound) }
            return .number
        }
    }
}
