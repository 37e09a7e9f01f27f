package import CloverHTTP
package import CloverSystem

/// The rate limit of one token, shared by all processes of the user: how many requests may be sent per second, and how
/// many may be in flight. A token that belongs to an app also draws on the app's budget, which all its tokens share; a
/// request is sent when both allow it.
///
/// Each process has one thread for it, started by the first call, on which all waiting happens. Requests of a process
/// are served in order of arrival. The process may exit at any time: the kernel releases what it holds.
package final class RateLedger: Sendable {
    /// Maximum number of times a request whose task woke too late is admitted again. After that it is sent anyway: only
    /// a machine overloaded beyond use gets there, and the rest of the margin has to suffice.
    private static let lateWakeLimit = 3

    private let confirmationLimit: Double
    private let limits: [RateLimits]
    private let makeStores: @Sendable () throws(LedgerError) -> [any LedgerStore]
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let inbox = LedgerQueue()

    /// A ledger in files of `directory`. Nothing is opened before the first call.
    ///
    /// - Parameters:
    ///   - app: the budget of the token's app; nil for a token that belongs to none.
    ///   - command: words that describe to others what this process does; see `LedgerClient.command`.
    ///   - patience: timeout in milliseconds for a process that was stopped inside a transaction; nil for the default.
    ///   - onNotice: called on the ledger's own thread; must be quick.
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

    /// A ledger for a token that belongs to no app.
    package convenience init(
        directory: StateDirectory, scope: LedgerScope, limits: RateLimits = RateLimits(),
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.init(directory: directory, token: RateBudget(scope, limits: limits), onNotice: onNotice)
    }

    /// A ledger in other stores.
    ///
    /// - Parameters:
    ///   - limits: the token's, then its app's if it has one.
    ///   - confirmationLimit: timeout in seconds for a request that is about to be sent and waits for the ledger's
    ///     thread, which may itself wait for a process that was stopped inside a transaction.
    ///   - stores: returns one store for each limit; called once, on the ledger's own thread, and again after it threw.
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

    /// Waits for a slot, then for a grant, of each budget, and returns when the request may be sent. Send it
    /// immediately.
    ///
    /// - Throws: `LedgerError`, or `CancellationError` as soon as the task is cancelled; nothing stays taken then.
    package func acquire(for pacingClass: RequestPriority = .interactive) async throws -> Permit {
        let asked = BootInstant.now
        try Task.checkCancellation()
        // Posted before the first suspension, so that consecutive calls on one actor are served in order.
        var admission = try await request { .admit($0, pacingClass) }
        for _ in 0..<Self.lateWakeLimit
        where BootInstant.now.nanoseconds(since: admission.moment) > SlidingWindowLimiter.patience {
            // The thread was on time, but this task was scheduled too late.
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
                let confirmation = Monitor(Confirmation.pending)
                inbox.postIfRunning(.confirm(known, confirmation))
                return confirmation.wait(atMost: confirmationLimit) { state in
                    switch state {
                    case .pending: nil
                    case .moments(let moments): .some(moments)
                    case .failed: .some(nil)
                    }
                } ?? nil
            },
            onResponse: { [inbox] in inbox.postIfRunning(.succeed) },
            onLateDeparture: { [inbox] moment, known in inbox.postIfRunning(.departed(moment, granted: known)) },
            onCancel: { [inbox] known in inbox.postIfRunning(.withdraw(known)) })
    }

    /// Pauses all requests of the token, in all processes, because the service responded with 429. A longer pause in
    /// progress is kept.
    ///
    /// - Parameters:
    ///   - seconds: minimum length from now; at most a day. Zero, negative values and not-a-number do nothing.
    ///   - cause: the limit that was hit, such as the name of the response header; shown to waiting users. ASCII, 48
    ///     bytes.
    ///   - scope: whose limit it is; with `.app`, all tokens of the app wait.
    /// - Throws: `LedgerError`, or `CancellationError`, in which case the pause is set nevertheless.
    package func pause(seconds: Double, cause: String, of scope: BudgetScope = .token) async throws {
        guard seconds > 0 else { return }
        try await pause(seconds: seconds, cause: cause, scope, nil)
    }

    /// Pauses for a response that names the limit that was hit. The limit is learned too, even if the pause has no
    /// length.
    package func pause(seconds: Double, cause: String, because refusal: RateLimitResponse) async throws {
        try await pause(seconds: seconds > 0 ? seconds : 0, cause: cause, refusal.scope, refusal)
    }

    /// The number of consecutive pauses of unspecified length, in all processes, before the one that begins now. Each
    /// should be twice as long as the one before.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func refusalsBefore(of scope: BudgetScope) async throws -> Int {
        try await request { .refuse($0, scope) }
    }

    private func pause(
        seconds: Double, cause: String, _ scope: BudgetScope, _ refusal: RateLimitResponse?
    ) async throws {
        let length = Int64(min(seconds * 1e9, Double(SlidingWindowLimiter.longestPause)).rounded(.up))
        let end = BootInstant.now.advanced(by: length)
        try await request { .pause($0, scope, refusal, until: end, cause: cause) }
    }

    /// The state of the token's budget, and its current users. Takes no grant and no slot.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func budget() async throws -> LedgerBudget {
        try await budgets()[0]
    }

    /// The state of each budget: the token's, then its app's if it has one.
    package func budgets() async throws -> [LedgerBudget] {
        try await request { .look($0) }
    }

    private func request<Value: Sendable>(_ order: (Promise<Value>) -> LedgerCommand) async throws -> Value {
        let promise = Promise<Value>()
        try inbox.post(order(promise), start: startThread)
        return try await promise.value { [inbox] in inbox.wake() }
    }

    private func startThread(_ doorbell: EventFD) throws {
        let timer = try BootTimer()
        // Does not capture self: the thread must not keep the ledger alive, because the ledger's end is what ends the
        // thread.
        try DedicatedThread.start(name: "clover-ledger") { [inbox, limits, makeStores, onNotice] in
            var worker = LedgerWorker(
                inbox: inbox, doorbell: doorbell, timer: timer, limits: limits, makeStores: makeStores,
                onNotice: onNotice)
            worker.run()
        }
    }
}

