import CloverCalendar
import CloverOutput

extension ReportRun {
    /// The report, and everything that does not add up; a report without findings holds.
    package func finish(names: ReportNames) -> (table: ReportTable, findings: [ReportFinding]) {
        var ended = ReportEnd(self)
        ended.addMoney()
        let table = ReportTable(
            title: request.title, period: request.periodText, clock: request.clockText,
            zone: request.calendar.zone.name, currency: request.currency, notes: ended.notes, remarks: ended.remarks,
            columns: columns(isVAT: ended.isVAT), rows: ended.rows(names), total: ended.total)
        return (table, findings + ended.findings)
    }

    fileprivate func columns(isVAT: Bool) -> [ReportTable.Column] {
        let measures = measures(isVAT: isVAT)
        switch request.report {
        case .items:
            return [.identifier, .name("ITEM"), .init("revenue", "REVENUE", .text)] + ItemRow.columns
        case .categories:
            return [.identifier, .name("CATEGORY"), .init("revenue", "REVENUE", .text)] + ItemRow.columns
        case .taxes:
            return [
                .name("TAX RATE"), .init("rate", "RATE", .percent),
                .init("taxableAmount", "TAXABLE", .money), .init("tax", "TAX", .money),
            ]
        case .discounts:
            return [.name("DISCOUNT"), .init("count", "COUNT", .count), .init("amount", "AMOUNT", .money)]
        case .refunds where request.grouping == nil:
            return [
                .init("time", "TIME", .time), .init("kind", "KIND", .text), .identifier,
                .init("amount", "AMOUNT", .money), .init("goods", "GOODS", .money), .init("tax", "TAX", .money),
                .init("tip", "TIP", .money), .init("order", "ORDER", .identifier),
                .init("payment", "PAYMENT", .identifier), .init("days", "DAYS", .count),
                .init("employee", "EMPLOYEE", .identifier), .init("employeeName", "EMPLOYEE", .text),
            ]
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            return keyColumns + measures.map(\.column)
        }
    }

    private var keyColumns: [ReportTable.Column] {
        switch request.grouping ?? request.report.ownGrouping {
        case nil: []
        case .day: [.init("day", "DAY", .date)]
        case .week: [.init("week", "WEEK FROM", .date)]
        case .month: [.init("month", "MONTH", .text)]
        case .hour where request.report == .hours:
            [.init("weekday", "WEEKDAY", .text), .init("hour", "HOUR", .count)]
        case .hour: [.init("hour", "HOUR", .count)]
        case .employee: [.identifier, .name("EMPLOYEE")]
        case .tender: [.identifier, .name("TENDER")]
        }
    }

    /// The columns of sums, and how each is read from a row's sums.
    fileprivate func measures(isVAT: Bool) -> [(column: ReportTable.Column, value: (Measures) -> ReportTable.Value)] {
        func count(_ name: String, _ heading: String, _ value: @escaping (Measures) -> Int64) -> MeasureColumn {
            (.init(name, heading, .count), { .integer(value($0)) })
        }
        func money(_ name: String, _ heading: String, _ value: @escaping (Measures) -> Int64) -> MeasureColumn {
            (.init(name, heading, .money), { .integer(value($0)) })
        }
        switch request.report {
        case .sales:
            let included = isVAT ? [money("includedTax", "INCL TAX") { $0.includedTax }] : []
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts }, money("refunds", "REFUNDS") { $0.refunds },
                money("manualRefunds", "MANUAL REFUNDS") { $0.manualRefunds },
            ] + included + [
                money("netSales", "NET") { $0.netSales }, money("tax", "TAX") { $0.tax },
                money("serviceCharges", "SERVICE") { $0.serviceCharges }, money("tips", "TIPS") { $0.tips },
                money("nonRevenue", "NON-REVENUE") { $0.nonRevenue },
                money("amountCollected", "COLLECTED") { $0.amountCollected },
                money("unpaidBalance", "UNPAID") { $0.unpaidBalance },
            ]
        case .employees:
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts }, count("payments", "PAYMENTS") { $0.payments },
                money("amount", "AMOUNT") { $0.amount }, money("tips", "TIPS") { $0.tips + $0.returnedTips },
                money("refunds", "REFUNDS") { $0.refunded }, money("manualRefunds", "MANUAL REFUNDS") { $0.credited },
                money("amountCollected", "COLLECTED") { $0.amountCollected },
            ]
        case .tenders:
            return [
                count("payments", "PAYMENTS") { $0.payments }, money("amount", "AMOUNT") { $0.amount },
                money("tips", "TIPS") { $0.tips + $0.returnedTips },
                count("refundCount", "REFUND COUNT") { $0.refundCount },
                money("refunds", "REFUNDS") { $0.refunded },
                count("manualRefundCount", "MANUAL COUNT") { $0.manualRefundCount },
                money("manualRefunds", "MANUAL REFUNDS") { $0.credited },
                money("amountCollected", "COLLECTED") { $0.amountCollected },
            ]
        case .tips:
            return [
                count("payments", "PAYMENTS") { $0.payments },
                count("paymentsWithTip", "WITH TIP") { $0.paymentsWithTip },
                money("amount", "AMOUNT") { $0.amount }, money("tips", "TIPS") { $0.tips },
                (
                    .init("percent", "PERCENT", .percent),
                    // Hundredths of a percent.
                    { $0.amount > 0 ? .integer(Rounding.halfUp($0.tips, times: 10_000, over: $0.amount) * 100) : .none }
                ), count("tipsOpen", "TIPS OPEN") { $0.tipsOpen },
            ]
        case .refunds:
            return [
                count("refundCount", "REFUNDS") { $0.refundCount },
                count("manualRefundCount", "MANUAL REFUNDS") { $0.manualRefundCount },
                money("amount", "AMOUNT") { $0.refunded + $0.credited },
                money("goods", "GOODS") { $0.returnedGoods }, money("tax", "TAX") { $0.returnedTax },
                money("tip", "TIP") { $0.returnedTips },
            ]
        case .hours:
            return [
                count("orders", "ORDERS") { $0.orders }, money("grossSales", "GROSS") { $0.grossSales },
                money("discounts", "DISCOUNTS") { $0.discounts },
            ]
        case .items, .categories, .taxes, .discounts: return []
        }
    }

    private typealias MeasureColumn = (column: ReportTable.Column, value: (Measures) -> ReportTable.Value)
}

