import CloverCalendar
import CloverOutput

extension ReportRun {
    /// The reports in the order of their requests, each with everything that does not add up; one without findings holds.
    package func finish(names: ReportNames) -> [(table: ReportTable, findings: [ReportFinding])] {
        var run = self
        for error in names.unreadable { run.note(error) }
        run.addLinelessOrders("")
        let found = run.findings + run.undecidedRecords.map(\.finding) + run.refundFindings
        return requests.indices.map { place in
            let request = requests[place]
            var ended = ReportEnd(run, place)
            ended.addMoney()
            var table = ReportTable(
                title: request.title, period: request.periodText, clock: request.clockText,
                zone: request.calendar.zone.name, currency: request.currency, notes: ended.notes,
                remarks: ended.remarks, columns: request.columns(isVAT: ended.isVAT), rows: ended.rows(names))
            table.totals = ended.totals
            return (table, found + ended.findings)
        }
    }
}

/// A report whose orders are all known: the money is added, and what remains is named.
struct ReportEnd {
    let run: ReportRun
    let request: ReportRequest
    var sums: [RowKey: Measures]
    var whole = Measures()
    var findings: [ReportFinding] = []
    /// Whether prices contain tax.
    let isVAT: Bool
    private(set) var unpaid = Unpaid()
    /// Refunds and credits that count: their orders are no tests.
    private(set) var returns: [(place: Int, fact: ReturnFact)] = []

    init(_ run: ReportRun, _ place: Int) {
        self.run = run
        request = run.requests[place]
        sums = run.rows[place]
        whole = run.sales
        isVAT = run.orders.contains { $0.isVAT && !$0.isTest }
        returns = run.returns.enumerated().filter { run.order($0.element.order)?.isTest != true }
            .map { ($0.offset, $0.element) }
    }

    /// Payments that count: of the period, and their orders are no tests. There may be many, so that they are not copied.
    private var payments: LazyFilterSequence<Blocks<PaymentFact>> {
        run.payments.lazy.filter { [self] in counts($0) }
    }

    private func counts(_ payment: PaymentFact) -> Bool {
        run.contains(payment.moment) && !run.orders[Int(payment.order)].isTest
    }

    mutating func addMoney() {
        for payment in payments {
            var money = Measures()
            money.add(payment, isVAT: run.orders[Int(payment.order)].isVAT)
            let (employee, tender) = (run.otherIDs[payment.employee], run.otherIDs[payment.tender])
            add(money, RowKey(request, payment.moment, employee: employee, tender: tender))
        }
        for (_, back) in returns {
            var money = Measures()
            money.add(back)
            add(money, RowKey(request, back.moment, employee: back.employee, tender: back.tender))
        }
        check()
    }

    private mutating func add(_ money: Measures, _ key: RowKey?) {
        whole += money
        if let key { sums[key, default: Measures()] += money }
    }

    // MARK: Checks

    /// What the unpaid balance consists of, in amounts and numbers of orders or payments.
    struct Unpaid {
        var partly = Part()
        var otherDay = Part()
        var more = Part()
        var orphans = Part()
        /// Payments whose order exists, but cannot be read.
        var unreadable = Part()
        var surcharges: Int64 = 0

        struct Part {
            var count = 0
            var amount: Int64 = 0
            /// The first of them: an order, or a payment with its order.
            var first: [String] = []

            mutating func add(_ amount: Int64, _ name: @autoclosure () -> String) {
                count += 1
                self.amount += amount
                if first.count < 10 { first.append(name()) }
            }
        }

        var sum: Int64 {
            partly.amount + otherDay.amount + more.amount + orphans.amount + unreadable.amount + surcharges
        }
    }

