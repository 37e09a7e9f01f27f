/// The data of a request URL for iOS, as the Square app receives it.
package struct SquareRequestData: Sendable, Hashable {
    /// The `options` of the data. Nil for an absent key.
    package struct Options: Sendable, Hashable {
        package var tenders: [SquareText]
        package var clearDefaultFees: Bool?
        package var autoReturn: Bool?
        package var disableKeyedIn: Bool?
        package var skipReceipt: Bool?
    }

    package var clientID: SquareText
    /// Nil in URLs not written by an SDK.
    package var sdkVersion: SquareText?
    package var version: SquareText?
    package var amount: Int
    package var currencyCode: SquareText
    /// With the mark, if the profile uses one.
    package var callbackURL: SquareText?
    package var state: SquareText?
    /// The location, in data of SDKs before 3.1.
    package var merchantID: SquareText?
    package var locationID: SquareText?
    package var customerID: SquareText?
    package var notes: SquareText?
    /// Nil only in URLs not written by an SDK.
    package var options: Options?

    /// The data that the SDK of the request's profile sends.
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

    /// The data with sorted keys. Nil values are left out.
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

/// The reason why a URL is not a request.
package enum SquareRequestDataError: Error, Equatable, Sendable {
    /// Not `square-commerce-v1://payment/create`.
    case otherURL
    /// There is no `data` item, or it is not UTF-8.
    case noData
    case notJSONObject
    /// A required key is missing, or a value has the wrong type.
    case malformed(key: String)
}

extension SquareRequestData {
    /// Reads the data of a request URL for iOS.
    ///
    /// Accepts deviations of writers other than the SDK: no `sdk_version`, no options, an amount as text (Square's samples
    /// for web pages), and 0 and 1 for Booleans (32-bit Apple systems).
    package init(url: String) throws(SquareRequestDataError) {
        let parts = URLParts(url)
        guard let scheme = parts.scheme, scheme.lowercased() == SquareHandOff.scheme.string,
            parts.authority == "payment", parts.path == "/create"
        else { throw .otherURL }
        guard let data = QueryItems.value(of: SquareHandOff.dataItem, in: parts.query) else { throw .noData }
        guard let json = SquareJSONParser.value(of: Array(data.string.utf8), dialect: .apple), case .object = json
        else {
            throw .notJSONObject
        }
        try self.init(json)
    }

    private init(_ json: SquareJSON) throws(SquareRequestDataError) {
        guard let clientID = try Self.text("client_id", in: json) else { throw .malformed(key: "client_id") }
        self.clientID = clientID
        sdkVersion = try Self.text("sdk_version", in: json)
        version = try Self.text("version", in: json)
        guard let money = json["amount_money"], case .object = money else { throw .malformed(key: "amount_money") }
        amount = try Self.amount(in: money)
        guard let currency = try Self.text("currency_code", in: money) else { throw .malformed(key: "currency_code") }
        currencyCode = currency
        callbackURL = try Self.text("callback_url", in: json)
        state = try Self.text("state", in: json)
        merchantID = try Self.text("merchant_id", in: json)
        locationID = try Self.text("location_id", in: json)
        customerID = try Self.text("customer_id", in: json)
        notes = try Self.text("notes", in: json)
        options = try json["options"].map { value throws(SquareRequestDataError) in try Options(value) }
    }

    fileprivate static func text(
        _ key: SquareText, in json: SquareJSON
    ) throws(SquareRequestDataError) -> SquareText? {
        guard let value = json[key] else { return nil }
        guard let text = value.text else { throw .malformed(key: key.string) }
        return text
    }

    fileprivate static func flag(_ key: SquareText, in json: SquareJSON) throws(SquareRequestDataError) -> Bool? {
        switch json[key] {
        case nil: return nil
        case .boolean(let flag): return flag
        case .integer(0): return false
        case .integer(1): return true
        default: throw .malformed(key: key.string)
        }
    }

    private static func amount(in money: SquareJSON) throws(SquareRequestDataError) -> Int {
        switch money["amount"] {
        case .integer(let amount): return amount
        case .string(let text):
            if let amount = Int(text.string) { return amount }
            throw .malformed(key: "amount")
        default: throw .malformed(key: "amount")
        }
    }
}

extension SquareRequestData.Options {
    fileprivate init(_ json: SquareJSON) throws(SquareRequestDataError) {
        guard case .object = json else { throw .malformed(key: "options") }
        tenders = []
        if let names = json["supported_tender_types"] {
            guard case .array(let values) = names else { throw .malformed(key: "supported_tender_types") }
            for value in values {
                guard let name = value.text else { throw .malformed(key: "supported_tender_types") }
                tenders.append(name)
            }
        }
        clearDefaultFees = try SquareRequestData.flag("clear_default_fees", in: json)
        autoReturn = try SquareRequestData.flag("auto_return", in: json)
        disableKeyedIn = try SquareRequestData.flag("disable_cnp", in: json)
        skipReceipt = try SquareRequestData.flag("skip_receipt", in: json)
    }
}
