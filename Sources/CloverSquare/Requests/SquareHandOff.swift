/// A request as a URL that opens the Square app.
package struct SquareHandOff: Sendable, Hashable {
    package let url: String
    /// The content of the URL: the JSON of its `data` item, or the parameters of the intent by their full names.
    package let data: SquareJSON
    /// Notices for the user about parts of the request that the URL does not carry, or carries in an unexpected way.
    package let notices: [SquareNotice]

    /// `{"url","data"}`.
    package var json: SquareJSON {
        .object([.init("url", .string(SquareText(url))), .init("data", data)])
    }
}

extension SquareHandOff {
    static let scheme: SquareText = "square-commerce-v1"
    static let dataItem: SquareText = "data"

    /// The URL with the request as JSON in its only query item. Keys are sorted, which the app does not require; the rest,
    /// such as slashes, is written as by Apple's serializer.
    init(ios request: SquareRequest) {
        let data = SquareRequestData(request)
        self.data = data.json
        url =
            "\(Self.scheme)://payment/create?\(Self.dataItem)="
            + PercentEncoding.encoded(self.data.written(slashes: .escaped))
        var notices: [SquareNotice] = []
        if data.callbackURL == nil {
            notices.append(.callbackLeftOut)
        } else if data.callbackURL != request.callbackURL, CallbackMarker.isPresent(in: request.callbackURL.string) {
            notices.append(.callbackMarkedBefore)
        }
        if request.platform == .iosWeb { notices += Self.webNotices(request) }
        if !request.profile.hasCardEntryOptions {
            if request.disableKeyedIn { notices.append(.optionLeftOut(.disableKeyedIn, request.profile)) }
            if request.skipReceipt { notices.append(.optionLeftOut(.skipReceipt, request.profile)) }
        }
        notices += Self.tenderNotices(request)
        if request.tenders.tenders(known: request.profile).isEmpty { notices.append(.noTender) }
        self.notices = notices
    }

    static func webNotices(_ request: SquareRequest) -> [SquareNotice] {
        URLParts(request.callbackURL.string).scheme?.lowercased() == "https" ? [] : [.callbackNotWeb]
    }

    static func tenderNotices(_ request: SquareRequest) -> [SquareNotice] {
        guard request.tenders != .all else { return [] }
        return SquareTender.allCases.filter { request.tenders.contains($0) && !request.profile.tenders.contains($0) }
            .map { .tenderLeftOut($0, request.profile) }
    }
}

/// The URL for web pages on Android. Its parameters are the extras of Android's SDK, each with a letter for its type.
///
/// Source: Square's mobile web reference, and Android's SDK 2.1.
extension SquareHandOff {
    /// The prefix of all Square names.
    static let androidPrefix = "com.squareup.pos."

    private static let chargeAction: SquareText = "com.squareup.pos.action.CHARGE"
    private static let appPackage: SquareText = "com.squareup"
    private static let fallbackName: SquareText = "browser_fallback_url"
    /// The value for iOS's Boolean option: the minimum of Android's SDK, which accepts 3200 to 10000.
    private static let autoReturnMilliseconds = 3200

    init(androidWeb request: SquareRequest) {
        let tenders = Self.androidTenders(request.tenders, profile: request.profile)
        var extras = request.fallbackURL.map { [Extra(name: Self.fallbackName, .string($0))] } ?? []
        extras.append(Extra("WEB_CALLBACK_URI", .string(request.callbackURL)))
        extras.append(Extra("CLIENT_ID", .string(request.clientID)))
        extras.append(Extra("API_VERSION", .string(Self.androidVersion(for: tenders))))
        extras.append(Extra("TOTAL_AMOUNT", .integer(request.money.amount), type: "i"))
        extras.append(Extra("CURRENCY_CODE", .string(request.money.currencyCode)))
        extras.append(Extra("TENDER_TYPES", .string(SquareText(tenders.joined(separator: ",")))))
        let texts: [(String, SquareText?)] = [
            ("NOTE", request.notes), ("LOCATION_ID", request.locationID.flatMap { $0.isEmpty ? nil : $0 }),
            ("CUSTOMER_ID", request.customerID.flatMap { $0.isEmpty ? nil : $0 }), ("REQUEST_METADATA", request.state),
        ]
        for case (let name, let text?) in texts { extras.append(Extra(name, .string(text))) }
        if request.autoReturn {
            extras.append(Extra("AUTO_RETURN_TIMEOUT_MS", .integer(Self.autoReturnMilliseconds), type: "l"))
        }
        let parameters = ["action=\(Self.chargeAction)", "package=\(Self.appPackage)"] + extras.map(\.parameter)
        url = "intent:#Intent;\(parameters.joined(separator: ";"));end"
        data = .object(
            [.init("action", .string(Self.chargeAction)), .init("package", .string(Self.appPackage))]
                + extras.map(\.member))
        notices = Self.androidNotices(request)
    }

