/// The kinds of objects that an app's webhooks report on, by the key in front of the ID in `objectId` (Clover: Webhooks,
/// event types).
package enum WebhookKind: String, Sendable, CaseIterable {
    case app = "A"
    case customer = "C"
    case cashEvent = "CA"
    case employee = "E"
    case item = "I"
    case category = "IC"
    case modifierGroup = "IG"
    case modifier = "IM"
    case merchant = "M"
    case order = "O"
    case payment = "P"
    case serviceHours = "SH"

    /// The kind's name in output, such as `modifierGroup`.
    package var name: String {
        switch self {
        case .app: "app"
        case .customer: "customer"
        case .cashEvent: "cashEvent"
        case .employee: "employee"
        case .item: "item"
        case .category: "category"
        case .modifierGroup: "modifierGroup"
        case .modifier: "modifier"
        case .merchant: "merchant"
        case .order: "order"
        case .payment: "payment"
        case .serviceHours: "serviceHours"
        }
    }

    /// The path to read the object from, below `/v3/merchants/{mId}/` unless it begins with a slash. Clover documents
    /// no request for a single cash event or modifier.
    ///
    /// - Parameters:
    ///   - id: the object's ID.
    ///   - merchant: the merchant's ID.
    /// - Returns: nil if there is no such request, or if an ID has characters that no ID of Clover's has: it came from
    ///   the network, and must not lead to another path.
    package func path(id: String, merchant: String) -> String? {
        guard Self.isPlain(id), Self.isPlain(merchant) else { return nil }
        return switch self {
        case .app: "/v3/apps/\(id)/merchants/\(merchant)/billing_info"
        case .cashEvent, .modifier: nil
        case .merchant: "merchant"
        default: list.map { "\($0)/\(id)" }
        }
    }

    /// The path of the list that the object is in; nil if there is none.
    var list: String? {
        switch self {
        case .app, .merchant: nil
        case .customer: "customers"
        case .cashEvent: "cash_events"
        case .employee: "employees"
        case .item: "items"
        case .category: "categories"
        case .modifierGroup: "modifier_groups"
        case .modifier: "modifiers"
        case .order: "orders"
        case .payment: "payments"
        case .serviceHours: "opening_hours"
        }
    }

    private static func isPlain(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
