/// What to mask, by model; each model is loaded from the catalogue when a record first contains it.
struct MaskRules: Sendable {
    /// How to treat a value.
    indirect enum Rule: Sendable {
        /// Unknown: decide by name.
        case unknown
        /// An object of the model of this name.
        case model(String)
        /// A list, as `{"elements":[...]}` or a plain array.
        case entries(Rule)
        /// An object with arbitrary member names.
        case values(Rule)
        /// Masked; `label` names the field to the user, such as `employees.Employee.pin`.
        case sensitive(label: String)
        /// Masked if it looks like a card number or card token.
        case card(label: String)
    }

    private var models: [String: [String: Rule]] = [:]

    /// The rule for a member of an object.
    mutating func rule(for name: String, in rule: Rule) -> Rule {
        switch rule {
        case .model(let model): return fields(of: model)[name] ?? Self.byName(name)
        case .entries where name == "elements": return rule
        case .values(let inner): return inner
        case .sensitive: return rule
        case .unknown, .entries, .card: return Self.byName(name)
        }
    }

    /// The rule for an array element.
    func ruleForEntry(of rule: Rule) -> Rule {
        if case .entries(let inner) = rule { return inner }
        return rule
    }

    private static func byName(_ name: String) -> Rule {
        switch SensitiveNames.all.verdict(of: name) {
        case .harmless: .unknown
        case .sensitive: .sensitive(label: name)
        case .card: .card(label: name)
        }
    }

    private mutating func fields(of model: String) -> [String: Rule] {
        if let known = models[model] { return known }
        var rules: [String: Rule] = [:]
        for field in ModelCatalogue.model(named: model)?.fields ?? [] {
            rules[field.name] =
                field.isSensitive ? .sensitive(label: "\(model).\(field.name)") : Self.rule(for: field.type)
        }
        models[model] = rules
        return rules
    }

    private static func rule(for type: FieldType) -> Rule {
        switch type {
        case .list(let inner), .sequence(let inner): .entries(rule(for: inner))
        case .map(let inner): .values(rule(for: inner))
        case .model(let name): .model(name)
        case .string, .boolean, .double, .integer, .timestamp, .any, .object, .array, .enumeration: .unknown
        }
    }
}
