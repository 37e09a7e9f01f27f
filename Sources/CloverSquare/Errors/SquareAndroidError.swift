/// The reason why the Square app on Android took no payment.
package struct SquareAndroidError: Sendable, Hashable {
    /// Used in place of iOS's error domain. Android's errors have no numbers.
    package static let domain = "com.squareup.pos"

    /// The text that the app sent, even if it is unknown.
    package let wire: SquareText
    /// The app's own description, which Square asks not to rely on.
    package let appDescription: SquareText?

    private var code: SquareAndroidErrorCode? {
        SquareAndroidErrorCode.allCases.first { SquareText(SquareHandOff.androidPrefix + $0.rawValue) == wire }
    }

    /// The text without its prefix; `UNKNOWN` if it is unknown.
    package var name: String { code?.rawValue ?? "UNKNOWN" }

    /// The cause as a sentence, with the app's description.
    package var message: String {
        let meaning = code?.meaning ?? "the Square app reports an error for which its SDK has no name"
        return appDescription.map { "\(meaning); the app says: \($0)" } ?? meaning
    }

    package var remedy: String {
        code?.remedy ?? "check in the Square app what happened before you send the request again"
    }

    package var reported: SquareReportedError {
        SquareReportedError(
            domain: Self.domain, number: nil, name: name, wire: wire, message: message, remedy: remedy)
    }
}

/// The errors of the Square app on Android. The raw value is the wire text without its prefix.
///
/// Source: `PosApi` and `ChargeRequest.ErrorCode` of Android's SDK 2.1.
package enum SquareAndroidErrorCode: String, CaseIterable, Sendable, Hashable {
    case disabled = "ERROR_DISABLED"
    case customerManagementNotSupported = "ERROR_CUSTOMER_MANAGEMENT_NOT_SUPPORTED"
    case invalidCustomerID = "ERROR_INVALID_CUSTOMER_ID"
    case giftCardsNotSupported = "ERROR_GIFT_CARDS_NOT_SUPPORTED"
    case illegalLocationID = "ERROR_ILLEGAL_LOCATION_ID"
    case insufficientCardBalance = "ERROR_INSUFFICIENT_CARD_BALANCE"
    case invalidRequest = "ERROR_INVALID_REQUEST"
    case noEmployeeLoggedIn = "ERROR_NO_EMPLOYEE_LOGGED_IN"
    case noNetwork = "ERROR_NO_NETWORK"
    case noResult = "ERROR_NO_RESULT"
    case transactionAlreadyInProgress = "ERROR_TRANSACTION_ALREADY_IN_PROGRESS"
    case transactionCanceled = "ERROR_TRANSACTION_CANCELED"
    case unauthorizedClientID = "ERROR_UNAUTHORIZED_CLIENT_ID"
    case unexpected = "ERROR_UNEXPECTED"
    // The only one without ERROR_.
    case unsupportedAPIVersion = "UNSUPPORTED_API_VERSION"
    case userNotActivated = "ERROR_USER_NOT_ACTIVATED"
    case userNotLoggedIn = "ERROR_USER_NOT_LOGGED_IN"

    /// The meaning, as a sentence without a full stop.
    package var meaning: String {
        switch self {
        case .disabled: "the Square app currently accepts no requests"
        case .customerManagementNotSupported: "the merchant's account has no customers to link a payment with"
        case .invalidCustomerID: "the customer is not one of the merchant's"
        case .giftCardsNotSupported: "this old version of the Square app accepts no gift cards for requests"
        case .illegalLocationID: "the location logged in to the Square app is not the one of the request"
        case .insufficientCardBalance:
            "the card's balance is too low, and this old version of the app cannot split a payment"
        case .invalidRequest: "the Square app found the request incomplete or malformed"
        case .noEmployeeLoggedIn: "no employee is logged in to the Square app"
        case .noNetwork:
            "the device is offline, so the Square app could not verify the application that requests the payment"
        case .noResult: "the Square app returned no result; the payment may have been made"
        case .transactionAlreadyInProgress: "another payment is not finished in the Square app"
        case .transactionCanceled: "the payment was cancelled in the Square app"
        case .unauthorizedClientID: "the merchant has not authorized the application"
        case .unexpected: "an unexpected error occurred in the Square app"
        case .unsupportedAPIVersion: "this version of the Square app does not know the request's API_VERSION"
        case .userNotActivated: "the account that is logged in cannot take cards"
        case .userNotLoggedIn: "no user is logged in to the Square app"
        }
    }

    /// The next step, as a sentence without a full stop.
    package var remedy: String {
        switch self {
        case .disabled: "try again later"
        case .customerManagementNotSupported: "omit the customer from the request"
        case .invalidCustomerID: "use an id from this merchant's customer directory, or omit the customer"
        case .giftCardsNotSupported, .insufficientCardBalance, .unauthorizedClientID, .unsupportedAPIVersion:
            "update the Square app"
        case .illegalLocationID: "switch the Square app to that location, or omit the location from the request"
        case .invalidRequest: "check the request's data: amount, currency, tenders and callback URL"
        case .noEmployeeLoggedIn: "log in an employee, then send the request again"
        case .noNetwork: "connect the device to the internet, then send the request again"
        case .noResult, .unexpected:
            "check in the Square app whether the payment was made before you send the request again"
        case .transactionAlreadyInProgress:
            "open the Square app and finish the pending payment, then send the request again"
        case .transactionCanceled: "send the request again when the payer wants to pay"
        case .userNotActivated: "finish the activation at https://squareup.com/activate, or allow only other tenders"
        case .userNotLoggedIn: "log in to the Square app, then send the request again"
        }
    }
}
