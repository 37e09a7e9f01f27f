/// Why a URL is no request.
package enum SquareRequestDataError: Error, Equatable, Sendable {
    /// Not `square-commerce-v1://payment/create`.
    case otherURL
    /// No `data` item with UTF-8 in it.
    case noData
    case notJSONObject
    /// A key that every request has is missing, or one has a value of the wrong type.
    case malformed(key: String)
}

extension SquareRequestData {
    /// Reads the data out of a request URL for iOS.
    ///
    /// Takes what writers other than the SDK do: no `sdk_version`, no options, an amount as text (Square's samples for
    /// web pages), and 0 and 1 for booleans (32-bit Apple systems).
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
