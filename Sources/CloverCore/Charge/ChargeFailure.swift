package import CloverPayments

/// An operation that did not end as it was asked for. What happened was printed; this decides the exit status.
package enum ChargeFailure: Error, Sendable {
    /// Declined, cancelled, or not carried out.
    case refused(PaymentOperation)
    /// Not carried out, and an error says why.
    case notCarriedOut(PaymentOperation, any Error)
    /// It was sent, and the journal could not be told what became of it.
    case unrecorded(PaymentOperation, any Error)
    /// It may have been carried out.
    case unknown(PaymentOperation)
    /// A part was approved and kept.
    case partial(PaymentOperation)
    /// A part was approved that was not asked for, and what became of its void.
    case partialVoided(PaymentOperation, void: OperationState)
    /// What was heard is not what was said by hand.
    case contradicted(PaymentOperation)
    /// Recovery of several: how many are still not known, how many are not as was said by hand, and how many could not be
    /// worked on. `reader`: a charge among the unknown that only a person may be able to settle.
    case unsettled(unknown: Int, contradicted: Int, failed: Int, reader: String?)
    /// Recovery of several: this many were left to the processes that work on them, and everything else is settled.
    case skipped(Int)
}
