import CloverRecords
import FoundationEssentials

/// A charge with every choice made.
package struct ChargePlan: Sendable, Equatable {
    package var rail: Rail
    package var amount: Money
    package var type = ChargeType.sale
    /// In the smallest unit; the tip comes on top of the amount, the tax is inside it.
    package var tip: Int64?
    package var tax: Int64?
    package var externalID: String?
    package var reference: String?
    package var description: String?
    package var receiptEmail: String?
    package var metadata: [String: String] = [:]
    package var order: String?
    /// Of the device: its serial number, and its address in the local network.
    package var device: String?
    package var deviceAddress: String?
    /// Who we are for the device; nil for rails without one.
    package var posID: String?
    package var reader: String?
    /// The driver program of the reader.
    package var driver: String?
    /// The card is typed in here, not elsewhere.
    package var isKeyed = false
    package var sourceMark: String?
    package var clientAddress: String?
    package var acceptsPartial = false
    /// Seconds.
    package var timeout: Int?
    package var idempotencyKey: String?

    package init(rail: Rail, amount: Money) {
        self.rail = rail
        self.amount = amount
    }

    /// The longest that a device waits (Clover: REST Pay Display, timeouts).
    package static let longestTimeout = 300
    private static let longestMetadata = 500

    /// Refuses what the rail cannot do.
    ///
    /// - Parameter environment: the service's name or address.
    package func check(environment: String) throws(PlanRefusal) {
        if rail == .ecommerce, ["eu", "la"].contains(environment) { throw .noEcommerce(environment: environment) }
        guard rail.amountRange.contains(amount.minorUnits) else { throw .amountOutOfRange(amount, rail) }
        if rail == .ecommerce, type == .auth { throw .adjustableEcommerce }
        if let tip {
            if rail == .ecommerce, type == .preauth { throw .tipOnHold }
            guard type.isFinal else { throw .tipOnAdjustable(type) }
            guard (0...rail.amountRange.upperBound).contains(tip) else { throw .partOutOfRange(name: "tip", amount) }
        }
        if let tax, !(0...amount.minorUnits).contains(tax) { throw .partOutOfRange(name: "tax", amount) }
        try checkTexts()
        if let timeout, !(0...Self.longestTimeout).contains(timeout) {
            throw .timeoutOutOfRange(limit: Self.longestTimeout)
        }
    }

    private func checkTexts() throws(PlanRefusal) {
        func length(_ text: String?, _ limit: Int, _ option: String) throws(PlanRefusal) {
            guard let text else { return }
            if text.isEmpty || text.count > limit { throw .tooLong(option: option, limit: limit) }
        }
        try length(externalID, rail.longestExternalID, "--external-id")
        try length(reference, Rail.longestReference, "--reference")
        try length(idempotencyKey, 64, "--idempotency-key")
        for (text, option) in [(idempotencyKey, "--idempotency-key"), (externalID, "--external-id")] {
            // They stand in a header and in paths.
            let isPlain = text.map {
                $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            }
            if isPlain == false { throw .malformedKey(option: option) }
        }
        if rail == .ecommerce {
            if timeout != nil { throw .optionNotOnRail(option: "--timeout", rail) }
            if externalID != nil, reference != nil {
                throw .optionNotOnRail(option: "--reference beside --external-id", rail)
            }
            let count = fullMetadata.reduce(2) { $0 + $1.key.count + $1.value.count + 6 }
            if !fullMetadata.isEmpty, count > Self.longestMetadata {
                throw .tooLong(option: "--metadata", limit: Self.longestMetadata)
            }
            return
        }
        let foreign: [(String, Bool)] = [
            ("--description", description != nil), ("--receipt-email", receiptEmail != nil),
            ("--metadata", !metadata.isEmpty), ("--order", order != nil),
        ]
        if let option = foreign.first(where: \.1)?.0 { throw .optionNotOnRail(option: option, rail) }
    }

    private var fullMetadata: [String: String] {
        order.map { metadata.merging(["order": $0]) { given, _ in given } } ?? metadata
    }

    /// The operation as the journal takes it.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func operation(environment: String, merchantID: String, now: Int64) throws -> PaymentOperation {
        let id = OperationIdentifier.make(.charge, now: now)
        let key = idempotencyKey ?? UUID().uuidString.lowercased()
        let external = externalID ?? OperationIdentifier.externalID(ofKey: key, on: rail)
        var request: OperationRequest
        var found: String? = external
        switch rail {
        case .ecommerce:
            found = reference ?? external
            let body = EcommerceBody(
                amount: amount.minorUnits, currency: amount.currency.code.lowercased(), capture: type.isCaptured,
                ecomind: isKeyed ? "moto" : "ecom", tipAmount: tip, taxAmount: tax, externalReferenceID: found,
                description: description, receiptEmail: receiptEmail,
                metadata: fullMetadata.isEmpty ? nil : fullMetadata)
            request = OperationRequest(path: "/v1/charges", body: try BodyText.encode(body))
            request.clientAddress = clientAddress
            request.sourceMark = sourceMark
        case .payDisplay, .reader:
            let body = PayDisplayBody(
                amount: amount.minorUnits, capture: type.isCaptured, final: type.isFinal, externalPaymentId: external,
                externalReferenceId: reference, taxAmount: tax, tipAmount: tip)
            request = OperationRequest(path: "/v1/payments", body: try BodyText.encode(body))
            request.device = device
            request.deviceAddress = deviceAddress
            request.posID = posID
            request.reader = reader
            request.driver = driver
        // Handed off, not planned.
        case .square: throw PlanRefusal.handedOff(id: id)
        }
        request.acceptsPartial = acceptsPartial
        if idempotencyKey != nil { request.hasChosenKey = true }
        if externalID != nil || rail == .ecommerce && reference != nil { request.hasChosenID = true }
        request.reference = reference
        request.type = type
        request.tip = tip
        request.tax = tax
        request.timeout = timeout
        return PaymentOperation(
            id: id, kind: .charge, rail: rail, environment: environment, merchantID: merchantID,
            idempotencyKey: key, externalID: found, amount: amount,
            request: request, now: now)
    }
}
