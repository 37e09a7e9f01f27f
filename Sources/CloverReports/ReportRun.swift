import CloverCalendar
import CloverJSON

/// Computes reports of one period from a shop's records, which are added one by one and are not kept.
///
/// First come payments, refunds and credits, in any order, and then orders, in any order. Payments outside the period
/// are allowed and do not count.
package struct ReportRun {
    /// They differ in their rows only; at least one.
    let requests: [ReportRequest]
    private(set) var payments: [PaymentFact] = []
    /// The places in `payments` of all that count, by id.
    private(set) var paymentPlaces: [String: Int32] = [:]
    private(set) var returns: [ReturnFact] = []
    private(set) var orders: [String: OrderFact] = [:]
    private var returnsOfOrders: [String: [Int]] = [:]
    /// The lines of refunds, by place in `returns`.
    private var returnedLines: [Int: [ReturnRecord.Line]] = [:]
    /// The sums of each request's rows, without money.
    private(set) var rows: [[RowKey: Measures]]
    /// All sales together.
    private(set) var sales = Measures()
    private(set) var items: [ItemKey: ItemRow] = [:]
    private(set) var discounts: [String: (count: Int64, amount: Int64)] = [:]
    private(set) var taxShares: [(order: String, share: TaxShare, sign: Int64)] = []
    private(set) var tenderLabels: [String: String] = [:]
    private(set) var findings: [ReportFinding] = []
    private var undecided: [UndecidedPayment] = []
    private(set) var surcharges: Int64 = 0

    private let hasItems: Bool
    private let hasDiscounts: Bool
    private let hasTaxes: Bool

    package init(_ requests: [ReportRequest]) {
        precondition(!requests.isEmpty)
        self.requests = requests
        rows = requests.map { _ in [:] }
        hasItems = requests.contains { $0.report.hasItems }
        hasDiscounts = requests.contains { $0.report == .discounts }
        hasTaxes = requests.contains { $0.report == .taxes }
    }

    /// Period, days and currency of all requests.
    private var request: ReportRequest { requests[0] }

    private var clock: ClockRule { request.usesServerClock ? .server : .client }

    // MARK: Adding

    /// Adds a payment, with its `taxRates` and `tender` expanded.
    package mutating func add(payment record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        add(try PaymentRecord(JSONView(record), clock))
    }

    /// Adds a refund, with its `lineItems` and `payment` expanded.
    package mutating func add(refund record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        add(try ReturnRecord(refund: JSONView(record), clock))
    }

    /// Adds a manual refund (a credit), with its `taxRates` and `tender` expanded.
    package mutating func add(credit record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        add(try ReturnRecord(credit: JSONView(record), clock))
    }

    /// Adds an order, with `lineItems`, `lineItems.discounts`, `lineItems.modifications`, `discounts`, `serviceCharge`
    /// and `payments` expanded. All payments, refunds and credits must have been added before. An order that was added
    /// before is not counted again.
    package mutating func add(order record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        add(try OrderRecord(JSONView(record), clock, hasNames: hasItems))
    }

    mutating func add(_ payment: PaymentRecord) {
        let moment = moment(payment.time)
        let isInPeriod = contains(moment)
        switch payment.standing {
        case .isNone: return
        case .undecided(let result):
            if isInPeriod {
                undecided.append(
                    UndecidedPayment(
                        id: payment.id, order: payment.order ?? "", result: result, amount: payment.amount))
            }
            return
        case .counts: break
        }
        guard paymentPlaces[payment.id] == nil else { return }
        if let tender = payment.tender, let label = tender.label { tenderLabels[tender.id] = label }
        paymentPlaces[payment.id] = Int32(payments.count)
        payments.append(
            PaymentFact(
                id: payment.id, order: payment.order ?? "", amount: payment.amount, tip: payment.tip, tax: payment.tax,
                employee: payment.employee ?? "", tender: payment.tender?.id ?? "", moment: moment,
                isTipOpen: payment.isTipOpen))
        guard isInPeriod else { return }
        surcharges += payment.surcharges
        add(payment.taxRates, of: payment.order, payment.tax, sign: 1)
    }

    mutating func add(_ back: ReturnRecord) {
        let moment = moment(back.time)
        guard back.counts, contains(moment) else { return }
        if let tender = back.tender, let label = tender.label { tenderLabels[tender.id] = label }
        var order = back.order
        if order == nil, let payment = back.payment, let place = paymentPlaces[payment.id] {
            order = payments[Int(place)].order
        }
        let place = returns.count
        returns.append(
            ReturnFact(
                id: back.id, isManual: back.isManual, order: order ?? "", payment: back.payment?.id ?? "",
                amount: back.amount, tax: back.tax, tip: back.tip, serviceCharge: back.serviceCharge, goods: back.goods,
                surcharges: back.surcharges, employee: back.employee ?? "", tender: back.tender?.id ?? "",
                moment: moment,
                instant: back.time.instant, paidAt: back.payment?.instant))
        add(back.taxRates, of: order, back.tax, sign: -1)
        guard !back.lines.isEmpty else { return }
        returnedLines[place] = back.lines
        if let order { returnsOfOrders[order, default: []].append(place) }
    }

    private mutating func add(_ shares: [TaxShare], of order: String?, _ tax: Int64, sign: Int64) {
        guard hasTaxes else { return }
        for share in shares { taxShares.append((order ?? "", share, sign)) }
    }

    // MARK: Orders

    /// Orders that a payment or a refund of the period belongs to and that were not added yet.
    package var missingOrders: [String] {
        var missing: Set<String> = []
        for payment in payments where contains(payment.moment) && orders[payment.order] == nil {
            missing.insert(payment.order)
        }
        for back in returns where orders[back.order] == nil { missing.insert(back.order) }
        for payment in undecided where orders[payment.order] == nil { missing.insert(payment.order) }
        missing.remove("")
        return missing.sorted()
    }

    mutating func add(_ order: OrderRecord) {
        guard orders[order.id] == nil else { return }
        var fact = OrderFact(isTest: order.isTest, isVAT: order.isVAT)
        defer { orders[order.id] = fact }
        guard !order.isTest else { return }
        let paid = order.payments.filter { $0.standing == .counts }
        let first = paid.min { $0.time.instant < $1.time.instant }.map { moment($0.time) }
        let isSale = first.map(contains) ?? false
        let back = returnsOfOrders[order.id] ?? []
        guard isSale || !back.isEmpty || paid.contains(where: { contains(moment($0.time)) }) else { return }
        fact.isOfPeriod = true
        let sums = OrderArithmetic(order)
        let check = OrderCheck(order, sums, paid: paid)
        fact.payment = check.payment
        for place in back { take(returnedLines[place] ?? [], of: place, order, sums) }
        guard let first, isSale else { return }
        fact.due = sums.totals.all
        fact.isSale = true
        findings += check.findings
        for payment in paid where contains(moment(payment.time)) && paymentPlaces[payment.id] == nil {
            findings.append(
                ReportFinding(
                    "changed_while_reading", ["order": order.id, "payment": payment.id], amount: payment.amount,
                    "the payment came while the report was read, and is not counted"))
        }
        addSale(order, sums, at: first)
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
        let weights = lines.map { max(0, paid[$0.id ?? ""]?.amount ?? $0.price) }
        let goods = returns[place].goods + (order.isVAT ? returns[place].tax : 0)
        var nonRevenue: Int64 = 0
        for (line, share) in zip(lines, Rounding.shares(of: goods, in: weights)) {
            let sold = paid[line.id ?? ""]?.line
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
        if let order = orders[id] { return order.isOfPeriod }
        if let place = paymentPlaces[id] { return contains(payments[Int(place)].moment) }
        return returns.contains { $0.id == id }
    }

    /// Payments of the period whose result Clover does not document, without those of test orders.
    var undecidedPayments: [UndecidedPayment] { undecided.filter { orders[$0.order]?.isTest != true } }

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

/// What is kept of an order.
struct OrderFact {
    var isTest: Bool
    var isVAT: Bool
    /// Whether a payment or a refund of it is in the period.
    var isOfPeriod = false
    /// Whether its first payment is in the period.
    var isSale = false
    /// Its total without tax, if it is a sale of the period.
    var due: Int64 = 0
    var payment = OrderCheck.Payment.unknown
}

/// A payment whose result Clover does not document.
struct UndecidedPayment {
    var id: String
    /// Empty if it has none.
    var order: String
    var result: String
    var amount: Int64
}
