/// Finds the operation of a request.
package struct RouteTable: Sendable {
    /// An operation with the values of its path's parameters, without the merchant.
    package struct Match: Sendable {
        package let route: Route
        package let parameters: [String]
    }

    /// All operations of the catalogue.
    package static let all = RouteTable()

    /// By number of path segments; words before parameters, so that `employees/current` is no employee.
    private let routes: [Int: [Route]]
    /// Every operation.
    package let list: [Route]
    /// What comes behind the merchant in a path, and `merchant` for the merchant itself.
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

    /// - Parameter path: segments behind `/v3`.
    /// - Throws: `unknownPath`, or `methodNotAllowed` with the methods the path has.
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
        // Paths that look documented and are not; the service knows them under no method (live sandbox notes).
        if path.count >= 3, ["time_cards", "timecards"].contains(path.last) { throw .methodNotAllowed([]) }
        if methods.isEmpty { throw .unknownPath }
        throw .methodNotAllowed(methods.sorted())
    }

    private static func rank(_ route: Route) -> String {
        route.segments.map { $0 == nil ? "1" : "0" }.joined()
    }
}