/// A budget that a request draws on: its owner and its limits.
package struct RateBudget: Equatable, Sendable {
    package let scope: LedgerScope
    package let limits: RateLimits

    /// A budget stored under the scope's name.
    package init(_ scope: LedgerScope, limits: RateLimits) {
        self.scope = scope
        self.limits = limits
    }
}

/// The owner of a budget: one token at one service, one merchant's app with its successive tokens, or an app with all
/// its tokens.
package struct LedgerScope: Hashable, Sendable {
    /// Name of the ledger's files without extension: 32 hexadecimal digits that do not reveal the token.
    package let fileName: String

    /// The scope of `token` at the service with this base URL. All processes must spell the URL the same way.
    package init(service: String, token: Secret) {
        self.init(parts: [service, token.exposed])
    }

    /// The scope of the tokens that `appID` obtains for `merchantID`. A renewed token continues the budget of its
    /// predecessor, so renewing never allows a burst.
    package init(service: String, merchantID: String, appID: String) {
        self.init(parts: [service, merchantID, appID])
    }

    /// The scope of all tokens of an app at the service, for all merchants.
    package init(service: String, appID: String) {
        // No merchant has an empty ID, so this differs from all other scopes.
        self.init(parts: [service, "", appID])
    }

    private init(parts: [String]) {
        var hash = SHA256()
        for (index, part) in parts.enumerated() {
            // No part contains a zero byte, so two parts cannot run into each other.
            if index > 0 { hash.update([0]) }
            hash.update(Array(part.utf8))
        }
        fileName = hash.finalize().prefix(16).hexadecimalDigits
    }
}

/// An event worth reporting to the user while the ledger continues. Values only; never printed here.
package enum LedgerNotice: Equatable, Sendable {
    /// An unusable ledger was renamed; the budget counts as used up for a second.
    case setAside(path: String, to: String, reason: LedgerFault)
    /// The ledger was deleted while it was in use; the budget counts as used up for a second.
    case missing(path: String)
    /// All in-flight slots are taken; the request waits for one.
    case waitingForSlot(limit: Int, of: BudgetScope)
    /// No in-flight slot was released for `LedgerWorker.longHold`. Names the process that is stopped, or else the one
    /// that has held its slot longest.
    case slotsKept(by: LedgerClient, isStopped: Bool, seconds: Double)
    /// Requests are paused, by this process or another, for this many more seconds.
    case waitingForPause(seconds: Double, cause: String)
    /// Another process has held the ledger lock, which is needed for microseconds, for a second.
    case waitingForTurn(path: String, holder: LockHolder?)
}