    /// The names of the tenders in the order of Android's SDK, where cards include gift cards.
    ///
    /// "All" means the tenders of API version 2.0. PayPay needs version 2.1, which older apps refuse, so it must be named.
    static func androidTenders(_ tenders: SquareTenderSet, profile: SquareProfile) -> [String] {
        let known = Set(tenders.tenders(known: profile))
        var names: [String] = []
        if known.contains(.card) || known.contains(.squareGiftCard) { names.append("TENDER_CARD") }
        if known.contains(.cardOnFile) { names.append("TENDER_CARD_ON_FILE") }
        if known.contains(.cash) { names.append("TENDER_CASH") }
        if known.contains(.other) { names.append("TENDER_OTHER") }
        if known.contains(.payPay), tenders != .all { names.append(payPay) }
        return names.map { androidPrefix + $0 }
    }

    private static let payPay = "TENDER_PAYPAY"

    private static func androidVersion(for tenders: [String]) -> SquareText {
        tenders.contains(androidPrefix + payPay) ? "v2.1" : "v2.0"
    }

    private static func androidNotices(_ request: SquareRequest) -> [SquareNotice] {
        var notices = webNotices(request) + tenderNotices(request)
        if request.clearDefaultFees { notices.append(.optionNotOnAndroid(.clearDefaultFees)) }
        if request.disableKeyedIn { notices.append(.optionNotOnAndroid(.disableKeyedIn)) }
        if request.skipReceipt { notices.append(.optionNotOnAndroid(.skipReceipt)) }
        if request.tenders.contains(.squareGiftCard), !request.tenders.contains(.card) {
            notices.append(.giftCardsAllowCards)
        }
        return notices
    }

    private struct Extra {
        let name: SquareText
        let value: SquareJSON
        /// `S` for text, `i` for a 32-bit integer, `l` for a 64-bit integer.
        let type: String

        init(_ name: String, _ value: SquareJSON, type: String = "S") {
            self.init(name: SquareText(androidPrefix + name), value, type: type)
        }

        init(name: SquareText, _ value: SquareJSON, type: String = "S") {
            self.name = name
            self.value = value
            self.type = type
        }

        var member: SquareJSON.Member { .init(name, value) }

        var parameter: String {
            let text = value.text?.string ?? value.written()
            return "\(type).\(name)=\(PercentEncoding.encoded(text))"
        }
    }
}

/// Something about a request that is not an error, but that the user should know.
package enum SquareNotice: Sendable, Hashable {
    /// The callback has no host and a path without a leading slash. It cannot be marked, so the SDK sends none.
    case callbackLeftOut
    /// The callback already has a mark, and is sent with two.
    case callbackMarkedBefore
    /// A web page's callback should be the https URL that is registered in Square's console.
    case callbackNotWeb
    case optionLeftOut(SquareRequestField, SquareProfile)
    case optionNotOnAndroid(SquareRequestField)
    case tenderLeftOut(SquareTender, SquareProfile)
    /// The request allows no tender.
    case noTender
    /// Android has no tender for gift cards alone.
    case giftCardsAllowCards

    /// A sentence without a full stop.
    package var message: String {
        switch self {
        case .callbackLeftOut:
            "the callback URL cannot be marked, so none is sent and the app will not return; write it as scheme://path"
        case .callbackMarkedBefore: "the callback URL already has the mark square_request, and gets a second one"
        case .callbackNotWeb: "a web page's callback must be the https URL that is registered in Square's console"
        case .optionLeftOut(let field, let profile):
            "\(field.rawValue) is unknown to \(profile.rawValue) and is not sent"
        case .optionNotOnAndroid(let field): "\(field.rawValue) does not exist on Android and is not sent"
        case .tenderLeftOut(let tender, let profile):
            "the tender \(tender.word) is unknown to \(profile.rawValue) and is not sent"
        case .noTender: "no tender is allowed, so the Square app can take no payment"
        case .giftCardsAllowCards: "Android has no tender for gift cards alone: all cards are allowed"
        }
    }
}
