/// REST Pay Display: payments on the shop's devices (Clover documentation, REST Pay).
struct PayDisplayAPI: Sendable {
    /// The paths after `/connect`; `{}` stands for an id.
    private static let paths: [(path: String, methods: [String])] = [
        ("v1/payments", ["POST"]), ("v1/payments/external/{}", ["GET"]), ("v1/payments/{}", ["GET"]),
        ("v1/payments/{}/capture", ["POST"]), ("v1/payments/{}/increment", ["POST"]),
        ("v1/payments/{}/tip-adjust", ["POST"]), ("v1/payments/{}/void", ["POST"]),
        ("v1/payments/{}/refunds", ["POST"]), ("v1/payments/{}/receipt", ["POST"]), ("v1/credits", ["POST"]),
        ("v1/credits/{}/receipt", ["POST"]), ("v1/device/ping", ["GET", "POST"]),
        ("v1/device/status", ["GET", "POST"]), ("v1/device/cancel", ["POST"]), ("v1/device/reset", ["POST", "PUT"]),
        ("v1/device/welcome", ["POST"]), ("v1/device/thank-you", ["POST"]), ("v1/device/display", ["POST"]),
        ("v1/device/read-tip", ["POST"]), ("device/v1/read-tip", ["POST"]),
    ]
    private static let unsupported: Set<String> = [
        "read-confirmation", "read-input", "signature", "receipt-options", "print", "printers", "cash-drawers",
    ]
    private static let keyed: Set<String> = [
        "payments", "credits", "capture", "increment", "tip-adjust", "void", "refunds",
    ]

    let ledger: ShopStore
    let settings: PaymentSettings
    private let scheduler = DeviceScheduler()

