import CloverKit
import CloverPayments

/// Outcomes that a person records, where neither Clover nor this machine can tell them. Only the journal changes: nothing is
/// charged or given back.
///
/// An outcome that a response of Clover proved is final. One that was recorded by hand can be changed, and `clover charge recover`
/// compares it with Clover's records for seven days.
extension Charges {
    /// What a person found, in the merchant's dashboard or on a receipt.
    ///
    /// ```swift
    /// let findings: [Charges.Finding] = [.paid(), .paid(paymentID: "9XK3T7B2N5PWA"), .notPaid]
    /// print(findings.count)
    /// ```
    public enum Finding: Sendable, Hashable {
        /// It was carried out: the money moved. The id is that of the payment, or of the refund, at Clover; nil if it is not known.
        case paid(paymentID: String? = nil)
        /// It was not carried out: no money moved.
        case notPaid
    }

    /// Records how a charge ended, where `recover(key:)` leaves it unknown.
    ///
    /// With a payment's id, Clover is asked about the payment. If it shows none, or one with another amount, currency or
    /// reference, nothing is recorded. If it cannot be asked, the person's word counts. Without an id, nothing is sent.
    ///
    /// ```swift
    /// for charge in try await charges.unsettled() where try await charges.recover(key: charge.key)?.outcome == .unknown {
    ///     let settled = try await charges.settle(key: charge.key, as: .notPaid, by: "Anna")
    ///     print(settled?.outcome ?? .unknown, settled?.reason ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the charge.
    ///   - finding: what was found. A charge that is not paid has the outcome `.failed`. If it was never sent, the next
    ///     `charge(_:)` with the key charges; otherwise that returns it.
    ///   - person: who found it, in 1 to 64 characters, which the journal keeps.
    /// - Returns: the charge as it is now recorded; nil if this machine has no charge of this merchant with this key.
    /// - Throws: `CloverError`: of the kind `.request` if a response proved another outcome, if the payment is another one, or if
    ///   another process works on the charge; of the kind `.state` if the journal cannot be used. `CancellationError`. In each case
    ///   nothing was recorded.
    @discardableResult
    public func settle(key: String, as finding: Finding, by person: String) async throws -> Charge? {
        guard let (journal, operation) = try await recorded(key) else { return nil }
        return try await charge(try await settle(operation, in: journal, finding, person), in: journal)
    }

    /// Records how a capture or refund ended, where `recoverFollowUp(key:)` leaves it unknown, like `settle(key:as:by:)`.
    ///
    /// ```swift
    /// let refund = try await charges.settleFollowUp(key: "order-1017-refund-1", as: .paid(), by: "Anna")
    /// print(refund?.outcome ?? .unknown)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the capture or refund.
    ///   - finding: what was found. One that was not carried out has the outcome `.failed`.
    ///   - person: who found it, in 1 to 64 characters, which the journal keeps.
    /// - Returns: it as it is now recorded; nil if this machine has none of this merchant with this key.
    /// - Throws: what `settle(key:as:by:)` throws.
    @discardableResult
    public func settleFollowUp(key: String, as finding: Finding, by person: String) async throws -> ChargeFollowUp? {
        guard let (journal, operation) = try await recorded(key, Self.followUpKinds) else { return nil }
        return ChargeFollowUp(try await settle(operation, in: journal, finding, person))
    }

    private func settle(
        _ operation: PaymentOperation, in journal: ChargeJournal, _ finding: Finding, _ person: String
    ) async throws -> PaymentOperation {
        try await CloverError.during {
            do {
                return try await record(finding, person, of: operation, in: journal)
            } catch let error as PaymentPlanError {
                throw Self.refusal(
                    error, "nothing was recorded", noun: operation.kind == .refund ? "refund" : "payment")
            }
        }
    }

    private func record(
        _ finding: Finding, _ person: String, of operation: PaymentOperation, in journal: ChargeJournal
    ) async throws -> PaymentOperation {
        guard (1...64).contains(person.count),
            person.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { throw PaymentPlanError.malformedPerson }
        var payment: String?
        if case .paid(let id) = finding { payment = id }
        if let payment, payment.isEmpty || !payment.utf8.allSatisfy({ Self.idCharacters.contains($0) }) {
            throw CloverError(.request, "'\(payment)' is not an id; nothing was recorded", nextStep: "correct the id")
        }
        guard let lock = try await journal.lock(operation.id) else {
            throw PaymentPlanError.inUseByProcess(id: operation.id)
        }
        defer { withExtendedLifetime(lock) {} }
        var amount: Int64?
        var elsewhere: DoneElsewhere?
        if let payment, try await journal.wouldRecord(payment: payment, of: operation.id) {
            (amount, elsewhere) = try await check(payment, of: operation, in: journal)
        }
        return try await journal.settleByHand(
            operation.id, isDone: finding != .notPaid, by: person, payment: payment, amount: amount,
            elsewhere: elsewhere, now: Shop.now)
    }

    private static let idCharacters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Throws for a payment that Clover shows to be another one. If Clover shows nothing, the person's word counts.
    ///
    /// - Returns: the amount that it shows, where that is a part of what was asked for, and what was done with it elsewhere.
    private func check(
        _ payment: String, of operation: PaymentOperation, in journal: ChargeJournal
    ) async throws -> (amount: Int64?, elsewhere: DoneElsewhere?) {
        let followUps = try await journal.followUps(of: operation.id)
        let found = await NamedPayment.look(payment, for: operation, after: followUps, client, now: Shop.now)
        try Task.checkCancellation()
        switch found {
        case .matches(let amount): return (amount, nil)
        case .givenBack(_, let amount, let elsewhere): return (amount, elsewhere)
        case .unchecked: return (nil, nil)
        case .differs(let difference):
            throw PaymentPlanError.paymentDiffers(id: operation.id, payment: payment, difference)
        case .unpaid(let state):
            throw PaymentPlanError.paymentUnpaid(id: operation.id, payment: payment, state: state)
        case .missing: throw PaymentPlanError.paymentMissing(id: operation.id, payment: payment)
        }
    }
}
