/// Finds where the API uses a model or one of its fields.
package enum ModelUse {
    /// A readable path and a name to expand on it.
    package struct Expansion: Sendable, Equatable {
        /// Relative to the merchant if possible, such as `orders/{orderId}`.
        package let path: String
        package let name: String
    }

    /// The operations that return records of the model.
    package static func answers(with model: String) -> [Endpoint] {
        EndpointCatalogue.operations.filter { $0.model == model }
    }

    /// The operations that take the model as a body.
    package static func bodies(of model: String) -> [Endpoint] {
        EndpointCatalogue.operations.filter { $0.body == model || $0.body == "elements<\(model)>" }
    }

    /// The expansions that return objects of the model inside other records.
    package static func expansions(to model: String) -> [Expansion] {
        var found: [Expansion] = []
        for endpoint in EndpointCatalogue.endpoints {
            guard let start = endpoint.model else { continue }
            let path = EndpointCatalogue.displayPath(endpoint)
            found += endpoint.expandable.filter { self.model(at: $0, of: start) == model }
                .map { Expansion(path: path, name: $0) }
        }
        return found
    }

    /// The readable paths where the field is returned, or returned in full, only if it is expanded.
    package static func expansionPaths(of field: String, in model: String) -> [String] {
        EndpointCatalogue.endpoints.filter { $0.model == model && $0.expandable.contains(field) }
            .map(EndpointCatalogue.displayPath)
    }

    /// The model at a dotted path: `payments.Tender` for `payments.tender` of an order.
    private static func model(at path: String, of start: String) -> String? {
        var current = start
        for part in path.split(separator: ".") {
            guard let next = ModelCatalogue.model(named: current)?.field(named: part)?.type.nestedModel else {
                return nil
            }
            current = next
        }
        return current
    }
}
