/// Outcomes entered by hand, for operations whose outcome no service knows. The journal records who entered an outcome and
/// when. A later response overrides the entry only if it shows that money moved.
extension ChargeJournal {
    /// Records an outcome entered by hand. The caller holds the operation's lock.
    ///
    /// - Parameters:
    ///   - isDone: whether it was carried out; otherwise nothing moved.
    ///   - person: who enters the outcome.
    ///   - payment: the payment at Clover, if known.
    ///   - amount: the amount that Clover shows of it; nil for what was asked for.
    ///   - elsewhere: what Clover shows as done with it elsewhere; nil for nothing, or if that is not shown.
    ///   - shown: of a page, what Clover shows of the payment; nil if it could not be asked.
    ///   - now: milliseconds since 1970.
    /// - Returns: the resulting operation; unchanged if it already had this outcome.
    /// - Throws: `PaymentPlanError.settledBefore` if a response proved another outcome; `.paymentOfAnother` if the journal has
    ///   the payment under another charge; `.shownAsPaid` if payments of a page are shown and `isDone` is false; `.neverSent` if
    ///   it was never sent and `isDone` is true; `.unsettled` for a part that is about to be given back, and `.alreadyDone` for
    ///   one that was.
    package func settleByHand(
        _ id: String, isDone: Bool, by person: String, payment: String?, amount: Int64? = nil,
        elsewhere: DoneElsewhere? = nil, shown: PageFact? = nil, now: Int64
    ) async throws -> PaymentOperation {
        try await write { database in
            let entry = try Self.entry(
                database, id, isDone: isDone, by: person, payment: payment, amount: amount, shown: shown)
            guard let change = entry.change else { return entry.operation }
            var operation = entry.operation
            var outcome = change.outcome
            outcome.elsewhere = elsewhere ?? outcome.elsewhere
            return try Self.rewrite(&operation, change.state, outcome, change.detail, at: now, in: database)
        }
    }

    /// Whether `settleByHand` would record this payment, or this amount of it, which the operation does not have yet. Nothing
    /// is written.
    ///
    /// - Throws: the errors of `settleByHand`.
    package func wouldRecord(payment: String, amount: Int64? = nil, of id: String) async throws -> Bool {
        try await read { database in
            let entry = try Self.entry(database, id, isDone: true, by: "", payment: payment, amount: amount)
            let known = entry.operation.outcome
            guard let new = entry.change?.outcome else { return false }
            // What is known of it may have changed.
            if entry.operation.rail.makesPage { return true }
            guard new.paymentID == payment else { return false }
            return known.paymentID != payment || amount != nil && amount != known.amount
        }
    }

    /// An outcome entered by hand, before it is recorded.
    private struct Entry {
        struct Change {
            let state: OperationState
            let outcome: OperationOutcome
            let detail: String
        }

        /// As the journal has it.
        let operation: PaymentOperation
        /// Nil if the operation has this outcome already.
        var change: Change?
    }

