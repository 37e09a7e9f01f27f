extension Recovery {
    /// What the reader's driver says of a charge; nil when there is no driver to ask, and only the service is left.
    ///
    /// A driver may hold money that the service does not know of yet, so that the service's silence is no proof while the
    /// driver has not been heard.
    func recalled(_ operation: PaymentOperation, _ inquiry: Inquiry) async -> Verdict? {
        guard operation.rail == .reader, let recollection = runner.recollection, let externalID = operation.externalID
        else { return nil }
        var outcome = operation.outcome
        switch await recollection.recall(externalID: externalID, driver: operation.request.driver) {
        case nil: return nil
        case .ended(let event):
            var verdict = ReaderVerdict()
            verdict.take(event, operation)
            return verdict.verdict
        case .noPayment:
            return .settled(
                .failed, OperationOutcome(reason: "the reader's driver has no such payment: it was not charged"))
        case .underWay:
            outcome.reason = "the reader's driver still works on it"
        case .unclear(let reason):
            if case .found(let verdict) = await inquiry.look(for: operation) { return verdict }
            outcome.reason = "the reader's driver cannot tell, and the service does not have it: \(reason)"
        }
        return .unknown(outcome, isRepeatable: false)
    }
}
