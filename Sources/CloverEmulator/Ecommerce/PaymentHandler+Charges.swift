extension PaymentHandler {
    /// The time of a new record of the ecommerce API: later than that of the newest one, so that times tell records apart.
    ///
    /// - Parameter present: by the clock of the `Date` header.
    private func time(in table: PaymentTable, at present: Int) -> Int {
        max(present, (view.state.money.newest(table)?["created"]?.integer ?? 0) + 1)
    }

    /// - Parameter present: the time by the clock of the `Date` header.
    /// - Throws: an error for a source that cannot be used. A declined charge is a normal response: it is stored and
    ///   listed.
    mutating func charge(
        _ request: ChargeRequest, at present: Int, key: String?, fault: FaultKind?
    ) throws(PaymentRefusal) -> EmulatorResponse {
        let source = cardToken(of: request.source)
        guard var token = document(.cardToken, source), let card = token["card"] else {
            throw .parameter("invalid_request", "source", "No such source")
        }
        guard token["isUsed"]?.boolean != true, fault != .tokenUsed else { throw .tokenUsed }
        if token["isKept"]?.boolean != true {
            token.set("isUsed", .boolean(true))
            put(.cardToken, source, token)
        }
        // The ecommerce API declines rather than approve in part (Clover documentation, ecommerce).
        let isApproved =
            token["behaviour"]?.text == CardBehaviour.approve.rawValue && ![.decline, .declineAsError].contains(fault)
        let id = newID()
        let orderID = newID()
        let facts = use(
            brand: card["brand"]?.text ?? "", first6: card["first6"]?.text ?? "", last4: card["last4"]?.text ?? "")
        var charge = chargeDocument(
            request, at: time(in: .charge, at: present), id: id, orderID: orderID, card: card, facts: facts,
            isApproved: isApproved)
        if fault == .threeDS {
            charge.awaitChallenge(newID())
            put(.charge, id, charge)
            return EmulatorResponse(json: charge)
        }
        put(.charge, id, charge)
        record(
            RecordedPayment(
                id: id, orderID: orderID, total: request.amount, amount: request.amount, tipAmount: request.tipAmount,
                taxAmount: request.taxAmount, externalReferenceID: request.externalReferenceID,
                result: isApproved ? (request.isCaptured ? "SUCCESS" : "AUTH") : "FAIL", card: facts))
        note(
            request.isCaptured ? .charge : .preauth, .ecommerce, key: key, amount: request.amount,
            externalID: request.externalReferenceID, id: id, result: isApproved ? "approved" : "declined",
            moved: isApproved ? request.amount + request.tipAmount : 0)
        guard isApproved else {
            // 402 in the list of responses, 500 on the page of the test card; the fault selects the latter.
            return PaymentRefusal.ecommerce(
                fault == .declineAsError ? 500 : 402, "card_declined", "The card was declined", type: .card,
                declineCode: "issuer_declined", charge: id
            ).answer
        }
        // What only the response says: the charge itself is made.
        if fault == .pending { charge.merge(["status": "pending", "paid": false, "captured": false]) }
        return EmulatorResponse(json: fault == .noReference ? charge.withoutReference : charge)
    }

    private func chargeDocument(
        _ request: ChargeRequest, at time: Int, id: String, orderID: String, card: JSONValue, facts: CardDetails,
        isApproved: Bool
    ) -> JSONValue {
        let isCaptured = request.isCaptured && isApproved
        var charge: JSONValue = [
            "id": .string(id), "object": "charge", "amount": .integer(request.amount),
            "amount_captured": .integer(isCaptured ? request.amount : 0), "amount_refunded": 0,
            "tip_amount": .integer(request.tipAmount), "tax_amount": .integer(request.taxAmount),
            "currency": .string(Self.currency.lowercased()), "created": .integer(time),
            "captured": .boolean(isCaptured), "paid": .boolean(isApproved), "refunded": false,
            "status": .string(isApproved ? "succeeded" : "failed"),
            "livemode": false, "ref_num": .string(facts.reference), "order": .string(orderID),
            "payment_method_details": "card",
        ]
        charge.merge(
            isApproved
                ? ["auth_code": .string(facts.authCode)]
                : ["failure_code": "card_declined", "failure_message": "The card was declined"])
        charge.append(
            "outcome",
            [
                "network_status": .string(isApproved ? "approved_by_network" : "declined_by_network"),
                "type": .string(isApproved ? "authorized" : "issuer_declined"), "risk_level": "not_assessed",
            ])
        var source = card
        let token = cardToken(of: request.source)
        source.append("id", .string(token))
        charge.append("source", source)
        if token != request.source { charge.append("customer", .string(request.source)) }
        for (name, value) in request.echoed { charge.append(name, value) }
        return charge
    }

    /// Captures the held amount, or less.
    ///
    /// - Parameter present: the time by the clock of the `Date` header.
    mutating func capture(
        _ id: String, _ body: JSONValue, at present: Int, key: String?, holdLife: Duration
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard var charge = document(.charge, id) else {
            throw .ecommerce(400, "invalid_request", "No charge with the id \(id)")
        }
        let held = charge["amount"]?.integer ?? 0
        let tip = charge["tip_amount"]?.integer ?? 0
        guard charge["paid"]?.boolean == true, charge["refunded"]?.boolean != true else {
            throw .ecommerce(400, "invalid_request", "The charge holds nothing to capture")
        }
        guard charge["captured"]?.boolean != true else {
            throw .ecommerce(400, "charge_already_captured", "The charge has been captured already")
        }
        guard time(in: .charge, at: present) - (charge["created"]?.integer ?? 0) <= holdLife.milliseconds else {
            throw .ecommerce(400, "charge_expired_for_capture", "The charge has expired and can no longer be captured")
        }
        var amount = held
        if let value = body["amount"] {
            guard case .integer(let wanted) = value, (1...held).contains(wanted) else {
                throw .parameter("invalid_charge_amount", "amount", "At most \(held) can be captured")
            }
            amount = wanted
        }
        charge.merge(["captured": true, "amount_captured": .integer(amount)])
        put(.charge, id, charge)
        changePayment(
            id, ["amount": .integer(amount), "result": "SUCCESS"],
            card: ["captured": true, "state": "CLOSED", "type": "PREAUTHCAPTURE"])
        note(
            .capture, .ecommerce, key: key, amount: amount + tip, externalID: charge["external_reference_id"]?.text,
            id: id, moved: amount - held)
        return EmulatorResponse(json: charge)
    }
}

