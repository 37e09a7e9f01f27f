import CloverJSON
import CloverOutput
import FoundationEssentials

/// An operation on an earlier charge, checked against the charge and all its follow-ups so far.
package struct FollowUpPlan: Sendable {
    package var kind: OperationKind
    /// In the smallest unit of the charge's currency; nil means the whole remainder, where that applies.
    package var amount: Int64?
    package var tip: Int64?
    package var email: String?
    package var phone: String?
    /// Clover's code for the reason of a void or refund.
    package var reason: String?
    package var idempotencyKey: String?

    package init(_ kind: OperationKind) {
        self.kind = kind
    }

    /// The operation to record in the journal.
    ///
    /// - Parameters:
    ///   - earlier: the charge's follow-ups so far.
    ///   - now: milliseconds since 1970.
    package func operation(
        on charge: PaymentOperation, after earlier: [PaymentOperation], now: Int64
    ) throws -> PaymentOperation {
        let facts = ChargeTotals(charge, earlier)
        try check(charge, facts, earlier)
        guard let asked = charge.amount, let payment = charge.outcome.paymentID else {
            throw PaymentPlanError.paymentUnknown(kind, id: charge.id)
        }
        let value = try amount(facts, charge)
        var request = try charge.rail.rules.request(for: self, payment: payment, value: value, facts)
        request.device = charge.request.device
        request.deviceAddress = charge.request.deviceAddress
        request.posID = charge.request.posID
        if kind == .capture { request.clientAddress = charge.request.clientAddress }
        request.tip = tip
        switch kind {
        case .refund, .void: request.amountBefore = facts.refunded
        case .increment: request.amountBefore = facts.held
        case .tip: request.amountBefore = facts.tip ?? 0
        case .charge, .capture, .receipt: break
        }
        if idempotencyKey != nil { request.hasChosenKey = true }
        if kind == .tip { request.tipCurrency = asked.currency.code }
        let key = try ChargePlan.checked(key: idempotencyKey) ?? UUID().uuidString.lowercased()
        let hasAmount = kind == .capture || kind == .refund || kind == .increment
        if hasAmount, amount == nil { request.takesRest = true }
        return PaymentOperation(
            id: OperationIdentifier.make(kind, now: now), kind: kind, parent: charge.id, rail: charge.rail,
            environment: charge.environment, merchantID: charge.merchantID,
            idempotencyKey: key,
            amount: hasAmount ? Money(minorUnits: value, currency: asked.currency) : nil, request: request, now: now)
    }

    /// Whether an operation that the journal has under the same idempotency key is the one that is asked for now: of the
    /// same kind, on the same charge and payment, with the same amount, tip, reason and address.
    ///
    /// - Parameter before: the charge's follow-ups that were recorded before the operation, oldest first. Without an amount,
    ///   the whole remainder is meant: of an operation that does not say whether it took that, the one that was left by these.
    package func asks(
        for operation: PaymentOperation, on charge: PaymentOperation, after before: [PaymentOperation]
    ) -> Bool {
        guard operation.kind == kind, operation.parent == charge.id, operation.request.tip == tip,
            operation.isNeverSent || !operation.isOnOtherPayment(than: charge)
        else { return false }
        let body = JSONTree(Array(operation.request.body.utf8))
        let facts = ChargeTotals(charge, before)
        let isRestAgain = amount == nil && operation.request.takesRest == true
        switch kind {
        case .capture: return isRestAgain || operation.minorUnits == amount ?? facts.held
        case .increment: return operation.minorUnits == amount
        case .refund:
            // A device takes no reason.
            let isForSameReason = !charge.rail.rules.takesRefundReason || body?["reason"]?.string == reason
            // What is known of refunds elsewhere may have changed since.
            let most = max(facts.rest, ChargeTotals(charge.withoutRefundElsewhere, before).rest)
            let asked = amount.map { $0...$0 } ?? facts.rest...most
            let isSameAmount = isRestAgain || operation.minorUnits.map { asked.contains($0) } ?? false
            return isSameAmount && isForSameReason
        case .receipt:
            let option = body?["deliveryOption"]
            return option?["method"]?.string == (email == nil ? "SMS" : "EMAIL")
                && option?["additionalData"]?.string == email ?? phone
        case .tip, .void: return true
        case .charge: return false
        }
    }

    /// Whether an operation of this kind is possible on the charge, whatever its options.
    package static func isPossible(
        _ kind: OperationKind, on charge: PaymentOperation, after earlier: [PaymentOperation]
    ) -> Bool {
        var plan = FollowUpPlan(kind)
        // The address of a receipt does not depend on the charge.
        plan.email = ""
        do throws(PaymentPlanError) {
            try plan.check(charge, ChargeTotals(charge, earlier), earlier)
            return true
        } catch {
            return false
        }
    }

    private func check(
        _ charge: PaymentOperation, _ facts: ChargeTotals, _ earlier: [PaymentOperation]
    ) throws(PaymentPlanError) {
        if charge.kind != .charge { throw .notCharge(charge.id, charge.kind) }
        // Where a void does not exist, what it says to do instead is done already.
        if kind == .void, charge.state == .approved, facts.refunded > 0, facts.rest == 0 {
            throw .alreadyDone(.refund, id: charge.id)
        }
        if let refusal = charge.rail.rules.refusal(of: kind, on: charge) { throw refusal }
        guard charge.state == .approved else { throw .wrongState(kind, id: charge.id, state: charge.state) }
        // What may have been done with another payment leaves this one as it is.
        let open = earlier.onPresentPayment(of: charge).first { $0.kind.movesMoney && !$0.state.isFinal }
        if kind != .receipt, let pending = open {
            throw .unsettled(kind, id: charge.id, pending: pending.id)
        }
        if facts.isVoided, kind != .receipt { throw .alreadyDone(.void, id: charge.id) }
        switch kind {
        case .capture:
            if !charge.rail.rules.takesTipOnHold, tip != nil { throw .tipOnHold }
            guard facts.type == .preauth else { throw .wrongType(kind, id: charge.id, facts.type) }
            if facts.isCaptured { throw .alreadyDone(.capture, id: charge.id) }
        case .increment:
            guard facts.type == .preauth else { throw .wrongType(kind, id: charge.id, facts.type) }
            if facts.isCaptured { throw .alreadyDone(.capture, id: charge.id) }
        case .tip:
            guard facts.type != .sale else { throw .wrongType(kind, id: charge.id, facts.type) }
            if facts.type == .preauth, !facts.isCaptured { throw .notCaptured(kind, id: charge.id) }
        case .refund:
            if !facts.isCaptured { throw .notCaptured(kind, id: charge.id) }
            if facts.rest == 0 { throw .alreadyDone(.refund, id: charge.id) }
        case .receipt:
            if email == nil, phone == nil { throw .receiptWithoutAddress }
        case .void:
            // Clover carries out a late void as a refund of what is left, which the journal would not know.
            guard facts.refunded == 0 else { throw .partlyRefunded(id: charge.id) }
        case .charge: break
        }
    }

    private func amount(_ facts: ChargeTotals, _ charge: PaymentOperation) throws(PaymentPlanError) -> Int64 {
        guard let asked = charge.amount else { return 0 }
        func checked(_ limit: Int64) throws(PaymentPlanError) -> Int64 {
            let value = amount ?? limit
            guard (1...max(limit, 1)).contains(value) else {
                throw .exceedsRest(kind, id: charge.id, rest: Money(minorUnits: limit, currency: asked.currency))
            }
            return value
        }
        switch kind {
        case .capture: return try checked(facts.held)
        case .refund: return try checked(facts.rest)
        case .increment:
            let value = amount ?? 0
            guard charge.rail.amountRange.contains(value) else {
                throw .amountOutOfRange(Money(minorUnits: value, currency: asked.currency), charge.rail)
            }
            return value
        case .tip:
            let value = tip ?? 0
            guard (0...charge.rail.amountRange.upperBound).contains(value) else {
                throw .partOutOfRange(name: "tip", asked)
            }
            return 0
        case .void, .receipt, .charge: return 0
        }
    }
}

