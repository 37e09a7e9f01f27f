import CloverAPI
import CloverHTTP
import CloverJSON
package import CloverOutput

/// Looks for the payment of a Hosted Checkout session among the merchant's orders. No request reads a session, so an order is
/// found by the reference in the notes of its line items.
package struct CheckoutPayments: Sendable {
    private let records: RecordReader

    /// Orders have much within them.
    private static let pageSize = 100
    /// Milliseconds before the session was made from which on orders are read, for clocks that disagree.
    private static let margin: Int64 = 60 * 60 * 1000

    package init(client: PaymentClient) {
        records = RecordReader(client: client)
    }

    /// A payment that was made.
    package struct Payment: Sendable, Equatable {
        /// The ID; empty if a webhook came without one.
        package var payment: String
        package var order: String?
        /// In the smallest unit, with tax and without the tip; nil if unknown.
        package var amount: Int64?
        /// Code of the order's currency; nil if unknown.
        package var currency: String?
        /// What was given back of it since, in the smallest unit, as far as its record and that of its order show it.
        package var refunded: Int64 = 0
        /// Whether a refund of it shows no amount that can be read.
        package var hasUnreadableRefund = false
        /// Whether a part of `refunded` is pending: it counts as given back, and may still fail.
        package var hasPendingRefund = false
        /// What was refunded above the payment and its tip, in the smallest unit: it may belong to another payment.
        package fileprivate(set) var excess: Int64 = 0
        /// What else the page's record has to say, as a clause, such as that another payment's refund is pending.
        package var remark: String?

        package init(payment: String, order: String? = nil, amount: Int64? = nil, currency: String? = nil) {
            self.payment = payment
            self.order = order
            self.amount = amount
            self.currency = currency
        }

        /// What the message of a webhook states as the amount, in the smallest unit (Clover: Hosted Checkout webhook:
        /// `Approved for 100`; that a whole number counts cents is inferred). Nil for a message of any other form.
        package static func amount(statedIn message: String?, _ currency: Currency) -> Int64? {
            guard let match = message?.wholeMatch(of: #/(?i)approved for ([0-9]{1,12})(?:\.([0-9]+))?/#) else {
                return nil
            }
            guard let part = match.2 else { return Int64(match.1) }
            return part.count == currency.decimals ? Int64(match.1 + part) : nil
        }

        /// Why it cannot be all that a page asked for; nil if nothing says so.
        package func contradiction(to checkout: PaymentOperation) -> String? {
            guard let asked = checkout.checkoutTotal, var money = checkout.amount else { return nil }
            if let currency, currency.uppercased() != money.currency.code {
                return "it is in \(currency), and the page asked for \(money.currency.code)"
            }
            guard let amount, abs(amount - asked.amount) > asked.slack else { return nil }
            money.minorUnits = amount
            let paid = "\(money)"
            money.minorUnits = asked.amount
            return "it is of \(paid), and the page asked for \(money)"
        }

        /// What was given back of it since, such as `4.25 USD`; nil if nothing is known of it.
        package func refund(of checkout: PaymentOperation) -> String? {
            guard refunded > 0, var money = checkout.amount else { return nil }
            money.minorUnits = refunded
            return "\(money)"
        }

        /// The same as a clause; nil if nothing is known of it.
        package func refundClause(of checkout: PaymentOperation) -> String? {
            refund(of: checkout).map { "\($0) of it were refunded since\(pendingNote)" }
        }

        /// Follows what is shown as refunded; empty if nothing of it is pending.
        package var pendingNote: String { hasPendingRefund ? PaymentDifference.pendingNote : "" }

        /// Whether all of it was given back.
        package var isGivenBack: Bool { refunded > 0 && refunded >= amount ?? .max }

        /// What its record does not show, or not as it has to; nil if it shows an amount and a currency.
        package var gap: String? {
            if amount == nil { return "the merchant's records show no amount of it that can be read" }
            if hasUnreadableRefund { return "a refund of it shows no amount that can be read" }
            return currency == nil ? "the merchant's records do not show its currency" : nil
        }
    }

    /// The payment with this ID, which a webhook reported as approved; nil if there is none.
    ///
    /// - Parameter id: letters and digits.
    /// - Throws: `CheckoutError.unreadable` and `.malformed`; `.otherAmount` if it took no money.
    package func payment(_ id: String, of checkout: PaymentOperation) async throws(CheckoutError) -> Payment? {
        let path = "/v3/merchants/\(checkout.merchantID)/payments/\(id)?expand=order,refunds"
        let tree: JSONTree
        do throws(RecordReader.Failure) {
            tree = try await records.response(path).tree
        } catch {
            if case .answered(404, _) = error { return nil }
            throw CheckoutError(error)
        }
        guard tree["id"]?.string == id else { return nil }
        guard Self.isPaid(tree) else {
            let unpaid = Unpaid(tree)
            throw unpaid.change(of: checkout) ?? unpaid.denial(of: checkout)
        }
        // A smaller number is in no unit that is known.
        if let made = tree["createdTime"]?.int, made > 100_000_000_000, made < Self.start(of: checkout) {
            throw .otherAmount(
                id: checkout.id, payment: id,
                reason: "a webhook with a valid signature names it, and it was made before the page")
        }
        var payment = Payment(
            payment: id, order: tree["order"]?["id"]?.string, amount: tree["amount"]?.int,
            currency: tree["order"]?["currency"]?.string)
        Self.addRefunds(of: tree, in: .null, to: &payment)
        return payment
    }

    /// When the payments and orders of a page can have been made at the earliest, in milliseconds since 1970.
    private static func start(of checkout: PaymentOperation) -> Int64 {
        (checkout.outcome.session?.createdAt ?? checkout.createdAt) - margin
    }

    /// Whether a record shows that a payment took money, and is not only held.
    private static func isPaid(_ record: JSONTree) -> Bool {
        record["result"]?.string == "SUCCESS" && !PayDisplayResponseParser.isHeld(record)
    }

    /// Adds what was given back of a payment, by its own refunds and those of its order.
    private static func addRefunds(of record: JSONTree, in order: JSONTree, to payment: inout Payment) {
        // One that failed, was voided or is only held cannot be refunded.
        let paid = (order["payments"]?["elements"]?.list ?? []).filter(isPaid)
        let isOnly = !paid.isEmpty && paid.allSatisfy { $0["id"]?.string == payment.payment }
        let ofOrder = (order["refunds"]?["elements"]?.list ?? []).filter { refund in
            refund["payment"]?.identifier.map { $0 == payment.payment } ?? isOnly
        }
        var amounts: [String: Int64] = [:]
        for (place, refund) in ((record["refunds"]?["elements"]?.list ?? []) + ofOrder).enumerated() {
            guard PayDisplayResponseParser.countsAsGivenBack(refund) else { continue }
            if PayDisplayResponseParser.isPending(refund) { payment.hasPendingRefund = true }
            guard let amount = refund["amount"]?.amount, amount > 0 else {
                payment.hasUnreadableRefund = true
                continue
            }
            amounts[refund["id"]?.string ?? "\(place)"] = amount
        }
        payment.refunded = amounts.values.reduce(0) { sum, amount in
            let (total, isBeyond) = sum.addingReportingOverflow(amount)
            return isBeyond ? .max : total
        }
        if isOnly, order["paymentState"]?.string == "REFUNDED" {
            payment.refunded = max(payment.refunded, payment.amount ?? 0)
        }
        if let amount = payment.amount, amount >= 0 {
            payment.excess = max(0, payment.refunded - amount - max(0, record["tipAmount"]?.amount ?? 0))
        }
    }

    /// The refunds of an order with several payments that name none of these, and are not within one.
    private static func looseRefunds(of order: JSONTree) -> [JSONTree] {
        let payments = order["payments"]?["elements"]?.list ?? []
        guard payments.count(where: isPaid) > 1 else { return [] }
        let named = Set(payments.compactMap { $0["id"]?.string })
        let inner = Set(payments.flatMap { $0["refunds"]?["elements"]?.list ?? [] }.compactMap { $0["id"]?.string })
        return (order["refunds"]?["elements"]?.list ?? []).filter { refund in
            PayDisplayResponseParser.countsAsGivenBack(refund)
                && refund["payment"]?.identifier.map(named.contains) != true
                && refund["id"]?.string.map(inner.contains) != true
        }
    }

    /// A payment of the page's order that is not known to have taken money.
    package struct Unpaid: Sendable, Equatable {
        /// The ID; empty for none.
        package let payment: String
        /// What its record shows, such as `with the result 'AUTH'`.
        package let words: String
        /// Whether it took no money, and will not.
        package let isOver: Bool
        /// Whether it was voided: it may have been approved before.
        package let isVoided: Bool

        fileprivate init(_ record: JSONTree) {
            payment = record["id"]?.string ?? ""
            let result = record["result"]?.string.map(ServiceErrorBody.oneLine)
            let isHeld = result == "SUCCESS" && PayDisplayResponseParser.isHeld(record)
            let held = isHeld ? ", only held and not captured" : ""
            isOver = ["FAIL", "VOIDED"].contains(result)
            isVoided = result == "VOIDED"
            words =
                payment.isEmpty
                ? "without an ID"
                : result.map { "with the result '\($0)'\(held)" }
                    ?? "without a result"
        }

        /// The error about it where a webhook reports it as approved.
        package func denial(of checkout: PaymentOperation) -> CheckoutError {
            .otherAmount(
                id: checkout.id, payment: payment,
                reason: "a webhook with a valid signature reports it as approved, and the merchant's records show it "
                    + words)
        }

        /// The error about it where the merchant's records have shown it as the payment of the page before, or a person has
        /// named it and it took no money; nil otherwise.
        package func change(of checkout: PaymentOperation) -> CheckoutError? {
            let isNamed =
                checkout.rail == .hostedCheckout && checkout.state == .approved && checkout.outcome.isByHand == true
                && payment == checkout.outcome.paymentID
            guard payment == checkout.recordedPayment || isNamed && isOver else { return nil }
            return .otherAmount(
                id: checkout.id, payment: payment,
                reason: "it was recorded as paid, and the merchant's records show it " + words + " now")
        }

        /// As part of a list.
        package var text: String { payment.isEmpty ? "a payment \(words)" : "\(payment) \(words)" }
    }

    /// What the merchant's orders show of a session.
    package struct Look: Sendable, Equatable {
        /// Several if it was paid in parts, or more than once.
        package fileprivate(set) var paid: [Payment] = []
        package fileprivate(set) var unpaid: [Unpaid] = []
        /// What was refunded of several payments of one order without naming one of them, in the smallest unit; 0 for refunds
        /// that show no amount, nil for none.
        package fileprivate(set) var looseRefund: Int64?
        /// Of the payments that were asked for: those in orders with other notes, with the last words of these.
        package fileprivate(set) var elsewhere: [String: Elsewhere] = [:]

        fileprivate mutating func add(looseRefund amount: Int64) {
            let (total, isBeyond) = (looseRefund ?? 0).addingReportingOverflow(amount)
            looseRefund = isBeyond ? .max : total
        }

        /// The order of a payment that does not have the page's reference.
        package struct Elsewhere: Sendable, Equatable {
            package let order: String
            /// What may be the references of other pages.
            package let references: [String]
        }
    }

    /// Looks for the payments of a session.
    ///
    /// - Parameter named: payments that webhooks name, which may be in orders of other pages.
    /// - Throws: `CheckoutError.unreadable`; `.malformed` if the orders cannot be proved complete; `.otherAmount` if they contradict
    ///   themselves. None is no proof that nothing was paid.
    package func look(
        for checkout: PaymentOperation, named: [String] = []
    ) async throws(CheckoutError) -> Look {
        guard let reference = checkout.externalID else { return Look() }
        let start = Self.start(of: checkout)
        var look = Look()
        var records: [String: JSONTree] = [:]
        var fault: CheckoutError?
        let path =
            "/v3/merchants/\(checkout.merchantID)/orders?filter=createdTime%3E%3D\(start)&expand=lineItems,payments,refunds"
        do throws(RecordReader.Failure) {
            try await self.records.list(path, pageSize: Self.pageSize) { order, row in
                let lines = row["lineItems"]?["elements"]?.list ?? []
                let payments = row["payments"] ?? .null
                guard lines.contains(where: { $0["note"]?.string?.hasSuffix(reference) == true }) else {
                    let ends = lines.compactMap { $0["note"]?.string.map { String($0.suffix(reference.count)) } }
                    for id in (payments["elements"]?.list ?? []).compactMap({ $0["id"]?.string })
                    where named.contains(id) {
                        look.elsewhere[id] = Look.Elsewhere(order: order, references: ends)
                    }
                    return
                }
                guard payments == .null || payments["elements"]?.list != nil else {
                    fault = fault ?? .malformed("the payments of the order \(order) cannot be understood")
                    return
                }
                for refund in Self.looseRefunds(of: row) {
                    look.add(looseRefund: max(0, refund["amount"]?.amount ?? 0))
                }
                for payment in payments["elements"]?.list ?? [] {
                    if let id = payment["id"]?.string, !id.isEmpty {
                        if let other = records[id] {
                            if other["result"] != payment["result"] || other["amount"] != payment["amount"] {
                                fault = fault ?? .otherAmount(id: checkout.id, payment: id, reason: Self.twins)
                            }
                            continue
                        }
                        records[id] = payment
                        if Self.isPaid(payment) {
                            var paid = Payment(
                                payment: id, order: order, amount: payment["amount"]?.int,
                                currency: row["currency"]?.string)
                            Self.addRefunds(of: payment, in: row, to: &paid)
                            look.paid.append(paid)
                            if paid.excess > 0 { look.add(looseRefund: paid.excess) }
                            continue
                        }
                    }
                    look.unpaid.append(Unpaid(payment))
                }
            }
        } catch {
            throw CheckoutError(error)
        }
        if let fault { throw fault }
        return look
    }

    private static let twins = "the merchant's records show it twice, with different contents"
}

