import CloverAPI
import CloverCore

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

    /// A list of operations, followed by a full description of those on the requested path.
    static func page(_ selection: EndpointSelection, in environment: CommandEnvironment) -> TextPage {
        let width = environment.terminal.width
        if selection.operations.count == 1 {
            return TextPage(EndpointExplanation.text(selection.operations[0], width: width))
        }
        let isList = selection.operations != selection.explained
        // A family's list is followed by the read operation of its own path; a path is explained with all its methods.
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
