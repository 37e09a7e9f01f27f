import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON

struct Endpoints: OwnRecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoints",
        abstract: "List what Clover's API offers, or explain one path of it",
        discussion: """
            Examples:
              clover endpoints orders
              clover endpoints orders/{orderId}/line_items
              clover endpoints --method POST --jq .path -r

            Without PATH, lists every operation; with a family (orders, items, customers), its operations and what can \
            be expanded, filtered and sorted; with a path, everything that is known about it. A path may contain IDs \
            or names in braces, or be a name from Clover's iOS SDK, such as merchant-orders. Nothing is sent: the data \
            comes from the program's own catalogue.

            Prints one JSON object for each operation, or text on a terminal.
            """
    )

    @Argument(
        help: ArgumentHelp("A family such as orders, or a path such as orders/{orderId}.", valueName: "path"),
        completion: .asked)
    var path: String?

    @Option(name: .long, help: ArgumentHelp("List only operations with this method.", valueName: "method"))
    var method: Endpoint.Method?

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        let selection = try EndpointSelection(path, method: method)
        return try await EndpointText.list(selection).print(output, messages, in: environment) { _ in
            EndpointText.page(selection, in: environment)
        }
    }
}

extension HTTPMethod: ExpressibleByArgument {
    /// Accepts any case: `get`, `GET`.
    package init?(argument: String) {
        self.init(rawValue: argument.uppercased())
    }
}

/// API operations as JSON, and as text for a person.
enum EndpointText {
    /// One object; unknown values are null.
    static func json(_ endpoint: Endpoint) -> JSONLine {
        var line = JSONLine()
        line.add("method", endpoint.method.rawValue)
        line.add("path", endpoint.path)
        line.add("shortPath", EndpointCatalogue.displayPath(endpoint))
        line.add("api", endpoint.api.rawValue)
        line.add("family", endpoint.family)
        line.add("operation", endpoint.operation)
        line.add("returns", endpoint.shape == .undocumented ? nil : endpoint.shape.rawValue)
        line.add("model", endpoint.model)
        line.add("body", endpoint.body)
        line.add("expand", endpoint.expandable)
        line.add("filter", endpoint.filterable)
        line.add("filterComplete", endpoint.isFilterListComplete)
        line.add("sort", endpoint.sortable)
        line.add("parameters", endpoint.parameters)
        line.add("permission", endpoint.permission)
        line.add("permissionInferred", endpoint.isPermissionInferred)
        line.add("timeField", endpoint.timeField)
        line.add("changeField", endpoint.changeField)
        line.add("historyDays", endpoint.history == .whole ? nil : Int64(HistoryLimit.days))
        line.add("historyFilters", historyFields(of: endpoint))
        line.add("largestPage", isReadableList(endpoint) ? Int64(endpoint.maximumPage) : nil)
        line.add("alias", endpoint.alias)
        line.add("sdkMethod", endpoint.sdkMethod)
        line.add("unconfirmed", endpoint.isUnconfirmed)
        line.add("notes", endpoint.notes)
        return line
    }

    /// The operations as records.
    static func list(_ selection: EndpointSelection) -> OwnList {
        OwnList(
            lines: selection.operations.map { json($0).text },
            columns: [
                "method", "path", "shortPath", "api", "family", "operation", "returns", "model", "body",
                "filterComplete", "permission", "permissionInferred", "timeField", "changeField", "historyDays",
                "largestPage", "alias", "sdkMethod", "unconfirmed",
            ], others: ["expand", "filter", "sort", "parameters", "historyFilters", "notes"])
    }

    /// A list of operations, followed by a full description of those on the requested path.
    static func page(_ selection: EndpointSelection, in environment: CommandEnvironment) -> TextPage {
        let width = environment.terminal.width
        if selection.operations.count == 1 {
            return TextPage(EndpointExplanation.text(selection.operations[0], width: width))
        }
        let isList = selection.operations != selection.explained
        // A family's list is followed by the read operation of the path; a path is explained with all its methods.
        let explained = isList ? selection.explained.prefix(1) : selection.explained[...]
        let explanations = explained.map { EndpointExplanation.text($0, width: width) }
        guard isList else { return TextPage(explanations.joined(separator: "\n")) }
        return table(selection.operations, in: environment) + explanations.map { "\n" + $0 }.joined()
    }

    static func table(_ endpoints: [Endpoint], in environment: CommandEnvironment) -> TextPage {
        AlignedRows.text(
            head: ["METHOD", "PATH", "RETURNS", "PERMISSION"],
            endpoints.map { endpoint in
                [
                    endpoint.method.rawValue, EndpointCatalogue.displayPath(endpoint), answer(of: endpoint),
                    endpoint.permission ?? "",
                ]
            }, key: 1, breaksKey: true, in: environment)
    }

    /// The result type: `list of order.Order`, `order.Order`, `csv`; empty if unknown.
    static func answer(of endpoint: Endpoint) -> String {
        switch endpoint.shape {
        case .list: endpoint.model.map { "list of \($0)" } ?? "list"
        case .object: endpoint.model ?? "object"
        case .csv: "csv"
        case .undocumented: endpoint.model ?? ""
        }
    }

    static func isReadableList(_ endpoint: Endpoint) -> Bool {
        endpoint.method == .get && endpoint.shape == .list
    }

    static func historyFields(of endpoint: Endpoint) -> [String] {
        if case .cutByFilter(let fields) = endpoint.history { return fields.sorted() }
        return []
    }
}
