import CloverCalendar
import CloverOutput

/// The columns of each report. A column is empty if it depends on a list that was left out.
extension ReportRequest {
    /// The columns of the report.
    func columns(isVAT: Bool) -> [ReportTable.Column] {
        let measures = measures(isVAT: isVAT)
        switch report {
        case .items:
            return [.identifier, .name("ITEM"), .init("revenue", "REVENUE", .text)] + ItemRow.columns
        case .categories:
            return [.identifier, .name("CATEGORY"), .init("revenue", "REVENUE", .text)] + ItemRow.columns
        case .taxes:
            return keyColumns + [
                .name("TAX RATE"), .init("rate", "RATE", .percent),
                .init("taxableAmount", "TAXABLE", .money), .init("tax", "TAX", .money),
            ]
        case .discounts:
            return [.name("DISCOUNT"), .init("count", "COUNT", .count), .init("amount", "AMOUNT", .money)]
        case .refunds where grouping == nil:
            return [
                .init("time", "TIME", .time), .init("kind", "KIND", .text), .identifier,
                .init("amount", "AMOUNT", .money), .init("goods", "GOODS", .money), .init("tax", "TAX", .money),
                .init("tip", "TIP", .money), .init("order", "ORDER", .identifier),
                .init("payment", "PAYMENT", .identifier), .init("days", "DAYS", .count),
                .init("employee", "EMPLOYEE ID", .identifier), .init("employeeName", "EMPLOYEE", .text),
            ]
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            return keyColumns + measures.map(\.column)
        }
    }

    private var keyColumns: [ReportTable.Column] {
        switch grouping ?? report.ownGrouping {
        case nil: []
        case .day: [.init("day", "DAY", .date)]
        case .week: [.init("week", "WEEK FROM", .date)]
        case .month: [.init("month", "MONTH", .text)]
        case .hour where report == .hours:
            [.init("weekday", "WEEKDAY", .text), .init("hour", "HOUR", .count)]
        case .hour: [.init("hour", "HOUR", .count)]
        case .employee: [.identifier, .name("EMPLOYEE")]
        case .tender: [.identifier, .name("TENDER")]
        }
    }

