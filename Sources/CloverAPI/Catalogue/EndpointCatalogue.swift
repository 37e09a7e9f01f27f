/// The operations of Clover's API. Tables are parsed on first use, and a lookup by path parses only the matching row.
package enum EndpointCatalogue {
    /// Every operation, in the catalogue's order: V3, then the rest.
    package static let operations: [Endpoint] = {
        var operations: [Endpoint] = []
        TableText(EndpointTable.operations).forEach { line in
            if let endpoint = EndpointLine(line.columns).endpoint { operations.append(endpoint) }
        }
        return operations
    }()

    /// The readable V3 endpoints.
    package static var endpoints: [Endpoint] { operations.filter { $0.api == .v3 && $0.method == .get } }

    /// The readable V3 endpoint at an absolute path.
    package static func endpoint(at segments: [String]) -> Endpoint? {
        operation(.get, at: segments).flatMap { $0.api == .v3 ? $0 : nil }
    }

    /// The operation for a method on an absolute path; literal segments take precedence over placeholders.
    package static func operation(_ method: Endpoint.Method, at segments: [String]) -> Endpoint? {
        var best: (line: TableText.Line, literals: Int)?
        TableText(EndpointTable.operations).forEach { line in
            guard line.begins(with: method.rawValue),
                let literals = PathTemplate.literals(of: line.secondColumn, matching: segments),
                literals > best?.literals ?? -1
            else { return }
            best = (line, literals)
        }
        return best.flatMap { EndpointLine($0.line.columns).endpoint }
    }

    /// All operations on an absolute path, in method order.
    package static func operations(at segments: [String]) -> [Endpoint] {
        let found = Endpoint.Method.allCases.compactMap { operation($0, at: segments) }
        let literals = found.map { $0.segments.count(where: { $0.first != "{" }) }
        // `employees/current` is a separate path, even though `employees/{empId}` takes methods that it does not.
        return zip(found, literals).filter { $1 == literals.max() }.map(\.0)
    }

    /// The operation of an iOS SDK method, by alias (`merchant-orders`) or by the method's own name.
    package static func operation(alias name: String) -> Endpoint? {
        guard name.contains("-") || name.hasPrefix("get") else { return nil }
        let wanted = name.lowercased()
        let plain = wanted.hasPrefix("get-") ? String(wanted.dropFirst(4)) : wanted
        return operations.first { $0.alias == plain || $0.sdkMethod?.lowercased() == plain }
    }

    /// Every alias, in catalogue order.
    package static var aliases: [String] { operations.compactMap(\.alias) }

    /// The families of all operations, sorted.
    package static var allFamilies: [String] { Set(operations.map(\.family)).sorted() }

    /// The first words of the readable paths below a merchant, sorted.
    package static var families: [String] {
        let words = endpoints.compactMap { displayPath($0).split(separator: "/").first.map(String.init) }
        return Set(words.filter { !$0.hasPrefix("v3") }).sorted()
    }

    /// The first words of the paths below a merchant that take this method, sorted.
    package static func families(taking method: Endpoint.Method) -> [String] {
        guard method != .get else { return families }
        let words = operations.filter { $0.method == method && $0.api == .v3 }
            .compactMap { displayPath($0).split(separator: "/").first.map(String.init) }
        return Set(words.filter { !$0.hasPrefix("v3") }).sorted()
    }

    /// A path as a user would type it: `orders/{orderId}` rather than `/v3/merchants/{mId}/orders/{orderId}`.
    package static func displayPath(_ endpoint: Endpoint) -> String {
        let prefix = "/v3/merchants/{mId}/"
        if endpoint.path == "/v3/merchants/{mId}" { return "merchant" }
        guard endpoint.path.hasPrefix(prefix) else { return endpoint.path }
        let relative = endpoint.path.dropFirst(prefix.count)
        return String(relative.last == "/" ? relative.dropLast() : relative)
    }
}
