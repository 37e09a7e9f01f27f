/// Finds the operation of a request.
package struct RouteTable: Sendable {
    /// An operation with the values of its path parameters, without the merchant.
    package struct Match: Sendable {
        package let route: Route
        package let parameters: [String]
    }
    package static let all = RouteTable()
    package let list: [Route]
    /// By number of path segments; literal segments before parameters, so that `employees/current` does not match as an
    /// employee id.
    private let routes: [Int: [Route]]

    private init() {
        list = EndpointTable.lines.description.split(separator: "\n").flatMap(Route.list)
        func rank(_ route: Route) -> String { route.segments.map { $0 == nil ? "1" : "0" }.joined() }
        routes = Dictionary(grouping: list) { $0.segments.count }.mapValues { $0.sorted { rank($0) < rank($1) } }
    }

    /// The path segments that follow the merchant, and `merchant` for the merchant itself.
    var families: Set<String> {
        Set(
            list.filter { !$0.key.hasPrefix("/") }.map { route in
                Self.family(of: route.key.split(separator: "/").first.map(String.init) ?? "merchant")
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
        // Paths that look documented but are not; the service supports them with no method (live sandbox notes; recorded
        // for the tax rates of an item).
        if path.count >= 3, ["time_cards", "timecards"].contains(path.last) { throw .methodNotAllowed([]) }
        if path.count == 5, path[2] == "items", path[4] == "tax_rates" { throw .methodNotAllowed([]) }
        throw methods.isEmpty ? APIError.unknownPath : .methodNotAllowed(methods.sorted())
    }
}

/// One operation of the V3 API.
package struct Route: Sendable {
    /// The form of the response to a GET.
    package enum Shape: String, Sendable {
        case list, one, csv
        /// Not a GET.
        case write
    }

    package let method: String
    /// The path after the merchant, with `{}` for each parameter, such as `orders/{}/line_items`; empty for the
    /// merchant itself. Other paths begin with a slash: `/apps/{}/merchants/{}/billing_info`.
    package let key: String
    package let shape: Shape
    package let filters: [FilterField]
    /// The names of members to sort by, besides the filters.
    package let sorts: [String]
    /// Path segments; nil stands for a parameter.
    let segments: [String?]

    /// Parses a line of `EndpointTable`: the operations of a path.
    static func list(_ line: Substring) -> [Route] {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        let segments = columns[0].split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
        let words = segments.map { $0 ?? "{}" }
        let isOfMerchant = words.starts(with: ["merchants", "{}"])
        let key = isOfMerchant ? words.dropFirst(2).joined(separator: "/") : "/" + words.joined(separator: "/")
        return columns[1].split(separator: ",").map { method in
            let read = method == "GET" ? Array(columns.dropFirst(2)) : []
            return Route(
                method: String(method), key: key, shape: read.first.flatMap { Shape(rawValue: String($0)) } ?? .write,
                filters: FilterField.list(read.count > 1 ? read[1] : ""),
                sorts: read.count > 2 ? read[2].split(separator: ",").map(String.init) : [], segments: segments)
        }
    }

    /// The parameter values if the path matches this operation; nil otherwise.
    func parameters(of path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        guard zip(segments, path).allSatisfy({ $0 == nil || $0 == $1 }) else { return nil }
        return zip(segments, path).compactMap { segment, text in segment == nil ? text : nil }
    }
}