    func answer(to call: PaymentCall) async throws(PaymentRefusal) -> EmulatorResponse {
        guard call.isAuthorized else { throw .unauthorized }
        let path = Array(call.path.dropFirst())
        let match = Self.paths.first { entry in
            let pattern = entry.path.split(separator: "/")
            return pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == "{}" || $0 == $1 }
        }
        guard let match else {
            if path.count >= 3, path[1] == "device", Self.unsupported.contains(path[2]) {
                throw .unsupported(request: path[2].uppercased())
            }
            throw .device(404, "NOT_FOUND", "Unknown call", request: "UNKNOWN")
        }
        let verb = match.path.split(separator: "/").last { $0 != "{}" }.map(String.init) ?? ""
        let name = verb == "payments" && path.count == 2 ? "PAY" : verb.uppercased()
        guard match.methods.contains(call.method) else {
            throw .device(405, "METHOD_NOT_ALLOWED", "The methods are \(match.methods)", request: name)
        }
        let device = try DeviceCall(
            call, name: name, needsKey: call.isWrite && Self.keyed.contains(verb), view: ledger.view)
        switch call.fault {
        case .busy: throw .device(503, "RESOURCE_CONFLICT", "The device is busy with another request", request: name)
        case .unsupported: throw .unsupported(request: name)
        case .keyClash: throw device.clash
        default: break
        }
        let answer = try await answer(device, match.path, verb, path)
        // The device has carried out the call, but its response came too late.
        if call.fault == .deviceTimeout { throw .late(request: name) }
        return answer
    }

    private func answer(
        _ call: DeviceCall, _ pattern: String, _ verb: String, _ path: [String]
    ) async throws(PaymentRefusal) -> EmulatorResponse {
        switch pattern {
        case "v1/payments": return try await pay(call)
        case "v1/credits": return try await credit(call)
        case "v1/payments/{}": return try payment(path[2], call)
        case "v1/payments/external/{}": return try external(path[3], call)
        case "v1/credits/{}/receipt":
            guard ledger.view.row(.credits, path[2]) != nil else {
                throw call.notFound("No credit with the id \(path[2])")
            }
            return try await receipt(call)
        case _ where path[1] == "payments": return try await follow(path[2], verb, call)
        default: return try await device(call, verb)
        }
    }

    // MARK: Lookups

    private func payment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let handler = PaymentHandler(view: ledger.view, now: 0)
        guard let facts = handler.document(.devicePayment, id) else {
            throw call.notFound("No payment with the id \(id)")
        }
        return EmulatorResponse(json: handler.payReply(id, issues: facts["issues"]))
    }

    /// The newest payment with an external id. A payment in progress is not found.
    private func external(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> EmulatorResponse {
        let all = ledger.view.state.money.documents(.devicePayment)
        guard let found = all.last(where: { $0["externalPaymentId"]?.text == id })?.id else {
            throw call.notFound("No payment with the external id \(id)")
        }
        return try payment(found, call)
    }

    // MARK: Devices

    private func device(_ call: DeviceCall, _ verb: String) async throws(PaymentRefusal) -> EmulatorResponse {
        switch verb {
        case "ping": return EmulatorResponse(json: ["connected": true])
        case "status": return EmulatorResponse(json: await scheduler.status(call.serial))
        case "cancel": await scheduler.cancel(call.serial)
        case "reset": await scheduler.reset(call.serial)
        case "display":
            guard call.body["text"]?.text != nil else { throw call.badRequest("Missing value: text") }
            try await scheduler.show(on: call.serial, for: call.name)
        case "read-tip":
            let base = try call.neededCents("baseAmount", in: PayRequest.amounts)
            try await scheduler.show(on: call.serial, for: call.name)
            // The customer chooses the first suggestion, or 18 percent.
            let percentage = call.body["tipSuggestions"]?.elements.first?["percentage"]?.integer ?? 18
            return EmulatorResponse(json: ["response": .integer(base * percentage / 100)])
        default: try await scheduler.show(on: call.serial, for: call.name)
        }
        return EmulatorResponse(json: [:])
    }

    // MARK: Calls that need a card

    private func pay(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
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

    private func credit(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        let amount = try call.neededCents("amount", in: PayRequest.amounts)
        let card = behaviour(call.fault)
        return try await operate(call, externalPaymentID: nil) { handler, ending in
            guard ending != .cancelled, card != .cancel else {
                handler.note(.credit, call, amount: amount, id: "", result: "cancelled", moved: 0)
                return call.cancelled
            }
            return handler.giveCredit(amount, call, isApproved: card != .decline)
        }
    }

    /// A fault of the card has the name of its behaviour.
    private func behaviour(_ fault: FaultKind?) -> CardBehaviour {
        fault.flatMap { CardBehaviour(rawValue: $0.rawValue) } ?? settings.card
    }

    /// Runs a call that needs a card. A repetition gets the first response, or joins the operation if it is still
    /// running.
    private func operate(
        _ call: DeviceCall, externalPaymentID: String?,
        settle: @escaping @Sendable (inout PaymentHandler, DeviceScheduler.Ending) -> EmulatorResponse
    ) async throws(PaymentRefusal) -> EmulatorResponse {
        guard let key = call.key else { throw call.badRequest("Missing header: Idempotency-Key") }
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
        let answer = try await scheduler.perform(operation, on: call.serial, timeout: call.timeout)
        guard let answer else { throw .late(request: call.name) }
        return answer
    }

    // MARK: Follow-up calls

    /// Capture, increment, tip, void, refund or receipt of a payment.
    private func follow(_ id: String, _ verb: String, _ call: DeviceCall) async throws(PaymentRefusal)
        -> EmulatorResponse
    {
        if let key = call.key,
            let answer = try PaymentHandler(view: ledger.view, now: 0).firstAnswer(key, clash: call.clash)
        {
            return answer
        }
        try await scheduler.checkFree(call.serial, for: call.name)
        guard ledger.view.state.money[.devicePayment, id] != nil else {
            throw call.notFound("No payment with the id \(id)")
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
    private func receipt(_ call: DeviceCall) async throws(PaymentRefusal) -> EmulatorResponse {
        try await scheduler.checkFree(call.serial, for: call.name)
        if let option = call.body["deliveryOption"] {
            guard ["NO_RECEIPT", "PRINT", "EMAIL", "SMS"].contains(option["method"]?.text ?? option.text ?? "") else {
                throw call.badRequest("Invalid value: deliveryOption")
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

/// A device call with validated headers (Clover documentation, REST Pay Display basics, idempotency, timeouts).
struct DeviceCall {
    private static let maximumTimeout = 300

    /// The name of the call in errors, such as `PAY`.
    let name: String
    let serial: String
    let deviceID: String
    let posID: String
    let key: PaymentKey?
    /// Nil without a limit.
    let timeout: Duration?
    let body: JSONValue
    let fault: FaultKind?

    /// - Throws: an error that names the missing or invalid part.
    init(_ call: PaymentCall, name: String, needsKey: Bool, view: ShopView) throws(PaymentRefusal) {
        func badRequest(_ message: String) -> PaymentRefusal { .device(400, "BAD_REQUEST", message, request: name) }
        guard let serial = call.header("x-clover-device-id") else {
            throw badRequest("Missing header: X-Clover-Device-Id")
        }
        let device = view.rows(.devices).list.first { $0.json["serial"]?.text == serial }
        guard let device else { throw .unknownDevice(serial) }
        guard let posID = call.header("x-pos-id") else { throw badRequest("Missing header: X-POS-Id") }
        let key = call.header("idempotency-key")
        guard key != nil || !needsKey else { throw badRequest("Missing header: Idempotency-Key") }
        guard call.isJSON else {
            throw .device(415, "UNSUPPORTED_MEDIA_TYPE", "Expected application/json", request: name)
        }
        guard let body = call.members else { throw badRequest("Malformed JSON") }
        // Zero means no limit.
        let seconds = call.header("x-clover-timeout").map { Int($0) ?? -1 } ?? 0
        guard (0...Self.maximumTimeout).contains(seconds) else {
            throw badRequest("X-Clover-Timeout must be from 0 to 300 seconds")
        }
        timeout = seconds == 0 ? nil : .seconds(seconds)
        self.key = key.map { PaymentKey($0, in: .payDisplay, call: call, body: body) }
        self.name = name
        self.serial = serial
        self.posID = posID
        self.body = body
        deviceID = device.id
        fault = call.fault
    }

    func badRequest(_ message: String) -> PaymentRefusal { .device(400, "BAD_REQUEST", message, request: name) }

    func notFound(_ message: String) -> PaymentRefusal { .device(404, "NOT_FOUND", message, request: name) }

    /// 209, which is not a success although it begins with a 2.
    var cancelled: EmulatorResponse {
        PaymentRefusal.device(209, "CANCELLED", "The request was cancelled", request: name).answer
    }

    /// The key was used by another call. The documentation lists no status for this case.
    var clash: PaymentRefusal { badRequest("The idempotency key was used for another request") }

    /// An amount in cents from the body; nil if the member is absent.
    func cents(_ member: String, in range: ClosedRange<Int>) throws(PaymentRefusal) -> Int? {
        guard let value = body[member], !value.isNull else { return nil }
        guard case .integer(let amount) = value, range.contains(amount) else {
            throw badRequest("Invalid value: \(member)")
        }
        return amount
    }

    func neededCents(_ member: String, in range: ClosedRange<Int>) throws(PaymentRefusal) -> Int {
        guard let amount = try cents(member, in: range) else {
            throw badRequest("Missing value: \(member)")
        }
        return amount
    }

    func flag(_ member: String, orElse absent: Bool) throws(PaymentRefusal) -> Bool {
        guard let value = body[member], !value.isNull else { return absent }
        guard let flag = value.boolean else { throw badRequest("Invalid value: \(member)") }
        return flag
    }

    func text(_ member: String, longest: Int) throws(PaymentRefusal) -> String? {
        guard let value = body[member], !value.isNull else { return nil }
        guard let text = value.text, text.count <= longest else {
            throw badRequest("At most \(longest) characters: \(member)")
        }
        return text
    }
}

/// The body of a device payment call (REST Pay reference).
struct PayRequest {
    static let amounts = 1...999_999_999
    private static let longestExternalPaymentID = 32
    private static let longestExternalReferenceID = 12

    /// Cents, including tax, excluding the tip.
    let amount: Int
    let tipAmount: Int
    let taxAmount: Int
    /// `charge`, `auth` or `preauth`.
    let kind: MovementKind
    let externalPaymentID: String?
    let externalReferenceID: String?

    init(_ call: DeviceCall) throws(PaymentRefusal) {
        amount = try call.neededCents("amount", in: Self.amounts)
        let isFinal = try call.flag("final", orElse: false)
        let isCaptured = try call.flag("capture", orElse: true)
        guard isCaptured || !isFinal else {
            throw call.badRequest("A final payment cannot be captured later")
        }
        kind = isFinal ? .charge : isCaptured ? .auth : .preauth
        let tip = try call.cents("tipAmount", in: 0...Self.amounts.upperBound)
        guard tip == nil || isFinal else {
            throw call.badRequest("tipAmount is for final payments only")
        }
        tipAmount = tip ?? 0
        taxAmount = try call.cents("taxAmount", in: 0...amount) ?? 0
        externalPaymentID = try call.text("externalPaymentId", longest: Self.longestExternalPaymentID)
        externalReferenceID = try call.text("externalReferenceId", longest: Self.longestExternalReferenceID)
    }
}
