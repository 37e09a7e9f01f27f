import CloverOutput

/// How a payment at Clover differs from what the journal has.
package struct PaymentDifference: Equatable, Sendable {
    /// What Clover shows, such as `20.00 USD`.
    package let shown: String
    /// What the journal has, such as `12.50 USD`.
    package let recorded: String
    /// Of a charge: the amount that Clover shows, if that alone differs, so that a person can confirm it.
    package var amount: Money?

    /// Follows what is shown as refunded, of which a part is pending.
    static let pendingNote = " (a refund is pending, and may still fail)"

    /// The difference as a clause.
    package var words: String { "Clover shows \(shown), the journal has \(recorded)" }

    /// Two amounts in the smallest unit of the charge's currency.
    fileprivate static func of(
        _ shown: Int64, _ recorded: Int64, _ word: String, _ charge: PaymentOperation
    ) -> PaymentDifference? {
        guard let unit = charge.amount?.currency else { return nil }
        func text(_ amount: Int64) -> String { "\(Money(minorUnits: amount, currency: unit)) \(word)" }
        return PaymentDifference(shown: text(shown), recorded: text(recorded))
    }

    /// An amount in the smallest unit of a currency that a service names, for display.
    static func text(_ amount: Int64, in code: String) -> String {
        do throws(RecordFormatError) {
            let currency = try Currency(code: code)
            return "\(Money(minorUnits: amount, currency: currency))"
        } catch {
            return "\(RawAmount(minorUnits: amount, currencyCode: ServiceErrorBody.oneLine(code)))"
        }
    }
}

