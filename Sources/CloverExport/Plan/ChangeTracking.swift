package import CloverAPI

/// How a list tells what has changed since somebody looked last.
package enum ChangeTracking: Sendable, Equatable {
    /// Its records carry the time of their last change, and it can be filtered by that.
    case changes(field: String)
    /// Its records are made once and never changed, and it can be filtered by when.
    case arrivals(field: String)
    /// Nothing tells: it is taken whole and compared.
    case whole

    /// Models whose records nobody can change (Clover: cash events are a log).
    private static let immutable: Set<String> = ["cash.CashEvent"]

    /// - Parameter endpoint: nil for a path that the catalogue does not know.
    package init(_ endpoint: Endpoint?) {
        guard let endpoint, endpoint.shape == .list, let name = endpoint.model,
            let model = ModelCatalogue.model(named: name)
        else {
            self = .whole
            return
        }
        if let field = endpoint.changeField, endpoint.filterable.contains(field), model.field(named: field) != nil {
            self = .changes(field: field)
        } else if let field = endpoint.timeField, Self.immutable.contains(name), endpoint.filterable.contains(field),
            model.field(named: field) != nil
        {
            self = .arrivals(field: field)
        } else {
            self = .whole
        }
    }

    /// The time by which new and changed records are asked for.
    package var field: String? {
        switch self {
        case .changes(let field), .arrivals(let field): field
        case .whole: nil
        }
    }
}
