/// Tells, before anything is sent, whether the records of a list can hold sensitive fields.
///
/// What comes without being expanded: a record's own values and the objects in it that are no records themselves. A
/// nested list, an object with an id of its own, and whatever the endpoint lets one expand come only when they are
/// expanded (Clover: expanding fields).
struct SensitiveReach {
    private let endpoint: Endpoint
    private let expand: [String]

    /// - Parameter expand: the names that are expanded, such as `payments.cardTransaction`.
    init(_ endpoint: Endpoint, expand: [String]) {
        self.endpoint = endpoint
        self.expand = expand
    }

    /// False only when the catalogue knows all that comes, and nothing of it is sensitive.
    var mayHoldSensitive: Bool {
        guard let name = endpoint.model, let model = ModelCatalogue.model(named: name) else { return true }
        guard expand.allSatisfy({ isKnown($0, of: model) }) else { return true }
        return isSensitive(model, at: [])
    }

    /// - Parameter path: the names that lead to the object; the walk ends because no path visits a model twice.
    private func isSensitive(_ model: Model, at path: [String], behind models: Set<String> = []) -> Bool {
        model.fields.contains { field in
            if field.isSensitive { return true }
            guard let name = field.type.nestedModel, !models.contains(name),
                let nested = ModelCatalogue.model(named: name)
            else { return false }
            let place = path + [field.name]
            guard isExpanded(place) || comesUnasked(field, nested, at: place) else { return false }
            return isSensitive(nested, at: place, behind: models.union([model.name]))
        }
    }

    private func isExpanded(_ place: [String]) -> Bool {
        let name = place.joined(separator: ".")
        return expand.contains { $0 == name || $0.hasPrefix(name + ".") }
    }

    private func comesUnasked(_ field: Model.Field, _ nested: Model, at place: [String]) -> Bool {
        if case .list = field.type { return false }
        return !field.isReference && nested.field(named: "id") == nil
            && !endpoint.expandable.contains(place.joined(separator: "."))
    }

    /// Whether the catalogue knows where an expansion leads.
    private func isKnown(_ expansion: String, of model: Model) -> Bool {
        var current: Model? = model
        for part in expansion.split(separator: ".") {
            guard let name = current?.field(named: part)?.type.nestedModel else { return false }
            current = ModelCatalogue.model(named: name)
        }
        return current != nil
    }
}