extension ChargeJournal {
    /// The checkout with this ID, or with this session.
    package func checkout(_ name: String) async throws -> PaymentOperation? {
        try await read { database in
            try Self.fetch(
                database,
                "rail = 'hosted-checkout' AND (id = $1 OR json_extract(outcome, '$.session.id') = $1) LIMIT 1",
                [.text(name)]
            ).first
        }
    }

    /// Another page of the merchant with one of these references; nil if the journal has none.
    package func page(besides checkout: PaymentOperation, withReference references: [String]) async throws -> String? {
        for reference in references where reference != checkout.externalID {
            let pages = try await read { database in
                try Self.fetch(
                    database, "rail = 'hosted-checkout' AND merchant = $1 AND external_id = $2 LIMIT 1",
                    [.text(checkout.merchantID), .text(reference)])
            }
            if let page = pages.first { return page.id }
        }
        return nil
    }

    /// Records the payment of a checkout, unless it has one that no person entered.
    ///
    /// - Parameter isByWebhookAlone: whether the merchant's records do not show the payment so far. What they show later is
    ///   recorded in its place.
    /// - Returns: the resulting operation.
    /// - Throws: `PaymentPlanError.paymentOfAnother` if the journal has the payment under another charge or page.
    package func recordPayment(
        _ payment: CheckoutPayments.Payment, of id: String, isByWebhookAlone: Bool = false, after former: [String] = [],
        detail: String, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let isByHand = operation.outcome.isByHand == true
            let isConfirmation = operation.isPaidByWebhookAlone && !isByWebhookAlone
            // A webhook alone adds nothing to what a person has recorded.
            if isByHand, isByWebhookAlone, operation.state == .approved,
                [nil, payment.payment].contains(operation.outcome.paymentID)
            {
                return operation
            }
            // A webhook may come without the payment's ID: a later one may name it.
            let known = operation.outcome.paymentID.flatMap { $0.isEmpty && !payment.payment.isEmpty ? nil : $0 }
            if let known, operation.outcome.candidates == nil, !isByHand, !isConfirmation, !former.contains(known) {
                let before = operation.outcome
                operation.note(payment)
                // What an earlier look found is over: a refund failed or was voided since. A person's entry is not corrected here.
                if !isByWebhookAlone, known == payment.payment,
                    operation.outcome.contradiction?.hasSuffix(PaymentOperation.paidAfterAll) != true
                {
                    operation.outcome.contradiction = nil
                    operation.outcome.isGivenBack = nil
                }
                if operation.outcome != before { try OperationRow.update(operation, in: database) }
                return operation
            }
            let other = try Self.fetch(
                database, "kind = 'charge' AND id <> $1 AND json_extract(outcome, '$.paymentID') = $2",
                [.text(id), .text(payment.payment)]
            ).first
            if let other, !payment.payment.isEmpty {
                throw PaymentPlanError.paymentOfAnother(id: id, payment: payment.payment, other: other.id)
            }
            operation = operation.paid(by: payment)
            if isByWebhookAlone { operation.outcome.isProvisional = true }
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, detail, at: now)
            return operation
        }
    }
}

