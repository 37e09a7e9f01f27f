/// The documents of calls about money that V3 does not show, by table, each in the order of their making.
package struct MoneyBook: Sendable {
    private struct Sheet: Sendable {
        var ids: [String] = []
        var documents: [String: JSONValue] = [:]
    }

    private var sheets: [MoneyTable: Sheet] = [:]
    /// Ids made so far.
    package var identifiers = 0

    package init() {}

    package subscript(table: MoneyTable, id: String) -> JSONValue? {
        sheets[table]?.documents[id]
    }

    /// All documents of a table, the oldest first.
    package func documents(_ table: MoneyTable) -> [JSONValue] {
        guard let sheet = sheets[table] else { return [] }
        return sheet.ids.compactMap { sheet.documents[$0] }
    }

    package mutating func put(_ table: MoneyTable, _ id: String, _ document: JSONValue) {
        if sheets[table, default: Sheet()].documents.updateValue(document, forKey: id) == nil {
            sheets[table]?.ids.append(id)
        }
    }
}

/// The kinds of documents that calls about money keep.
package enum MoneyTable: String, Sendable, CaseIterable {
    /// Card tokens of the ecommerce interface, by token.
    case cardToken
    /// Charges and refunds as the ecommerce interface shows them.
    case charge, chargeRefund
    /// What is known of a payment taken by a device besides its V3 record.
    case devicePayment
    /// First answers by idempotency key.
    case answer
    /// What every call did to money, for `GET /emulator/charges`.
    case movement
    /// Records that V3 shows.
    case order, payment, refund, credit
}

/// A document that a call about money made or changed, in its new form.
package struct MoneyChange: Sendable {
    let table: MoneyTable
    let id: String
    let document: JSONValue

    init(table: MoneyTable, id: String, document: JSONValue) {
        self.table = table
        self.id = id
        self.document = document
    }

    var json: JSONValue { .array([.string(table.rawValue), .string(id), document]) }

    /// Reads what `json` gives; nil for anything else.
    init?(_ json: JSONValue) {
        guard let parts = json.list, parts.count == 3, let table = parts[0].text.flatMap({ MoneyTable(rawValue: $0) }),
            let id = parts[1].text
        else { return nil }
        self.init(table: table, id: id, document: parts[2])
    }
}

/// What has happened to money, for tests as judge.
package struct MoneyReport {
    private let movements: [JSONValue]

    package init(_ view: ShopView) {
        movements = view.state.money.documents(.movement)
    }

    /// Calls that took money, or a hold on it.
    package var charges: Int { taken.count }

    /// Calls that took money although another one with their idempotency key, or with their external id, had taken it
    /// before. A later void or refund does not make it undone.
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

    /// What each idempotency key has moved in all, in the smallest unit; what was given back counts below zero.
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

    /// `{"elements":[...]}` with all movements, the oldest first.
    package var json: JSONValue { .kept(movements) }

    private var taken: [JSONValue] {
        movements.filter { movement in
            movement["result"]?.text == "approved"
                && movement["kind"]?.text.flatMap { Movement.Kind(rawValue: $0) }?.isCharge == true
        }
    }
}
