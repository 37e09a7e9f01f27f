/// Builds a JSON object on one line, with its fields in the order in which they were added.
package struct JSONLine: Sendable {
    private var fields: [String] = []

    package init() {}

    package mutating func add(_ name: String, _ value: String?) {
        add(name, json: value.map { JSONString.quoted($0) } ?? "null")
    }

    package mutating func add(_ name: String, _ value: Bool?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    package mutating func add(_ name: String, _ value: Int64?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    package mutating func add(_ name: String, _ values: [String]) {
        add(name, json: "[\(values.map { JSONString.quoted($0) }.joined(separator: ","))]")
    }

    package mutating func add(_ name: String, json: String) {
        fields.append("\(JSONString.quoted(name)):\(json)")
    }

    package var text: String { "{" + fields.joined(separator: ",") + "}" }
}
