/// The paths of all columns as one tree, so that a single pass over a record finds all of them.
struct FieldTree: Sendable {
    /// A location in a record.
    struct Node: Sendable {
        /// The slots of paths that end here.
        var slots: [Int] = []
        /// The slots that take the number of elements, if there is an array here.
        var lengthSlots: [Int] = []
        var members: [Member] = []
        /// Members whose name is also an index, in ascending order.
        var elements: [Element] = []
        /// The number of slots here and below; once that many were found, the search ends.
        var slotCount = 0
    }

    struct Member: Sendable {
        let name: [UInt8]
        let node: Int
    }

    struct Element: Sendable {
        let index: Int
        let node: Int
    }

    /// The first node is the root.
    private(set) var nodes = [Node()]
    /// One slot per path, in order.
    let slotCount: Int

    init(_ paths: [FieldPath]) {
        slotCount = paths.count
        for (slot, path) in paths.enumerated() {
            var place = 0
            nodes[place].slotCount += 1
            for (position, name) in path.names.enumerated() {
                if name == "length", position == path.names.count - 1 { nodes[place].lengthSlots.append(slot) }
                place = child(name, of: place)
                nodes[place].slotCount += 1
            }
            nodes[place].slots.append(slot)
        }
    }

    private mutating func child(_ name: String, of place: Int) -> Int {
        let bytes = Array(name.utf8)
        if let known = nodes[place].members.first(where: { $0.name == bytes }) { return known.node }
        let node = nodes.count
        nodes.append(Node())
        nodes[place].members.append(Member(name: bytes, node: node))
        // 01 and +1 are names, not indexes.
        if let index = Int(name), index >= 0, String(index) == name {
            nodes[place].elements.append(Element(index: index, node: node))
            nodes[place].elements.sort { $0.index < $1.index }
        }
        return node
    }
}
