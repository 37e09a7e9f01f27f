/// Refunds of charges.
extension MoneyDesk {
    private static let reasons = ["duplicate", "fraudulent", "requested_by_customer"]

    /// Gives a charge back, in part or whole. A charge that was not captured can only be given back whole.
    mutating func refundCharge(_ body: JSONValue, key: String?) throws(PaymentRefusal) -> Answer {
        guard let id = body["charge"]?.text else {
            throw .parameter("parameter_missing", "charge", "Missing parameter: charge")
        }
        if let reason = body["reason"], !Self.reasons.contains(reason.text ?? "") {
            throw .parameter("invalid_request", "reason", "Expected \(Self.reasons.joined(separator: ", ")): reason")
        }
        guard var charge = document(.charge, id), charge["paid"]?.boolean == true else {
            throw .ecommerce(404, "processing_error", "Not Found", type: nil)
        }
        let isCaptured = charge["captured"]?.boolean == true
        let taken = charge[isCaptured ? "amount_captured" : "amount"]?.integer ?? 0
        let returned = charge["amount_refunded"]?.integer ?? 0
        let left = taken + (charge["tip_amount"]?.integer ?? 0) - returned
        let amount = try refundAmount(body, left: left, isCaptured: isCaptured)
        let refundID = newID()
        charge.set("amount_refunded", .integer(returned + amount))
        charge.set("refunded", .boolean(amount == left))
        put(.charge, id, charge)
        var refund: JSONValue = .object([
            ("id", .string(refundID)), ("object", .string("refund")), ("amount", .integer(amount)),
            ("charge", .string(id)), ("created", .integer(now)), ("currency", .string(Self.currency.lowercased())),
            ("status", .string("succeeded")),
        ])
        for (name, value) in body.members where ["reason", "metadata", "external_reference_id"].contains(name) {
            refund.append(name, value)
        }
        put(.chargeRefund, refundID, refund)
        if isCaptured {
            recordRefund(refundID, of: id, amount: amount, isWhole: amount == left)
        } else {
            changePayment(id) { $0.set("result", .string("VOIDED")) }
        }
        note(
            Movement(
                key: key, kind: .refund, rail: .ecommerce, amount: amount,
                externalID: body["external_reference_id"]?.text, id: refundID, result: "approved", moved: -amount))
        return Answer(status: 200, json: refund)
    }

    private func refundAmount(_ body: JSONValue, left: Int, isCaptured: Bool) throws(PaymentRefusal) -> Int {
        guard let value = body["amount"] else {
            guard left > 0 else {
                throw .ecommerce(400, "charge_already_refunded", "The charge has been refunded already")
            }
            return left
        }
        guard case .integer(let amount) = value else {
            throw .parameter("parameter_invalid_integer", "amount", "Expected a whole number of cents: amount")
        }
        guard amount > 0 else { throw .parameter("amount_too_small", "amount", "The amount is too small") }
        guard amount <= left, isCaptured || amount == left else {
            throw .ecommerce(400, "processing_error", "At most \(left) can be refunded", type: nil)
        }
        return amount
    }
}
