import CloverJSON
import CloverOutput
import FoundationEssentials

/// What the service shows about a charge, compared with the journal. Nothing is written.
package struct ChargeServiceStatus: Sendable {
    private struct View: Encodable {
        var found: Bool?
        var state: String?
        var payment: String?
        var plan: String?
        var subscription: String?
        var amount: Int64?
        var currency: String?
        var code: String?
        var reason: String?
        var agrees: Bool?
        var unchecked: [String]?
    }

    /// One JSON object: `found` is null if the service could not be asked; `agrees` states whether the journal has the
    /// same state, amount and currency, and is null if the amount is not shown. If these differ, `reason` names both.
    /// `unchecked` names what is not shown, and so was not compared.
    package let json: String
    /// For display, such as `approved, $12.50, payment P1; matches the journal`.
    package let text: String

    /// Why the charge's payment could not be asked for; nil if it could.
    package let obstacle: Obstacle?
    /// Of a page: what is found of it now.
    package private(set) var verdict: PageVerdict?

    package struct Obstacle: Sendable {
        /// The payment at Clover.
        package let payment: String
        /// A clause.
        package let reason: String
        package let isSignInRefused: Bool
    }

    /// Asks the service: for the charge's payment, if it is known, and otherwise for what may be its payment.
    ///
    /// - Parameters:
    ///   - followUps: the follow-ups of the charge, oldest first.
    ///   - journal: names the payments of other charges.
    ///   - reports: what webhooks say of a page.
    ///   - now: milliseconds since 1970.
    package init(
        of charge: PaymentOperation, after followUps: [PaymentOperation], in journal: ChargeJournal,
        _ client: PaymentClient, _ reports: [PageReport] = [], now: Int64
    ) async throws {
        if charge.rail.isRecurring, let id = charge.outcome.paymentID {
            let view = Self.view(of: charge, id, await NamedPayment.look(id, for: charge, after: [], client, now: now))
            json = try BodyText.encode(view)
            text = Self.text(view, charge)
            self.obstacle = nil
            return
        }
        let inquiry = PaymentLookup(client: client, now: now, others: try await journal.payments(besides: charge))
        var view: View
        var obstacle: Obstacle?
        if let payment = charge.outcome.paymentID, !payment.isEmpty {
            // What looks alike says nothing about a payment that is known.
            let shown = await inquiry.named(payment, for: charge)
            switch shown {
            case .absent:
                view = View()
                view.found = false
                // The record of what a webhook reported may come late.
                view.agrees = charge.isPaidByWebhookAlone ? nil : charge.state != .approved
                view.reason = "Clover does not have the payment \(payment)"
            case .silence(let outcome, _) where outcome.http == 404:
                view = View()
                view.found = false
                view.reason = "the service answered 404 for the payment \(payment)"
            case .silence(let outcome, _):
                obstacle = Obstacle(
                    payment: payment, reason: outcome.reason ?? "the service could not be asked",
                    isSignInRefused: false)
                view = View()
            case .signInRefused:
                obstacle = Obstacle(
                    payment: payment, reason: "the sign-in was not accepted", isSignInRefused: true)
                view = View()
            default: view = Self.view(of: charge, after: followUps, [shown])
            }
            if let obstacle { view.reason = obstacle.words }
        } else {
            view = Self.view(of: charge, after: followUps, await inquiry.look(for: charge))
        }
        if charge.outcome.session != nil, obstacle == nil {
            let found = PageVerdict(
                try await CheckoutPayments(client: client).evidence(on: charge, reports, in: journal, now: now))
            let isAwaited = view.found == false && charge.isPaidByWebhookAlone
            if view.agrees == true || charge.outcome.paymentID == nil || isAwaited {
                Self.add(found, of: charge, to: &view)
            }
            verdict = found
        }
        self.obstacle = obstacle
        json = try BodyText.encode(view)
        text = Self.text(view, charge)
    }

    private static func view(
        of charge: PaymentOperation, after followUps: [PaymentOperation], _ evidence: [Evidence]
    ) -> View {
        var view = View()
        // One that only looks alike may be another charge's. What a person entered is compared with what has its reference.
        let isByHand = charge.outcome.isByHand == true
        for case .payment(let payment) in evidence
        where (payment.source != .list || isByHand && payment.hasReference(of: charge))
            && payment.relation(to: charge) != .foreign
        {
            // The current state: it may have been captured, increased or voided since.
            let ending = state(payment.ending)
            view.found = true
            view.state = (ending ?? .unknown).rawValue
            fill(&view, payment)
            if ending != .approved { view.amount = nil }
            // A later void does not contradict an approved charge.
            view.agrees =
                if let ending {
                    ending == charge.state || ending == .cancelled && charge.state == .approved
                } else { !charge.state.isFinal }
            let unchecked = charge.state == .approved ? payment.unchecked(of: charge, after: followUps) : []
            if !unchecked.isEmpty { view.unchecked = unchecked }
            // The amount too: a person may have entered the outcome with the payment of something else.
            if charge.state == .approved,
                let difference = payment.difference(from: charge, after: followUps)
                    ?? payment.differenceInTip(from: charge, after: followUps)
            {
                view.agrees = false
                view.reason = difference.words
            } else if view.agrees == true, let words = payment.unshown(of: charge, after: followUps) {
                view.agrees = nil
                view.reason = words
            } else if charge.isNeverSent, ending == .approved, let words = payment.contradiction(with: charge) {
                view.reason = words
            } else if view.agrees == false, view.reason == nil, case .open(let word) = payment.ending {
                // A status that is not shown is no difference.
                if word == nil { view.agrees = nil }
                view.reason =
                    word.map { "the payment is '\(ServiceErrorBody.oneLine($0))' at Clover" }
                    ?? "Clover does not show the status of the payment"
            }
            // One payment says nothing about the others of a page, nor about what contradicts a webhook.
            let isContradicted = charge.paymentsOfPage != nil || charge.outcome.contradiction != nil
            if view.agrees == true, charge.rail.makesPage {
                if isContradicted {
                    view.agrees = nil
                    view.reason = charge.outcome.contradiction ?? charge.outcome.reason
                } else if ending == .cancelled, charge.state == .approved, charge.outcome.page != .voided {
                    // A person has not confirmed it.
                    view.agrees = false
                    view.reason = "the payment was voided since"
                }
            }
            return view
        }
        if evidence == [.absent] {
            view.found = false
            view.agrees = charge.isNeverSent || [.failed, .cancelled, .declined].contains(charge.state)
            if view.agrees == false {
                let candidates = charge.outcome.candidates.map { "; what may be it: \($0.joined(separator: ", "))" }
                view.reason = "Clover does not show a payment for it" + (candidates ?? "")
            }
        } else {
            view.reason = Verdict(on: charge, evidence).record.outcome.reason
        }
        return view
    }

    /// Adds what the orders of a page show beside the payment that agrees.
    private static func add(_ verdict: PageVerdict, of page: PaymentOperation, to view: inout View) {
        let recorded = verdict.facts.first { $0.payment == page.outcome.paymentID }
        if let difference = recorded?.differenceInCurrency(from: page) {
            (view.agrees, view.reason) = (false, difference.words)
            return
        }
        switch verdict.finding {
        case .paid(let payment, _) where payment.id != page.outcome.paymentID:
            (view.agrees, view.reason) = (false, "the page's order shows the payment \(payment.id)")
        case .several, .other, .overdue:
            let known = page.outcome.contradiction ?? page.outcome.reason
            view.agrees = known == verdict.clause ? nil : false
            view.reason = verdict.clause
        case .notShown: (view.agrees, view.reason) = (nil, "not shown now, and found before: \(verdict.reason)")
        case .unread(let obstacle):
            (view.agrees, view.reason) = (nil, "the page's other payments were not looked for: \(obstacle.reason)")
        case .paid, .reported, .asRecorded, .unseen: break
        }
    }

    /// Of a plan or subscription that was made: whether the service still has it as it was asked for.
    private static func view(of operation: PaymentOperation, _ id: String, _ shown: NamedPayment) -> View {
        var view = View()
        view.found = true
        view.agrees = operation.state == .approved
        switch shown {
        case .matches, .givenBack: break
        case .differs(let difference): (view.agrees, view.reason) = (false, difference.words)
        case .unpaid(let state): (view.agrees, view.reason) = (false, "it is '\(state)'")
        case .missing:
            view.found = false
            view.agrees = operation.state != .approved
            view.reason = "Clover does not have the \(operation.rail.noun) \(id)"
        case .unchecked(let reason): (view.found, view.agrees, view.reason) = (nil, nil, reason)
        }
        guard view.found == true else { return view }
        if operation.rail == .plan { view.plan = id } else { view.subscription = id }
        return view
    }

    /// The state for a payment's status; nil for a status that is still open.
    private static func state(_ ending: ObservedPayment.Ending) -> OperationState? {
        switch ending {
        case .approved: .approved
        case .declined: .declined
        case .voided: .cancelled
        case .open: nil
        }
    }

    private static func text(_ view: View, _ charge: PaymentOperation) -> String {
        guard let isFound = view.found else { return view.reason ?? "the service could not be asked" }
        let facts =
            isFound
            ? [
                view.state, amountText(view, charge), view.payment.map { "payment \($0)" },
                view.plan.map { "plan \($0)" }, view.subscription.map { "subscription \($0)" }, view.code, view.reason,
            ].compactMap(\.self).joined(separator: ", ")
            : view.reason ?? "it has no such \(charge.rail.isRecurring ? charge.rail.noun : "payment")"
        return facts + (view.agrees.map { $0 ? "; matches the journal" : "; differs from the journal" } ?? "")
            + (view.unchecked.map { "; not shown, so not compared: \($0.joined(separator: ", "))" } ?? "")
    }

    private static func amountText(_ view: View, _ charge: PaymentOperation) -> String? {
        guard let amount = view.amount, let asked = charge.amount else { return nil }
        if let code = view.currency, code != asked.currency.code { return PaymentDifference.text(amount, in: code) }
        return Money(minorUnits: amount, currency: asked.currency).signedText
    }

    private static func fill(_ view: inout View, _ payment: ObservedPayment) {
        view.payment = payment.outcome.paymentID
        // One that cannot be read was taken for 0.
        view.amount = payment.outcome.amount == 0 ? nil : payment.outcome.amount
        view.currency = payment.currency.map { ServiceErrorBody.oneLine($0.uppercased()) }
        view.code = payment.outcome.code
        view.reason = payment.outcome.reason
    }
}

extension ChargeServiceStatus.Obstacle {
    package var words: String { "the payment \(payment) could not be asked for: \(reason)" }
}