    private static func entry(
        _ database: any JournalTransaction, _ id: String, isDone: Bool, by person: String, payment: String?,
        amount: Int64? = nil, shown: PageFact? = nil
    ) throws -> Entry {
        guard let operation = try find(database, "id", id) else { throw JournalError.missing(id: id) }
        if !isDone, operation.isShownAsPaid { throw PaymentPlanError.shownAsPaid(id: id, operation.proofs) }
        let wasDone = operation.state == .approved
        let isByHand = operation.outcome.isByHand == true
        // A person decides which payment of a page that was paid more than once is the page's.
        var isOpen = operation.movedNoMoney && !operation.rail.isRecurring || operation.paymentsOfPage != nil
        let isContradicted = operation.outcome.contradiction != nil
        // A page that only a webhook shows as paid can be confirmed before the missing record is named.
        let isUnconfirmed = operation.isUnconfirmedPage
        let isSame = wasDone == isDone && (payment == nil || payment == operation.outcome.paymentID)
        let known = try facts(operation, shown, database)
        // What a person confirmed can be corrected as long as no money is kept.
        if operation.isSettledPage, !isSame, !operation.isShownAsPaid { isOpen = true }
        if operation.rail.makesPage, isContradicted || isUnconfirmed {
            if isSame { return acknowledgement(of: operation, by: person, known) }
            // Its payment was voided or given back since, or a person was wrong.
            if isContradicted { isOpen = true }
        }
        let isOtherAmount = isDone && amount != nil && amount != operation.outcome.amount
        if isByHand, isContradicted, isSame, !isOtherAmount {
            return acknowledgement(of: operation, by: person, known)
        }
        if operation.state.isFinal, !isOpen {
            let isOther = payment != nil && operation.outcome.paymentID != payment || isOtherAmount
            let isNews = wasDone && isDone && isOther
            if isNews, !isByHand, operation.outcome.paymentID != nil {
                throw PaymentPlanError.settledBefore(id: id, state: operation.state)
            }
            if wasDone == isDone, operation.outcome.contradiction != nil, !isByHand {
                // The person corrects the earlier entry, and now agrees with the response.
                return seen(operation, by: person, "it was as the response shows")
            }
            if isDone, operation.isUnacceptedPart {
                let followUps = try fetch(database, "parent = $1 ORDER BY place", [.text(id)])
                    .onPresentPayment(of: operation)
                let returns = followUps.filter { $0.kind == .void || $0.kind == .refund }
                if let open = returns.first(where: { !$0.state.isFinal }) {
                    throw PaymentPlanError.unsettled(open.kind, id: id, pending: open.id)
                }
                let totals = ChargeTotals(operation, followUps)
                if totals.isGivenBack {
                    throw PaymentPlanError.alreadyDone(totals.isVoided ? .void : .refund, id: id)
                }
                if returns.allSatisfy({ $0.state != .approved }) {
                    return seen(operation, by: person, "the part is accepted")
                }
            }
            if wasDone == isDone, !(isNews && isByHand) { return Entry(operation: operation) }
            // Records that did not show a payment do not outweigh a person who has seen it.
            // The report of a reader's driver about its own charge stands.
            let isUnresponsive = operation.outcome.isProvisional == true && !operation.rail.rules.hasReader
            guard isByHand || isUnresponsive else {
                throw PaymentPlanError.settledBefore(id: id, state: operation.state)
            }
        }
        if operation.state == .created, isDone { throw PaymentPlanError.neverSent(id: id) }
        if let payment, operation.kind == .charge, let other = try owner(database, of: payment, besides: id) {
            throw PaymentPlanError.paymentOfAnother(id: id, payment: payment, other: other.id)
        }
        let word = isDone ? "it was carried out" : "it was not carried out"
        var outcome = OperationOutcome(reason: "recorded by \(person): \(word)")
        outcome.isByHand = true
        outcome.settledBy = person
        var page = operation
        page.keepExpiry()
        outcome.session = page.outcome.session
        // What only a person named before is corrected by an entry that names another payment, or none.
        outcome.settled = known?.filter { $0.isNamed != true || isDone && [nil, $0.payment].contains(payment) }
        if isDone { outcome.page = operation.outcome.page.flatMap { $0 == .givenBack ? $0 : nil } }
        if isDone, wasDone, payment == nil || payment == operation.outcome.paymentID {
            outcome.elsewhere = operation.outcome.elsewhere
        }
        if !isDone, operation.isNeverSent { outcome.neverLeft = true }
        outcome.paymentID = isDone ? payment : nil
        outcome.amount = isDone ? amount ?? operation.asked?.minorUnits : nil
        // The person did not say that it is not the charge's: it is looked at again.
        if isDone, payment == nil, Verdict.namesPart(operation.outcome) {
            outcome.candidates = operation.outcome.candidates
        }
        if isDone { outcome = operation.accepting(outcome, of: payment) }
        return Entry(
            operation: operation,
            change: Entry.Change(
                state: isDone ? .approved : .failed, outcome: outcome, detail: "by hand, \(person): \(word)"))
    }

