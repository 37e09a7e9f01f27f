/// The body of a request for a charge (Clover reference, create a charge).
struct ChargeRequest {
    static let largestAmount = 99_999_999
    private static let maximumReferenceLength = 12
    private static let longestMetadata = 500

    /// Cents, tax included, tip not included.
    let amount: Int
    let tipAmount: Int
    let taxAmount: Int
    let source: String
    let isCaptured: Bool
    let externalReferenceID: String?
    /// Fields that the charge echoes.
    let echoed: [(key: String, value: JSONValue)]

    init(_ body: JSONValue) throws(PaymentRefusal) {
        func check(_ isValid: Bool, _ name: String, _ message: String) throws(PaymentRefusal) {
            guard isValid else { throw .parameter("invalid_request", name, "\(message): \(name)") }
        }
        guard let value = body["amount"] else { throw .missing("amount") }
        amount = try Self.cents(value)
        guard amount <= Self.largestAmount else {
            throw .parameter("amount_too_large", "amount", "The amount is too large")
        }
        guard let currency = body["currency"]?.text else { throw .missing("currency") }
        guard currency.uppercased() == PaymentHandler.currency else {
            throw .parameter("invalid_request", "currency", "The merchant does not take the currency \(currency)")
        }
        guard let source = body["source"]?.text else { throw .missing("source") }
        guard !source.isEmpty else {
            throw .parameter("parameter_invalid_string_empty", "source", "The source is empty")
        }
        self.source = source
        tipAmount = try Self.extra("tip_amount", "invalid_tip_amount", body, most: Self.largestAmount)
        taxAmount = try Self.extra("tax_amount", "invalid_tax_amount", body, most: amount)
        try check(body["capture"].map { $0.boolean != nil } ?? true, "capture", "Expected true or false")
        isCaptured = body["capture"]?.boolean ?? true
        externalReferenceID = body["external_reference_id"]?.text
        try check(
            externalReferenceID?.count ?? 0 <= Self.maximumReferenceLength, "external_reference_id",
            "At most 12 characters")
        let kinds = ["ecom", "moto", "retail"]
        try check(
            body["ecomind"].map { kinds.contains($0.text ?? "") } ?? true, "ecomind", "Expected ecom, moto or retail")
        try check(
            body["metadata"]?.encoded.count ?? 0 <= Self.longestMetadata, "metadata", "At most 500 characters")
        if let address = body["receipt_email"] {
            let halves = (address.text ?? "").split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else {
                throw .parameter("email_invalid", "receipt_email", "The email address is invalid")
            }
        }
        let names = [
            "ecomind", "external_reference_id", "external_customer_reference", "description", "receipt_email",
            "soft_descriptor", "metadata",
        ]
        echoed = body.members.filter { names.contains($0.key) }
    }

    /// An amount above zero.
    static func cents(_ value: JSONValue) throws(PaymentRefusal) -> Int {
        guard case .integer(let amount) = value else {
            throw .parameter("parameter_invalid_integer", "amount", "Expected a whole number of cents: amount")
        }
        guard amount > 0 else { throw .parameter("amount_too_small", "amount", "The amount is too small") }
        return amount
    }

    private static func extra(
        _ name: String, _ code: String, _ body: JSONValue, most: Int
    ) throws(PaymentRefusal) -> Int {
        guard let value = body[name] else { return 0 }
        guard case .integer(let amount) = value, (0...most).contains(amount) else {
            throw .parameter(code, name, "Invalid value: \(name)")
        }
        return amount
    }
}

/// The card in a request for a token.
struct CardRequest {
    let number: CardNumber
    let month: String
    let year: String

    /// - Parameter now: milliseconds since 1970.
    /// - Throws: why the card is refused.
    init(_ body: JSONValue, now: Int) throws(PaymentRefusal) {
        guard let card = body["card"], case .object = card else { throw .missing("card") }
        guard let text = Self.text(card["number"]) else { throw .missing("number") }
        guard let number = CardNumber(text) else {
            throw .card("invalid_number", "number", "The card number is not a valid card number")
        }
        guard number.isConsistent else {
            throw .card("incorrect_number", "number", "The card number is incorrect")
        }
        guard let month = Self.text(card["exp_month"]), let value = Int(month), (1...12).contains(value),
            month.utf8.count <= 2
        else { throw .card("invalid_expiry_month", "exp_month", "The expiration month is invalid") }
        guard var year = Self.text(card["exp_year"]), Int(year) != nil, [2, 4].contains(year.utf8.count) else {
            throw .card("invalid_expiry_year", "exp_year", "The expiration year is invalid")
        }
        if year.utf8.count == 2 { year = "20" + year }
        // A card is valid until the end of its month.
        guard let first = InstantText.milliseconds("\(year)-\(value.digits(2))-01T00:00:00Z") else {
            throw .card("invalid_expiry_year", "exp_year", "The expiration year is invalid")
        }
        guard now < first + 32 * 86_400_000 else { throw .card("expired_card", "exp_month", "The card has expired") }
        guard let code = Self.text(card["cvv"]), code.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            number.codeLengths.contains(code.utf8.count)
        else { throw .card("invalid_cvc", "cvv", "The card's security code is invalid") }
        self.number = number
        self.month = value.digits(2)
        self.year = year
    }

