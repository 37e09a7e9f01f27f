import CloverAPI
import CloverAuth
import CloverPayments
import CloverRecords

/// One run about money: it comes to its end whatever signal comes, and then says how it ended.
struct ChargeRun {
    let environment: CommandEnvironment
    let output: ChargeOutput
    private let stop = StopSwitch()
    /// Seconds to wait at most, and when they are over in seconds since the machine started; nil waits as long as it takes.
    private let maximumTime: (seconds: Double, end: Double)?

    /// Seconds that a signal waits for the outcome at most.
    private static let patience = 420

    /// - Parameter maximumTime: seconds, from now on, after which nothing is waited for that is not under way.
    init(isJSON: Bool, isQuiet: Bool, maximumTime: Double? = nil, in environment: CommandEnvironment) {
        self.environment = environment
        self.maximumTime = maximumTime.map { ($0, Double(environment.clock.boot()) / 1000 + $0) }
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
        let timer = timer()
        defer { timer?.cancel() }
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
                    stop.waits.isWaiting
                        ? "stopping: the wait for the service ends"
                        : "stopping: if it was sent already, its outcome is waited for; a second signal ends the wait, and 'clover charge recover' settles it later"
                )
                stop.turnOn()
            }
        } catch let error as OperationRunner.NotCarriedOut {
            throw ChargeFailure.notCarriedOut(error.operation, error.cause)
        } catch let error as OperationRunner.Unrecorded {
            throw ChargeFailure.unrecorded(error.operation, error.cause)
        }
    }

    /// Ends waits when the time is over.
    private func timer() -> Task<Void, Never>? {
        guard let (seconds, end) = maximumTime else { return nil }
        let left = end - Double(environment.clock.boot()) / 1000
        guard left > 0 else {
            stop.timeRanOut(after: seconds)
            return nil
        }
        // Cancelled by the end of what it bounds; nobody waits for it.
        return Task { [stop, environment] in
            do {
                try await environment.sleep(left)
            } catch {
                return
            }
            stop.timeRanOut(after: seconds)
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
