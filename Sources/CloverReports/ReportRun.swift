import CloverCalendar
import CloverJSON

/// Computes reports of one period from a shop's records, which are added one by one and are not kept.
///
/// First come payments, refunds and credits, in any order, and then orders, in any order. Payments outside the period
/// are allowed and do not count.
package struct ReportRun: Sendable {
    /// They differ in their rows only; at least one.
    let requests: [ReportRequest]
    /// All payments that count, by the numbers of their ids.
    private(set) var payments = Blocks<PaymentFact>()
    private(set) var paymentIDs = IdentifierTable()
    private(set) var returns: [ReturnFact] = []
    var refundSums = RefundSums()
    /// Whether refunds of other days are in `refundSums`, too. Only where all are read: a report reads most recent ones only.
    var sumsAllRefunds = false
    /// The results of payments that do not count, by id.
    private(set) var unpaid: [String: String] = [:]
    /// The ids of refunds, credits and undecided payments of the period, which a list may have twice.
    private var knownIDs: [UndecidedRecord.Kind: Set<String>] = [:]
    /// All orders that were added or that a payment or refund has, by the numbers of their ids; the first is for none.
    private(set) var orders = Blocks<OrderFact>()
    private(set) var orderIDs = IdentifierTable()
    /// Of employees and tenders.
    private(set) var otherIDs = IdentifierTable()
    private var returnsOfOrders: [String: [Int]] = [:]
    /// The lines of refunds, by place in `returns`.
    private var returnedLines: [Int: [ReturnRecord.Line]] = [:]
    /// The sums of each request's rows, without money.
    private(set) var rows: [[RowKey: Measures]]
    /// All sales together.
    private(set) var sales = Measures()
    private(set) var items: [ItemKey: ItemRow] = [:]
    private(set) var discounts: [String: (count: Int64, amount: Int64)] = [:]
    private(set) var taxShares = Blocks<TaxFact>()
    private(set) var taxKinds: [TaxKind] = []
    private var taxKindPlaces: [TaxKind: UInt32] = [:]
    private(set) var tenderLabels: [String: String] = [:]
    private(set) var findings: [ReportFinding] = []
    private var unreadable: Set<String> = []
    /// Ids of orders that exist, but cannot be read.
    private(set) var unreadableOrders: Set<String> = []
    /// The most unreadable records that are named.
    private static let unreadableLimit = 1000
    private var undecided: [UndecidedRecord] = []
    /// Payments of the list that are not in `payments`: those that cannot be read, and undecided ones.
    private var otherPayments: [ListedPayment] = []
    private var unreadablePayments: Set<String> = []
    /// The days on which the list has payments of an order; nil until it is needed.
    private var listedDays: Set<ListedPayment>?
    private(set) var surcharges: Int64 = 0
    private(set) var cashback: Int64 = 0
    /// Orders of the period that are marked as paid, with the total 0 and no payment.
    private(set) var freeOrders: Int64 = 0
    /// The records of orders that count and lack their line items, by id: each is to be added again, with them.
    package private(set) var linelessOrders: [String: [UInt8]] = [:]
    /// How many orders were added without them.
    private(set) var linelessCount = 0

    let hasItems: Bool
    private let hasDiscounts: Bool
    private let hasTaxes: Bool
    private let hasTaxesByMonth: Bool

    package init(_ requests: [ReportRequest]) {
        precondition(!requests.isEmpty)
        self.requests = requests
        rows = requests.map { _ in [:] }
        hasItems = requests.contains { $0.report.hasItems }
        hasDiscounts = requests.contains { $0.report == .discounts }
        hasTaxes = requests.contains { $0.report == .taxes }
        hasTaxesByMonth = requests.contains { $0.report == .taxes && $0.grouping == .month }
        _ = place(ofOrder: "")
    }

    /// Whether each record that was added could be read.
    package var hasAll: Bool { unreadable.isEmpty && linelessCount == 0 }

    /// Period, days and currency of all requests.
    var request: ReportRequest { requests[0] }

    var clock: ClockRule { request.usesServerClock ? .server : .client }

    // MARK: Adding

    /// Adds a payment, with its `taxRates` and `tender` expanded.
    package mutating func add(payment record: UnsafeRawBufferPointer) {
        do { add(try PaymentRecord(JSONView(record), clock)) } catch { note(error, of: JSONView(record)) }
    }

    /// Adds a refund, with its `lineItems` and `payment` expanded.
    package mutating func add(refund record: UnsafeRawBufferPointer) {
        do throws(ReportRecordError) {
            let refund = try ReturnRecord(refund: JSONView(record), clock)
            try refund.checkParts()
            add(refund)
        } catch { note(error, of: JSONView(record)) }
    }

    /// Adds a manual refund (a credit), with its `taxRates` and `tender` expanded.
    package mutating func add(credit record: UnsafeRawBufferPointer) {
        do throws(ReportRecordError) {
            let credit = try ReturnRecord(credit: JSONView(record), clock)
            try credit.checkParts()
            add(credit)
        } catch { note(error, of: JSONView(record)) }
    }

    /// The day of a payment, refund or credit that cannot be read; nil if its time cannot be read either.
    func moment(ofUnreadable record: JSONView) -> BusinessMoment? {
        do throws(ReportRecordError) {
            return try RecordFields("").instant(record["clientCreatedTime"], record["createdTime"], clock).map(moment)
        } catch {
            return nil
        }
    }

    /// Names a payment, refund or credit that cannot be read, unless its time can be, and is outside the period: one of an
    /// unknown day may be of the period.
    mutating func note(_ error: ReportRecordError, of record: JSONView) {
        let time = moment(ofUnreadable: record)
        if let time, !contains(time) { return }
        let date = time?.date
        if error.record == "payment" {
            if let id = error.identifier { unreadablePayments.insert(id) }
            // Its order is a sale nevertheless.
            if let order = record["order"]?["id"]?.string {
                otherPayments.append(ListedPayment(order: place(ofOrder: order, isWanted: true), date: date))
            }
        }
        note(error)
    }

    /// Names a record that cannot be read, once: an order may be read again. The others count.
    mutating func note(_ error: ReportRecordError) {
        if error.record == "order", let id = error.identifier, unreadable.count <= Self.unreadableLimit {
            unreadableOrders.insert(id)
        }
        let finding = ReportFinding(unreadable: error)
        guard unreadable.count <= Self.unreadableLimit,
            unreadable.insert(finding.identifiers.description + finding.sentence).inserted
        else { return }
        guard unreadable.count <= Self.unreadableLimit else {
            findings.append(
                ReportFinding(
                    .unreadableRecord, [:],
                    "more records than the \(Self.unreadableLimit) that are named could not be read"))
            return
        }
        findings.append(finding)
    }

    mutating func add(_ payment: PaymentRecord) {
        let moment = moment(payment.time)
        let isInPeriod = contains(moment)
        switch payment.standing {
        case .isNone:
            unpaid[payment.id] = payment.result
            return
        case .undecided(let result):
            if isInPeriod, knownIDs[.payment, default: []].insert(payment.id).inserted {
                let order = place(ofOrder: payment.order ?? "", isWanted: true)
                otherPayments.append(ListedPayment(order: order, date: moment.date))
                undecided.append(
                    UndecidedRecord(
                        kind: .payment, id: payment.id, order: payment.order ?? "", result: result,
                        amount: payment.amount))
            }
            return
        case .counts: break
        }
        guard paymentIDs.insert(payment.id) == payments.count else { return }
        if let tender = payment.tender, let label = tender.label { tenderLabels[tender.id] = label }
        let order = place(ofOrder: payment.order ?? "", isWanted: isInPeriod)
        orders[Int(order)].listedPayments &+= 1
        payments.append(
            PaymentFact(
                amount: payment.amount, tip: payment.tip, tax: payment.tax, order: order,
                employee: otherIDs.insert(payment.employee ?? ""), tender: otherIDs.insert(payment.tender?.id ?? ""),
                moment: moment, isTipOpen: payment.isTipOpen))
        guard isInPeriod else { return }
        note(payment, in: payment.order)
        surcharges += payment.surcharges
        cashback += payment.cashback
        add(payment.taxRates, of: order, moment, isReturn: false)
    }

    /// Names a payment in another currency than the shop's.
    private mutating func note(_ payment: PaymentRecord, in order: String?) {
        guard let own = payment.currency, own != request.currency, !own.isEmpty, !request.currency.isEmpty else {
            return
        }
        var ids = ["payment": payment.id]
        ids["order"] = order
        findings.append(
            ReportFinding(
                .currencyDiffers, ids,
                "the payment is in \(own), and its amount was added as if it were in \(request.currency)"))
    }

    mutating func add(_ back: ReturnRecord) {
        let moment = moment(back.time)
        let kind = back.isManual ? UndecidedRecord.Kind.credit : .refund
        if !back.isManual, back.counts, sumsAllRefunds || contains(moment) {
            refundSums.add(back, isInPeriod: contains(moment))
        }
        guard back.standing != .isNone, contains(moment), knownIDs[kind, default: []].insert(back.id).inserted else {
            return
        }
        var order = back.order
        if order == nil, let payment = back.payment.flatMap({ payment($0.id) }) { order = orderIDs[payment.order] }
        if case .undecided(let result) = back.standing {
            // Of a test order, it does not matter.
            _ = place(ofOrder: order ?? "", isWanted: true)
            undecided.append(
                UndecidedRecord(
                    kind: kind, id: back.id, order: order ?? "", result: result, amount: back.amount))
            return
        }
        if let tender = back.tender, let label = tender.label { tenderLabels[tender.id] = label }
        let place = returns.count
        returns.append(
            ReturnFact(
                id: back.id, isManual: back.isManual, order: order ?? "", payment: back.payment?.id ?? "",
                amount: back.amount, tax: back.tax, tip: back.tip, serviceCharge: back.serviceCharge, goods: back.goods,
                surcharges: back.surcharges, employee: back.employee ?? "", tender: back.tender?.id ?? "",
                moment: moment,
                instant: back.time.instant, paidAt: back.payment?.instant))
        add(back.taxRates, of: self.place(ofOrder: order ?? "", isWanted: true), moment, isReturn: true)
        guard !back.lines.isEmpty else { return }
        returnedLines[place] = back.lines
        if let order { returnsOfOrders[order, default: []].append(place) }
    }

    private mutating func add(_ shares: [TaxShare], of order: UInt32, _ moment: BusinessMoment, isReturn: Bool) {
        guard hasTaxes else { return }
        let month = hasTaxesByMonth ? CalendarDate.startOfMonth(moment.date) : nil
        for share in shares {
            let kind = TaxKind(
                rate: TaxRate(name: share.name ?? "", rate: share.rate), month: month, isReturn: isReturn,
                hasTax: share.tax != nil)
            let place = taxKindPlaces[kind] ?? UInt32(taxKinds.count)
            if place == taxKinds.count {
                taxKinds.append(kind)
                taxKindPlaces[kind] = place
            }
            taxShares.append(TaxFact(taxable: share.taxable, tax: share.tax ?? 0, order: order, kind: place))
        }
    }

    // MARK: Orders

    /// Orders that a payment or a refund of the period belongs to and that were not added yet.
    package var missingOrders: [String] {
        orders.indices.filter { orders[$0].isMissing }.map { orderIDs[UInt32($0)] }.sorted()
    }

    /// Names missing orders that may exist: their sales are not counted. One that cannot be read is named already.
    package mutating func note(missing ids: [String]) {
        let lost = ids.filter { !unreadableOrders.contains($0) }
        for id in lost.prefix(Self.unreadableLimit) {
            findings.append(
                ReportFinding(
                    .paymentWithoutOrder, ["order": id],
                    "a payment or refund of the period names the order, which is missing, so that its sale is not counted"
                ))
        }
        if lost.count > Self.unreadableLimit {
            findings.append(
                ReportFinding(
                    .paymentWithoutOrder, [:],
                    "\(lost.count - Self.unreadableLimit) more orders are missing than the \(Self.unreadableLimit) that are named"
                ))
        }
    }

    /// How many these are.
    package var missingOrderCount: Int { orders.reduce(0) { $0 + ($1.isMissing ? 1 : 0) } }

    /// The place of an order in `orders`.
    ///
    /// - Parameter isWanted: whether the order must be added before the report is complete.
    private mutating func place(ofOrder id: String, isWanted: Bool = false) -> UInt32 {
        let place = orderIDs.insert(id)
        if place == orders.count { orders.append(OrderFact()) }
        if isWanted, !id.isEmpty { orders[Int(place)].isWanted = true }
        return place
    }

    /// What is known of an order; nil if it was not added.
    func order(_ id: String) -> OrderFact? {
        guard let fact = orderIDs.number(of: id).map({ orders[Int($0)] }), fact.isAdded else { return nil }
        return fact
    }

    /// A payment that counts, of any day.
    func payment(_ id: String) -> PaymentFact? { paymentIDs.number(of: id).map { payments[Int($0)] } }

    mutating func add(_ order: OrderRecord) {
        let place = Int(place(ofOrder: order.id))
        var fact = orders[place]
        guard !fact.isAdded else { return }
        fact.isAdded = true
        fact.isTest = order.isTest
        fact.isVAT = order.isVAT
        defer { orders[place] = fact }
        guard !order.isTest else { return }
        if let time = order.freeSince, contains(moment(time)) { freeOrders += 1 }
        let paid = paid(order)
        if fact.isWanted, paid.count < fact.listedPayments {
            findings.append(
                ReportFinding(
                    .paymentNotInOrder, ["order": order.id],
                    "the list of payments has more payments of the order than the order itself, so that it is counted wrong; "
                        + "one may have come or been voided while the lists were read"))
        }
        let first = paid.min { $0.time.instant < $1.time.instant }.map { (id: $0.id, moment: moment($0.time)) }
        // Which orders are read depends on the period. An order of which the list has no payment of its day would be a sale
        // of the month and of none of its days.
        let isSale =
            first.map { contains($0.moment) && isListed(UInt32(place), on: $0.moment.date, first: $0.id) } ?? false
        let back = returnsOfOrders[order.id] ?? []
        // Also of an order that, by its copies, has nothing to do with the period.
        findings += differences(of: order, at: UInt32(place))
        guard isSale || !back.isEmpty || paid.contains(where: { contains(moment($0.time)) }) else { return }
        fact.isOfPeriod = true
        let sums = OrderArithmetic(order)
        let check = OrderCheck(order, sums, paid: paid, currency: request.currency)
        fact.payment = check.payment
        for place in back { take(returnedLines[place] ?? [], of: place, order, sums) }
        for payment in paid
        where contains(moment(payment.time)) && self.payment(payment.id) == nil
            && !unreadablePayments.contains(payment.id)
        {
            findings.append(
                ReportFinding(
                    .paymentNotListed, ["order": order.id, "payment": payment.id], amount: payment.amount,
                    "the payment is in its order and not in the list of payments, and is not counted"
                        + (isSale || !(first.map { contains($0.moment) } ?? false) ? "; " : ", nor is the order; ")
                        + "it may have come while the lists were read"))
        }
        if let reason = order.missingLines { note(lineless: order, reason) }
        guard let first, isSale else { return }
        fact.due = sums.totals.all
        fact.isSale = true
        findings += check.findings
        addSale(order, sums, at: first.moment)
    }

    /// Keeps the record of an order that counts, if it lacks its line items.
    ///
    /// - Returns: whether it was kept.
    mutating func keep(lineless order: OrderRecord, _ record: UnsafeRawBufferPointer) -> Bool {
        guard order.missingLines != nil, !order.isTest, self.order(order.id) == nil,
            returnsOfOrders[order.id] != nil || paid(order).contains(where: { contains(moment($0.time)) })
        else { return false }
        linelessOrders[order.id] = Array(record)
        return true
    }

    /// Removes the record of an order that `keep` kept.
    mutating func take(lineless id: String) -> [UInt8] { linelessOrders.removeValue(forKey: id) ?? [] }

    /// Names an order that counts without its line items.
    private mutating func note(lineless order: OrderRecord, _ reason: String) {
        linelessCount += 1
        guard linelessCount <= Self.unreadableLimit + 1 else { return }
        guard linelessCount <= Self.unreadableLimit else {
            findings.append(
                ReportFinding(
                    .lineItemsMissing, [:],
                    "more orders than the \(Self.unreadableLimit) that are named came without their line items"))
            return
        }
        findings.append(
            ReportFinding(
                .lineItemsMissing, ["order": order.id], amount: order.total,
                "the order came without its line items\(reason.isEmpty ? "" : " (\(reason))"): what was sold is unknown, and it "
                    + "counts as one line"))
    }

    private mutating func addSale(_ order: OrderRecord, _ sums: OrderArithmetic, at moment: BusinessMoment) {
        var sale = Measures()
        sale.orders = 1
        sale.serviceCharges = sums.serviceCharge + sums.fees
        var revenueShare: Int64 = 0
        for (line, amounts) in zip(order.lines, sums.lines) {
            guard let amounts else { continue }
            if line.isRevenue {
                sale.grossSales += amounts.gross
                sale.discounts += amounts.gross - amounts.paid
                revenueShare += amounts.share
            } else {
                sale.nonRevenue += amounts.paid
            }
            if hasItems {
                items[ItemKey(line.item, line.name, isRevenue: line.isRevenue), default: ItemRow()].add(
                    line, amounts, at: moment.date)
            }
            if hasDiscounts {
                for (discount, amount) in zip(line.discounts, amounts.discounts) {
                    add(discount, line.isRevenue ? amount : 0)
                }
            }
        }
        if hasDiscounts {
            let parts = Rounding.shares(of: revenueShare, in: sums.orderDiscounts)
            for (discount, amount) in zip(order.discounts, parts) { add(discount, amount) }
        }
        sales += sale
        for (place, request) in requests.enumerated() {
            if let key = RowKey(request, moment, employee: order.employee ?? "", tender: nil) {
                rows[place][key, default: Measures()] += sale
            }
        }
    }

    private mutating func add(_ discount: OrderRecord.Discount, _ amount: Int64) {
        let sum = discounts[discount.name] ?? (0, 0)
        discounts[discount.name] = (sum.count + 1, sum.amount + amount)
    }

    /// Divides the goods of a refund among its lines, proportional to what the customer paid for them.
    private mutating func take(
        _ lines: [ReturnRecord.Line], of place: Int, _ order: OrderRecord, _ sums: OrderArithmetic
    ) {
        var paid: [String: (line: OrderRecord.Line, amount: Int64)] = [:]
        for (line, amounts) in zip(order.lines, sums.lines) {
            if let id = line.id, let amounts { paid[id] = (line, amounts.paid) }
        }
        let weights = lines.map { max(0, paid[$0.id]?.amount ?? $0.price) }
        for line in lines where order.missingLines == nil && !order.lines.contains(where: { $0.id == line.id }) {
            findings.append(
                ReportFinding(
                    .refundLineDiffers, ["order": order.id, "refund": returns[place].id], amount: line.price,
                    "the refund names the line \(line.id), which its order does not have"))
        }
        let goods = returns[place].goods + (order.isVAT ? returns[place].tax : 0)
        var nonRevenue: Int64 = 0
        for (line, share) in zip(lines, Rounding.shares(of: goods, in: weights)) {
            let sold = paid[line.id]?.line
            let isRevenue = sold?.isRevenue ?? line.isRevenue
            if !isRevenue { nonRevenue += share }
            if hasItems {
                let key = ItemKey(sold?.item ?? line.item, sold?.name ?? line.name, isRevenue: isRevenue)
                items[key, default: ItemRow()].refund(
                    share, name: sold?.name ?? line.name, at: returns[place].moment.date)
            }
        }
        returns[place].nonRevenue = nonRevenue
        returnedLines[place] = []
    }

    /// Whether a record that was added contributes to the report: a payment, refund or credit of the period, or an order
    /// of one.
    package func counts(_ id: String) -> Bool {
        if let order = order(id) { return order.isOfPeriod }
        if let payment = payment(id) { return contains(payment.moment) }
        return returns.contains { $0.id == id }
    }

    /// Whether the list of payments has one of an order on a day, also one that cannot be read or is undecided.
    ///
    /// - Parameter first: the payment that most likely is the one.
    private mutating func isListed(_ order: UInt32, on date: Int64, first: String) -> Bool {
        if let listed = payment(first), listed.order == order, listed.moment.date == date { return true }
        let days =
            listedDays
            ?? payments.reduce(into: Set(otherPayments)) { days, payment in
                days.insert(ListedPayment(order: payment.order, date: payment.moment.date))
            }
        // All payments come before the orders.
        listedDays = days
        return days.contains(ListedPayment(order: order, date: date))
            || days.contains(ListedPayment(order: order, date: nil))
    }

    /// Payments, refunds and credits of the period of which it is unknown whether they count, without those of test orders.
    var undecidedRecords: [UndecidedRecord] { undecided.filter { order($0.order)?.isTest != true } }

    // MARK: Days

    func moment(_ time: RecordTime) -> BusinessMoment { moment(at: time.instant) }

    /// - Parameter instant: milliseconds since 1970.
    func moment(at instant: Int64) -> BusinessMoment {
        let local = instant / 1000 + Int64(request.calendar.zone.offset(at: Int(instant / 1000)))
        // The first hours of 1970 in UTC are still 1969 further west.
        let second = (local % 86_400 + 86_400) % 86_400
        return BusinessMoment(date: request.calendar.date(at: instant), hour: Int(second / 3600))
    }

    func contains(_ moment: BusinessMoment) -> Bool {
        moment.date >= request.period.first && moment.date <= request.period.last
    }

    /// Whether a refund was divided among lines.
    func isDivided(_ place: Int) -> Bool { returnedLines[place] == [] }
}

/// That the list of payments has one of an order on a day.
private struct ListedPayment: Hashable {
    /// The place of the order in `orders`.
    var order: UInt32
    /// In days since 1970-01-01; nil if its time cannot be read.
    var date: Int64?
}

/// What is kept of the share of one tax rate in a payment, refund or credit.
struct TaxFact {
    var taxable: Int64
    /// 0 if the record does not have it.
    var tax: Int64
    /// The place of its order in `orders`.
    var order: UInt32
    /// The place in `taxKinds`.
    var kind: UInt32
}

/// What many shares of tax have in common, and one of them need not keep.
struct TaxKind: Hashable {
    var rate: TaxRate
    /// The first day of the month, in days since 1970-01-01; nil unless a report is divided by months.
    var month: Int64?
    var isReturn: Bool
    /// Whether the record has the tax itself.
    var hasTax: Bool
}

/// Each payment has other ids for its rates, so that name and rate identify them.
struct TaxRate: Hashable {
    var name: String
    /// Ten-millionths.
    var rate: Int64
}
