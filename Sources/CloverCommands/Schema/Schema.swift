import ArgumentParser
import CloverAPI
import CloverCore

/// `clover schema`.
struct Schema: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Show the models of Clover's API: fields, types, units",
        discussion: """
            Examples:
              clover schema order.Order
              clover schema orders --json | jq -r 'select(.unit=="minor").field'
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

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if isJSONSchema, model == nil { throw ValidationError("--json-schema needs a model, such as order.Order") }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: messages.applied(to: environment))
        let isTable = environment.terminal.isOutputTerminal && !messages.json
        let page = try page(isTable: isTable, in: environment)
        if isTable {
            try await StandardOutput.show(page, in: environment)
        } else {
            try await StandardOutput.print(page.text, in: environment)
        }
        return 0
    }

    private func page(isTable: Bool, in environment: CommandEnvironment) throws -> TextPage {
        guard let name = model else {
            let models = ModelCatalogue.names.compactMap { ModelCatalogue.model(named: $0) }
            let enumerations = ModelCatalogue.enumerationNames.compactMap { ModelCatalogue.enumeration(named: $0) }
            guard !isTable else { return ModelText.table(models, enumerations, in: environment) }
            return TextPage(
                (models.map { ModelText.json($0).text } + enumerations.map { ModelText.json($0).text })
                    .map { $0 + "\n" }.joined())
        }
        switch try ModelCatalogue.entry(name) {
        case .enumeration(let enumeration):
            if isJSONSchema { throw ValidationError("\(enumeration.name) is an enum; --json-schema needs a model") }
            return isTable
                ? ModelText.page(enumeration, in: environment) : TextPage(ModelText.json(enumeration).text + "\n")
        case .model(let model):
            if isJSONSchema { return TextPage((JSONSchema(model: model.name)?.text ?? "{}") + "\n") }
            return isTable
                ? ModelText.page(model, in: environment)
                : TextPage(model.fields.map { ModelText.json($0, of: model).text + "\n" }.joined())
        }
    }
}
