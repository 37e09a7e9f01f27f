/// What items belong to, or have: many to many, changed through endpoints of their own.
package enum Association: String, Sendable, CaseIterable {
    case categories, tags, taxRates, modifierGroups, options

    package var table: Table {
        switch self {
        case .categories: .categories
        case .tags: .tags
        case .taxRates: .taxRates
        case .modifierGroups: .modifierGroups
        case .options: .options
        }
    }

    /// The name of one of them beside `item` in a pair.
    package var member: String {
        switch self {
        case .categories: "category"
        case .tags: "tag"
        case .taxRates: "taxRate"
        case .modifierGroups: "modifierGroup"
        case .options: "option"
        }
    }
}
