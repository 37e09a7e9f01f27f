/// The state of a shop that writes change. Without writes it is empty, and the shop is as generated.
package struct ShopState: Sendable {
    /// The tables that were written to, in full.
    package var tables: [Table: Rows] = [:]
    package var orders = Overlay()
    package var payments = Overlay()
    package var customers = Overlay()
    package var refunds = Overlay()
    /// Charges and related documents.
    package var money = PaymentLedger()
    /// Changed associations of items, by item id.
    package var links: [Association: [String: [String]]] = [:]
    /// Category ids by order type.
    package var orderTypeCategories: [String: [String]] = [:]
    /// Changed members of the merchant and of its properties.
    package var merchant: JSONValue = [:]
    package var properties: JSONValue = [:]
    /// The encoded records that generated orders and payments show when expanded, by index, with their changes.
    var pieces: [Table: [[UInt8]]]
    package var identifiers = 0
    /// The time of the last write, in milliseconds since 1970.
    package var time: Int

    init(shop: Shop) {
        pieces = shop.pieces
        time = shop.settings.now
    }
}

extension ShopState {
    /// Applies the changes of a payment call.
    ///
    /// - Parameters:
    ///   - identifiers: number of ids generated so far, after the call.
    ///   - time: time of the call, in milliseconds since 1970.
    mutating func apply(_ changes: [PaymentChange], identifiers: Int, time: Int, shop: Shop) {
        for change in changes {
            let row = TableRow(id: change.id, json: change.document)
            switch change.table {
            case .order: orders.keep(row)
            case .payment: payments.keep(row)
            case .refund: refunds.keep(row)
            case .customer: customers.keep(row)
            case .credit: tables[.credits, default: shop.seeds.rows(.credits)].put(row)
            case .cardToken, .charge, .chargeRefund, .devicePayment, .answer, .movement, .checkout, .plan,
                .subscription:
                money.put(change.table, change.id, change.document)
            }
        }
        money.identifiers = identifiers
        self.time = time
    }
}

/// Writes on top of generated records.
package struct Overlay: Sendable {
    /// New records, newest first.
    package private(set) var added: [TableRow] = []
    /// Changed generated records, by id.
    package private(set) var changed: [String: TableRow] = [:]
    /// Ids of deleted generated records.
    package private(set) var removed: Set<String> = []
    /// Increases with every change.
    package private(set) var version = 0

    package subscript(id: String) -> TableRow? {
        changed[id] ?? added.first { $0.id == id }
    }

    /// A copy that shows one more record. This is not a change: its version differs from the version of any change.
    package func showing(_ row: TableRow) -> Overlay {
        var copy = self
        copy.changed[row.id] = row
        copy.version = -version - 1
        return copy
    }

    package mutating func add(_ row: TableRow) {
        version += 1
        added.insert(row, at: 0)
    }

    package mutating func put(_ row: TableRow) {
        version += 1
        if let place = added.firstIndex(where: { $0.id == row.id }) {
            added[place] = row
        } else {
            changed[row.id] = row
        }
    }

    package mutating func keep(_ row: TableRow) {
        if self[row.id] == nil { add(row) } else { put(row) }
    }

    package mutating func remove(_ id: String) {
        version += 1
        changed[id] = nil
        if let place = added.firstIndex(where: { $0.id == id }) { added.remove(at: place) } else { removed.insert(id) }
    }
}

/// Many-to-many associations of items, changed through separate endpoints.
package enum Association: String, Sendable, CaseIterable {
    case categories, tags, taxRates, modifierGroups, options

    /// The table of the associated records, and the member with one of them in a pair with `item`.
    private var end: (table: Table, member: String) {
        switch self {
        case .categories: (.categories, "category")
        case .tags: (.tags, "tag")
        case .taxRates: (.taxRates, "taxRate")
        case .modifierGroups: (.modifierGroups, "modifierGroup")
        case .options: (.options, "option")
        }
    }

    package var table: Table { end.table }
    package var member: String { end.member }
}

/// The kind of a record stored as JSON; determines which members are shown only on request.
package enum DocumentKind: Sendable, Equatable {
    case order, lineItem, payment, customer, refund
    case table(Table)

    /// Members that are included only when expanded.
    var hidden: Set<String> {
        switch self {
        case .order:
            [
                "lineItems", "discounts", "payments", "refunds", "customers", "credits", "voids", "serviceCharge",
                "orderFulfillmentEvent",
            ]
        case .lineItem: ["discounts", "modifications", "taxRates", "payments"]
        case .payment: ["cardTransaction", "taxRates", "refunds", "lineItemPayments"]
        case .customer: ["addresses", "emailAddresses", "phoneNumbers", "cards", "metadata", "orders"]
        case .table(.authorizations): ["cardTransaction", "externalReferenceId"]
        case .table(.credits): ["cardTransaction", "taxRates"]
        case .table(.items): ["taxRates", "modifierGroups", "categories", "tags", "options", "itemStock"]
        default: []
        }
    }

    /// The kind of a referenced record; the reference is replaced by the record when expanded.
    func referenced(_ member: String) -> DocumentKind? {
        switch (self, member) {
        case (_, "employee"), (_, "overrideInEmployee"), (_, "overrideOutEmployee"), (_, "owner"): .table(.employees)
        case (_, "device"): .table(.devices)
        case (_, "orderType"): .table(.orderTypes)
        case (_, "tender"), (_, "overrideMerchantTender"): .table(.tenders)
        case (_, "order"), (_, "orderRef"): .order
        case (_, "payment"), (_, "closingPayment"): .payment
        case (_, "credit"): .table(.credits)
        case (_, "modifierGroup"): .table(.modifierGroups)
        case (.order, "payments"), (.order, "voids"): .payment
        case (.order, "customers"): .customer
        default: nil
        }
    }

    /// The kind of the entries of a nested collection.
    func inside(_ member: String) -> DocumentKind? {
        self == .order && member == "lineItems" ? .lineItem : nil
    }
}
