import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput

struct Schema: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Show the models of Clover's API: fields, types, units",
        discussion: """
            Examples:
              clover schema order.Order
              clover schema orders --jq 'select(.unit=="minor").field' -r
              clover schema order.Order --json-schema >order.schema.json

            MODEL is a model or an enum, such as order.Order, Order or order.PayType, or a path to select the model of \
            its records, such as orders. Nothing is sent: the data comes from the program's own catalogue, which \
            combines several descriptions of the API; each field shows which of them contain it.

            Without MODEL, lists every model, followed by every enum (kind: enum). Prints one JSON object for each \
            field, model or enum, or a table on a terminal. Units: minor is minor units of the merchant's currency, ms \
            is milliseconds since 1970.
            """
    )

    @Argument(
        help: ArgumentHelp("A model such as order.Order, or a path such as orders.", valueName: "model"),
        completion: .asked)
    var model: String?

    @Flag(
        name: .customLong("json-schema"),
        help: "Print the model as a JSON Schema (draft 2020-12), including the models that it contains.")
    var isJSONSchema = false

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if isJSONSchema, model == nil { throw ValidationError("--json-schema needs a model, such as order.Order") }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        guard let name = model else {
            let models = ModelCatalogue.names.compactMap { ModelCatalogue.model(named: $0) }
            let enumerations = ModelCatalogue.enumerationNames.compactMap { ModelCatalogue.enumeration(named: $0) }
            let list = OwnList(
                lines: models.map { ModelText.json($0).text } + enumerations.map { ModelText.json($0).text },
                columns: ["model", "api", "fields", "enum", "kind"], others: ["in", "cases"])
            return try await list.print(output, messages, in: environment) { _ in
                ModelText.table(models, enumerations, in: environment)
            }
        }
        switch try ModelCatalogue.entry(name) {
        case .enumeration(let enumeration):
            if isJSONSchema { throw ValidationError("\(enumeration.name) is an enum; --json-schema needs a model") }
            let list = OwnList(
                lines: [ModelText.json(enumeration).text], columns: ["enum", "kind"], others: ["cases", "in"])
            return try await list.print(output, messages, in: environment) { _ in
                ModelText.page(enumeration, in: environment)
            }
        case .model(let model):
            if isJSONSchema { return try await printJSONSchema(of: model, in: environment) }
            let list = OwnList(
                lines: model.fields.map { ModelText.json($0, of: model).text },
                columns: [
                    "model", "field", "type", "nested", "unit", "scale", "nullable", "reference", "deprecated",
                    "sensitive",
                ], others: ["cases", "expand", "in"])
            return try await list.print(output, messages, in: environment) { _ in
                ModelText.page(model, in: environment)
            }
        }
    }

    private func printJSONSchema(of model: Model, in environment: CommandEnvironment) async throws -> Int32 {
        let text = (JSONSchema(model: model.name)?.text ?? "{}") + "\n"
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        try await StandardOutput.show(text, isTable: isForPerson, in: environment)
        return 0
    }
}

