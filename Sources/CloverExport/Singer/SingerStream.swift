package import CloverAPI

/// A resource as a Singer stream: name, schema, key and bookmark member.
package struct SingerStream: Sendable {
    /// Name of the resource, with characters that are not valid in table names replaced by underscores.
    package let name: String
    /// Member with the time that selects changes; nil when everything is read each time.
    package let bookmark: String?
    private let key: [String]
    let schema: SingerSchema

    /// - Parameters:
    ///   - resource: resource such as `orders`.
    ///   - filterable: filters of the list.
    package init(_ resource: String, model: Model?, filterable: [String] = [], bookmark: String?) {
        name = String(resource.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        self.bookmark = bookmark
        schema = SingerSchema(model: model, filterable: filterable)
        key = schema.members?.contains("id") == true ? ["id"] : []
    }

    /// The SCHEMA message, which precedes the first record, with a newline.
    package var schemaMessage: String {
        let bookmarks = bookmark.map { #","bookmark_properties":["\#($0)"]"# } ?? ""
        let keys = key.map { "\"\($0)\"" }.joined(separator: ",")
        return
            #"{"type":"SCHEMA","stream":"\#(name)","schema":\#(schema.text),"key_properties":[\#(keys)]\#(bookmarks)}"#
            + "\n"
    }
}

/// The JSON Schema of a stream in the form that Singer targets expect: without references, because most targets do not
/// follow them, and with null everywhere, because any member may be absent (Singer specification, SCHEMA message).
///
/// It allows values that the catalogue does not have: enums are strings, and further members are permitted.
package struct SingerSchema: Sendable {
    /// Depth to which nested models are described; deeper ones are plain objects.
    private static let depth = 3

    /// The schema on one line.
    package let text: String

    /// Names of the records' members; nil when unknown.
    let members: Set<String>?

    /// - Parameters:
    ///   - model: model of the records; nil when unknown.
    ///   - filterable: filters of the list, which reveal members that the model's description lacks.
    package init(model: Model?, filterable: [String] = []) {
        guard let model else {
            text = #"{"type":["object","null"]}"#
            members = nil
            return
        }
        // Every record has its own URL (recorded responses).
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
            // `properties` does not apply to arrays, and `items` does not apply to objects.
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

    /// A JSON string. Names in the catalogue need no escaping.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

extension ExportStream {
    /// A stream of a pipeline that keeps its own bookmarks and is not in our state.
    ///
    /// - Parameter bookmark: start of the run's range; nil for the beginning of the history.
    package init(environment: String, merchant: String, resource: String, bookmark: Int64?) {
        self.init(
            place: 0, destination: "", environment: environment, merchant: merchant, resource: resource,
            bookmark: bookmark, isExpected: false, lastRecords: 0, records: 0, files: 0, failures: 0)
    }
}
