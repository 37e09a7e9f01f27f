import CloverAPI
import CloverCore
import CloverHTTP
import Synchronization

/// A write in flight. A signal that stops the command lets the request finish, because only its response shows whether it
/// was carried out. Before it is sent, and between two attempts, it is stopped at once.
final class InFlightWrite: Sendable {
    private enum Phase {
        /// No request is in flight.
        case waiting
        case underWay
        /// The response has arrived and is being processed.
        case answered
    }

    private struct State {
        var phase = Phase.waiting
        /// Whether an attempt that ended may have been carried out.
        var isDoubtful = false
        var isStopping = false
        var isAbandoned = false
        /// Whether the doubt was reported.
        var hasReportedDoubt = false
        var cancel: (@Sendable () -> Void)?

        var standing: WriteState { phase == .underWay ? .underWay : isDoubtful ? .doubtful : .notDone }
    }

    private let state = Mutex(State())
    private let work: CriticalWork
    private let onStop: @Sendable (WriteState) -> Void

    /// - Parameter onStop: called on any thread when the command is stopped while it is in doubt whether the write was
    ///   carried out.
    init(work: CriticalWork, onStop: @escaping @Sendable (WriteState) -> Void) {
        self.work = work
        self.onStop = onStop
    }

    /// Observer of the request for the client.
    var watch: SendObserver {
        SendObserver(departed: { self.willSend() }, failed: { self.didEnd(mayHaveActed: $0) })
    }

    /// Whether it was reported that the request may have been carried out.
    var hasReportedDoubt: Bool { state.withLock(\.hasReportedDoubt) }

    /// Records that the whole response has arrived and only has to be processed.
    func answer() { state.withLock { $0.phase = .answered } }

    /// Sends one write and processes its response, in a task that a signal does not cancel while the request is in flight.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // Awaited below; cancelled by `stop`, `didEnd` or `abandon`.
        let task = Task { try await body() }
        state.withLock { state in
            state.cancel = { task.cancel() }
            state.isDoubtful = false
        }
        defer {
            didEnd(mayHaveActed: false)
            state.withLock { $0.cancel = nil }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            stop()
        }
    }

    /// Ends the request, even in flight, because the time limit was reached.
    ///
    /// - Returns: its state.
    func abandon() -> WriteState {
        let (standing, cancel) = state.withLock { state in
            defer {
                state.isStopping = true
                state.isAbandoned = true
            }
            return (state.standing, state.cancel)
        }
        cancel?()
        return standing
    }

    /// Reports that the request may have been sent as it was stopped, or by an earlier attempt. After `abandon`, its
    /// caller reports that.
    func reportDoubt() {
        let isUnreported = state.withLock { state in
            defer { state.hasReportedDoubt = true }
            return !state.isAbandoned
        }
        if isUnreported { onStop(.doubtful) }
    }

    private func stop() {
        let (isFirst, isUnderWay, cancel) = state.withLock { state in
            let isFirst = !state.isStopping
            let isUnderWay = state.phase == .underWay
            state.isStopping = true
            return (isFirst, isUnderWay, state.phase == .waiting ? state.cancel : nil)
        }
        guard isFirst else { return }
        if isUnderWay { onStop(.underWay) }
        cancel?()
    }

    /// Called before the first byte is sent; returns whether to send. Once the command is stopped nothing more is sent, so
    /// that what `stop` and `abandon` found unsent stays unsent.
    private func willSend() -> Bool {
        let (maySend, isNew) = state.withLock { state in
            guard !state.isStopping else { return (false, false) }
            defer { state.phase = .underWay }
            return (true, state.phase == .waiting)
        }
        if isNew { work.begin() }
        return maySend
    }

    private func didEnd(mayHaveActed: Bool) {
        let (wasWaiting, cancel) = state.withLock { state in
            defer { state.phase = .waiting }
            if mayHaveActed { state.isDoubtful = true }
            return (state.phase == .waiting, state.isStopping ? state.cancel : nil)
        }
        if !wasWaiting { work.end() }
        cancel?()
    }
}

/// State of a write that is stopped from outside.
enum WriteState: Sendable, Equatable {
    /// Not sent, or refused: it was not carried out.
    case notDone
    /// Sent, and its response is awaited.
    case underWay
    /// An earlier attempt was sent, and no response shows whether it was carried out.
    case doubtful
}

/// Sends writes for one merchant and explains refusals.
struct WriteSender: Sendable {
    let plan: WritePlan
    let client: ServiceClient
    let diagnosis: TokenDiagnosis
    let inspection: RecordInspection
    let flight: InFlightWrite
    let pause = RateLimitPause()

    /// - Parameter onStop: as for `InFlightWrite`.
    init(
        _ request: WriteRequest, _ plan: WritePlan, _ connection: Connection, in environment: CommandEnvironment,
        onStop: @escaping @Sendable (WriteState) -> Void
    ) throws {
        self.plan = plan
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.effectivePacing,
            stallTimeout: request.call?.address.stallTimeout, pause: pause, onRefusal: request.call?.refusal.note,
            in: environment)
        diagnosis = TokenDiagnosis(connection, in: environment)
        inspection = try RecordInspection(
            plan.path, isEnvelope: request.call != nil, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        flight = InFlightWrite(work: environment.criticalWork, onStop: onStop)
    }

    /// Fills in the facts for the progress line.
    func update(_ facts: inout ProgressStatus) {
        let statistics = client.statistics
        facts.requests = statistics.requests
        facts.secondsWaited = statistics.secondsWaited
        facts.pausedUntil = pause.until
    }

    /// Sends one request.
    ///
    /// - Throws: `WriteFailure`, `TokenRefusal`, or an error that concerns all requests, such as a token that cannot be
    ///   renewed.
    func send(_ body: [UInt8]?, to path: ResourcePath) async throws -> WriteResponse {
        let request = plan.request(at: path, body: body, base: client.url(path: "", query: ""))
        do {
            var response = try await client.write(request, watch: flight.watch)
            flight.answer()
            do throws(CoreError) {
                response.records = try inspection.pass(response.records)
            } catch {
                // The request was carried out even so.
                let lost = ResponseLostError(
                    status: response.status, url: Redaction.url(request.url),
                    reason: "it is not JSON, so its sensitive fields cannot be masked")
                throw WriteFailure(.answerLost(lost), plan.method, at: path)
            }
            return response
        } catch let error as ServiceError {
            let explained = try await diagnosis.explained(error, at: path)
            guard let refusal = explained as? ServiceError else { throw explained }
            throw WriteFailure(.refused(refusal), plan.method, at: path)
        } catch let error as IndeterminateWriteError {
            if case .unreachable(.cancelled, _, _) = error.cause {
                flight.reportDoubt()
                throw CancellationError()
            }
            throw WriteFailure(.unknown(error), plan.method, at: path)
        } catch let error as ResponseLostError {
            throw WriteFailure(.answerLost(error), plan.method, at: path)
        }
    }
}
