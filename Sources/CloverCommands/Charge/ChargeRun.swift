import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverPayments

/// One payment run. It reaches its outcome whatever signal arrives, and then reports it.
struct ChargeRun {
    let environment: CommandEnvironment
    let output: ChargeOutput
    private let stop: ChargeCanceller
    /// The time limit in seconds, and its end in seconds since boot; nil for no limit.
    private let maximumTime: (seconds: Double, end: Double)?

    /// Maximum time in seconds that a signal waits for the outcome.
    private static let signalTimeout = 420
    /// Seconds after the time limit for responses that are under way, and for a device to cancel.
    private static let cleanupTime = 2.0

    /// - Parameter maximumTime: time limit in seconds from now.
    init(isJSON: Bool, maximumTime: Double? = nil, in environment: CommandEnvironment) {
        self.environment = environment
        stop = ChargeCanceller()
        self.maximumTime = maximumTime.map { ($0, Double(environment.clock.boot()) / 1000 + $0) }
        output = ChargeOutput(isJSON: isJSON, isQuiet: environment.diagnostics.level == .quiet, in: environment)
    }

    /// Runs a step before anything is recorded or sent, which a signal or the end of the time cancels.
    func prepare<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let timer = timer()
        defer { timer?.cancel() }
        do {
            return try await stop.waits.during(body)
        } catch {
            throw stop.waits.reason ?? error
        }
    }

    /// Runs `body` in a task that a signal does not cancel. A signal turns on the stop switch instead; its effect depends on
    /// how far the charge has got.
    func run<Value: Sendable>(
        _ journal: ChargeJournal, _ payment: PaymentConnection, reader: (any PaymentReader)? = nil,
        drivers: ReaderDriverChoice = ReaderDriverChoice(),
        _ body: @escaping @Sendable (OperationRunner) async throws -> Value
    ) async throws -> Value {
        let output = output
        var newRunner = OperationRunner(
            journal: journal, client: payment.client, clock: environment.paymentClock, reader: reader, stop: stop,
            onEvent: { [stop] event in
                if let error = await output.show(event) { stop.couldNotAnnounce(error) }
            })
        newRunner.recollection = try DriverChargeLookup(drivers, payment.connection, in: environment)
        newRunner.concealed = { [mask = environment.diagnostics.mask] in mask.masked($0) }
        let runner = newRunner
        let work = environment.criticalWork
        let diagnostics = environment.diagnostics
        let timer = timer()
        defer { timer?.cancel() }
        work.beginHeld(patience: Self.signalTimeout)
        defer { work.endHeld() }
        // Awaited below and never cancelled. If the process is killed instead, the journal has the state.
        let task = Task { () async throws -> Value in
            do {
                let value = try await body(runner)
                await output.showPart()
                return value
            } catch {
                await output.showPart()
                throw error
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await ProgressDisplay.during(in: environment, sharesTerminal: true) { board in
                    board.line("charge") { $0.words = "waiting for the outcome" }
                    output.stands(above: board)
                    return try await task.value
                }
            } onCancel: {
                diagnostics.request(
                    stop.waits.isWaiting
                        ? "stopping: no longer waiting for the service"
                        : "stopping: waiting for the outcome if it was already sent; a second signal stops the wait, and 'clover charge recover' settles it later"
                )
                stop.turnOn()
            }
        } catch let error as OperationRunner.NotCarriedOut {
            throw ChargeFailure.notCarriedOut(error.operation, error.cause)
        } catch let error as OperationRunner.Unrecorded {
            throw ChargeFailure.unrecorded(error.operation, error.cause)
        }
    }

    /// Starts the task that ends waits when the time limit is reached, and requests under way soon after.
    private func timer() -> Task<Void, Never>? {
        guard let (seconds, end) = maximumTime else { return nil }
        let left = end - Double(environment.clock.boot()) / 1000
        if left <= 0 { stop.timeRanOut(after: seconds, because: environment.databaseWaits.obstacle?.words) }
        // Cancelled when `run` ends; never awaited.
        return Task { [stop, environment] in
            do {
                if left > 0 {
                    try await environment.sleep(left)
                    stop.timeRanOut(after: seconds, because: environment.databaseWaits.obstacle?.words)
                }
                try await environment.sleep(max(0, Self.cleanupTime + min(left, 0)))
                stop.endRequests(after: seconds)
            } catch {
                return
            }
        }
    }

    /// Throws the failure that decides the exit status, unless the operation was approved in full. If its events could not
    /// be written, standard error names the operation.
    ///
    /// - Parameters:
    ///   - void: the state of the void of a partial approval that was not allowed.
    ///   - followUps: those of a charge, oldest first.
    ///   - contradicted: a follow-up of the charge that Clover contradicts.
    func finish(
        _ operation: PaymentOperation, void: OperationState? = nil, after followUps: [PaymentOperation] = [],
        contradicted: PaymentOperation? = nil
    ) throws {
        // What a follow-up left of the charge is not known then.
        let isContradicted = operation.outcome.contradiction != nil
        let ofFollowUp = isContradicted ? nil : contradicted.map { ChargeFailure.contradicted($0) }
        guard let failure = ofFollowUp ?? failure(of: operation, void: void, after: followUps) else {
            if let error = output.failure { throw ChargeFailure.unprinted(operation, error) }
            return
        }
        // The status of the failure says more about the money.
        if let error = output.failure {
            environment.diagnostics.warning(
                "\(error); to see what became of it: clover charge show \(operation.id)")
        }
        throw failure
    }

    private func failure(
        of operation: PaymentOperation, void: OperationState?, after followUps: [PaymentOperation]
    ) -> ChargeFailure? {
        // The same key, too, gives no success while Clover contradicts what was recorded. Pages have their own words.
        if operation.outcome.contradiction != nil, !operation.rail.makesPage || operation.outcome.isByHand == true {
            return .contradicted(operation)
        }
        if let void {
            let followUps = followUps.onPresentPayment(of: operation)
            let open = followUps.last { $0.kind.movesMoney && !$0.state.isFinal }?.id
            let pending = followUps.last(where: \.isPendingRefund)?.id
            return .partialVoided(operation, void: pending == nil ? void : .unknown, open: open ?? pending)
        }
        if operation.isReleasedElsewhere { return .released(operation) }
        return switch operation.state {
        case .approved: operation.isPartial ? .partial(operation, after: followUps) : nil
        case .declined, .cancelled, .failed:
            operation.outcome.contradiction == nil ? .refused(operation) : .contradicted(operation)
        case .created, .sent, .unknown: .unknown(operation)
        }
    }
}

