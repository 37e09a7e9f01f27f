import Yams

/// The keys and values of a YAML text, with their places. All values are read as text: whether `8` is a number depends
/// on the key.
struct ConfigurationOutline {
    /// A single value.
    struct Scalar: Equatable {
        let text: String
        /// Both start at 1; columns count Unicode scalars, as in libyaml.
        let line: Int
        let column: Int
        /// Written without quotes, on one or more lines.
        let isPlain: Bool
    }

    indirect enum Value {
        case scalar(Scalar)
        case section([Item])
        /// A list, or a reference to another node.
        case other
    }

    struct Item {
        let name: String
        let line: Int
        let column: Int
        let value: Value

        /// Whether the key has no value, or one of YAML's words for null.
        var isEmpty: Bool {
            guard case .scalar(let scalar) = value, scalar.isPlain else { return false }
            return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
        }
    }

    /// The top level; empty for a text without content, nil if it is not a mapping.
    let items: [Item]?
    /// Line on which the content starts.
    let line: Int

    /// - Parameter path: for errors only.
    /// - Throws: `.notYAML`, `.forbiddenCharacter`.
    init(parsing text: String, path: String) throws(ConfigurationError) {
        let text = ConfigurationLines.withoutMark(text)
        // The parser does not report the place of such a character.
        if let (place, scalar) = TextPosition.ofForbidden(in: text) {
            throw .forbiddenCharacter(path: path, place, scalar)
        }
        let root: Node?
        do {
            // Without rules for numbers and dates, every value stays text. The explicit encoding keeps Yams from
            // reading the variable that could change it, which prints a message to standard output.
            root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch {
            let (line, reason) = Self.explained(error, in: text)
            throw .notYAML(path: path, line: line, reason: reason)
        }
        line = root?.mark?.line ?? 1
        switch root {
        case nil: items = []
        case .mapping(let mapping)?: items = try Self.items(of: mapping, path)
        // A document that is only `---` is an empty value.
        case .scalar(let scalar)? where scalar.string.isEmpty && scalar.style == .plain: items = []
        default: items = nil
        }
    }

    private static func items(of mapping: Node.Mapping, _ path: String) throws(ConfigurationError) -> [Item] {
        var items: [Item] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw .notYAML(path: path, line: key.mark?.line, reason: "a key must be a single word")
            }
            items.append(
                Item(
                    name: name, line: key.mark?.line ?? 1, column: key.mark?.column ?? 1,
                    value: try Self.value(of: value, path)))
        }
        return items
    }

    private static func value(of node: Node, _ path: String) throws(ConfigurationError) -> Value {
        switch node {
        case .scalar(let scalar):
            .scalar(
                Scalar(
                    text: scalar.string, line: scalar.mark?.line ?? 1, column: scalar.mark?.column ?? 1,
                    isPlain: scalar.style == .plain))
        case .mapping(let mapping): .section(try items(of: mapping, path))
        case .sequence, .alias: .other
        }
    }

    /// The top-level key with this name.
    func item(_ name: String) -> Item? { items?.first { $0.name == name } }

    /// All single values by the path of their keys.
    var leaves: [[String]: String] {
        var leaves: [[String]: String] = [:]
        Self.collect(items ?? [], under: [], into: &leaves)
        return leaves
    }

    private static func collect(_ items: [Item], under path: [String], into leaves: inout [[String]: String]) {
        for item in items {
            switch item.value {
            case .scalar(let scalar): if !item.isEmpty { leaves[path + [item.name]] = scalar.text }
            case .section(let items): collect(items, under: path + [item.name], into: &leaves)
            case .other: leaves[path + [item.name]] = "\(item.value)"
            }
        }
    }

    /// The place and reason of an error from Yams, without the text around it, which may contain anything.
    private static func explained(_ error: any Error, in text: String) -> (line: Int?, reason: String) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return (mark.line, problem)
        case .duplicatedKeysInMapping(let names, let context):
            let name = names.first ?? ""
            // The parser reports the place of the section.
            let lines = ConfigurationLines(text).lines(
                ofKey: name, from: context.mark.line, column: context.mark.column)
            guard lines.count > 1 else { return (context.mark.line, "duplicate key '\(name)'") }
            return (lines[1], "duplicate key '\(name)', first in line \(lines[0])")
        case .reader(let problem, _, _, _): return (nil, problem)
        case .memory: return (nil, "out of memory")
        case .no, .writer, .emitter, .representer, .dataCouldNotBeDecoded, nil:
            return (nil, "it cannot be read as YAML")
        }
    }
}
