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

    package let journal: ChargeJournal
    let client: PaymentClient
    package let clock: Clock
    private let reader: (any PaymentReader)?
    /// For charges that a reader may have taken in an earlier run; nil when nothing recalls them.
    package var recollection: (any PaymentRecollection)?
    private let stop: StopSwitch
    let onEvent: @Sendable (ChargeEvent) async -> Void
    private var call: OperationCall { OperationCall(hosts: client.hosts) }

    /// Seconds before a request is sent again.
    private static let pause = 1.0

    /// - Parameters:
    ///   - reader: for charges by a reader.
    ///   - onEvent: must not throw away what it is told: the final state is told once.
    package init(
        journal: ChargeJournal, client: PaymentClient, clock: Clock, reader: (any PaymentReader)? = nil,
        stop: StopSwitch = StopSwitch(), onEvent: @escaping @Sendable (ChargeEvent) async -> Void
    ) {
        self.journal = journal
        self.client = client
        self.clock = clock
        self.reader = reader
        self.stop = stop
        self.onEvent = onEvent
    }

    /// Carries a new operation out.
    ///
    /// - Returns: the operation with its final state or `unknown`; nil, with nothing done, when its key is in the journal.
    /// - Throws: `NotCarriedOut` when nothing moved and an error says why; trouble with the journal, after which
    ///   `recover` settles what was sent.
    package func perform(_ operation: PaymentOperation, source: CardSource? = nil) async throws -> PaymentOperation? {
        guard let lock = try await journal.add(operation) else { return nil }
        // Held to the end: nobody recovers what is being done.
        defer { withExtendedLifetime(lock) {} }
        await onEvent(.created(operation))
        if stop.isOn { return try await neverSent(operation, "it was stopped before it was sent") }
        var token: Secret?
        switch source {
        case .token(let secret): token = secret
        case .card(let card):
            do throws(Tokenizer.Refusal) {
                token = try await Tokenizer(client: client).token(for: card)
            } catch {
                return try await end(operation, error.state, error.outcome, cause: error.cause)
            }
        case nil: break
        }
        if stop.isOn { return try await neverSent(operation, "it was stopped before it was sent") }
        let sent = try await journal.advance(operation.id, to: .sent, now: clock.now())
        await onEvent(.sent(sent, isAgain: false))
        let (verdict, cause) =
            operation.rail == .reader && operation.kind == .charge
            ? (await readerVerdict(sent), nil) : try await firstVerdict(sent, source: token)
        let ended = try await settle(sent, verdict, source: token, cause: cause)
        await showNextScreen(after: ended)
        return ended
    }

    /// A device waits on its last screen until it is told what to show (Clover: REST Pay Display, tutorials). It changes
    /// nothing about the payment, so that nobody hears of it when it fails.
    private func showNextScreen(after operation: PaymentOperation) async {
        guard operation.rail == .payDisplay, operation.kind == .charge,
            [.approved, .declined, .cancelled].contains(operation.state)
        else { return }
        let screen = operation.state == .approved ? "thank-you" : "welcome"
        _ = await client.exchange(
            call.device(.post, screen, operation), isLocal: operation.request.deviceAddress != nil)
    }

    /// Writes down what is known, after asking once more where it is not.
    private func settle(
        _ operation: PaymentOperation, _ verdict: Verdict, source: Secret?, cause: (any Error)?
    ) async throws -> PaymentOperation {
        switch verdict {
        case .settled(.cancelled, let outcome) where operation.rail == .payDisplay && operation.kind == .charge:
            // A 209 is verified: the cancellation may have come too late (Clover: REST Pay Display, status codes).
            if case .found(.settled(let state, let found)) = await inquiry(operation).look(for: operation),
                state == .approved
            {
                return try await end(operation, state, found, cause: nil)
            }
            return try await end(operation, .cancelled, outcome, cause: nil)
        case .settled(let state, let outcome):
            return try await end(operation, state, outcome, cause: cause)
        case .unknown(let outcome, let isRepeatable):
            let second = await secondVerdict(operation, outcome, isRepeatable: isRepeatable, source: source)
            switch second {
            case .settled(let state, let outcome): return try await end(operation, state, outcome, cause: nil)
            case .unknown(let outcome, _): return try await end(operation, .unknown, outcome, cause: nil)
            }
        }
    }

    /// Sends the request; an answer, or none, becomes a verdict.
    private func firstVerdict(
        _ operation: PaymentOperation, source: Secret?
    ) async throws -> (Verdict, (any Error)?) {
        let request = try call.request(for: operation, source: source)
        let cancelling = CancelTask()
        if operation.kind == .charge, operation.rail == .payDisplay {
            stop.set {
                cancelling.start {
                    await onEvent(.cancelling(operation))
                    await cancelOnDevice(operation)
                }
            }
        }
        let exchange = await client.exchange(request, isLocal: operation.request.deviceAddress != nil)
        stop.set(nil)
        await cancelling.end()
        if case .notCarriedOut(let error) = exchange {
            var outcome = OperationOutcome(reason: "it did not reach the service")
            if case ServiceError.unauthorized(_, let message) = error {
                outcome = OperationOutcome(reason: "the sign-in is not accepted", http: 401)
                outcome.text = message.map(ServiceRefusal.oneLine)
            }
            return (.settled(.failed, outcome), error)
        }
        return (verdict(exchange, operation, isRepeat: false), nil)
    }

    /// Asks the device to cancel until the charge has ended, which tells whether it came in time: the first time may overtake
    /// the charge on its way to the device, and find nothing there.
    private func cancelOnDevice(_ operation: PaymentOperation) async {
        var pause = Self.pause
        while !Task.isCancelled {
            _ = await client.exchange(
                call.device(.post, "cancel", operation), isLocal: operation.request.deviceAddress != nil)
            do {
                try await clock.sleep(pause)
            } catch {
                return
            }
            pause = min(2 * pause, 4)
        }
    }

    /// The same request under the same key, where that is safe; else, and then, the service's own records.
    private func secondVerdict(
        _ operation: PaymentOperation, _ first: OperationOutcome, isRepeatable: Bool, source: Secret?
    ) async -> Verdict {
        var outcome = first
        let inquiry = await inquiry(operation)
        // Asked first: a device must not begin anew before a customer who has left, and how long a key is kept is not
        // documented.
        if operation.kind == .charge,
            case .found(.settled(let state, let found)) = await inquiry.look(for: operation)
        {
            return .settled(state, found)
        }
        if isRepeatable, operation.rail != .reader, !(stop.isOn && operation.rail == .payDisplay) {
            do {
                try await clock.sleep(Self.pause)
            } catch {
                // Not slept is sent sooner.
            }
            switch await again(operation, source: source) {
            case .settled(let state, let found): return .settled(state, found)
            case .unknown(let found, _): outcome.reason = found.reason ?? outcome.reason
            }
        }
        if operation.kind == .charge, case .found(.settled(let state, let found)) = await inquiry.look(for: operation) {
            return .settled(state, found)
        }
        return .unknown(outcome, isRepeatable: false)
    }

    /// Who asks what became of the operation.
    func inquiry(_ operation: PaymentOperation) async -> Inquiry {
        do {
            return Inquiry(
                client: client, now: clock.now(), others: try await journal.payments(sharingExternalIDOf: operation))
        } catch {
            // Without the journal's knowledge, two payments of one external id are told apart by nobody.
            return Inquiry(client: client, now: clock.now())
        }
    }

    /// Sends the same bytes under the same key once more.
    func again(_ operation: PaymentOperation, source: Secret?) async -> Verdict {
        do {
            let sent = try await journal.advance(
                operation.id, to: .sent, detail: "again, under the same key", now: clock.now())
            await onEvent(.sent(sent, isAgain: true))
            let exchange = await client.exchange(
                try call.request(for: operation, source: source), isLocal: operation.request.deviceAddress != nil)
            let verdict = verdict(exchange, operation, isRepeat: true)
            guard case .unknown = verdict else { return verdict }
            return await FollowUpInquiry(journal: journal, client: client).verdict(on: operation) ?? verdict
        } catch {
            return .unknown(OperationOutcome(reason: "it could not be sent again"), isRepeatable: false)
        }
    }

    private func verdict(
        _ exchange: PaymentClient.Exchange, _ operation: PaymentOperation, isRepeat: Bool
    ) -> Verdict {
        switch exchange {
        case .answer(let status, let body):
            operation.rail == .ecommerce
                ? EcommerceAnswer.verdict(on: operation, status: status, body: body, isRepeat: isRepeat)
                : PayDisplayAnswer.verdict(on: operation, status: status, body: body, isRepeat: isRepeat)
        case .lost(let reason):
            .unknown(OperationOutcome(reason: reason), isRepeatable: true)
        case .notCarriedOut:
            // Only of a repetition, which proves nothing about the first try.
            .unknown(
                OperationOutcome(reason: "the answer was lost, and the service cannot be asked now"),
                isRepeatable: false)
        }
    }

    private func readerVerdict(_ operation: PaymentOperation) async -> Verdict {
        guard let reader else {
            return .settled(.failed, OperationOutcome(reason: "there is no reader"))
        }
        let cancelling = CancelTask()
        stop.set {
            cancelling.start {
                await onEvent(.cancelling(operation))
                await reader.cancel()
            }
        }
        var verdict = ReaderVerdict()
        do {
            for try await event in reader.charge(ReaderCharge(operation)) {
                if case .progress(let word) = event { await onEvent(.progress(operation, word)) }
                verdict.take(event, operation)
            }
        } catch {
            // What was told before stands; without an end, the outcome is unknown.
        }
        stop.set(nil)
        await cancelling.wait()
        return verdict.verdict
    }

    private func neverSent(_ operation: PaymentOperation, _ reason: String) async throws -> PaymentOperation {
        try await end(operation, .cancelled, OperationOutcome(reason: reason), cause: nil)
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
            await onEvent(.settled(operation.settled(state, outcome)))
            throw error
        }
        await onEvent(.settled(ended))
        if let cause { throw NotCarriedOut(operation: ended, cause: cause) }
        return ended
    }
}
