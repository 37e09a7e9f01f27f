/// Compares an order with its own payments and with the arithmetic of its lines.
struct OrderCheck {
    enum Payment: UInt8 {
        case unknown, full, less, more
    }

    private(set) var payment = Payment.unknown
    /// What was paid above the total; negative if less was paid.
    private(set) var excess: Int64 = 0
    /// What contradicts the arithmetic.
    private(set) var findings: [ReportFinding] = []

    /// - Parameters:
    ///   - paid: its payments that count, with the amounts that are added.
    ///   - currency: the shop's; empty if it is unknown.
    init(_ order: OrderRecord, _ sums: OrderArithmetic, paid: [PaymentRecord], currency: String) {
        if let own = order.currency, own != currency, !own.isEmpty, !currency.isEmpty {
            findings.append(
                ReportFinding(
                    .currencyDiffers, ["order": order.id],
                    "the order is in \(own), and its amounts were added as if they were in \(currency)"))
        }
        guard let total = order.total else {
            findings.append(
                ReportFinding(.totalMissing, ["order": order.id], "the order has no total, and was not checked"))
            return
        }
        let amount = paid.reduce(0) { $0 + $1.amount }
        let tax = paid.reduce(0) { $0 + $1.tax }
        let isRefunded = sums.totals.all != sums.totals.kept
        // After a refund of lines, the total may hold either what was sold or what was kept.
        let isOfAll = !isRefunded || total == sums.totals.all + (order.isVAT ? 0 : tax) || total == amount
        excess = amount - (isOfAll ? total : max(total, min(amount, sums.totals.all + tax)))
        payment = excess == 0 ? .full : excess < 0 ? .less : .more
        if order.isVAT {
            if total != sums.totals.all, total != sums.totals.kept { differ(order, total - sums.totals.all) }
            return
        }
        let inside = total - sums.totals.all
        let kept = total - sums.totals.kept
        // Of an order whose lines were refunded, the total may also be what was kept, with a part of the tax.
        if isRefunded, (0...max(0, tax)).contains(kept) { return }
        if inside < 0 {
            differ(order, isRefunded ? kept : inside)
        } else if payment == .full, inside != tax {
            findings.append(
                ReportFinding(
                    .taxDiffers, ["order": order.id], amount: tax - inside,
                    "the payments' tax is not what the order's total leaves for tax"))
        }
    }

    private mutating func differ(_ order: OrderRecord, _ amount: Int64) {
        findings.append(
            ReportFinding(
                .totalDiffers, ["order": order.id], amount: amount,
                "the order's total is not the sum of its lines, discounts and charges"))
    }
}
