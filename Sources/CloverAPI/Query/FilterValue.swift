/// Checks the values of filters against the types of their fields: the service refuses some of the wrong ones with an
/// error that does not say what to write, and takes others for a value that no record has.
package enum FilterValue {
    package enum Kind: Sendable, Equatable {
        /// A whole number of minor units. `meant` is the value in them, if it was given with decimals or a sign.
        case amount(meant: String?)
        case wholeNumber, number, truth
        /// One of these cases; `near` are those that the value is likely to be, with a typing error.
        case oneOf([String], near: [String])
    }

    /// A value that the catalogue does not have among the cases of its field. Clover may have it nevertheless.
    package struct Unlisted: Sendable, Equatable {
        package let value: String
        package let field: String
        package let cases: [String]
        /// Those that the value is likely to be, with a typing error.
        package let near: [String]
    }

    /// Booleans by which lists filter although no description of their records has them.
    private static let truths: Set = ["voided"]

    /// Values of texts that hold anything: Clover names the first two for the state of an order, and enforces none (Clover:
    /// create a custom order, field state). Recorded responses have `paid` too.
    private static let usual = ["order.Order.state": ["open", "locked", "paid"]]

    /// Throws for the first value that the field cannot have, or that is one of its cases with a typing error. Fields of
    /// unknown type, and times, are not checked here.
    ///
    /// - Returns: the values that are near none of the known cases, and those of a text that are none of its usual ones.
    package static func check(_ filter: FilterExpression, of model: Model) throws(QueryError) -> [Unlisted] {
        guard !FilterExpression.isTimeField(filter.field) else { return [] }
        let field = field(filter.field, of: model)
        guard field != nil || truths.contains(filter.field) else { return [] }
        var unlisted: [Unlisted] = []
        let usual = usual["\(model.name).\(filter.field)"] ?? []
        for value in values(filter.condition) {
            if !usual.isEmpty, !accepts(value, .oneOf(usual, near: [])) {
                unlisted.append(
                    Unlisted(
                        value: value, field: filter.field, cases: usual, near: NearestNames.of(value, among: usual)))
            }
            guard let kind = field.map({ kind(of: $0, for: value) }) ?? .truth, !accepts(value, kind) else { continue }
            guard case .oneOf(let cases, near: []) = kind else {
                throw .wrongValue(value, filter: filter, kind)
            }
            unlisted.append(Unlisted(value: value, field: filter.field, cases: cases, near: []))
        }
        return unlisted
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
        case .string: oneOf(field.cases, value)
        case .enumeration(let name): oneOf(ModelCatalogue.enumeration(named: name)?.cases ?? [], value)
        case .any, .object, .array, .list, .sequence, .map, .model: nil
        }
    }

    private static func oneOf(_ cases: [String], _ value: String) -> Kind? {
        cases.isEmpty ? nil : .oneOf(cases, near: NearestNames.of(value, among: cases))
    }

    private static func accepts(_ value: String, _ kind: Kind) -> Bool {
        switch kind {
        case .amount: value.wholeMatch(of: /[+-]?[0-9]+/) != nil
        // Some descriptions have numbers where the service takes truths, such as `printed` of voided line items.
        case .wholeNumber: value.wholeMatch(of: /[+-]?[0-9]+|true|false/) != nil
        case .number: Double(value) != nil
        case .truth: ["true", "false"].contains(value.lowercased())
        // The service compares them without regard to case.
        case .oneOf(let cases, _): cases.contains { $0.lowercased() == value.lowercased() }
        }
    }

    /// Minor units of an amount such as `50.00`, `$50`, `12,5` or `1,000`; nil if it is no amount. Two decimals are assumed, as
    /// cents have them: only the suggestion in an error relies on it.
    private static func minorUnits(_ text: String) -> String? {
        let isGrouped = text.wholeMatch(of: /-?[$€£]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{0,2})?/) != nil
        let plain = isGrouped ? text.filter { $0 != "," } : text
        guard let match = plain.wholeMatch(of: /(-?)[$€£]?([0-9]{1,12})(?:[.,]([0-9]{0,2}))?/) else { return nil }
        let decimals = String(match.3 ?? "")
        let digits = match.2 + decimals + String(repeating: "0", count: 2 - decimals.count)
        let whole = digits.drop { $0 == "0" }
        return whole.isEmpty ? "0" : match.1 + String(whole)
    }
}
