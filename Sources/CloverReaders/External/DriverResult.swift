/// What a driver program answers; which fields count depends on the request.
struct DriverResult: Decodable, Sendable {
    // hello
    var version: Int?
    var driver: String?
    var driverVersion: String?
    var capabilities: [String]?
    // connect
    var reader: DriverReader?
    // charge and payment
    var status: String?
    var outcome: String?
    var code: String?
    var message: String?
    var payment: Payment?
    var card: Card?

    struct Payment: Decodable, Sendable {
        var id: String
        var externalPaymentId: String
        var amount: Int64
        var currency: String
        var final: Bool
        var captured: Bool
        var tipAmount: Int64?
        var taxAmount: Int64?
        var orderId: String?
        var authCode: String?
        var referenceId: String?
        var createdTime: Int64?
        var card: Card?
    }

    struct Card: Decodable, Sendable {
        var type: String?
        var first6: String?
        var last4: String?
        var entryType: String?

        var value: CardFacts { CardFacts(type: type, first6: first6, last4: last4, entryType: entryType) }
    }
}

extension DriverResult {
    /// The end of a charge; `externalID` is the one that was asked for.
    func cardOutcome(externalID: String) throws(DriverFailure) -> CardOutcome {
        switch outcome {
        case "approved":
            guard let payment else { throw .violation(rule: "the outcome 'approved' needs 'payment'") }
            guard payment.externalPaymentId == externalID else {
                throw .violation(rule: "the 'externalPaymentId' of a payment is that of its charge")
            }
            guard payment.amount > 0, !payment.id.isEmpty else {
                throw .violation(rule: "an approved payment has an 'id' and an 'amount' above 0")
            }
            return .approved(payment.value)
        case "declined":
            return .declined(code: code ?? "declined", message: message ?? "", card: card?.value)
        case "cancelled":
            return .cancelled(code: code ?? "cancelled", message: message ?? "")
        case "unknown":
            return .unknown(message: message ?? "")
        default:
            throw .violation(rule: "an 'outcome' is one of approved, declined, cancelled, unknown")
        }
    }

    /// What is known of a payment.
    /// - Parameter isRecordLasting: whether the driver has a record of its charges that outlives it, by its own word.
    func cardLookup(externalID: String, isRecordLasting: Bool) throws(DriverFailure) -> CardLookup {
        switch status {
        case "none": return isRecordLasting ? .notFound : .notRemembered
        case "underWay": return .underWay
        case "ended": return .ended(try cardOutcome(externalID: externalID))
        default: throw .violation(rule: "a 'status' is one of none, underWay, ended")
        }
    }
}

extension DriverResult.Payment {
    var value: CardPayment {
        var value = CardPayment(
            id: id, externalPaymentID: externalPaymentId, amount: amount, currency: currency, isFinal: final,
            isCaptured: captured)
        value.tipAmount = tipAmount
        value.taxAmount = taxAmount
        value.orderID = orderId
        value.authCode = authCode
        value.referenceID = referenceId
        value.createdTime = createdTime
        value.card = card?.value
        return value
    }
}
