public import CloverKit
import CloverPayments

/// Refunds and captures of charges. The Ecommerce API has neither voids nor later tips.
///
/// Each has a key of its own, and is carried out once per key, under the same rules as a charge, except that
/// `recoverFollowUp(key:)` may send one again, which `recover(key:)` never does. While one of them is under way,
/// others on the same charge wait, in all programs of this machine.
extension Charges {
    /// Clover's codes for the reason of a refund.
    ///
    /// ```swift
    /// let reasons: [Charges.RefundReason] = [.duplicate, .fraudulent, .requestedByCustomer]
    /// print(try await charges.refund(chargeKey: "order-1017", reason: reasons[0], key: "order-1017-refund").outcome)
    /// ```
    public enum RefundReason: String, Sendable, Hashable, CaseIterable {
        /// The payer was charged twice.
        case duplicate
        /// The charge was not made by the owner of the card.
        case fraudulent
        /// The payer asked for it.
        case requestedByCustomer = "requested_by_customer"
    }

    /// Collects the money of a hold, once. The part that is not collected is released.
    ///
    /// ```swift
    /// var request = ChargeRequest(
    ///     amount: 5000, currency: "USD", cardToken: token, key: "room-12", payerAddress: "203.0.113.7")
    /// request.isHold = true
    /// let hold = try await charges.charge(request)
    /// if hold.outcome == .approved {
    ///     print(try await charges.capture(chargeKey: "room-12", amount: 4200, key: "room-12-capture").outcome)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - chargeKey: the key of the charge.
    ///   - amount: in the smallest unit of the charge's currency; nil for all that is held.
    ///   - key: the key of this capture: 1 to 64 letters, digits, `-`, `_` and `.`. The same key is not captured twice.
    /// - Returns: the capture with its outcome, which may be that it is declined, or not known.
    /// - Throws: `CloverError` or `CancellationError` if nothing was captured; the kind is `.request` if the charge is not an open
    ///   hold, or is not in this journal. The exception is the kind `.outcomeUnknown`: it was sent, and the journal could not be
    ///   written; `recoverFollowUp(key:)` settles it.
    @discardableResult
    public func capture(
        chargeKey: String, amount: CloverKit.Money? = nil, key: String
    ) async throws -> ChargeFollowUp {
        var plan = FollowUpPlan(.capture)
        plan.amount = amount?.minorUnits
        return try await carryOut(plan, chargeKey, key)
    }

    /// Gives back money of a charge, once. Several refunds with different keys can follow each other until all is given back.
    ///
    /// The amount that is left is computed from the journal of this machine, and from what Clover shows as refunded elsewhere,
    /// which is asked for without an amount. Clover refuses more than the charge has.
    ///
    /// ```swift
    /// let refund = try await charges.refund(
    ///     chargeKey: "order-1017", amount: 500, reason: .requestedByCustomer, key: "order-1017-refund-1")
    /// print(refund.outcome, refund.refundID ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - chargeKey: the key of the charge.
    ///   - amount: in the smallest unit of the charge's currency; nil for all that is left, with the tip.
    ///   - reason: Clover's code for the reason; nil for none.
    ///   - key: the key of this refund: 1 to 64 letters, digits, `-`, `_` and `.`. The same key is not refunded twice.
    /// - Returns: the refund with its outcome, which may be that it is declined, or not known.
    /// - Throws: `CloverError` or `CancellationError` if nothing was refunded; the kind is `.request` if the charge is not
    ///   captured, has less left, or is not in this journal. The exception is the kind `.outcomeUnknown`: it was sent, and the
    ///   journal could not be written; `recoverFollowUp(key:)` settles it.
    @discardableResult
    public func refund(
        chargeKey: String, amount: CloverKit.Money? = nil, reason: RefundReason? = nil, key: String
    ) async throws -> ChargeFollowUp {
        var plan = FollowUpPlan(.refund)
        plan.amount = amount?.minorUnits
        plan.reason = reason?.rawValue
        return try await carryOut(plan, chargeKey, key)
    }

    /// The capture or refund of a key, as the journal has it. Nothing is sent.
    ///
    /// ```swift
    /// let refund = try await charges.followUp(key: "order-1017-refund-1")
    /// print(refund?.outcome ?? .unknown)
    /// ```
    ///
    /// - Returns: nil if this machine has none of this merchant with this key.
    /// - Throws: `CloverError` of the kind `.state`.
    public func followUp(key: String) async throws -> ChargeFollowUp? {
        try await recorded(key, Self.followUpKinds).flatMap { ChargeFollowUp($0.1) }
    }