    /// What is known of a page's payments; nil for anything else. One that the journal has under another charge or page by now is
    /// that one's.
    ///
    /// - Parameter shown: what Clover shows of one of them now.
    private static func facts(
        _ page: PaymentOperation, _ shown: PageFact?, _ database: any JournalTransaction
    ) throws -> [PageFact]? {
        guard let known = page.knownFacts else { return nil }
        return try PageFact.merged(known, [shown].compactMap(\.self)).map { fact in
            guard fact.isOwn, PageEvidence.canBeAsked(fact.payment),
                let other = try owner(database, of: fact.payment, besides: page.id), !other.isPaidByWebhookAlone
            else { return fact }
            return PageFact(fact.payment, .others, owner: other.id)
        }
    }

    /// The entry of a person who agrees with what a response has shown.
    private static func seen(_ operation: PaymentOperation, by person: String, _ words: String) -> Entry {
        var outcome = operation.outcome
        // The same again is no news.
        if let contradiction = outcome.contradiction {
            outcome.acknowledged = (outcome.acknowledged ?? []) + [contradiction]
        }
        outcome.contradiction = nil
        outcome.settledBy = person
        let detail = "by hand, \(person): \(words)"
        return Entry(
            operation: operation, change: Entry.Change(state: operation.state, outcome: outcome, detail: detail))
    }

    /// The entry of a person who has seen what contradicts the outcome, and stays with the outcome.
    ///
    /// - Parameter known: of a page, what is known of its payments.
    private static func acknowledgement(
        of operation: PaymentOperation, by person: String, _ known: [PageFact]?
    ) -> Entry {
        var page = operation
        page.keepExpiry()
        var outcome = page.outcome
        if operation.rail.makesPage {
            (outcome.settled, outcome.shown, outcome.acknowledged) = (known, nil, nil)
            outcome.isByHand = true
        } else {
            outcome.acknowledged = (outcome.acknowledged ?? []) + [outcome.contradiction].compactMap(\.self)
        }
        outcome.contradiction = nil
        if outcome.page != .givenBack { outcome.page = nil }
        outcome.settledBy = person
        if operation.rail.makesPage {
            let isDone = operation.state == .approved
            outcome.reason = "recorded by \(person): it was \(isDone ? "" : "not ")carried out"
            if isDone { outcome = operation.accepting(outcome, of: nil) }
        } else if operation.state == .approved {
            // What the person has seen stays there to read.
            outcome.reason = outcome.reason ?? operation.outcome.contradiction
        }
        return Entry(
            operation: operation,
            change: Entry.Change(
                state: operation.state, outcome: outcome, detail: "by hand, \(person): it stays as it is recorded"))
    }

    /// Operations to recheck, oldest first: those changed since `time` whose outcome was entered by hand or rests on
    /// records that did not show a payment, and all whose outcome a later response contradicted, until a person corrects
    /// the entry. Where records did not show a payment, the interval between two checks grows; the first one takes place
    /// whatever the clock shows, which may have been set since.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970, as `now` is.
    package func doubtful(since time: Int64, now: Int64) async throws -> [PaymentOperation] {
        try await read {
            try Self.fetch(
                $0,
                """
                state IN ('approved', 'declined', 'cancelled', 'failed') AND rail <> 'square'
                    AND (updated_at >= $1
                            AND (CAST(json_extract(outcome, '$.isByHand') AS bigint) = 1
                                OR json_extract(outcome, '$.settled') IS NOT NULL
                                OR CAST(json_extract(outcome, '$.isProvisional') AS bigint) = 1
                                AND $2 - updated_at
                                    >= 2 * COALESCE(CAST(json_extract(outcome, '$.askedAt') AS bigint), 0))
                        OR CAST(json_extract(outcome, '$.isProvisional') AS bigint) = 1
                            AND json_extract(outcome, '$.askedAt') IS NULL
                        OR json_extract(outcome, '$.contradiction') IS NOT NULL)
                    ORDER BY place
                """, [.integer(time), .integer(now)])
        }
    }

