/// Payments that a device takes.
extension MoneyDesk {
    /// Uses the card for a payment. A decline is an answer with status 200.
    mutating func takePayment(_ request: PayRequest, _ call: DeviceCall, card: CardBehaviour) -> Answer {
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
        var kept: JSONValue = .object([
            ("id", .string(id)), ("kind", .string(request.kind.rawValue)), ("isClosedOut", .boolean(false)),
            ("issues", issues),
        ])
        if let external = request.externalPaymentID { kept.append("externalPaymentId", .string(external)) }
        put(.devicePayment, id, kept)
        note(
            Movement(
                key: call.key?.text, kind: request.kind, rail: .payDisplay, amount: request.amount,
                externalID: request.externalPaymentID, id: id, result: isApproved ? "approved" : "declined",
                moved: isApproved ? amount + request.tipAmount : 0))
        return Answer(status: 200, json: payReply(id, issues: issues))
    }

    /// Nothing moved: 209.
    mutating func cancelPayment(_ request: PayRequest, _ call: DeviceCall) -> Answer {
        note(
            Movement(
                key: call.key?.text, kind: request.kind, rail: .payDisplay, amount: request.amount,
                externalID: request.externalPaymentID, id: "", result: "cancelled", moved: 0))
        return PaymentRefusal.cancelled(request: call.name).answer
    }

    /// The payment went through, and the reset voids it: 209.
    mutating func resetPayment(_ request: PayRequest, _ call: DeviceCall, card: CardBehaviour) -> Answer {
        let answer = takePayment(request, call, card: card)
        guard card != .decline, let id = changes.last(where: { $0.table == .devicePayment })?.id else { return answer }
        release(id, call, reason: "USER_CANCEL")
        return PaymentRefusal.cancelled(request: call.name).answer
    }

    private func issues(_ card: CardBehaviour, _ request: PayRequest, amount: Int) -> JSONValue {
        switch card {
        case .partial:
            .object([
                (
                    "partialPayment",
                    .object([
                        ("requestedAmount", .integer(request.amount)), ("actualAmount", .integer(amount)),
                        ("description", .string("Only a part of the amount was approved")),
                    ])
                )
            ])
        case .duplicate:
            .object([("duplicate", .object([("description", .string("A payment like this was just taken"))]))])
        case .signature:
            .object([
                (
                    "signature",
                    .object([
                        (
                            "signature",
                            .object([
                                ("width", .integer(300)), ("height", .integer(100)), ("strokes", .array([])),
                            ])
                        )
                    ])
                )
            ])
        case .offline: .object([("offline", .object([("description", .string("The payment was taken offline"))]))])
        case .approve, .decline, .cancel: .object([])
        }
    }

    /// A payment as devices show it: the V3 record in another form.
    func payReply(_ id: String, issues: JSONValue?) -> JSONValue {
        let record = document(.payment, id) ?? .object([])
        let names = [
            "id", "amount", "tipAmount", "taxAmount", "result", "externalPaymentId", "externalReferenceId", "order",
            "device", "employee", "createdTime", "modifiedTime", "offline", "cardTransaction", "voidReason",
        ]
        var payment: JSONValue = .object(record.members.filter { names.contains($0.key) })
        // V3 tells what is only held from what is taken; success is success here.
        if let result = record["result"]?.text, result == "AUTH" { payment.set("result", .string("SUCCESS")) }
        payment.append("refunds", .array(record["refunds"]?.elements ?? []))
        payment.append("additionalCharges", .array([]))
        return .object([("payment", payment), ("issues", issues ?? .object([]))])
    }

    // MARK: Credits

    /// Gives money to a card without a payment.
    mutating func giveCredit(_ amount: Int, _ call: DeviceCall, isApproved: Bool) -> Answer {
        let id = newID()
        let facts = use(brand: "VISA", first6: "424242", last4: "4242")
        let credit: JSONValue = .object([
            ("id", .string(id)), ("device", .reference(call.deviceID)),
            ("employee", .reference(view.shop.ids.identifier(.employee, 0))), ("amount", .integer(amount)),
            ("taxAmount", .integer(0)), ("createdTime", .integer(now)), ("clientCreatedTime", .integer(now)),
            ("voided", .boolean(false)), ("result", .string(isApproved ? "SUCCESS" : "FAIL")),
            (
                "cardTransaction",
                .object([
                    ("creditRef", .reference(id)), ("cardType", .string(facts.brand)),
                    ("entryType", .string("EMV_CONTACTLESS")), ("first6", .string(facts.first6)),
                    ("last4", .string(facts.last4)), ("type", .string("NAKEDREFUND")),
                    ("referenceId", .string(facts.reference)), ("state", .string("CLOSED")),
                ])
            ),
        ])
        put(.credit, id, credit)
        noteCredit(amount, call, id: id, result: isApproved ? "approved" : "declined")
        return Answer(status: 200, json: .object([("credit", credit)]))
    }

    mutating func noteCredit(_ amount: Int, _ call: DeviceCall, id: String, result: String) {
        note(
            Movement(
                key: call.key?.text, kind: .credit, rail: .payDisplay, amount: amount, externalID: nil, id: id,
                result: result, moved: result == "approved" ? -amount : 0))
    }
}
