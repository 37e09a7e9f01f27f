import CloverAPI
import CloverCore
import CloverRecords

/// Models of the API as JSON and as text for a person.
enum ModelText {
    /// One object for a whole model.
    static func json(_ model: Model) -> JSONLine {
        var line = JSONLine()
        line.add("model", model.name)
        line.add("api", model.api.rawValue)
        line.add("fields", Int64(model.fields.count))
        line.add("in", model.sources.map(\.rawValue))
        return line
    }

    /// One object for a field; what does not apply is null.
    static func json(_ field: Model.Field, of model: Model) -> JSONLine {
        var line = JSONLine()
        line.add("model", model.name)
        line.add("field", field.name)
        line.add("type", field.type.name)
        line.add("nested", field.type.nestedModel)
        line.add("unit", field.unit?.rawValue)
        line.add("scale", field.scale.map(Int64.init))
        line.add("cases", cases(of: field))
        line.add("nullable", field.isNullable)
        line.add("reference", field.isReference)
        line.add("deprecated", field.isDeprecated)
        line.add("sensitive", field.isSensitive)
        line.add("expand", ModelUse.expansionPaths(of: field.name, in: model.name))
        line.add("in", field.sources.map(\.rawValue))
        return line
    }

    static func json(_ enumeration: Enumeration) -> JSONLine {
        var line = JSONLine()
        line.add("enum", enumeration.name)
        line.add("kind", "enum")
        line.add("cases", enumeration.cases)
        line.add("in", enumeration.sources.map(\.rawValue))
        return line
    }

    /// The models, and below them the enums.
    static func table(
        _ models: [Model], _ enumerations: [Enumeration], in environment: CommandEnvironment
    ) -> String {
        let modelTable = AlignedRows.text(
            head: ["MODEL", "FIELDS", "API", "IN"],
            models.map { [$0.name, "\($0.fields.count)", $0.api.rawValue, sources($0.sources)] },
            meanings: ["FIELDS": .amount], in: environment)
        let enumTable = AlignedRows.text(
            head: ["ENUM", "CASES", "IN"],
            enumerations.map { [$0.name, "\($0.cases.count)", sources($0.sources)] }, meanings: ["CASES": .amount],
            in: environment)
        return modelTable + "\n" + enumTable
    }

    /// Where the model is met, its fields, and the cases of its enums.
    static func page(_ model: Model, in environment: CommandEnvironment) -> String {
        let expandable = Set(ModelUse.answers(with: model.name).flatMap(\.expandable))
        let fields = AlignedRows.text(
            head: ["FIELD", "TYPE", "UNIT", "IN", "ABOUT"],
            model.fields.map { field in
                [
                    field.name, field.type.name, unit(of: field), sources(field.sources),
                    about(field, isExpandable: expandable.contains(field.name)),
                ]
            }, in: environment)
        let enumerations = model.fields.compactMap { field -> String? in
            let cases = cases(of: field)
            guard !cases.isEmpty else { return nil }
            return lines("\(field.name): ", cases, indent: 2)
        }
        let parts = [head(of: model), fields] + (enumerations.isEmpty ? [] : [enumerations.joined()])
        return parts.joined(separator: "\n")
    }

    static func page(_ enumeration: Enumeration) -> String {
        "\(enumeration.name)  (enum; in \(sources(enumeration.sources)))\n" + lines("", enumeration.cases, indent: 2)
    }

    private static let width = 80

    private static func head(of model: Model) -> String {
        let answers = ModelUse.answers(with: model.name).map(call)
        let bodies = ModelUse.bodies(of: model.name).map(call)
        let expansions = ModelUse.expansions(to: model.name).filter { !$0.name.contains(".") }
            .map { "\($0.path) (\($0.name))" }
        return "\(model.name)  (\(model.api.rawValue) API; in \(sources(model.sources)))\n"
            + lines("answered by  ", answers, indent: 2) + lines("sent to      ", bodies, indent: 2)
            + lines("expanded in  ", expansions, indent: 2)
    }

    private static func call(_ endpoint: Endpoint) -> String {
        "\(endpoint.method.rawValue) \(EndpointCatalogue.displayPath(endpoint))"
    }

    /// A label and words after it, further lines under the first word; nothing without words.
    private static func lines(_ label: String, _ words: [String], indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        let wrapped = AlignedRows.wrapped(words, width: width - indent - label.count)
        return wrapped.enumerated().map { number, text in
            margin + (number == 0 ? label : AlignedRows.padded("", label.count)) + text + "\n"
        }.joined()
    }

    private static func cases(of field: Model.Field) -> [String] {
        guard field.cases.isEmpty else { return field.cases }
        return field.type.enumeration.flatMap { ModelCatalogue.enumeration(named: $0) }?.cases ?? []
    }

    private static func unit(of field: Model.Field) -> String {
        [field.unit?.rawValue, field.scale.map { "x \($0)" }].compactMap { $0 }.joined(separator: " ")
    }

    private static func about(_ field: Model.Field, isExpandable: Bool) -> String {
        let words = [
            (isExpandable, field.isReference ? "only its id unless expanded" : "expand"),
            (!isExpandable && field.isReference, "may be its id only"),
            (field.isNullable, "may be null"), (field.isDeprecated, "deprecated"), (field.isSensitive, "sensitive"),
        ]
        return words.filter(\.0).map(\.1).joined(separator: ", ")
    }

    private static func sources(_ sources: [Model.Source]) -> String {
        sources.map(\.rawValue).joined(separator: " ")
    }
}
