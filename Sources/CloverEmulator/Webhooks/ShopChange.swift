import NIOCore

/// A change of an object that the service's webhooks report (Clover documentation, webhooks).
package struct ShopChange: Sendable, Equatable {
    /// The kind of the object, such as `O` for orders.
    package let key: String
    package let id: String
    package let type: ChangeType
    /// Milliseconds since 1970.
    package let time: Int

    package enum ChangeType: String, Sendable {
        case create = "CREATE"
        case update = "UPDATE"
        case delete = "DELETE"
    }

    package init(key: String, id: String, type: ChangeType, time: Int) {
        self.key = key
        self.id = id
        self.type = type
        self.time = time
    }

    /// The keys by list. Refunds, shifts, tenders, stock counts and some others have no webhooks.
    private static let keys = [
        "customers": "C", "cash_events": "CA", "employees": "E", "items": "I", "categories": "IC",
        "modifier_groups": "IG", "modifiers": "IM", "orders": "O", "payments": "P", "opening_hours": "SH",
    ]

    /// An object of a list; nil if the list has no webhooks.
    init?(list: String, id: String, type: ChangeType, time: Int) {
        guard let key = Self.keys[list] else { return nil }
        self.init(key: key, id: id, type: type, time: time)
    }

    /// The changes that a successful write request made.
    ///
    /// - Parameter path: the segments after `/v3`.
    static func changes(method: String, path: [String], answer: ByteBuffer, time: Int) -> [ShopChange] {
        guard path.first == "merchants", path.count >= 2 else { return [] }
        let merchant = ShopChange(key: "M", id: path[1], type: .update, time: time)
        let words = Array(path.dropFirst(2))
        guard let list = words.first, list != "properties" else { return [merchant] }
        let record = JSONParser.value(of: Array(answer.readableBytesView))
        func created(_ list: String, _ record: JSONValue?) -> ShopChange? {
            record?.id.flatMap { ShopChange(list: list, id: $0, type: .create, time: time) }
        }
        switch (list, words.count) {
        case (_, 2) where words[1].hasPrefix("bulk_"): return []
        case ("atomic_order", _): return [created("orders", record)].compactMap { $0 }
        case ("bulk_items", _):
            return (record?["elements"] ?? record)?.elements.compactMap { item in
                item.id.flatMap {
                    ShopChange(list: "items", id: $0, type: method == "PUT" ? .update : .create, time: time)
                }
            } ?? []
        case (_, 1): return [created(list, record)].compactMap { $0 }
        case (_, 2):
            let type: ChangeType = method == "DELETE" ? .delete : .update
            return [ShopChange(list: list, id: words[1], type: type, time: time)].compactMap { $0 }
        default:
            // A part of an object is a change of the object, and may have separate webhooks.
            let part: ShopChange? =
                words.count == 3
                ? created(words[2], record)
                : ShopChange(list: words[2], id: words[3], type: method == "DELETE" ? .delete : .update, time: time)
            return [part, ShopChange(list: list, id: words[1], type: .update, time: time)].compactMap { $0 }
        }
    }

    /// The change that a payment call made; nil for documents without webhooks.
    init?(_ change: PaymentChange, time: Int) {
        let list: String
        switch change.table {
        case .order: list = "orders"
        case .payment: list = "payments"
        default: return nil
        }
        let isNew = change.document["createdTime"]?.integer == time
        self.init(list: list, id: change.id, type: isNew ? .create : .update, time: time)
    }

    /// As in the body of a webhook.
    var json: JSONValue { ["objectId": .string("\(key):\(id)"), "type": .string(type.rawValue), "ts": .integer(time)] }
}
