/// The body of `POST /v1/payments` (Clover: REST Pay Display, pay).
struct PayDisplayBody: Codable {
    var amount: Int64
    var capture: Bool
    var final: Bool
    var externalPaymentId: String
    var externalReferenceId: String?
    var taxAmount: Int64?
    /// Only with `final`.
    var tipAmount: Int64?
}
