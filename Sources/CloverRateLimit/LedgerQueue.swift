import CLinux
import CloverSystem
import Glibc
import Synchronization

/// The command queue of the ledger's thread, which the first command starts.
final class LedgerQueue: Sendable {
    private struct State {
        var orders: [LedgerCommand] = []
        var isClosed = false
        var doorbell: EventFD?
    }

    private let state = Mutex(State())

    /// Queues a command.
    ///
    /// - Parameter start: starts the thread that will empty the queue; called for the first command, and again if it
    ///   threw.
    func post(_ order: LedgerCommand, start: (EventFD) throws -> Void) throws {
        try state.withLock { state in
            let doorbell: EventFD
            if let known = state.doorbell {
                doorbell = known
            } else {
                doorbell = try EventFD()
                try start(doorbell)
                state.doorbell = doorbell
            }
            state.orders.append(order)
            doorbell.signal()
        }
    }

    /// Queues a command for a thread that has been started; does nothing without one.
    func postIfRunning(_ order: LedgerCommand) {
        state.withLock { state in
            guard let doorbell = state.doorbell else { return }
            state.orders.append(order)
            doorbell.signal()
        }
    }

    /// Wakes the thread because a promise was settled by another thread.
    func wake() {
        state.withLock { $0.doorbell?.signal() }
    }

    /// Ends the thread. No command may be posted afterwards.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.doorbell?.signal()
        }
    }

    /// Takes all commands, oldest first.
    ///
    /// - Returns: nil if the queue is closed and the thread should end.
    func collect() -> [LedgerCommand]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.orders = [] }
            return state.orders
        }
    }
}

/// The reply to a request that is about to be sent, for the thread that waits for it.
enum Confirmation: Sendable {
    case pending
    /// The times that the ledgers now count for it; some may lie ahead.
    case moments([BootInstant])
    /// The ledgers could not be consulted; the request is sent anyway.
    case failed
}

/// Commands from callers to the ledger's thread.
enum LedgerCommand: Sendable {
    /// Obtain a slot and a grant, after all earlier requests of the same and higher classes.
    case admit(Promise<Admission>, RequestPriority)
    /// Admit the same request again, ahead of all others, because its task woke too late.
    case admitAgain(Promise<Admission>, Admission)
    /// Read the budgets. Done immediately.
    case look(Promise<[LedgerBudget]>)
    /// Confirm a request that is about to be sent later than its recorded times. Done immediately.
    case confirm([BootInstant], Monitor<Confirmation>)
    /// Record that a request was sent later than its recorded times. Done immediately; has no reply.
    case departed(BootInstant, granted: [BootInstant])
    /// Withdraw a request with these times that will not be sent. Done immediately; has no reply.
    case withdraw([BootInstant])
    /// Count the consecutive pauses of unspecified length before the one that begins now. Done immediately.
    case refuse(Promise<Int>, BudgetScope)
    /// Record a response to a request that was sent after such a pause. Done immediately; has no reply.
    case succeed
    /// Hold all requests of that token or app until the given time. Done immediately.
    case pause(Promise<Void>, BudgetScope, RateLimitResponse?, until: BootInstant, cause: String)
}

/// A promise: one caller waits for one result from the ledger's thread. The caller is resumed exactly once, by the
/// result or by the cancellation of its task, whichever comes first.
final class Promise<Value: Sendable>: Sendable {
    private enum Stage {
        case new
        /// The result came before the caller waited for it.
        case resolved(Result<Value, any Error>)
        case waiting(CheckedContinuation<Value, any Error>)
        case settled
    }

    private let stage = Mutex(Stage.new)

    /// Whether a result is no longer needed.
    var isSettled: Bool {
        stage.withLock { stage in
            switch stage {
            case .new, .waiting: false
            case .resolved, .settled: true
            }
        }
    }

    /// Suspends until the result is available. Call once.
    ///
    /// - Parameter onCancel: called after cancellation of the task has settled the promise.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func value(onCancel: @escaping @Sendable () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let value: Result<Value, any Error>? = stage.withLock { stage in
                    if case .resolved(let value) = stage {
                        stage = .settled
                        return value
                    }
                    stage = .waiting(continuation)
                    return nil
                }
                if let value { continuation.resume(with: value) }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
            onCancel()
        }
    }

    /// Delivers the result to the caller, now or when it waits for it.
    ///
    /// - Returns: false if the promise was already settled. The result was then not taken, and still belongs to the
    ///   caller of this method.
    @discardableResult
    func settle(_ result: Result<Value, any Error>) -> Bool {
        let (isTaken, waiting) = stage.withLock { stage -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch stage {
            case .new:
                stage = .resolved(result)
                return (true, nil)
            case .waiting(let continuation):
                stage = .settled
                return (true, continuation)
            case .resolved, .settled:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isTaken
    }
}

/// Wakes the ledger's thread out of `poll(2)`: an eventfd(2) that any thread may signal at any time.
final class EventFD: Sendable {
    private let descriptor: Descriptor

    /// Readable after `signal`.
    var number: Int32 { descriptor.number }

    init() throws(LedgerError) {
        let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard number >= 0 else { throw .system(call: "eventfd", errno: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Signals the descriptor; never blocks. A full counter means that it is already signalled.
    func signal() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Clears the signal.
    func clear() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}
