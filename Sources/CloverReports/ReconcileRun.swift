import CloverJSON

/// Compares a shop's orders with their payments, refunds, credits and the charges of our own journal. Takes records as
/// `ReportRun` does, and keeps as little of them.
package struct ReconcileRun: Sendable {
    /// A charge of the journal, or of the ecommerce API.
    package struct Charge: Sendable {
        package var id: String
        package var paymentID: String?
        package var externalID: String?
        /// In minor units, without a tip; nil if unknown.
        package var amount: Int64?
        /// Milliseconds since 1970.
        package var instant: Int64
        /// Whether it was paid; nil if its outcome is unknown.
        package var isPaid: Bool?
        /// Whether it was paid and then voided.
        package var isVoided: Bool
        /// Whether its payment is one of the merchant's payments, with the same id or external id, or order and amount.
        package var isListed: Bool
        /// The order of its payment, which tells the payment of an ecommerce charge, with the amount.
        package var orderID: String?
        /// What was given back of it.
        package var refunded: Int64 = 0
        /// Whether its amount is only held: it may have no payment that counts.
        package var isHeld = false
        /// ISO 4217 code; nil if it is unknown.
        package var currency: String?
        /// Whether it was made through the ecommerce API: it is only inferred that its payment has its id.
        package var isInferred = false
        /// Whether it is of the ecommerce API, and not of the journal.
        package var isEcommerce = false

        /// The same for a charge of the journal and that of the ecommerce API.
        fileprivate var key: String { paymentID ?? id }

        package init(
            id: String, paymentID: String?, externalID: String?, amount: Int64?, instant: Int64, isPaid: Bool?,
            isVoided: Bool = false, isListed: Bool
        ) {
            self.id = id
            self.paymentID = paymentID
            self.externalID = externalID
            self.amount = amount
            self.instant = instant
            self.isPaid = isPaid
            self.isVoided = isVoided
            self.isListed = isListed
        }

        private static let fields: JSONView.Names = [
            "id", "created", "status", "amount", "order", "currency", "captured", "amount_captured", "amount_refunded",
        ]

        /// The times that `created` may have: milliseconds, and no seconds or microseconds.
        private static let times: ClosedRange<Int64> = 100_000_000_000...100_000_000_000_000

        fileprivate init(ecommerce view: JSONView) throws(ReportRecordError) {
            var fields = RecordFields("charge")
            let (id, found) = try fields.members(of: view, Self.fields)
            guard let created = found[1]?.truncated, Self.times.contains(created) else {
                throw fields.failure("created")
            }
            let status = try fields.text(found[2], "status") ?? ""
            let amount = found[3] == nil ? nil : try fields.amount(found[3], "amount")
            self.init(
                id: id, paymentID: id, externalID: nil, amount: amount, instant: created,
                isPaid: ["succeeded": true, "failed": false][status], isListed: true)
            orderID = try fields.text(found[4], "order")
            (isInferred, isEcommerce) = (true, true)
            currency = try fields.text(found[5], "currency")?.uppercased()
            let captured = try fields.amount(found[7], "amount_captured")
            isHeld = found[6]?.isFalse == true && captured == 0
            refunded = try fields.amount(found[8], "amount_refunded")
        }
    }

    private var run: ReportRun
    private var findings: [ReportFinding] = []
    private var places: [String: String] = [:]
    /// What was refunded of each payment.
    private var refunded: [String: Refunded] = [:]
    /// The results of payments that do not count, by id.
    private var unpaid: [String: String] = [:]
    /// Payments that were read, of any day; only of refunds.
    private var known: Set<String> = []
    private var charges: [Charge] = []
    /// Payments of which a refund is undecided.
    private var undecidedRefunds: Set<String> = []
    /// The ids of all refunds that were added: a list may have one twice.
    private var refunds: Set<String> = []
    private let clock: ClockRule

    package init(_ request: ReportRequest) {
        run = ReportRun([request])
        clock = request.usesServerClock ? .server : .client
    }

    /// What was refunded of one payment.
    private struct Refunded {
        var sum: Int64 = 0
        /// The payment's amount with its tip; nil if unknown.
        var total: Int64?
        var order: String
        /// The last refund of the period.
        var refund: String?
        /// The payment's result, as the refund has it.
        var result: String?
    }

    /// Payments of the period's refunds that were not added yet, and of which the refunds have only the id.
    package var missingPayments: [String] {
        refunded.compactMap { id, refunded in
            guard refunded.refund != nil, refunded.result == nil, refunded.total == nil,
                run.paymentIDs.number(of: id) == nil, unpaid[id] == nil, !known.contains(id)
            else { return nil }
            return id
        }.sorted()
    }

    package var missingOrders: [String] { run.missingOrders }
    package var missingOrderCount: Int { run.missingOrderCount }
    package mutating func note(missing ids: [String]) { run.note(missing: ids) }

    /// Whether a record that was added is compared.
    package func counts(_ id: String) -> Bool { run.counts(id) }

    /// Names a record that cannot be read. The others are compared.
    package mutating func note(_ error: ReportRecordError) { run.note(error) }

    /// Whether each record that was added could be read.
    package var hasAll: Bool { run.hasAll }

    /// The numbers of orders and payments that were compared.
    package var counts: (orders: Int, payments: Int) {
        (
            run.orders.reduce(0) { $0 + ($1.isSale ? 1 : 0) },
            run.payments.reduce(0) { $0 + (run.contains($1.moment) ? 1 : 0) }
        )
    }

    package mutating func add(payment record: UnsafeRawBufferPointer) {
        do { add(try PaymentRecord(JSONView(record), clock)) } catch { run.note(error, of: JSONView(record)) }
    }

    private mutating func add(_ payment: PaymentRecord) {
        run.add(payment)
        switch payment.standing {
        case .counts: break
        case .isNone: unpaid[payment.id] = payment.result
        case .undecided: known.insert(payment.id)
        }
        if let external = payment.externalID, payment.standing == .counts { places[external] = payment.id }
        guard run.contains(run.moment(payment.time)) else { return }
        var ids = ["payment": payment.id]
        ids["order"] = payment.order
        if payment.time.clockDiffers, payment.standing == .counts {
            add(.clockDiffers, ids, nil, Self.clockSentence)
        }
        if payment.standing == .counts, payment.order == nil {
            add(.paymentWithoutOrder, ids, payment.amount, "the payment has no order")
        }
    }

    package mutating func add(refund record: UnsafeRawBufferPointer) {
        let refund: ReturnRecord
        do { refund = try ReturnRecord(refund: JSONView(record), clock) } catch { return note(error) }
        add(refund: refund)
        // Of a refund of another day, only the amount matters.
        do { try refund.checkParts() } catch { run.note(error, of: JSONView(record)) }
    }

    private mutating func add(refund: ReturnRecord) {
        run.add(refund)
        if case .undecided = refund.standing, let payment = refund.payment { undecidedRefunds.insert(payment.id) }
        guard refund.counts, refunds.insert(refund.id).inserted else { return }
        let isInPeriod = run.contains(run.moment(refund.time))
        checkClock(of: refund, "refund")
        guard let payment = refund.payment else {
            if isInPeriod {
                add(.refundWithoutPayment, ["refund": refund.id], refund.amount, "the refund has no payment")
            }
            return
        }
        var sum = refunded[payment.id] ?? Refunded(total: payment.total, order: refund.order ?? "")
        sum.sum += refund.amount
        sum.result = payment.result ?? sum.result
        if isInPeriod { sum.refund = refund.id }
        refunded[payment.id] = sum
    }

    package mutating func add(credit record: UnsafeRawBufferPointer) {
        do throws(ReportRecordError) {
            let credit = try ReturnRecord(credit: JSONView(record), clock)
            try credit.checkParts()
            add(credit: credit)
        } catch { run.note(error, of: JSONView(record)) }
    }

    private mutating func add(credit: ReturnRecord) {
        run.add(credit)
        if credit.counts { checkClock(of: credit, "credit") }
    }

    private mutating func checkClock(of record: ReturnRecord, _ kind: String) {
        guard record.time.clockDiffers, run.contains(run.moment(record.time)) else { return }
        add(.clockDiffers, [kind: record.id], nil, Self.clockSentence)
    }

    private static let clockSentence =
        "the device's time is more than a day ahead of the server's, or more than eight days behind"

    package mutating func add(order record: UnsafeRawBufferPointer) {
        do { add(try OrderRecord(JSONView(record), clock)) } catch { note(error) }
    }

    private mutating func add(_ order: OrderRecord) {
        run.add(order)
        let paid = run.paid(order)
        guard !order.isTest, paid.contains(where: { run.contains(run.moment($0.time)) }) else { return }
        let check = OrderCheck(order, OrderArithmetic(order), paid: paid, currency: run.request.currency)
        findings += check.findings
        switch check.payment {
        case .full, .unknown: break
        case .less:
            add(.partlyPaid, ["order": order.id], check.excess, "less was paid than the order's total")
        case .more:
            if let (first, second) = Self.twice(paid) {
                add(
                    .paidTwice, ["order": order.id, "payment": second.id], second.amount,
                    "two payments of the same amount within five minutes, the other one is \(first.id)")
            } else {
                add(.overpaid, ["order": order.id], check.excess, "more was paid than the order's total")
            }
        }
    }

    /// Adds a charge of the ecommerce API. All payments must have been added before.
    package mutating func add(charge record: UnsafeRawBufferPointer) {
        do { add(charge: try Charge(ecommerce: JSONView(record))) } catch { note(error) }
    }

    /// Adds a charge of the journal. All payments must have been added before.
    package mutating func add(charge: Charge) { charges.append(charge) }

    /// What does not add up, in the order of its kind.
    package func finish() -> [ReportFinding] {
        var all = self
        for (payment, sum) in refunded.sorted(by: { $0.key < $1.key }) {
            guard let refund = sum.refund else { continue }
            var ids = ["payment": payment, "refund": refund]
            if !sum.order.isEmpty { ids["order"] = sum.order }
            let result = unpaid[payment] ?? sum.result
            if let result, PaymentRecord.Standing(result) == .isNone {
                all.add(
                    .refundOfUnpaidPayment, ids, sum.sum,
                    "money was refunded, but the payment has the result '\(result)', so that nothing was paid")
            } else if missingPayments.contains(payment) {
                all.add(.refundOfUnknownPayment, ids, sum.sum, "the refund's payment does not exist")
            } else if let total = sum.total ?? total(of: payment), sum.sum > total {
                all.add(.refundAbovePayment, ids, sum.sum - total, "more was refunded than was paid")
            }
        }
        for (place, payment) in run.payments.enumerated()
        where run.orders[Int(payment.order)].isMissing && run.contains(payment.moment)
            && !run.unreadableOrders.contains(run.orderIDs[payment.order])
        {
            all.add(
                .paymentWithoutOrder,
                ["order": run.orderIDs[payment.order], "payment": run.paymentIDs[UInt32(place)]], payment.amount,
                "the payment's order does not exist any more")
        }
        for back in run.returns
        where !back.order.isEmpty && run.order(back.order) == nil && !run.unreadableOrders.contains(back.order) {
            var ids = ["order": back.order, (back.isManual ? "credit" : "refund"): back.id]
            if !back.payment.isEmpty { ids["payment"] = back.payment }
            all.add(
                back.isManual ? .creditWithoutOrder : .refundWithoutOrder, ids, back.amount,
                "the order of the \(back.isManual ? "credit" : "refund") does not exist any more")
        }
        all.findings += run.findings.filter {
            let kind = ReportFinding.Kind(rawValue: $0.kind)
            return [.paymentNotListed, .paymentNotInOrder, .unreadableRecord].contains(kind)
                // That of an order is found here.
                || kind == .currencyDiffers && $0.identifiers["payment"] != nil
        }
        all.findings += run.undecidedRecords.map(\.finding)
        let listed = listedPayments
        var named: Set<String> = []
        for (charge, payment) in zip(charges, listed.ofCharges) {
            all.check(charge, payment, listed.owners, &named)
        }
        return all.findings.sorted { ($0.kind, $0.identifiers.description) < ($1.kind, $1.identifiers.description) }
    }

    /// The amount of a payment with its tip.
    private func total(of payment: String) -> Int64? {
        run.payment(payment).map { $0.amount + $0.tip }
    }

    /// The payment of each charge, and the charge that a payment belongs to. One payment explains one charge: the one with
    /// its id before others, and a paid one before one that was not paid.
    private var listedPayments: (ofCharges: [String?], owners: [String: Charge]) {
        var result = [String?](repeating: nil, count: charges.count)
        var owners: [String: Charge] = [:]
        func claim(_ places: [Int], _ find: (Charge) -> String?) {
            for place in places where result[place] == nil {
                let charge = charges[place]
                guard let payment = find(charge), owners[payment].map({ $0.key == charge.key }) ?? true else {
                    continue
                }
                result[place] = payment
                owners[payment] = owners[payment] ?? charge
            }
        }
        let places =
            charges.indices.filter { charges[$0].isPaid == true }
            + charges.indices.filter { charges[$0].isPaid != true }
        claim(places) { $0.paymentID.flatMap { run.payment($0) == nil ? nil : $0 } }
        claim(places) { $0.externalID.flatMap { self.places[$0] } }
        claim(places) { charge in
            payments(like: charge).first { owners[$0].map { $0.key == charge.key } ?? true }
        }
        return (result, owners)
    }

    /// The payments of a charge's order with its amount.
    private func payments(like charge: Charge) -> some Sequence<String> {
        let order = charge.orderID.flatMap { run.orderIDs.number(of: $0) }
        return run.payments.indices.lazy.filter { [run] in
            order != nil && run.payments[$0].order == order && run.payments[$0].amount == charge.amount
        }.map { [run] in run.paymentIDs[UInt32($0)] }
    }

    /// - Parameters:
    ///   - listed: the payment that belongs to it.
    ///   - owners: the charges of the payments.
    ///   - named: the charges without a payment that were named: one may be of the journal and of the ecommerce API.
    private mutating func check(
        _ charge: Charge, _ listed: String?, _ owners: [String: Charge], _ named: inout Set<String>
    ) {
        guard run.contains(run.moment(at: charge.instant)) else { return }
        var ids = ["charge": charge.id]
        let shop = run.request.currency
        if let own = charge.currency, own != shop, !own.isEmpty, !shop.isEmpty {
            add(.currencyDiffers, ids, charge.amount, "the charge is in \(own), and the shop's currency is \(shop)")
        }
        guard let isPaid = charge.isPaid else {
            let step =
                charge.isEcommerce
                ? "the ecommerce API has it neither as paid nor as failed" : "clover charge recover \(charge.id)"
            add(.chargeUnknown, ids, charge.amount, "it is unknown whether the charge was paid: \(step)")
            return
        }
        let owner = charge.isEcommerce ? "the ecommerce API" : "the journal"
        let knowsRefunds = !run.request.omitted.contains(.refunds)
        if charge.isVoided {
            // A late void is a refund of the whole.
            guard knowsRefunds, let listed, let total = total(of: listed), refunded[listed]?.sum ?? 0 < total else {
                return
            }
            ids["payment"] = listed
            add(
                .chargeNotVoided, ids, charge.amount,
                "the journal has the charge as voided, but the shop has its payment, without a refund of it")
            return
        }
        guard isPaid else {
            if let listed {
                ids["payment"] = listed
                add(
                    .chargePaidAfterAll, ids, charge.amount,
                    "\(owner) has the charge as not paid, but the shop has its payment")
            }
            return
        }
        guard let listed, let payment = run.payment(listed) else {
            // A refund of the whole may have been a void.
            let isGivenBack = charge.refunded > 0 && charge.refunded >= charge.amount ?? 0
            if charge.isListed, !charge.isHeld, !isGivenBack, named.insert(charge.key).inserted {
                ids["payment"] = charge.paymentID.flatMap { charge.isInferred && unpaid[$0] == nil ? nil : $0 }
                add(
                    .chargeWithoutPayment, ids, charge.amount,
                    "\(owner) has the charge as paid, but \(whatIsMissing(of: charge, owners))")
            }
            return
        }
        ids["payment"] = listed
        if let amount = charge.amount, amount != payment.amount {
            add(.chargeAmountDiffers, ids, payment.amount - amount, "the payment's amount is not that of the charge")
        }
        // It is unknown whether a refund's amount contains the tip.
        let missing = charge.refunded - (refunded[listed]?.sum ?? 0)
        if knowsRefunds, missing > payment.tip, !undecidedRefunds.contains(listed), named.insert(charge.key).inserted {
            add(
                .chargeNotRefunded, ids, missing,
                "\(owner) has \(charge.refunded) of the charge as refunded, but the shop has less as refunds of its payment"
            )
        }
    }

    /// Why a charge has no payment.
    private func whatIsMissing(of charge: Charge, _ owners: [String: Charge]) -> String {
        if let result = charge.paymentID.flatMap({ unpaid[$0] }) { return "its payment has the result '\(result)'" }
        let other = payments(like: charge).lazy.compactMap { owners[$0] }.first { $0.key != charge.key }
        if let other { return "the payment of its order and amount is that of the charge \(other.id)" }
        return charge.isInferred
            ? "no payment of the shop has its id, nor its order and amount" : "the shop has no such payment"
    }

    private mutating func add(_ kind: ReportFinding.Kind, _ ids: [String: String], _ amount: Int64?, _ sentence: String)
    {
        findings.append(ReportFinding(kind, ids, amount: amount, sentence))
    }

    /// Two payments of the same amount that were made within five minutes.
    private static func twice(_ paid: [PaymentRecord]) -> (PaymentRecord, PaymentRecord)? {
        let sorted = paid.sorted { $0.time.instant < $1.time.instant }
        for (place, second) in sorted.enumerated() {
            let first = sorted[..<place].last {
                $0.amount == second.amount && second.time.instant - $0.time.instant <= 300_000
            }
            if let first { return (first, second) }
        }
        return nil
    }
}
