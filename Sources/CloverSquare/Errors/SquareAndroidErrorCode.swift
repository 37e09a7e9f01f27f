/// The errors of the Square app on Android; the raw value is the wire text behind its prefix.
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
    // The one without ERROR_.
    case unsupportedAPIVersion = "UNSUPPORTED_API_VERSION"
    case userNotActivated = "ERROR_USER_NOT_ACTIVATED"
    case userNotLoggedIn = "ERROR_USER_NOT_LOGGED_IN"

    /// What it means, as a sentence without a stop.
    package var meaning: String {
        switch self {
        case .disabled: "the Square app takes no requests at present"
        case .customerManagementNotSupported: "the merchant's account has no customers to link a payment with"
        case .invalidCustomerID: "the customer is none of the merchant's"
        case .giftCardsNotSupported: "this old version of the Square app takes no gift cards from requests"
        case .illegalLocationID: "the location logged in to the Square app is not the one of the request"
        case .insufficientCardBalance: "the card did not hold enough, and this old version of the app splits no payment"
        case .invalidRequest: "the Square app found the request incomplete or malformed"
        case .noEmployeeLoggedIn: "no employee is logged in to the Square app"
        case .noNetwork: "the device is offline, so the Square app could not check who asks for the payment"
        case .noResult: "the Square app gave no result; the payment may have been made"
        case .transactionAlreadyInProgress: "another payment is not finished in the Square app"
        case .transactionCanceled: "the payment was cancelled in the Square app"
        case .unauthorizedClientID: "the merchant has not allowed the application"
        case .unexpected: "something unexpected happened in the Square app"
        case .unsupportedAPIVersion: "this version of the Square app does not know the request's API_VERSION"
        case .userNotActivated: "the account that is logged in cannot take cards"
        case .userNotLoggedIn: "nobody is logged in to the Square app"
        }
    }

    /// What to do next, as a sentence without a stop.
    package var remedy: String {
        switch self {
        case .disabled: "try again later"
        case .customerManagementNotSupported: "leave the customer out of the request"
        case .invalidCustomerID: "use an id from the customer directory of this merchant, or leave the customer out"
        case .giftCardsNotSupported, .insufficientCardBalance, .unauthorizedClientID, .unsupportedAPIVersion:
            "update the Square app"
        case .illegalLocationID: "switch the Square app to that location, or leave the location out of the request"
        case .invalidRequest: "look at the request's data: amount, currency, tenders and callback URL"
        case .noEmployeeLoggedIn: "let an employee log in, then send the request again"
        case .noNetwork: "connect the device to the internet, then send the request again"
        case .noResult, .unexpected: "look in the Square app whether the payment was made before asking again"
        case .transactionAlreadyInProgress:
            "open the Square app and finish the payment that waits there, then send the request again"
        case .transactionCanceled: "send the request again when the payer wants to pay"
        case .userNotActivated: "finish the activation at https://squareup.com/activate, or allow only other tenders"
        case .userNotLoggedIn: "log in to the Square app, then send the request again"
        }
    }
}
