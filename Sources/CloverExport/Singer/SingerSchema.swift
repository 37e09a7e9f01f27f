package import CloverAPI

/// The JSON Schema of a stream, as Singer's targets want it: in one piece, because most of them follow no references, and
/// with null everywhere, because a record need not have a member (Singer specification, SCHEMA message).
///
/// It allows what the catalogue does not know: enums are texts, and further members are permitted.
package struct SingerSchema: Sendable {
    /// Models inside models are described so deep; what is deeper is an object.
    private static let depth = 3

    /// The schema on one line.
    package let text: String

    /// The members that records have; nil when that is not known.
    let members: Set<String>?

    /// - Parameters:
    ///   - model: nil, or one that the catalogue does not have, for records of which nothing is known.
    ///   - filterable: what the list can be filtered by, which tells of members that no description of the model has.
    package init(model: Model?, filterable: [String] = []) {
        guard let model else {
            text = #"{"type":["object","null"]}"#
            members = nil
            return
        }
        // Every record has its own address (recorded answers).
        let additions = [("href", FieldType.string, true), ("id", .string, false), ("deleted", .boolean, false)]
            .filter { name, _, isEverywhere in
                model.field(named: name) == nil && (isEverywhere || filterable.contains(name))
            }
        let added = additions.map { "\(Self.quoted($0.0)):\(Self.schema(of: $0.1, depth: 0))" }
        let properties = (added + Self.properties(of: model, depth: Self.depth)).joined(separator: ",")
        text = #"{"type":["object","null"],"properties":{\#(properties)}}"#
        members = Set(model.fields.map(\.name) + additions.map(\.0))
    }

    private static func properties(of model: Model, depth: Int) -> [String] {
        model.fields.map { "\(quoted($0.name)):\(schema(of: $0.type, depth: depth - 1))" }
    }

    private static func object(of model: Model, depth: Int) -> String {
        let properties = properties(of: model, depth: depth).joined(separator: ",")
        return #"{"type":["object","null"],"properties":{\#(properties)}}"#
    }

    private static func schema(of type: FieldType, depth: Int) -> String {
        switch type {
        case .any: "{}"
        case .string, .enumeration: #"{"type":["string","null"]}"#
        case .boolean: #"{"type":["boolean","null"]}"#
        case .integer, .timestamp: #"{"type":["integer","null"]}"#
        case .double: #"{"type":["number","null"]}"#
        case .object: #"{"type":["object","null"]}"#
        case .array: #"{"type":["object","array","null"]}"#
        case .sequence(let entry): #"{"type":["array","null"],"items":\#(schema(of: entry, depth: depth))}"#
        case .map(let value):
            #"{"type":["object","null"],"additionalProperties":\#(schema(of: value, depth: depth))}"#
        case .list(let entry):
            // `properties` says nothing about arrays, and `items` nothing about objects.
            #"{"type":["object","array","null"],"properties":{"elements":{"type":["array","null"],"#
                + #""items":\#(schema(of: entry, depth: depth))}},"items":\#(schema(of: entry, depth: depth))}"#
        case .model(let name):
            if depth > 0, let model = ModelCatalogue.model(named: name) {
                object(of: model, depth: depth)
            } else {
                #"{"type":["object","null"]}"#
            }
        }
    }

    /// Names of the catalogue hold nothing that JSON escapes.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