    private func sumUnpaid() -> Unpaid {
        var left = run.orders.map { $0.isSale && !$0.isTest ? $0.due : 0 }
        var result = Unpaid()
        for (place, payment) in run.payments.enumerated() where counts(payment) {
            let order = run.orders[Int(payment.order)]
            let part = (order.isVAT ? 0 : payment.tax) - payment.amount
            let id = run.orderIDs[payment.order]
            var name: String { run.paymentIDs[UInt32(place)] + (id.isEmpty ? "" : " of \(id)") }
            if order.isAdded {
                left[Int(payment.order)] += part
            } else if run.unreadableOrders.contains(id) {
                result.unreadable.add(part, name)
            } else {
                result.orphans.add(part, name)
            }
        }
        for (place, amount) in left.enumerated() where amount != 0 {
            switch run.orders[place].payment {
            case .less: result.partly.add(amount, run.orderIDs[UInt32(place)])
            case .more: result.more.add(amount, run.orderIDs[UInt32(place)])
            default: result.otherDay.add(amount, run.orderIDs[UInt32(place)])
            }
        }
        result.surcharges = returns.reduce(0) { $0 + $1.fact.surcharges }
        return result
    }

    private mutating func check() {
        unpaid = sumUnpaid()
        expect(whole.unpaidBalance == unpaid.sum, "the unpaid balance is not the sum of what orders and payments leave")
        let rows = sums.values.reduce(into: Measures()) { $0 += $1 }
        switch request.report {
        case .sales, .employees, .hours:
            expect(rows.grossSales == whole.grossSales, "the rows do not add up to gross sales")
            expect(
                request.report == .hours || rows.amountCollected == whole.amountCollected,
                "the rows do not add up to the amount collected")
        case .tenders: expect(rows.amountCollected == whole.amountCollected, "the tenders do not add up")
        case .items, .categories:
            let goods = itemRows.reduce(into: ItemRow()) { if $1.key.isRevenue { $0.add($1.row) } }
            expect(goods.gross == whole.grossSales, "the items do not add up to gross sales")
            expect(goods.discounts == whole.discounts, "the items do not add up to the discounts")
            // Where prices contain tax, so do the items. Of a payment without its order, the tax is in no item.
            let returnedTax = returns.reduce(0) { $0 + (containsTax($1.fact) ? $1.fact.tax : 0) }
            expect(
                goods.net == whole.netSales + whole.includedTax - returnedTax, "the items do not add up to net sales")
            let other = itemRows.reduce(into: ItemRow()) { if !$1.key.isRevenue { $0.add($1.row) } }
            expect(other.net == whole.nonRevenue, "the items that are not revenue do not add up")
        case .taxes:
            let keys = request.grouping == nil ? [.total] : Array(sums.keys)
            let tax = keys.reduce(0) { sum, key in taxRows(of: key).reduce(sum) { $0 + $1.tax } }
            expect(tax == whole.tax, "the tax rates do not add up")
        case .discounts:
            expect(
                run.discounts.values.reduce(0) { $0 + $1.amount } == whole.discounts, "the discounts do not add up")
        case .tips, .refunds: break
        }
    }

    private mutating func expect(_ holds: Bool, _ sentence: String) {
        if !holds { findings.append(ReportFinding(.doesNotAddUp, [:], sentence)) }
    }

    // MARK: Rows

    func rows(_ names: ReportNames) -> [[ReportTable.Value]] {
        switch request.report {
        case .items, .categories:
            guard !itemRows.isEmpty else {
                return [[.none, .none, .none] + ItemRow().values(isComplete: isComplete(""))]
            }
            guard request.report == .items else { return categoryRows(names) }
            return itemRows.map { key, row in
                [.identifier(key.item), .text(row.name), .text(key.isRevenue ? "yes" : "no")]
                    + row.values(isComplete: isComplete(row.name))
            }
        case .taxes:
            let months = request.grouping == nil ? [(RowKey.total, [])] : keys(names)
            return months.flatMap { key, first in
                let rows = taxRows(of: key)
                guard !rows.isEmpty else { return [first + [.none, .none, sum(0), sum(0)]] }
                return rows.map { row in
                    first + [
                        .text(row.rate?.name ?? Self.noRate), row.rate.map { .integer($0.rate / 10) } ?? .none,
                        sum(row.taxable), sum(row.tax),
                    ]
                }
            }
        case .discounts:
            guard !run.discounts.isEmpty else { return [[.none, .integer(0), .integer(0)]] }
            return run.discounts.sorted { ($1.value.amount, $0.key) < ($0.value.amount, $1.key) }.map {
                [.text($0.key), .integer($0.value.count), .integer($0.value.amount)]
            }
        case .refunds where request.grouping == nil:
            guard !returns.isEmpty else {
                return [[.none, .none, .none, sum(0), sum(0), sum(0), sum(0), .none, .none, .none, .none, .none]]
            }
            return returns.map(\.fact).sorted { ($0.instant, $0.id) < ($1.instant, $1.id) }.map { refundRow($0, names) }
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            let columns = request.measures(isVAT: isVAT)
            return keys(names).map { key, first in first + columns.map { $0.value(sums[key] ?? Measures()) } }
        }
    }

