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
        /// Whether its record has it as refunded, without an amount.
        fileprivate var hasUnsizedRefund = false
        /// What was captured above its amount and tip.
        fileprivate var excess: Int64 = 0
        /// What was released of a hold that was captured in part.
        package var released: Int64 = 0
        /// The same without the increments of the hold, which the order's total may lack.
        package var releasedOfFirst: Int64?
        /// What was asked for and not approved, of a part that was accepted: the order's total may have it.
        package var unapproved: Int64 = 0
        /// Whether its amount is only held: it may have no payment that counts.
        package var isHeld = false
        /// ISO 4217 code; nil if it is unknown.
        package var currency: String?
        /// Whether it was made through the ecommerce API: it is only inferred that its payment has its id.
        package var isInferred = false
        /// Whether it was made before the period, and refunded or voided in it: only that is compared.
        package var isOlder = false
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
            "refunded", "tip_amount",
        ]

        /// The times that `created` may have: milliseconds, and no seconds or microseconds.
        fileprivate static let times: ClosedRange<Int64> = 100_000_000_000...100_000_000_000_000

        fileprivate init(ecommerce view: JSONView) throws(ReportRecordError) {
            var fields = RecordFields("charge")
            let (id, found) = try fields.members(of: view, Self.fields)
            guard let created = found[1]?.truncated, Self.times.contains(created) else {
                throw fields.failure("created")
            }
            let status = try fields.text(found[2], "status") ?? ""
            let isPaid = ["succeeded": true, "failed": false][status]
            // What may have moved money is compared in its amount and currency, or named as not readable.
            if isPaid != false {
                if found[3] == nil { throw fields.failure("amount") }
                if try fields.text(found[5], "currency")?.isEmpty != false { throw fields.failure("currency") }
            }
            var amount = found[3] == nil ? nil : try fields.amount(found[3], "amount")
            // A hold may show an amount as captured.
            let isOnlyHeld = found[6]?.isFalse == true
            let captured = try isOnlyHeld ? 0 : fields.amount(found[7], "amount_captured")
            // Of a charge that was captured in part, no more than that was paid.
            var released: Int64 = 0
            if let whole = amount, captured > 0, captured < whole { (amount, released) = (captured, whole - captured) }
            self.init(
                id: id, paymentID: id, externalID: nil, amount: amount, instant: created,
                isPaid: isPaid, isListed: true)
            orderID = try fields.text(found[4], "order")
            (isInferred, isEcommerce) = (true, true)
            self.released = released
            currency = try fields.text(found[5], "currency")?.uppercased()
            refunded = try fields.amount(found[8], "amount_refunded")
            isHeld = isOnlyHeld
            hasUnsizedRefund = try fields.flag(found[9], "refunded") && refunded == 0
            // It is unknown whether what was captured contains the tip.
            excess = max(0, captured - (amount ?? captured) - max(0, found[10]?.integer ?? 0))
        }
    }

    private var run: ReportRun
    private var findings: [ReportFinding] = []
    private var places: [String: String] = [:]
    /// Payments that were read, of any day; only of refunds.
    /// Payments that may be only holds.
    private var preauthorizations: Set<String> = []
    private var known: Set<String> = []
    private var charges: [Charge] = []
    /// Payments of which a refund is undecided.
    private var undecidedRefunds: Set<String> = []
    /// Refunds of other days that cannot be read, by the payment that they name: of a payment that is compared, they matter.
    private var damagedRefunds: [(payment: String, error: ReportRecordError)] = []
    /// The most of them that are kept.
    private static let damagedLimit = 1000
    private let clock: ClockRule

    package init(_ request: ReportRequest) {
        run = ReportRun([request])
        run.sumsAllRefunds = true
        clock = request.usesServerClock ? .server : .client
    }

    /// Payments that were not added yet: those of the period's refunds that have only the id, and of older charges.
    package var missingPayments: [String] {
        (run.refundSums.bare + charges.filter(\.isOlder).compactMap(\.paymentID)).filter(isMissing).sorted()
    }

    private func isMissing(_ payment: String) -> Bool {
        run.paymentIDs.number(of: payment) == nil && run.unpaid[payment] == nil && !known.contains(payment)
    }

    package var missingOrders: [String] { run.missingOrders }
    package var missingOrderCount: Int { run.missingOrderCount }
    package mutating func note(missing ids: [String]) { run.note(missing: ids) }

    /// Whether a record that was added is compared.
    package func counts(_ id: String) -> Bool { run.counts(id) }

    /// Names a record that cannot be read. The others are compared.
    package mutating func note(_ error: ReportRecordError) { run.note(error) }

    /// Whether each record that was added and matters could be read.
    package var hasAll: Bool { run.hasAll && neededDamaged.isEmpty }

    /// The damaged refunds of other days, of payments that were refunded in the period, or that a charge names.
    private var neededDamaged: [ReportRecordError] {
        guard !damagedRefunds.isEmpty else { return [] }
        let charged = Set(listedPayments.ofCharges.compactMap(\.self))
        return damagedRefunds.filter { run.refundSums.hasRefund(of: $0.payment) || charged.contains($0.payment) }
            .map(\.error)
    }

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
        if payment.isPreauthorization { preauthorizations.insert(payment.id) }
        if case .undecided = payment.standing { known.insert(payment.id) }
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
        do {
            refund = try ReturnRecord(refund: JSONView(record), clock)
        } catch {
            return note(error, ofRefund: JSONView(record))
        }
        add(refund: refund)
        // Of a refund of another day, only the amount matters.
        do { try refund.checkParts() } catch { run.note(error, of: JSONView(record)) }
    }

    /// Names a refund that cannot be read. One whose time can be, and is outside the period, matters only beside others of its
    /// payment.
    private mutating func note(_ error: ReportRecordError, ofRefund record: JSONView) {
        guard let time = run.moment(ofUnreadable: record), !run.contains(time) else {
            return run.note(error, of: record)
        }
        guard let payment = record["payment"]?["id"]?.string else { return }
        guard damagedRefunds.count < Self.damagedLimit else { return run.note(error) }
        damagedRefunds.append((payment, error))
    }

    private mutating func add(refund: ReturnRecord) {
        run.add(refund)
        if case .undecided = refund.standing, let payment = refund.payment { undecidedRefunds.insert(payment.id) }
        if refund.counts { checkClock(of: refund, "refund") }
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
        let finding = ReportFinding(.clockDiffers, [kind: record.id], Self.clockSentence)
        // A list may have a record twice.
        if !findings.contains(finding) { findings.append(finding) }
    }

    private static let clockSentence =
        "the device's time is more than a day ahead of the server's, or more than eight days behind"

    package mutating func add(order record: UnsafeRawBufferPointer) {
        do {
            let order = try OrderRecord(JSONView(record), clock)
            if !run.keep(lineless: order, record) { add(order) }
        } catch { note(error) }
    }

    /// The records of orders that are compared and lack their line items, by id: each is to be added again, with them.
    package var linelessOrders: [String: [UInt8]] { run.linelessOrders }

    /// Adds one of `linelessOrders`.
    package mutating func add(_ lines: OrderLines, ofOrder id: String) {
        run.take(lineless: id).withUnsafeBytes { record in
            do throws(ReportRecordError) {
                add(try OrderRecord(JSONView(record), clock, lines))
            } catch {
                note(error)
            }
        }
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
        do {
            add(charge: try Charge(ecommerce: JSONView(record)))
        } catch {
            let created = JSONView(record)["created"]?.truncated
            // Also those of the days before and after are read.
            if let created, Charge.times.contains(created), !run.contains(run.moment(at: created)) { return }
            note(error)
        }
    }

    /// Adds a charge of the journal. All payments must have been added before.
    package mutating func add(charge: Charge) { charges.append(charge) }

    /// What does not add up, in the order of its kind.
    package func finish() -> [ReportFinding] {
        var all = self
        for id in linelessOrders.keys.sorted() { all.add(.unavailable(""), ofOrder: id) }
        for error in neededDamaged { all.run.note(error) }
        return all.allFindings
    }

    private var allFindings: [ReportFinding] {
        var all = self
        all.findings += run.refundSums.findings(
            missing: Set(run.refundSums.bare.filter(isMissing)), result: { run.unpaid[$0] },
            total: { run.total(of: $0) })
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
            return [.paymentNotListed, .paymentNotInOrder, .refundLineDiffers, .lineItemsMissing, .unreadableRecord]
                .contains(kind)
                // That of an order is found here.
                || kind == .currencyDiffers && $0.identifiers["payment"] != nil
        }
        all.findings += run.undecidedRecords.map(\.finding)
        let listed = listedPayments
        let released = released(listed.ofCharges)
        all.findings.removeAll { finding in
            finding.kind == ReportFinding.Kind.partlyPaid.rawValue
                && finding.identifiers["order"].flatMap { released[$0] }?.contains(-(finding.amount ?? 0)) == true
        }
        var named: Set<String> = []
        for (charge, payment) in zip(charges, listed.ofCharges) {
            all.check(charge, payment, listed.owners, &named)
        }
        return all.findings.sorted { ($0.kind, $0.identifiers.description) < ($1.kind, $1.identifiers.description) }
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

    /// What the total of each order may have beside its payments: what was released of its holds, or not approved of parts that
    /// were accepted. Only of charges that all agree with their payment about what was captured.
    private func released(_ listed: [String?]) -> [String: Set<Int64>] {
        var ofPayments: [String: Int64] = [:]
        var ofFirst: [String: Int64] = [:]
        var unapproved: [String: Int64] = [:]
        var differing: Set<String> = []
        for (charge, payment) in zip(charges, listed) where charge.isPaid == true {
            guard let payment else { continue }
            ofFirst[payment] = charge.releasedOfFirst ?? ofFirst[payment]
            unapproved[payment] = max(charge.unapproved, unapproved[payment] ?? 0)
            let known = ofPayments.updateValue(charge.released, forKey: payment)
            if known ?? charge.released != charge.released || charge.amount != run.payment(payment)?.amount {
                differing.insert(payment)
            }
        }
        var ofOrders: [String: Set<Int64>] = [:]
        for (payment, amount) in ofPayments where !differing.contains(payment) {
            let rest = unapproved[payment] ?? 0
            guard amount > 0 || rest > 0, let fact = run.payment(payment) else { continue }
            let first = ofFirst[payment] ?? amount
            let amounts: Set = [amount, first, amount + rest, first + rest]
            let sums = ofOrders[run.orderIDs[fact.order]] ?? [0]
            ofOrders[run.orderIDs[fact.order]] = Set(sums.flatMap { sum in amounts.map { sum + $0 } })
        }
        return ofOrders
    }

    /// The payments of a charge's order with its amount.
    private func payments(like charge: Charge) -> some Sequence<String> {
        let order = charge.isOlder ? nil : charge.orderID.flatMap { run.orderIDs.number(of: $0) }
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
        // Other differences of an older one belong to the day on which it was made.
        guard run.contains(run.moment(at: charge.instant)) || charge.isOlder && charge.isPaid == true && listed != nil
        else { return }
        var ids = ["charge": charge.id]
        let shop = run.request.currency
        let currency = charge.currency.flatMap { $0 == shop || $0.isEmpty ? nil : $0 }
        if let currency, !shop.isEmpty, !charge.isOlder {
            add(
                .currencyDiffers, ids, charge.amount, in: currency,
                "the charge is in \(currency), and the shop's currency is \(shop)")
        }
        guard let isPaid = charge.isPaid else {
            let step =
                charge.isEcommerce
                ? "the ecommerce API has it neither as paid nor as failed" : "clover charge recover \(charge.id)"
            add(.chargeUnknown, ids, charge.amount, in: currency, "it is unknown whether the charge was paid: \(step)")
            return
        }
        let owner = charge.isEcommerce ? "the ecommerce API" : "the journal"
        let knowsRefunds = !run.request.omitted.contains(.refunds)
        if charge.isVoided {
            // A late void is a refund of the whole.
            guard knowsRefunds, let listed, let total = run.total(of: listed), run.refundSums.amount(of: listed) < total
            else {
                return
            }
            ids["payment"] = listed
            add(
                .chargeNotVoided, ids, charge.amount, in: currency,
                "the journal has the charge as voided, but the shop has its payment, without a refund of it")
            return
        }
        guard isPaid else {
            if let listed {
                ids["payment"] = listed
                add(
                    .chargePaidAfterAll, ids, charge.amount, in: currency,
                    "\(owner) has the charge as not paid, but the shop has its payment")
            }
            return
        }
        guard let listed, let payment = run.payment(listed) else {
            // A refund of the whole may have been a void.
            let isGivenBack = charge.refunded > 0 && charge.refunded >= charge.amount ?? 0
            if charge.isListed, !charge.isHeld, !isGivenBack, named.insert(charge.key).inserted {
                ids["payment"] = charge.paymentID.flatMap { charge.isInferred && run.unpaid[$0] == nil ? nil : $0 }
                add(
                    .chargeWithoutPayment, ids, charge.amount, in: currency,
                    "\(owner) has the charge as paid, but \(whatIsMissing(of: charge, owners))")
            }
            return
        }
        ids["payment"] = listed
        if charge.excess > 0 {
            add(
                .chargeAmountDiffers, ids, charge.excess, in: currency,
                "\(owner) has more of the charge as captured than its amount")
        }
        if let amount = charge.amount, amount != payment.amount, !charge.isOlder {
            // The payment's amount is added as if it were in the shop's currency: there is no difference to another one.
            add(
                .chargeAmountDiffers, ids, currency == nil || shop.isEmpty ? payment.amount - amount : nil,
                "the payment's amount is not that of the charge")
        }
        if charge.isEcommerce, listed == charge.paymentID {
            if charge.isHeld, !preauthorizations.contains(listed) {
                add(
                    .chargePaidAfterAll, ids, payment.amount,
                    "\(owner) has the charge as only held, but the shop has its payment as paid")
            }
            let order = run.orderIDs[payment.order]
            if let named = charge.orderID, !named.isEmpty, !order.isEmpty, named != order {
                var ids = ids
                ids["order"] = order
                add(
                    .paymentNotInOrder, ids, payment.amount,
                    "the charge names the order \(named), and its payment is in another one")
            }
        }
        if charge.hasUnsizedRefund, knowsRefunds, run.refundSums.amount(of: listed) == 0,
            !undecidedRefunds.contains(listed), named.insert(charge.key).inserted
        {
            add(
                .chargeNotRefunded, ids, nil,
                "\(owner) has the charge as refunded, without an amount, but the shop has no refund of its payment")
        }
        // It is unknown whether a refund's amount contains the tip.
        let missing = charge.refunded - run.refundSums.amount(of: listed)
        if knowsRefunds, missing > payment.tip, !undecidedRefunds.contains(listed), named.insert(charge.key).inserted {
            add(
                .chargeNotRefunded, ids, missing, in: currency,
                "\(owner) has \(ReportTable.moneyText(charge.refunded, currency ?? shop)) of the charge as refunded, "
                    + "but the shop has less as refunds of its payment"
            )
        }
    }

    /// Why a charge has no payment.
    private func whatIsMissing(of charge: Charge, _ owners: [String: Charge]) -> String {
        if let result = charge.paymentID.flatMap({ run.unpaid[$0] }) { return "its payment has the result '\(result)'" }
        let other = payments(like: charge).lazy.compactMap { owners[$0] }.first { $0.key != charge.key }
        if let other { return "the payment of its order and amount is that of the charge \(other.id)" }
        return charge.isInferred
            ? "no payment of the shop has its id, nor its order and amount" : "the shop has no such payment"
    }

    private mutating func add(
        _ kind: ReportFinding.Kind, _ ids: [String: String], _ amount: Int64?, in currency: String? = nil,
        _ sentence: String
    ) {
        findings.append(ReportFinding(kind, ids, amount: amount, currency: currency, sentence))
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
