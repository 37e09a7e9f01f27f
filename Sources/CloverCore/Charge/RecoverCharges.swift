import CloverAuth
import CloverPayments

/// `clover charge recover`: settles operations that a crash or a lost response left open.
package struct RecoverCharges: Sendable {
    /// The operation; nil for all that are not settled.
    package var identifier: String?
    package var connection: ConnectionChoice
    /// A driver to query in place of the one that made the charge.
    package var drivers = ReaderDriverChoice()
    /// Time limit in seconds for waits; it never ends a request in flight. Nil for no limit.
    package var maximumTime: Double?
    package var isJSON = false
    package var isQuiet = false
    /// Describes the failure of one of several operations.
    private let describe: @Sendable (any Error) -> FailureDetails?

    package init(
        _ identifier: String?, connection: ConnectionChoice,
        describing describe: @escaping @Sendable (any Error) -> FailureDetails?
    ) {
        self.identifier = identifier
        self.connection = connection
        self.describe = describe
    }

    /// Returns if everything is settled; throws otherwise.
    package func run(in environment: CommandEnvironment) async throws {
        guard let journal = try await environment.existingJournal() else {
            if let identifier { throw PaymentPlanError.unknownOperation(identifier) }
            return
        }
        let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
        if let identifier {
            guard let operation = try await journal.operation(identifier) else {
                throw PaymentPlanError.unknownOperation(identifier)
            }
            let (settled, void) = try await recover(operation, waiting: true, run, journal) ?? (operation, nil)
            if settled.outcome.contradiction != nil { throw ChargeFailure.contradicted(settled) }
            return try run.finish(settled, void: void)
        }
        var unknown = 0
        var failed = 0
        var skipped = 0
        var reader: String?
        for operation in try await journal.unsettled() {
            try Task.checkCancellation()
            do {
                guard let (settled, void) = try await recover(operation, waiting: false, run, journal) else {
                    skipped += 1
                    continue
                }
                if !settled.state.isFinal {
                    unknown += 1
                    if settled.rail == .reader { reader = reader ?? settled.id }
                }
                if let void, void.state != .approved { unknown += 1 }
            } catch let error as CancellationError {
                throw error
            } catch {
                guard let facts = describe(error) else { throw error }
                if case ChargeFailure.unrecorded = error { unknown += 1 } else { failed += 1 }
                environment.diagnostics.failure(
                    "\(operation.id): \(facts.message)", code: facts.code, status: facts.status)
            }
        }
        let (contradicted, reopened) = try await recheckDoubtful(run, journal)
        unknown += reopened
        if unknown + contradicted + failed > 0 {
            throw ChargeFailure.unsettled(
                unknown: unknown, contradicted: contradicted, failed: failed, reader: reader)
        }
        if skipped > 0 { throw ChargeFailure.skipped(skipped) }
        try run.output.finish()
    }

    /// Rechecks recent outcomes that were entered by hand or inferred from missing records. They stay settled even if the
    /// service cannot be reached.
    ///
    /// - Returns: the number of contradicted outcomes, and of those that are unknown again.
    private func recheckDoubtful(
        _ run: ChargeRun, _ journal: ChargeJournal
    ) async throws -> (contradicted: Int, reopened: Int) {
        var contradicted = 0
        var reopened = 0
        let now = run.environment.clock.wall()
        for operation in try await journal.doubtful(since: now - Recovery.recheckPeriod, now: now) {
            try Task.checkCancellation()
            var known = operation
            do {
                // An outcome that a response already contradicts needs no further request.
                if operation.outcome.isByHand == true || operation.outcome.contradiction == nil {
                    let payment = try await PaymentConnection.resolve(for: operation, connection, in: run.environment)
                    known =
                        try await run.run(journal, payment, drivers: drivers) { runner in
                            try await Recovery(runner: runner).recheck(operation.id)
                        } ?? operation
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                guard let facts = describe(error) else { throw error }
                run.environment.diagnostics.warning(
                    "\(operation.id) was settled \(operation.outcome.isByHand == true ? "by hand" : "without a payment"), "
                        + "and checking it failed: \(facts.message)")
            }
            if !known.state.isFinal { reopened += 1 }
            if let contradiction = known.outcome.contradiction {
                contradicted += 1
                // A new contradiction was already shown when it was found.
                if known == operation { await run.output.show(.settled(known)) }
                run.environment.diagnostics.warning("\(operation.id): \(contradiction)")
            }
        }
        return (contradicted, reopened)
    }

    /// - Returns: nil if it was skipped; `void` is the void of a partial approval that was not allowed.
    private func recover(
        _ operation: PaymentOperation, waiting: Bool, _ run: ChargeRun, _ journal: ChargeJournal
    ) async throws -> (settled: PaymentOperation, void: PaymentOperation?)? {
        let payment = try await PaymentConnection.resolve(for: operation, connection, in: run.environment)
        return try await run.run(journal, payment, drivers: drivers) { runner in
            let recovery = Recovery(runner: runner)
            guard let settled = try await recovery.recover(operation.id, waiting: waiting) else { return nil }
            return (
                settled, settled.isUnwantedPartialApproval ? try await recovery.reversePartialApproval(settled) : nil
            )
        }
    }
}
