/// What the Square app reports: `SCCAPIErrorCode`, with the SDK's numbers.
package enum SquareAPIErrorCode: Int, CaseIterable, Sendable, Hashable {
    case unknown = 0
    case paymentCanceled
    case payloadMissingOrInvalid
    case appNotLoggedIn
    case unused
    case locationIDMismatch
    case userNotActivated
    case currencyMissingOrInvalid
    case currencyUnsupported
    case currencyMismatch
    case amountMissingOrInvalid
    case amountTooSmall
    case amountTooLarge
    case invalidTenderType
    case unsupportedTenderType
    case couldNotPerform
    case noNetworkConnection
    case clientNotAuthorizedForUser
    case unsupportedAPIVersion
    case invalidVersionNumber
    case customerManagementNotSupported
    case invalidCustomerID

    package static let domain = "SCCAPIErrorDomain"

    /// The code of a text, compared exactly.
    ///
    /// The SDKs up to 3.0 know only `user_id_mismatch`, those from 3.1 on only `location_id_mismatch`, and Square's own
    /// pages and apps do not agree on one: both are taken, whatever the profile.
    package init(wireText: SquareText) {
        let known = Self.allCases.first { code in
            code.texts.contains(wireText)
        }
        self = known ?? .unknown
    }

    /// The texts that are read as this code.
    package var texts: [SquareText] {
        switch self {
        // The SDK has the text of the one, but from 2.1 on no longer reads it.
        case .unknown, .unused, .clientNotAuthorizedForUser: []
        case .locationIDMismatch: SquareProfile.allCases.reversed().map(\.locationMismatchText)
        default: [wireText(in: .newest)].compactMap { $0 }
        }
    }

    /// The text that a profile has for the code; nil where it has none.
    package func wireText(in profile: SquareProfile) -> SquareText? {
        switch self {
        case .unknown, .unused: nil
        case .paymentCanceled: "payment_canceled"
        case .payloadMissingOrInvalid: "data_invalid"
        case .appNotLoggedIn: "not_logged_in"
        case .locationIDMismatch: profile.locationMismatchText
        case .userNotActivated: "user_not_active"
        case .currencyMissingOrInvalid: "currency_code_missing"
        case .currencyUnsupported: "unsupported_currency_code"
        case .currencyMismatch: "currency_code_mismatch"
        case .amountMissingOrInvalid: "amount_invalid_format"
        case .amountTooSmall: "amount_too_small"
        case .amountTooLarge: "amount_too_large"
        case .invalidTenderType: "invalid_tender_type"
        case .unsupportedTenderType: "unsupported_tender_type"
        case .couldNotPerform: "could_not_perform"
        case .noNetworkConnection: "no_network_connection"
        case .clientNotAuthorizedForUser: "client_not_authorized_for_user"
        case .unsupportedAPIVersion: "unsupported_api_version"
        case .invalidVersionNumber: "invalid_version_number"
        case .customerManagementNotSupported: "customer_management_not_supported"
        case .invalidCustomerID: "invalid_customer_id"
        }
    }

    /// The SDK's name, which one of the codes changed.
    package func name(in profile: SquareProfile) -> String {
        let name =
            switch self {
            case .unknown: "Unknown"
            case .paymentCanceled: "PaymentCanceled"
            case .payloadMissingOrInvalid: "PayloadMissingOrInvalid"
            case .appNotLoggedIn: "AppNotLoggedIn"
            case .unused: "Unused"
            case .locationIDMismatch: profile == .register21 ? "MerchantIDMismatch" : "LocationIDMismatch"
            case .userNotActivated: "UserNotActivated"
            case .currencyMissingOrInvalid: "CurrencyMissingOrInvalid"
            case .currencyUnsupported: "CurrencyUnsupported"
            case .currencyMismatch: "CurrencyMismatch"
            case .amountMissingOrInvalid: "AmountMissingOrInvalid"
            case .amountTooSmall: "AmountTooSmall"
            case .amountTooLarge: "AmountTooLarge"
            case .invalidTenderType: "InvalidTenderType"
            case .unsupportedTenderType: "UnsupportedTenderType"
            case .couldNotPerform: "CouldNotPerform"
            case .noNetworkConnection: "NoNetworkConnection"
            case .clientNotAuthorizedForUser: "ClientNotAuthorizedForUser"
            case .unsupportedAPIVersion: "UnsupportedAPIVersion"
            case .invalidVersionNumber: "InvalidVersionNumber"
            case .customerManagementNotSupported: "CustomerManagementNotSupported"
            case .invalidCustomerID: "InvalidCustomerID"
            }
        return "SCCAPIErrorCode\(name)"
    }
}