/// A report whose orders are all known: the money is added, and what remains is named.
private struct ReportEnd {
    let run: ReportRun
    var sums: [RowKey: Measures]
    var whole = Measures()
    var findings: [ReportFinding] = []
    /// Whether prices contain tax.
    let isVAT: Bool
    /// Payments and returns that count: their orders are no tests.
    private var payments: [PaymentFact] = []
    private var returns: [(place: Int, fact: ReturnFact)] = []

    init(_ run: ReportRun) {
        self.run = run
        sums = run.rows
        whole = run.sales
        isVAT = run.orders.values.contains { $0.isVAT && !$0.isTest }
        payments = run.payments.filter { run.contains($0.moment) && run.orders[$0.order]?.isTest != true }
        returns = run.returns.enumerated().filter { run.orders[$0.element.order]?.isTest != true }
            .map { ($0.offset, $0.element) }
    }

    mutating func addMoney() {
        for payment in payments {
            var money = Measures()
            money.add(payment, isVAT: run.orders[payment.order]?.isVAT ?? false)
            add(money, RowKey(run.request, payment.moment, employee: payment.employee, tender: payment.tender))
        }
        for (_, back) in returns {
            var money = Measures()
            money.add(back)
            add(money, RowKey(run.request, back.moment, employee: back.employee, tender: back.tender))
        }
        check()
    }

    private mutating func add(_ money: Measures, _ key: RowKey?) {
        whole += money
        if let key { sums[key, default: Measures()] += money }
    }

    // MARK: Checks

    /// What the unpaid balance consists of, in amounts and numbers of orders or payments.
    private struct Unpaid {
        var partly = (count: 0, amount: Int64(0))
        var otherDay = (count: 0, amount: Int64(0))
        var more = (count: 0, amount: Int64(0))
        var orphans = (count: 0, amount: Int64(0))
        var surcharges: Int64 = 0

        var sum: Int64 { partly.amount + otherDay.amount + more.amount + orphans.amount + surcharges }
    }

    private var unpaid: Unpaid {
        var left: [String: Int64] = [:]
        var result = Unpaid()
        for (id, order) in run.orders where order.isSale && !order.isTest { left[id] = order.due }
        for payment in payments {
            let order = run.orders[payment.order]
            let part = (order?.isVAT == true ? 0 : payment.tax) - payment.amount
            if order == nil {
                result.orphans = (result.orphans.count + 1, result.orphans.amount + part)
            } else {
                left[payment.order, default: 0] += part
            }
        }
        for (id, amount) in left where amount != 0 {
            switch run.orders[id]?.payment {
            case .less: result.partly = (result.partly.count + 1, result.partly.amount + amount)
            case .more: result.more = (result.more.count + 1, result.more.amount + amount)
            default: result.otherDay = (result.otherDay.count + 1, result.otherDay.amount + amount)
            }
        }
        result.surcharges = returns.reduce(0) { $0 + $1.fact.surcharges }
        return result
    }