/// An operation that did not end as requested. Its outcome is already printed; this error decides the exit status.
enum ChargeFailure: Error, Sendable {
    /// Declined, cancelled, or not carried out.
    case refused(PaymentOperation)
    /// Not carried out, with the error that is the reason.
    case notCarriedOut(PaymentOperation, any Error)
    /// Approved, and released elsewhere since, so that nothing is held or taken.
    case released(PaymentOperation)
    /// Carried out, but its events could not be written to standard output.
    case unprinted(PaymentOperation, RecordWriteError)
    /// Sent, but the journal could not record the outcome.
    case unrecorded(PaymentOperation, any Error)
    /// It may have been carried out.
    case unknown(PaymentOperation)
    /// Part of the amount was approved, and the payment was kept; `after`: the follow-ups of the charge.
    case partial(PaymentOperation, after: [PaymentOperation])
    /// Part of the amount was approved although partial approval was not allowed; `void` is the state of its void, `open` the ID
    /// of a follow-up that is not settled.
    case partialVoided(PaymentOperation, void: OperationState, open: String?)
    /// A later response contradicts the outcome that was recorded.
    case contradicted(PaymentOperation)
    /// A charge was shown, and its payment could not be asked for.
    case unasked(ChargeServiceStatus.Obstacle)
    /// Recovery of several operations: the number still unknown, the number that contradict the outcome entered by hand,
    /// and the number whose recovery failed. `byHand` is a charge by a reader, or a page, that may have to be settled by hand.
    case unsettled(unknown: Int, contradicted: Int, failed: Int, byHand: PaymentOperation?)
    /// Recovery of several operations: this many were skipped because other processes work on them; the rest is settled.
    case skipped(Int)

    /// Whether the reader of standard output has closed it, which ends the program by SIGPIPE, after the report.
    var isOfClosedOutput: Bool {
        switch self {
        case .unprinted(_, .closed): true
        case .notCarriedOut(_, let cause as ChargeCanceller.Unannounced): cause.cause as? RecordWriteError == .closed
        default: false
        }
    }
}
