import CloverAuth
import CloverJSON
import CloverOutput
package import CloverPayments

/// `clover charge capture`, `void`, `refund`, `tip`, `increment` and `receipt`.
package struct FollowUpCharge: Sendable {
    package var plan: FollowUpPlan
    /// The charge's id.
    package var charge: String
    /// The amount and tip as typed; their currency is the charge's.
    package var amount: AmountArgument?
    package var tip: AmountArgument?
    package var connection: ConnectionChoice
    package var isDryRun = false
    /// Time limit in seconds for waits; it never ends a request in flight. Nil for no limit.
    package var maximumTime: Double?
    package var isJSON = false
    package var isQuiet = false

    package init(_ kind: OperationKind, charge: String, connection: ConnectionChoice) {
        plan = FollowUpPlan(kind)
        self.charge = charge
        self.connection = connection
    }

    /// Returns if the operation was carried out; throws otherwise.
    package func run(in environment: CommandEnvironment) async throws {
        guard let journal = try await environment.existingJournal(),
            let charge = try await journal.operation(charge)
        else { throw PaymentPlanError.unknownOperation(charge) }
        var plan = plan
        if let currency = charge.amount?.currency {
            plan.amount = try amount?.money(in: currency).minorUnits
            plan.tip = try tip?.money(in: currency).minorUnits
        }
        let payment = try await PaymentConnection.resolve(for: charge, connection, in: environment)
        // One operation at a time on a charge, so that two of them cannot use up the same remainder.
        guard let lock = try await journal.lock(charge.id, waiting: true) else {
            throw JournalError.missing(id: charge.id)
        }
        defer { withExtendedLifetime(lock) {} }
        guard let present = try await journal.operation(charge.id) else { throw JournalError.missing(id: charge.id) }
        if let key = plan.idempotencyKey, let earlier = try await journal.operation(key: key) {
            let followUps = try await journal.followUps(of: charge.id)
            let before = followUps.prefix { $0.id != earlier.id }
            guard plan.asks(for: earlier, on: present, after: Array(before)) else {
                throw PaymentPlanError.keyInUse(id: earlier.id)
            }
            if isDryRun { return try await preview(earlier, payment, in: environment) }
            let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
            let now = environment.clock.wall()
            let settled = try await run.run(journal, payment) { [plan] runner in
                if earlier.isNeverSent {
                    let others = followUps.filter { $0.id != earlier.id }
                    let operation = try plan.operation(on: present, after: others, now: now)
                    // The remainder may have changed since.
                    guard operation.amount == earlier.amount else { throw PaymentPlanError.keyInUse(id: earlier.id) }
                    if let done = try await runner.restart(earlier.id, as: operation) { return done }
                }
                return try await Recovery(runner: runner).recover(earlier.id, waiting: true) ?? earlier
            }
            return try run.finish(settled)
        }
        let operation = try plan.operation(
            on: present, after: try await journal.followUps(of: charge.id), now: environment.clock.wall())
        if isDryRun { return try await preview(operation, payment, in: environment) }
        let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
        let done = try await run.run(journal, payment) { runner in try await runner.perform(operation) }
        guard let done else { throw PaymentPlanError.keyInUse(id: operation.id) }
        try run.finish(done)
    }

    private func preview(
        _ operation: PaymentOperation, _ payment: PaymentConnection, in environment: CommandEnvironment
    ) async throws {
        let preview = RequestPreview(request: try OperationPreview.request(operation, payment.client), line: nil)
        let isText = environment.terminal.isOutputTerminal && !isJSON
        try await environment.standardOutput.write(Array((isText ? preview.text : preview.json + "\n").utf8))
    }
}
