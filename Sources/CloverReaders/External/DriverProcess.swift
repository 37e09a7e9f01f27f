internal import CLinux
internal import CloverThreads
internal import Glibc

/// A driver program under way: lines to it and from it, and its end. Everything that blocks is on a thread of its own,
/// which ends with the program.
///
/// Whoever starts it must `stop` it.
final class DriverProcess: Sendable {
    /// What a wait for a line came to.
    enum Line: Sendable {
        case line([UInt8])
        /// None came in the time allowed.
        case timeOut
    }

    struct State: Sendable {
        /// Complete lines that nobody has taken yet.
        var lines: [[UInt8]] = []
        /// Why no further line will come.
        var failure: DriverFailure?
        /// Bytes that the driver has not taken yet.
        var outgoing: [UInt8] = []
        var waiter: CheckedContinuation<Result<Line, any Error>, Never>?
        var deadline: ContinuousClock.Instant?
        var isStopping = false
        /// Set when it has ended and nothing is left of it.
        var ending: Ending?
        var stoppers: [CheckedContinuation<Ending, Never>] = []
    }

    /// How the program ended.
    struct Ending: Sendable {
        /// `ended` or `killed`.
        let failure: DriverFailure
        /// Whether we had to send it a signal.
        let wasForced: Bool
    }

    let state = Monitor(State())
    /// Wakes the thread (eventfd(2)); never closed while the object lives.
    private let bell: Int32

    /// - Parameter onErrorLine: a line of its standard error, as it came; called on the thread.
    init(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) throws(DriverFailure) {
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard bell >= 0 else { throw .notStarted(errno: errno) }
        do {
            let spawned = try SpawnedDriver.start(command, variables: variables)
            let bell = bell
            do throws(DedicatedThread.StartError) {
                // The thread keeps the object, which therefore outlives it.
                try DedicatedThread.start(name: "clover-driver") { [self] in
                    DriverLoop(spawned, bell: bell, state: state, limits: limits, onErrorLine: onErrorLine).run()
                    withExtendedLifetime(self) {}
                }
            } catch {
                spawned.abandon()
                throw DriverFailure.notStarted(errno: error.errno)
            }
        } catch let failure as DriverFailure {
            throw failure
        } catch {
            throw .notStarted(errno: EAGAIN)
        }
    }

    deinit { close(bell) }

    /// Sends a line; what the driver does not take is kept, and shows as its silence.
    func send(_ line: [UInt8]) {
        state.update { state in
            if !state.isStopping { state.outgoing += line + [UInt8(ascii: "\n")] }
        }
        ring()
    }

    /// Waits for the next line; for one task at a time.
    /// - Parameter isCancellable: false for what has to be done in a cancelled task too.
    /// - Throws: `DriverFailure` when no further line will come; `CancellationError`.
    func nextLine(within seconds: Double, isCancellable: Bool = true) async throws -> Line {
        guard isCancellable else { return try await wait(seconds).get() }
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await wait(seconds, isCancellable: true).get()
        } onCancel: {
            let waiter = state.update { $0.takeWaiter() }
            waiter?.resume(returning: .failure(CancellationError()))
        }
    }

    /// Ends the program: closes its standard input, and is less and less patient. Returns when it has ended; works in a
    /// cancelled task too.
    @discardableResult
    func stop() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.update { state in
                state.isStopping = true
                if state.ending == nil { state.stoppers.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
            ring()
        }
    }

    private func wait(_ seconds: Double, isCancellable: Bool = false) async -> Result<Line, any Error> {
        await withCheckedContinuation { continuation in
            let ready: Result<Line, any Error>? = state.update { state in
                if !state.lines.isEmpty { return .success(.line(state.lines.removeFirst())) }
                if let failure = state.failure { return .failure(failure) }
                // Cancelled after the check and before this: nobody else would wake it.
                if isCancellable, Task.isCancelled { return .failure(CancellationError()) }
                state.waiter = continuation
                state.deadline = .now + .seconds(seconds)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
            // There is room for lines again, or a new deadline.
            ring()
        }
    }

    private func ring() {
        // Fails only when it has been rung very often and never heard, which is as good.
        _ = eventfd_write(bell, 1)
    }
}

extension DriverProcess.State {
    /// Whoever waits for a line, who waits no longer.
    mutating func takeWaiter() -> CheckedContinuation<Result<DriverProcess.Line, any Error>, Never>? {
        defer {
            waiter = nil
            deadline = nil
        }
        return waiter
    }
}
