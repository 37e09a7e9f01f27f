import CloverJSON

/// Payments of other days that were refunded in the period.
extension ReportRun {
    /// Those that the refunds have only the id of, if they were not added. Each that exists is to be added by
    /// `add(refundedPayment:)`.
    package mutating func lookUpRefundedPayments() -> [String] {
        refundSums.found = [:]
        return missingRefundedPayments
    }

    package mutating func add(refundedPayment record: UnsafeRawBufferPointer) {
        do {
            let payment = try PaymentRecord(JSONView(record), clock)
            refundSums.found?[payment.id] = (payment.result, payment.amount + payment.tip)
        } catch {
            note(error)
            refundSums.found = nil
        }
    }

    private var missingRefundedPayments: [String] {
        refundSums.bare.filter { paymentIDs.number(of: $0) == nil && unpaid[$0] == nil }.sorted()
    }

    /// What does not add up about the refunds of the period, without those of test orders.
    var refundFindings: [ReportFinding] {
        let found = refundSums.found
        let missing = found.map { found in missingRefundedPayments.filter { found[$0] == nil } } ?? []
        return refundSums.findings(
            missing: Set(missing), result: { unpaid[$0] ?? found?[$0]?.result },
            total: { total(of: $0) ?? found?[$0]?.total }
        ).filter { $0.identifiers["order"].flatMap { order($0) }?.isTest != true }
    }

    /// The amount of a payment that counts, with its tip.
    func total(of payment: String) -> Int64? { self.payment(payment).map { $0.amount + $0.tip } }
}