extension ChargeJournal {
    /// Records that a checkout has several payments. A person decides whether one is refunded.
    ///
    /// - Parameter reason: a clause about them.
    package func recordPayments(_ payments: [String], _ reason: String, of id: String, now: Int64) async throws {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            if operation.outcome.isByHand == true {
                try Self.contradict(&operation, reason, at: now, database)
                return
            }
            guard operation.outcome.candidates != payments else { return }
            operation.outcome.candidates = payments
            operation.outcome.reason = reason
            operation.outcome.isGivenBack = nil
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, reason, at: now)
        }
    }

    /// Records what a look for the payment of a checkout found that does not show it as paid. A page that is recorded as
    /// paid by more than a webhook stays so, with what became of its payment.
    ///
    /// - Parameters:
    ///   - reason: a clause.
    ///   - payment: the payment that contradicts the page; nil if none was seen.
    ///   - isDenied: whether the records show that a payment is not the page's, or not any more. What only a webhook shows as
    ///     paid is not known to be paid then.
    ///   - isGivenBack: whether all that was paid was refunded since.
    package func recordLook(
        _ reason: String, payment: String?, isDenied: Bool, isGivenBack: Bool = false, of id: String, now: Int64
    ) async throws {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let before = operation.outcome
            let fate: Bool? = isGivenBack ? true : nil
            if operation.outcome.isByHand == true {
                if isDenied, operation.state == .approved { operation.outcome.isGivenBack = fate }
                if isDenied { try Self.contradict(&operation, reason, at: now, database) }
                return
            }
            if operation.isPaidByWebhookAlone {
                operation.outcome.contradiction = PaymentOperation.webhookAlone + reason
                if isDenied {
                    (operation.outcome.paymentID, operation.outcome.amount) = (nil, nil)
                    operation.outcome.isProvisional = nil
                    // The page's end is counted from here.
                    operation.updatedAt = operation.createdAt
                }
            } else if !operation.movedNoMoney {
                let hadSeveral = operation.paymentsOfPage != nil
                guard isDenied, hadSeveral || payment == operation.outcome.paymentID else { return }
                operation.outcome.contradiction = reason
                operation.outcome.isGivenBack = fate
                if isGivenBack { operation.outcome.refunded = operation.outcome.amount }
                // They are not several payments any more.
                if hadSeveral { (operation.outcome.candidates, operation.outcome.reason) = (nil, nil) }
            }
            if operation.movedNoMoney {
                operation.outcome.reason = reason
                operation.outcome.isGivenBack = fate
                if let payment { operation.outcome.candidates = [payment] }
            }
            guard operation.outcome != before else { return }
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, operation.outcome.contradiction ?? reason, at: now)
        }
    }
}

