import CloverAPI
import CloverHTTP

/// Carries operations out: written down, sent under one key, and settled as far as that can be done at once.
///
/// Nothing here is cut short by cancellation of the caller's task; `stop` is the way to end a charge early.
package struct OperationRunner: Sendable {
    package struct Clock: Sendable {
        /// Milliseconds since 1970.
        package let now: @Sendable () -> Int64
        /// Waits for so many seconds; throws when cancelled.
        let sleep: @Sendable (Double) async throws -> Void

        package init(
            now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Double) async throws -> Void
        ) {
            self.now = now
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
        let lock: OperationLock
        do {
            guard let taken = try await journal.add(operation) else { return nil }
            lock = taken
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
        // Held to the end: nobody recovers what is being done.
        defer { withExtendedLifetime(lock) {} }
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
                return try await end(operation, error.state, error.outcome, cause: error.cause)
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
            return try await settle(sent, await readerVerdict(sent), source: source)
        }
        switch try await firstAnswer(sent, source: source) {
        case .verdict(let verdict): return try await settle(sent, verdict, source: source)
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

    /// Writes down what is known, after asking once more where it is not.
    private func settle(
        _ operation: PaymentOperation, _ verdict: Verdict, source: Secret?
    ) async throws -> PaymentOperation {
        switch verdict {
        case .settled(.cancelled, let outcome) where operation.rail == .payDisplay && operation.kind == .charge:
            // A 209 is verified: the cancellation may have come too late (Clover: REST Pay Display, status codes).
            if case .found(.settled(let state, let found)) = try await inquiry(operation).look(for: operation),
                state == .approved
            {
                return try await end(operation, state, found, cause: nil)
            }
            return try await end(operation, .cancelled, outcome, cause: nil)
        case .settled(let state, let outcome):
            return try await end(operation, state, outcome, cause: nil)
        case .unknown(let outcome, let isRepeatable):
            let second = try await secondVerdict(operation, outcome, isRepeatable: isRepeatable, source: source)
            switch second {
            case .settled(let state, let outcome): return try await end(operation, state, outcome, cause: nil)
            case .unknown(let outcome, _): return try await end(operation, .unknown, outcome, cause: nil)
            }
        }
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
        if reason is MaximumTimeRanOut {
            let outcome = OperationOutcome(reason: "\(before)its time ran out before it was sent\(again)")
            return try await end(operation, .cancelled, outcome, cause: reason)
        }
        let outcome = OperationOutcome(reason: "\(before)it was stopped before it was sent\(again)")
        return try await end(operation, .cancelled, outcome, cause: nil)
    }

    /// Writes the end down and tells it; told it is also when it cannot be written.
    func end(
        _ operation: PaymentOperation, _ state: OperationState, _ outcome: OperationOutcome, cause: (any Error)?
    ) async throws -> PaymentOperation {
        let ended: PaymentOperation
        do {
            ended = try await journal.advance(
                operation.id, to: state, outcome: outcome, detail: outcome.reason ?? outcome.code, now: clock.now())
        } catch {
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
