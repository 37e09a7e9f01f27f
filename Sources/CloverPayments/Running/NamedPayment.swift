/// What the service shows about the payment that a person names for an operation. Nothing is written.
package enum NamedPayment: Equatable, Sendable {
    /// Its amount and currency are those of the operation. Of a page, whose tax may be rounded otherwise, and of a charge that
    /// was approved in part, the amount is named.
    case matches(amount: Int64? = nil)
    /// The same, but its money was given back since, at least in part: what the service shows, such as `12.50 USD refunded`,
    /// and of a charge, what was done elsewhere.
    case givenBack(String, amount: Int64? = nil, elsewhere: DoneElsewhere? = nil)
    case differs(PaymentDifference)
    /// The service shows that it was not paid, or not yet: its state.
    case unpaid(String)
    /// The service has no such payment.
    case missing
    /// The service could not be asked, or does not show it; the reason is a clause.
    case unchecked(reason: String)

    /// Asks the service. For a refund, the payment is the refund.
    ///
    /// - Parameters:
    ///   - payment: the ID at Clover.
    ///   - confirmed: the amount of a charge's payment that a person confirms, in place of what was asked for, in the smallest
    ///     unit.
    ///   - followUps: the follow-ups of a charge, oldest first.
    ///   - now: milliseconds since 1970.
    package static func look(
        _ payment: String, for operation: PaymentOperation, amount confirmed: Int64? = nil,
        after followUps: [PaymentOperation], _ client: PaymentClient, now: Int64
    ) async -> NamedPayment {
        if operation.rail.isRecurring {
            return await RecurringList(client: client, merchantID: operation.merchantID).named(payment, for: operation)
        }
        let shown: ObservedPayment
        switch await PaymentLookup(client: client, now: now).named(payment, for: operation) {
        case .payment(let payment): shown = payment
        case .absent: return .missing
        case .silence(let outcome, _): return .unchecked(reason: outcome.reason ?? "the service could not be asked")
        case .signInRefused: return .unchecked(reason: "the sign-in was not accepted")
        case .neverLeft, .keyUnchecked, .outOfReach, .declined, .refused, .doubtfulRefusal, .signInDoubted,
            .cancelled, .refusedByDriver, .absentFromDriver, .effect, .unchanged, .changed:
            return .unchecked(reason: "the service does not show it")
        }
        switch shown.ending {
        case .open(let state?): return .unpaid(state)
        case .declined: return .unpaid("declined")
        case .open(nil) where operation.rail.makesPage: return .unpaid("without a result")
        // The journal has no voids of pages.
        case .voided where operation.rail.makesPage: return .unpaid("voided")
        case .approved, .voided, .open(nil): break
        }
        if let difference = shown.differenceInOrigin(from: operation) { return .differs(difference) }
        let isSale = operation.request.type?.isCaptured ?? operation.rail.makesPage
        if isSale, shown.isCaptured == false, shown.captured ?? 0 == 0 {
            return .unpaid("only held, not captured")
        }
        guard shown.outcome.amount != nil else { return .unchecked(reason: "the service does not show its amount") }
        var taken = OperationOutcome()
        taken.paymentID = payment
        if shown.isPart(of: operation) { taken.amount = shown.outcome.amount }
        taken.amount = confirmed ?? taken.amount
        let paid = operation.settled(.approved, taken)
        if operation.rail.makesPage, let confirmed, let amount = shown.outcome.amount, amount != confirmed,
            let code = operation.currencyCode
        {
            return .differs(
                PaymentDifference(
                    shown: PaymentDifference.text(amount, in: code),
                    recorded: PaymentDifference.text(confirmed, in: code)))
        }
        if let difference = shown.differenceInAmount(from: paid, after: followUps) { return .differs(difference) }
        // What was done with another payment, here or elsewhere, says nothing about this one.
        var named = operation
        if operation.outcome.paymentID != payment { named.outcome.elsewhere = nil }
        named.outcome.paymentID = payment
        let totals = ChargeTotals(named, followUps)
        // Nothing of it is kept: that is no payment.
        if shown.ending == .voided, !totals.isVoided { return .unpaid("voided") }
        guard operation.kind == .charge, shown.refunded ?? 0 > totals.refunded else {
            return .matches(amount: operation.rail.makesPage ? shown.outcome.amount : taken.amount)
        }
        guard let difference = shown.difference(from: paid, after: followUps) else {
            return .matches(amount: taken.amount)
        }
        guard operation.rail.isCharge else { return .givenBack(difference.shown, amount: taken.amount) }
        let verdict = ElsewhereVerdict(on: paid, after: followUps, shown)
        if let excess = verdict.excess { return .differs(excess) }
        return .givenBack(difference.shown, amount: taken.amount, elsewhere: verdict.done)
    }
}