extension ChargeJournal {
    /// Records what contradicts a page that a person settled, which stays as it is until the person corrects or confirms it.
    private static func contradict(
        _ operation: inout PaymentOperation, _ finding: String, at now: Int64, _ database: any JournalTransaction
    ) throws {
        guard operation.outcome.contradiction != finding, operation.outcome.acknowledged?.contains(finding) != true
        else { return }
        operation.outcome.contradiction = finding
        try OperationRow.update(operation, in: database)
        try Self.note(database, operation.id, operation.state, finding, at: now)
    }
}

extension PaymentOperation {
    /// The payment of a page that the merchant's records have shown; nil if they have not.
    package var recordedPayment: String? {
        guard rail.makesPage, state == .approved, outcome.candidates == nil, outcome.isByHand != true,
            !isPaidByWebhookAlone
        else { return nil }
        return outcome.paymentID
    }

    /// Begins what contradicts a page that only a webhook shows as paid.
    fileprivate static let webhookAlone = "a webhook alone reported it as paid; "

    /// What checks of a page have found so far, for a person who settles it now.
    var findings: [String]? {
        guard rail.makesPage else { return nil }
        let now = outcome.contradiction ?? (outcome.candidates != nil || movedNoMoney ? outcome.reason : nil)
        let words = now.map { $0.hasPrefix(Self.webhookAlone) ? String($0.dropFirst(Self.webhookAlone.count)) : $0 }
        let known = outcome.acknowledged ?? []
        let all = known + [words ?? missingRecord].compactMap(\.self).filter { !known.contains($0) }
        return all.isEmpty ? nil : all
    }

