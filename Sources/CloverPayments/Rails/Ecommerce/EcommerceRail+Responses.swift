import CloverAPI
import CloverJSON
import CloverOutput
import FoundationEssentials

/// Responses of the Ecommerce API (Clover: create a charge, capture, refund; response codes).
extension EcommerceRail {
    func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence {
        if (200...299).contains(status) { return accepted(operation, status, body) }
        let refusal = ServiceErrorBody(body)
        var outcome = OperationOutcome(http: status)
        outcome.code = refusal.code
        outcome.text = refusal.text
        outcome.paymentID = operation.kind == .charge ? refusal.chargeID : nil
        let isClover = ServiceErrorForm.matches(status: status, body)
        let isDetailed = isClover && ServiceErrorForm.isDetailed(body)
        let cause = refusal.code.flatMap(PaymentErrorCode.meaning)?.cause
        // Some declines have status 500 (Clover: test card numbers).
        if isDetailed, status >= 400, (status == 402 && cause != .service) || cause == .card {
            outcome.code = refusal.code ?? "card_declined"
            return .declined(outcome)
        }
        var doubt = outcome
        doubt.code = nil
        doubt.text = nil
        if isRepeat {
            // An example is a card token that the first attempt has used up. It proves nothing.
            doubt.reason =
                "the response to the first attempt was lost, and the second was refused (\(refusal.code ?? "\(status)"))"
            return .silence(doubt, isRepeatable: false)
        }
        if isClover, let code = refusal.code, PaymentErrorCode.mayFollowItself(code) {
            doubt.reason = "Clover says that this was done before (\(code)), perhaps by this very request"
            return .silence(doubt, isRepeatable: false)
        }
        guard isClover, (400...499).contains(status), ![408, 409, 425].contains(status) else {
            doubt.reason = "the service answered \(status)" + (isClover ? "" : ", not in Clover's form")
            return .silence(doubt, isRepeatable: true)
        }
        guard isDetailed else {
            if status == 401 { return .signInDoubted(outcome) }
            doubt.reason = "the service answered \(status), in a form that gateways use, too"
            return .silence(doubt, isRepeatable: true)
        }
        return refusal.isOfPaymentService ? .refused(outcome) : .doubtfulRefusal(.failed, outcome)
    }

    private func accepted(_ operation: PaymentOperation, _ status: Int, _ body: [UInt8]) -> Evidence {
        guard let tree = JSONTree(body), let id = tree["id"]?.string, !id.isEmpty else {
            return .inconclusive("the response (\(status)) cannot be understood", http: status, isRepeatable: true)
        }
        switch operation.kind {
        case .charge: return .payment(observed(tree, of: operation, .response, status))
        case .refund: return refund(tree, operation, status)
        default: return capture(tree, operation, status)
        }
    }

