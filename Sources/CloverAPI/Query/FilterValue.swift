/// Checks the values of filters against the types of their fields: the service refuses some of the wrong ones with an
/// error that does not say what to write, and takes others for a value that no record has.
package enum FilterValue {
    package enum Kind: Sendable, Equatable {
        /// A whole number of minor units. `meant` is the value in them, if it was given with decimals or a sign.
        case amount(meant: String?)
        case wholeNumber, number, truth
    }

    /// Throws for the first value that the field cannot have. Fields of unknown type, and times, are not checked here.
    static func check(_ filter: FilterExpression, of model: Model) throws(QueryError) {
        guard !FilterExpression.isTimeField(filter.field), let field = field(filter.field, of: model) else { return }
        for value in values(filter.condition) {
            guard let kind = kind(of: field, for: value), !accepts(value, kind) else { continue }
            throw .wrongValue(value, filter: filter, kind)
        }
    }

    /// The values of a condition in the service's form, without their quotes.
    private static func values(_ condition: String) -> [String] {
        if condition.hasPrefix(" IS ") { return [] }
        if condition.hasPrefix(" in ("), condition.hasSuffix(")") {
            return condition.dropFirst(" in (".count).dropLast().split(separator: ",").map {
                String($0.drop { $0 == "'" }.prefix { $0 != "'" })
            }
        }
        return [String(condition.drop { "<>=!".contains($0) })]
    }

    /// The field at a path such as `total` or `item.price`; nil if it is not known.
    private static func field(_ path: String, of model: Model) -> Model.Field? {
        let names = path.split(separator: ".")
        var model = model
        for name in names.dropLast() {
            guard let nested = model.field(named: name)?.type.nestedModel,
                let next = ModelCatalogue.model(named: nested)
            else { return nil }
            model = next
        }
        return names.last.flatMap { model.field(named: $0) }
    }

    private static func kind(of field: Model.Field, for value: String) -> Kind? {
        switch field.type {
        case .integer: field.unit == .minor ? .amount(meant: minorUnits(value)) : .wholeNumber
        case .timestamp: .wholeNumber
        case .double: .number
        case .boolean: .truth
        case .string, .any, .object, .array, .list, .sequence, .map, .enumeration, .model: nil
        }
    }

    private static func accepts(_ value: String, _ kind: Kind) -> Bool {
        switch kind {
        case .amount: value.wholeMatch(of: /[+-]?[0-9]+/) != nil
        // Some descriptions have numbers where the service takes truths, such as `printed` of voided line items.
        case .wholeNumber: value.wholeMatch(of: /[+-]?[0-9]+|true|false/) != nil
        case .number: Double(value) != nil
        case .truth: ["true", "false", "1", "0"].contains(value.lowercased())
        }
    }

    /// Minor units of an amount such as `50.00`, `$50` or `12,5`; nil if it is no amount. Two decimals are assumed, as
    /// cents have them: only the suggestion in an error relies on it.
    private static func minorUnits(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: /(-?)[$€£]?([0-9]{1,12})(?:[.,]([0-9]{0,2}))?/) else { return nil }
        let decimals = String(match.3 ?? "")
        let digits = match.2 + decimals + String(repeating: "0", count: 2 - decimals.count)
        let whole = digits.drop { $0 == "0" }
        return whole.isEmpty ? "0" : match.1 + String(whole)
    }
}
