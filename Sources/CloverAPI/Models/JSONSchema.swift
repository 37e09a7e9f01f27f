/// The JSON Schema (draft 2020-12) of a model's records.
///
/// The schema is only as strict as the catalogue is certain: no field is required, unknown fields are allowed, null is
/// allowed where a source has it, and a nested list may be `{"elements":[...]}` or a plain array. Units and sensitivity
/// are annotations: `x-unit`, `x-scale`, `x-sensitive`.
package struct JSONSchema: Sendable {
    /// The schema on one line, without a trailing newline.
    package let text: String

    package init?(model name: String) {
        let models = ModelCatalogue.closure(of: name)
        guard !models.isEmpty else { return nil }
        let enumerations = Set(models.flatMap { $0.fields.compactMap(\.type.enumeration) }).sorted()
        let definitions =
            models.map { (name: $0.name, text: Self.definition(of: $0)) }
            + enumerations.compactMap { name in
                ModelCatalogue.enumeration(named: name).map { (name: name, text: Self.definition(of: $0)) }
            }
        let listed = definitions.sorted { $0.name < $1.name }.map { "\(Self.quoted($0.name)):\($0.text)" }
        text =
            "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\(Self.quoted(name)),"
            + "\"$ref\":\(Self.reference(to: name)),\"$defs\":{\(listed.joined(separator: ","))}}"
    }

    private static func definition(of model: Model) -> String {
        let properties = model.fields.map { "\(quoted($0.name)):\(schema(of: $0))" }
        return "{\"type\":\"object\",\"properties\":{\(properties.joined(separator: ","))}}"
    }

    private static func definition(of enumeration: Enumeration) -> String {
        "{\"enum\":[\(enumeration.cases.map(quoted).joined(separator: ","))]}"
    }

    private static func schema(of field: Model.Field) -> String {
        var keywords = keywords(of: field.type, isNullable: field.isNullable)
        if !field.cases.isEmpty {
            let null = field.isNullable ? ["null"] : []
            keywords.append("\"enum\":[\((field.cases.map(quoted) + null).joined(separator: ","))]")
        }
        if field.isReference { keywords.append("\"description\":\"only its id unless it is expanded\"") }
        if field.isDeprecated { keywords.append("\"deprecated\":true") }
        if let unit = field.unit { keywords.append("\"x-unit\":\(quoted(unit.rawValue))") }
        if let scale = field.scale { keywords.append("\"x-scale\":\(scale)") }
        if field.isSensitive { keywords.append("\"x-sensitive\":true") }
        return "{\(keywords.joined(separator: ","))}"
    }

    private static func schema(of type: FieldType) -> String {
        "{\(keywords(of: type, isNullable: false).joined(separator: ","))}"
    }

    private static func keywords(of type: FieldType, isNullable: Bool) -> [String] {
        switch type {
        case .any: []
        case .string: [types(["string"], isNullable)]
        case .boolean: [types(["boolean"], isNullable)]
        case .integer, .timestamp: [types(["integer"], isNullable)]
        case .double: [types(["number"], isNullable)]
        case .object: [types(["object"], isNullable)]
        case .array: [types(["object", "array"], isNullable)]
        case .sequence(let entry): [types(["array"], isNullable), "\"items\":\(schema(of: entry))"]
        case .map(let value): [types(["object"], isNullable), "\"additionalProperties\":\(schema(of: value))"]
        // `properties` does not apply to arrays, nor `items` to objects.
        case .list(let entry):
            [
                types(["object", "array"], isNullable),
                "\"properties\":{\"elements\":{\"type\":\"array\",\"items\":\(schema(of: entry))}}",
                "\"items\":\(schema(of: entry))",
            ]
        case .enumeration(let name), .model(let name):
            ModelCatalogue.isKnown(name)
                ? isNullable
                    ? ["\"anyOf\":[{\"$ref\":\(reference(to: name))},{\"type\":\"null\"}]"]
                    : ["\"$ref\":\(reference(to: name))"]
                : []
        }
    }

    private static func types(_ names: [String], _ isNullable: Bool) -> String {
        let all = (names + (isNullable ? ["null"] : [])).map(quoted)
        return "\"type\":" + (all.count == 1 ? all[0] : "[\(all.joined(separator: ","))]")
    }

    private static func reference(to name: String) -> String {
        quoted("#/$defs/\(name)")
    }

    /// Catalogue names contain nothing that JSON escapes; the generator ensures it.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
