extension FaultSpec {
    /// Whether it counts payments for itself instead of all requests: a kind that only payments have, or a path of theirs.
    package var isForPayments: Bool {
        kind.isOfPayments || pathPrefix.map { PaymentAPI.serves(path: $0) } == true
    }
}
