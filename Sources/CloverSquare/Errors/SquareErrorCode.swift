/// What the SDK itself finds wrong: `SCCErrorCode`, with the SDK's numbers.
package enum SquareErrorCode: Int, CaseIterable, Sendable, Hashable {
    case unknown = 0
    case missingCurrencyCode
    case unsupportedCurrencyCode
    case missingRequestClientID
    case invalidRequestCallbackURL
    case invalidRequestAmount
    case cannotOpenApplication
    case unableToGenerateRequestJSON
    case missingOrInvalidResponseData
    case missingOrInvalidResponseJSONData
    case missingOrInvalidResponseStatus
    case missingOrInvalidResponseErrorCode

    package static let domain = "SCCErrorDomain"

    /// The SDK's name, which two of the codes changed.
    package func name(in profile: SquareProfile) -> String {
        switch (self, profile) {
        case (.unknown, _): "SCCErrorCodeUnknown"
        case (.missingCurrencyCode, _): "SCCErrorCodeMissingCurrencyCode"
        case (.unsupportedCurrencyCode, .register21): "SCCErrorCodeUnsupportedCurrencyCode"
        case (.unsupportedCurrencyCode, .pointOfSale354): "SCCErrorCodeUnsupportedCurrencyCode_Deprecated"
        case (.missingRequestClientID, _): "SCCErrorCodeMissingRequestClientID"
        case (.invalidRequestCallbackURL, _): "SCCErrorCodeInvalidRequestCallbackURL"
        case (.invalidRequestAmount, _): "SCCErrorCodeInvalidRequestAmount"
        case (.cannotOpenApplication, .register21): "SCCErrorCodeCannotPerformRequest"
        case (.cannotOpenApplication, .pointOfSale354): "SCCErrorCodeCannotOpenApplication"
        case (.unableToGenerateRequestJSON, _): "SCCErrorCodeUnableToGenerateRequestJSON"
        case (.missingOrInvalidResponseData, _): "SCCErrorCodeMissingOrInvalidResponseData"
        case (.missingOrInvalidResponseJSONData, _): "SCCErrorCodeMissingOrInvalidResponseJSONData"
        case (.missingOrInvalidResponseStatus, _): "SCCErrorCodeMissingOrInvalidResponseStatus"
        case (.missingOrInvalidResponseErrorCode, _): "SCCErrorCodeMissingOrInvalidResponseErrorCode"
        }
    }

    /// What it means, as a sentence without a stop.
    package func meaning(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "the input is nothing a request could be made from; the SDK itself never reports this code"
        case .missingCurrencyCode: "the amount has no currency"
        case .unsupportedCurrencyCode:
            switch profile {
            case .register21: "the currency is none of USD, CAD, JPY and AUD"
            case .pointOfSale354: "the currency is none of a fixed list; not reported since SDK 2.2, which has no list"
            }
        case .missingRequestClientID: "the request has no application id"
        case .invalidRequestCallbackURL: "the callback URL is missing, is no URL, or has no scheme"
        case .invalidRequestAmount: "the amount is missing or less than \(profile.leastAmount)"
        case .cannotOpenApplication: "the Square app could not be opened"
        case .unableToGenerateRequestJSON: "the request has no JSON: a text holds half of a surrogate pair"
        case .missingOrInvalidResponseData: "the URL has no 'data' item that can be read"
        case .missingOrInvalidResponseJSONData: "'data' is not a JSON object"
        case .missingOrInvalidResponseStatus: "'status' in the data is neither 'ok' nor 'error'"
        case .missingOrInvalidResponseErrorCode: "'status' is 'error', but the data has no 'error_code'"
        }
    }

    /// What to do next, as a sentence without a stop.
    package func remedy(in profile: SquareProfile, on platform: SquarePlatform = .ios) -> String {
        switch self {
        case .unknown: "correct what the message names"
        case .missingCurrencyCode: "give the code of the currency, such as USD"
        case .unsupportedCurrencyCode:
            switch profile {
            case .register21:
                "use one of the four, in capitals, or the rules of the newest SDK (\(SquareProfile.newest.rawValue))"
            case .pointOfSale354: "nothing; every currency code is passed on to the Square app"
            }
        case .missingRequestClientID: "give the application id from the Credentials page of Square's developer console"
        case .invalidRequestCallbackURL:
            platform == .ios
                ? "give a URL with a scheme, such as my-app://paid, with other characters escaped"
                : "give the https URL of your page, such as https://cafe.example/paid, with other characters escaped"
        case .invalidRequestAmount:
            platform == .androidWeb
                ? "give a whole number of the currency's smallest unit, from 0 to \(Int32.max)"
                : "give a whole number of the currency's smallest unit, at least \(profile.leastAmount)"
        case .cannotOpenApplication:
            switch platform {
            case .ios:
                "install the Square app on the device; an iOS app must list square-commerce-v1 under "
                    + "LSApplicationQueriesSchemes"
            case .iosWeb: "install the Square app on the device"
            case .androidWeb: "install the Square app on the device; --fallback-url names a page for those without it"
            }
        case .unableToGenerateRequestJSON: "send whole characters; an escape such as \\ud83d needs its other half"
        case .missingOrInvalidResponseData where platform == .androidWeb:
            "pass the callback URL as it came, quoted for the shell; one of the app on iOS has a 'data' item, and is read "
                + "without --platform android-web"
        case .missingOrInvalidResponseData:
            "pass the callback URL as it came, quoted for the shell, with everything behind its question mark"
        case .missingOrInvalidResponseJSONData:
            "pass the callback URL as it came; 'data' must be percent-encoded exactly once"
        case .missingOrInvalidResponseStatus, .missingOrInvalidResponseErrorCode:
            "do not count the payment as made; look in the Square app, and see which program sent this URL"
        }
    }
}
