import CloverAPI
import CloverHTTP
import CloverJSON

/// Reads what the merchant's records show of a Hosted Checkout session. No request reads a session, so an order is found by the
/// reference in the notes of its line items.
package struct CheckoutPayments: Sendable {
    private let records: RecordReader

    /// Orders have much within them.
    private static let pageSize = 100

    package init(client: PaymentClient) {
        records = RecordReader(client: client)
    }

    /// All that is known of a page now.
    ///
    /// - Parameters:
    ///   - reports: what webhooks say of it.
    ///   - acceptsLateRecords: whether a webhook alone is taken for now although the record of its payment is overdue.
    ///   - now: milliseconds since 1970.
    /// - Throws: an error of the journal. What cannot be read of the service is part of the evidence.
    package func evidence(
        on page: PaymentOperation, _ reports: [PageReport] = [], in journal: ChargeJournal,
        acceptsLateRecords: Bool = false, now: Int64
    ) async throws -> PageEvidence {
        var evidence = PageEvidence(page: page, now: now)
        evidence.reports = reports
        evidence.acceptsLateRecords = acceptsLateRecords
        guard page.outcome.session != nil else { return evidence }
        let named = evidence.named
        evidence.records = try await read(page, naming: named, in: journal)
        var ids = named
        if case .read(let records) = evidence.records { ids += records.payments.map(\.id) }
        for id in Set(ids) where !id.isEmpty { evidence.owners[id] = try await journal.owner(of: id, besides: page.id) }
        return evidence
    }

    /// What the records show of a page.
    ///
    /// - Parameter named: payments that webhooks or the journal name, which may be in orders of other pages.
    package func read(
        _ page: PaymentOperation, naming named: [String], in journal: ChargeJournal
    ) async throws -> PageEvidence.Reading {
        var found = PageRecords()
        let elsewhere: [String: Elsewhere]
        do throws(PageObstacle) {
            (found, elsewhere) = try await orders(of: page, naming: named)
        } catch {
            return .unread(error)
        }
        for (payment, place) in elsewhere {
            guard let other = try await journal.page(besides: page, withReference: place.references) else { continue }
            found.elsewhere[payment] = PageRecords.Place(order: place.order, page: other)
        }
        for id in named
        where PageEvidence.canBeAsked(id) && found.elsewhere[id] == nil
            && !found.payments.contains(where: { $0.id == id })
        {
            found.asked[id] = await answer(to: id, on: page)
        }
        return .read(found)
    }

    /// What the record of a payment shows.
    private func answer(to id: String, on page: PaymentOperation) async -> PageRecords.Answer {
        let path = "/v3/merchants/\(page.merchantID)/payments/\(id)?expand=order,refunds"
        let tree: JSONTree
        do throws(RecordReader.Failure) {
            tree = try await records.response(path).tree
        } catch {
            if case .answered(404, _) = error { return .missing }
            return .unread(PageObstacle(error))
        }
        guard tree["id"]?.string == id else { return .missing }
        let order = tree["order"]
        var excess: Int64 = 0
        return .payment(
            Self.payment(tree, order?["id"]?.string, order?["currency"]?.string, in: .null, excess: &excess))
    }

    /// The order of a payment that does not have the page's reference.
    private struct Elsewhere {
        let order: String
        /// What may be the references of other pages: the last words of its notes.
        let references: [String]
    }

    private func orders(
        of page: PaymentOperation, naming named: [String]
    ) async throws(PageObstacle) -> (PageRecords, [String: Elsewhere]) {
        guard let reference = page.externalID else { return (PageRecords(), [:]) }
        var found = PageRecords()
        var elsewhere: [String: Elsewhere] = [:]
        var known: [String: PagePayment] = [:]
        var fault: PageObstacle?
        let path =
            "/v3/merchants/\(page.merchantID)/orders?filter=createdTime%3E%3D\(page.earliestPayment)"
            + "&expand=lineItems,payments,refunds"
        do throws(RecordReader.Failure) {
            try await records.list(path, pageSize: Self.pageSize) { order, row in
                let lines = row["lineItems"]?["elements"]?.list ?? []
                let payments = row["payments"] ?? .null
                guard lines.contains(where: { $0["note"]?.string?.hasSuffix(reference) == true }) else {
                    let ends = lines.compactMap { $0["note"]?.string.map { String($0.suffix(reference.count)) } }
                    for id in (payments["elements"]?.list ?? []).compactMap({ $0["id"]?.string })
                    where named.contains(id) {
                        elsewhere[id] = Elsewhere(order: order, references: ends)
                    }
                    return
                }
                guard payments == .null || payments["elements"]?.list != nil else {
                    fault =
                        fault
                        ?? PageObstacle(.malformed, "the payments of the order \(order) cannot be understood")
                    return
                }
                for refund in Self.looseRefunds(of: row) {
                    found.add(looseRefund: max(0, refund["amount"]?.amount ?? 0))
                }
                for record in payments["elements"]?.list ?? [] {
                    var excess: Int64 = 0
                    let payment = Self.payment(record, order, row["currency"]?.string, in: row, excess: &excess)
                    if !payment.id.isEmpty {
                        if var other = known[payment.id] {
                            other.order = payment.order
                            if other != payment { found.contradictory = found.contradictory ?? payment.id }
                            continue
                        }
                        known[payment.id] = payment
                    }
                    found.payments.append(payment)
                    if excess > 0 { found.add(looseRefund: excess) }
                }
            }
        } catch {
            throw PageObstacle(error)
        }
        if let fault { throw fault }
        return (found, elsewhere)
    }

    /// - Parameters:
    ///   - order: the row of its order; null if that was not read.
    ///   - excess: what was refunded above the payment and its tip, in the smallest unit: it may belong to another payment.
    private static func payment(
        _ record: JSONTree, _ orderID: String?, _ currency: String?, in order: JSONTree, excess: inout Int64
    ) -> PagePayment {
        var payment = PagePayment(
            record["id"]?.string ?? "", order: orderID, amount: record["amount"]?.int, currency: currency,
            result: record["result"]?.string.map(ServiceErrorBody.oneLine))
        payment.isHeld = payment.result == "SUCCESS" && PayDisplayResponseParser.isHeld(record)
        payment.madeAt = record["createdTime"]?.int
        if payment.isPaid { excess = addRefunds(of: record, in: order, to: &payment) }
        return payment
    }

    /// Whether a record shows that a payment took money, and is not only held.
    private static func isPaid(_ record: JSONTree) -> Bool {
        record["result"]?.string == "SUCCESS" && !PayDisplayResponseParser.isHeld(record)
    }

    /// Adds what was given back of a payment, by its own refunds and those of its order. A refund that names another payment is
    /// none of this one, wherever it is.
    ///
    /// - Returns: what was refunded above it.
    private static func addRefunds(
        of record: JSONTree, in order: JSONTree, to payment: inout PagePayment
    ) -> Int64 {
        // One that failed, was voided or is only held cannot be refunded.
        let paid = (order["payments"]?["elements"]?.list ?? []).filter(isPaid)
        let id = payment.id
        let isOnly = !paid.isEmpty && paid.allSatisfy { $0["id"]?.string == id }
        let ofOrder = order["refunds"]?["elements"]?.list ?? []
        func names(_ refund: JSONTree, orNone: Bool) -> Bool {
            refund["payment"]?.identifier.map { $0 == id } ?? orNone
        }
        let own = (record["refunds"]?["elements"]?.list ?? []).filter { names($0, orNone: true) }
        var amounts: [String: Int64] = [:]
        for (place, refund) in (own + ofOrder.filter { names($0, orNone: isOnly) }).enumerated() {
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
        // What was refunded of another payment may have made the order's state.
        if isOnly, order["paymentState"]?.string == "REFUNDED", ofOrder.allSatisfy({ names($0, orNone: true) }) {
            payment.refunded = max(payment.refunded, payment.amount ?? 0)
        }
        guard let amount = payment.amount, amount >= 0 else { return 0 }
        return max(0, payment.refunded - amount - max(0, record["tipAmount"]?.amount ?? 0))
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
}