    private mutating func check() {
        expect(whole.unpaidBalance == unpaid.sum, "the unpaid balance is not the sum of what orders and payments leave")
        let rows = sums.values.reduce(into: Measures()) { $0 += $1 }
        switch run.request.report {
        case .sales, .employees, .hours:
            expect(rows.grossSales == whole.grossSales, "the rows do not add up to gross sales")
            expect(
                run.request.report == .hours || rows.amountCollected == whole.amountCollected,
                "the rows do not add up to the amount collected")
        case .tenders: expect(rows.amountCollected == whole.amountCollected, "the tenders do not add up")
        case .items, .categories:
            let goods = itemRows.reduce(into: ItemRow()) { if $1.key.isRevenue { $0.add($1.row) } }
            expect(goods.gross == whole.grossSales, "the items do not add up to gross sales")
            expect(goods.discounts == whole.discounts, "the items do not add up to the discounts")
            expect(
                goods.net == whole.netSales + (isVAT ? whole.tax : 0), "the items do not add up to net sales")
            let other = itemRows.reduce(into: ItemRow()) { if !$1.key.isRevenue { $0.add($1.row) } }
            expect(other.net == whole.nonRevenue, "the items that are not revenue do not add up")
        case .taxes: expect(taxRows.reduce(0) { $0 + $1.tax } == whole.tax, "the tax rates do not add up")
        case .discounts:
            expect(
                run.discounts.values.reduce(0) { $0 + $1.amount } == whole.discounts, "the discounts do not add up")
        case .tips, .refunds: break
        }
    }

    private mutating func expect(_ holds: Bool, _ sentence: String) {
        if !holds { findings.append(ReportFinding("does_not_add_up", [:], sentence)) }
    }

    // MARK: Rows

    func rows(_ names: ReportNames) -> [[ReportTable.Value]] {
        switch run.request.report {
        case .items:
            return itemRows.map { key, row in
                [.identifier(key.item), .text(row.name), .text(key.isRevenue ? "yes" : "no")] + row.values
            }
        case .categories: return categoryRows(names)
        case .taxes:
            return taxRows.map { row in
                [
                    .text(row.rate?.name ?? "(without a rate)"), row.rate.map { .integer($0.rate / 10) } ?? .none,
                    .integer(row.taxable), .integer(row.tax),
                ]
            }
        case .discounts:
            return run.discounts.sorted { ($1.value.amount, $0.key) < ($0.value.amount, $1.key) }.map {
                [.text($0.key), .integer($0.value.count), .integer($0.value.amount)]
            }
        case .refunds where run.request.grouping == nil:
            return returns.map(\.fact).sorted { ($0.instant, $0.id) < ($1.instant, $1.id) }.map { refundRow($0, names) }
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            let columns = run.measures(isVAT: isVAT)
            return keys(names).map { key, first in first + columns.map { $0.value(sums[key] ?? Measures()) } }
        }
    }

    /// The sums of all columns that can be added; nil for a report of one row.
    var total: [ReportTable.Value]? {
        let all = run.columns(isVAT: isVAT)
        switch run.request.report {
        case .items, .categories:
            let sum = itemRows.reduce(into: ItemRow()) { $0.add($1.row) }
            return all.dropLast(ItemRow.columns.count).map { _ in .none } + sum.values
        case .taxes:
            // The taxable amount is none: two rates may be on one item.
            return [.none, .none, .none, .integer(whole.tax)]
        case .discounts:
            let sums = run.discounts.values
            return [.none, .integer(sums.reduce(0) { $0 + $1.count }), .integer(sums.reduce(0) { $0 + $1.amount })]
        case .refunds where run.request.grouping == nil:
            let sums = [
                whole.refunded + whole.credited, whole.returnedGoods, whole.returnedTax, whole.returnedTips,
            ]
            return [.none, .none, .none] + sums.map { .integer($0) } + [.none, .none, .none, .none, .none]
        case .sales where run.request.grouping == nil: return nil
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            let columns = run.measures(isVAT: isVAT)
            return all.dropLast(columns.count).map { _ in .none } + columns.map { $0.value(whole) }
        }
    }

