/// Documents of payment calls that V3 does not show, by table, in order of creation.
package struct PaymentLedger: Sendable {
    private struct Sheet: Sendable {
        var ids: [String] = []
        var documents: [String: JSONValue] = [:]
    }

    private var sheets: [PaymentTable: Sheet] = [:]
    package var identifiers = 0

    package subscript(table: PaymentTable, id: String) -> JSONValue? {
        sheets[table]?.documents[id]
    }

    /// All documents of a table, oldest first.
    package func documents(_ table: PaymentTable) -> [JSONValue] {
        guard let sheet = sheets[table] else { return [] }
        return sheet.ids.compactMap { sheet.documents[$0] }
    }

    /// The newest document of a table; nil if there is none.
    func newest(_ table: PaymentTable) -> JSONValue? {
        sheets[table].flatMap { sheet in sheet.ids.last.flatMap { sheet.documents[$0] } }
    }

    package mutating func put(_ table: PaymentTable, _ id: String, _ document: JSONValue) {
        if sheets[table, default: Sheet()].documents.updateValue(document, forKey: id) == nil {
            sheets[table]?.ids.append(id)
        }
    }
}

/// The tables that payment calls write to.
package enum PaymentTable: String, Sendable, CaseIterable {
    /// Card tokens of the ecommerce API, by token.
    case cardToken
    /// Charges and refunds as the ecommerce API shows them.
    case charge, chargeRefund
    /// Data about a device payment beyond its V3 record.
    case devicePayment
    /// First responses, by idempotency key.
    case answer
    /// Movements of money, for `GET /emulator/charges`.
    case movement
    /// Sessions of Hosted Checkout.
    case checkout
    /// Plans and subscriptions as the recurring API shows them.
    case plan, subscription
    /// Records visible in V3.
    case order, payment, refund, credit, customer
}

/// A document that a payment call created or changed, in its new form.
package struct PaymentChange: Sendable {
    let table: PaymentTable
    let id: String
    let document: JSONValue

    var json: JSONValue { [.string(table.rawValue), .string(id), document] }
}

extension PaymentChange {
    /// Parses the form that `json` produces; fails for anything else.
    init?(_ json: JSONValue) {
        guard let parts = json.list, parts.count == 3,
            let table = parts[0].text.flatMap({ PaymentTable(rawValue: $0) }),
            let id = parts[1].text
        else { return nil }
        self.init(table: table, id: id, document: parts[2])
    }
}

/// The movements of money so far, for tests to check.
package struct PaymentReport {
    private let movements: [JSONValue]

    package init(_ view: ShopView) {
        movements = view.state.money.documents(.movement)
    }

    /// Number of calls that charged a card or placed a hold.
    package var charges: Int { taken.count }

    /// Number of calls that charged a card although an earlier call with the same idempotency key or external id had. A
    /// later void or refund does not subtract from it.
    package var duplicateCharges: Int {
        var keys: Set<String> = []
        var externalIDs: Set<String> = []
        return taken.count { movement in
            let rail = movement["rail"]?.text ?? ""
            let isKnownKey = movement["key"]?.text.map { !keys.insert("\(rail) \($0)").inserted } ?? false
            let isKnownID = movement["externalId"]?.text.map { !externalIDs.insert("\(rail) \($0)").inserted } ?? false
            return isKnownKey || isKnownID
        }
    }

    /// The net amount moved under each idempotency key, in cents; refunds are negative.
    package var movedByKey: JSONValue {
        var keys: [String] = []
        var sums: [String: Int] = [:]
        for movement in movements {
            guard let key = movement["key"]?.text else { continue }
            if sums[key] == nil { keys.append(key) }
            sums[key, default: 0] += movement["moved"]?.integer ?? 0
        }
        return .object(keys.map { ($0, .integer(sums[$0] ?? 0)) })
    }

    /// The newest movements, oldest first.
    func newest(_ count: Int) -> [JSONValue] { Array(movements.suffix(count)) }

    /// `{"elements":[...]}` with all movements, oldest first.
    package var json: JSONValue { .kept(movements) }

    private var taken: [JSONValue] {
        movements.filter { movement in
            movement["result"]?.text == "approved"
                && movement["kind"]?.text.flatMap { MovementKind(rawValue: $0) }?.isCharge == true
        }
    }
}
