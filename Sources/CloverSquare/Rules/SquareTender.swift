/// A way to pay that a request may allow.
package enum SquareTender: UInt, CaseIterable, Sendable, Hashable {
    // The raw values are the bits of the SDK's mask.
    case card = 1
    case cash = 2
    case other = 4
    case squareGiftCard = 8
    case cardOnFile = 16
    /// Since 3.5.4.
    case payPay = 32

    /// The name in the request's JSON.
    package var wireName: SquareText {
        switch self {
        case .card: "CREDIT_CARD"
        case .cash: "CASH"
        case .other: "OTHER"
        case .squareGiftCard: "SQUARE_GIFT_CARD"
        case .cardOnFile: "CARD_ON_FILE"
        case .payPay: "PAYPAY"
        }
    }

    /// The word on the command line.
    package var word: String {
        switch self {
        case .card: "card"
        case .cash: "cash"
        case .other: "other"
        case .squareGiftCard: "gift"
        case .cardOnFile: "card-on-file"
        case .payPay: "paypay"
        }
    }
}
