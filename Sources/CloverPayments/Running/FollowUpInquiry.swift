import CloverRecords

/// Whether a capture, void or tip was carried out, read from the charge that it is about. A refund or an increment cannot
/// be told that way: another one of the same amount would look alike.
struct FollowUpInquiry {
    let journal: ChargeJournal
    let client: PaymentClient

    /// Nil when it does not tell.
    ///
    /// - Throws: trouble with the journal.
    func verdict(on operation: PaymentOperation) async throws -> Verdict? {
        guard [.capture, .void, .tip].contains(operation.kind), let tree = try await payment(of: operation) else {
            return nil
        }
        var outcome = OperationOutcome(reason: "the charge shows it")
        outcome.paymentID = tree["id"]?.string
        switch operation.kind {
        case .capture where operation.rail == .ecommerce:
            guard tree["captured"]?.bool == true else { return nil }
            outcome.amount = tree["amount_captured"]?.amount ?? operation.amount?.minorUnits
        case .capture:
            guard tree["cardTransaction"]?["captured"]?.bool == true else { return nil }
            outcome.amount = tree["amount"]?.amount ?? operation.amount?.minorUnits
        case .void:
            guard tree["result"]?.string == "VOIDED" else { return nil }
        case .tip:
            guard let tip = operation.request.tip, tree["tipAmount"]?.amount == tip else { return nil }
            outcome.tip = tip
        case .charge, .refund, .increment, .receipt: return nil
        }
        return .settled(.approved, outcome)
    }

    private func payment(of operation: PaymentOperation) async throws -> JSONTree? {
        guard let parent = operation.parent, let charge = try await journal.operation(parent),
            let id = charge.outcome.paymentID
        else { return nil }
        let request = OperationCall(hosts: client.hosts).present(charge, paymentID: id)
        guard
            case .answer(let status, let body) = await client.exchange(
                request, isLocal: operation.request.deviceAddress != nil),
            (200...299).contains(status), let tree = JSONTree(body)
        else { return nil }
        return tree["payment"] ?? tree
    }
}