    /// The keys of the rows in order, with the values of their first columns. A report of days has all days.
    private func keys(_ names: ReportNames) -> [(RowKey, [ReportTable.Value])] {
        let period = run.request.period
        switch run.request.grouping ?? run.request.report.ownGrouping {
        case nil: return [(.total, [])]
        case .day: return (period.first...period.last).map { (.date($0), [.integer($0)]) }
        case .week:
            let monday = period.first - Int64(CalendarDate.weekday(period.first))
            return stride(from: monday, through: period.last, by: 7).map { (.date($0), [.integer($0)]) }
        case .month:
            var result: [(RowKey, [ReportTable.Value])] = []
            var month = CalendarDate.startOfMonth(period.first)
            while month <= period.last {
                result.append((.date(month), [.text(String(CalendarDate.text(month).prefix(7)))]))
                month = CalendarDate.startOfMonth(month, after: 1)
            }
            return result
        case .hour where run.request.report == .hours:
            let used = sums.filter { $0.value.orders > 0 }.keys.compactMap { key -> (Int, Int)? in
                if case .weekdayHour(let day, let hour) = key { (day, hour) } else { nil }
            }
            return used.sorted(by: <).map {
                (.weekdayHour($0.0, $0.1), [.text(CalendarDate.weekdays[$0.0]), .integer(Int64($0.1))])
            }
        case .hour: return (0...23).map { (.hour($0), [.integer(Int64($0))]) }
        case .employee: return identified(names.employees, none: "(no employee)")
        case .tender:
            let labels = run.tenderLabels.merging(names.tenders) { $1 }
            return identified(labels, none: "(no tender)")
        }
    }

    private func identified(_ names: [String: String], none: String) -> [(RowKey, [ReportTable.Value])] {
        let ids = sums.keys.compactMap { key -> String? in if case .identifier(let id) = key { id } else { nil } }
        return ids.map { ($0, names[$0] ?? ($0.isEmpty ? none : $0)) }
            .sorted { ($0.0.isEmpty ? 1 : 0, $0.1, $0.0) < ($1.0.isEmpty ? 1 : 0, $1.1, $1.0) }
            .map { (.identifier($0.0), [.identifier($0.0), .text($0.1)]) }
    }

    private func refundRow(_ back: ReturnFact, _ names: ReportNames) -> [ReportTable.Value] {
        let paidOn = back.paidAt.map { run.request.calendar.date(at: $0) }
        return [
            .integer(back.instant), .text(back.isManual ? "manual" : "refund"), .identifier(back.id),
            .integer(back.amount), .integer(back.goods), .integer(back.tax), .integer(back.tip),
            .identifier(back.order), .identifier(back.payment),
            paidOn.map { .integer(back.moment.date - $0) } ?? .none, .identifier(back.employee),
            .identifier(names.employees[back.employee] ?? ""),
        ]
    }

    // MARK: Items and taxes

    /// The items, and what was given back without naming any; the largest sales first.
    private var itemRows: [(key: ItemKey, row: ItemRow)] {
        var items = run.items
        for (place, back) in returns where back.isManual || !run.isDivided(place) {
            let name = back.isManual ? "(manual refund)" : "(refund by amount)"
            let isInTax = run.orders[back.order]?.isVAT ?? isVAT
            items[ItemKey(nil, name, isRevenue: true), default: ItemRow()].refund(
                back.goods + (isInTax ? back.tax : 0), name: name, at: back.moment.date)
        }
        return items.map { ($0.key, $0.value) }.sorted { left, right in
            if left.1.gross != right.1.gross { return left.1.gross > right.1.gross }
            return (left.1.name, left.0.item) < (right.1.name, right.0.item)
        }
    }

    private func categoryRows(_ names: ReportNames) -> [[ReportTable.Value]] {
        struct Key: Hashable {
            var id: String
            var name: String
            var isRevenue: Bool
        }
        var sums: [Key: ItemRow] = [:]
        for (key, row) in itemRows {
            let category = names.categories[key.item]
            let name =
                category?.name ?? (key.item.isEmpty && key.name.hasPrefix("(") ? key.name : "(no category)")
            sums[Key(id: category?.id ?? "", name: name, isRevenue: key.isRevenue), default: ItemRow()].add(row)
        }
        return sums.sorted { ($1.value.gross, $0.key.name) < ($0.value.gross, $1.key.name) }.map { key, row in
            [.identifier(key.id), .text(key.name), .text(key.isRevenue ? "yes" : "no")] + row.values
        }
    }

