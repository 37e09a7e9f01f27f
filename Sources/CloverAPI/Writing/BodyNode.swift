/// A body that is being assembled from fields.
indirect enum BodyNode {
    case object([(name: String, node: BodyNode)])
    case list([BodyNode])
    /// Serialized JSON.
    case value(String)

    /// Adds a value at the end of `steps`.
    ///
    /// - Parameters:
    ///   - json: nil for an empty list.
    ///   - place: the field as it was typed, for messages.
    mutating func put(_ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String) throws(BodyError) {
        guard let step = steps.first else { throw .repeatedField(place) }
        switch (self, step) {
        case (.object(var members), .name(let name)):
            if let index = members.firstIndex(where: { $0.name == name }) {
                guard steps.count > 1 else {
                    switch members[index].node {
                    case .value: throw .repeatedField(place)
                    case .list: throw .conflict(place, place + "[]")
                    case .object(let parts): throw .conflict(place, "\(place).\(parts.first?.name ?? "")")
                    }
                }
                try members[index].node.put(json, at: steps.dropFirst(), place: place)
            } else {
                members.append((name, try Self.node(json, at: steps.dropFirst(), place: place)))
            }
            self = .object(members)
        case (.list(var entries), .entry):
            try Self.add(json, at: steps.dropFirst(), place: place, to: &entries)
            self = .list(entries)
        case (.value, _), (.object, .entry), (.list, .name):
            throw .conflict(place, Self.before(steps, in: place))
        }
    }

    /// Adds an entry. A part of an entry goes into the last entry unless that already has it.
    private static func add(
        _ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String, to entries: inout [BodyNode]
    ) throws(BodyError) {
        guard json != nil || !steps.isEmpty else { return }
        if !steps.isEmpty, var last = entries.last {
            do throws(BodyError) {
                try last.put(json, at: steps, place: place)
                entries[entries.count - 1] = last
                return
            } catch .repeatedField {
                // A repeated part begins the next entry, as with `gh api`.
            } catch {
                throw error
            }
        }
        entries.append(try node(json, at: steps, place: place))
    }

    /// A value inside the objects and lists that the steps name.
    private static func node(
        _ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String
    ) throws(BodyError) -> BodyNode {
        switch steps.first {
        case nil: return json.map { .value($0) } ?? .list([])
        case .name:
            var node = BodyNode.object([])
            try node.put(json, at: steps, place: place)
            return node
        case .entry:
            var node = BodyNode.list([])
            try node.put(json, at: steps, place: place)
            return node
        }
    }

    /// The field above the given last steps, in dot notation.
    private static func before(_ steps: ArraySlice<FieldArgument.Step>, in place: String) -> String {
        var end = place[...]
        for step in steps.reversed() {
            switch step {
            case .entry: end = end.hasSuffix("[]") ? end.dropLast(2) : end
            case .name(let name):
                let written = [".\(name)", "[\(name)]"].first { end.hasSuffix($0) }
                end = end.dropLast(written?.count ?? 0)
            }
        }
        return String(end)
    }

    /// The JSON text, with members in the order in which they were added.
    var json: String {
        switch self {
        case .value(let json): json
        case .list(let entries): "[" + entries.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONQuote.string($0.name)):\($0.node.json)" }.joined(separator: ",") + "}"
        }
    }
}