/// API models as JSON, and as text for a person.
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

    /// One object for a field; values that do not apply are null.
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

    /// The models, followed by the enums.
    static func table(
        _ models: [Model], _ enumerations: [Enumeration], in environment: CommandEnvironment
    ) -> TextPage {
        let modelTable = AlignedRows.text(
            head: ["MODEL", "FIELDS", "API", "IN"],
            models.map { [$0.name, "\($0.fields.count)", $0.api.rawValue, sources($0.sources)] },
            breaksKey: true, meanings: ["FIELDS": .amount], in: environment)
        let enumTable = AlignedRows.text(
            head: ["ENUM", "CASES", "IN"],
            enumerations.map { [$0.name, "\($0.cases.count)", sources($0.sources)] }, breaksKey: true,
            meanings: ["CASES": .amount], in: environment)
        return modelTable + "\n" + enumTable
    }

    /// Where the model is used, its fields, and the cases of its enums.
    static func page(_ model: Model, in environment: CommandEnvironment) -> TextPage {
        let expandable = Set(ModelUse.answers(with: model.name).flatMap(\.expandable))
        let rows = model.fields.map { field in
            [
                field.name, field.type.name, unit(of: field), sources(field.sources),
                about(field, isExpandable: expandable.contains(field.name)),
            ]
        }
        let width = width(in: environment)
        let enumerations = model.fields.compactMap { field -> String? in
            let cases = cases(of: field)
            guard !cases.isEmpty else { return nil }
            return lines("\(field.name): ", cases, width: width)
        }
        return TextPage(head(of: model, width: width) + "\n") + fields(rows, in: environment)
            + enumerations.enumerated().map { ($0 == 0 ? "\n" : "") + $1 }.joined()
    }

    /// A table; on a narrow terminal, which has room for the names only, a list.
    private static func fields(_ rows: [[String]], in environment: CommandEnvironment) -> TextPage {
        let head = ["FIELD", "TYPE", "UNIT", "IN", "ABOUT"]
        guard let width = environment.terminal.width, width < FoldedText.narrowWidth else {
            return AlignedRows.text(head: head, rows, in: environment)
        }
        let names = ["", "", "in units: ", "in: ", ""]
        return TextPage(
            rows.flatMap { row in
                let facts = zip(names, row).dropFirst().filter { !$1.isEmpty }.map { $0 + $1 }
                return FoldedText.lines(row[0], indent: margin.count, width: width)
                    + FoldedText.lines(facts, separator: "; ", width: width - 2 * margin.count)
                    .map { margin + margin + $0 }
            }.map { $0 + "\n" }.joined())
    }

    static func page(_ enumeration: Enumeration, in environment: CommandEnvironment) -> TextPage {
        let width = width(in: environment)
        let title = FoldedText.lines(
            "\(enumeration.name)  (enum; in \(sources(enumeration.sources)))", indent: margin.count, width: width)
        return TextPage(title.map { $0 + "\n" }.joined() + lines("", enumeration.cases, width: width))
    }

    private static let margin = "  "

    /// Long lines of names are hard to read, however wide the terminal is.
    private static func width(in environment: CommandEnvironment) -> Int {
        min(80, environment.terminal.width ?? 80)
    }

    private static func head(of model: Model, width: Int) -> String {
        let answers = ModelUse.answers(with: model.name).map(call)
        let bodies = ModelUse.bodies(of: model.name).map(call)
        let expansions = ModelUse.expansions(to: model.name).filter { !$0.name.contains(".") }
            .map { "\($0.path) (\($0.name))" }
        let title = FoldedText.lines(
            "\(model.name)  (\(model.api.rawValue) API; in \(sources(model.sources)))", indent: margin.count,
            width: width)
        return title.map { $0 + "\n" }.joined() + lines("returned by  ", answers, width: width)
            + lines("sent to      ", bodies, width: width) + lines("expanded in  ", expansions, width: width)
    }

    private static func call(_ endpoint: Endpoint) -> String {
        "\(endpoint.method.rawValue) \(EndpointCatalogue.displayPath(endpoint))"
    }

    /// A label followed by words. Further lines are aligned with the first word, or on a narrow terminal below the
    /// label. Empty without words.
    private static func lines(_ label: String, _ words: [String], width: Int) -> String {
        guard !words.isEmpty else { return "" }
        let isBelow = width < FoldedText.narrowWidth && !label.isEmpty
        let indent = isBelow ? margin + margin : margin + AlignedRows.padded("", label.count)
        let folded = FoldedText.lines(words, separator: ", ", width: width - indent.count)
        let first = isBelow ? [margin + FoldedText.trimmed(label), indent + folded[0]] : [margin + label + folded[0]]
        return (first + folded.dropFirst().map { indent + $0 }).map { $0 + "\n" }.joined()
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
