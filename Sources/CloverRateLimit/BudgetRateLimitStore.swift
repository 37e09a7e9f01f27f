import CloverSystem
import Synchronization

/// A store whose budgets are in files of the state directory, shared by all processes of the user (`BudgetFiles`), or in
/// a database that many machines share.
///
/// Each process has one thread for them, started by the first call, on which all waiting happens. The process may exit
/// at any time: the kernel, or the database, releases what it holds.
package final class BudgetRateLimitStore: RateLimitStore {
    package let allowsUnconfirmed: Bool
    private let budgetCount: Int
    private let makeBudgets: @Sendable (LedgerThread) throws(LedgerError) -> any Budgets
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let queue = LedgerQueue()
    /// Time between two attempts to reach a database that is away, and before the second, which suffices if only the
    /// connection was lost.
    private static let awayDelay = Duration.seconds(1)
    private static let reconnectDelay = Duration.milliseconds(100)

    /// - Parameters:
    ///   - budgetCount: 1 for a token, 2 for a token and its app.
    ///   - allowsUnconfirmed: see `RateLimitStore`.
    ///   - onNotice: called on the thread; must be quick.
    ///   - makeBudgets: returns the budgets; called once, on the thread, and again after it threw.
    package init(
        budgetCount: Int, allowsUnconfirmed: Bool = true, onNotice: @escaping @Sendable (LedgerNotice) -> Void,
        makeBudgets: @escaping @Sendable (LedgerThread) throws(LedgerError) -> any Budgets
    ) {
        self.budgetCount = budgetCount
        self.allowsUnconfirmed = allowsUnconfirmed
        self.makeBudgets = makeBudgets
        self.onNotice = onNotice
    }

    deinit {
        queue.close()
    }

    package func admit(_ priority: RequestPriority, again late: Admission?) async throws -> Admission {
        // Posted before the first suspension, so that consecutive calls on one actor are served in order.
        var failures = 0
        var reported: String?
        var late = late
        while true {
            let held = late
            do {
                return try await post { worker, promise in worker.admit(promise, priority, again: held) }
            } catch LedgerError.away(let address, let message) where priority != .charge {
                // A charge has a customer waiting, and nothing of it was sent.
                failures += 1
                if failures > 1, message != reported {
                    onNotice(.databaseAway(address: address, message: message))
                    reported = message
                }
                // What it held was given back.
                late = nil
                try await Task.sleep(for: failures == 1 ? Self.reconnectDelay : Self.awayDelay)
            }
        }
    }

    package func confirm(_ moments: [BootInstant], reply: @escaping @Sendable ([BootInstant]?) -> Void) {
        queue.postIfRunning { worker in
            do {
                let budgets = try worker.budgets()
                var moments = moments.map { Optional($0) }
                for index in moments.indices { moments = try budgets.confirm(at: index, moments) }
                reply(moments.compactMap(\.self))
            } catch {
                reply(nil)
            }
        }
    }

    package func record(_ event: AdmissionEvent) {
        queue.postIfRunning { worker in
            do {
                let budgets = try worker.budgets().all
                switch event {
                case .sent(let moment, let granted):
                    for (budget, grant) in zip(budgets, granted) {
                        try budget.note(departure: moment, of: grant)
                    }
                case .withdrawn(let granted):
                    for (budget, grant) in zip(budgets, granted) { try budget.withdraw(grant) }
                case .answered:
                    for budget in budgets { try budget.transaction { window, _ in window.succeed() } }
                }
            } catch {
                // The margin covers a send time that is not recorded, a grant stays used, or the next pause is longer
                // than necessary. The next transaction reports the error to a request that waits.
            }
        }
    }

    package func refuse(_ scope: BudgetScope) async throws -> Int {
        try await run { worker in try worker.budget(of: scope).transaction { $0.refuse(now: $1) } }
    }

    package func pause(
        _ scope: BudgetScope, until moment: BootInstant, cause: String, refusal: RateLimitResponse?
    ) async throws {
        try await run { worker in
            let budget = try worker.budget(of: scope)
            try budget.pause(until: moment, cause: cause)
            guard var refusal else { return }
            // The app's limit does not apply to the token, whose share of it is unknown.
            if try refusal.scope == .app && worker.budgets().all.count == 1 { refusal.limit = nil }
            try budget.transaction { window, now in
                window.learn(refusal, configured: budget.limits, now: now)
            }
        }
    }

    package func budgets() async throws -> [LedgerBudget] {
        try await run { worker in try worker.budgets().all.map { try $0.look() } }
    }

    /// Runs `body` on the thread, before any request that waits, and returns its result.
    private func run<Value: Sendable>(_ body: @escaping @Sendable (LedgerWorker) throws -> Value) async throws -> Value
    {
        try await post { worker, promise in promise.settle(Result { try body(worker) }) }
    }

    /// Runs `command` on the thread, and waits for the promise.
    private func post<Value: Sendable>(
        _ command: @escaping @Sendable (LedgerWorker, Promise<Value, any Error>) -> Void
    ) async throws -> Value {
        let promise = Promise<Value, any Error>()
        try queue.post({ worker in command(worker, promise) }, start: startThread)
        return try await promise.value(cancelledWith: CancellationError()) { [queue] in queue.wake() }
    }

    private func startThread(_ wake: EventFD) throws {
        let timer = try BootTimer()
        // Does not capture self: the thread must not keep the store alive, because the store's end is what ends the
        // thread.
        try DedicatedThread.start(name: "clover-ledger") { [queue, budgetCount, makeBudgets, onNotice] in
            LedgerWorker(
                queue: queue, wake: wake, timer: timer, budgetCount: budgetCount, makeBudgets: makeBudgets,
                onNotice: onNotice
            ).run()
        }
    }
}

