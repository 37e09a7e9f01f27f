/// The data of a request URL for iOS, as the Square app gets it.
package struct SquareRequestData: Sendable, Hashable {
    /// The `options` of the data. nil is a key that is not there.
    package struct Options: Sendable, Hashable {
        package var tenders: [SquareText]
        package var clearDefaultFees: Bool?
        package var autoReturn: Bool?
        package var disableKeyedIn: Bool?
        package var skipReceipt: Bool?
    }

    package var clientID: SquareText
    /// nil in URLs that no SDK wrote.
    package var sdkVersion: SquareText?
    package var version: SquareText?
    package var amount: Int
    package var currencyCode: SquareText
    /// With the mark, where the profile marks it.
    package var callbackURL: SquareText?
    package var state: SquareText?
    /// Where the location is in data of SDKs before 3.1.
    package var merchantID: SquareText?
    package var locationID: SquareText?
    package var customerID: SquareText?
    package var notes: SquareText?
    /// nil only in URLs that no SDK wrote.
    package var options: Options?

    /// What the SDK of the request's profile sends.
    package init(_ request: SquareRequest) {
        let profile = request.profile
        clientID = request.clientID
        sdkVersion = profile.sdkVersion
        version = request.apiVersion
        amount = request.money.amount
        currencyCode = request.money.currencyCode
        if profile.marksCallbacks, request.platform == .ios {
            callbackURL = CallbackMarker.marked(URLParts(request.callbackURL.string)).map { SquareText($0) }
        } else {
            callbackURL = request.callbackURL
        }
        state = request.state
        merchantID = profile == .register21 ? request.locationID : nil
        locationID = profile == .register21 ? nil : request.locationID
        customerID = request.customerID
        notes = request.notes
        options = Options(
            tenders: request.tenders.tenders(known: profile).map(\.wireName),
            clearDefaultFees: request.clearDefaultFees, autoReturn: request.autoReturn,
            disableKeyedIn: profile.hasCardEntryOptions ? request.disableKeyedIn : nil,
            skipReceipt: profile.hasCardEntryOptions ? request.skipReceipt : nil)
    }

    /// The data with sorted keys. What is nil has no key.
    package var json: SquareJSON {
        let texts: [(SquareText, SquareText?)] = [
            ("client_id", clientID), ("sdk_version", sdkVersion), ("version", version), ("callback_url", callbackURL),
            ("state", state), ("merchant_id", merchantID), ("location_id", locationID), ("customer_id", customerID),
            ("notes", notes),
        ]
        var members: [SquareJSON.Member] = []
        for case (let name, let text?) in texts { members.append(.init(name, .string(text))) }
        members.append(
            .init(
                "amount_money",
                .object([.init("amount", .integer(amount)), .init("currency_code", .string(currencyCode))])))
        if let options { members.append(.init("options", options.json)) }
        return .sorted(members)
    }
}

extension SquareRequestData.Options {
    fileprivate var json: SquareJSON {
        let flags: [(SquareText, Bool?)] = [
            ("clear_default_fees", clearDefaultFees), ("auto_return", autoReturn), ("disable_cnp", disableKeyedIn),
            ("skip_receipt", skipReceipt),
        ]
        var members = [SquareJSON.Member("supported_tender_types", .array(tenders.map(SquareJSON.string)))]
        for case (let name, let flag?) in flags { members.append(.init(name, .boolean(flag))) }
        return .sorted(members)
    }
}
