/// An error of the domain `SCCAPIErrorDomain`: the Square app's reason why there was no payment.
package struct SquareAPIError: Sendable {
    package let code: SquareAPIErrorCode
    /// The text that the app sent, even if it is unknown.
    package let wire: SquareText
    /// The profile whose names and texts are used.
    package let profile: SquareProfile

    package init(wire: SquareText, profile: SquareProfile) {
        code = SquareAPIErrorCode(wireText: wire)
        self.wire = wire
        self.profile = profile
    }

    package var name: String { code.name(in: profile) }

    /// Whether the profile's own SDK does not know the text and would report `Unknown`.
    package var isTextOfOtherSDK: Bool {
        code == .locationIDMismatch && wire != profile.locationMismatchText
    }

    /// The cause as a sentence.
    package var message: String {
        let meaning = code.meaning(in: profile)
        if isTextOfOtherSDK {
            let versions = profile == .register21 ? "from 3.1 on" : "up to 3.0"
            return "\(meaning); '\(wire)' is the text of SDKs \(versions), and \(profile.rawValue) reads it as Unknown"
        }
        let unread = SquareAPIErrorCode.clientNotAuthorizedForUser
        if code == .unknown, wire == unread.wireText(in: profile) { return unread.meaning(in: profile) }
        return meaning
    }

    package var remedy: String {
        let unread = SquareAPIErrorCode.clientNotAuthorizedForUser
        if code == .unknown, wire == unread.wireText(in: profile) { return unread.remedy(in: profile) }
        return code.remedy(in: profile)
    }

    package var reported: SquareReportedError {
        SquareReportedError(
            domain: SquareAPIErrorCode.domain, number: code.rawValue, name: name, wire: wire, message: message,
            remedy: remedy)
    }
}

extension SquareAPIError: Hashable {
    /// Compares like the SDK's errors: by domain, code and raw text, so two unknown texts differ. The profile only selects
    /// texts.
    package static func == (left: SquareAPIError, right: SquareAPIError) -> Bool {
        left.code == right.code && left.wire == right.wire
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(wire)
    }
}

/// The errors that the Square app reports: `SCCAPIErrorCode`, with the SDK's numbers.
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

    /// The code of a wire text, compared exactly.
    ///
    /// SDKs up to 3.0 know only `user_id_mismatch`, those from 3.1 on only `location_id_mismatch`, and Square's own pages and
    /// apps use both. Therefore both are accepted, whatever the profile.
    package init(wireText: SquareText) {
        self = Self.allCases.first { $0.texts.contains(wireText) } ?? .unknown
    }

    /// The texts that are read as this code.
    package var texts: [SquareText] {
        switch self {
        // SDKs from 2.1 on still define the text of `clientNotAuthorizedForUser`, but no longer read it.
        case .unknown, .unused, .clientNotAuthorizedForUser: []
        case .locationIDMismatch: SquareProfile.allCases.reversed().map(\.locationMismatchText)
        default: [wireText(in: .newest)].compactMap { $0 }
        }
    }

    /// The profile's text for the code; nil if it has none.
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

    /// The SDK's name, which is that of the case, but changed for one code.
    package func name(in profile: SquareProfile) -> String {
        let isOldName = self == .locationIDMismatch && profile == .register21
        return "SCCAPIErrorCode" + (isOldName ? "MerchantIDMismatch" : "\(self)".capitalizedFirst)
    }
}

extension SquareAPIErrorCode {
    /// The meaning, as a sentence without a full stop.
    package func meaning(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "the Square app reports an error for which the SDK has no number"
        case .paymentCanceled: "the payment was cancelled in the Square app"
        case .payloadMissingOrInvalid: "the Square app found the request incomplete or malformed"
        case .appNotLoggedIn: "no user is logged in to the Square app"
        case .unused: "not in use"
        case .locationIDMismatch:
            "the location logged in to the Square app is not the one that '\(profile.locationKey)' names"
        case .userNotActivated: "the account that is logged in cannot take cards"
        case .currencyMissingOrInvalid: "the request has no currency, or an invalid one"
        case .currencyUnsupported: "the Square app accepts no payments in this currency"
        case .currencyMismatch: "the currency is not the merchant's"
        case .amountMissingOrInvalid: "the request has no amount, or one that is not a whole number"
        case .amountTooSmall: "the amount is below the minimum for a card payment"
        case .amountTooLarge: "the amount is above the maximum for a card payment"
        case .invalidTenderType: "the request names a tender that the Square app does not know"
        case .unsupportedTenderType: "the request names a tender that this version of the Square app does not support"
        case .couldNotPerform: "the Square app could not begin the payment, usually because another one is not finished"
        case .noNetworkConnection:
            "the device is offline, so the Square app could not verify the application that requests the payment"
        case .clientNotAuthorizedForUser:
            "the merchant has not authorized the application; since SDK 2.1 this text is read as Unknown"
        case .unsupportedAPIVersion: "this version of the Square app does not know the request's 'version'"
        case .invalidVersionNumber: "the request's 'version' is not a decimal number"
        case .customerManagementNotSupported: "the merchant's account has no customers to link a payment with"
        case .invalidCustomerID: "'customer_id' is not one of the merchant's customers"
        }
    }

    /// The next step, as a sentence without a full stop.
    package func remedy(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "look up the wire text in Square's documentation, and check in the Square app what happened"
        case .paymentCanceled: "send the request again when the payer wants to pay"
        case .payloadMissingOrInvalid: "check the request's data: amount, currency and callback URL"
        case .appNotLoggedIn: "log in to the Square app, then send the request again"
        case .unused: "nothing"
        case .locationIDMismatch: "switch the Square app to that location, or omit the location from the request"
        case .userNotActivated: "finish the activation at https://squareup.com/activate, or allow only other tenders"
        case .currencyMissingOrInvalid: "specify a currency code, such as USD"
        case .currencyUnsupported, .currencyMismatch: "use the currency of the merchant's account"
        case .amountMissingOrInvalid: "specify the amount as a whole number in the currency's smallest unit"
        case .amountTooSmall, .amountTooLarge: "change the amount, or allow a tender that is not a card"
        case .invalidTenderType: "remove the unknown name from 'supported_tender_types'"
        case .unsupportedTenderType: "update the Square app, or remove the tender from the request"
        case .couldNotPerform:
            "open the Square app and finish the pending payment, then send the request again"
        case .noNetworkConnection: "connect the device to the internet, then send the request again"
        case .clientNotAuthorizedForUser: "update the Square app: since its version 4.53 no permission is needed"
        case .unsupportedAPIVersion: "update the Square app"
        case .invalidVersionNumber: "send a version such as \(profile.apiVersion)"
        case .customerManagementNotSupported: "omit the customer from the request"
        case .invalidCustomerID: "use an id from this merchant's customer directory, or omit the customer"
        }
    }
}
