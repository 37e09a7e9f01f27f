/// The arithmetic of one order, to the cent, as Clover's own calculator does it. All amounts are in minor units, and
/// all rounding is half up.
package struct OrderArithmetic {
    /// The amounts of each line, in the order's order; nil for lines that are not goods (exchanged, or a fee).
    package private(set) var lines: [Line?] = []
    /// The nets of all lines, before the order's own discounts. Refunded lines are contained.
    package private(set) var subtotal: Int64 = 0
    /// What the order's own discounts take off.
    private(set) var orderDiscount: Int64 = 0
    /// What each discount of the order takes off.
    private(set) var orderDiscounts: [Int64] = []
    /// By rate, on the discounted subtotal.
    private(set) var serviceCharge: Int64 = 0
    /// Service charges that are lines.
    private(set) var fees: Int64 = 0
    /// The total without tax, of all lines and of the lines that were not refunded.
    package private(set) var totals: (all: Int64, kept: Int64) = (0, 0)

    package struct Line: Equatable {
        /// Price times quantity, with modifications.
        var gross: Int64
        /// What each of its discounts takes off.
        var discounts: [Int64]
        /// After its own discounts.
        var net: Int64
        /// Its share of the order's discounts.
        package var share: Int64 = 0

        /// After all discounts.
        var paid: Int64 { net - share }
    }

    package init(_ order: OrderRecord) {
        lines = order.lines.map { $0.isExchanged || $0.isOrderFee ? nil : Self.line($0, isManual: order.isManual) }
        subtotal = lines.reduce(0) { $0 + ($1?.net ?? 0) }
        orderDiscounts = Self.discounts(order.discounts, on: subtotal)
        orderDiscount = orderDiscounts.reduce(0, +)
        share()
        fees = order.lines.reduce(0) { $0 + ($1.isOrderFee && !$1.isExchanged ? $1.price : 0) }
        let discounted = subtotal - orderDiscount
        serviceCharge = Rounding.halfUp(discounted, times: order.serviceChargeRate, over: 1_000_000)
        totals.all = discounted + serviceCharge + fees
        totals.kept = totals.all
        if order.lines.contains(where: \.isRefunded) {
            let kept = zip(order.lines, lines).reduce(Int64(0)) { $0 + ($1.0.isRefunded ? 0 : $1.1?.net ?? 0) }
            let left = kept - Self.discounts(order.discounts, on: kept).reduce(0, +)
            let keptFees = order.lines.reduce(0) {
                $0 + ($1.isOrderFee && !$1.isExchanged && !$1.isRefunded ? $1.price : 0)
            }
            totals.kept = left + Rounding.halfUp(left, times: order.serviceChargeRate, over: 1_000_000) + keptFees
        }
    }

    /// What the order's discounts take off a line, proportional to the lines' nets, in whole cents; the rest goes to
    /// the largest remainders, and of equal ones to the earlier line.
    private mutating func share() {
        let nets = lines.map { max(0, $0?.net ?? 0) }
        for (place, share) in Rounding.shares(of: orderDiscount, in: nets).enumerated() { lines[place]?.share = share }
    }

    private static func line(_ line: OrderRecord.Line, isManual: Bool) -> Line {
        // Negative amounts count only in manual transactions.
        let price = isManual ? line.price : max(0, line.price)
        let modifications = isManual ? line.modifications : max(0, line.modifications)
        let extended = line.unitQuantity.map { Rounding.halfUp(price, times: $0, over: 1000) } ?? price
        let gross = extended + modifications
        let discounts = discounts(line.discounts, on: gross)
        return Line(gross: gross, discounts: discounts, net: gross - discounts.reduce(0, +))
    }

    /// What each discount takes off: percentages first, each of the whole and rounded alone, then amounts; together
    /// never more than the whole.
    private static func discounts(_ discounts: [OrderRecord.Discount], on whole: Int64) -> [Int64] {
        var left = max(0, whole)
        var result = [Int64](repeating: 0, count: discounts.count)
        for isPercentage in [true, false] {
            for (place, discount) in discounts.enumerated() where (discount.rate != nil) == isPercentage {
                let asked = discount.rate.map { Rounding.halfUp(max(0, whole), times: max(0, $0), over: 1_000_000) }
                result[place] = min(left, asked ?? discount.amount)
                left -= result[place]
            }
        }
        return result
    }
}

/// Exact products and shares of whole amounts.
package enum Rounding {
    /// `amount * factor / divisor`, rounded half up: -0.5 becomes 0.
    package static func halfUp(_ amount: Int64, times factor: Int64, over divisor: Int64) -> Int64 {
        let doubled = 2 * Int128(amount) * Int128(factor) + Int128(divisor)
        let double = 2 * Int128(divisor)
        let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: double)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    /// Shares of an amount that add up to it, proportional to weights that are not negative. Without any weight, the
    /// first share is all of it.
    package static func shares(of amount: Int64, in weights: [Int64]) -> [Int64] {
        guard !weights.isEmpty else { return [] }
        let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
        var result = [Int64](repeating: 0, count: weights.count)
        guard sum > 0 else {
            result[0] = amount
            return result
        }
        guard amount != 0 else { return result }
        var remainders: [(remainder: Int128, place: Int)] = []
        var rest = abs(amount)
        for (place, weight) in weights.enumerated() {
            let (share, remainder) = (Int128(abs(amount)) * Int128(weight)).quotientAndRemainder(dividingBy: sum)
            result[place] = Int64(share)
            rest -= Int64(share)
            remainders.append((remainder, place))
        }
        for (_, place) in remainders.sorted(by: { ($1.remainder, $0.place) < ($0.remainder, $1.place) }).prefix(
            Int(rest))
        {
            result[place] += 1
        }
        return amount < 0 ? result.map { -$0 } : result
    }
}
