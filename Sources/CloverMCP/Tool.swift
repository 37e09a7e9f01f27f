package import CloverJSON

/// A tool as the client sees it.
package struct Tool: Sendable {
    package let name: String
    let title: String
    /// What it does, for the model that chooses between tools.
    let description: String
    package let parameters: [ToolParameter]
    let effect: Effect

    /// What a call changes, which clients may show.
    package enum Effect: Sendable {
        case none
        /// Adds or changes records.
        case change
        /// Removes records, or replaces them.
        case removal
    }

    package init(
        _ name: String, title: String, description: String, effect: Effect = .none, _ parameters: [ToolParameter]
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.effect = effect
        self.parameters = parameters
    }

    /// The definition as JSON (Model Context Protocol, "Tools", data types).
    var json: String {
        var schema = JSONLine()
        schema.add("type", "object")
        var properties = JSONLine()
        for parameter in parameters { properties.add(parameter.name, json: parameter.schema) }
        schema.add("properties", json: properties.text)
        schema.add("required", parameters.filter(\.isRequired).map(\.name))
        schema.add("additionalProperties", false)
        var annotations = JSONLine()
        annotations.add("readOnlyHint", effect == .none)
        annotations.add("destructiveHint", effect == .removal)
        annotations.add("openWorldHint", true)
        var line = JSONLine()
        line.add("name", name)
        line.add("title", title)
        line.add("description", description)
        line.add("inputSchema", json: schema.text)
        line.add("outputSchema", json: ToolResult.schema)
        line.add("annotations", json: annotations.text)
        return line.text
    }

    /// Checks the arguments of a call against the parameters, as clients may not.
    package func check(_ arguments: [String: JSONTree]) throws(ToolArgumentError) {
        let names = parameters.map(\.name)
        if let name = arguments.keys.filter({ !names.contains($0) }).min() {
            throw ToolArgumentError(
                "\(self.name) has no argument '\(name)'", hint: "arguments: " + names.joined(separator: ", "))
        }
        for parameter in parameters {
            guard let value = arguments[parameter.name], value != .null else {
                if parameter.isRequired {
                    throw ToolArgumentError(
                        "\(name) needs the argument '\(parameter.name)'", hint: parameter.description)
                }
                continue
            }
            guard parameter.kind.accepts(value) else {
                throw ToolArgumentError(
                    "\(name): '\(parameter.name)' takes \(parameter.kind.words)", hint: parameter.description)
            }
        }
    }
}

/// An argument of a call that its tool does not take.
package struct ToolArgumentError: Error, Equatable, Sendable {
    package let message: String
    package let hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}

/// One parameter of a tool.
package struct ToolParameter: Sendable {
    package enum Kind: Sendable {
        case text
        case texts
        case choice([String])
        case whole(from: Int64)
        case truth
        case object

        func accepts(_ value: JSONTree) -> Bool {
            switch self {
            case .text: value.string != nil
            // One text stands for a list of one.
            case .texts: value.string != nil || value.list?.allSatisfy { $0.string != nil } ?? false
            case .choice(let words): value.string.map(words.contains) ?? false
            case .whole(let least): value.int.map { $0 >= least && $0 <= Int64(Int32.max) } ?? false
            case .truth: value.bool != nil
            case .object: value.isObject
            }
        }

        var words: String {
            switch self {
            case .text: "a string"
            case .texts: "a list of strings"
            case .choice(let words): "one of " + words.joined(separator: ", ")
            case .whole(let least): "a whole number from \(least)"
            case .truth: "true or false"
            case .object: "an object"
            }
        }
    }

    package let name: String
    package let kind: Kind
    package let description: String
    package let isRequired: Bool

    package init(_ name: String, _ kind: Kind, _ description: String, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.description = description
        self.isRequired = isRequired
    }

    /// The parameter's JSON Schema (draft 2020-12).
    var schema: String {
        var line = JSONLine()
        switch kind {
        case .text: line.add("type", "string")
        case .texts:
            line.add("type", "array")
            line.add("items", json: #"{"type":"string"}"#)
        case .choice(let words):
            line.add("type", "string")
            line.add("enum", words)
        case .whole(let least):
            line.add("type", "integer")
            line.add("minimum", least)
        case .truth: line.add("type", "boolean")
        case .object: line.add("type", "object")
        }
        line.add("description", description)
        return line.text
    }
}
