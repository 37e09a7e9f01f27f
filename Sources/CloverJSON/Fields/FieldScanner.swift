/// Finds the values of a `FieldTree` in one record after another, without building a tree of the record.
///
/// A record is read to its end, and checked to be valid JSON, except inside values that are not wanted. If an object has a
/// name twice, the last counts, as in jq. Member names with escapes are decoded before comparison.
package struct FieldScanner: Sendable {
    /// The offset at which a record is not valid JSON.
    package struct Malformed: Error, Equatable {
        package let offset: Int
    }

    private let tree: FieldTree
    /// The values of the last `scan`, one per path, in order.
    package private(set) var values: [FieldValue]
    /// The names of members that are not part of any path, as ranges in the record that `scan` read last; nil unless
    /// requested.
    package private(set) var others: [Range<Int>]?

    /// - Parameter notesOthers: fills `others`.
    package init(_ paths: [FieldPath], notesOthers: Bool = false) {
        others = notesOthers ? [] : nil
        tree = FieldTree(paths)
        values = Array(repeating: .missing, count: paths.count)
    }

    /// Fills `values` from the record; a record that is not an object has none.
    package mutating func scan(_ record: UnsafeRawBufferPointer) throws(Malformed) {
        for slot in values.indices { values[slot] = .missing }
        guard let start = record.baseAddress, tree.slotCount > 0 else { return }
        // Moved out while it is modified, so that it is uniquely referenced and checked only once.
        var found = values
        values = []
        var names = others
        others = nil
        names?.removeAll(keepingCapacity: true)
        var walk = FieldReader(json: JSONCursor(start: start, count: record.count), others: names)
        names = nil
        defer {
            values = found
            others = walk.others
        }
        try tree.nodes.withUnsafeBufferPointer { nodes throws(Malformed) in
            try found.withUnsafeMutableBufferPointer { found throws(Malformed) in try walk.run(nodes, into: found) }
        }
    }
}

/// The paths of all columns as one tree, so that a single pass over a record finds all of them.
struct FieldTree: Sendable {
    struct Node: Sendable {
        /// The slots of paths that end here.
        var slots: [Int] = []
        /// The slots that take the number of elements, if there is an array here.
        var lengthSlots: [Int] = []
        var members: [(name: [UInt8], node: Int)] = []
        /// Members whose name is also an index, in ascending order.
        var elements: [(index: Int, node: Int)] = []
    }

    /// The first node is the root.
    private(set) var nodes = [Node()]
    /// One slot per path, in order.
    let slotCount: Int

    init(_ paths: [FieldPath]) {
        slotCount = paths.count
        for (slot, path) in paths.enumerated() {
            var place = 0
            for (position, name) in path.names.enumerated() {
                if name == "length", position == path.names.count - 1 { nodes[place].lengthSlots.append(slot) }
                place = child(name, of: place)
            }
            nodes[place].slots.append(slot)
        }
    }

    private mutating func child(_ name: String, of place: Int) -> Int {
        let bytes = Array(name.utf8)
        if let known = nodes[place].members.first(where: { $0.name == bytes }) { return known.node }
        let node = nodes.count
        nodes.append(Node())
        nodes[place].members.append((bytes, node))
        // 01 and +1 are names, not indexes.
        if let index = Int(name), index >= 0, String(index) == name {
            nodes[place].elements.append((index, node))
            nodes[place].elements.sort { $0.index < $1.index }
        }
        return node
    }
}

/// A value found in a record: its location and kind.
package struct FieldValue: Sendable, Equatable {
    package enum Kind: Sendable {
        /// Absent, or unreachable, such as a member of a string.
        case missing
        case null
        /// A string without escapes; the range excludes the quotes.
        case text
        /// A string with escapes; the range excludes the quotes.
        case escapedText
        case number
        /// `true` or `false`.
        case word
        /// An object or array, including its brackets.
        case nested
        /// Not in the record: `start` is the number of elements of an array.
        case count
    }

    package var kind: Kind
    /// Offsets in the record.
    package var start: Int
    package var end: Int

    package static let missing = FieldValue(kind: .missing, start: 0, end: 0)

    package var range: Range<Int> { start..<end }

    package var isText: Bool { (kind == .text || kind == .escapedText) && start < end }

    /// The value as JSON, including quotes; not valid for `missing` and `count`.
    package var jsonRange: Range<Int> {
        switch kind {
        case .text, .escapedText: start - 1..<end + 1
        default: start..<end
        }
    }
}
