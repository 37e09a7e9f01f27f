extension PaymentHandler {
    /// Charges the card. A decline is a response with status 200.
    mutating func takePayment(_ request: PayRequest, _ call: DeviceCall, card: CardBehaviour) -> EmulatorResponse {
        let id = newID()
        let isApproved = card != .decline
        let amount = card == .partial ? max(request.amount / 2, 1) : request.amount
        let facts = use(brand: "VISA", first6: card == .partial ? "400557" : "424242", last4: "4242")
        record(
            RecordedPayment(
                id: id, orderID: newID(), deviceID: call.deviceID, total: request.amount, amount: amount,
                tipAmount: request.tipAmount, taxAmount: min(request.taxAmount, amount),
                externalPaymentID: request.externalPaymentID, externalReferenceID: request.externalReferenceID,
                result: isApproved ? (request.kind == .preauth ? "AUTH" : "SUCCESS") : "FAIL",
                isOffline: card == .offline, card: facts, entryType: "EMV_CONTACTLESS",
                isClosed: request.kind == .charge))
        let issues = issues(card, request, amount: amount)
        var kept: JSONValue = [
            "id": .string(id), "kind": .string(request.kind.rawValue), "isClosedOut": false, "issues": issues,
        ]
        if let external = request.externalPaymentID { kept.append("externalPaymentId", .string(external)) }
        put(.devicePayment, id, kept)
        note(
            request.kind, call, amount: request.amount, externalID: request.externalPaymentID, id: id,
            result: isApproved ? "approved" : "declined", moved: isApproved ? amount + request.tipAmount : 0)
        return EmulatorResponse(json: payReply(id, issues: issues))
    }

    /// Records a cancelled payment and returns 209; no money moved.
    mutating func cancelPayment(_ request: PayRequest, _ call: DeviceCall) -> EmulatorResponse {
        note(
            request.kind, call, amount: request.amount, externalID: request.externalPaymentID, id: "",
            result: "cancelled", moved: 0)
        return call.cancelled
    }

    /// Records a payment that succeeded and was voided by the reset, and returns 209.
    mutating func resetPayment(_ request: PayRequest, _ call: DeviceCall, card: CardBehaviour) -> EmulatorResponse {
        let answer = takePayment(request, call, card: card)
        guard card != .decline, let id = changes.last(where: { $0.table == .devicePayment })?.id else { return answer }
        release(id, call, reason: "USER_CANCEL")
        return call.cancelled
    }

    private func issues(_ card: CardBehaviour, _ request: PayRequest, amount: Int) -> JSONValue {
        switch card {
        case .partial:
            [
                "partialPayment": [
                    "requestedAmount": .integer(request.amount), "actualAmount": .integer(amount),
                    "description": "Only a part of the amount was approved",
                ]
            ]
        case .duplicate:
            ["duplicate": ["description": "A payment like this was just taken"]]
        case .signature:
            ["signature": ["signature": ["width": 300, "height": 100, "strokes": []]]]
        case .offline: ["offline": ["description": "The payment was taken offline"]]
        case .approve, .decline, .cancel: [:]
        }
    }

    /// A payment in the form that devices return.
    func payReply(_ id: String, issues: JSONValue?) -> JSONValue {
        let record = document(.payment, id) ?? [:]
        let names = [
            "id", "amount", "tipAmount", "taxAmount", "cashbackAmount", "result", "externalPaymentId",
            "externalReferenceId", "order", "device", "employee", "createdTime", "modifiedTime", "offline",
            "cardTransaction", "voidReason",
        ]
        var payment: JSONValue = .object(record.members.filter { names.contains($0.key) })
        // V3 distinguishes holds from charges; devices return SUCCESS for both.
        if let result = record["result"]?.text, result == "AUTH" { payment.set("result", .string("SUCCESS")) }
        payment.append("refunds", .array(record["refunds"]?.elements ?? []))
        payment.append("additionalCharges", .array([]))
        return ["payment": payment, "issues": issues ?? [:]]
    }

    // MARK: Credits

    /// Credits a card without a prior payment.
    mutating func giveCredit(_ amount: Int, _ call: DeviceCall, isApproved: Bool) -> EmulatorResponse {
        let id = newID()
        let facts = use(brand: "VISA", first6: "424242", last4: "4242")
        let credit: JSONValue = [
            "id": .string(id), "device": .reference(call.deviceID),
            "employee": employee, "amount": .integer(amount), "taxAmount": 0,
            "createdTime": .integer(now), "clientCreatedTime": .integer(now), "voided": false,
            "result": .string(isApproved ? "SUCCESS" : "FAIL"),
            "cardTransaction": [
                "creditRef": .reference(id), "cardType": .string(facts.brand), "entryType": "EMV_CONTACTLESS",
                "first6": .string(facts.first6), "last4": .string(facts.last4), "type": "NAKEDREFUND",
                "referenceId": .string(facts.reference), "state": "CLOSED",
            ],
        ]
        put(.credit, id, credit)
        note(
            .credit, call, amount: amount, id: id, result: isApproved ? "approved" : "declined",
            moved: isApproved ? -amount : 0)
        return EmulatorResponse(json: ["credit": credit])
    }

    /// Records a movement of money by a device.
    mutating func note(
        _ kind: MovementKind, _ call: DeviceCall, amount: Int, externalID: String? = nil, id: String,
        result: String = "approved", moved: Int
    ) {
        note(
            kind, .payDisplay, key: call.key?.text, amount: amount, externalID: externalID, id: id, result: result,
            moved: moved)
    }
}

