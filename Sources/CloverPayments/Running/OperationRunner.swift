import CloverAPI
import CloverHTTP
import Synchronization

/// Carries out operations: records them, sends them under one key, and settles them as far as that is possible at once.
///
/// Cancelling the caller's task does not interrupt anything here; `stop` ends a charge early.
package struct OperationRunner: Sendable {
    package struct Clock: Sendable {
        /// Milliseconds since 1970.
        package let now: @Sendable () -> Int64
        /// The time on the clock of this boot; nil if it cannot be read.
        let boot: @Sendable () -> BootTime?
        /// Waits this many seconds; throws when cancelled.
        let sleep: @Sendable (Double) async throws -> Void

        package init(
            now: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> BootTime?,
            sleep: @escaping @Sendable (Double) async throws -> Void
        ) {
            self.now = now
            self.boot = boot
            self.sleep = sleep
        }
    }

    /// An operation that was not carried out, with the error that explains why.
    package struct NotCarriedOut: Error, Sendable {
        package let operation: PaymentOperation
        package let cause: any Error
    }

    /// An operation that was sent, but whose outcome could not be recorded, or whose journal could not be read. Its outcome
    /// was reported; the journal has it as unsettled.
    package struct Unrecorded: Error, Sendable {
        /// The operation, with its outcome as far as it is known.
        package let operation: PaymentOperation
        /// The journal's error.
        package let cause: any Error
    }

    package let journal: ChargeJournal
    var client: PaymentClient
    package let clock: Clock
    let reader: (any PaymentReader)?
    /// Looks up charges that a reader may have taken in an earlier run; nil if no driver keeps a record.
    package var recollection: (any ReaderChargeLookup)?
    /// Removes this run's secrets from a service's words before they are recorded and reported.
    package var concealed: @Sendable (String) -> String = { $0 }
    let stop: ChargeCanceller
    var onEvent: @Sendable (ChargeEvent) async -> Void
    var call: OperationRequestBuilder { OperationRequestBuilder(hosts: client.hosts) }

    /// Seconds before a request is repeated.
    static let pause = 1.0
    /// Seconds between two looks for a payment after a cancellation at the device.
    private static let lookPause = 3.0

    /// - Parameters:
    ///   - reader: for charges by a reader.
    ///   - onEvent: must not discard events: the final state is reported only once.
    package init(
        journal: ChargeJournal, client: PaymentClient, clock: Clock, reader: (any PaymentReader)? = nil,
        stop: ChargeCanceller = ChargeCanceller(), onEvent: @escaping @Sendable (ChargeEvent) async -> Void
    ) {
        self.journal = journal
        var client = client
        client.waits = stop.waits
        client.requests = stop.requests
        self.client = client
        self.clock = clock
        self.reader = reader
        self.stop = stop
        self.onEvent = onEvent
    }

    /// Carries out a new operation.
    ///
    /// - Returns: the operation with its final state or `unknown`; nil, with nothing done, if the journal already has its
    ///   key.
    /// - Throws: `NotCarriedOut` if nothing moved, with the error that explains why; `Unrecorded` if it was sent, after
    ///   which `recover` settles it.
    package func perform(_ operation: PaymentOperation, source: CardSource? = nil) async throws -> PaymentOperation? {
        var operation = operation
        operation.request.written = clock.boot()
        let lock: OperationLock
        do {
            operation.request.machine = try await journal.machine(creates: true)
            guard let taken = try await journal.add(operation) else { return nil }
            lock = taken
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
        // Held to the end, so that no other process recovers an operation in progress.
        defer { withExtendedLifetime(lock) {} }
        return try await carryOut(operation, source: source)
    }

    /// Carries out an operation that is in the journal under its key and of which nothing was ever sent. Waits for the
    /// process that works on it.
    ///
    /// - Parameters:
    ///   - id: the ID of the operation in the journal.
    ///   - operation: the new request, equal to the earlier one.
    /// - Returns: the operation with its final state or `unknown`; nil, with nothing done, if something may have been sent.
    /// - Throws: as `perform`.
    package func restart(
        _ id: String, as operation: PaymentOperation, source: CardSource? = nil
    ) async throws -> PaymentOperation? {
        guard let lock = try await lock(id, within: .infinity) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        var operation = operation
        operation.request.written = clock.boot()
        operation.request.machine = try await journal.machine(creates: true)
        guard let present = try await journal.restart(id, as: operation, now: clock.now()) else { return nil }
        return try await carryOut(present, source: source)
    }

    /// The caller holds the operation's lock, and the journal has it as created.
    private func carryOut(_ operation: PaymentOperation, source: CardSource?) async throws -> PaymentOperation {
        await onEvent(.created(operation))
        // A run that is stopped still asks for the charge of its key, so that its end says what is known of that.
        if let reason = stop.waits.reason, !operation.mayBeChargedElsewhere {
            return try await neverSent(operation, reason)
        }
        if let known = try await madeBefore(operation) { return known }
        if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
        var operation = operation
        let file = CardFile(client: client, merchantID: operation.merchantID, sleep: clock.sleep)
        var claimed: OperationLock?
        defer { withExtendedLifetime(claimed) {} }
        if let card = operation.request.cardOnFile {
            do {
                claimed = try await claim(
                    "\(operation.environment) \(operation.merchantID) card \(card.email.lowercased())")
            } catch {
                return try await neverSent(operation, error)
            }
            do throws(CardFileError) {
                operation.request.customer = try await file.customer(
                    of: card, last4: source?.last4, after: operation.request)
            } catch {
                return try await notSaved(operation, error)
            }
            let open: PaymentOperation?
            do {
                open = try await journal.openSave(like: operation, of: card)
            } catch {
                throw NotCarriedOut(operation: operation, cause: error)
            }
            if operation.request.customer != nil {
                operation = try await recordSaving(true, operation)
            } else if let open, !card.isAgain {
                // A list that does not show the customer may be late.
                return try await notSaved(operation, .saveOpen(email: card.email, id: open.id))
            }
        }
        var token: Secret?
        var cardEnd: String?
        switch source {
        case _ where operation.request.cardOnFile != nil && operation.request.customer != nil:
            // The card is on file already.
            token = operation.request.customer.map { Secret($0) }
        case .token(let secret): token = secret
        case .card(let card):
            do throws(Tokenizer.Refusal) {
                token = try await Tokenizer(client: client).token(for: card)
                cardEnd = source?.last4
            } catch {
                if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
                return try await end(operation, [.neverLeft(error.ending, error.outcome)], cause: error.cause)
            }
        case nil: break
        }
        if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
        if let card = operation.request.cardOnFile, operation.request.customer == nil, let single = token {
            let isKeyed = if case .card = source { true } else { false }
            let customer: String
            // An earlier attempt may have saved it.
            let isOpen = operation.request.isSavingCard == true
            operation = try await recordSaving(true, operation)
            do throws(CardFileError) {
                customer = try await file.save(card, single, isKeyed: isKeyed)
            } catch {
                if case .refused = error, !isOpen { operation = try await recordSaving(false, operation) }
                return try await notSaved(operation, error)
            }
            do {
                operation = try await journal.recordCustomer(customer, of: operation.id, now: clock.now())
            } catch {
                throw NotCarriedOut(operation: operation, cause: error)
            }
            token = Secret(customer)
            if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
        }
        if let cardEnd {
            operation.request.cardEnd = cardEnd
            // The charge of a card on file has the customer.
            if operation.request.customer == nil {
                operation.request.sourceMark = token.map { String($0.exposed.suffix(4)) }
            }
        }
        let sent =
            operation.rail.rules.hasReader && operation.kind == .charge
            ? try await markSentToReader(operation) : operation.settled(.sent, OperationOutcome())
        let ended = try await recorded(sent) { try await finish(sent, source: token) }
        await showNextScreen(after: ended)
        return ended
    }

    /// Records whether the card of an operation is about to be saved, or may have been.
    private func recordSaving(_ isSaving: Bool, _ operation: PaymentOperation) async throws -> PaymentOperation {
        do {
            return try await journal.recordSaving(
                isSaving, customer: operation.request.customer, of: operation.id, now: clock.now())
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
    }

    /// Ends a charge whose card could not be saved, or may have been: the charge itself was never sent.
    private func notSaved(
        _ operation: PaymentOperation, _ error: CardFileError
    ) async throws -> PaymentOperation {
        if let reason = stop.waits.reason, case .refused = error { return try await neverSent(operation, reason) }
        return try await end(operation, [.neverLeft(.failed, OperationOutcome(reason: error.reason))], cause: error)
    }

    private func markSentToReader(_ operation: PaymentOperation) async throws -> PaymentOperation {
        let sent: PaymentOperation
        do {
            sent = try await journal.advance(operation.id, to: .sent, now: clock.now())
        } catch {
            // What could not be recorded is not sent.
            throw NotCarriedOut(operation: operation, cause: error)
        }
        await onEvent(.sent(sent, isAgain: false))
        return sent
    }

    private func finish(_ sent: PaymentOperation, source: Secret?) async throws -> PaymentOperation {
        if sent.rail.rules.hasReader, sent.kind == .charge {
            return try await conclude(sent, await readerEvidence(sent), source: source)
        }
        switch try await firstResponse(sent, source: source) {
        case .evidence(let evidence, let cause):
            return try await conclude(sent, [evidence], source: source, cause: cause)
        case .ended(let operation): return operation
        }
    }

    /// Runs `body` about an operation that was sent. If the journal fails, the outcome is reported as unknown.
    func recorded(
        _ operation: PaymentOperation, _ body: () async throws -> PaymentOperation
    ) async throws -> PaymentOperation {
        do {
            return try await body()
        } catch let error where error is NotCarriedOut || error is Unrecorded {
            throw error
        } catch {
            let unknown = operation.settled(
                .unknown, OperationOutcome(reason: "it was sent, and the journal cannot be used"))
            await onEvent(.settled(unknown))
            throw Unrecorded(operation: unknown, cause: error)
        }
    }

    /// Looks the operation up if the first response does not settle it, repeats it once under the same key where that is
    /// safe, looks it up again, and records what is known then.
    ///
    /// - Parameter cause: the error that explains the operation if it was not carried out.
    private func conclude(
        _ operation: PaymentOperation, _ first: [Evidence], source: Secret?, cause: (any Error)? = nil
    ) async throws -> PaymentOperation {
        var evidence = await withoutOthers(first, operation)
        // Looked up before it is repeated: a device must not start again for a customer who has left, and Clover does not
        // document how long it keeps a key.
        if evidence.contains(where: \.needsLookup) || !Verdict(on: operation, evidence).isKnown {
            evidence += try await look(for: operation, after: evidence)
        }
        if case .cancelled = first.first, evidence.last == .absent, !Verdict(on: operation, evidence).isKnown,
            stop.requests.reason == nil
        {
            do {
                try await clock.sleep(Self.lookPause)
                evidence += try await look(for: operation, after: evidence)
            } catch is CancellationError {
                // Without the second look, it stays unknown.
            }
        }
        // Only records that were read, and do not show it, permit a second sending.
        if case .unknown(_, isRepeatable: true) = Verdict(on: operation, evidence), cause == nil,
            !operation.kind.movesMoney || evidence.contains(where: \.isReading),
            operation.rail.rules.isRepeatable(isStopped: stop.isOn), stop.requests.reason == nil
        {
            do {
                try await clock.sleep(Self.pause)
            } catch {
                // Without the pause, it is just sent sooner.
            }
            evidence = try await again(operation, source: source, after: evidence)
            if !Verdict(on: operation, evidence).isKnown {
                evidence += try await look(for: operation, after: evidence)
            }
        }
        var isMoot = true
        if case .notMoved = Verdict(on: operation, evidence) { isMoot = false }
        return try await end(operation, evidence, cause: isMoot ? nil : cause)
    }

    /// What the service shows about an operation now.
    ///
    /// - Parameter evidence: earlier evidence, which may name the payment.
    func look(for operation: PaymentOperation, after evidence: [Evidence] = []) async throws -> [Evidence] {
        let payment =
            operation.outcome.paymentID ?? evidence.lazy.compactMap { $0.paymentID(of: operation) }.first
        let found = try await inquiry(operation).look(for: operation, payment: payment)
        return try await withoutEffectsOfOthers(found, operation)
    }

    /// Marks payments in responses that the journal has under other charges, and takes back refunds that it has under other
    /// refunds.
    private func withoutOthers(_ evidence: [Evidence], _ operation: PaymentOperation) async -> [Evidence] {
        if operation.rail.makesPage { return await withoutOtherPages(evidence, operation) }
        guard operation.kind == .charge || operation.kind == .refund else { return evidence }
        let others: Set<String>
        do {
            others = try await journal.payments(besides: operation)
        } catch {
            // What was heard is still reported. A part may be another charge's, and is not given back unchecked.
            return evidence.map { item in
                guard case .payment(var payment) = item, let amount = payment.outcome.amount,
                    amount < operation.amount?.minorUnits ?? amount
                else { return item }
                payment.isOfAnother = true
                return .payment(payment)
            }
        }
        return evidence.map { item in
            switch item {
            case .payment(var payment):
                payment.isOfAnother = payment.isOfAnother || payment.outcome.paymentID.map(others.contains) ?? false
                return .payment(payment)
            case .declined(let outcome) where outcome.paymentID.map(others.contains) ?? false:
                // A proxy may repeat the response to an earlier charge.
                return .inconclusive("the response declines an earlier charge", http: outcome.http)
            case .effect(let outcome) where outcome.paymentID.map(others.contains) ?? false:
                let noun = operation.rail.isRecurring ? operation.rail.noun : "refund"
                return .inconclusive("the response shows an earlier \(noun)", http: outcome.http)
            default: return item
            }
        }
    }

    /// Takes back a page that the journal has under another operation: a proxy may repeat the response to an earlier request.
    private func withoutOtherPages(_ evidence: [Evidence], _ operation: PaymentOperation) async -> [Evidence] {
        var result: [Evidence] = []
        for item in evidence {
            guard case .effect(let outcome) = item, let session = outcome.session else {
                result.append(item)
                continue
            }
            do {
                let other = try await journal.checkout(session.id)
                guard let other, other.id != operation.id, other.environment == operation.environment else {
                    result.append(item)
                    continue
                }
                let reason =
                    "the response shows the page of \(other.id); the address of this one never arrived, so that no one "
                    + "can pay there"
                result.append(.outOfReach(OperationOutcome(reason: reason, http: nil)))
            } catch {
                let reason = "whether the page is that of an earlier request cannot be read"
                result.append(.inconclusive(reason, http: outcome.http))
            }
        }
        return result
    }

    /// Takes back the effect on a charge that another follow-up of the journal explains: a capture that was refused is not
    /// carried out because a later one was.
    private func withoutEffectsOfOthers(
        _ evidence: [Evidence], _ operation: PaymentOperation
    ) async throws -> [Evidence] {
        guard let other = try await doneSince(operation).first else { return evidence }
        return evidence.map {
            guard case .effect = $0 else { return $0 }
            let reason = "the charge shows a \(operation.kind.rawValue), which may be that of \(other.id)"
            return .inconclusive(reason)
        }
    }

    /// Other follow-ups of the same kind on the same payment that were carried out after this one was recorded; for a void,
    /// refunds, too.
    private func doneSince(_ operation: PaymentOperation) async throws -> [PaymentOperation] {
        guard operation.kind != .charge, let parent = operation.parent else { return [] }
        let kinds: Set<OperationKind> = operation.kind == .void ? [.void, .refund] : [operation.kind]
        return try await journal.followUps(of: parent).filter {
            $0.id != operation.id && kinds.contains($0.kind) && $0.state == .approved
                && $0.updatedAt >= operation.createdAt
                && $0.request.followedPaymentID == operation.request.followedPaymentID
        }
    }

    /// The same, including the record of the reader's driver, which is asked first. A payment that Clover shows outweighs a
    /// driver that has none.
    func recollection(of operation: PaymentOperation) async throws -> [Evidence] {
        let recalled = await withoutOthers(await recalled(operation), operation)
        if case .moved = Verdict(on: operation, recalled) { return recalled }
        return recalled + (try await look(for: operation))
    }

    /// Ends an operation that was not sent, and will not be.
    ///
    /// - Parameters:
    ///   - operation: as the journal has it.
    ///   - reason: the error that ended the wait.
    func neverSent(_ operation: PaymentOperation, _ reason: any Error) async throws -> PaymentOperation {
        let words =
            switch reason {
            case is MaxTimeExceeded: "its time ran out"
            case is ChargeCanceller.Unannounced: "it could not be announced"
            default: "it was stopped"
            }
        let cause = (reason as? MaxTimeExceeded)?.cause.map { ": \($0)" } ?? ""
        let outcome = OperationOutcome(reason: "\(words) before it was sent\(cause)")
        return try await end(
            operation, [.neverLeft(.cancelled, outcome)], cause: reason is ChargeCanceller.Stopped ? nil : reason)
    }

    /// Records what the evidence proves, and reports it. It is reported even if it cannot be recorded.
    func end(
        _ operation: PaymentOperation, _ evidence: [Evidence], cause: (any Error)?
    ) async throws -> PaymentOperation {
        let verdict = Verdict(on: operation, evidence).concealing(concealed)
        let ended: PaymentOperation
        do {
            ended = try await journal.settle(operation.id, verdict, now: clock.now())
        } catch {
            let (state, outcome) = verdict.record
            let unrecorded = operation.settled(state, outcome)
            await onEvent(.settled(unrecorded))
            if operation.isNeverSent { throw NotCarriedOut(operation: unrecorded, cause: error) }
            throw Unrecorded(operation: unrecorded, cause: error)
        }
        await onEvent(.settled(ended))
        if let cause { throw NotCarriedOut(operation: ended, cause: cause) }
        return ended
    }
}

extension OperationRunner {
    /// The result of the first request.
    enum FirstResponse {
        /// `cause`: the error that explains the operation if it was not carried out.
        case evidence(Evidence, cause: (any Error)? = nil)
        /// It was not carried out, which was recorded and reported.
        case ended(PaymentOperation)
    }

    /// Sends the request, and turns the response, or its absence, into evidence.
    ///
    /// - Parameter operation: in its state after sending; the journal is updated before the first byte is sent.
    func firstResponse(_ operation: PaymentOperation, source: Secret?) async throws -> FirstResponse {
        let request: ServiceRequest
        do {
            request = try call.request(for: operation, source: source)
        } catch {
            throw NotCarriedOut(operation: operation.settled(.created, operation.outcome), cause: error)
        }
        let recorder = SendJournalRecorder(self, operation)
        let exchange = await withCancellation(operation) {
            await client.exchange(
                request, isLocal: operation.request.deviceAddress != nil, terms: recorder.terms)
        }
        guard case .notCarriedOut(let error) = exchange else {
            let evidence = evidence(exchange, operation, after: .none)
            if case .cancelled(let outcome, _) = evidence, operation.kind == .charge, stop.isOn {
                return .evidence(.cancelled(outcome, isRequested: true))
            }
            return .evidence(evidence)
        }
        let present = recorder.isSent ? operation : operation.settled(.created, operation.outcome)
        // It left, and was refused for now. That is no response about this operation: the service's records have the word.
        if recorder.isRefused, !(error is SendJournalRecorder.Unwritten) {
            return .evidence(
                .refused(SendJournalRecorder.refusal), cause: error is ChargeCanceller.Stopped ? nil : error)
        }
        switch error {
        case let error as SendJournalRecorder.Unwritten:
            // What could not be recorded is not sent.
            throw NotCarriedOut(operation: present, cause: error.cause)
        case is ChargeCanceller.Stopped, is MaxTimeExceeded:
            return .ended(try await neverSent(present, error))
        case ServiceError.unauthorized(_, let message):
            var outcome = OperationOutcome(reason: "Clover does not accept the sign-in", http: 401)
            outcome.text = message.map(ServiceErrorBody.oneLine)
            return .evidence(.signInDoubted(outcome), cause: error)
        default:
            let outcome = OperationOutcome(reason: "it did not reach the service")
            return .ended(try await end(present, [.neverLeft(.failed, outcome)], cause: error))
        }
    }

    /// A lookup for an operation's records at the service.
    ///
    /// - Throws: an error of the journal, without which two payments with one external ID cannot be distinguished.
    func inquiry(_ operation: PaymentOperation) async throws -> PaymentLookup {
        let others = operation.kind == .charge ? try await journal.payments(besides: operation) : []
        let done = try await doneSince(operation).compactMap { $0.amount?.minorUnits }.reduce(0, &+)
        return PaymentLookup(client: client, now: clock.now(), others: others, doneByOthers: done)
    }

    /// Sends the same bytes once more under the same key.
    ///
    /// - Parameter earlier: the evidence so far. A refusal in it says nothing about a repetition that was sent after it.
    /// - Returns: all evidence.
    /// - Throws: an error of the journal; nothing was sent then.
    func again(
        _ operation: PaymentOperation, source: Secret?, after earlier: [Evidence]
    ) async throws -> [Evidence] {
        let request = try call.request(for: operation, source: source)
        let hasLeft = Mutex(false)
        var terms = SendHooks()
        terms.willSend = {
            if hasLeft.withLock(\.self) { return }
            let sent: PaymentOperation
            do {
                sent = try await journal.advance(
                    operation.id, to: .sent, detail: "again, under the same key", now: clock.now())
            } catch {
                throw SendJournalRecorder.Unwritten(cause: error)
            }
            hasLeft.withLock { $0 = true }
            await onEvent(.sent(sent, isAgain: true))
        }
        let exchange = await client.exchange(
            request, isLocal: operation.request.deviceAddress != nil, terms: terms)
        if case .notCarriedOut(let error as SendJournalRecorder.Unwritten) = exchange { throw error.cause }
        // What a gateway refused may still have been carried out.
        let isRefused = earlier.contains { if case .refused(let outcome) = $0 { !outcome.isOfGateway } else { false } }
        let new = await withoutOthers(
            [evidence(exchange, operation, after: isRefused ? .refusedInFront : .lost)], operation)[0]
        guard case .silence = new, hasLeft.withLock(\.self) else { return earlier + [new] }
        return earlier.filter { if case .refused = $0 { false } else { true } } + [new]
    }

    private func evidence(
        _ exchange: PaymentClient.Exchange, _ operation: PaymentOperation, after earlier: EarlierSending
    ) -> Evidence {
        let isRepeat = earlier == .lost
        switch exchange {
        case .answer(let status, let body, let arrival):
            var evidence = operation.rail.rules.evidence(
                on: operation, status: status, body: body, isRepeat: isRepeat)
            if case .payment(var payment) = evidence {
                payment.askedAt = operation.time(byServiceAt: arrival.date, now: clock.now())
                evidence = .payment(payment)
            }
            return evidence.after(earlier == .none && arrival.isLater ? .refusedInFront : earlier)
        case .lost(let reason):
            return .inconclusive(reason, isRepeatable: !isRepeat)
        case .notCarriedOut:
            // Only for a repetition, which proves nothing about the first attempt.
            return .inconclusive("no response shows the outcome, and the service cannot be asked now")
        }
    }
}
