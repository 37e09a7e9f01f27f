package import CloverStorage
import CloverThreads

/// The budget of one token, shared by every process of the user: how many requests may leave in a second, and how many
/// may be under way. The token of an app also draws on the app's budget, which all its tokens share: a request leaves when
/// both allow it.
///
/// Each process has one thread for it, started by the first call, where all waiting happens. Requests of a process
/// are served in the order in which they came. The process may exit at any time: what it holds, the kernel gives back.
package final class RateLedger: Sendable {
    /// How often a request whose task was woken too late goes back to the ledger. After that it leaves anyhow: only a
    /// machine that is overloaded beyond use gets there, and the rest of the margin has to do.
    private static let lateWakeLimit = 3

    private let confirmationLimit: Double
    private let limits: [RateLimits]
    private let makeStores: @Sendable () throws(LedgerError) -> [any LedgerStore]
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let inbox = LedgerInbox()

    /// A ledger in files of `directory`. Nothing is opened before the first call.
    ///
    /// - Parameters:
    ///   - app: the budget of the token's app; nil for a token that belongs to none.
    ///   - command: words that tell others what this process does; see `LedgerParty.command`.
    ///   - patience: milliseconds to wait for somebody who was stopped in the middle of a turn; nil for the usual number.
    ///   - onNotice: called on the ledger's own thread; it must be quick.
    package convenience init(
        directory: StateDirectory, token: RateBudget, app: RateBudget? = nil, command: String = "",
        patience: Int32? = nil, onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        let budgets = [token] + [app].compactMap(\.self)
        self.init(limits: budgets.map(\.limits), onNotice: onNotice) { () throws(LedgerError) in
            var stores: [any LedgerStore] = []
            for budget in budgets {
                stores.append(
                    try FileLedgerStore(
                        state: directory, scope: budget.scope, limits: budget.limits, command: command,
                        patience: patience, onNotice: onNotice))
            }
            return stores
        }
    }

    /// A ledger of a token that belongs to no app.
    package convenience init(
        directory: StateDirectory, scope: LedgerScope, limits: RateLimits = RateLimits(),
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.init(directory: directory, token: RateBudget(scope, limits: limits), onNotice: onNotice)
    }

    /// A ledger in other stores.
    ///
    /// - Parameters:
    ///   - limits: of the token, then of its app where it has one.
    ///   - confirmationLimit: seconds for which a request that is about to leave waits for the ledger's thread, which may stand
    ///     behind a process that was stopped in the middle of a turn.
    ///   - stores: as many; called once, on the ledger's own thread, and again after it threw.
    package init(
        limits: [RateLimits], confirmationLimit: Double = 2, onNotice: @escaping @Sendable (LedgerNotice) -> Void,
        stores: @escaping @Sendable () throws(LedgerError) -> [any LedgerStore]
    ) {
        self.limits = limits
        self.confirmationLimit = confirmationLimit
        self.onNotice = onNotice
        makeStores = stores
    }

    deinit {
        inbox.close()
    }

    /// Waits for a slot, then for a grant, of each budget, and returns when the request may leave: it should do so at once.
    ///
    /// - Throws: `LedgerError`, or `CancellationError` as soon as the task is cancelled; nothing stays taken then.
    package func acquire(for pacingClass: PacingClass = .interactive) async throws -> Permit {
        let asked = BootInstant.now
        try Task.checkCancellation()
        // Posted before the first suspension: those who ask one after the other on one actor are served in that order.
        var admission = try await request { .admit($0, pacingClass) }
        for _ in 0..<Self.lateWakeLimit
        where BootInstant.now.nanoseconds(since: admission.moment) > GrantWindow.patience {
            // The thread was on time, but this task got the processor too late.
            let late = admission
            do {
                admission = try await request { .admitAgain($0, late) }
            } catch {
                late.release()
                throw error
            }
        }
        let waited = BootInstant.now.nanoseconds(since: asked)
        return Permit(
            admission: admission, waited: .nanoseconds(waited),
            confirm: { [inbox, confirmationLimit] known in
                let answer = Monitor(Confirmation.pending)
                inbox.postToRunning(.confirm(known, answer))
                return answer.wait(atMost: confirmationLimit) { answer in
                    switch answer {
                    case .pending: nil
                    case .moments(let moments): .some(moments)
                    case .failed: .some(nil)
                    }
                } ?? nil
            },
            onAnswer: { [inbox] in inbox.postToRunning(.succeed) },
            onLateDeparture: { [inbox] moment, known in inbox.postToRunning(.departed(moment, granted: known)) },
            onStay: { [inbox] known in inbox.postToRunning(.withdraw(known)) })
    }

    /// Stops all requests of the token, in all processes, for a while, because the service answered 429. A longer pause that is
    /// under way stays as it is.
    ///
    /// - Parameters:
    ///   - seconds: from now on, never undercut; at most a day. Zero, less and not-a-number do nothing.
    ///   - cause: what was hit, such as the name of the response header; shown to whoever waits. ASCII, 48 bytes.
    ///   - scope: whose limit it is: with `.app`, all tokens of the app wait.
    /// - Throws: `LedgerError`, or `CancellationError`, in which case the pause is set nevertheless.
    package func pause(seconds: Double, cause: String, of scope: BudgetScope = .token) async throws {
        guard seconds > 0 else { return }
        try await pause(seconds: seconds, cause: cause, scope, nil)
    }

    /// The same for an answer that says what was hit: what it teaches about the limit is kept too, also when the pause has
    /// no length.
    package func pause(seconds: Double, cause: String, because refusal: RateRefusal) async throws {
        try await pause(seconds: seconds > 0 ? seconds : 0, cause: cause, refusal.scope, refusal)
    }

    /// How many pauses of a length that the service did not name there were in a row before the one that begins now, in all
    /// processes: each should be twice as long as the one before.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func refusalsBefore(of scope: BudgetScope) async throws -> Int {
        try await request { .refuse($0, scope) }
    }

    private func pause(
        seconds: Double, cause: String, _ scope: BudgetScope, _ refusal: RateRefusal?
    ) async throws {
        let length = Int64(min(seconds * 1e9, Double(GrantWindow.longestPause)).rounded(.up))
        let end = BootInstant.now.advanced(by: length)
        try await request { .pause($0, scope, refusal, until: end, cause: cause) }
    }

    /// What is left of the token's budget, and who is in the way. It takes no grant and no slot.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func budget() async throws -> LedgerBudget {
        try await budgets()[0]
    }

    /// The same for each budget: the token's, then that of its app where it has one.
    package func budgets() async throws -> [LedgerBudget] {
        try await request { .look($0) }
    }

    private func request<Answer: Sendable>(_ order: (Ticket<Answer>) -> LedgerOrder) async throws -> Answer {
        let ticket = Ticket<Answer>()
        try inbox.post(order(ticket), start: startThread)
        return try await ticket.answer { [inbox] in inbox.nudge() }
    }

    private func startThread(_ doorbell: Doorbell) throws {
        let timer = try BootTimer()
        // Not self: the thread must not keep the ledger alive, whose end is what ends the thread.
        try DedicatedThread.start(name: "clover-ledger") { [inbox, limits, makeStores, onNotice] in
            var worker = LedgerWorker(
                inbox: inbox, doorbell: doorbell, timer: timer, limits: limits, makeStores: makeStores,
                onNotice: onNotice)
            worker.run()
        }
    }
}
