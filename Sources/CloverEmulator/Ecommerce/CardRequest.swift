/// The card of a call for a token.
struct CardRequest {
    let number: CardNumber
    let month: String
    let year: String

    /// - Parameter now: milliseconds since 1970.
    /// - Throws: what is wrong with the card.
    init(_ body: JSONValue, now: Int) throws(PaymentRefusal) {
        guard let card = body["card"], case .object = card else {
            throw .parameter("parameter_missing", "card", "Missing parameter: card")
        }
        guard let text = Self.text(card["number"]) else {
            throw .parameter("parameter_missing", "number", "Missing parameter: number")
        }
        guard let number = CardNumber(text) else {
            throw .card("invalid_number", "number", "The card number is not a valid card number")
        }
        guard number.isConsistent else {
            throw .card("incorrect_number", "number", "The card number is incorrect")
        }
        guard let month = Self.text(card["exp_month"]), let value = Int(month), (1...12).contains(value),
            month.utf8.count <= 2
        else { throw .card("invalid_expiry_month", "exp_month", "The expiration month is invalid") }
        guard var year = Self.text(card["exp_year"]), Int(year) != nil, [2, 4].contains(year.utf8.count) else {
            throw .card("invalid_expiry_year", "exp_year", "The expiration year is invalid")
        }
        if year.utf8.count == 2 { year = "20" + year }
        // A card is good to the end of its month.
        guard let first = InstantText.milliseconds("\(year)-\(value < 10 ? "0" : "")\(value)-01T00:00:00Z") else {
            throw .card("invalid_expiry_year", "exp_year", "The expiration year is invalid")
        }
        guard now < first + 32 * 86_400_000 else { throw .card("expired_card", "exp_month", "The card has expired") }
        guard let code = Self.text(card["cvv"]), code.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            number.codeLengths.contains(code.utf8.count)
        else { throw .card("invalid_cvc", "cvv", "The card's security code is invalid") }
        self.number = number
        self.month = value < 10 ? "0\(value)" : "\(value)"
        self.year = year
    }

    /// Numbers are taken as well as texts.
    private static func text(_ value: JSONValue?) -> String? {
        value?.text ?? value?.integer.map(String.init)
    }
}

extension MoneyDesk {
    /// Makes a token that is good for one charge. The number itself is kept nowhere.
    mutating func keepCard(_ card: CardRequest) -> Answer {
        let id = "clv_1TST" + newID() + String(newID().prefix(7))
        let shown: JSONValue = .object([
            ("exp_month", .string(card.month)), ("exp_year", .string(card.year)),
            ("first6", .string(card.number.first6)), ("last4", .string(card.number.last4)),
            ("brand", .string(card.number.brand)),
        ])
        put(
            .cardToken, id,
            .object([
                ("card", shown), ("behaviour", .string(card.number.behaviour.rawValue)), ("isUsed", .boolean(false)),
            ]))
        return Answer(
            status: 200, json: .object([("id", .string(id)), ("object", .string("token")), ("card", shown)]))
    }
}
