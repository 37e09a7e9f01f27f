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
        let inside = total - sums.totals.all
        if order.isVAT {
            guard total != sums.totals.all, total != sums.totals.kept else { return }
            differ(order, inside)
            // The lines were paid; what is above them is not known to be owed.
            if payment == .less, amount >= sums.totals.all { payment = .unknown }
            return
        }
        if payment == .less, Self.isUnexplained(inside, tax, isCovered: amount - tax >= sums.totals.all, sums) {
            payment = .unknown
            differ(order, inside - tax)
            return
        }
        let kept = total - sums.totals.kept
        // Of an order whose lines were refunded, the total may also be what was kept, with a part of the tax.
        if isRefunded, (0...max(0, tax)).contains(kept) { return }
        if inside < 0 {
            differ(order, isRefunded ? kept : inside)
        } else if payment == .full, inside != tax {
            findings.append(
                ReportFinding(
                    .taxDiffers, ["order": order.id], amount: tax - inside,
                    "the tax of the payments is not the order's total minus its lines, discounts and charges"))
        }
    }

    /// Whether what a total has above lines, discounts and charges cannot be their tax: it is more than any tax, or the payments
    /// cover all lines with tax, and there is more.
    private static func isUnexplained(_ inside: Int64, _ tax: Int64, isCovered: Bool, _ sums: OrderArithmetic) -> Bool {
        let highest = Rounding.halfUp(max(0, sums.totals.all), times: highestTax, over: 100)
        return inside > max(highest, tax) || isCovered && tax > 0 && inside > tax
    }

    /// No sales tax is above this, in percent of the price, all rates together.
    private static let highestTax: Int64 = 50

    private mutating func differ(_ order: OrderRecord, _ amount: Int64) {
        findings.append(
            ReportFinding(
                .totalDiffers, ["order": order.id], amount: amount,
                "the order's total is not the sum of its lines, discounts and charges"))
    }
}