    /// The sums of each tax rate; the last row is the tax of which no rate is known. Each payment has other ids for its
    /// rates, so that the name and the rate identify them.
    private var taxRows: [(rate: TaxRate?, taxable: Int64, tax: Int64)] {
        var sums: [TaxRate: (taxable: Int64, tax: Int64)] = [:]
        for (order, share, sign) in run.taxShares where run.orders[order]?.isTest != true {
            let isIncluded = run.orders[order]?.isVAT ?? isVAT
            let divisor = 10_000_000 + (isIncluded ? share.rate : 0)
            let tax = share.tax ?? Rounding.halfUp(share.taxable, times: share.rate, over: divisor)
            sums[TaxRate(name: share.name ?? "", rate: share.rate), default: (0, 0)].taxable += sign * share.taxable
            sums[TaxRate(name: share.name ?? "", rate: share.rate), default: (0, 0)].tax += sign * tax
        }
        var rows = sums.sorted { ($1.value.tax, $0.key.name) < ($0.value.tax, $1.key.name) }
            .map { (rate: Optional($0.key), taxable: $0.value.taxable, tax: $0.value.tax) }
        let rest = whole.tax - rows.reduce(0) { $0 + $1.tax }
        if rest != 0 { rows.append((nil, 0, rest)) }
        return rows
    }

    private struct TaxRate: Hashable {
        var name: String
        var rate: Int64
    }

    // MARK: Notes

    /// What cannot be known, or must be known beside every such report.
    var notes: [String] {
        var notes: [String] = []
        let report = run.request.report
        if report != .tenders, report != .taxes, report != .tips, report != .refunds {
            notes.append("A sale counts on the day of its first payment; Clover has not published a rule.")
        }
        if isVAT, report == .sales { notes.append("Prices contain tax: gross sales contain it, net sales do not.") }
        if isVAT, report.hasItems { notes.append("Prices contain tax, and so do the amounts of this report.") }
        if report == .tenders { notes.append("A gift card that pays is a tender, not new money.") }
        if report == .tips { notes.append("Cash tips that were not keyed in are unknown.") }
        if report.hasItems, returns.contains(where: { !run.isDivided($0.place) }) {
            notes.append("Refunds by amount and manual refunds do not name items, and have their own rows.")
        }
        return notes
    }

    /// What must be known of these numbers.
    var remarks: [String] {
        var notes: [String] = []
        if returns.contains(where: { $0.fact.tip != 0 }) {
            notes.append(
                "Clover's pages contradict each other on whether a refund's amount contains the tip; here it does.")
        }
        if run.surcharges != 0 {
            notes.append(
                "Surcharges of \(money(run.surcharges)): it is unknown whether the payments' amounts contain them; "
                    + "they are not added.")
        }
        let undecided = Dictionary(grouping: run.undecidedPayments, by: \.result)
        for (result, payments) in undecided.sorted(by: { $0.key < $1.key }) {
            notes.append(
                "\(count(Int64(payments.count), "payment")) of \(money(payments.reduce(0) { $0 + $1.amount })) with the result "
                    + "'\(result)', whose meaning Clover does not document: not counted.")
        }
        return notes + unpaidNotes
    }

    private var unpaidNotes: [String] {
        guard run.request.report == .sales else { return [] }
        let unpaid = unpaid
        let parts = [
            (unpaid.partly, "order", "partly paid"),
            (unpaid.otherDay, "order", "with sales or payments of another day, or another total"),
            (unpaid.more, "order", "paid more than once or too high"),
            (unpaid.orphans, "payment", "without an order"),
        ].filter { $0.0.count > 0 }
        guard !parts.isEmpty else { return [] }
        let list = parts.map { "\(count(Int64($0.0.count), $0.1)) \($0.2) (\(money($0.0.amount)))" }
        // An order of two days is no finding.
        let named =
            parts.count == 1 && unpaid.otherDay.count > 0
            ? "" : " 'clover reconcile' names them for the same --period."
        return ["Unpaid: \(list.joined(separator: ", ")).\(named)"]
    }

    private func money(_ amount: Int64) -> String { ReportTable.moneyText(amount, run.request.currency) }

    private func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension ItemRow {
    fileprivate static let columns: [ReportTable.Column] = [
        .init("quantity", "QUANTITY", .quantity), .init("lines", "LINES", .count), .init("grossSales", "GROSS", .money),
        .init("discounts", "DISCOUNTS", .money), .init("refunds", "REFUNDS", .money), .init("netSales", "NET", .money),
    ]

    fileprivate var values: [ReportTable.Value] {
        [quantity, lines, gross, discounts, refunds, net].map { .integer($0) }
    }
}

extension ReportTable.Column {
    fileprivate static let identifier = ReportTable.Column("id", "ID", .identifier)

    fileprivate static func name(_ heading: String) -> ReportTable.Column { .init("name", heading, .text) }
}

extension ReportTable.Value {
    /// An id or a name; empty for none.
    fileprivate static func identifier(_ text: String) -> ReportTable.Value { text.isEmpty ? .none : .text(text) }
}
