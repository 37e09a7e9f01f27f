import FoundationEssentials

/// The body of `POST /v1/charges` (Clover: create a charge).
struct EcommerceBody: Codable {
    var amount: Int64
    var currency: String
    var capture: Bool
    var ecomind: String
    var tipAmount: Int64?
    var taxAmount: Int64?
    var externalReferenceID: String?
    var description: String?
    var receiptEmail: String?
    var metadata: [String: String]?
    /// The card's token or the customer's id; only while it is being sent.
    var source: String?

    enum CodingKeys: String, CodingKey {
        case amount, currency, capture, ecomind, description, metadata, source
        case tipAmount = "tip_amount"
        case taxAmount = "tax_amount"
        case externalReferenceID = "external_reference_id"
        case receiptEmail = "receipt_email"
    }
}

/// The bodies of requests as text.
enum BodyText {
    /// The fields sorted, so that the same request has the same bytes.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A body of the journal with the source put back.
    static func ecommerce(_ text: String, source: String) throws -> String {
        var body = try JSONDecoder().decode(EcommerceBody.self, from: Data(text.utf8))
        body.source = source
        return try encode(body)
    }
}