    /// The captures and refunds of a charge in the journal, oldest first. Nothing is sent.
    ///
    /// ```swift
    /// for item in try await charges.followUps(chargeKey: "order-1017") {
    ///     print(item.kind, item.amount.minorUnits, item.outcome)
    /// }
    /// ```
    ///
    /// - Returns: none also if this machine has no charge of this merchant with this key.
    /// - Throws: `CloverError` of the kind `.state`.
    public func followUps(chargeKey: String) async throws -> [ChargeFollowUp] {
        guard let (journal, charge) = try await recorded(chargeKey) else { return [] }
        do {
            return try await journal.followUps(of: charge.id).compactMap { ChargeFollowUp($0) }
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// Settles a capture or refund that is not known, as far as Clover shows what became of it. **It can move money:** for an hour
    /// after it was recorded, it is sent again under its key, if Clover shows no change of the charge. Do not give the money back in
    /// another way meanwhile. If another process works on it, waits for that. If Clover cannot be asked, its outcome stays
    /// `.unknown`, and `ChargeFollowUp.lookupError` says why.
    ///
    /// ```swift
    /// for open in try await charges.unsettledFollowUps() {
    ///     print(try await charges.recoverFollowUp(key: open.key)?.outcome ?? .unknown)
    /// }
    /// ```
    ///
    /// If it stays unknown, `settleFollowUp(key:as:by:)` records what a person found.
    ///
    /// - Returns: it with what is known now; nil if this machine has none of this merchant with this key.
    /// - Throws: `CloverError` of the kind `.state` if the journal cannot be used, of `.outcomeUnknown` if what became known could not
    ///   be recorded, or another one, which shows nothing about it; or `CancellationError`.
    public func recoverFollowUp(key: String) async throws -> ChargeFollowUp? {
        guard let (journal, operation) = try await recorded(key, Self.followUpKinds) else { return nil }
        let latest = LatestFailure()
        let known = try await run(journal, latest) { runner in
            try await Recovery(runner: runner).recover(operation.id, waiting: .infinity) ?? operation
        }
        var followUp = ChargeFollowUp(known)
        if followUp?.outcome == .unknown || followUp?.isProvisional == true {
            followUp?.lookupError = latest.failure.map { Self.lookupError($0) }
        }
        return followUp
    }

    /// The captures and refunds of this merchant on this machine whose outcome is not known, oldest first. No other capture or
    /// refund of their charges is possible before they are settled.
    ///
    /// ```swift
    /// print(try await charges.unsettledFollowUps().count, "to recover")
    /// ```
    ///
    /// - Throws: `CloverError` of the kind `.state`.
    public func unsettledFollowUps() async throws -> [ChargeFollowUp] {
        guard let journal = try await existing() else { return [] }
        do {
            return try await journal.unsettled().filter { isOurs($0) }.compactMap { ChargeFollowUp($0) }
        } catch {
            throw CloverError.wrapping(error)
        }
    }
}

extension Charges {
    static let followUpKinds: Set<OperationKind> = [.capture, .refund]

    private func carryOut(_ plan: FollowUpPlan, _ chargeKey: String, _ key: String) async throws -> ChargeFollowUp {
        guard let (journal, charge) = try await recorded(chargeKey) else {
            throw CloverError(
                .request, "the journal of this machine has no charge of this merchant with the key '\(chargeKey)'",
                nextStep: "refund or capture it where it was charged, or in the merchant's dashboard")
        }
        var plan = plan
        plan.idempotencyKey = key
        let prepared: PreparedFollowUp
        do {
            prepared = try await PreparedFollowUp(plan, on: charge.id, in: journal, clock: Self.clock, client)
        } catch let error as PaymentPlanError {
            throw Self.refusal(error)
        } catch {
            throw CloverError.wrapping(error)
        }
        let done = try await run(journal) { try await prepared.carryOut(by: $0) }
        guard let followUp = ChargeFollowUp(done) else { throw Self.refusal(PaymentPlanError.keyInUse(id: done.id)) }
        return followUp
    }
}
