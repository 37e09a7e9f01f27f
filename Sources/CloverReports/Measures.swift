/// The sums of one row of a report, in minor units and in numbers of records.
struct Measures: Equatable {
    var orders: Int64 = 0
    /// Revenue lines with modifications, before discounts. With tax, where prices contain it.
    var grossSales: Int64 = 0
    /// Of lines, and the shares of order discounts, on revenue lines.
    var discounts: Int64 = 0
    /// The goods of refunds, without those that are not revenue.
    var refunds: Int64 = 0
    /// Credits without their tax.
    var manualRefunds: Int64 = 0
    /// Tax that the prices contain.
    var includedTax: Int64 = 0
    var tax: Int64 = 0
    var serviceCharges: Int64 = 0
    var tips: Int64 = 0
    /// Gift cards sold and the like.
    var nonRevenue: Int64 = 0
    var amountCollected: Int64 = 0

    // MARK: Records

    var payments: Int64 = 0
    /// The payments' amounts, without tips.
    var amount: Int64 = 0
    var paymentsWithTip: Int64 = 0
    var tipsOpen: Int64 = 0
    var refundCount: Int64 = 0
    /// The money of refunds, with tax and tip.
    var refunded: Int64 = 0
    var manualRefundCount: Int64 = 0
    var credited: Int64 = 0
    /// The goods, tax and tips of refunds and credits.
    var returnedGoods: Int64 = 0
    var returnedTax: Int64 = 0
    var returnedTips: Int64 = 0

    var netSales: Int64 { grossSales - discounts - refunds - manualRefunds - includedTax }
    var unpaidBalance: Int64 { netSales + tax + serviceCharges + tips + nonRevenue - amountCollected }

    static func += (sum: inout Measures, other: Measures) {
        sum.orders += other.orders
        sum.grossSales += other.grossSales
        sum.discounts += other.discounts
        sum.refunds += other.refunds
        sum.manualRefunds += other.manualRefunds
        sum.includedTax += other.includedTax
        sum.tax += other.tax
        sum.serviceCharges += other.serviceCharges
        sum.tips += other.tips
        sum.nonRevenue += other.nonRevenue
        sum.amountCollected += other.amountCollected
        sum.payments += other.payments
        sum.amount += other.amount
        sum.paymentsWithTip += other.paymentsWithTip
        sum.tipsOpen += other.tipsOpen
        sum.refundCount += other.refundCount
        sum.refunded += other.refunded
        sum.manualRefundCount += other.manualRefundCount
        sum.credited += other.credited
        sum.returnedGoods += other.returnedGoods
        sum.returnedTax += other.returnedTax
        sum.returnedTips += other.returnedTips
    }

    mutating func add(_ payment: PaymentFact, isVAT: Bool) {
        payments += 1
        amount += payment.amount
        tips += payment.tip
        tax += payment.tax
        if isVAT { includedTax += payment.tax }
        amountCollected += payment.amount + payment.tip
        if payment.tip != 0 { paymentsWithTip += 1 }
        if payment.isTipOpen { tipsOpen += 1 }
    }

    mutating func add(_ back: ReturnFact) {
        returnedGoods += back.goods
        returnedTax += back.tax
        returnedTips += back.tip
        tax -= back.tax
        amountCollected -= back.amount
        if back.isManual {
            manualRefundCount += 1
            credited += back.amount
            manualRefunds += back.goods
        } else {
            refundCount += 1
            refunded += back.amount
            refunds += back.goods - back.nonRevenue
            nonRevenue -= back.nonRevenue
            tips -= back.tip
            serviceCharges -= back.serviceCharge
        }
    }
}

/// A payment, as far as it is kept until all orders are known.
struct PaymentFact {
    var amount: Int64
    var tip: Int64
    var tax: Int64
    /// Its place in the run's `orders`.
    var order: UInt32
    /// The numbers of their ids in the run's `otherIDs`.
    var employee: UInt32
    var tender: UInt32
    var moment: BusinessMoment
    var isTipOpen: Bool
}

/// A refund or credit of the period, as far as it is kept until all orders are known.
struct ReturnFact {
    var id: String
    var isManual: Bool
    var order: String
    var payment: String
    var amount: Int64
    var tax: Int64
    var tip: Int64
    var serviceCharge: Int64
    var goods: Int64
    /// The part of the goods that is not revenue.
    var nonRevenue: Int64 = 0
    var surcharges: Int64
    var employee: String
    var tender: String
    var moment: BusinessMoment
    var instant: Int64
    /// Milliseconds since 1970; nil if unknown.
    var paidAt: Int64?
}

/// When something happened, by the shop's clock.
struct BusinessMoment: Equatable {
    // Small, because one is kept of each payment: the day times 32, and the hour.
    private let packed: Int32

    /// - Parameters:
    ///   - date: the business day, in days since 1970-01-01, of a year up to 9999.
    ///   - hour: the hour on the clock, from 0 to 23.
    init(date: Int64, hour: Int) { packed = Int32(date * 32 + Int64(hour)) }

    var date: Int64 { Int64(packed >> 5) }
    var hour: Int { Int(packed & 31) }
}
