import CloverAPI
import CloverHTTP

/// The description of one operation, as labelled lines for a terminal.
enum EndpointExplanation {
    /// - Parameter width: the terminal's width; nil if unknown.
    static func text(_ endpoint: Endpoint, width: Int?) -> String {
        let title = FoldedText.lines(
            "\(endpoint.method.rawValue) \(EndpointCatalogue.displayPath(endpoint))", indent: margin.count, width: width
        )
        let width = width ?? usualWidth
        let isNarrow = width < FoldedText.narrowWidth
        // On a narrow terminal, text below its label has more room than beside it.
        let indent = isNarrow ? margin + margin : margin + AlignedRows.padded("", labelWidth)
        // Keep text narrow enough to read; commands are copied and may be wider.
        let textWidth = min(width, usualWidth) - indent.count
        let lines = rows(of: endpoint, textWidth: textWidth, commandWidth: width - indent.count).flatMap { row in
            guard !isNarrow else {
                return (row.label.isEmpty ? [] : [margin + row.label]) + row.lines.map { indent + $0 }
            }
            return zip([row.label] + Array(repeating: "", count: max(0, row.lines.count - 1)), row.lines).map {
                margin + AlignedRows.padded($0, labelWidth) + $1
            }
        }
        return (title + lines).map { $0 + "\n" }.joined()
    }

    private static let margin = "  "
    private static let labelWidth = 14
    private static let usualWidth = 80

    private typealias Row = (label: String, lines: [String])

    private static func rows(of endpoint: Endpoint, textWidth: Int, commandWidth: Int) -> [Row] {
        var rows: [Row] = []
        func add(_ label: String, _ text: String?) {
            guard let text, !text.isEmpty else { return }
            rows.append((label, FoldedText.lines(text.split(separator: " ").map(String.init), width: textWidth)))
        }
        func add(_ label: String, names: [String]) {
            if !names.isEmpty { rows.append((label, FoldedText.lines(names, separator: ", ", width: textWidth))) }
        }
        add("path", endpoint.path)
        if endpoint.api != .v3 { add("service", "\(endpoint.api.rawValue), outside of V3") }
        if let address = address(of: endpoint.api) { rows.append(("address", address)) }
        add("returns", result(of: endpoint))
        add("body", endpoint.body)
        add("permission", permission(of: endpoint))
        for (number, names) in expansions(of: endpoint).enumerated() { add(number == 0 ? "expand" : "", names: names) }
        add("filter", names: endpoint.filterable)
        if !endpoint.isFilterListComplete { add("", "(not all names are known)") }
        add("sort", names: endpoint.sortable)
        add("parameters", names: endpoint.parameters)
        add("times", times(of: endpoint))
        add("90 days", history(of: endpoint))
        for (number, note) in endpoint.notes.enumerated() { add(number == 0 ? "notes" : "", note) }
        add("iOS SDK", endpoint.sdkMethod.map { "\($0); equivalent to: clover get \(endpoint.alias ?? "")" })
        if let example = example(of: endpoint) {
            rows.append(("example", FoldedText.command(example, width: commandWidth)))
        }
        return rows
    }

    private static func result(of endpoint: Endpoint) -> String {
        let result = EndpointText.answer(of: endpoint)
        if result.isEmpty { return "not documented" }
        return EndpointText.isReadableList(endpoint) ? result + ", at most \(endpoint.maximumPage) a page" : result
    }

    private static func permission(of endpoint: Endpoint) -> String? {
        endpoint.permission.map {
            $0 + (endpoint.isPermissionInferred ? " (inferred from its kind; not documented)" : "")
        }
    }

    /// The names without a dot, followed by the names below each of them.
    private static func expansions(of endpoint: Endpoint) -> [[String]] {
        var parts: [(name: String, inner: [String])] = []
        for name in endpoint.expandable {
            guard let dot = name.firstIndex(of: ".") else { continue }
            let inner = String(name[name.index(after: dot)...])
            if let known = parts.firstIndex(where: { $0.name == name[..<dot] }) {
                parts[known].inner.append(inner)
            } else {
                parts.append((String(name[..<dot]), [inner]))
            }
        }
        let whole = endpoint.expandable.filter { !$0.contains(".") }
        return (whole.isEmpty ? [] : [whole])
            + parts.map { ["\($0.name).\($0.inner[0])"] + $0.inner.dropFirst().map { ".\($0)" } }
    }

    private static func times(of endpoint: Endpoint) -> String? {
        let parts = [
            endpoint.timeField.map { "\($0) for windows" }, endpoint.changeField.map { "\($0) for changes" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func history(of endpoint: Endpoint) -> String? {
        switch endpoint.history {
        case .whole: nil
        case .cut: "always: older records are left out without notice"
        case .cutByFilter(let fields): "with a filter on " + fields.sorted().joined(separator: ", ")
        }
    }

    /// The production and sandbox addresses of a service that `clover get` and the like do not send to.
    private static func address(of api: Endpoint.API) -> [String]? {
        switch api {
        case .v3, .oauth: nil
        case .ecommerce: ["https://scl.clover.com", "https://scl-sandbox.dev.clover.com"]
        case .token: ["https://token.clover.com", "https://token-sandbox.dev.clover.com"]
        case .hostedCheckout, .platform: ["https://api.clover.com", "https://apisandbox.dev.clover.com"]
        }
    }

    private static func example(of endpoint: Endpoint) -> String? {
        if endpoint.api == .oauth {
            return endpoint.path.hasSuffix("/refresh") ? "clover auth refresh" : "clover auth login"
        }
        guard endpoint.api == .v3 else { return nil }
        let path = EndpointCatalogue.displayPath(endpoint).split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == "{mId}" ? "{mId}" : $0.first == "{" ? placeholder($0) : String($0) }
            .joined(separator: "/")
        let verb = "clover \(endpoint.method.rawValue.lowercased()) \(path)"
        switch (endpoint.method, endpoint.shape) {
        case (.get, .csv): return "\(verb) >\(path)"
        case (.get, .list):
            let window = endpoint.timeField.map { " --filter '\($0)>=-7d'" } ?? ""
            return verb + window + expansion(of: endpoint) + " --limit 5"
        case (.get, _): return verb + expansion(of: endpoint)
        case (.delete, _):
            let isOne = endpoint.segments.last?.first == "{" && endpoint.parameters.isEmpty
            return verb + header(of: endpoint) + endpoint.parameters.map { " --param \($0)=A,B" }.joined()
                + (isOne ? "" : " --yes")
        case (.post, _), (.put, _):
            return verb + header(of: endpoint) + (endpoint.body == nil ? "" : " --input record.json")
        }
    }

    private static func header(of endpoint: Endpoint) -> String {
        endpoint.wantedHeader.map { " --header '\($0.name): ID'" } ?? ""
    }

    private static func expansion(of endpoint: Endpoint) -> String {
        let name = endpoint.expandable.contains("lineItems") ? "lineItems" : endpoint.expandable.first
        return name.map { " --expand \($0)" } ?? ""
    }

    /// `ORDER_ID` for `{orderId}`.
    private static func placeholder(_ segment: Substring) -> String {
        var word = ""
        for character in segment where character.isLetter {
            if character.isUppercase, !word.isEmpty { word += "_" }
            word += character.uppercased()
        }
        return word
    }
}
