import CloverAuth
import CloverPayments

/// `clover charge recover`: settles what a crash or a lost answer left open.
package struct RecoverCharges: Sendable {
    /// One operation; nil is all that are not settled.
    package var identifier: String?
    package var connection: ConnectionChoice
    /// A driver that is asked in place of the one that charged.
    package var drivers = ReaderDriverChoice()
    /// Seconds after which what the service has no trace of was not carried out.
    package var patience = Recovery.usualPatience
    /// Seconds to wait at most for what is not under way; nil waits as long as it takes.
    package var maximumTime: Double?
    package var isJSON = false
    package var isQuiet = false
    /// How a failure of one of many is reported.
    private let describe: @Sendable (any Error) -> FailureFacts?

    package init(
        _ identifier: String?, connection: ConnectionChoice,
        describing describe: @escaping @Sendable (any Error) -> FailureFacts?
    ) {
        self.identifier = identifier
        self.connection = connection
        self.describe = describe
    }

    /// Everything is settled, unless this throws.
    package func run(in environment: CommandEnvironment) async throws {
        guard let journal = try await environment.existingJournal() else {
            if let identifier { throw PlanRefusal.unknownOperation(identifier) }
            return
        }
        let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
        if let identifier {
            guard let operation = try await journal.operation(identifier) else {
                throw PlanRefusal.unknownOperation(identifier)
            }
            let settled = try await recover(operation, waiting: true, run, journal) ?? operation
            if settled.outcome.contradiction != nil { throw ChargeFailure.contradicted(settled) }
            return try run.finish(settled)
        }
        var unknown = 0
        var failed = 0
        var reader: String?
        for operation in try await journal.unsettled() {
            try Task.checkCancellation()
            do {
                let settled = try await recover(operation, waiting: false, run, journal)
                // What another process works on is in good hands.
                if let settled, !settled.state.isFinal {
                    unknown += 1
                    if settled.rail == .reader { reader = reader ?? settled.id }
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                guard let facts = describe(error) else { throw error }
                if case ChargeFailure.unrecorded = error { unknown += 1 } else { failed += 1 }
                environment.diagnostics.failure(
                    "\(operation.id): \(facts.message)", code: facts.code, status: facts.status)
            }
        }
        let contradicted = try await askAgain(run, journal)
        if unknown + contradicted + failed > 0 {
            throw ChargeFailure.unsettled(
                unknown: unknown, contradicted: contradicted, failed: failed, reader: reader)
        }
        try run.output.finish()
    }

    /// Asks about what a person settled in the last days. It is settled, whether or not somebody can be asked.
    ///
    /// - Returns: how many are not as was said.
    private func askAgain(_ run: ChargeRun, _ journal: ChargeJournal) async throws -> Int {
        var contradicted = 0
        let since = run.environment.clock.wall() - Recovery.handLifetime
        for operation in try await journal.settledByHand(since: since) {
            try Task.checkCancellation()
            var known = operation
            do {
                // Where an answer has the last word already, nobody is asked.
                if operation.outcome.isByHand == true {
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
                    "\(operation.id) was settled by hand, and could not be asked about: \(facts.message)")
            }
            if let contradiction = known.outcome.contradiction {
                contradicted += 1
                // What is news was shown when it was heard.
                if known == operation { await run.output.show(.settled(known)) }
                run.environment.diagnostics.warning("\(operation.id): \(contradiction)")
            }
        }
        return contradicted
    }

    private func recover(
        _ operation: PaymentOperation, waiting: Bool, _ run: ChargeRun, _ journal: ChargeJournal
    ) async throws -> PaymentOperation? {
        let payment = try await PaymentConnection.resolve(for: operation, connection, in: run.environment)
        return try await run.run(journal, payment, drivers: drivers) { [patience] runner in
            try await Recovery(runner: runner, patience: patience).recover(operation.id, waiting: waiting)
        }
    }
}
