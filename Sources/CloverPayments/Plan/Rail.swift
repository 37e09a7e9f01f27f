/// A way by which a charge reaches Clover.
package enum Rail: String, Codable, Sendable, CaseIterable {
    /// The Ecommerce API: a card that is not present.
    case ecommerce
    /// A Clover device, through REST Pay Display.
    case payDisplay = "pay-display"
    /// A card reader, through its driver.
    case reader
    /// The Square app, which is handed a request and answers by itself: nothing of it goes over Clover.
    case square

    /// The least and most that one charge may be, in the smallest unit (Clover: create a charge; REST Pay Display: pay;
    /// Clover Go: card-present payments).
    package var amountRange: ClosedRange<Int64> {
        switch self {
        case .ecommerce: 1...99_999_999
        case .payDisplay, .reader: 1...999_999_999
        case .square: 0...Int64.max
        }
    }

    /// The most characters that an external id may have. Ecommerce has no field for one but that of the reference.
    package var longestExternalID: Int { self == .ecommerce ? 12 : 32 }

    /// The most characters that the invoice number on statements may have.
    package static let longestReference = 12

    /// For messages.
    package var displayName: String {
        switch self {
        case .ecommerce: "the ecommerce API"
        case .payDisplay: "a Clover device"
        case .reader: "a card reader"
        case .square: "the Square app"
        }
    }
}
