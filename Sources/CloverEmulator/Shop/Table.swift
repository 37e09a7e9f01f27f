/// The collections of a shop that are stored as records. Orders, payments, refunds and customers are generated instead.
package enum Table: String, Sendable, CaseIterable {
    case items, categories, tags, discounts, tenders, employees, roles, devices
    case modifierGroups = "modifier_groups"
    case modifiers
    case taxRates = "tax_rates"
    case orderTypes = "order_types"
    case openingHours = "opening_hours"
    case tipSuggestions = "tip_suggestions"
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

    /// What the 404 calls a record; the inventory returns "invalid ID" instead (live sandbox notes).
    private static let nouns: [Table: String] = [
        .tenders: "Tender", .employees: "Employee", .roles: "Role", .devices: "Device", .orderTypes: "Order type",
        .openingHours: "Opening hours", .tipSuggestions: "Tip suggestion", .shifts: "Shift", .cashEvents: "Cash event",
        .employeeCards: "Employee card", .orderFees: "Order fee", .orderFeeLines: "Line item",
        .systemOrderTypes: "System order type", .printers: "Printer", .voidedLines: "Voided line item",
        .authorizations: "Authorization", .credits: "Credit", .creditRefunds: "Credit refund", .batches: "Batch",
        .printEvents: "Print event", .apps: "App", .meteredEvents: "Event", .merchantPlans: "Merchant plan",
        .resellers: "Reseller",
    ]

    /// The 404 for a record that does not exist.
    var notFound: APIError {
        Self.nouns[self].map { .notFound(details: "\($0) not found") } ?? .invalidID
    }

    /// `categoryId` is in no documented list but works (live sandbox notes).
    private static let filters: [Table: [FilterField]] = [
        .items: """
        name:n,alternateName:n,id:t,item.id:t,sku:t,itemCode:t,price:i,hidden:b,available:b,autoManage:b,deleted:b,\
        modifiedTime:i,lowStock:b,itemStock.quantity:i,itemGroup.id:t,option.id:t,modifierGroup.id:t,tags.id:t,\
        tags.name:n,defaultTaxRates:b,isRevenue:b,isAgeRestricted:b,ageRestrictedType:t,minimumAge:i,categoryId:t
        """,
        .categories: "id:t,name:n,sortOrder:i,colorCode:t,deleted:b,modifiedTime:i",
        .tags: "modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t",
        .discounts: "amount:i,modifiedtime:i,percentage:i,id:t",
        .tenders: """
        modifiedTime:i,visible:b,merchantId:t,instruction:t,systemTenderId:t,label:n,id:t,labelKey:t,\
        opensCashDrawer:b,deletedTime:i,enabled:b
        """,
        .employees: "modifiedTime:i,role:c,role.id:t,customId:t,pin:t,name:n,nickname:n,id:t,deletedTime:i,email:t",
        .roles: "modifiedTime:i,systemRole:c,name:n,id:t,deletedTime:i",
        .devices: """
        serial:t,name:n,merchant.id:t,merchant.name:n,deviceTypeName:t,model:t,id:t,deleted_time:i,orderPrefix:t
        """,
        .modifierGroups: """
        modifiedTime:i,category.id:t,negativeSortOrder:i,item.id:t,sortOrder:i,name:n,id:t,showByDefault:b
        """,
        .modifiers: "modifiedTime:i,price:i,name:n,alternateName:n,id:t,modifierGroup.id:t",
        .taxRates: "isDefault:b,rate:i,items.id:t,name:n,id:t,taxAmount:i,taxType:c",
        .orderTypes: "id:t,deletedTime:i",
        .tipSuggestions: "flatTip:b,percentage:i,name:n,id:t,enabled:b",
    ].mapValues { FilterField.list($0) }

    /// The filter fields that all lists of these records have, in addition to those documented for each endpoint
    /// (Clover REST documentation, header `X-Clover-Allowed-Filter-Fields`, and clients generated from its
    /// description).
    var fields: [FilterField] { Self.filters[self] ?? [] }
}

/// A record stored as JSON.
package struct TableRow: Sendable {
    let id: String
    /// The whole record, including members that are shown only on request.
    var json: JSONValue
    /// Values for filters that the JSON does not contain.
    var fields: [String: FieldValue] = [:]
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
    package var list: [TableRow] { ids.compactMap { rows[$0] } }

    package subscript(id: String) -> TableRow? { rows[id] }

    /// Replaces the record with the same id, or inserts the record in front: lists show the newest first.
    package mutating func put(_ row: TableRow) {
        if rows.updateValue(row, forKey: row.id) == nil { ids.insert(row.id, at: 0) }
    }

    package mutating func remove(_ id: String) {
        guard rows.removeValue(forKey: id) != nil else { return }
        ids.removeAll { $0 == id }
    }

    /// Sorts the named records in the given order; the others keep their positions.
    package mutating func reorder(_ named: [String]) {
        let wanted = named.filter { rows[$0] != nil }
        let set = Set(wanted)
        var left = wanted.makeIterator()
        ids = ids.map { set.contains($0) ? left.next() ?? $0 : $0 }
    }
}
