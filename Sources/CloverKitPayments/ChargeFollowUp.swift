public import CloverKit
import CloverPayments

/// A capture or a refund of a charge, in the journal of this machine.
///
/// ```swift
/// let refund = try await charges.refund(chargeKey: "order-1017", amount: 500, key: "order-1017-refund-1")
/// switch refund.outcome {
/// case .done: print("refunded", refund.amount.text(in: refund.currency), refund.refundID ?? "")
/// case .declined, .cancelled, .failed: print("nothing was refunded:", refund.reason ?? "")
/// case .unknown:
///     let known = try await charges.recoverFollowUp(key: refund.key)
///     print("it may have been refunded", known?.lookupError?.message ?? known?.reason ?? "")
/// }
/// if let words = refund.contradiction { print("a person has to look:", words) }
/// print(refund.id, refund.key, refund.chargeID, refund.time.date, refund.code ?? "", refund.isProvisional)
/// for open in try await charges.unsettledFollowUps() where open.kind == .capture { print("not yet captured:", open.key) }
/// ```
public struct ChargeFollowUp: Sendable, Hashable {
    /// The id in the journal, by which the program knows it: `clover charge show ID`.
    public let id: String
    /// The key that names it.
    public let key: String
    /// What it does.
    public let kind: Kind
    /// The id of the charge in the journal.
    public let chargeID: String
    /// The amount that was asked for, in the smallest unit of the currency. Without one, it is what was left of the charge.
    public let amount: CloverKit.Money
    /// ISO 4217 code, such as `USD`: that of the charge.
    public let currency: String
    /// What is known of its result.
    public let outcome: Outcome
    /// Whether the outcome rests on records of Clover that do not show the operation, which may be late, or is that of a refund
    /// that was pending, which may still fail:
    /// `Charges.recoverFollowUp(key:)` reads them again.
    public let isProvisional: Bool
    /// The id of the refund at Clover; nil for a capture, and if there is none or it is not known.
    public let refundID: String?
    /// Clover's code of a refusal; nil for others.
    public let code: String?
    /// Why it is not done, or how the outcome was found; nil if there is nothing to say.
    public let reason: String?
    /// How Clover contradicts the recorded outcome, such as that a person recorded it as done and Clover shows that nothing was
    /// refunded, until a person corrects or confirms it with `Charges.settleFollowUp(key:as:by:)`; nil if it does not.
    public let contradiction: String?
    /// When it was recorded.
    public let time: Timestamp
    /// Why Clover could not be asked what became of it, in the call of `Charges.recoverFollowUp(key:)` that returned it; nil as
    /// `Charge.lookupError`.
    public internal(set) var lookupError: CloverError?

    /// What can follow a charge over the Ecommerce API.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Collects the money of a hold. What is not collected is released.
        case capture
        /// Gives money back.
        case refund
    }

    /// What is known of a capture or refund.
    public enum Outcome: Sendable, Hashable {
        /// Clover carried it out. A refund may still be on its way to the card.
        case done
        /// Clover or the bank declined it: nothing moved.
        case declined
        /// Cancelled before it was sent: nothing moved.
        case cancelled
        /// It cannot have been carried out: nothing moved.
        case failed
        /// It may have been carried out, and no response shows whether it was.
        case unknown
    }

    /// Nil for what is neither a capture nor a refund.
    init?(_ operation: PaymentOperation) {
        switch operation.kind {
        case .capture: kind = .capture
        case .refund: kind = .refund
        case .charge, .void, .tip, .increment, .receipt: return nil
        }
        id = operation.id
        key = operation.idempotencyKey
        chargeID = operation.parent ?? ""
        amount = CloverKit.Money(minorUnits: operation.minorUnits ?? 0)
        currency = operation.currencyCode ?? ""
        outcome =
            switch operation.state {
            case .approved: .done
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            case .created, .sent, .unknown: .unknown
            }
        isProvisional = operation.outcome.isProvisional == true
        refundID = operation.kind == .refund ? operation.outcome.paymentID : nil
        code = operation.outcome.code
        reason = operation.outcome.reason ?? operation.outcome.text
        contradiction = operation.outcome.contradiction
        time = Timestamp(milliseconds: operation.createdAt)
    }
}
