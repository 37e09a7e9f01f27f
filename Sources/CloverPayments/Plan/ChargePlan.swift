import CloverAPI
import CloverJSON
import CloverOutput
import FoundationEssentials

/// A charge with every option resolved.
package struct ChargePlan: Sendable, Equatable {
    package var rail: PaymentRail
    package var amount: Money
    package var type = ChargeType.sale
    /// In the smallest unit. The tip is added to the amount; the tax is part of it.
    package var tip: Int64?
    package var tax: Int64?
    package var externalID: String?
    package var reference: String?
    package var description: String?
    package var receiptEmail: String?
    package var metadata: [String: String] = [:]
    package var order: String?
    /// The device's serial number.
    package var device: String?
    package var deviceAddress: String?
    /// This program's ID for the device (`X-POS-Id`); nil for rails without a device.
    package var posID: String?
    package var reader: String?
    /// The reader's driver program.
    package var driver: String?
    /// Whether the card number is typed in here.
    package var isKeyed = false
    package var sourceMark: String?
    /// The card to save before the charge; the cardholder has agreed to it.
    package var cardOnFile: CardOnFile?
    /// The customer whose card on file is charged.
    package var customer: String?
    package var clientAddress: String?
    package var acceptsPartial = false
    /// Seconds.
    package var timeout: Int?
    package var idempotencyKey: String?

    package init(rail: PaymentRail, amount: Money) {
        self.rail = rail
        self.amount = amount
    }

    /// Maximum seconds that a device waits (Clover: REST Pay Display, timeouts).
    package static let maximumTimeout = 300

    /// Checks the plan against the limits of its rail.
    ///
    /// - Parameter environment: the service's name or address.
    /// - Throws: the first limit that the plan exceeds.
    package func check(environment: String) throws(PaymentPlanError) {
        if !rail.rules.isAvailable(in: environment) { throw .noEcommerce(environment: environment) }
        guard rail.amountRange.contains(amount.minorUnits) else { throw .amountOutOfRange(amount, rail) }
        if !rail.rules.takesAdjustableCharges, type == .auth { throw .adjustableEcommerce }
        if let tip {
            if !rail.rules.takesTipOnHold, type == .preauth { throw .tipOnHold }
            guard type.isFinal else { throw .tipOnAdjustable(type) }
            guard (0...rail.amountRange.upperBound).contains(tip) else { throw .partOutOfRange(name: "tip", amount) }
        }
        if let tax, !(0...amount.minorUnits).contains(tax) { throw .partOutOfRange(name: "tax", amount) }
        try checkTexts()
        if let timeout, !(0...Self.maximumTimeout).contains(timeout) {
            throw .timeoutOutOfRange(limit: Self.maximumTimeout)
        }
    }

    /// A key as a person chose it, which is sent in a header.
    static func checked(key: String?) throws(PaymentPlanError) -> String? {
        guard let key else { return nil }
        guard (1...64).contains(key.count) else { throw .tooLong(option: "--idempotency-key", limit: 64) }
        guard isPlain(key) else { throw .malformedKey(option: "--idempotency-key") }
        return key
    }

    private static func isPlain(_ text: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    private func checkTexts() throws(PaymentPlanError) {
        func length(_ text: String?, _ limit: Int, _ option: String) throws(PaymentPlanError) {
            guard let text else { return }
            if text.isEmpty || text.count > limit { throw .tooLong(option: option, limit: limit) }
        }
        try length(externalID, rail.maximumExternalIDLength, "--external-id")
        try length(reference, PaymentRail.maximumReferenceLength, "--reference")
        _ = try Self.checked(key: idempotencyKey)
        // It is sent in paths.
        if let externalID, !Self.isPlain(externalID) { throw .malformedKey(option: "--external-id") }
        try rail.rules.checkOptions(of: self)
    }

    /// The operation to record in the journal.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func operation(environment: String, merchantID: String, now: Int64) throws -> PaymentOperation {
        let id = OperationIdentifier.make(.charge, now: now)
        let key = idempotencyKey ?? UUID().uuidString.lowercased()
        // A hand-off is not planned here.
        if rail.isHandedOff { throw PaymentPlanError.handedOff(id: id) }
        let sentReference = rail.rules.sendsReferenceAsExternalID ? reference : nil
        let external = sentReference ?? externalID ?? OperationIdentifier.externalID(ofKey: key, on: rail)
        var request = try rail.rules.request(for: self, externalID: external)
        request.acceptsPartial = acceptsPartial
        request.cardOnFile = cardOnFile
        request.customer = customer
        if idempotencyKey != nil { request.hasChosenKey = true }
        if externalID != nil || sentReference != nil { request.hasChosenID = true }
        request.reference = reference
        request.type = type
        request.tip = tip
        request.tax = tax
        request.timeout = timeout
        return PaymentOperation(
            id: id, kind: .charge, rail: rail, environment: environment, merchantID: merchantID,
            idempotencyKey: key, externalID: external, amount: amount,
            request: request, now: now)
    }
}

/// When the money is captured, and what may follow (Clover: transaction types).
package enum ChargeType: String, Codable, Sendable, CaseIterable {
    /// Final and captured: only voids and refunds may follow.
    case sale
    /// Captured; a tip may be set until closeout.
    case auth
    /// Held until captured.
    case preauth

    /// The `final` field of the pay request: no later tip, no later capture.
    package var isFinal: Bool { self == .sale }

    /// The `capture` field of the pay request.
    package var isCaptured: Bool { self != .preauth }

    /// The type for a combination of the two fields.
    ///
    /// - Returns: nil for the invalid combination: final but not captured.
    package init?(isFinal: Bool, isCaptured: Bool) {
        switch (isFinal, isCaptured) {
        case (true, true): self = .sale
        case (false, true): self = .auth
        case (false, false): self = .preauth
        case (true, false): return nil
        }
    }
}

/// The address of a device in the local network (Clover: REST Pay Display, local connection).
package enum DeviceAddress {
    /// The port on which devices listen.
    private static let port = 12346

    /// The base address, without `/connect`: `192.168.1.20` and `https://192.168.1.20:12346/connect` are equivalent. Plain
    /// http is accepted only for this machine.
    package static func base(_ text: String) throws(PaymentPlanError) -> String {
        guard !text.isEmpty else { throw .malformedDeviceAddress }
        let address = text.contains("://") ? text : "https://" + text
        guard let parts = URLComponents(string: address), parts.port == nil, text.contains("://") == false else {
            return try checked(address)
        }
        return try checked("https://\(text):\(port)")
    }

    private static func checked(_ text: String) throws(PaymentPlanError) -> String {
        do throws(QueryError) {
            let base = try ServiceEnvironment(parsing: text).apiBaseURL
            return base.hasSuffix("/connect") ? String(base.dropLast("/connect".count)) : base
        } catch {
            throw .malformedDeviceAddress
        }
    }
}
