import CloverPayments
import CloverRecords

/// One run about money: it comes to its end whatever signal comes, and then says how it ended.
struct ChargeRun {
    let environment: CommandEnvironment
    let output: ChargeOutput
    private let stop = StopSwitch()

    /// Seconds that a signal waits for the outcome at most.
    private static let patience = 420

    init(isJSON: Bool, isQuiet: Bool, in environment: CommandEnvironment) {
        self.environment = environment
        output = ChargeOutput(isJSON: isJSON, isQuiet: isQuiet, in: environment)
    }

    /// Does `body` in a task that a signal does not cancel: it turns the switch on, and what that means depends on how far
    /// the charge is.
    func run<Value: Sendable>(
        _ journal: ChargeJournal, _ payment: PaymentConnection, reader: (any PaymentReader)? = nil,
        drivers: ReaderDriverChoice = ReaderDriverChoice(),
        _ body: @escaping @Sendable (OperationRunner) async throws -> Value
    ) async throws -> Value {
        let output = output
        var recalling = OperationRunner(
            journal: journal, client: payment.client, clock: environment.paymentClock, reader: reader, stop: stop,
            onEvent: { await output.show($0) })
        recalling.recollection = try DriverRecollection(drivers, payment.connection, in: environment)
        let runner = recalling
        let work = environment.criticalWork
        let diagnostics = environment.diagnostics
        work.beginHeld(patience: Self.patience)
        defer { work.endHeld() }
        // Waited for here, and cancelled by nobody: the process may end it, and then the journal knows.
        let task = Task { try await body(runner) }
        do {
            return try await withTaskCancellationHandler {
                try await ProgressBoard.during(in: environment, sharesTerminal: true) { board in
                    board.line("charge") { $0.words = "waiting for the outcome" }
                    output.stands(above: board)
                    return try await task.value
                }
            } onCancel: {
                diagnostics.request(
                    "stopping: if it was sent already, its outcome is waited for; a second signal ends the wait, and 'clover charge recover' settles it later"
                )
                stop.turnOn()
            }
        } catch let error as OperationRunner.NotCarriedOut {
            throw ChargeFailure.notCarriedOut(error.operation, error.cause)
        } catch let error as OperationRunner.Unrecorded {
            throw ChargeFailure.unrecorded(error.operation, error.cause)
        }
    }

    /// What the exit status depends on.
    func finish(_ operation: PaymentOperation) throws {
        switch operation.state {
        case .approved:
            if operation.isPartial { throw ChargeFailure.partial(operation) }
        case .declined, .cancelled, .failed: throw ChargeFailure.refused(operation)
        case .created, .sent, .unknown: throw ChargeFailure.unknown(operation)
        }
        try output.finish()
    }
}
