/// What a call did to money.
struct Movement {
    enum Kind: String {
        case charge, auth, preauth, capture, increment, tip, void, refund, credit

        /// Takes money, or a hold on it, for the first time.
        var isCharge: Bool { self == .charge || self == .auth || self == .preauth }
    }

    let key: String?
    let kind: Kind
    let rail: PaymentRail
    /// What was asked for, in cents.
    let amount: Int
    let externalID: String?
    /// Of the charge, payment, refund or credit.
    let id: String
    /// `approved`, `declined` or `cancelled`.
    let result: String
    /// Cents that the card's owner pays more through it, or less when negative. What is held counts as paid.
    let moved: Int
}

extension MoneyDesk {
    /// Keeps a movement for the report.
    mutating func note(_ movement: Movement) {
        func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        put(
            .movement, newID(),
            .object([
                ("key", optional(movement.key)), ("kind", .string(movement.kind.rawValue)),
                ("rail", .string(movement.rail.rawValue)), ("amount", .integer(movement.amount)),
                ("currency", .string(Self.currency)), ("externalId", optional(movement.externalID)),
                ("id", .string(movement.id)), ("at", .integer(now)), ("result", .string(movement.result)),
                ("moved", .integer(movement.moved)),
            ]))
    }
}
