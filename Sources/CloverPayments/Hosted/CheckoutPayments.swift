import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput
import GRDB

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

        package init(payment: String, order: String? = nil, amount: Int64? = nil, currency: String? = nil) {
            self.payment = payment
            self.order = order
            self.amount = amount
            self.currency = currency
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
    }

    /// The payment with this ID; nil if there is none, or it took no money.
    ///
    /// - Parameter id: letters and digits.
    /// - Throws: `CheckoutError.unreadable` and `.malformed`.
    package func payment(_ id: String, of checkout: PaymentOperation) async throws(CheckoutError) -> Payment? {
        let path = "/v3/merchants/\(checkout.merchantID)/payments/\(id)?expand=order"
        let tree: JSONTree
        do throws(RecordReader.Failure) {
            tree = try await records.response(path).tree
        } catch {
            if case .answered(404, _) = error { return nil }
            throw CheckoutError(error)
        }
        guard tree["id"]?.string == id, tree["result"]?.string == "SUCCESS" else { return nil }
        return Payment(
            payment: id, order: tree["order"]?["id"]?.string, amount: tree["amount"]?.int,
            currency: tree["order"]?["currency"]?.string)
    }

    /// The payments of a session: several if it was paid twice.
    ///
    /// - Throws: `CheckoutError.unreadable`; `.malformed` if the orders cannot be proved complete. None is no proof that nothing was paid.
    package func payments(of checkout: PaymentOperation) async throws(CheckoutError) -> [Payment] {
        guard let reference = checkout.externalID else { return [] }
        let start = (checkout.outcome.session?.createdAt ?? checkout.createdAt) - Self.margin
        var found: [Payment] = []
        let path =
            "/v3/merchants/\(checkout.merchantID)/orders?filter=createdTime%3E%3D\(start)&expand=lineItems,payments"
        do throws(RecordReader.Failure) {
            try await records.list(path, pageSize: Self.pageSize) { order, row in
                let lines = row["lineItems"]?["elements"]?.list ?? []
                guard lines.contains(where: { $0["note"]?.string?.hasSuffix(reference) == true }) else { return }
                for payment in row["payments"]?["elements"]?.list ?? [] where payment["result"]?.string == "SUCCESS" {
                    guard let id = payment["id"]?.string, !found.contains(where: { $0.payment == id }) else { continue }
                    found.append(
                        Payment(
                            payment: id, order: order, amount: payment["amount"]?.int,
                            currency: row["currency"]?.string))
                }
            }
        } catch {
            throw CheckoutError(error)
        }
        return found
    }
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
    /// The session ended, and no payment was seen. It may have been paid.
    case unseen(id: String, isDeclined: Bool, reason: String?)
    /// The time of the run ended before that.
    case stillOpen(id: String, seconds: Double)
    /// Payments of one session: one is too many.
    case paidTwice(id: String, payments: [String])
    /// A payment for a page that is not what the page asked for; `reason` is a sentence about it.
    case otherAmount(id: String, payment: String, reason: String)

    init(_ failure: RecordReader.Failure) {
        let reason = "the merchant's orders and payments cannot be read: \(failure.reason)"
        if case .malformed = failure { self = .malformed(reason) } else { self = .unreadable(reason) }
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
                "rail = 'hosted-checkout' AND (id = ?1 OR json_extract(outcome, '$.session.id') = ?1) LIMIT 1", [name]
            ).first
        }
    }

    /// Records the payment of a checkout, unless it has one that no person entered.
    ///
    /// - Returns: the resulting operation.
    /// - Throws: `PaymentPlanError.paymentOfAnother` if the journal has the payment under another charge or page.
    package func recordPayment(
        _ payment: CheckoutPayments.Payment, of id: String, detail: String, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let isByHand = operation.outcome.isByHand == true
            if operation.outcome.paymentID != nil, !isByHand { return operation }
            let other = try Self.fetch(
                database, "kind = 'charge' AND id <> ? AND json_extract(outcome, '$.paymentID') = ?",
                [id, payment.payment]
            ).first
            // A webhook may come without the payment's ID.
            if let other, !payment.payment.isEmpty {
                throw PaymentPlanError.paymentOfAnother(id: id, payment: payment.payment, other: other.id)
            }
            operation = operation.paid(by: payment)
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, detail, at: now)
            return operation
        }
    }
}

extension PaymentOperation {
    /// The checkout with its payment, which outweighs what a person entered.
    package func paid(by payment: CheckoutPayments.Payment) -> PaymentOperation {
        var operation = self
        if state != .approved, let person = outcome.settledBy {
            operation.outcome.contradiction = "\(person) recorded it as not paid; a payment is shown"
        }
        operation.state = .approved
        operation.outcome.isByHand = nil
        operation.outcome.reason = nil
        operation.outcome.paymentID = payment.payment
        operation.outcome.orderID = payment.order
        // A page asks for its whole amount, so that a payment without a record is of that amount.
        operation.outcome.amount = payment.amount ?? checkoutTotal?.amount
        return operation
    }
}
