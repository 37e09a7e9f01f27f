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
        self.key = key.map { PaymentKey($0, rail: .payDisplay, call: call, body: body) }
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
