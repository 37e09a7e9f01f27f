import CloverJSON
import FoundationEssentials

/// What the service shows about a charge, compared with the journal. Nothing is written.
package struct ChargeServiceStatus: Sendable {
    private struct View: Encodable {
        var found: Bool?
        var state: String?
        var payment: String?
        var amount: Int64?
        var code: String?
        var reason: String?
        var agrees: Bool?
    }

    /// One JSON object: `found` is null if the service could not be asked; `agrees` states whether the journal has the
    /// same.
    package let json: String
    /// For display, such as `approved, $12.50, payment P1; matches the journal`.
    package let text: String

    /// Asks the service.
    ///
    /// - Parameter now: milliseconds since 1970.
    package init(of charge: PaymentOperation, _ client: PaymentClient, now: Int64) async throws {
        let inquiry = PaymentLookup(client: client, now: now)
        let evidence = await inquiry.look(for: charge, payment: charge.outcome.paymentID)
        let view = Self.view(of: charge, evidence)
        json = try BodyText.encode(view)
        text = Self.text(view, charge)
    }

    private static func view(of charge: PaymentOperation, _ evidence: [Evidence]) -> View {
        var view = View()
        for case .payment(let payment) in evidence {
            // The current state: it may have been captured, increased or voided since.
            let ending = state(payment.ending)
            view.found = true
            view.state = (ending ?? .unknown).rawValue
            fill(&view, payment.outcome)
            if ending != .approved { view.amount = nil }
            // A later void does not contradict an approved charge.
            view.agrees =
                if let ending {
                    ending == charge.state || ending == .cancelled && charge.state == .approved
                } else { !charge.state.isFinal }
            return view
        }
        if evidence == [.absent] {
            view.found = false
            view.agrees = [.failed, .cancelled, .declined, .created].contains(charge.state)
        } else {
            view.reason = Verdict(on: charge, evidence).record.outcome.reason
        }
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
        var amount = charge.amount
        if let approved = view.amount { amount?.minorUnits = approved }
        let facts =
            isFound
            ? [
                view.state, view.amount == nil ? nil : amount?.signedText, view.payment.map { "payment \($0)" },
                view.code, view.reason,
            ].compactMap(\.self).joined(separator: ", ")
            : "it has no such payment"
        return facts + (view.agrees == true ? "; matches the journal" : "; differs from the journal")
    }

    private static func fill(_ view: inout View, _ outcome: OperationOutcome) {
        view.payment = outcome.paymentID
        view.amount = outcome.amount
        view.code = outcome.code
        view.reason = outcome.reason
    }
}