/// Follow-up calls for device payments.
extension PaymentHandler {
    /// A payment with its current state.
    private struct Taken {
        let kind: MovementKind
        let isClosedOut: Bool
        let issues: JSONValue?
        let result: String
        let amount: Int
        let tipAmount: Int
        let refunded: Int
        let createdTime: Int
        let externalID: String?

        var isHeld: Bool { result == "AUTH" }
        /// The amount that can still be refunded.
        var left: Int { amount + tipAmount - refunded }
    }

    /// - Throws: 400 for a payment that failed or was voided.
    private func taken(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> Taken {
        let facts = document(.devicePayment, id)
        let payment = document(.payment, id)
        let taken = Taken(
            kind: facts?["kind"]?.text.flatMap { MovementKind(rawValue: $0) } ?? .charge,
            isClosedOut: facts?["isClosedOut"]?.boolean == true, issues: facts?["issues"],
            result: payment?["result"]?.text ?? "FAIL", amount: payment?["amount"]?.integer ?? 0,
            tipAmount: payment?["tipAmount"]?.integer ?? 0,
            refunded: (payment?["refunds"]?.elements ?? []).compactMap { $0["amount"]?.integer }.reduce(0, +),
            createdTime: payment?["createdTime"]?.integer ?? 0, externalID: payment?["externalPaymentId"]?.text)
        guard ["SUCCESS", "AUTH"].contains(taken.result) else {
            throw call.badRequest("The payment is \(taken.result)")
        }
        return taken
    }

    /// Captures the held amount, or less, and a tip.
    mutating func capturePayment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let taken = try taken(id, call)
        guard taken.isHeld else { throw call.badRequest("The payment holds nothing to capture") }
        let amount = try call.neededCents("amount", in: 1...taken.amount)
        let tip = try call.cents("tipAmount", in: 0...PayRequest.amounts.upperBound) ?? 0
        changePayment(
            id, ["amount": .integer(amount), "tipAmount": .integer(tip), "result": "SUCCESS"],
            card: ["captured": true, "type": "PREAUTHCAPTURE"])
        note(
            .capture, call, amount: amount + tip, externalID: taken.externalID, id: id,
            moved: amount + tip - taken.amount)
        return EmulatorResponse(json: ["id": .string(id), "amount": .integer(amount), "tipAmount": .integer(tip)])
    }

