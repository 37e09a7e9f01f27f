import NIOCore

/// Decides how changes are sent: in which bodies, after which delay, and what is lost or sent twice. Depends only on
/// the seed and on the changes.
package struct WebhookPlan: Sendable {
    /// A body to send.
    package struct Body: Sendable, Equatable {
        package var changes: [ShopChange]
        /// A body of Hosted Checkout in place of changes.
        package var checkout: [UInt8]?
        package var delay: Duration
        /// 0 for one that is lost, 2 for one that is repeated.
        package var copies: Int
    }

    private let settings: WebhookSettings
    private let seed: UInt64
    /// Number of bodies so far.
    private var count = 0

    package init(_ settings: WebhookSettings, seed: UInt64) {
        self.settings = settings
        self.seed = seed
    }

    /// The bodies for changes that happened together.
    package mutating func bodies(of changes: [ShopChange]) -> [Body] {
        var bodies: [Body] = []
        var rest = changes[...]
        while !rest.isEmpty {
            var (body, size) = next()
            body.changes = Array(rest.prefix(size))
            bodies.append(body)
            rest = rest.dropFirst(size)
        }
        return bodies
    }

    /// The bodies of Hosted Checkout, each on its own.
    package mutating func bodies(ofCheckouts checkouts: [[UInt8]]) -> [Body] {
        checkouts.map { checkout in
            var body = next().body
            body.checkout = checkout
            return body
        }
    }

    /// The next body, still empty, and how many changes it may have.
    private mutating func next() -> (body: Body, size: Int) {
        count += 1
        var random = SeededRandom(seed: seed, stream: .webhook, index: count)
        let size = 1 + random.below(settings.bundle)
        let delay = settings.delay * random.fraction()
        let faults = faults(of: count)
        let body = Body(
            changes: [],
            delay: faults.contains(.webhookReorder) ? delay + Self.reorderDelay * random.fraction() : delay,
            copies: faults.contains(.webhookLose) ? 0 : faults.contains(.webhookDouble) ? 2 : 1)
        return (body, size)
    }

    /// Maximum delay of a body that others are to overtake.
    private static let reorderDelay = Duration.milliseconds(500)

    private func faults(of number: Int) -> Set<FaultKind> {
        var kinds: Set<FaultKind> = []
        for (place, spec) in settings.faults.enumerated() {
            var random = SeededRandom(seed: seed, stream: .webhookFault, index: number * 64 + place)
            if spec.selector.hits(number, chance: random.fraction()) { kinds.insert(spec.kind) }
        }
        return kinds
    }
}

/// Where and how the emulator sends webhooks.
package struct WebhookSettings: Sendable {
    package var address: WebhookAddress
    /// The header `X-Clover-Auth`; nil generates one from the shop's seed.
    package var authCode: String?
    /// The secret under which bodies of Hosted Checkout are signed; nil sends none.
    package var signingSecret: String?
    /// Maximum number of events in one body.
    package var bundle = 4
    /// Maximum delay; each body has a random one.
    package var delay = Duration.zero
    /// Faults of webhooks; requests count bodies.
    package var faults: [FaultSpec] = []

    package init(address: WebhookAddress) {
        self.address = address
    }
}

/// An `http` URL.
package struct WebhookAddress: Sendable, Equatable {
    package let host: String
    package let port: Int
    /// Path and query, beginning with a slash.
    package let target: String

    /// Nil unless the text is a URL with the scheme `http`, a host and no user.
    package init?(parsing text: String) {
        guard let match = text.wholeMatch(of: #/http://([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::([0-9]{1,5}))?(/[!-~]*)?/#)
        else { return nil }
        let port = match.2.map { Int($0) ?? 0 } ?? 80
        guard (1...65_535).contains(port) else { return nil }
        host = String(match.1.trimmingPrefix("[").prefix { $0 != "]" })
        self.port = port
        target = match.3.map(String.init) ?? "/"
    }
}

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