extension ObservedPayment {
    /// How the payment differs from an approved charge and its follow-ups that were carried out, as of a capture or refund that
    /// was made elsewhere, or that a response reported and the service does not show; nil if it does not, or if the service
    /// does not show it. A later void is no difference, except of a hold.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    package func difference(from charge: PaymentOperation, after followUps: [PaymentOperation]) -> PaymentDifference? {
        if let difference = differenceInAmount(from: charge, after: followUps) { return difference }
        let totals = ChargeTotals(charge, followUps)
        let elsewhere = ElsewhereVerdict(on: charge, after: followUps, self)
        let isOpenHold = totals.type == .preauth && !totals.isCaptured && !totals.isVoided
        if isOpenHold, elsewhere.done?.isReleased == true {
            return PaymentDifference(shown: "a hold that was released", recorded: "a hold")
        }
        guard ending == .approved else { return nil }
        return differenceInCapture(from: charge, totals) ?? differenceInVoid(from: charge, totals)
            ?? differenceInRefund(from: charge, totals, followUps) ?? elsewhere.excess
    }

    private func differenceInCapture(from charge: PaymentOperation, _ totals: ChargeTotals) -> PaymentDifference? {
        // Whether a service counts the tip among what was captured is not documented.
        if charge.request.type?.isCaptured == true, let captured, let amount = outcome.amount,
            captured < amount || captured > amount + max(0, outcome.tip ?? totals.tip ?? 0)
        {
            return PaymentDifference.of(captured, totals.held, "captured", charge)
        }
        if totals.type == .preauth, let captured, captured != totals.captured {
            return PaymentDifference.of(captured, totals.captured, "captured", charge)
        }
        return nil
    }

    private func differenceInVoid(from charge: PaymentOperation, _ totals: ChargeTotals) -> PaymentDifference? {
        // A late void is a refund of the whole.
        let whole = totals.isCaptured ? totals.captured : totals.held
        guard totals.isVoided, let refunded, refunded < whole, let unit = charge.amount?.currency else { return nil }
        let part = "\(Money(minorUnits: refunded, currency: unit)) refunded"
        return PaymentDifference(shown: refunded == 0 ? "a payment that is not voided" : part, recorded: "a void")
    }

    private func differenceInRefund(
        from charge: PaymentOperation, _ totals: ChargeTotals, _ followUps: [PaymentOperation]
    ) -> PaymentDifference? {
        guard let refunded, !totals.isVoided, !(lacksRefundedAmount && totals.refunded > 0) else { return nil }
        // Whether a service counts the tip among what was refunded is not documented, nor a refund that is pending.
        let open = followUps.onPresentPayment(of: charge).filter(\.isPendingRefund)
        let pending = open.map { $0.outcome.amount ?? $0.amount?.minorUnits ?? 0 }
        let excess = refunded - totals.refunded
        guard max(excess, -excess - pending.reduce(0, +)) > totals.tip ?? 0,
            let difference = PaymentDifference.of(refunded, totals.refunded, "refunded", charge)
        else { return nil }
        let amount = lacksRefundedAmount ? "a refund without its amount" : difference.shown
        return PaymentDifference(
            shown: amount + (hasPendingRefund ? PaymentDifference.pendingNote : ""), recorded: difference.recorded)
    }

    /// How the payment shows that a follow-up, which the journal has as carried out, was not, or not in full; nil if it does not.
    /// What it does not show is no difference.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    package func shortfall(
        of followUp: PaymentOperation, on charge: PaymentOperation, after followUps: [PaymentOperation]
    ) -> PaymentDifference? {
        guard ending == .approved, relation(to: charge) == .own, obstacleToCompare(with: charge) == nil,
            !followUp.isOnOtherPayment(than: charge)
        else { return nil }
        let totals = ChargeTotals(charge, followUps)
        switch followUp.kind {
        case .void: return differenceInVoid(from: charge, totals)
        case .capture:
            guard let captured, captured < totals.captured else { return nil }
            return differenceInCapture(from: charge, totals)
        case .refund:
            guard let refunded, refunded < totals.refunded else { return nil }
            return differenceInRefund(from: charge, totals, followUps)
        case .tip:
            // A new tip replaces the last one.
            let last = followUps.onPresentPayment(of: charge).last { $0.kind == .tip && $0.state == .approved }
            guard last?.id == followUp.id, let tip = outcome.tip, tip == followUp.request.amountBefore ?? 0 else {
                return nil
            }
            return differenceInTip(from: charge, after: followUps)
        case .increment:
            guard let amount = outcome.amount, amount == followUp.request.amountBefore else { return nil }
            return differenceInAmount(from: charge, after: followUps)
        case .charge, .receipt: return nil
        }
    }

    /// Whether the payment shows the amount that a follow-up of this kind changes.
    func shows(_ kind: OperationKind) -> Bool {
        switch kind {
        case .void, .refund: refunded != nil && !lacksRefundedAmount
        case .capture: captured != nil
        case .tip: outcome.tip != nil
        case .increment: outcome.amount != nil
        case .charge, .receipt: false
        }
    }

    /// How the payment's tip differs from that of an approved charge; nil if it does not, or if the payment does not show it.
    /// One that was added at the device, or elsewhere, is a part of what a whole refund gives back.
    func differenceInTip(from charge: PaymentOperation, after followUps: [PaymentOperation]) -> PaymentDifference? {
        let totals = ChargeTotals(charge, followUps)
        guard charge.rail.isCharge, ending == .approved, !totals.isVoided, let unit = charge.amount?.currency,
            let tip = outcome.tip, tip != totals.tip ?? 0
        else { return nil }
        func text(_ tip: Int64) -> String { "a tip of \(Money(minorUnits: tip, currency: unit))" }
        return PaymentDifference(shown: text(tip), recorded: text(totals.tip ?? 0))
    }

    /// Why the payment does not show what was done with an approved charge elsewhere, as a clause; nil if it may.
    func obstacleToCompare(with charge: PaymentOperation) -> String? {
        switch ending {
        case .voided: return nil
        case .approved: break
        case .declined: return "Clover shows the payment as failed"
        case .open(let word?): return "the payment is '\(ServiceErrorBody.oneLine(word))' at Clover"
        case .open(nil): return "Clover does not show the status of the payment"
        }
        if let currency, let code = charge.currencyCode, currency.uppercased() != code {
            return "Clover shows the payment in \(ServiceErrorBody.oneLine(currency.uppercased()))"
        }
        return lacksRefundedAmount ? "Clover shows a refund without its amount" : nil
    }

    /// The same for a hold, of which the captured amount must be shown.
    func obstacleToHold(_ charge: PaymentOperation) -> String? {
        if let obstacle = obstacleToCompare(with: charge) { return obstacle }
        return ending == .approved && captured == nil ? "Clover does not show how much of it is captured" : nil
    }

    /// Why the payment does not show how much of an approved charge can still be refunded, as a clause; nil if it does.
    ///
    /// - Parameters:
    ///   - charge: with what the payment shows as done elsewhere.
    ///   - followUps: the follow-ups of the charge, oldest first.
    func obstacleToRefund(of charge: PaymentOperation, after followUps: [PaymentOperation]) -> String? {
        if let obstacle = obstacleToCompare(with: charge) { return obstacle }
        guard ending == .approved else { return nil }
        guard let refunded, refunded >= 0 else { return "Clover does not show how much of it is refunded" }
        let found = difference(from: charge, after: followUps) ?? differenceInTip(from: charge, after: followUps)
        if let words = found?.words ?? unshown(of: charge, after: followUps) { return words }
        // A tip, a refund that is pending, or one that was refused and carried out after all may explain it.
        let known = ChargeTotals(charge, followUps).refunded
        guard refunded != known, let unit = charge.amount?.currency else { return nil }
        func text(_ amount: Int64) -> String { "\(Money(minorUnits: amount, currency: unit)) refunded" }
        return PaymentDifference(shown: text(refunded), recorded: text(known)).words
    }

    /// What the service does not show of the payment of an approved charge, so that it cannot be compared, as a clause; nil if
    /// it shows all that it always shows.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    func unshown(of charge: PaymentOperation, after followUps: [PaymentOperation]) -> String? {
        guard ending == .approved, charge.amount != nil else { return nil }
        let totals = ChargeTotals(charge, followUps)
        let isComplete = charge.rail.rules.showsAmountAndTime
        var name: String?
        if outcome.amount == nil {
            name = "its amount"
        } else if isComplete, currency == nil {
            name = "its currency"
        } else if isComplete, captured == nil, totals.type == .preauth || isCaptured == nil {
            name = "how much of it is captured"
        } else if isComplete, totals.refunded > 0, refunded == nil || lacksRefundedAmount {
            name = "how much of it is refunded"
        }
        return name.map { "Clover does not show \($0), so that it cannot be compared" }
    }

    /// What the service does not show of the payment of an approved charge although it was compared as far as it is shown:
    /// `amount`, `currency`, `captured` or `refunded`.
    ///
    /// - Parameter followUps: the follow-ups of the charge, oldest first.
    func unchecked(of charge: PaymentOperation, after followUps: [PaymentOperation]) -> [String] {
        guard ending == .approved, charge.rail.isCharge, charge.amount != nil else { return [] }
        let isHeld = ChargeTotals(charge, followUps).type == .preauth
        return [
            outcome.amount == nil ? "amount" : nil, currency == nil ? "currency" : nil,
            captured == nil && (isHeld || charge.rail.rules.showsAmountAndTime) ? "captured" : nil,
            refunded == nil || lacksRefundedAmount ? "refunded" : nil,
        ].compactMap(\.self)
    }

    /// How the payment shows that another request made it; nil if it does not. The payment of a page has no reference of the
    /// page's.
    func differenceInOrigin(from charge: PaymentOperation) -> PaymentDifference? {
        guard charge.kind == .charge else { return nil }
        if !charge.rail.makesPage, let externalID, !externalID.isEmpty, let sent = charge.externalID,
            externalID != sent
        {
            return PaymentDifference(
                shown: "the reference \(ServiceErrorBody.oneLine(externalID))", recorded: "the reference \(sent)")
        }
        // A smaller number is in no unit that is known.
        let start = charge.outcome.session?.createdAt ?? charge.createdAt
        guard let createdAt, createdAt > 100_000_000_000, createdAt < start - Self.clockMargin else {
            return nil
        }
        return PaymentDifference(
            shown: "a time more than a day before that of the \(charge.rail.noun)", recorded: "a later time")
    }

    /// Milliseconds by which two clocks may disagree.
    private static let clockMargin: Int64 = 24 * 60 * 60 * 1000

    /// How the payment's amount or currency differs from that of an approved operation; nil if it does not, or if the
    /// payment does not show them.
    ///
    /// - Parameter followUps: the follow-ups of a charge; those that are not settled may have been carried out.
    func differenceInAmount(
        from operation: PaymentOperation, after followUps: [PaymentOperation]
    ) -> PaymentDifference? {
        guard let asked = operation.amount else { return nil }
        let totals = ChargeTotals(operation, followUps)
        let code = currency?.uppercased() ?? asked.currency.code
        let page = operation.checkoutTotal
        let isOther =
            outcome.amount.map { amount in
                // Of a page, a person may have confirmed another amount.
                page.map {
                    PageVerdict.comparison(of: amount, with: $0) != .same && amount != operation.outcome.amount
                        && !operation.acceptedFacts.contains { $0.amount == amount }
                } ?? !Self.amounts(totals, followUps.onPresentPayment(of: operation)).contains(amount)
            } ?? false
        guard isOther || code != asked.currency.code else { return nil }
        var difference = PaymentDifference(
            shown: outcome.amount.map {
                $0 == 0 ? "an amount that is 0 or cannot be read" : PaymentDifference.text($0, in: code)
            }
                ?? "an amount in \(ServiceErrorBody.oneLine(code))",
            recorded: "\(Money(minorUnits: page?.amount ?? totals.held, currency: asked.currency))")
        if operation.kind == .charge, operation.rail.isCharge || page != nil, code == asked.currency.code,
            let amount = outcome.amount, amount > 0
        {
            difference.amount = Money(minorUnits: amount, currency: asked.currency)
        }
        return difference
    }

    /// The amounts that a payment may have. Some services show the captured amount, others still the one that was held.
    ///
    /// - Parameter followUps: those on the payment.
    private static func amounts(_ totals: ChargeTotals, _ followUps: [PaymentOperation]) -> Set<Int64> {
        var amounts: Set = [totals.held]
        if totals.type == .preauth, totals.isCaptured { amounts.insert(totals.captured) }
        for operation in followUps where !operation.state.isFinal {
            guard let asked = operation.amount?.minorUnits else { continue }
            if operation.kind == .capture { amounts.insert(asked) }
            if operation.kind == .increment { amounts.insert(totals.held + asked) }
        }
        return amounts
    }
}