    func observed(
        _ tree: JSONTree, of operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment {
        var outcome = OperationOutcome(http: status)
        outcome.paymentID = tree["id"]?.string
        outcome.orderID = tree["order"]?.identifier
        outcome.authCode = tree["auth_code"]?.string
        outcome.tip = tree["tip_amount"]?.amount
        // An amount that is not a number becomes 0, which contradicts every request.
        outcome.amount = tree["amount"].map { $0.int ?? 0 }
        if let source = tree["source"] {
            outcome.card = CardDetails(
                type: source["brand"]?.string, first6: source["first6"]?.digits(6), last4: source["last4"]?.digits(4))
        }
        outcome.text = (tree["failure_message"]?.string ?? tree["outcome"]?["seller_message"]?.string)
            .map(ServiceErrorBody.oneLine)
        let ending: ObservedPayment.Ending
        switch tree["status"]?.string {
        case "succeeded" where tree["paid"]?.bool == false: ending = .open("succeeded, but not paid")
        case "succeeded": ending = .approved
        case "failed":
            ending = .declined
            outcome.code = tree["failure_code"]?.string ?? tree["outcome"]?["code"]?.string
            if outcome.code == nil, outcome.text == nil {
                outcome.reason = "the payment failed, and the service gives no reason"
            }
        case let word: ending = .open(Self.challenge(tree) ?? word)
        }
        if ending == .approved, let customer = operation.request.customer,
            let shown = tree["customer"]?.identifier, shown != customer
        {
            let other = ServiceErrorBody.oneLine(shown)
            outcome.otherCustomer = other
            outcome.reason = "Clover names another customer, \(other)"
        }
        var payment = ObservedPayment(
            source: source, ending: ending, externalID: tree["external_reference_id"]?.string,
            currency: tree["currency"]?.string, isCaptured: tree["captured"]?.bool, outcome: outcome)
        // The sample of get charges has false beside the whole amount.
        payment.captured = tree["amount_captured"]?.amount ?? (payment.isCaptured == false ? 0 : nil)
        payment.refunded = tree["amount_refunded"]?.amount
        // Without an amount that can be read, all of it may have been given back.
        if tree["refunded"]?.bool == true, payment.refunded ?? 0 == 0 {
            let captured = payment.captured.flatMap { $0 > 0 ? $0 : nil }
            payment.refunded = captured ?? outcome.amount
            payment.lacksRefundedAmount = true
        }
        payment.createdAt = tree["created"]?.int
        return payment
    }

    /// What a charge that is not complete waits for, if that is 3-D Secure (Clover: 3DS, configure the SDK).
    private static func challenge(_ tree: JSONTree) -> String? {
        switch tree["threeds"]?["validation_result"]?.string {
        case "THREEDS_METHOD_FLOW_REQUIRED", "CHALLENGE_FLOW_REQUIRED":
            "waiting for 3-D Secure, which the cardholder confirms in a browser"
        default: nil
        }
    }

    /// Reads a capture, from its own response or from its charge as it is now.
    func capture(_ tree: JSONTree, _ operation: PaymentOperation, _ status: Int) -> Evidence {
        var outcome = OperationOutcome(http: status)
        outcome.paymentID = tree["id"]?.string
        let asked = operation.amount?.minorUnits
        outcome.amount = tree["amount_captured"]?.amount ?? asked
        guard outcome.paymentID == operation.request.followedPaymentID else {
            return .inconclusive("the response shows another charge", http: status, isRepeatable: true)
        }
        guard tree["captured"]?.bool == true, tree["status"]?.string != "failed", tree["paid"]?.bool != false,
            isInCurrency(of: operation, tree)
        else {
            return .inconclusive("the charge is not captured at the service", http: status, isRepeatable: true)
        }
        guard outcome.amount == asked else {
            return .inconclusive("the charge is captured with a different amount", http: status)
        }
        return .effect(outcome)
    }

    /// Whether a response names no other currency than that of the operation.
    private func isInCurrency(of operation: PaymentOperation, _ tree: JSONTree) -> Bool {
        guard let currency = tree["currency"]?.string, let asked = operation.amount?.currency.code else { return true }
        return currency.uppercased() == asked
    }

    private func refund(_ tree: JSONTree, _ operation: PaymentOperation, _ status: Int) -> Evidence {
        var outcome = OperationOutcome(http: status)
        outcome.paymentID = tree["id"]?.string
        outcome.amount = tree["amount"]?.amount
        let charge = operation.request.followedPaymentID
        guard isInCurrency(of: operation, tree) else {
            return .inconclusive("the response shows a refund in another currency", http: status)
        }
        guard tree["charge"]?.identifier == nil || tree["charge"]?.identifier == charge else {
            return .inconclusive("the response shows a refund of another charge", http: status)
        }
        // A full refund that includes the tip is requested without an amount.
        let asked = JSONTree(Array(operation.request.body.utf8))?["amount"]?.amount
        let isShown = outcome.amount.map { $0 > 0 && (asked == nil || $0 == asked) } ?? (tree["charge"] != nil)
        switch tree["status"]?.string {
        // A pending refund is on its way and cannot be made a second time.
        case "succeeded", "pending", nil:
            guard isShown else {
                return .inconclusive("the response does not show the refund", http: status, isRepeatable: true)
            }
            if tree["status"]?.string == "pending" {
                outcome.reason = "the refund is pending: it is on its way, and the money may not have been returned yet"
                outcome.isProvisional = true
            }
            return .effect(outcome)
        case "failed", "canceled":
            outcome.code = tree["failure_reason"]?.string
            return .declined(outcome)
        case let word:
            return .inconclusive("the refund is '\(ServiceErrorBody.oneLine(word ?? ""))' at the service", http: status)
        }
    }
}

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
    var storedCredentials: StoredCredentials?
    /// The card's token or the customer's ID; set only while the request is sent.
    var source: String?

    struct StoredCredentials: Codable {
        var sequence: String
        var isScheduled: Bool
        var initiator: String

        enum CodingKeys: String, CodingKey {
            case sequence, initiator
            case isScheduled = "is_scheduled"
        }
    }

    enum CodingKeys: String, CodingKey {
        case storedCredentials = "stored_credentials"
        case amount, currency, capture, ecomind, description, metadata, source
        case tipAmount = "tip_amount"
        case taxAmount = "tax_amount"
        case externalReferenceID = "external_reference_id"
        case receiptEmail = "receipt_email"
    }
}

/// Encodes request bodies as text.
enum BodyText {
    /// Encodes with sorted keys, so that equal requests have equal bytes.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A body from the journal with the source put back.
    static func ecommerce(_ text: String, source: String) throws -> String {
        var body = try JSONDecoder().decode(EcommerceBody.self, from: Data(text.utf8))
        body.source = source
        return try encode(body)
    }
}
