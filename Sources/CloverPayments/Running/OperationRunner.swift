import CloverAPI
import CloverHTTP
import Synchronization

/// Carries operations out: written down, sent under one key, and settled as far as that can be done at once.
///
/// Nothing here is cut short by cancellation of the caller's task; `stop` is the way to end a charge early.
package struct OperationRunner: Sendable {
    package struct Clock: Sendable {
        /// Milliseconds since 1970.
        package let now: @Sendable () -> Int64
        /// The moment on the clock of this boot; nil when that cannot be read.
        let boot: @Sendable () -> BootTime?
        /// Waits for so many seconds; throws when cancelled.
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

    /// An operation that was not carried out, with the error that says more about why.
    package struct NotCarriedOut: Error, Sendable {
        package let operation: PaymentOperation
        package let cause: any Error
    }

    /// An operation that was sent, and the journal could not be asked about it or take its end; it was told, and the
    /// journal has it as unsettled.
    package struct Unrecorded: Error, Sendable {
        /// As far as it is known.
        package let operation: PaymentOperation
        /// What is wrong with the journal.
        package let cause: any Error
    }

    package let journal: ChargeJournal
    let client: PaymentClient
    package let clock: Clock
    let reader: (any PaymentReader)?
    /// For charges that a reader may have taken in an earlier run; nil when nothing recalls them.
    package var recollection: (any PaymentRecollection)?
    let stop: StopSwitch
    let onEvent: @Sendable (ChargeEvent) async -> Void
    var call: OperationCall { OperationCall(hosts: client.hosts) }

    /// Seconds before a request is sent again.
    static let pause = 1.0

    /// - Parameters:
    ///   - reader: for charges by a reader.
    ///   - onEvent: must not throw away what it is told: the final state is told once.
    package init(
        journal: ChargeJournal, client: PaymentClient, clock: Clock, reader: (any PaymentReader)? = nil,
        stop: StopSwitch = StopSwitch(), onEvent: @escaping @Sendable (ChargeEvent) async -> Void
    ) {
        self.journal = journal
        var client = client
        client.waits = stop.waits
        self.client = client
        self.clock = clock
        self.reader = reader
        self.stop = stop
        self.onEvent = onEvent
    }

    /// Carries a new operation out.
    ///
    /// - Returns: the operation with its final state or `unknown`; nil, with nothing done, when its key is in the journal.
    /// - Throws: `NotCarriedOut` when nothing moved and an error says why; `Unrecorded`, after which `recover` settles what
    ///   was sent.
    package func perform(_ operation: PaymentOperation, source: CardSource? = nil) async throws -> PaymentOperation? {
        var operation = operation
        operation.request.written = clock.boot()
        let lock: OperationLock
        do {
            guard let taken = try await journal.add(operation) else { return nil }
            lock = taken
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
        // Held to the end: another process does not recover what is being done.
        defer { withExtendedLifetime(lock) {} }
        return try await carryOut(operation, source: source)
    }

    /// Carries an operation out that is in the journal under its key, and of which nothing ever left. Waits for the process
    /// that works on it.
    ///
    /// - Parameters:
    ///   - id: of the operation in the journal.
    ///   - operation: what is asked for now, as it was before.
    /// - Returns: the operation with its final state or `unknown`; nil, with nothing done, when something may have left.
    /// - Throws: as `perform`.
    package func restart(
        _ id: String, as operation: PaymentOperation, source: CardSource? = nil
    ) async throws -> PaymentOperation? {
        let lock = try await journal.lock(id, waiting: true)
        defer { withExtendedLifetime(lock) {} }
        var operation = operation
        operation.request.written = clock.boot()
        guard let present = try await journal.restart(id, as: operation, now: clock.now()) else { return nil }
        return try await carryOut(present, source: source)
    }

    /// The caller has the operation's lock, and the journal has it as created.
    private func carryOut(_ operation: PaymentOperation, source: CardSource?) async throws -> PaymentOperation {
        await onEvent(.created(operation))
        if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
        var token: Secret?
        switch source {
        case .token(let secret): token = secret
        case .card(let card):
            do throws(Tokenizer.Refusal) {
                token = try await Tokenizer(client: client).token(for: card)
            } catch {
                if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
                return try await end(operation, [.neverLeft(error.ending, error.outcome)], cause: error.cause)
            }
        case nil: break
        }
        if let reason = stop.waits.reason { return try await neverSent(operation, reason) }
        let sent =
            operation.rail == .reader && operation.kind == .charge
            ? try await handedToReader(operation) : operation.settled(.sent, OperationOutcome())
        let ended = try await recorded(sent) { try await finish(sent, source: token) }
        await showNextScreen(after: ended)
        return ended
    }

    private func handedToReader(_ operation: PaymentOperation) async throws -> PaymentOperation {
        let sent: PaymentOperation
        do {
            sent = try await journal.advance(operation.id, to: .sent, now: clock.now())
        } catch {
            // What is not written down does not leave.
            throw NotCarriedOut(operation: operation, cause: error)
        }
        await onEvent(.sent(sent, isAgain: false))
        return sent
    }

    private func finish(_ sent: PaymentOperation, source: Secret?) async throws -> PaymentOperation {
        if sent.rail == .reader, sent.kind == .charge {
            return try await conclude(sent, await readerEvidence(sent), source: source)
        }
        switch try await firstResponse(sent, source: source) {
        case .evidence(let evidence): return try await conclude(sent, [evidence], source: source)
        case .ended(let operation): return operation
        }
    }

    /// Does `body` about an operation that was sent. Trouble with the journal leaves it unknown, which is told.
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

    /// Looks where the first response does not settle it, sends it once more under the same key where that is safe, looks
    /// again, and writes down what is known then.
    private func conclude(
        _ operation: PaymentOperation, _ first: [Evidence], source: Secret?
    ) async throws -> PaymentOperation {
        var evidence = first
        // Asked before it is repeated: a device must not begin anew before a customer who has left, and how long a key is
        // kept is not documented.
        if evidence.contains(where: \.asksForLook) || !Verdict(on: operation, evidence).isKnown {
            evidence += try await look(for: operation, after: evidence)
        }
        if case .unknown(_, isRepeatable: true) = Verdict(on: operation, evidence), operation.rail != .reader,
            !(stop.isOn && operation.rail == .payDisplay)
        {
            do {
                try await clock.sleep(Self.pause)
            } catch {
                // Without the pause it is sent sooner.
            }
            evidence.append(try await again(operation, source: source))
            if !Verdict(on: operation, evidence).isKnown {
                evidence += try await look(for: operation, after: evidence)
            }
        }
        return try await end(operation, evidence, cause: nil)
    }

    /// What the service shows of an operation now.
    ///
    /// - Parameter evidence: what was found before, which may name its payment.
    func look(for operation: PaymentOperation, after evidence: [Evidence] = []) async throws -> [Evidence] {
        let payment =
            operation.outcome.paymentID ?? evidence.lazy.compactMap { $0.paymentID(of: operation) }.first
        return try await inquiry(operation).look(for: operation, payment: payment)
    }

    /// The same with what the reader's driver recalls, which is asked first.
    func recollection(of operation: PaymentOperation) async throws -> [Evidence] {
        let recalled = await recalled(operation)
        if Verdict(on: operation, recalled).isKnown { return recalled }
        return recalled + (try await look(for: operation))
    }

    /// Nothing was done, and it will not be.
    ///
    /// - Parameters:
    ///   - operation: as the journal has it.
    ///   - reason: why waits ended.
    ///   - isRefused: whether the service refused it before.
    func neverSent(
        _ operation: PaymentOperation, _ reason: any Error, isRefused: Bool = false
    ) async throws -> PaymentOperation {
        let (before, again) = isRefused ? ("\(DepartureBook.refusal); then ", " again") : ("", "")
        let words = reason is MaximumTimeRanOut ? "its time ran out" : "it was stopped"
        let outcome = OperationOutcome(reason: "\(before)\(words) before it was sent\(again)")
        return try await end(
            operation, [.neverLeft(.cancelled, outcome)], cause: reason is MaximumTimeRanOut ? reason : nil)
    }

    /// Writes down what the evidence proves, and tells it; told it is also when it cannot be written.
    func end(
        _ operation: PaymentOperation, _ evidence: [Evidence], cause: (any Error)?
    ) async throws -> PaymentOperation {
        let verdict = Verdict(on: operation, evidence)
        let ended: PaymentOperation
        do {
            ended = try await journal.settle(operation.id, verdict, now: clock.now())
        } catch {
            let (state, outcome) = verdict.record
            let told = operation.settled(state, outcome)
            await onEvent(.settled(told))
            if operation.state == .created { throw NotCarriedOut(operation: told, cause: error) }
            throw Unrecorded(operation: told, cause: error)
        }
        await onEvent(.settled(ended))
        if let cause { throw NotCarriedOut(operation: ended, cause: cause) }
        return ended
    }
}

extension OperationRunner {
    /// What came of the first request.
    enum FirstResponse {
        case evidence(Evidence)
        /// It was not carried out, which is written down and told.
        case ended(PaymentOperation)
    }

    /// Sends the request; a response, or none, becomes evidence.
    ///
    /// - Parameter operation: as it is when it has been sent, which the journal learns before the first byte leaves.
    func firstResponse(_ operation: PaymentOperation, source: Secret?) async throws -> FirstResponse {
        let request: ServiceRequest
        do {
            request = try call.request(for: operation, source: source)
        } catch {
            throw NotCarriedOut(operation: operation.settled(.created, operation.outcome), cause: error)
        }
        let book = DepartureBook(self, operation)
        let exchange = await stoppable(operation) {
            await client.exchange(
                request, isLocal: operation.request.deviceAddress != nil, terms: book.terms)
        }
        guard case .notCarriedOut(let error) = exchange else {
            return .evidence(evidence(exchange, operation, isRepeat: false))
        }
        let present = book.isSent ? operation : operation.settled(.created, operation.outcome)
        switch error {
        case let error as DepartureBook.Unwritten:
            // What is not written down does not leave.
            throw NotCarriedOut(operation: present, cause: error.cause)
        case is StopSwitch.Stopped, is MaximumTimeRanOut:
            return .ended(try await neverSent(present, error, isRefused: book.isRefused))
        case ServiceError.unauthorized(_, let message):
            var outcome = OperationOutcome(reason: "the sign-in is not accepted", http: 401)
            outcome.text = message.map(ServiceRefusal.oneLine)
            return .ended(try await end(present, [.neverLeft(.failed, outcome)], cause: error))
        default:
            let reason = book.isRefused ? DepartureBook.refusal : "it did not reach the service"
            return .ended(
                try await end(present, [.neverLeft(.failed, OperationOutcome(reason: reason))], cause: error))
        }
    }

    /// The reader of an operation's records at the service.
    ///
    /// - Throws: trouble with the journal, without which two payments of one external id cannot be told apart.
    func inquiry(_ operation: PaymentOperation) async throws -> Inquiry {
        let others = operation.kind == .charge ? try await journal.payments(besides: operation) : []
        return Inquiry(client: client, now: clock.now(), others: others)
    }

    /// Sends the same bytes under the same key once more.
    ///
    /// - Throws: trouble with the journal; nothing was sent then.
    func again(_ operation: PaymentOperation, source: Secret?) async throws -> Evidence {
        let request = try call.request(for: operation, source: source)
        let hasLeft = Mutex(false)
        var terms = RequestTerms()
        terms.willLeave = {
            if hasLeft.withLock(\.self) { return }
            let sent: PaymentOperation
            do {
                sent = try await journal.advance(
                    operation.id, to: .sent, detail: "again, under the same key", now: clock.now())
            } catch {
                throw DepartureBook.Unwritten(cause: error)
            }
            hasLeft.withLock { $0 = true }
            await onEvent(.sent(sent, isAgain: true))
        }
        let exchange = await client.exchange(
            request, isLocal: operation.request.deviceAddress != nil, terms: terms)
        if case .notCarriedOut(let error as DepartureBook.Unwritten) = exchange { throw error.cause }
        return evidence(exchange, operation, isRepeat: true)
    }

    private func evidence(
        _ exchange: PaymentClient.Exchange, _ operation: PaymentOperation, isRepeat: Bool
    ) -> Evidence {
        switch exchange {
        case .answer(let status, let body):
            operation.rail == .ecommerce
                ? EcommerceAnswer.evidence(on: operation, status: status, body: body, isRepeat: isRepeat)
                : PayDisplayAnswer.evidence(on: operation, status: status, body: body, isRepeat: isRepeat)
        case .lost(let reason):
            .silence(OperationOutcome(reason: reason), isRepeatable: !isRepeat)
        case .notCarriedOut:
            // Only of a repetition, which proves nothing about the first try.
            .silence(
                OperationOutcome(reason: "the response was lost, and the service cannot be asked now"),
                isRepeatable: false)
        }
    }
}
