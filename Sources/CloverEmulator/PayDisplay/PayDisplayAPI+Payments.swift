/// Calls that need a card, and calls about payments that were taken.
extension PayDisplayAPI {
    func pay(_ call: DeviceCall) async throws(PaymentRefusal) -> Answer {
        let request = try PayRequest(call)
        let card = behaviour(call.fault)
        return try await visit(call, externalPaymentID: request.externalPaymentID) { desk, ending in
            switch ending {
            case .cancelled: desk.cancelPayment(request, call)
            case .decided where card == .cancel: desk.cancelPayment(request, call)
            case .decided: desk.takePayment(request, call, card: card)
            case .reset: desk.resetPayment(request, call, card: card)
            }
        }
    }

    func credit(_ call: DeviceCall) async throws(PaymentRefusal) -> Answer {
        let amount = try call.neededCents("amount", in: PayRequest.amounts)
        let card = behaviour(call.fault)
        return try await visit(call, externalPaymentID: nil) { desk, ending in
            guard ending != .cancelled, card != .cancel else {
                desk.noteCredit(amount, call, id: "", result: "cancelled")
                return PaymentRefusal.cancelled(request: call.name).answer
            }
            return desk.giveCredit(amount, call, isApproved: card != .decline)
        }
    }

    private func behaviour(_ fault: FaultKind?) -> CardBehaviour {
        switch fault {
        case .decline: .decline
        case .partial: .partial
        case .duplicate: .duplicate
        case .signature: .signature
        case .cancel: .cancel
        default: settings.card
        }
    }

    /// A call that needs a card: answered at once when it was answered before, joined to the visit when it is under way.
    private func visit(
        _ call: DeviceCall, externalPaymentID: String?,
        settle: @escaping @Sendable (inout MoneyDesk, DeviceFloor.Ending) -> Answer
    ) async throws(PaymentRefusal) -> Answer {
        guard let key = call.key else { throw .badRequest("Missing header: Idempotency-Key", request: call.name) }
        let clash = call.clash
        if let answer = try MoneyDesk(view: ledger.view, now: 0).firstAnswer(key, clash: clash) { return answer }
        let ledger = ledger
        let errand = DeviceFloor.Errand(
            name: call.name, posID: call.posID, key: key, externalPaymentID: externalPaymentID,
            cardTime: settings.cardTime + (call.fault == .slowCard ? settings.slowCardTime : .zero),
            authorizationTime: settings.authorizationTime
        ) { ending in
            ledger.exchange { desk throws(PaymentRefusal) in
                try desk.once(key, clash: clash) { desk in settle(&desk, ending) }
            }
        }
        let answer = try await floor.perform(errand, on: call.serial, timeout: call.timeout)
        guard let answer else { throw .late(request: call.name) }
        return answer
    }

    // MARK: Afterwards

    /// Capture, increment, tip, void, refund or receipt of a payment.
    func follow(_ id: String, _ verb: String, _ call: DeviceCall) async throws(PaymentRefusal) -> Answer {
        if let key = call.key, let answer = try MoneyDesk(view: ledger.view, now: 0).firstAnswer(key, clash: call.clash)
        {
            return answer
        }
        try await floor.checkFree(call.serial, for: call.name)
        guard ledger.view.state.money[.devicePayment, id] != nil else {
            throw .device(404, "NOT_FOUND", "No payment with the id \(id)", request: call.name)
        }
        if verb == "receipt" { return try await receipt(call) }
        let window = settings.voidWindow
        return ledger.exchange { desk throws(PaymentRefusal) in
            try desk.once(call.key, clash: call.clash) { desk throws(PaymentRefusal) in
                switch verb {
                case "capture": try desk.capturePayment(id, call)
                case "increment": try desk.incrementPayment(id, call)
                case "tip-adjust": try desk.adjustTip(id, call)
                case "void": try desk.voidPayment(id, call, window: window)
                default: try desk.refundPayment(id, call)
                }
            }
        }
    }

    /// Receipts are taken and go nowhere, as in Clover's sandbox.
    func receipt(_ call: DeviceCall) async throws(PaymentRefusal) -> Answer {
        try await floor.checkFree(call.serial, for: call.name)
        if let option = call.body["deliveryOption"] {
            guard ["NO_RECEIPT", "PRINT", "EMAIL", "SMS"].contains(option["method"]?.text ?? option.text ?? "") else {
                throw .badRequest("Invalid value: deliveryOption", request: call.name)
            }
        }
        return Answer(status: 200, json: .object([]))
    }
}
