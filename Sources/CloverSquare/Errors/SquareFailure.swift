/// An error of the domain `SCCErrorDomain`: a request could not be made, or a URL is not a response.
package struct SquareFailure: Error, Sendable, Hashable {
    package let code: SquareErrorCode
    package let profile: SquareProfile
    package let platform: SquarePlatform
    /// What failed, on what, and why. Of the input it contains only amounts and names of fields.
    package let message: String

    /// - Parameter message: nil for the general meaning of the code.
    package init(
        _ code: SquareErrorCode, profile: SquareProfile, platform: SquarePlatform = .ios, message: String? = nil
    ) {
        self.code = code
        self.profile = profile
        self.platform = platform
        self.message = message ?? code.meaning(in: profile)
    }

    package var name: String { code.name(in: profile) }

    package var remedy: String { code.remedy(in: profile, on: platform) }

    /// `{"domain","number","name","message","remedy"}`.
    package var json: SquareJSON {
        .record([
            ("domain", .text(SquareErrorCode.domain)), ("number", .integer(code.rawValue)), ("name", .text(name)),
            ("message", .text(message)), ("remedy", .text(remedy)),
        ])
    }
}

/// The errors that the SDK itself finds: `SCCErrorCode`, with the SDK's numbers.
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

    /// The SDK's name, which is that of the case, but changed for two codes.
    package func name(in profile: SquareProfile) -> String {
        let name =
            switch (self, profile) {
            case (.unsupportedCurrencyCode, .pointOfSale354): "UnsupportedCurrencyCode_Deprecated"
            case (.cannotOpenApplication, .register21): "CannotPerformRequest"
            default: "\(self)".capitalizedFirst
            }
        return "SCCErrorCode" + name
    }

    /// The meaning, as a sentence without a full stop.
    package func meaning(in profile: SquareProfile) -> String {
        switch self {
        case .unknown: "the input does not make a request; the SDK itself never reports this code"
        case .missingCurrencyCode: "the amount has no currency"
        case .unsupportedCurrencyCode:
            switch profile {
            case .register21: "the currency is not USD, CAD, JPY or AUD"
            case .pointOfSale354: "the currency is not in a fixed list; not reported since SDK 2.2, which has no list"
            }
        case .missingRequestClientID: "the request has no application id"
        case .invalidRequestCallbackURL: "the callback URL is missing, is not a URL, or has no scheme"
        case .invalidRequestAmount: "the amount is missing or less than \(profile.minimumAmount)"
        case .cannotOpenApplication: "the Square app could not be opened"
        case .unableToGenerateRequestJSON:
            "the request cannot be written as JSON: a text contains an unpaired surrogate"
        case .missingOrInvalidResponseData: "the URL has no readable 'data' item"
        case .missingOrInvalidResponseJSONData: "'data' is not a JSON object"
        case .missingOrInvalidResponseStatus: "'status' in the data is neither 'ok' nor 'error'"
        case .missingOrInvalidResponseErrorCode: "'status' is 'error', but the data has no 'error_code'"
        }
    }

    /// The next step, as a sentence without a full stop.
    package func remedy(in profile: SquareProfile, on platform: SquarePlatform = .ios) -> String {
        switch self {
        case .unknown: "correct the input named in the message"
        case .missingCurrencyCode: "specify a currency code, such as USD"
        case .unsupportedCurrencyCode:
            switch profile {
            case .register21:
                "use one of these in capitals, or the rules of the newest SDK (\(SquareProfile.newest.rawValue))"
            case .pointOfSale354: "nothing; all currency codes are passed to the Square app"
            }
        case .missingRequestClientID:
            "add --client-id with the application id from the Credentials page of Square's developer console"
        case .invalidRequestCallbackURL:
            platform == .ios
                ? "specify a URL with a scheme, such as my-app://paid, with special characters escaped"
                : "specify the https URL of your page, such as https://cafe.example/paid, with special characters escaped"
        case .invalidRequestAmount:
            platform == .androidWeb
                ? "specify a whole number in the currency's smallest unit, from 0 to \(Int32.max)"
                : "specify a whole number in the currency's smallest unit, at least \(profile.minimumAmount)"
        case .cannotOpenApplication:
            switch platform {
            case .ios:
                "install the Square app on the device; an iOS app must list square-commerce-v1 under "
                    + "LSApplicationQueriesSchemes"
            case .iosWeb: "install the Square app on the device"
            case .androidWeb:
                "install the Square app on the device, or set a page for devices without it with --fallback-url"
            }
        case .unableToGenerateRequestJSON: "use complete characters; an escape such as \\ud83d needs its second half"
        case .missingOrInvalidResponseData where platform == .androidWeb:
            "pass the unchanged callback URL, quoted for the shell; for a URL of the app on iOS, which has a 'data' item, "
                + "omit --platform android-web"
        case .missingOrInvalidResponseData:
            "pass the unchanged callback URL, quoted for the shell, with everything after its question mark"
        case .missingOrInvalidResponseJSONData:
            "pass the unchanged callback URL; 'data' must be percent-encoded exactly once"
        case .missingOrInvalidResponseStatus, .missingOrInvalidResponseErrorCode:
            "do not count the payment as made; check the Square app, and find out which program sent this URL"
        }
    }
}

/// The tables of error numbers, for `charge square errors`.
package enum SquareErrorTable {
    package struct Row: Sendable, Hashable {
        /// `SCCErrorDomain` or `SCCAPIErrorDomain`.
        package let domain: String
        package let number: Int
        package let name: String
        /// The profile's wire text for the number; nil if there is none.
        package let wire: SquareText?
        /// All wire texts that are read as the number.
        package let accepted: [SquareText]
        package let meaning: String
        package let remedy: String

        /// `{"domain","number","name","wire","accepted","meaning","remedy"}`.
        package var json: SquareJSON {
            .object([
                .init("domain", .text(domain)), .init("number", .integer(number)), .init("name", .text(name)),
                .init("wire", SquareJSON(wire)), .init("accepted", .array(accepted.map(SquareJSON.string))),
                .init("meaning", .text(meaning)), .init("remedy", .text(remedy)),
            ])
        }
    }

    /// The SDK's own errors in money, requests and responses, then those reported by the app, each by number.
    package static func rows(profile: SquareProfile) -> [Row] {
        let own = SquareErrorCode.allCases.map { code in
            Row(
                domain: SquareErrorCode.domain, number: code.rawValue, name: code.name(in: profile), wire: nil,
                accepted: [], meaning: code.meaning(in: profile), remedy: code.remedy(in: profile))
        }
        let reported = SquareAPIErrorCode.allCases.map { code in
            Row(
                domain: SquareAPIErrorCode.domain, number: code.rawValue, name: code.name(in: profile),
                wire: code.wireText(in: profile), accepted: code.texts, meaning: code.meaning(in: profile),
                remedy: code.remedy(in: profile))
        }
        return own + reported
    }
}
