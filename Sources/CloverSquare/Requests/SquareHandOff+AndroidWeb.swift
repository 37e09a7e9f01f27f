/// The form for web pages on Android, whose parameters are the extras of Android's SDK with a letter for their type.
///
/// Source: Square's mobile web reference, and Android's SDK 2.1.
extension SquareHandOff {
    /// The prefix of every name that is Square's.
    static let androidPrefix = "com.squareup.pos."

    private static let chargeAction: SquareText = "com.squareup.pos.action.CHARGE"
    private static let appPackage: SquareText = "com.squareup"
    private static let fallbackName: SquareText = "browser_fallback_url"
    /// What iOS's on and off becomes: the least that Android's SDK takes, which is 3200 to 10000.
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

    /// The names of the tenders in the order of Android's SDK. Gift cards are part of the cards there.
    ///
    /// "All" is what version 2.0 of the interface knows. PayPay came with 2.1, which older apps refuse: who wants it
    /// names it.
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
        /// `S` text, `i` 32-bit integer, `l` 64-bit integer.
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
