/// The faults that calls about money can have.
enum PaymentFaults {
    private static let onTheWay: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .slow, .notJSON, .tokenRate, .tokenConcurrency,
    ]
    private static let ofWrites = onTheWay.union([.loseAnswer, .serverErrorAfter])
    private static let ofKeys: Set<FaultKind> = [.keyClash, .forgetKey]
    private static let ofDevices: Set<FaultKind> = [.busy, .unsupported, .deviceTimeout]

    /// Those of a call by its method and path.
    static func kinds(method: String, path: String) -> Set<FaultKind> {
        guard method == "POST" else { return onTheWay }
        switch path {
        case "/v1/tokens": return ofWrites
        case "/v1/charges": return ofWrites.union(ofKeys).union([.slowCard, .decline, .declineAsError, .tokenUsed])
        case "/connect/v1/payments":
            return ofWrites.union(ofKeys).union(ofDevices).union([
                .slowCard, .decline, .partial, .duplicate, .signature, .cancel,
            ])
        case "/connect/v1/credits":
            return ofWrites.union(ofKeys).union(ofDevices).union([.slowCard, .decline, .cancel])
        default:
            return path.hasPrefix("/connect/") ? ofWrites.union(ofKeys).union(ofDevices) : ofWrites.union(ofKeys)
        }
    }
}
