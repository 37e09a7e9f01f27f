/// The body of a call for a charge (Clover reference, create a charge).
struct ChargeRequest {
    static let largestAmount = 99_999_999
    private static let longestReference = 12
    private static let longestMetadata = 500

    /// Cents, tax included, tip not included.
    let amount: Int
    let tipAmount: Int
    let taxAmount: Int
    let source: String
    let isCaptured: Bool
    let externalReferenceID: String?
    /// Members that the charge repeats.
    let repeated: [(key: String, value: JSONValue)]

    init(_ body: JSONValue) throws(PaymentRefusal) {
        amount = try Self.amount(body)
        guard let currency = body["currency"]?.text else {
            throw .parameter("parameter_missing", "currency", "Missing parameter: currency")
        }
        guard currency.uppercased() == MoneyDesk.currency else {
            throw .parameter("invalid_request", "currency", "The merchant does not take the currency \(currency)")
        }
        guard let source = body["source"]?.text else {
            throw .parameter("parameter_missing", "source", "Missing parameter: source")
        }
        guard !source.isEmpty else {
            throw .parameter("parameter_invalid_string_empty", "source", "The source is empty")
        }
        self.source = source
        tipAmount = try Self.extra("tip_amount", "invalid_tip_amount", body, most: Self.largestAmount)
        taxAmount = try Self.extra("tax_amount", "invalid_tax_amount", body, most: amount)
        if let capture = body["capture"], capture.boolean == nil {
            throw .parameter("invalid_request", "capture", "Expected true or false: capture")
        }
        isCaptured = body["capture"]?.boolean ?? true
        externalReferenceID = body["external_reference_id"]?.text
        guard externalReferenceID?.count ?? 0 <= Self.longestReference else {
            throw .parameter("invalid_request", "external_reference_id", "At most 12 characters: external_reference_id")
        }
        if let kind = body["ecomind"], !["ecom", "moto", "retail"].contains(kind.text ?? "") {
            throw .parameter("invalid_request", "ecomind", "Expected ecom, moto or retail: ecomind")
        }
        if let metadata = body["metadata"], metadata.encoded.count > Self.longestMetadata {
            throw .parameter("invalid_request", "metadata", "At most 500 characters: metadata")
        }
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
        repeated = body.members.filter { names.contains($0.key) }
    }

    private static func amount(_ body: JSONValue) throws(PaymentRefusal) -> Int {
        guard let value = body["amount"] else {
            throw .parameter("parameter_missing", "amount", "Missing parameter: amount")
        }
        guard case .integer(let amount) = value else {
            throw .parameter("parameter_invalid_integer", "amount", "Expected a whole number of cents: amount")
        }
        guard amount > 0 else { throw .parameter("amount_too_small", "amount", "The amount is too small") }
        guard amount <= largestAmount else { throw .parameter("amount_too_large", "amount", "The amount is too large") }
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
