/// The SDK whose rules apply: what it accepts, writes and understands.
///
/// Source: the tags 2.1 and 3.5.4 of Square's iOS SDK.
package enum SquareProfile: String, CaseIterable, Sendable, Hashable {
    /// Register SDK 2.1 of November 2016.
    case register21 = "register-2.1"
    /// Point of Sale SDK 3.5.4 of May 2023, the newest.
    case pointOfSale354 = "pos-3.5.4"

    /// The default.
    package static let newest = SquareProfile.pointOfSale354

    /// `sdk_version` on the wire. The newest SDK still names 3.5.0.
    package var sdkVersion: SquareText { self == .register21 ? "2.0" : "3.5.0" }

    /// `version` on the wire: the API version.
    package var apiVersion: SquareText { self == .register21 ? "1.2" : "1.3" }

    /// Whether a request may name another API version than its SDK's own.
    package var acceptsOtherAPIVersions: Bool { self == .pointOfSale354 }

    /// The key of the location.
    package var locationKey: SquareText { self == .register21 ? "merchant_id" : "location_id" }

    /// The accepted currencies; nil if each non-empty code is accepted.
    package var currencies: [SquareText]? { self == .register21 ? ["USD", "CAD", "JPY", "AUD"] : nil }

    /// The minimum amount of a request, in the currency's smallest unit.
    package var minimumAmount: Int { self == .register21 ? 0 : 1 }

    /// The tenders with a wire name, in the order in which they are written.
    package var tenders: [SquareTender] {
        self == .register21
            ? [.card, .cash, .other, .squareGiftCard, .cardOnFile] : SquareTender.allCases
    }

    /// Whether callback URLs are marked, and responses recognized by the mark.
    package var marksCallbacks: Bool { self == .pointOfSale354 }

    /// Whether `disable_cnp` and `skip_receipt` exist.
    package var hasCardEntryOptions: Bool { self == .pointOfSale354 }

    /// Whether the SDK returns the system's result of opening a request. The newest SDK succeeds as soon as its checks pass.
    package var returnsOpenResult: Bool { self == .register21 }

    /// The wire text for the error that another location is logged in.
    package var locationMismatchText: SquareText { self == .register21 ? "user_id_mismatch" : "location_id_mismatch" }
}

/// The platform that opens a request, which decides the form of its URL.
package enum SquarePlatform: String, CaseIterable, Sendable, Hashable {
    /// An app on iOS opens the URL.
    case ios
    /// A web page on iOS links to the URL. The callback must be the web callback registered in Square's console, so it is
    /// not marked.
    case iosWeb = "ios-web"
    /// A web page on Android links to an `intent:` URL.
    case androidWeb = "android-web"
}

/// An amount with its currency. It may be zero or negative; requests check that.
package struct SquareMoney: Sendable, Hashable {
    /// In the currency's smallest unit: cents of a dollar, whole yen.
    package let amount: Int
    /// Sent unchanged, and compared exactly.
    package let currencyCode: SquareText

    /// - Throws: `.missingCurrencyCode` for an empty code, then `.unsupportedCurrencyCode` for one that is not in the
    ///   profile's list, which is in capitals.
    package init(amount: Int, currencyCode: SquareText, profile: SquareProfile) throws(SquareFailure) {
        guard !currencyCode.isEmpty else { throw SquareFailure(.missingCurrencyCode, profile: profile) }
        if let currencies = profile.currencies, !currencies.contains(currencyCode) {
            throw SquareFailure(.unsupportedCurrencyCode, profile: profile)
        }
        self.amount = amount
        self.currencyCode = currencyCode
    }
}
