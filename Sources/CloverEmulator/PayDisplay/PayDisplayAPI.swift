/// REST Pay Display: payments on the shop's devices (Clover documentation, REST Pay).
package struct PayDisplayAPI: Sendable {
    /// The paths after `/connect`; `{}` stands for an id.
    private static let paths: [(path: [String], methods: [String])] = [
        (["v1", "payments"], ["POST"]), (["v1", "payments", "external", "{}"], ["GET"]),
        (["v1", "payments", "{}"], ["GET"]), (["v1", "payments", "{}", "capture"], ["POST"]),
        (["v1", "payments", "{}", "increment"], ["POST"]), (["v1", "payments", "{}", "tip-adjust"], ["POST"]),
        (["v1", "payments", "{}", "void"], ["POST"]), (["v1", "payments", "{}", "refunds"], ["POST"]),
        (["v1", "payments", "{}", "receipt"], ["POST"]), (["v1", "credits"], ["POST"]),
        (["v1", "credits", "{}", "receipt"], ["POST"]), (["v1", "device", "ping"], ["GET", "POST"]),
        (["v1", "device", "status"], ["GET", "POST"]), (["v1", "device", "cancel"], ["POST"]),
        (["v1", "device", "reset"], ["POST", "PUT"]), (["v1", "device", "welcome"], ["POST"]),
        (["v1", "device", "thank-you"], ["POST"]), (["v1", "device", "display"], ["POST"]),
        (["v1", "device", "read-tip"], ["POST"]), (["device", "v1", "read-tip"], ["POST"]),
    ]
    /// Calls that the emulated devices do not support.
    private static let unsupported: Set<String> = [
        "read-confirmation", "read-input", "signature", "receipt-options", "print", "printers", "cash-drawers",
    ]
    /// Calls that require an idempotency key.
    private static let keyed: Set<String> = [
        "payments", "credits", "capture", "increment", "tip-adjust", "void", "refunds",
    ]

    let ledger: ShopStore
    let settings: PaymentSettings
    let floor = DeviceScheduler()

    package init(ledger: ShopStore, settings: PaymentSettings = PaymentSettings()) {
        self.ledger = ledger
        self.settings = settings
    }

    /// The response to a call; refusals become responses.
    package func answer(to call: PaymentCall) async -> EmulatorResponse {
        do {
            return try await perform(call)
        } catch {
            return error.answer
        }
    }

    private func perform(_ call: PaymentCall) async throws(PaymentRefusal) -> EmulatorResponse {
        guard call.isAuthorized else { throw .unauthorized }
        let path = Array(call.path.dropFirst())
        let match = Self.paths.first { entry in
            entry.path.count == path.count && zip(entry.path, path).allSatisfy { $0 == "{}" || $0 == $1 }
        }
        guard let match else {
            if path.count >= 3, path[1] == "device", Self.unsupported.contains(path[2]) {
                throw .unsupported(request: path[2].uppercased())
            }
            throw .device(404, "NOT_FOUND", "Unknown call", request: "UNKNOWN")
        }
        let last = match.path.last { $0 != "{}" } ?? ""
        let name = match.path == ["v1", "payments"] ? "PAY" : last.uppercased()
        guard match.methods.contains(call.method) else {
            throw .device(405, "METHOD_NOT_ALLOWED", "The methods are \(match.methods)", request: name)
        }
        let device = try DeviceCall(
            call, name: name, needsKey: call.isWrite && Self.keyed.contains(last), view: ledger.view)
        switch call.fault {
        case .busy: throw .device(503, "RESOURCE_CONFLICT", "The device is busy with another request", request: name)
        case .unsupported: throw .unsupported(request: name)
        case .keyClash: throw device.clash
        default: break
        }
        let answer = try await answer(device, match.path, path)
        // The device has carried out the call, but its response came too late.
        if call.fault == .deviceTimeout { throw .late(request: name) }
        return answer
    }

    private func answer(
        _ call: DeviceCall, _ pattern: [String], _ path: [String]
    ) async throws(PaymentRefusal) -> EmulatorResponse {
        switch (pattern[1], pattern.count) {
        case ("payments", 2): return try await pay(call)
        case ("credits", 2): return try await credit(call)
        case ("payments", 3): return try payment(path[2], call)
        case ("payments", 4) where pattern[2] == "external": return try external(path[3], call)
        case ("payments", 4): return try await follow(path[2], pattern[3], call)
        case ("credits", 4):
            guard ledger.view.row(.credits, path[2]) != nil else {
                throw .device(404, "NOT_FOUND", "No credit with the id \(path[2])", request: call.name)
            }
            return try await receipt(call)
        default: return try await device(call, pattern.last ?? "")
        }
    }

    // MARK: Lookups

    private func payment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let handler = PaymentHandler(view: ledger.view, now: 0)
        guard let facts = handler.document(.devicePayment, id) else {
            throw .device(404, "NOT_FOUND", "No payment with the id \(id)", request: call.name)
        }
        return EmulatorResponse(json: handler.payReply(id, issues: facts["issues"]))
    }

    /// The newest payment with an external id. A payment in progress is not found.
    private func external(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let all = ledger.view.state.money.documents(.devicePayment)
        guard let found = all.last(where: { $0["externalPaymentId"]?.text == id })?.id else {
            throw .device(404, "NOT_FOUND", "No payment with the external id \(id)", request: call.name)
        }
        return try payment(found, call)
    }

    // MARK: Devices

    private func device(_ call: DeviceCall, _ verb: String) async throws(PaymentRefusal) -> EmulatorResponse {
        let done = EmulatorResponse(json: [:])
        switch verb {
        case "ping": return EmulatorResponse(json: ["connected": true])
        case "status": return EmulatorResponse(json: await floor.status(call.serial))
        case "cancel": await floor.cancel(call.serial)
        case "reset": await floor.reset(call.serial)
        case "display":
            guard call.body["text"]?.text != nil else { throw .badRequest("Missing value: text", request: call.name) }
            try await floor.show(on: call.serial, for: call.name)
        case "read-tip":
            let base = try call.neededCents("baseAmount", in: PayRequest.amounts)
            try await floor.show(on: call.serial, for: call.name)
            // The customer chooses the first suggestion, or 18 percent.
            let percentage = call.body["tipSuggestions"]?.elements.first?["percentage"]?.integer ?? 18
            return EmulatorResponse(json: ["response": .integer(base * percentage / 100)])
        default: try await floor.show(on: call.serial, for: call.name)
        }
        return done
    }
}

