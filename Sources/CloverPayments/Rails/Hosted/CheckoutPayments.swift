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
        guard tree["result"]?.string == "SUCCESS" else {
            let unpaid = Unpaid(tree)
            throw unpaid.change(of: checkout) ?? unpaid.denial(of: checkout)
        }
        var payment = Payment(
            payment: id, order: tree["order"]?["id"]?.string, amount: tree["amount"]?.int,
            currency: tree["order"]?["currency"]?.string)
        Self.addRefunds(of: tree, in: .null, to: &payment)
        return payment
    }

    /// Adds what was given back of a payment, by its own refunds and those of its order.
    private static func addRefunds(of record: JSONTree, in order: JSONTree, to payment: inout Payment) {
        // One that failed, was voided or is only held cannot be refunded.
        let paid = (order["payments"]?["elements"]?.list ?? []).filter { $0["result"]?.string == "SUCCESS" }
        let isOnly = !paid.isEmpty && paid.allSatisfy { $0["id"]?.string == payment.payment }
        let ofOrder = (order["refunds"]?["elements"]?.list ?? []).filter { refund in
            refund["payment"]?.identifier.map { $0 == payment.payment } ?? isOnly
        }
        var amounts: [String: Int64] = [:]
        for (place, refund) in ((record["refunds"]?["elements"]?.list ?? []) + ofOrder).enumerated() {
            // One that failed, or is not done yet, gave nothing back.
            guard refund["voided"]?.bool != true, refund["status"]?.string ?? "SUCCESS" == "SUCCESS" else { continue }
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
            isOver = ["FAIL", "VOIDED"].contains(result)
            isVoided = result == "VOIDED"
            words =
                payment.isEmpty ? "without an ID" : result.map { "with the result '\($0)'" } ?? "without a result"
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
    }

    /// Looks for the payments of a session.
    ///
    /// - Throws: `CheckoutError.unreadable`; `.malformed` if the orders cannot be proved complete; `.otherAmount` if they contradict
    ///   themselves. None is no proof that nothing was paid.
    package func look(for checkout: PaymentOperation) async throws(CheckoutError) -> Look {
        guard let reference = checkout.externalID else { return Look() }
        let start = (checkout.outcome.session?.createdAt ?? checkout.createdAt) - Self.margin
        var look = Look()
        var records: [String: JSONTree] = [:]
        var fault: CheckoutError?
        let path =
            "/v3/merchants/\(checkout.merchantID)/orders?filter=createdTime%3E%3D\(start)&expand=lineItems,payments,refunds"
        do throws(RecordReader.Failure) {
            try await self.records.list(path, pageSize: Self.pageSize) { order, row in
                let lines = row["lineItems"]?["elements"]?.list ?? []
                guard lines.contains(where: { $0["note"]?.string?.hasSuffix(reference) == true }) else { return }
                let payments = row["payments"] ?? .null
                guard payments == .null || payments["elements"]?.list != nil else {
                    fault = fault ?? .malformed("the payments of the order \(order) cannot be understood")
                    return
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
                        if payment["result"]?.string == "SUCCESS" {
                            var paid = Payment(
                                payment: id, order: order, amount: payment["amount"]?.int,
                                currency: row["currency"]?.string)
                            Self.addRefunds(of: payment, in: row, to: &paid)
                            look.paid.append(paid)
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

/// What went wrong with a Hosted Checkout.
package enum CheckoutError: Error, Equatable, Sendable {
    /// The records could not be read, for this reason.
    case unreadable(String)
    /// The same, because the response cannot be understood, or may not show all.
    case malformed(String)
    /// No checkout of the journal has this ID or session.
    case missing(String)
    /// The session of this key has ended.
    case expired(id: String)
    /// The session ended, and no payment was seen but those that are not known to have taken money. It may have been paid.
    case unseen(id: String, isDeclined: Bool, reason: String?, unpaid: [CheckoutPayments.Unpaid] = [])
    /// The time of the run ended before that.
    case stillOpen(id: String, seconds: Double)
    /// Several payments of one session; `reason` is a clause, such as `paid more than once: 3PJ9..., 7QK2...`.
    case paidTwice(id: String, payments: [String], reason: String)
    /// A page that is recorded as paid because of a webhook alone, whose payment the merchant's records do not have.
    case unconfirmed(id: String, payment: String)
    /// A payment for a page that is not what the page asked for; `reason` is a sentence about it.
    case otherAmount(id: String, payment: String, reason: String)
    /// A payment for a page that was refunded as a whole since, as all others of the page were; `reason` is a sentence about it.
    case givenBack(id: String, payment: String, reason: String)

    init(_ failure: RecordReader.Failure) {
        let reason = "the merchant's orders and payments cannot be read: \(failure.reason)"
        if case .malformed = failure { self = .malformed(reason) } else { self = .unreadable(reason) }
    }

    /// That no payment was seen which took money, as a clause.
    package static func words(for unpaid: [CheckoutPayments.Unpaid]) -> String {
        unpaid.isEmpty
            ? "no payment was seen"
            : "no payment that took money was seen: its order has " + unpaid.map(\.text).joined(separator: ", ")
    }

    /// What was found that a person has to judge, as a clause, and whose payment it is; nil for any other error.
    package var finding: String? {
        switch self {
        case .unseen(_, let isDeclined, _, let unpaid):
            "the page has ended, and \(Self.words(for: unpaid))" + (isDeclined ? "; a card was declined" : "")
        case .otherAmount(_, let payment, let reason), .givenBack(_, let payment, let reason):
            "of the payment \(payment): \(reason)"
        case .unconfirmed(_, let payment): "the merchant's records have no payment \(payment)"
        case .paidTwice(_, _, let reason): reason
        case .unreadable, .malformed, .missing, .expired, .stillOpen: nil
        }
    }

    /// Whether a person has settled the page in the knowledge of this.
    package func isAcknowledged(by checkout: PaymentOperation) -> Bool {
        guard let finding else { return false }
        return checkout.outcome.acknowledged?.contains(finding) ?? false
    }

    /// Why records could not be read; nil for any other error.
    package var obstacle: String? {
        switch self {
        case .unreadable(let reason), .malformed(let reason): reason
        default: nil
        }
    }
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
            let known = operation.outcome.paymentID
            if let known, operation.outcome.candidates == nil, !isByHand, !isConfirmation, !former.contains(known) {
                let before = operation.outcome
                operation.note(payment)
                // What an earlier look found is over: a refund failed or was voided since. A person's entry is not corrected here.
                if !isByWebhookAlone, known == payment.payment, operation.outcome.settledBy == nil {
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
            // A webhook may come without the payment's ID.
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
        let all = (outcome.acknowledged ?? []) + [words].compactMap(\.self)
        return all.isEmpty ? nil : all
    }

    /// Notes what was given back of the payment of a page.
    mutating func note(_ payment: CheckoutPayments.Payment) {
        outcome.reason = payment.refund(of: self).map { "\($0) of it were refunded since" }
    }

    /// The payments of a checkout that has several; nil for any other.
    package var paymentsOfPage: [String]? {
        guard rail.makesPage, state == .approved, let payments = outcome.candidates, payments.count > 1 else {
            return nil
        }
        return payments
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
            operation.outcome.contradiction = "\(person) recorded it as not paid; a payment is shown"
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