/// The totals of a charge after all its follow-ups, and what Clover has shown as done elsewhere, in the smallest unit. What was
/// done with another payment, before a person corrected that of the charge, does not count.
package struct ChargeTotals: Sendable, Equatable {
    package let type: ChargeType
    /// The approved amount, including increments.
    package let held: Int64
    package let isCaptured: Bool
    package let captured: Int64
    package let refunded: Int64
    package let isVoided: Bool
    /// The current tip; nil if there is none.
    package let tip: Int64?
    /// When the charge or a follow-up that was carried out last changed, in milliseconds since 1970.
    package let updatedAt: Int64

    /// The amount that can still be refunded, including the tip.
    package var rest: Int64 { isCaptured ? max(0, captured + (tip ?? 0) - refunded) : 0 }

    /// Whether all of it was voided or refunded, so that nothing is held or taken any more.
    package var isGivenBack: Bool { isVoided || refunded > 0 && rest == 0 }

    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    package init(_ charge: PaymentOperation, _ followUps: [PaymentOperation]) {
        let done = followUps.onPresentPayment(of: charge).filter { $0.state == .approved }
        func amounts(_ kind: OperationKind) -> [Int64] {
            done.filter { $0.kind == kind }.map { $0.outcome.amount ?? $0.amount?.minorUnits ?? 0 }
        }
        // The response to an increment may show the amount of the whole payment, so the requested amounts are added.
        let increments = done.filter { $0.kind == .increment }.map { $0.amount?.minorUnits ?? 0 }
        let type = charge.request.type ?? .sale
        let hasMoney = charge.state == .approved && !charge.movedNoMoney
        let approved = hasMoney ? charge.outcome.amount ?? charge.minorUnits ?? 0 : 0
        self.type = type
        held = approved + increments.reduce(0, +)
        let elsewhere = charge.outcome.elsewhere
        let capturedElsewhere = elsewhere?.captured.map { [$0] } ?? []
        let captures = done.contains { $0.kind == .capture } ? amounts(.capture) : capturedElsewhere
        isCaptured = hasMoney && (type.isCaptured || !captures.isEmpty)
        captured = type.isCaptured ? approved : captures.reduce(0, +)
        // Pages are refunded elsewhere.
        refunded =
            charge.rail.makesPage
            ? charge.refundedOfPage ?? 0 : amounts(.refund).reduce(elsewhere?.refunded ?? 0, +)
        isVoided = done.contains { $0.kind == .void } || elsewhere?.isReleased == true
        updatedAt = done.map(\.updatedAt).reduce(charge.updatedAt, max)
        tip =
            done.last { $0.kind == .tip || $0.kind == .capture && $0.request.tip != nil }?.request.tip
            ?? charge.outcome.tip ?? charge.request.tip
    }

    /// The charge's status, as one word for lists.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func word(_ charge: PaymentOperation, now: Int64) -> String {
        if let word = charge.word(now: now) { return word }
        guard charge.state == .approved else { return charge.state.rawValue }
        if isVoided { return "voided" }
        if refunded > 0 { return rest == 0 ? "refunded" : "partly refunded" }
        if type == .preauth { return isCaptured ? "captured" : "authorized" }
        return charge.isPartial ? "partly approved" : "approved"
    }
}