    /// Pages that a look has found to need a person, oldest first, and that changed since `time`: paid more than once, by
    /// something else than they asked for, or by one payment while the refund of another is pending. Those that `doubtful`
    /// names are left out, and those that ended without a sign of a payment: customers leave many pages.
    ///
    /// - Parameter time: milliseconds since 1970.
    package func pagesInDoubt(since time: Int64) async throws -> [PaymentOperation] {
        try await read {
            try Self.fetch(
                $0,
                """
                rail = 'hosted-checkout' AND state = 'approved' AND updated_at >= $1
                    AND (json_extract(outcome, '$.candidates') IS NOT NULL
                        OR json_extract(outcome, '$.reason') LIKE $2)
                    AND json_extract(outcome, '$.isByHand') IS NULL
                    AND json_extract(outcome, '$.contradiction') IS NULL
                    AND json_extract(outcome, '$.settled') IS NULL
                    ORDER BY place
                """, [.integer(time), .text("%\(PaymentOperation.pendingElsewhere)%")])
        }
    }

    /// Records that an operation was checked again without a new finding.
    package func recordRecheck(_ id: String, now: Int64) async throws {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard operation.outcome.isProvisional == true, operation.outcome.isByHand != true else { return }
            // `updatedAt` stays the time of the outcome.
            operation.outcome.askedAt = max(1, now - operation.updatedAt)
            try OperationRow.update(operation, in: database)
        }
    }

    /// Compares the outcome of an operation with a new verdict, and records the result. A payment that is shown always
    /// prevails; a payment that a person has seen is never undone.
    ///
    /// - Returns: the resulting operation.
    package func hear(_ id: String, _ verdict: Verdict, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard let operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard verdict.isKnown else { return operation }
            let (state, heard) = verdict.record
            return try Self.heard(operation, state, heard, at: now, in: database)
        }
    }

    /// The same for an outcome that was proved.
    static func heard(
        _ present: PaymentOperation, _ state: OperationState, _ heard: OperationOutcome, at now: Int64,
        in database: any JournalTransaction
    ) throws -> PaymentOperation {
        var operation = present
        let isByHand = operation.outcome.isByHand == true
        guard operation.state.isFinal, isByHand || operation.outcome.isProvisional == true else {
            return operation
        }
        let wasDone = operation.state == .approved
        let isDone = state == .approved
        if !isByHand {
            guard isDone, !wasDone else { return operation }
            var outcome = heard
            outcome.contradiction =
                "Clover's records did not show it, and it was recorded as \(operation.state.rawValue); "
                + "checked later, they show that it was carried out"
            return try Self.rewrite(&operation, state, outcome, outcome.contradiction ?? "", at: now, in: database)
        }
        let person = operation.outcome.settledBy ?? "the account's owner"
        if wasDone == isDone {
            var outcome = heard
            outcome.settledBy = operation.outcome.settledBy
            var detail = "checked again: it matches what was recorded by hand"
            if operation.kind == .charge, operation.settled(state, heard).isPartial, var part = operation.amount,
                heard.amount != operation.outcome.amount
            {
                part.minorUnits = heard.amount ?? 0
                detail = "\(person) recorded it as paid; asked later, only \(part) was approved"
                outcome.contradiction = detail
            } else if operation.kind == .charge, operation.rail.isCharge, let named = operation.outcome.paymentID,
                let shown = heard.paymentID, named != shown
            {
                detail = "\(person) recorded the payment \(named); asked later, it is \(shown)"
                outcome.contradiction = detail
            }
            return try Self.rewrite(&operation, state, outcome, detail, at: now, in: database)
        }
        let why = heard.reason ?? heard.code
        let finding =
            "; asked later, the answer is that it was" + (isDone ? "" : " not" + (why.map { " (\($0))" } ?? ""))
        let contradiction = "\(person) recorded that it was \(wasDone ? "" : "not ")carried out" + finding
        var outcome = isDone ? heard : operation.outcome
        if operation.outcome.contradiction == contradiction { return operation }
        if !isDone, operation.outcome.hasAcknowledged(finding) { return operation }
        outcome.settledBy = operation.outcome.settledBy
        outcome.contradiction = contradiction
        return try Self.rewrite(
            &operation, isDone ? state : operation.state, outcome, contradiction, at: now, in: database)
    }

    /// Records what contradicts an outcome that a person entered, or an approved charge, which stays until a person corrects or
    /// confirms it; or that it is not shown any more.
    ///
    /// - Returns: the resulting operation.
    func contradict(_ id: String, _ outcome: OperationOutcome, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            let isOpen = operation.outcome.isByHand == true || operation.state == .approved
            guard isOpen, operation.outcome != outcome else { return operation }
            let detail = outcome.contradiction ?? "checked again: what contradicted it is not shown any more"
            return try Self.rewrite(&operation, operation.state, outcome, detail, at: now, in: database)
        }
    }

    /// Records what Clover shows as done elsewhere with the payment of an approved charge; nil for nothing.
    ///
    /// - Returns: the resulting operation.
    func record(elsewhere: DoneElsewhere?, of id: String, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard operation.state == .approved, operation.outcome.elsewhere != elsewhere else { return operation }
            var outcome = operation.outcome
            outcome.elsewhere = elsewhere
            let words = operation.settled(.approved, outcome).wordsElsewhere ?? "Clover shows nothing done elsewhere"
            return try Self.rewrite(&operation, .approved, outcome, "asked again: \(words)", at: now, in: database)
        }
    }

    /// Opens an operation again whose end rests on records that did not show a payment, and now show one that may be its own.
    package func reopen(_ id: String, _ outcome: OperationOutcome, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard operation.outcome.isProvisional == true, operation.outcome.isByHand != true else { return operation }
            return try Self.rewrite(
                &operation, .unknown, outcome, outcome.reason ?? "checked again: a payment may be this one", at: now,
                in: database)
        }
    }

    /// Records that a refund that was pending has succeeded, or failed after all.
    ///
    /// - Returns: the resulting operation.
    func hearPendingRefund(_ id: String, hasFailed: Bool, now: Int64) async throws -> PaymentOperation {
        try await write { database in
            guard var operation = try Self.find(database, "id", id) else { throw JournalError.missing(id: id) }
            guard operation.isPendingRefund else { return operation }
            var outcome = operation.outcome
            (outcome.isProvisional, outcome.askedAt, outcome.reason) = (nil, nil, nil)
            guard hasFailed else {
                let detail = "checked again: the refund has succeeded"
                return try Self.rewrite(&operation, .approved, outcome, detail, at: now, in: database)
            }
            outcome.amount = nil
            outcome.contradiction = "the refund was pending; checked later, Clover shows that it failed"
            return try Self.rewrite(&operation, .declined, outcome, outcome.contradiction ?? "", at: now, in: database)
        }
    }

    private static func rewrite(
        _ operation: inout PaymentOperation, _ state: OperationState, _ outcome: OperationOutcome, _ detail: String,
        at now: Int64, in database: any JournalTransaction
    ) throws -> PaymentOperation {
        operation.state = state
        operation.outcome = outcome
        operation.updatedAt = now
        try OperationRow.update(operation, in: database)
        try note(database, operation.id, state, detail, at: now)
        return operation
    }
}
