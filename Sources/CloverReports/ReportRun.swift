import CloverCalendar
import CloverJSON

/// Computes reports of one period from a shop's records, which are added one by one and are not kept.
///
/// First come payments, refunds and credits, in any order, and then orders, in any order. Payments outside the period
/// are allowed and do not count.
package struct ReportRun {
    /// They differ in their rows only; at least one.
    let requests: [ReportRequest]
    /// All payments that count, by the numbers of their ids.
    private(set) var payments = Blocks<PaymentFact>()
    private(set) var paymentIDs = IdentifierTable()
    private(set) var returns: [ReturnFact] = []
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
    private var undecided: [UndecidedPayment] = []
    private(set) var surcharges: Int64 = 0
    private(set) var cashback: Int64 = 0
    /// Orders of the period that are marked as paid, with the total 0 and no payment.
    private(set) var freeOrders: Int64 = 0

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
        _ = place(ofOrder: "")
    }

    /// Period, days and currency of all requests.
    var request: ReportRequest { requests[0] }

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
                _ = place(ofOrder: payment.order ?? "", isWanted: true)
                undecided.append(
                    UndecidedPayment(
                        id: payment.id, order: payment.order ?? "", result: result, amount: payment.amount))
            }
            return
        case .counts: break
        }
        guard paymentIDs.insert(payment.id) == payments.count else { return }
        if let tender = payment.tender, let label = tender.label { tenderLabels[tender.id] = label }
        let order = place(ofOrder: payment.order ?? "", isWanted: isInPeriod)
        payments.append(
            PaymentFact(
                amount: payment.amount, tip: payment.tip, tax: payment.tax, order: order,
                employee: otherIDs.insert(payment.employee ?? ""), tender: otherIDs.insert(payment.tender?.id ?? ""),
                moment: moment, isTipOpen: payment.isTipOpen))
        guard isInPeriod else { return }
        surcharges += payment.surcharges
        cashback += payment.cashback
        add(payment.taxRates, of: order, isReturn: false)
    }

    mutating func add(_ back: ReturnRecord) {
        let moment = moment(back.time)
        guard back.counts, contains(moment) else { return }
        if let tender = back.tender, let label = tender.label { tenderLabels[tender.id] = label }
        var order = back.order
        if order == nil, let payment = back.payment.flatMap({ payment($0.id) }) { order = orderIDs[payment.order] }
        let place = returns.count
        returns.append(
            ReturnFact(
                id: back.id, isManual: back.isManual, order: order ?? "", payment: back.payment?.id ?? "",
                amount: back.amount, tax: back.tax, tip: back.tip, serviceCharge: back.serviceCharge, goods: back.goods,
                surcharges: back.surcharges, employee: back.employee ?? "", tender: back.tender?.id ?? "",
                moment: moment,
                instant: back.time.instant, paidAt: back.payment?.instant))
        add(back.taxRates, of: self.place(ofOrder: order ?? "", isWanted: true), isReturn: true)
        guard !back.lines.isEmpty else { return }
        returnedLines[place] = back.lines
        if let order { returnsOfOrders[order, default: []].append(place) }
    }

    private mutating func add(_ shares: [TaxShare], of order: UInt32, isReturn: Bool) {
        guard hasTaxes else { return }
        for share in shares {
            let kind = TaxKind(
                rate: TaxRate(name: share.name ?? "", rate: share.rate), isReturn: isReturn, hasTax: share.tax != nil)
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
        let paid = order.payments.filter { $0.standing == .counts }
        let first = paid.min { $0.time.instant < $1.time.instant }.map { moment($0.time) }
        let isSale = first.map(contains) ?? false
        let back = returnsOfOrders[order.id] ?? []
        guard isSale || !back.isEmpty || paid.contains(where: { contains(moment($0.time)) }) else { return }
        fact.isOfPeriod = true
        let sums = OrderArithmetic(order)
        let check = OrderCheck(order, sums, paid: paid, currency: request.currency)
        fact.payment = check.payment
        for place in back { take(returnedLines[place] ?? [], of: place, order, sums) }
        for payment in paid where contains(moment(payment.time)) && self.payment(payment.id) == nil {
            findings.append(
                ReportFinding(
                    "payment_not_listed", ["order": order.id, "payment": payment.id], amount: payment.amount,
                    "the payment is in its order and not in the list of payments, and is not counted; "
                        + "it may have come while the lists were read"))
        }
        guard let first, isSale else { return }
        fact.due = sums.totals.all
        fact.isSale = true
        findings += check.findings
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
        if let order = order(id) { return order.isOfPeriod }
        if let payment = payment(id) { return contains(payment.moment) }
        return returns.contains { $0.id == id }
    }

    /// Payments of the period whose result Clover does not document, without those of test orders.
    var undecidedPayments: [UndecidedPayment] { undecided.filter { order($0.order)?.isTest != true } }

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
    /// Whether its record was added; otherwise only its id is known.
    var isAdded = false
    /// Whether a payment or a refund of the period has it.
    var isWanted = false
    var isTest = false
    var isVAT = false
    /// Whether a payment or a refund of it is in the period.
    var isOfPeriod = false
    /// Whether its first payment is in the period.
    var isSale = false
    /// Its total without tax, if it is a sale of the period.
    var due: Int64 = 0
    var payment = OrderCheck.Payment.unknown

    var isMissing: Bool { isWanted && !isAdded }
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

/// A payment whose result Clover does not document.
struct UndecidedPayment {
    var id: String
    /// Empty if it has none.
    var order: String
    var result: String
    var amount: Int64
}
