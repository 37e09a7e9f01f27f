/// The SDK whose rules hold: what it accepts, what it writes, what it understands.
///
/// Source: the tags 2.1 and 3.5.4 of Square's iOS SDK.
package enum SquareProfile: String, CaseIterable, Sendable, Hashable {
    /// Register SDK 2.1 of November 2016.
    case register21 = "register-2.1"
    /// Point of Sale SDK 3.5.4 of May 2023, the newest.
    case pointOfSale354 = "pos-3.5.4"

    /// What counts when nothing is said.
    package static let newest = SquareProfile.pointOfSale354

    /// `sdk_version` on the wire. The newest SDK still names 3.5.0.
    package var sdkVersion: SquareText {
        switch self {
        case .register21: "2.0"
        case .pointOfSale354: "3.5.0"
        }
    }

    /// `version` on the wire, the version of the interface to the app.
    package var apiVersion: SquareText {
        switch self {
        case .register21: "1.2"
        case .pointOfSale354: "1.3"
        }
    }

    /// Whether a request may name another version of the interface than its SDK's own.
    package var takesOtherAPIVersions: Bool { self == .pointOfSale354 }

    /// The key that carries the location.
    package var locationKey: SquareText {
        switch self {
        case .register21: "merchant_id"
        case .pointOfSale354: "location_id"
        }
    }

    /// The only currencies money may have; nil when every non-empty code is taken.
    package var currencies: [SquareText]? {
        switch self {
        case .register21: ["USD", "CAD", "JPY", "AUD"]
        case .pointOfSale354: nil
        }
    }

    /// The least amount of a request, in the currency's smallest unit.
    package var leastAmount: Int {
        switch self {
        case .register21: 0
        case .pointOfSale354: 1
        }
    }

    /// The tenders with a name on the wire, in the order in which they are written.
    package var tenders: [SquareTender] {
        switch self {
        case .register21: [.card, .cash, .other, .squareGiftCard, .cardOnFile]
        case .pointOfSale354: SquareTender.allCases
        }
    }

    /// Whether callback URLs are marked, and answers recognised by the mark.
    package var marksCallbacks: Bool { self == .pointOfSale354 }

    /// Whether `disable_cnp` and `skip_receipt` exist.
    package var hasCardEntryOptions: Bool { self == .pointOfSale354 }

    /// Whether the system's answer to opening a request is the answer of the SDK. The newest is content when its checks
    /// pass.
    package var returnsAnswerOfOpening: Bool { self == .register21 }

    /// The text by which the app reports that another location is logged in.
    package var locationMismatchText: SquareText {
        switch self {
        case .register21: "user_id_mismatch"
        case .pointOfSale354: "location_id_mismatch"
        }
    }
}
