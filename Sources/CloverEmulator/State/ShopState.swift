/// Everything about a shop that writes change. Without writes it is empty, and the shop is as it was made.
package struct ShopState: Sendable {
    /// The tables that were written to, whole.
    package var tables: [Table: Rows] = [:]
    package var orders = Overlay()
    package var payments = Overlay()
    package var customers = Overlay()
    package var refunds = Overlay()
    /// Charges and what belongs to them.
    package var money = MoneyBook()
    /// What items belong to, by id of the item, where it was changed.
    package var links: [Association: [String: [String]]] = [:]
    /// Ids of the categories of an order type.
    package var orderTypeCategories: [String: [String]] = [:]
    /// Members of the merchant and of its properties that were set.
    package var merchant: [(key: String, value: JSONValue)] = []
    package var properties: [(key: String, value: JSONValue)] = []
    /// Pieces of orders, with what was changed in the records they show.
    var pieces: OrderPieces
    /// Ids made so far.
    package var identifiers = 0
    /// The instant of the last write, in milliseconds since 1970.
    package var time: Int

    init(shop: Shop) {
        pieces = shop.pieces
        time = shop.settings.now
    }
}

extension ShopState {
    /// Makes the changes of a call about money.
    ///
    /// - Parameters:
    ///   - identifiers: made in all, after the call.
    ///   - time: of the call, in milliseconds since 1970.
    mutating func apply(_ changes: [MoneyChange], identifiers: Int, time: Int, shop: Shop) {
        for change in changes {
            let row = TableRow(id: change.id, json: change.document)
            switch change.table {
            case .order: orders.keep(row)
            case .payment: payments.keep(row)
            case .refund: refunds.keep(row)
            case .credit: tables[.credits, default: shop.seeds.rows(.credits)].put(row)
            case .cardToken, .charge, .chargeRefund, .devicePayment, .answer, .movement:
                money.put(change.table, change.id, change.document)
            }
        }
        money.identifiers = identifiers
        self.time = time
    }
}

/// What was written over records that are made from numbers.
package struct Overlay: Sendable {
    /// New records, the newest first.
    package private(set) var added: [TableRow] = []
    /// Made records as they are now, by id.
    package private(set) var changed: [String: TableRow] = [:]
    /// Made records that are gone.
    package private(set) var removed: Set<String> = []
    /// Grows with every change.
    package private(set) var version = 0

    package init() {}

    package var isEmpty: Bool { version == 0 }

    package subscript(id: String) -> TableRow? {
        changed[id] ?? added.first { $0.id == id }
    }

    /// A copy with one more record, which is not a change: its versions are none that a change makes.
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

    /// Puts the present form of a record.
    package mutating func put(_ row: TableRow) {
        version += 1
        if let place = added.firstIndex(where: { $0.id == row.id }) {
            added[place] = row
        } else {
            changed[row.id] = row
        }
    }

    /// Puts a record that is there, or adds it.
    package mutating func keep(_ row: TableRow) {
        if self[row.id] == nil { add(row) } else { put(row) }
    }

    package mutating func remove(_ id: String) {
        version += 1
        changed[id] = nil
        if let place = added.firstIndex(where: { $0.id == id }) { added.remove(at: place) } else { removed.insert(id) }
    }
}

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

/// What a record that is kept as JSON is, which says what of it is shown only on request.
package enum DocumentKind: Sendable, Equatable {
    case order, lineItem, payment, customer, refund
    case table(Table)

    /// Members that come only when they are expanded.
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

    /// Members that are references and become whole records when they are expanded.
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

    /// What the entries of a collection inside the record are.
    func inside(_ member: String) -> DocumentKind? {
        self == .order && member == "lineItems" ? .lineItem : nil
    }
}
