import CloverHTTP

/// The operations that a user asked about: all, one family, or those on one path.
package struct EndpointSelection: Sendable, Equatable {
    package let operations: [Endpoint]
    /// The subset of `operations` on exactly the requested path.
    package let explained: [Endpoint]

    /// - Parameters:
    ///   - text: a family (`orders`), a path with ids or names in braces (`orders/{orderId}`,
    ///     `/v3/merchants/M/orders`), or an alias of the iOS SDK (`merchant-orders`); nil for everything.
    ///   - method: excludes other methods.
    package init(_ text: String?, method: Endpoint.Method? = nil) throws(QueryError) {
        func isWanted(_ operation: Endpoint) -> Bool { method == nil || operation.method == method }
        guard let text else {
            operations = EndpointCatalogue.operations.filter(isWanted)
            explained = []
            return
        }
        let onPath = try Self.operations(on: text, method)
        let family = EndpointCatalogue.operations.filter { $0.family == text }
        let found = family.isEmpty ? onPath : family
        guard !found.isEmpty else { throw try Self.unknown(text) }
        operations = found.filter(isWanted)
        explained = onPath.filter(isWanted)
        if let method, operations.isEmpty {
            // SDK aliases only apply to reads, so another method needs the path.
            let isAlias = EndpointCatalogue.operation(alias: text) != nil
            let path = isAlias ? EndpointCatalogue.displayPath(found[0]) : text
            throw .noSuchOperation(method, path: path, takes: Self.methods(of: found))
        }
    }

    private static func operations(
        on text: String, _ method: Endpoint.Method?
    ) throws(QueryError) -> [Endpoint] {
        let typed = try ResourcePath.split(text)
        if let alias = typed.first, let endpoint = EndpointCatalogue.operation(alias: alias) {
            // The SDK could only read; a user who asks for another method means the path.
            guard let method, method != endpoint.method else { return [endpoint] }
            return EndpointCatalogue.operations(at: endpoint.segments.map(String.init))
        }
        let candidates = [
            relative(typed), typed, ResourcePath.plural(of: relative(typed)) ?? [],
            EndpointCatalogue.ecommerceSegments(typed) ?? [],
        ]
        return candidates.lazy.map(EndpointCatalogue.operations(at:)).first { !$0.isEmpty } ?? []
    }

    private static func relative(_ typed: [String]) -> [String] {
        ["v3", "merchants", "{mId}"] + (typed == ["merchant"] ? [] : typed)
    }

    private static func unknown(_ text: String) throws(QueryError) -> QueryError {
        let typed = try ResourcePath.split(text)
        let aliases = typed.first.map { EndpointCatalogue.aliasSuggestions(for: $0) } ?? []
        guard aliases.isEmpty else { return .unknownEndpoint(text, suggestions: aliases) }
        let segments = typed.first == "v3" ? typed : relative(typed)
        let paths = Endpoint.Method.allCases.lazy
            .map { EndpointCatalogue.suggestions(for: segments, method: $0) }
            .first { !$0.isEmpty }
        let suggestions = paths ?? EndpointCatalogue.continuations(of: segments)
        guard suggestions.isEmpty, typed.count == 1 else { return .unknownEndpoint(text, suggestions: suggestions) }
        // Among many names with the same prefix, the shortest is the nearest.
        let near = NearestNames.of(text, among: EndpointCatalogue.allFamilies, count: .max)
            .sorted { ($0.count, $0) < ($1.count, $1) }
        return .unknownEndpoint(text, suggestions: Array(near.prefix(3)))
    }

    private static func methods(of operations: [Endpoint]) -> [Endpoint.Method] {
        Endpoint.Method.allCases.filter { method in operations.contains { $0.method == method } }
    }
}
