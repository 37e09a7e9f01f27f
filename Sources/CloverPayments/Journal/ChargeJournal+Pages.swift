/// Pages of Hosted Checkout: whose a payment is, and what looks have found.
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

    /// The charge or page that has a payment, besides this one; nil if there is none.
    func owner(of payment: String, besides id: String) async throws -> PageEvidence.Owner? {
        try await read { try Self.owner($0, of: payment, besides: id) }
            .map { PageEvidence.Owner(id: $0.id, isByReportAlone: $0.isPaidByWebhookAlone) }
    }

    static func owner(
        _ database: any JournalTransaction, of payment: String, besides id: String
    ) throws -> PaymentOperation? {
        guard !payment.isEmpty else { return nil }
        let named = try fetch(
            database, "kind = 'charge' AND id <> $1 AND json_extract(outcome, '$.paymentID') = $2",
            [.text(id), .text(payment)])
        if let owner = named.first { return owner }
        // A person may have accepted several payments of a page.
        return try fetch(
            database,
            "rail = 'hosted-checkout' AND state = 'approved' AND id <> $1 "
                + "AND json_extract(outcome, '$.settled') LIKE $2",
            [.text(id), .text("%\"\(payment)\"%")]
        ).first { page in page.acceptedFacts.contains { $0.payment == payment } }
    }

    /// Records the payment of a checkout, unless it has one that no person entered.
    ///
    /// - Parameter isByWebhookAlone: whether the merchant's records do not show the payment so far. What they show later is
    ///   recorded in its place.
    /// - Returns: the resulting operation.
    /// - Throws: `PaymentPlanError.paymentOfAnother` if the journal has the payment under another charge or page.
    package func recordPayment(
        _ payment: PagePayment, of id: String, isByWebhookAlone: Bool = false, after former: [String] = [],
        detail: String, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            if let page = operation.confirmed(by: payment, isByWebhookAlone: isByWebhookAlone, after: former) {
                if page.outcome != operation.outcome { try OperationRow.update(page, in: database) }
                return page
            }
            if let other = try Self.owner(database, of: payment.id, besides: id) {
                throw PaymentPlanError.paymentOfAnother(id: id, payment: payment.id, other: other.id)
            }
            operation.keepExpiry()
            operation = operation.paid(by: payment)
            if isByWebhookAlone { operation.outcome.isProvisional = true }
            operation.updatedAt = now
            try OperationRow.update(operation, in: database)
            try Self.note(database, id, operation.state, detail, at: now)
            return operation
        }
    }

    /// Records what a look at a checkout found that does not show it as paid, or shows several payments: a person decides.
    package func record(_ verdict: PageVerdict, of id: String, now: Int64) async throws {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let before = operation.outcome
            operation.note(verdict, now: now)
            guard operation.outcome != before else { return }
            try OperationRow.update(operation, in: database)
            let words = operation.outcome.contradiction ?? (verdict.isOpen ? nil : verdict.clause)
            try Self.note(database, id, operation.state, words, at: now)
        }
    }
}