    /// Of a page that only a webhook shows as paid: that the records do not have the payment, as a clause.
    private var missingRecord: String? {
        guard isPaidByWebhookAlone, let payment = outcome.paymentID, !payment.isEmpty else { return nil }
        return CheckoutError.unconfirmed(id: id, payment: payment).finding
    }

    /// Ends what contradicts a page that a person recorded as not paid.
    fileprivate static let paidAfterAll = "recorded it as not paid; a payment is shown"

    /// Notes what was given back of the payment of a page.
    mutating func note(_ payment: CheckoutPayments.Payment) {
        let clauses = [payment.refundClause(of: self), payment.remark].compactMap(\.self)
        outcome.reason = clauses.isEmpty ? nil : clauses.joined(separator: "; ")
        outcome.refunded = payment.refunded > 0 ? payment.refunded : nil
    }

    /// The payments of a checkout that has several; nil for any other.
    package var paymentsOfPage: [String]? {
        guard rail.makesPage, state == .approved, let payments = outcome.candidates, payments.count > 1 else {
            return nil
        }
        return payments
    }

    /// Whether it is a page whose payment the records have shown, and which a later look, or a payment after a person's entry,
    /// contradicts.
    package var isContradictedPage: Bool {
        rail.makesPage && state == .approved && outcome.contradiction != nil && outcome.isByHand != true
            && !isPaidByWebhookAlone
    }