    /// The columns of sums, and how each is read from a row's sums.
    func measures(isVAT: Bool) -> [MeasureColumn] {
        func column(
            _ name: String, _ heading: String, _ kind: ReportTable.Kind, _ needs: [ReportOmission],
            _ value: @escaping (Measures) -> Int64
        ) -> MeasureColumn {
            let isKnown = omitted.isDisjoint(with: needs)
            return (.init(name, heading, kind), { isKnown ? .integer(value($0)) : .none })
        }
        func count(
            _ name: String, _ heading: String, _ needs: ReportOmission..., value: @escaping (Measures) -> Int64
        ) -> MeasureColumn { column(name, heading, .count, needs, value) }
        func money(
            _ name: String, _ heading: String, _ needs: ReportOmission..., value: @escaping (Measures) -> Int64
        ) -> MeasureColumn { column(name, heading, .money, needs, value) }
        switch report {
        case .sales:
            let included = isVAT || hasAllColumns ? [money("includedTax", "INCL TAX") { $0.includedTax }] : []
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts }, money("refunds", "REFUNDS", .refunds) { $0.refunds },
                money("manualRefunds", "MANUAL REFUNDS", .credits) { $0.manualRefunds },
            ] + included + [
                money("netSales", "NET", .refunds, .credits) { $0.netSales },
                money("tax", "TAX", .refunds, .credits) { $0.tax },
                money("serviceCharges", "SERVICE", .refunds) { $0.serviceCharges },
                money("tips", "TIPS", .refunds) { $0.tips },
                money("nonRevenue", "NON-REVENUE", .refunds) { $0.nonRevenue },
                money("amountCollected", "COLLECTED", .refunds, .credits) { $0.amountCollected },
                money("unpaidBalance", "UNPAID", .refunds, .credits) { $0.unpaidBalance },
            ]
        case .employees:
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts }, count("payments", "PAYMENTS") { $0.payments },
                money("amount", "AMOUNT") { $0.amount }, money("tips", "TIPS") { $0.tips + $0.returnedTips },
                money("refunds", "REFUNDS", .refunds) { $0.refunded },
                money("manualRefunds", "MANUAL REFUNDS", .credits) { $0.credited },
                money("amountCollected", "COLLECTED", .refunds, .credits) { $0.amountCollected },
            ]
        case .tenders:
            return [
                count("payments", "PAYMENTS") { $0.payments }, money("amount", "AMOUNT") { $0.amount },
                money("tips", "TIPS") { $0.tips + $0.returnedTips },
                count("refundCount", "REFUND COUNT", .refunds) { $0.refundCount },
                money("refunds", "REFUNDS", .refunds) { $0.refunded },
                count("manualRefundCount", "MANUAL COUNT", .credits) { $0.manualRefundCount },
                money("manualRefunds", "MANUAL REFUNDS", .credits) { $0.credited },
                money("amountCollected", "COLLECTED", .refunds, .credits) { $0.amountCollected },
            ]
        case .tips:
            let areTipsKnown = !omitted.contains(.refunds)
            return [
                count("payments", "PAYMENTS") { $0.payments },
                count("paymentsWithTip", "WITH TIP") { $0.paymentsWithTip },
                money("amount", "AMOUNT") { $0.amount }, money("tips", "TIPS", .refunds) { $0.tips },
                (
                    .init("percent", "PERCENT", .percent),
                    // Hundredths of a percent.
                    {
                        areTipsKnown && $0.amount > 0
                            ? .integer(Rounding.halfUp($0.tips, times: 10_000, over: $0.amount) * 100) : .none
                    }
                ), count("tipsOpen", "TIPS OPEN") { $0.tipsOpen },
            ]
        case .refunds:
            return [
                count("refundCount", "REFUNDS", .refunds) { $0.refundCount },
                count("manualRefundCount", "MANUAL REFUNDS", .credits) { $0.manualRefundCount },
                money("amount", "AMOUNT", .refunds, .credits) { $0.refunded + $0.credited },
                money("goods", "GOODS", .refunds, .credits) { $0.returnedGoods },
                money("tax", "TAX", .refunds, .credits) { $0.returnedTax },
                money("tip", "TIP", .refunds, .credits) { $0.returnedTips },
            ]
        case .hours:
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts },
            ]
        case .items, .categories, .taxes, .discounts: return []
        }
    }

    typealias MeasureColumn = (column: ReportTable.Column, value: (Measures) -> ReportTable.Value)
}

extension ItemRow {
    static let columns: [ReportTable.Column] = [
        .init("quantity", "QUANTITY", .quantity), .init("lines", "LINES", .count), .init("grossSales", "GROSS", .money),
        .init("discounts", "DISCOUNTS", .money), .init("refunds", "REFUNDS", .money), .init("netSales", "NET", .money),
    ]

    /// - Parameter isComplete: whether all that was given back is known.
    func values(isComplete: Bool) -> [ReportTable.Value] {
        [quantity, lines, gross, discounts].map { .integer($0) }
            + [refunds, net].map { isComplete ? .integer($0) : .none }
    }
}

extension ReportTable {
    /// The columns that the table of a report may have, whatever the shop and the period.
    ///
    /// - Parameters:
    ///   - isCompared: whether two periods are compared.
    ///   - hasShops: whether it is of several shops.
    package static func allColumns(
        of report: ReportName, by grouping: ReportGrouping?, isCompared: Bool, hasShops: Bool
    ) -> [Column] {
        let request = ReportRequest(
            report, by: grouping, calendar: BusinessCalendar(zone: .utc), period: Period(first: 0, last: 0),
            currency: "")
        return (isCompared ? [.period] : []) + (hasShops ? [.shop, .currency] : []) + request.columns(isVAT: true)
    }
}

extension ReportTable.Column {
    static let period = ReportTable.Column("period", "PERIOD", .text)
    static let shop = ReportTable.Column("shop", "SHOP", .text)
    static let currency = ReportTable.Column("currency", "CURRENCY", .text)
    static let identifier = ReportTable.Column("id", "ID", .identifier)

    static func name(_ heading: String) -> ReportTable.Column { .init("name", heading, .text) }
}