    /// Numbers are accepted as well as strings.
    private static func text(_ value: JSONValue?) -> String? {
        value?.text ?? value?.integer.map(String.init)
    }
}

extension PaymentHandler {
    /// Makes a token that is good for one charge. The number itself is kept nowhere.
    mutating func keepCard(_ card: CardRequest) -> EmulatorResponse {
        let id = "clv_1TST" + newID() + String(newID().prefix(7))
        let shown: JSONValue = [
            "exp_month": .string(card.month), "exp_year": .string(card.year), "first6": .string(card.number.first6),
            "last4": .string(card.number.last4), "brand": .string(card.number.brand),
        ]
        put(.cardToken, id, ["card": shown, "behaviour": .string(card.number.behaviour.rawValue), "isUsed": false])
        return EmulatorResponse(json: ["id": .string(id), "object": "token", "card": shown])
    }
}

/// A page of charges or refunds (Clover SDK for iOS, lists of charges).
struct ChargePage {
    private static let limits = 1...100
    private static let defaultLimit = 10

    private let limit: Int
    private let after: String?
    private let before: String?
    private let range: ClosedRange<Int>

    init(_ query: QueryString) throws(PaymentRefusal) {
        after = query.values("starting_after").last
        before = query.values("ending_before").last
        limit = try Self.number("limit", query) ?? Self.defaultLimit
        guard Self.limits.contains(limit) else {
            throw .parameter("parameter_invalid_integer", "limit", "The limit must be from 1 to 100")
        }
        var low = Int.min
        var high = Int.max
        if let time = try Self.number("created", query) { (low, high) = (time, time) }
        // Two spellings are documented (Clover: get charges; Clover SDK for iOS).
        for (opening, closing) in [("[", "]"), (".", "")] {
            func bound(_ word: String) throws(PaymentRefusal) -> Int? {
                try Self.number("created\(opening)\(word)\(closing)", query)
            }
            if let time = try bound("gte") { low = max(low, time) }
            if let time = try bound("gt") { low = max(low, time + 1) }
            if let time = try bound("lte") { high = min(high, time) }
            if let time = try bound("lt") { high = min(high, time - 1) }
        }
        // An empty range cannot be a closed range; this one matches nothing.
        range = low <= high ? low...high : Int.max...Int.max
    }

    /// - Parameter all: all records, newest first.
    func json(_ all: [JSONValue], _ call: PaymentCall) throws(PaymentRefusal) -> JSONValue {
        var list = all[...]
        let next = call.fault == .cursorAgain ? 0 : 1
        if let after { list = list[(try place(of: after, in: all) + next)...] }
        if let before { list = list[..<max(list.startIndex, try place(of: before, in: all))] }
        let matching = list.filter { range.contains($0["created"]?.integer ?? 0) }
        // With `ending_before`, the page holds the records nearest to that id.
        let isBackwards = before != nil && after == nil
        let page = isBackwards ? matching.suffix(limit) : matching.prefix(limit)
        let shown = JSONValue.array(page.map { call.fault == .noReference ? $0.withoutReference : $0 })
        if call.fault == .bareList { return shown }
        var answer: JSONValue = ["object": "list", "url": .string("/" + call.path.joined(separator: "/"))]
        if call.fault != .noHasMore { answer.append("has_more", .boolean(page.count < matching.count)) }
        answer.append("data", shown)
        return answer
    }

    private func place(of id: String, in all: [JSONValue]) throws(PaymentRefusal) -> Int {
        guard let place = all.firstIndex(where: { $0.id == id }) else {
            throw .ecommerce(400, "resource_missing", "No object with the id \(id)")
        }
        return place
    }

    private static func number(_ name: String, _ query: QueryString) throws(PaymentRefusal) -> Int? {
        guard let text = query.values(name).last else { return nil }
        guard let number = Int(text), number < Int.max, number > Int.min else {
            throw .parameter("parameter_invalid_integer", name, "Expected a whole number: \(name)")
        }
        return number
    }
}

extension JSONValue {
    /// A charge or refund as the recorded responses show it: without the reference that was sent with it.
    var withoutReference: JSONValue {
        var value = self
        value.remove("external_reference_id")
        return value
    }
}
