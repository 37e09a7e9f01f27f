import CloverJSON

/// Reads JSON values, one after the other. It is fastest for records of one list, most of which have the same members in the same order:
/// see ``ObjectShapes``.
struct JSONValueReader {
    /// 2^53: below it, a `Double` has every whole number.
    static let everyInteger = 0x1p53

    /// What was read of the objects and arrays that are still open, the innermost last: their number is known only at their end,
    /// and a dictionary that grows is hashed again.
    private var values: [JSONValue] = []
    private var names: [JSONScanner.Text] = []
    private var shapes = ObjectShapes()

    /// Reads JSON; nil if the bytes are anything else.
    mutating func value(of bytes: UnsafeRawBufferPointer) -> JSONValue? {
        defer {
            values.removeAll(keepingCapacity: true)
            names.removeAll(keepingCapacity: true)
        }
        var scanner = JSONScanner(bytes: bytes)
        do throws(JSONScanner.Fault) {
            let value = try next(&scanner, bytes)
            try scanner.end()
            return value
        } catch {
            return nil
        }
    }

    private mutating func next(
        _ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer
    ) throws(JSONScanner.Fault) -> JSONValue? {
        if let number = scanner.plainInteger() { return .integer(number) }
        switch try scanner.kind() {
        case .object: return try object(&scanner, bytes)
        case .array:
            let start = values.count
            try scanner.open(.array)
            while try scanner.nextEntry() {
                guard let value = try next(&scanner, bytes) else { return nil }
                values.append(value)
            }
            let entries = Array(values[start...])
            values.removeLast(values.count - start)
            return .array(entries)
        case .string: return .string(scanner.decoded(try scanner.string()))
        case .null:
            try scanner.skipScalar()
            return .null
        case .boolean:
            let isTrue = bytes[scanner.position] == UInt8(ascii: "t")
            try scanner.skipScalar()
            return .boolean(isTrue)
        case .integer, .number:
            let start = scanner.position
            try scanner.skipScalar()
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<scanner.position])
            if let whole = JSONNumber.integer(text) { return .integer(whole) }
            let words = String(decoding: text, as: UTF8.self)
            guard let number = Double(words) else { return nil }
            guard number.isFinite else { return .largeNumber(words) }
            if number.magnitude >= Self.everyInteger, let whole = JSONNumber.whole(words) { return .integer(whole) }
            return JSONValue(number)
        }
    }

    private mutating func object(
        _ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer
    ) throws(JSONScanner.Fault) -> JSONValue? {
        let (firstValue, firstName) = (values.count, names.count)
        var shape: ObjectShapes.Position? = ObjectShapes.empty
        try scanner.open(.object)
        while let name = try scanner.nextName() {
            if let known = shape {
                shape = shapes.following(known, name: UnsafeRawBufferPointer(rebasing: bytes[name.range]))
            }
            names.append(name)
            guard let value = try next(&scanner, bytes) else { return nil }
            values.append(value)
        }
        defer {
            values.removeLast(values.count - firstValue)
            names.removeLast(names.count - firstName)
        }
        if let shape, let members = shapes.members(of: shape, values[firstValue...]) { return .object(members) }
        var members = [String: JSONValue](minimumCapacity: values.count - firstValue)
        for (name, value) in zip(names[firstName...], values[firstValue...]) { members[scanner.decoded(name)] = value }
        shapes.add(names[firstName...].map { UnsafeRawBufferPointer(rebasing: bytes[$0.range]) }, members)
        return .object(members)
    }
}

/// The shapes of the objects that were read: their member names, in their order. A dictionary with the names of a known shape is copied
/// and gets its values; no name is decoded or hashed again.
///
/// The shapes are a tree of names, in which the path to a node is the beginning of the objects that have these names first.
struct ObjectShapes {
    /// A node of the tree.
    typealias Position = Int

    /// The shape without a member.
    static let empty: Position = 0

    private struct Node {
        /// The last name, as it was written, in `text`.
        let name: Range<Int>
        var firstChild: Position?
        var nextSibling: Position?
    }

    private struct Template {
        let members: [String: JSONValue]
        /// The place of each member in `members`, in the order of the shape.
        let places: [Dictionary<String, JSONValue>.Index]
    }

    /// The most nodes, the most names that may follow a name, and the most members of a known shape. Objects beyond that, such as those
    /// whose names are ids, are read as if they were the first of their shape.
    private static let most = (nodes: 4096, siblings: 16, members: 128)

    private var text: [UInt8] = []
    private var nodes = [Node(name: 0..<0)]
    /// For each node, what an object that ends there is made of; nil if there was none, or if it has a name twice.
    private var templates: [Template?] = [nil]

    /// The node of one more name; nil if it is not known.
    func following(_ position: Position, name: UnsafeRawBufferPointer) -> Position? {
        var candidate = nodes[position].firstChild
        while let child = candidate {
            if isName(name, at: nodes[child].name) { return child }
            candidate = nodes[child].nextSibling
        }
        return nil
    }

    private func isName(_ name: UnsafeRawBufferPointer, at range: Range<Int>) -> Bool {
        guard name.count == range.count else { return false }
        return text.withUnsafeBytes { text in
            var place = 0
            while place + 8 <= name.count {
                guard
                    name.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                        == text.loadUnaligned(fromByteOffset: range.lowerBound + place, as: UInt64.self)
                else { return false }
                place += 8
            }
            while place < name.count {
                guard name[place] == text[range.lowerBound + place] else { return false }
                place += 1
            }
            return true
        }
    }

    /// An object of this shape, with values in its order; nil if no object has ended there.
    func members(of shape: Position, _ values: ArraySlice<JSONValue>) -> [String: JSONValue]? {
        guard let template = templates[shape] else { return nil }
        var members = template.members
        Self.fill(&members.values, template.places, values)
        return members
    }

    private static func fill(
        _ members: inout Dictionary<String, JSONValue>.Values, _ places: [Dictionary<String, JSONValue>.Index],
        _ values: ArraySlice<JSONValue>
    ) {
        for (place, value) in zip(places, values) { members[place] = value }
    }

    /// Remembers the shape of an object.
    ///
    /// - Parameters:
    ///   - names: its member names, as they are written.
    ///   - members: the object.
    mutating func add(_ names: [UnsafeRawBufferPointer], _ members: [String: JSONValue]) {
        guard names.count == members.count, names.count <= Self.most.members else { return }
        var position = Self.empty
        for name in names {
            guard let next = following(position, name: name) ?? insert(name, after: position) else { return }
            position = next
        }
        let empty = members.mapValues { _ in JSONValue.null }
        let places = names.compactMap { empty.index(forKey: JSONString.decoded($0)) }
        templates[position] = Template(members: empty, places: places)
    }

    /// - Returns: the new node; nil if there is no room for it.
    private mutating func insert(_ name: UnsafeRawBufferPointer, after position: Position) -> Position? {
        var siblings = 0
        var last = nodes[position].firstChild
        while let next = last.flatMap({ nodes[$0].nextSibling }) {
            siblings += 1
            last = next
        }
        guard nodes.count < Self.most.nodes, siblings + 1 < Self.most.siblings else { return nil }
        let start = text.count
        text.append(contentsOf: name)
        if let last { nodes[last].nextSibling = nodes.count } else { nodes[position].firstChild = nodes.count }
        nodes.append(Node(name: start..<text.count))
        templates.append(nil)
        return nodes.count - 1
    }
}
