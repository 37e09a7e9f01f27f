import CloverRecords
import FoundationEssentials

/// What the service says of a charge, beside what the journal does; nothing is written.
package struct ServiceView: Sendable {
    private struct View: Encodable {
        var found: Bool?
        var state: String?
        var payment: String?
        var amount: Int64?
        var code: String?
        var reason: String?
        var agrees: Bool?
    }

    /// As one JSON object: `found` is null when the service could not be asked, `agrees` says whether the journal has the
    /// same.
    package let json: String
    /// For a person, such as `approved, $12.50, payment P1; as the journal has it`.
    package let text: String

    /// Asks the service.
    ///
    /// - Parameter now: milliseconds since 1970.
    package init(of charge: PaymentOperation, _ client: PaymentClient, now: Int64) async throws {
        let inquiry = Inquiry(client: client, now: now)
        let evidence = await inquiry.look(for: charge, payment: charge.outcome.paymentID)
        var view = View()
        let verdict = Verdict(on: charge, evidence)
        let (state, outcome) = verdict.record
        if evidence.contains(where: { if case .payment = $0 { true } else { false } }) {
            view.found = true
            view.state = state.rawValue
            Self.fill(&view, outcome)
            // A void that came later is not the charge's own end.
            view.agrees =
                verdict.isKnown
                ? state == charge.state || state == .cancelled && charge.state == .approved : !charge.state.isFinal
        } else if evidence == [.absent] {
            view.found = false
            view.agrees = [.failed, .cancelled, .declined, .created].contains(charge.state)
        } else {
            view.reason = outcome.reason
        }
        json = try BodyText.encode(view)
        text = Self.text(view, charge)
    }

    private static func text(_ view: View, _ charge: PaymentOperation) -> String {
        guard let isFound = view.found else { return view.reason ?? "it could not be asked" }
        var amount = charge.amount
        if let approved = view.amount { amount?.minorUnits = approved }
        let facts =
            isFound
            ? [
                view.state, view.amount == nil ? nil : amount?.signedText, view.payment.map { "payment \($0)" },
                view.code, view.reason,
            ].compactMap(\.self).joined(separator: ", ")
            : "it has no such payment"
        return facts + (view.agrees == true ? "; as the journal has it" : "; not what the journal has")
    }

    private static func fill(_ view: inout View, _ outcome: OperationOutcome) {
        view.payment = outcome.paymentID
        view.amount = outcome.amount
        view.code = outcome.code
        view.reason = outcome.reason
    }
}
