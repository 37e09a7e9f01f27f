/// The paths of all columns as one tree, so that one walk through a record finds all of them.
struct FieldTree: Sendable {
    /// A place in a record.
    struct Node: Sendable {
        /// The slots whose path ends here.
        var slots: [Int] = []
        /// The slots that want the number of elements, if an array is here.
        var lengthSlots: [Int] = []
        var members: [Member] = []
        /// Members whose name is also an index, the lowest first.
        var elements: [Element] = []
        /// How many slots lie here and below: when so many were found there is nothing left to look for.
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

    /// The root is the first.
    private(set) var nodes = [Node()]
    /// One a path, in their order.
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
        // 01 and +1 are names and no indexes.
        if let index = Int(name), index >= 0, String(index) == name {
            nodes[place].elements.append(Element(index: index, node: node))
            nodes[place].elements.sort { $0.index < $1.index }
        }
        return node
    }
}
