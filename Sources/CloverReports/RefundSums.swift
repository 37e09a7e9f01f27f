/// What was refunded of each payment, by refunds of any day, and what cannot be right about it.
struct RefundSums: Sendable {
    private var sums: [String: Sum] = [:]
    /// Refunds of the period that have no payment, with their amounts.
    private var orphans: [(id: String, order: String?, amount: Int64)] = []
    /// The ids of all refunds that were added: a list may have one twice.
    private var refunds: Set<String> = []
    /// Payments that refunds of the period have only the id of, with their results and their amounts with tip, by id; nil if
    /// they were not looked up.
    var found: [String: (result: String, total: Int64)]?
    /// The most refunds of one payment that are named.
    private static let namedLimit = 10

    private struct Sum {
        var amount: Int64 = 0
        /// The payment's amount with its tip; nil if unknown.
        var total: Int64?
        /// Empty if it is unknown.
        var order: String
        /// The last refund of the period.
        var refund: String?
        /// The first refunds, of any day that was added.
        var first: [String] = []
        /// The payment's result, as the refund has it.
        var result: String?
        var count = 0

        /// Which refunds these are, if there are several.
        var names: String {
            guard count > 1 else { return "" }
            return ", by the refunds \(first.sorted().joined(separator: ", "))\(count > first.count ? ", ..." : "")"
        }
    }

    /// Adds a refund that counts.
    mutating func add(_ refund: ReturnRecord, isInPeriod: Bool) {
        guard refunds.insert(refund.id).inserted else { return }
        guard let payment = refund.payment else {
            if isInPeriod { orphans.append((refund.id, refund.order, refund.amount)) }
            return
        }
        var sum = sums[payment.id] ?? Sum(total: payment.total, order: refund.order ?? "")
        sum.amount += refund.amount
        sum.total = sum.total ?? payment.total
        sum.result = payment.result ?? sum.result
        if isInPeriod { sum.refund = refund.id }
        sum.count += 1
        if sum.first.count < Self.namedLimit { sum.first.append(refund.id) }
        sums[payment.id] = sum
    }

    /// Whether a payment has a refund of the period.
    func hasRefund(of payment: String) -> Bool { sums[payment]?.refund != nil }

    /// What was refunded of a payment.
    func amount(of payment: String) -> Int64 { sums[payment]?.amount ?? 0 }

    /// Payments of the period's refunds, of which the refunds have only the id.
    var bare: [String] {
        sums.filter { $0.value.refund != nil && $0.value.result == nil && $0.value.total == nil }.map(\.key)
    }

    /// What does not add up.
    ///
    /// - Parameters:
    ///   - missing: payments that do not exist.
    ///   - result: the result of a payment that does not count, if it is known.
    ///   - total: a payment's amount with its tip, if it is known otherwise.
    func findings(
        missing: Set<String>, result: (String) -> String?, total: (String) -> Int64?
    ) -> [ReportFinding] {
        var findings: [ReportFinding] = []
        for orphan in orphans {
            var ids = ["refund": orphan.id]
            ids["order"] = orphan.order
            findings.append(
                ReportFinding(.refundWithoutPayment, ids, amount: orphan.amount, "the refund has no payment"))
        }
        for (payment, sum) in sums.sorted(by: { $0.key < $1.key }) {
            guard let refund = sum.refund else { continue }
            var ids = ["payment": payment, "refund": refund]
            if !sum.order.isEmpty { ids["order"] = sum.order }
            let result = result(payment) ?? sum.result
            if let result, PaymentRecord.Standing(result) == .isNone {
                findings.append(
                    ReportFinding(
                        .refundOfUnpaidPayment, ids, amount: sum.amount,
                        "money was refunded, but the payment has the result '\(result)', so that nothing was paid"))
            } else if missing.contains(payment) {
                findings.append(
                    ReportFinding(
                        .refundOfUnknownPayment, ids, amount: sum.amount, "the refund's payment does not exist"))
            } else if let total = sum.total ?? total(payment), sum.amount > total {
                findings.append(
                    ReportFinding(
                        .refundAbovePayment, ids, amount: sum.amount - total,
                        "more was refunded than was paid" + sum.names))
            }
        }
        return findings
    }
}