extension PaymentHandler {
    private static let reasons = ["duplicate", "fraudulent", "requested_by_customer"]

    /// Refunds a charge, in part or in full. A charge that was not captured can only be refunded in full.
    ///
    /// - Parameters:
    ///   - present: the time by the clock of the `Date` header.
    ///   - isPending: whether the response says so; the refund itself is made.
    mutating func refundCharge(
        _ body: JSONValue, at present: Int, key: String?, isPending: Bool
    ) throws(PaymentRefusal) -> EmulatorResponse {
        guard let id = body["charge"]?.text else { throw .missing("charge") }
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
        charge.merge(["amount_refunded": .integer(returned + amount), "refunded": .boolean(amount == left)])
        put(.charge, id, charge)
        var refund: JSONValue = [
            "id": .string(refundID), "object": "refund", "amount": .integer(amount), "charge": .string(id),
            "created": .integer(time(in: .chargeRefund, at: present)), "currency": .string(Self.currency.lowercased()),
            "status": "succeeded",
        ]
        for (name, value) in body.members where ["reason", "metadata", "external_reference_id"].contains(name) {
            refund.append(name, value)
        }
        put(.chargeRefund, refundID, refund)
        if isCaptured {
            recordRefund(refundID, of: id, amount: amount, isWhole: amount == left)
        } else {
            changePayment(id, ["result": "VOIDED"])
        }
        note(
            .refund, .ecommerce, key: key, amount: amount, externalID: body["external_reference_id"]?.text,
            id: refundID, moved: -amount)
        if isPending { refund.set("status", "pending") }
        return EmulatorResponse(json: refund)
    }

    private func refundAmount(_ body: JSONValue, left: Int, isCaptured: Bool) throws(PaymentRefusal) -> Int {
        guard let value = body["amount"] else {
            guard left > 0 else {
                throw .ecommerce(400, "charge_already_refunded", "The charge has been refunded already")
            }
            return left
        }
        let amount = try ChargeRequest.cents(value)
        guard amount <= left, isCaptured || amount == left else {
            throw .ecommerce(400, "processing_error", "At most \(left) can be refunded", type: nil)
        }
        return amount
    }
}

extension JSONValue {
    /// Turns a charge into one that waits for 3-D Secure (Clover: 3DS, configure the SDK).
    fileprivate mutating func awaitChallenge(_ transaction: String) {
        for name in ["failure_code", "failure_message", "auth_code", "outcome"] { remove(name) }
        merge(["status": "pending", "paid": false, "captured": false, "amount_captured": 0])
        append(
            "threeds",
            [
                "validation_result": "CHALLENGE_FLOW_REQUIRED",
                "data": ["acs_url": "https://acs.example.org/c", "acs_transaction_id": .string(transaction)],
            ])
    }
}
