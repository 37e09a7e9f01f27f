/// The small collections of a shop.
package enum Table: String, Sendable, CaseIterable {
    case items, categories, tags, discounts, tenders, employees, roles, devices
    case modifierGroups = "modifier_groups"
    case modifiers
    case taxRates = "tax_rates"
    case orderTypes = "order_types"
    case openingHours = "opening_hours"
    case tipSuggestions = "tip_suggestions"

    /// The details of the 404 answer; nil for the inventory, which says "invalid ID" (live sandbox notes).
    package var notFoundDetails: String? {
        switch self {
        case .items, .categories, .tags, .discounts, .modifierGroups, .modifiers, .taxRates: nil
        case .tenders: "Tender not found"
        case .employees: "Employee not found"
        case .roles: "Role not found"
        case .devices: "Device not found"
        case .orderTypes: "Order type not found"
        case .openingHours: "Opening hours not found"
        case .tipSuggestions: "Tip suggestion not found"
        }
    }

    /// What the endpoint filters by (Clover REST documentation, header `X-Clover-Allowed-Filter-Fields`, and the clients
    /// generated from its description); empty where no source lists fields.
    package var fields: [FilterField] {
        switch self {
        case .items: FilterFields.items
        case .categories: FilterFields.categories
        case .tags: FilterFields.tags
        case .discounts: FilterFields.discounts
        case .tenders: FilterFields.tenders
        case .employees: FilterFields.employees
        case .roles: FilterFields.roles
        case .devices: FilterFields.devices
        case .modifierGroups: FilterFields.modifierGroups
        case .modifiers: FilterFields.modifiers
        case .taxRates: FilterFields.taxRates
        case .orderTypes: FilterFields.orderTypes
        case .openingHours: []
        case .tipSuggestions: FilterFields.tipSuggestions
        }
    }
}
