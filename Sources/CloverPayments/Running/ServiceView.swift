import CloverRecords
import FoundationEssentials

/// What the service says of a charge, beside what the journal does; nothing is written.
package enum ServiceView {
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
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func json(_ charge: PaymentOperation, _ client: PaymentClient, now: Int64) async throws -> String {
        let inquiry = Inquiry(client: client, now: now)
        let sighting =
            if let id = charge.outcome.paymentID { await inquiry.present(charge, paymentID: id) } else {
                await inquiry.look(for: charge)
            }
        var view = View()
        switch sighting {
        case .absent:
            view.found = false
            view.agrees = [.failed, .cancelled, .declined, .created].contains(charge.state)
        case .unclear(let reason):
            view.reason = reason
        case .found(.settled(let state, let outcome)):
            view.found = true
            view.state = state.rawValue
            fill(&view, outcome)
            // A void that came later is not the charge's own end.
            view.agrees = state == charge.state || state == .cancelled && charge.state == .approved
        case .found(.unknown(let outcome, _)):
            view.found = true
            view.state = OperationState.unknown.rawValue
            fill(&view, outcome)
            view.agrees = !charge.state.isFinal
        }
        return try BodyText.encode(view)
    }

    private static func fill(_ view: inout View, _ outcome: OperationOutcome) {
        view.payment = outcome.paymentID
        view.amount = outcome.amount
        view.code = outcome.code
        view.reason = outcome.reason
    }
}