    /// Whether a page is not to be offered to the customer again: it has ended, a payment was seen, or a person has settled it.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func cannotBePaidAgain(now: Int64) -> Bool {
        guard rail.makesPage, outcome.session != nil else { return false }
        guard state == .approved else { return outcome.isByHand == true }
        return !movedNoMoney || outcome.candidates != nil || outcome.isGivenBack == true || now >= expiry
    }

    /// Begins the clause about payments whose refund, by which another one is the page's, is pending.
    package static let pendingElsewhere = "the refund of another payment is pending, and may still fail"

    /// Whether it is a page that is paid only if the refund of another payment does not fail.
    package var awaitsRefundElsewhere: Bool {
        rail.makesPage && state == .approved && outcome.reason?.contains(Self.pendingElsewhere) == true
    }

    /// What an earlier look has found of a page that is not known to be paid, or has several payments, as a clause; nil if a
    /// look that finds nothing is no change.
    package var earlierFinding: String? {
        guard rail.makesPage, movedNoMoney || paymentsOfPage != nil, outcome.candidates != nil else { return nil }
        return outcome.reason
    }

    /// Whether it is a page that only a webhook shows as paid: the merchant's records did not show the payment so far.
    package var isPaidByWebhookAlone: Bool {
        rail.makesPage && state == .approved && outcome.paymentID != nil && outcome.isProvisional == true
            && outcome.candidates == nil
    }

    /// The checkout with its payment, which outweighs what a person entered.
    package func paid(by payment: CheckoutPayments.Payment) -> PaymentOperation {
        var operation = self
        if state != .approved, let person = outcome.settledBy {
            operation.outcome.contradiction = "\(person) \(Self.paidAfterAll)"
        }
        if state == .approved { operation.outcome.contradiction = nil }
        operation.state = .approved
        operation.outcome.isProvisional = nil
        operation.outcome.isByHand = nil
        operation.outcome.reason = nil
        operation.outcome.isGivenBack = nil
        operation.outcome.candidates = nil
        operation.outcome.paymentID = payment.payment
        operation.outcome.orderID = payment.order
        operation.note(payment)
        // A page asks for its whole amount, so that a payment without a record is of that amount.
        operation.outcome.amount = payment.amount ?? checkoutTotal?.amount
        return operation
    }
}
