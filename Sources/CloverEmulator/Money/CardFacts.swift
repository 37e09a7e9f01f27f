/// What may be known of a card, and what its issuer gave.
struct CardFacts {
    /// As in V3, such as `VISA` or `MC`.
    let brand: String
    let first6: String
    let last4: String
    let authCode: String
    let reference: String
    let transactionNumber: String
}

extension MoneyDesk {
    /// The facts of one use of a card.
    mutating func use(brand: String, first6: String, last4: String) -> CardFacts {
        let reference = newID()
        let number = identifiers % 1_000_000
        return CardFacts(
            brand: brand, first6: first6, last4: last4,
            authCode: "OK" + String(String(10_000 + number % 10_000).dropFirst()),
            reference: reference, transactionNumber: String(String(1_000_000 + number).dropFirst()))
    }
}