    mutating func incrementPayment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let taken = try taken(id, call)
        guard taken.isHeld else { throw call.badRequest("Only a pre-authorization can be increased") }
        let amount = try call.neededCents("amount", in: PayRequest.amounts)
        guard PayRequest.amounts.contains(taken.amount + amount) else {
            throw call.badRequest("The amount is too large")
        }
        changePayment(id, ["amount": .integer(taken.amount + amount)])
        note(.increment, call, amount: amount, externalID: taken.externalID, id: id, moved: amount)
        return EmulatorResponse(json: payReply(id, issues: taken.issues))
    }

    /// Sets the tip; the last value wins.
    mutating func adjustTip(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let taken = try taken(id, call)
        guard taken.kind != .charge, !taken.isHeld else {
            throw call.badRequest("The payment does not accept a tip")
        }
        guard !taken.isClosedOut else { throw call.badRequest("The payment is closed out") }
        let tip = try call.neededCents("tipAmount", in: 0...PayRequest.amounts.upperBound)
        changePayment(id, ["tipAmount": .integer(tip)])
        note(.tip, call, amount: tip, externalID: taken.externalID, id: id, moved: tip - taken.tipAmount)
        return EmulatorResponse(json: payReply(id, issues: taken.issues))
    }

    /// Voids a payment. After about 25 minutes, and after closeout, the money is returned as a refund.
    mutating func voidPayment(
        _ id: String, _ call: DeviceCall, window: Duration
    ) throws(PaymentRefusal) -> EmulatorResponse {
        let taken = try taken(id, call)
        guard let reason = call.body["voidReason"]?.text, !reason.isEmpty else {
            throw call.badRequest("Missing value: voidReason")
        }
        guard taken.left > 0 else { throw call.badRequest("The payment is refunded already") }
        let isLate = taken.isClosedOut || now - taken.createdTime > window.milliseconds
        if taken.isHeld || !isLate && taken.refunded == 0 {
            release(id, call, reason: reason)
        } else {
            recordRefund(newID(), of: id, amount: taken.left, isWhole: true)
            note(.void, call, amount: taken.left, externalID: taken.externalID, id: id, moved: -taken.left)
        }
        return EmulatorResponse(json: payReply(id, issues: taken.issues))
    }

    mutating func release(_ id: String, _ call: DeviceCall, reason: String) {
        guard let payment = document(.payment, id) else { return }
        let amount = (payment["amount"]?.integer ?? 0) + (payment["tipAmount"]?.integer ?? 0)
        changePayment(id, ["result": "VOIDED", "voidReason": .string(reason)])
        if let orderID = payment[path: "order", "id"]?.text, var order = document(.order, orderID) {
            order.merge(["paymentState": "OPEN", "state": "open", "modifiedTime": .integer(now)])
            put(.order, orderID, order)
        }
        note(
            .void, call, amount: amount, externalID: payment["externalPaymentId"]?.text, id: id, moved: -amount)
    }

    /// Refunds a payment, in part or in full.
    mutating func refundPayment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let taken = try taken(id, call)
        guard !taken.isHeld else { throw call.badRequest("The payment is not captured yet") }
        let isFull = try call.flag("fullRefund", orElse: false)
        let asked = try call.cents("amount", in: PayRequest.amounts)
        guard isFull != (asked != nil) else {
            throw call.badRequest("Expected either fullRefund or amount")
        }
        let amount = asked ?? taken.left
        guard amount > 0, amount <= taken.left else {
            throw call.badRequest("At most \(taken.left) can be refunded")
        }
        let refundID = newID()
        recordRefund(refundID, of: id, amount: amount, isWhole: amount == taken.left)
        note(.refund, call, amount: amount, externalID: taken.externalID, id: refundID, moved: -amount)
        return EmulatorResponse(json: [
            "payment": payReply(id, issues: nil)["payment"] ?? [:], "paymentId": .string(id),
            "refund": document(.refund, refundID) ?? [:],
        ])
    }
}