    /// A sum of which refunds and credits are a part; none if one of these was left out.
    private func sum(_ amount: Int64) -> ReportTable.Value {
        request.omitted.isDisjoint(with: [.refunds, .credits]) ? .integer(amount) : .none
    }

    /// Whether all that was given back is in the row of items with this name.
    private func isComplete(_ name: String) -> Bool {
        !request.omitted.contains(.refunds) || name == Self.manualRefund
    }

    private static let manualRefund = "(manual refund)"

    /// The sums of all columns that can be added; none for a report of one row. What is no revenue has its own.
    var totals: [[ReportTable.Value]] {
        guard request.report.hasItems else { return total.map { [$0] } ?? [] }
        let rows = itemRows
        return [true, false].filter { isRevenue in isRevenue || rows.contains { !$0.key.isRevenue } }.map { isRevenue in
            let sum = rows.reduce(into: ItemRow()) { if $1.key.isRevenue == isRevenue { $0.add($1.row) } }
            return [.none, .none, .text(isRevenue ? "yes" : "no")]
                + sum.values(isComplete: request.omitted.isDisjoint(with: [.refunds, .credits]))
        }
    }

    private var total: [ReportTable.Value]? {
        let all = request.columns(isVAT: isVAT)
        switch request.report {
        case .items, .categories: return nil
        case .taxes:
            // The taxable amount is none: two rates may be on one item.
            return all.dropLast().map { _ in .none } + [sum(whole.tax)]
        case .discounts:
            let sums = run.discounts.values
            return [.none, .integer(sums.reduce(0) { $0 + $1.count }), .integer(sums.reduce(0) { $0 + $1.amount })]
        case .refunds where request.grouping == nil:
            let sums = [
                whole.refunded + whole.credited, whole.returnedGoods, whole.returnedTax, whole.returnedTips,
            ]
            return [.none, .none, .none] + sums.map(sum) + [.none, .none, .none, .none, .none]
        case .sales where request.grouping == nil: return nil
        case .sales, .employees, .tenders, .tips, .refunds, .hours:
            let columns = request.measures(isVAT: isVAT)
            return all.dropLast(columns.count).map { _ in .none } + columns.map { $0.value(whole) }
        }
    }

    /// The keys of the rows in order, with the values of their first columns. A report of days has all days; one of
    /// employees, tenders or hours has a row without a name if there is nothing.
    private func keys(_ names: ReportNames) -> [(RowKey, [ReportTable.Value])] {
        let period = request.period
        switch request.grouping ?? request.report.ownGrouping {
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
        case .hour where request.report == .hours:
            let used = sums.filter { $0.value.orders > 0 }.keys.compactMap { key -> (Int, Int)? in
                if case .weekdayHour(let day, let hour) = key { (day, hour) } else { nil }
            }
            guard !used.isEmpty else { return [(.weekdayHour(0, 0), [.none, .none])] }
            return used.sorted { ($0.0, order($0.1)) < ($1.0, order($1.1)) }.map {
                (.weekdayHour($0.0, $0.1), [.text(CalendarDate.weekdays[$0.0]), .integer(Int64($0.1))])
            }
        case .hour: return (0...23).sorted { order($0) < order($1) }.map { (.hour($0), [.integer(Int64($0))]) }
        case .employee: return identified(names.employees, none: "(no employee)")
        case .tender:
            // Payments name their tenders, too.
            let labels = request.omitted.contains(.names) ? [:] : run.tenderLabels.merging(names.tenders) { $1 }
            return identified(labels, none: "(no tender)")
        }
    }

