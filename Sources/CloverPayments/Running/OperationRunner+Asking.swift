import CloverAPI
import CloverHTTP
import Synchronization

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
