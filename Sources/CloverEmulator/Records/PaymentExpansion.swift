/// What is written inside a payment.
struct PaymentExpansion: OptionSet {
    let rawValue: Int
    static let tender = PaymentExpansion(rawValue: 1)
    static let cardTransaction = PaymentExpansion(rawValue: 2)
    static let refunds = PaymentExpansion(rawValue: 4)
    static let taxRates = PaymentExpansion(rawValue: 8)
    static let order = PaymentExpansion(rawValue: 16)
    static let employee = PaymentExpansion(rawValue: 32)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: PaymentExpansion = []
        if tree.contains("tender") { set.insert(.tender) }
        if tree.contains("cardTransaction") { set.insert(.cardTransaction) }
        if tree.contains("refunds") { set.insert(.refunds) }
        if tree.contains("taxRates") { set.insert(.taxRates) }
        if tree.contains("order") { set.insert(.order) }
        if tree.contains("employee") { set.insert(.employee) }
        self = set
    }
}