    /// The place of an hour in the business day.
    private func order(_ hour: Int) -> Int { (hour + 24 - request.calendar.startMinute / 60) % 24 }

    private func identified(_ names: [String: String], none: String) -> [(RowKey, [ReportTable.Value])] {
        let ids = sums.keys.compactMap { key -> String? in if case .identifier(let id) = key { id } else { nil } }
        guard !ids.isEmpty else { return [(.identifier(""), [.none, .none])] }
        return ids.map { ($0, names[$0] ?? ($0.isEmpty ? none : $0)) }
            .sorted { ($0.0.isEmpty ? 1 : 0, $0.1, $0.0) < ($1.0.isEmpty ? 1 : 0, $1.1, $1.0) }
            .map { (.identifier($0.0), [.identifier($0.0), .text($0.1)]) }
    }

    private func refundRow(_ back: ReturnFact, _ names: ReportNames) -> [ReportTable.Value] {
        let paidOn = back.paidAt.map { request.calendar.date(at: $0) }
        return [
            .integer(back.instant), .text(back.isManual ? "manual" : "refund"), .identifier(back.id),
            .integer(back.amount), .integer(back.goods), .integer(back.tax), .integer(back.tip),
            .identifier(back.order), .identifier(back.payment),
            paidOn.map { .integer(back.moment.date - $0) } ?? .none, .identifier(back.employee),
            .identifier(names.employees[back.employee] ?? back.employee),
        ]
    }

    // MARK: Items and taxes

    /// The items, and what was given back without naming any; the largest sales first.
    private var itemRows: [(key: ItemKey, row: ItemRow)] {
        var items = run.items
        for (place, back) in returns where back.isManual || !run.isDivided(place) {
            let name = back.isManual ? Self.manualRefund : "(refund by amount)"
            items[ItemKey(nil, name, isRevenue: true), default: ItemRow()].refund(
                back.goods + (containsTax(back) ? back.tax : 0), name: name, at: back.moment.date)
        }
        return items.map { ($0.key, $0.value) }.sorted { left, right in
            if left.1.gross != right.1.gross { return left.1.gross > right.1.gross }
            return (left.1.name, left.0.item) < (right.1.name, right.0.item)
        }
    }

    /// Whether the prices of what was given back contain the tax.
    private func containsTax(_ back: ReturnFact) -> Bool { run.order(back.order)?.isVAT ?? isVAT }

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
            [.identifier(key.id), .text(key.name), .text(key.isRevenue ? "yes" : "no")]
                + row.values(isComplete: isComplete(key.name))
        }
    }

    static let noRate = "(without a rate)"

    /// The sums of each tax rate; the last row is the tax of which no rate is known, such as that of refunds by amount.
    ///
    /// - Parameter key: the month; `.total` for all.
    func taxRows(of key: RowKey) -> [(rate: TaxRate?, taxable: Int64, tax: Int64)] {
        var rates: [TaxRate: (taxable: Int64, tax: Int64)] = [:]
        for share in run.taxShares {
            let order = run.orders[Int(share.order)]
            guard !order.isTest else { continue }
            let kind = run.taxKinds[Int(share.kind)]
            if case .date(let month) = key, kind.month != month { continue }
            let rate = kind.rate
            let divisor = 10_000_000 + ((order.isAdded ? order.isVAT : isVAT) ? rate.rate : 0)
            let tax = kind.hasTax ? share.tax : Rounding.halfUp(share.taxable, times: rate.rate, over: divisor)
            let sign: Int64 = kind.isReturn ? -1 : 1
            rates[rate, default: (0, 0)].taxable += sign * share.taxable
            rates[rate, default: (0, 0)].tax += sign * tax
        }
        var rows = rates.sorted { ($1.value.tax, $0.key.name) < ($0.value.tax, $1.key.name) }
            .map { (rate: Optional($0.key), taxable: $0.value.taxable, tax: $0.value.tax) }
        let rest = (key == .total ? whole : sums[key] ?? Measures()).tax - rows.reduce(0) { $0 + $1.tax }
        if rest != 0 { rows.append((nil, 0, rest)) }
        return rows
    }
}
