import CloverAPI
import CloverHTTP
import Synchronization

extension OperationRunner {
    /// What came of the first request.
    enum FirstAnswer {
        case verdict(Verdict)
        /// It was not carried out, which is written down and told.
        case ended(PaymentOperation)
    }

    /// Sends the request; an answer, or none, becomes a verdict.
    ///
    /// - Parameter operation: as it is when it has been sent, which the journal learns before the first byte leaves.
    func firstAnswer(_ operation: PaymentOperation, source: Secret?) async throws -> FirstAnswer {
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
            return .verdict(verdict(exchange, operation, isRepeat: false))
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
            return .ended(try await end(present, .failed, outcome, cause: error))
        default:
            let reason = book.isRefused ? DepartureBook.refusal : "it did not reach the service"
            return .ended(try await end(present, .failed, OperationOutcome(reason: reason), cause: error))
        }
    }

    /// The same request under the same key, where that is safe; else, and then, the service's own records.
    func secondVerdict(
        _ operation: PaymentOperation, _ first: OperationOutcome, isRepeatable: Bool, source: Secret?
    ) async throws -> Verdict {
        var outcome = first
        let inquiry = try await inquiry(operation)
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
            switch try await again(operation, source: source) {
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
    ///
    /// - Throws: trouble with the journal, without whose knowledge nobody tells two payments of one external id apart.
    func inquiry(_ operation: PaymentOperation) async throws -> Inquiry {
        Inquiry(client: client, now: clock.now(), others: try await journal.payments(sharingExternalIDOf: operation))
    }

    /// Sends the same bytes under the same key once more.
    ///
    /// - Throws: trouble with the journal; nothing was sent then.
    func again(_ operation: PaymentOperation, source: Secret?) async throws -> Verdict {
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
        let verdict = verdict(exchange, operation, isRepeat: true)
        guard case .unknown = verdict else { return verdict }
        return try await FollowUpInquiry(journal: journal, client: client).verdict(on: operation) ?? verdict
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
}
