extension OperationRunner {
    /// What the reader's driver says of a charge; empty when there is no driver to ask, and only the service is left.
    ///
    /// A driver may hold money that the service does not know of yet, so that the service's silence is no proof while the
    /// driver has not been heard.
    func recalled(_ operation: PaymentOperation) async -> [Evidence] {
        guard operation.rail == .reader, operation.kind == .charge, let recollection,
            let externalID = operation.externalID
        else { return [] }
        func silence(_ reason: String) -> [Evidence] {
            [.silence(OperationOutcome(reason: reason), isRepeatable: false)]
        }
        switch await recollection.recall(externalID: externalID, driver: operation.request.driver) {
        case nil: return []
        case .ended(let event):
            var heard = ReaderEvidence()
            heard.take(event)
            return heard.evidence
        case .noPayment: return [.driverHasNone]
        case .underWay: return silence("the reader's driver still works on it")
        case .unclear(let reason): return silence("the reader's driver cannot tell: \(reason)")
        }
    }
}