/// The thread of a store, for what may not block and belongs to a budget.
package struct LedgerThread: Sendable {
    private let queue: LedgerQueue

    init(_ queue: LedgerQueue) {
        self.queue = queue
    }

    /// Runs `body` soon, on the thread, with the budget of this index. Does nothing if the store has ended.
    package func post(_ index: Int, _ body: @escaping @Sendable (any Budget) -> Void) {
        queue.postIfRunning { worker in
            if let budget = worker.openBudget(index) { body(budget) }
        }
    }
}

/// The command queue of the ledger's thread, which the first command starts.
final class LedgerQueue: Sendable {
    typealias Command = @Sendable (LedgerWorker) -> Void

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Wakes the thread; nil before there is one.
        var wake: EventFD?
    }

    private let state = Mutex(State())

    /// Queues a command.
    ///
    /// - Parameter start: starts the thread that will empty the queue; called for the first command, and again if it
    ///   threw.
    func post(_ command: @escaping Command, start: (EventFD) throws -> Void) throws {
        try state.withLock { state in
            if state.wake == nil {
                let wake: EventFD
                do throws(ErrorNumber) {
                    wake = try EventFD()
                } catch {
                    throw LedgerError.system(call: "eventfd", errno: error.code)
                }
                try start(wake)
                state.wake = wake
            }
            state.commands.append(command)
            state.wake?.signal()
        }
    }

    /// Queues a command for a thread that has been started; does nothing without one.
    func postIfRunning(_ command: @escaping Command) {
        state.withLock { state in
            guard let wake = state.wake else { return }
            state.commands.append(command)
            wake.signal()
        }
    }

    /// Wakes the thread because a promise was settled by another thread.
    func wake() {
        state.withLock { $0.wake?.signal() }
    }

    /// Ends the thread. No command may be posted afterwards.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake?.signal()
        }
    }

    /// Takes all commands, oldest first.
    ///
    /// - Returns: nil if the queue is closed and the thread should end.
    func collect() -> [Command]? {
        state.withLock { state in
            if state.isClosed { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }
}