/// Calls that need a card, and follow-up calls for payments.
extension PayDisplayAPI {
    func pay(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        let request = try PayRequest(call)
        let card = behaviour(call.fault)
        return try await operate(call, externalPaymentID: request.externalPaymentID) { handler, ending in
            switch ending {
            case .cancelled: handler.cancelPayment(request, call)
            case .decided where card == .cancel: handler.cancelPayment(request, call)
            case .decided: handler.takePayment(request, call, card: card)
            case .reset: handler.resetPayment(request, call, card: card)
            }
        }
    }

    func credit(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        let amount = try call.neededCents("amount", in: PayRequest.amounts)
        let card = behaviour(call.fault)
        return try await operate(call, externalPaymentID: nil) { handler, ending in
            guard ending != .cancelled, card != .cancel else {
                handler.noteCredit(amount, call, id: "", result: "cancelled")
                return PaymentRefusal.cancelled(request: call.name).answer
            }
            return handler.giveCredit(amount, call, isApproved: card != .decline)
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

    /// Runs a call that needs a card. A repetition gets the first response, or joins the operation if it is still
    /// running.
    private func operate(
        _ call: DeviceCall, externalPaymentID: String?,
        settle: @escaping @Sendable (inout PaymentHandler, DeviceScheduler.Ending) -> EmulatorResponse
    ) async throws(PaymentRefusal) -> EmulatorResponse {
        guard let key = call.key else { throw .badRequest("Missing header: Idempotency-Key", request: call.name) }
        let clash = call.clash
        if let answer = try PaymentHandler(view: ledger.view, now: 0).firstAnswer(key, clash: clash) { return answer }
        let ledger = ledger
        let operation = DeviceScheduler.DeviceOperation(
            name: call.name, posID: call.posID, key: key, externalPaymentID: externalPaymentID,
            cardTime: settings.cardTime + (call.fault == .slowCard ? settings.slowCardTime : .zero),
            authorizationTime: settings.authorizationTime
        ) { ending in
            ledger.exchange { handler throws(PaymentRefusal) in
                try handler.once(key, clash: clash) { handler in settle(&handler, ending) }
            }
        }
        let answer = try await floor.perform(operation, on: call.serial, timeout: call.timeout)
        guard let answer else { throw .late(request: call.name) }
        return answer
    }

    // MARK: Follow-up calls

    /// Capture, increment, tip, void, refund or receipt of a payment.
    func follow(_ id: String, _ verb: String, _ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        if let key = call.key,
            let answer = try PaymentHandler(view: ledger.view, now: 0).firstAnswer(key, clash: call.clash)
        {
            return answer
        }
        try await floor.checkFree(call.serial, for: call.name)
        guard ledger.view.state.money[.devicePayment, id] != nil else {
            throw .device(404, "NOT_FOUND", "No payment with the id \(id)", request: call.name)
        }
        if verb == "receipt" { return try await receipt(call) }
        let window = settings.voidWindow
        return ledger.exchange { handler throws(PaymentRefusal) in
            try handler.once(call.key, clash: call.clash) { handler throws(PaymentRefusal) in
                switch verb {
                case "capture": try handler.capturePayment(id, call)
                case "increment": try handler.incrementPayment(id, call)
                case "tip-adjust": try handler.adjustTip(id, call)
                case "void": try handler.voidPayment(id, call, window: window)
                default: try handler.refundPayment(id, call)
                }
            }
        }
    }

    /// Accepts receipts without sending them, as in Clover's sandbox.
    func receipt(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        try await floor.checkFree(call.serial, for: call.name)
        if let option = call.body["deliveryOption"] {
            guard ["NO_RECEIPT", "PRINT", "EMAIL", "SMS"].contains(option["method"]?.text ?? option.text ?? "") else {
                throw .badRequest("Invalid value: deliveryOption", request: call.name)
            }
        }
        return EmulatorResponse(json: [:])
    }
}

/// The errors of REST Pay Display (Clover documentation, status codes; bodies from notes of third parties).
extension PaymentRefusal {
    /// - Parameter request: the name of the call, such as `PAY`.
    static func device(_ status: Int, _ type: String, _ message: String, request: String) -> PaymentRefusal {
        PaymentRefusal(
            status: status, body: ["message": .string(message), "requestType": .string(request), "type": .string(type)])
    }

    static func badRequest(_ message: String, request: String) -> PaymentRefusal {
        .device(400, "BAD_REQUEST", message, request: request)
    }

    /// 209, which is not a success although it begins with a 2.
    static func cancelled(request: String) -> PaymentRefusal {
        .device(209, "CANCELLED", "The request was cancelled", request: request)
    }

    static func unsupported(request: String) -> PaymentRefusal {
        .device(501, "NOT_IMPLEMENTED", "The device does not support this call", request: request)
    }

    /// 504: the outcome of the request is unknown.
    static func late(request: String) -> PaymentRefusal {
        .device(504, "GATEWAY_TIMEOUT", "The device did not answer in time", request: request)
    }

    /// A serial number that no device of the merchant has, such as that of another merchant's device.
    static func unknownDevice(_ serial: String) -> PaymentRefusal {
        PaymentRefusal(
            status: 400,
            body: ["code": "processing_error", "message": "No device with the serial \(serial)", "type": "api_error"])
    }
}
