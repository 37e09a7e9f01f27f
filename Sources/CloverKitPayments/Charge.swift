public import CloverKit
import CloverPayments

/// A charge in the journal of this machine.
///
/// ```swift
/// guard let charge = try await charges.recover(key: "order-1017") else { return }
/// switch charge.outcome {
/// case .approved: print("paid", charge.paymentID ?? "")
/// case .partlyApproved(let part): print("only", part.minorUnits, charge.isGivenBack ? "given back" : "was taken")
/// case .declined: print("declined:", charge.code ?? "", charge.reason ?? "")
/// case .cancelled, .failed: print("not charged:", charge.reason ?? "", charge.isProvisional ? "as far as Clover shows" : "")
/// case .unknown: print("it may have been charged: recover it again later", charge.lookupError?.message ?? charge.reason ?? "")
/// }
/// print(charge.id, charge.key, charge.time.date, charge.cardEnd ?? "", charge.isHold ? "held only" : "")
/// print(charge.amount.minorUnits, charge.captured.minorUnits, charge.currency)
/// print(charge.refunded.minorUnits, charge.refundable.minorUnits)
/// if let words = charge.contradiction ?? charge.contradictedFollowUp?.contradiction { print("a person has to look:", words) }
/// ```
public struct Charge: Sendable, Hashable {
    /// The id in the journal, by which the program knows it: `clover charge show ID`.
    public let id: String
    /// The key that names it.
    public let key: String
    /// The requested amount in the smallest unit of the currency, without the tip.
    public let amount: CloverKit.Money
    /// ISO 4217 code, such as `USD`.
    public let currency: String
    /// What is known of its result.
    public let outcome: Outcome
    /// Whether the outcome rests on records of Clover that do not show the charge. They may be late:
    /// `Charges.recover(key:)` reads them again.
    public let isProvisional: Bool
    /// Whether the money was only to be held until it is captured.
    public let isHold: Bool
    /// The amount that was collected, in the smallest unit, without the tip: 0 for a hold that is not captured.
    public let captured: CloverKit.Money
    /// The sum of the refunds in the journal, in the smallest unit. What was refunded elsewhere is not known here.
    public let refunded: CloverKit.Money
    /// The amount that can still be refunded, in the smallest unit, with the tip: what was collected, without the refunds in the
    /// journal.
    public let refundable: CloverKit.Money
    /// Whether it is proved that what was taken was given back, because a part is not enough.
    public let isGivenBack: Bool
    /// The id of the payment at Clover, also of one that was declined; nil if there is none or it is not known.
    public let paymentID: String?
    /// The last four digits of the card; nil if unknown.
    public let cardEnd: String?
    /// Clover's code of a refusal, such as `card_declined`; nil for others.
    public let code: String?
    /// Why it is not approved, or how the outcome was found; nil if there is nothing to say.
    public let reason: String?
    /// How Clover contradicts the recorded outcome, until a person corrects or confirms it with `Charges.settle(key:as:by:)`; nil if
    /// it does not.
    public let contradiction: String?
    /// The last capture or refund of the charge that a person recorded as carried out, and that Clover shows as not carried out: what
    /// is captured or refunded is not certain then. `ChargeFollowUp.contradiction` says what Clover shows, until a person corrects
    /// or confirms it with `Charges.settleFollowUp(key:as:by:)`. `Charges.recover(key:)` asks Clover about it. Nil if there is none.
    public let contradictedFollowUp: ChargeFollowUp?
    /// When it was recorded.
    public let time: Timestamp
    /// Why Clover could not be asked what became of the charge, in the call of `Charges.recover(key:)` that returned it; nil if Clover
    /// responded and does not show it, if there was nothing to ask, and of a charge that another call returned.
    public internal(set) var lookupError: CloverError?

    /// What is known of a charge.
    public enum Outcome: Sendable, Hashable {
        /// The whole amount was approved; of a hold, it is held.
        case approved
        /// This part of the amount was approved, in the smallest unit: of a charge that the program made. See
        /// `Charge.isGivenBack`. A charge of the library with another amount than requested is `unknown`.
        case partlyApproved(CloverKit.Money)
        /// The card, its bank or Clover declined: nothing moved. The key is used up.
        case declined
        /// Cancelled before it was carried out, or a hold that was released elsewhere since: nothing moved. Unless it was released,
        /// nothing was sent, and the next `Charges.charge(_:)` with the key charges.
        case cancelled
        /// It was not carried out, or a person recorded so; no charge of the key is known. If it was never sent, the next
        /// `Charges.charge(_:)` with the key charges. With `Charge.isProvisional`, this rests on records that may be late.
        case failed
        /// It may have been carried out, and no response shows whether it was; or it was not sent, because it could not be checked
        /// whether its key was charged before, such as by another machine. `Charges.recover(key:)` looks for it.
        case unknown
    }

    init(_ operation: PaymentOperation, followUps: [PaymentOperation]) {
        id = operation.id
        key = operation.idempotencyKey
        amount = CloverKit.Money(minorUnits: operation.minorUnits ?? 0)
        currency = operation.currencyCode ?? ""
        outcome =
            switch operation.state {
            case .approved where operation.isReleasedElsewhere: .cancelled
            case .approved where operation.isPartial:
                .partlyApproved(CloverKit.Money(minorUnits: operation.outcome.amount ?? 0))
            case .approved: .approved
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            case .created, .sent, .unknown: .unknown
            }
        isProvisional = operation.outcome.isProvisional == true
        isHold = operation.request.type == .preauth
        let totals = ChargeTotals(operation, followUps)
        captured = CloverKit.Money(minorUnits: totals.isCaptured ? totals.captured : 0)
        refunded = CloverKit.Money(minorUnits: totals.refunded)
        refundable = CloverKit.Money(minorUnits: totals.rest)
        isGivenBack =
            operation.isUnwantedPartialApproval
            && followUps.onPresentPayment(of: operation).contains {
                ($0.kind == .void || $0.kind == .refund) && $0.state == .approved && !$0.isPendingRefund
            }
        paymentID = operation.outcome.paymentID
        cardEnd = operation.outcome.card?.last4
        code = operation.outcome.code
        reason = operation.outcome.reason ?? operation.outcome.text ?? operation.wordsElsewhere
        contradiction = operation.outcome.contradiction
        contradictedFollowUp =
            followUps.onPresentPayment(of: operation).last(where: \.isContradictedDone).flatMap { ChargeFollowUp($0) }
        time = Timestamp(milliseconds: operation.createdAt)
    }
}
