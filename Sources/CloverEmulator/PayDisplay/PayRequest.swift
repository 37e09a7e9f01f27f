/// The body of a call for a payment by a device (REST Pay reference).
struct PayRequest {
    static let amounts = 1...999_999_999
    private static let longestExternalPaymentID = 32
    private static let longestExternalReferenceID = 12

    /// Cents, tax included, tip not included.
    let amount: Int
    let tipAmount: Int
    let taxAmount: Int
    /// `charge`, `auth` or `preauth`.
    let kind: Movement.Kind
    let externalPaymentID: String?
    let externalReferenceID: String?

    init(_ call: DeviceCall) throws(PaymentRefusal) {
        amount = try call.neededCents("amount", in: Self.amounts)
        let isFinal = try call.flag("final", orElse: false)
        let isCaptured = try call.flag("capture", orElse: true)
        guard isCaptured || !isFinal else {
            throw .badRequest("A final payment cannot be captured later", request: call.name)
        }
        kind = isFinal ? .charge : isCaptured ? .auth : .preauth
        let tip = try call.cents("tipAmount", in: 0...Self.amounts.upperBound)
        guard tip == nil || isFinal else {
            throw .badRequest("tipAmount is for final payments only", request: call.name)
        }
        tipAmount = tip ?? 0
        taxAmount = try call.cents("taxAmount", in: 0...amount) ?? 0
        externalPaymentID = try call.text("externalPaymentId", longest: Self.longestExternalPaymentID)
        externalReferenceID = try call.text("externalReferenceId", longest: Self.longestExternalReferenceID)
    }
}
