/// One JSON object of our own on a line, its fields in the order in which they were added.
package struct JSONLine: Sendable {
    private var fields: [String] = []

    package init() {}

    /// A string, or null.
    package mutating func add(_ name: String, _ value: String?) {
        fields.append("\(JSONText.string(name)):\(value.map { JSONText.string($0) } ?? "null")")
    }

    /// True, false, or null.
    package mutating func add(_ name: String, _ value: Bool?) {
        fields.append("\(JSONText.string(name)):\(value.map { "\($0)" } ?? "null")")
    }

    /// A whole number, or null.
    package mutating func add(_ name: String, _ value: Int64?) {
        fields.append("\(JSONText.string(name)):\(value.map { "\($0)" } ?? "null")")
    }

    package mutating func add(_ name: String, _ values: [String]) {
        fields.append("\(JSONText.string(name)):[\(values.map { JSONText.string($0) }.joined(separator: ","))]")
    }

    /// A value that is JSON already.
    package mutating func add(_ name: String, json: String) {
        fields.append("\(JSONText.string(name)):\(json)")
    }

    /// The object without a line break.
    package var text: String { "{" + fields.joined(separator: ",") + "}" }
}
