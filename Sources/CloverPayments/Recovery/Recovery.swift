/// Settles what was left open by a crash or a lost answer: by asking, and never under a new key.
package struct Recovery: Sendable {
    let runner: OperationRunner
    /// Milliseconds after which what the service has no trace of was not carried out.
    private let patience: Int64

    /// Milliseconds for which a request may be repeated under its key; how long Clover keeps keys is not documented.
    private static let keyLifetime: Int64 = 60 * 60 * 1000
    /// What the service may need besides a device's own timeout, in milliseconds.
    private static let margin: Int64 = 60 * 1000

    package static let usualPatience = 600.0

    /// - Parameter patience: in seconds.
    package init(runner: OperationRunner, patience: Double = usualPatience) {
        self.runner = runner
        self.patience = Int64(patience * 1000)
    }

    /// Settles one operation as far as that can be done now.
    ///
    /// - Parameter waiting: whether to wait for whoever works on it; otherwise it is skipped, and said.
    /// - Returns: the operation as it is then; nil when it was skipped.
    package func recover(_ id: String, waiting: Bool) async throws -> PaymentOperation? {
        var lock = try await runner.journal.lock(id, waiting: false)
        guard let operation = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if lock == nil {
            await runner.onEvent(.skipped(operation))
            guard waiting else { return nil }
            lock = try await runner.journal.lock(id, waiting: true)
        }
        defer { withExtendedLifetime(lock) {} }
        // As it is under the lock.
        guard let present = try await runner.journal.operation(id) else { throw JournalError.missing(id: id) }
        if present.state.isFinal {
            let known = try await heard(present) ?? present
            await runner.onEvent(.settled(known))
            return known
        }
        if present.state == .created {
            let reason =
                present.outcome.reason.map { "\($0); the program ended before it was sent again" }
                ?? "it was never sent: the program ended before"
            return try await runner.end(present, .failed, OperationOutcome(reason: reason), cause: nil)
        }
        return try await runner.recorded(present) {
            switch try await verdict(on: present) {
            case .settled(let state, let outcome): try await runner.end(present, state, outcome, cause: nil)
            case .unknown(let outcome, _): try await runner.end(present, .unknown, outcome, cause: nil)
            }
        }
    }

    private func verdict(on operation: PaymentOperation) async throws -> Verdict {
        operation.kind == .charge ? try await chargeVerdict(operation) : try await followUpVerdict(operation)
    }

    /// Nothing of a follow-up is secret, so that it can be repeated as it was, while Clover surely has its key.
    private func followUpVerdict(_ operation: PaymentOperation) async throws -> Verdict {
        let inquiry = FollowUpInquiry(journal: runner.journal, client: runner.client)
        if let verdict = try await inquiry.verdict(on: operation) { return verdict }
        guard runner.clock.now() - operation.createdAt < Self.keyLifetime else {
            return .unknown(
                OperationOutcome(
                    reason: "it is too old to be repeated under its key; look it up in the merchant's dashboard, "
                        + "and say what it shows: clover charge settle \(operation.id)"),
                isRepeatable: false)
        }
        return try await runner.again(operation, source: nil)
    }

    private func chargeVerdict(_ operation: PaymentOperation) async throws -> Verdict {
        let inquiry = try await runner.inquiry(operation)
        if let verdict = await recalled(operation, inquiry) { return verdict }
        var outcome = operation.outcome
        switch await inquiry.look(for: operation) {
        case .found(let verdict):
            return verdict
        case .unclear(let reason):
            outcome.reason = reason
        case .absent:
            // Every look is written down too, so that the time of the last change says nothing.
            let transitions = try await runner.journal.transitions(of: operation.id)
            let sentAt = transitions.last { $0.state == .sent }?.at ?? operation.createdAt
            let age = runner.clock.now() - sentAt
            let needed = max(patience, Int64(operation.request.timeout ?? 0) * 1000 + min(patience, Self.margin))
            if age < needed {
                let seconds = (needed - age + 999) / 1000
                outcome.reason =
                    "the service does not have it yet, which is no proof for another \(seconds) s: it may be under way"
            } else if operation.rail == .payDisplay, await inquiry.isDeviceFree(of: operation) != true {
                outcome.reason = "the service does not have it, but the device may still be at it"
            } else {
                return .settled(
                    .failed,
                    OperationOutcome(reason: "the service has no such charge, long after it was sent"))
            }
        }
        return .unknown(outcome, isRepeatable: false)
    }
}
