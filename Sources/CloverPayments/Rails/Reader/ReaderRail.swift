import CloverAPI
import CloverHTTP
import CloverJSON

/// Charges with a card reader, through its driver.
struct ReaderRail: PaymentRailRules {
    let displayName = "a card reader"
    let amountRange: ClosedRange<Int64> = 1...999_999_999
    let hasReader = true
    let isCancellationProof = true
    /// A driver reports only what it has done itself.
    let showsOnlyOwnPayments = true

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? {
        .notOnRail(kind, .reader, id: charge.id)
    }

    func isRepeatable(isStopped: Bool) -> Bool { false }

    /// Looks in the merchant's payments.
    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        let request = ServiceRequest(
            .get,
            lookup.client.hosts.api + "/v3/merchants/\(operation.merchantID)/payments?filter=externalPaymentId%3D"
                + (operation.externalID ?? "") + "&expand=cardTransaction")
        switch await lookup.read(request, of: operation) {
        case .tree(let tree, let status, _):
            guard let entries = tree["elements"]?.list else {
                return [.inconclusive("the response cannot be understood")]
            }
            // The service ignores filters that it does not know.
            let matches = entries.filter { $0["externalPaymentId"]?.string == operation.externalID }
                .map { lookup.observed($0, operation, .externalID, status) }
                .filter { $0.relation(to: operation) != .foreign }
            return PaymentLookup.evidence(of: matches)
        case .missing: return [.inconclusive("the service answered 404")]
        case .silence(let evidence): return [evidence]
        }
    }
}
