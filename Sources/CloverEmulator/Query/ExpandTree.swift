/// The names of `expand=`, two levels deep (Clover REST documentation, expanding fields). Deeper parts are dropped.
package struct ExpandTree: Sendable, Equatable {
    /// Nothing expanded.
    package static let none = ExpandTree()

    private var children: [String: Set<String>] = [:]

    package init() {}

    /// Adds the names of one parameter value, separated by commas. Names nobody knows stay here and match nothing: the
    /// service ignores them in silence (live sandbox notes).
    package mutating func add(_ list: String) {
        for name in list.split(separator: ",") {
            let parts = name.split(separator: ".").map { String($0.filter { $0 != " " }) }
            guard let first = parts.first, !first.isEmpty, parts.count <= 2 else { continue }
            children[first, default: []].formUnion(parts.dropFirst())
        }
    }

    package var isEmpty: Bool { children.isEmpty }

    /// The names of the first level, sorted.
    package var names: [String] { children.keys.sorted() }

    package func contains(_ name: String) -> Bool {
        children[name] != nil
    }

    package func contains(_ name: String, _ nested: String) -> Bool {
        children[name]?.contains(nested) ?? false
    }

    /// The names of the first level that are in a set, with what is inside them.
    package func filtered(to names: Set<String>) -> ExpandTree {
        var tree = ExpandTree()
        tree.children = children.filter { names.contains($0.key) }
        return tree
    }

    /// The same tree with one name put under another.
    package func renaming(_ name: String, to other: String) -> ExpandTree {
        var tree = self
        if let nested = tree.children.removeValue(forKey: name) { tree.children[other, default: []].formUnion(nested) }
        return tree
    }

    /// What is to be expanded inside `name`.
    package func inside(_ name: String) -> ExpandTree {
        var tree = ExpandTree()
        for nested in children[name] ?? [] { tree.children[nested] = [] }
        return tree
    }
}
