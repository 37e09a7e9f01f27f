/// The collections of a shop that are kept as ready records; orders, payments, refunds and customers are made from
/// numbers instead.
package enum Table: String, Sendable, CaseIterable {
    case items, categories, tags, discounts, tenders, employees, roles, devices
    case modifierGroups = "modifier_groups"
    case modifiers
    case taxRates = "tax_rates"
    case orderTypes = "order_types"
    case openingHours = "opening_hours"
    case tipSuggestions = "tip_suggestions"
    // From here on, made by `Seeds` when the first request needs them.
    case itemStocks = "item_stocks"
    case itemGroups = "item_groups"
    case attributes, options, shifts
    case cashEvents = "cash_events"
    case employeeCards = "employee_cards"
    case orderFees = "order_fees"
    case orderFeeLines = "order_fee_line_items"
    case systemOrderTypes = "system_order_types"
    case printers
    case taxRules = "tax_rules"
    case voidedLines = "voided_line_items"
    case authorizations, credits
    case creditRefunds = "credit_refunds"
    case batches
    case printEvents = "print_event"
    case apps
    case meteredEvents = "metereds"
    case merchantPlans = "merchant_plans"
    case resellers

    /// Those that page rendering copies pieces of, made at the start.
    package static let established: [Table] = [
        .items, .categories, .tags, .discounts, .tenders, .employees, .roles, .devices, .modifierGroups, .modifiers,
        .taxRates, .orderTypes, .openingHours, .tipSuggestions,
    ]

    /// The details of the 404 answer; nil for the inventory, which says "invalid ID" (live sandbox notes).
    package var notFoundDetails: String? {
        switch self {
        case .items, .categories, .tags, .discounts, .modifierGroups, .modifiers, .taxRates, .itemStocks, .itemGroups,
            .attributes, .options, .taxRules:
            nil
        case .tenders: "Tender not found"
        case .employees: "Employee not found"
        case .roles: "Role not found"
        case .devices: "Device not found"
        case .orderTypes: "Order type not found"
        case .openingHours: "Opening hours not found"
        case .tipSuggestions: "Tip suggestion not found"
        case .shifts: "Shift not found"
        case .cashEvents: "Cash event not found"
        case .employeeCards: "Employee card not found"
        case .orderFees: "Order fee not found"
        case .orderFeeLines: "Line item not found"
        case .systemOrderTypes: "System order type not found"
        case .printers: "Printer not found"
        case .voidedLines: "Voided line item not found"
        case .authorizations: "Authorization not found"
        case .credits: "Credit not found"
        case .creditRefunds: "Credit refund not found"
        case .batches: "Batch not found"
        case .printEvents: "Print event not found"
        case .apps: "App not found"
        case .meteredEvents: "Event not found"
        case .merchantPlans: "Merchant plan not found"
        case .resellers: "Reseller not found"
        }
    }

    /// The 404 for a record that is not there.
    package var notFound: APIError {
        notFoundDetails.map { .notFound(details: $0) } ?? .invalidID
    }

    /// What every list of these records filters by, beside what its own endpoint is documented with (Clover REST
    /// documentation, header `X-Clover-Allowed-Filter-Fields`, and the clients generated from its description).
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
        case .tipSuggestions: FilterFields.tipSuggestions
        default: []
        }
    }
}

/// One record that is kept as JSON.
package struct TableRow: Sendable {
    package let id: String
    /// Everything about the record, also what is shown only on request.
    package var json: JSONValue
    /// Values it is filtered by that its JSON does not show.
    package var fields: [String: FieldValue]

    package init(id: String, json: JSONValue, fields: [String: FieldValue] = [:]) {
        self.id = id
        self.json = json
        self.fields = fields
    }
}

/// The records of a table in their default order.
package struct Rows: Sendable {
    package private(set) var ids: [String] = []
    private var rows: [String: TableRow] = [:]

    package init(_ list: [TableRow] = []) {
        ids.reserveCapacity(list.count)
        rows.reserveCapacity(list.count)
        for row in list where rows.updateValue(row, forKey: row.id) == nil { ids.append(row.id) }
    }

    package var count: Int { ids.count }

    /// All records.
    package var list: [TableRow] { ids.compactMap { rows[$0] } }

    package subscript(id: String) -> TableRow? { rows[id] }

    /// Puts a record in the place of the one with its id, or in front of all others: lists show the newest first.
    package mutating func put(_ row: TableRow) {
        if rows.updateValue(row, forKey: row.id) == nil { ids.insert(row.id, at: 0) }
    }

    package mutating func remove(_ id: String) {
        guard rows.removeValue(forKey: id) != nil else { return }
        ids.removeAll { $0 == id }
    }

    /// Brings the records that are named into the order of the names; the others stay in their places.
    package mutating func reorder(_ named: [String]) {
        let wanted = named.filter { rows[$0] != nil }
        let set = Set(wanted)
        var left = wanted.makeIterator()
        ids = ids.map { set.contains($0) ? left.next() ?? $0 : $0 }
    }
}
