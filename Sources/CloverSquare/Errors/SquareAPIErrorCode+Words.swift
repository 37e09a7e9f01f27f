extension SquareAPIErrorCode {
    /// What it means, as a sentence without a stop.
    package func meaning(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "the Square app reports an error that the SDK has no number for"
        case .paymentCanceled: "the payment was cancelled in the Square app"
        case .payloadMissingOrInvalid: "the Square app found the request incomplete or malformed"
        case .appNotLoggedIn: "nobody is logged in to the Square app"
        case .unused: "not in use"
        case .locationIDMismatch:
            "the location logged in to the Square app is not the one that '\(profile.locationKey)' names"
        case .userNotActivated: "the account that is logged in cannot take cards"
        case .currencyMissingOrInvalid: "the request has no currency, or none that is one"
        case .currencyUnsupported: "the Square app takes no payments in this currency"
        case .currencyMismatch: "the currency is not the merchant's own"
        case .amountMissingOrInvalid: "the request has no amount, or none that is a whole number"
        case .amountTooSmall: "the amount is less than a card can be charged"
        case .amountTooLarge: "the amount is more than a card can be charged"
        case .invalidTenderType: "the request names a tender that the Square app has never heard of"
        case .unsupportedTenderType: "the request names a tender that this version of the Square app does not take"
        case .couldNotPerform: "the Square app could not begin the payment, mostly because another one is not finished"
        case .noNetworkConnection: "the device is offline, so the Square app could not check who asks for the payment"
        case .clientNotAuthorizedForUser:
            "the merchant has not allowed the application; since SDK 2.1 this text is read as Unknown"
        case .unsupportedAPIVersion: "this version of the Square app does not know the request's 'version'"
        case .invalidVersionNumber: "the request's 'version' is not a decimal number"
        case .customerManagementNotSupported: "the merchant's account has no customers to link a payment with"
        case .invalidCustomerID: "'customer_id' is none of the merchant's customers"
        }
    }

    /// What to do next, as a sentence without a stop.
    package func remedy(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "look the wire text up in Square's documentation, and look in the Square app what happened"
        case .paymentCanceled: "send the request again when the payer wants to pay"
        case .payloadMissingOrInvalid: "look at the request's data: amount, currency and callback URL"
        case .appNotLoggedIn: "log in to the Square app, then send the request again"
        case .unused: "nothing"
        case .locationIDMismatch: "switch the Square app to that location, or leave the location out of the request"
        case .userNotActivated: "finish the activation at https://squareup.com/activate, or allow only other tenders"
        case .currencyMissingOrInvalid: "give the code of the currency, such as USD"
        case .currencyUnsupported, .currencyMismatch: "use the currency of the merchant's account"
        case .amountMissingOrInvalid: "give the amount as a whole number of the currency's smallest unit"
        case .amountTooSmall, .amountTooLarge: "change the amount, or allow a tender that is not a card"
        case .invalidTenderType: "take the unknown name out of 'supported_tender_types'"
        case .unsupportedTenderType: "update the Square app, or take the tender out of the request"
        case .couldNotPerform:
            "open the Square app and finish the payment that waits there, then send the request again"
        case .noNetworkConnection: "connect the device to the internet, then send the request again"
        case .clientNotAuthorizedForUser: "update the Square app: since its version 4.53 no permission is needed"
        case .unsupportedAPIVersion: "update the Square app"
        case .invalidVersionNumber: "send a version such as \(profile.apiVersion)"
        case .customerManagementNotSupported: "leave the customer out of the request"
        case .invalidCustomerID: "use an id from the customer directory of this merchant, or leave the customer out"
        }
    }
}
