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
