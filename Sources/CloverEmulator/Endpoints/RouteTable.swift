/// Finds the operation of a request.
package struct RouteTable: Sendable {
    /// An operation with the values of its path parameters, without the merchant.
    package struct Match: Sendable {
        package let route: Route
        package let parameters: [String]
    }

    /// All operations of the catalogue.
    package static let all = RouteTable()

    /// By number of path segments; literal segments before parameters, so that `employees/current` does not match as an
    /// employee id.
    private let routes: [Int: [Route]]
    /// Every operation.
    package let list: [Route]
    /// The path segments that follow the merchant, and `merchant` for the merchant itself.
    package let families: Set<String>

    private init() {
        let lines = EndpointTable.lines.description.split(separator: "\n")
        let all = lines.compactMap { Route(line: $0) }
        list = all
        routes = Dictionary(grouping: all) { $0.segments.count }.mapValues { list in
            list.sorted { Self.rank($0) < Self.rank($1) }
        }
        families = Set(
            all.compactMap { route in
                guard !route.key.hasPrefix("/") else { return nil }
                let first = route.key.split(separator: "/").first.map(String.init) ?? "merchant"
                return Self.family(of: first)
            })
    }

    /// `customers` for `customers.csv`.
    package static func family(of segment: String) -> String {
        segment.hasSuffix(".csv") ? String(segment.dropLast(4)) : segment
    }

    /// - Parameter path: segments after `/v3`.
    /// - Throws: `unknownPath`, or `methodNotAllowed` with the methods that the path supports.
    package func match(_ method: String, _ path: [String]) throws(APIError) -> Match {
        var methods: [String] = []
        for route in routes[path.count] ?? [] {
            guard var values = route.parameters(of: path) else { continue }
            if route.method == method {
                if !route.key.hasPrefix("/"), !values.isEmpty { values.removeFirst() }
                return Match(route: route, parameters: values)
            }
            if !methods.contains(route.method) { methods.append(route.method) }
        }
        // Paths that look documented but are not; the service supports them with no method (live sandbox notes).
        if path.count >= 3, ["time_cards", "timecards"].contains(path.last) { throw .methodNotAllowed([]) }
        if methods.isEmpty { throw .unknownPath }
        throw .methodNotAllowed(methods.sorted())
    }

    private static func rank(_ route: Route) -> String {
        route.segments.map { $0 == nil ? "1" : "0" }.joined()
    }
}

/// One operation of the V3 API.
package struct Route: Sendable {
    /// The form of the response to a GET.
    package enum Shape: String, Sendable {
        case list, one, csv
        case write = "-"
    }

    package let method: String
    /// The path after the merchant, with `{}` for each parameter, such as `orders/{}/line_items`; empty for the
    /// merchant itself. Other paths begin with a slash: `/apps/{}/merchants/{}/billing_info`.
    package let key: String
    package let shape: Shape
    /// The documented filter fields.
    package let filters: [FilterField]
    /// Path segments; nil stands for a parameter.
    let segments: [String?]

    /// Parses a line of `EndpointTable`; nil if it is malformed.
    init?(line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 4, let shape = Shape(rawValue: String(columns[2])) else { return nil }
        method = String(columns[0])
        self.shape = shape
        filters = FilterField.list(columns[3])
        segments = columns[1].split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
        let key = segments.map { $0 ?? "{}" }.joined(separator: "/")
        if key == "merchants/{}" {
            self.key = ""
        } else if key.hasPrefix("merchants/{}/") {
            self.key = String(key.dropFirst("merchants/{}/".count))
        } else {
            self.key = "/" + key
        }
    }

    /// The parameter values if the path matches this operation; nil otherwise.
    func parameters(of path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, text) in zip(segments, path) {
            if let segment {
                if segment != text { return nil }
            } else {
                values.append(text)
            }
        }
        return values
    }
}
