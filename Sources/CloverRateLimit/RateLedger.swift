package import CloverHTTP
package import CloverSystem

/// The rate limit of one token, shared by all processes of the user: how many requests may be sent per second, and how
/// many may be in flight. A token that belongs to an app also draws on the app's budget, which all its tokens share; a
/// request is sent when both allow it.
package final class RateLedger: Sendable {
    /// Maximum number of times a request whose task woke too late is admitted again. After that it is sent anyway: only
    /// a machine overloaded beyond use gets there, and the rest of the margin has to suffice.
    private static let lateWakeLimit = 3

    private let store: any RateLimitStore
    private let confirmationTimeout: Double

    /// - Parameter confirmationTimeout: timeout in seconds for a request that is about to be sent and waits for the
    ///   store, whose thread may itself wait for a process that was stopped inside a transaction.
    package init(store: any RateLimitStore, confirmationTimeout: Double = 2) {
        self.store = store
        self.confirmationTimeout = confirmationTimeout
    }

    /// A ledger in files of `directory`. Nothing is opened before the first call.
    ///
    /// - Parameters:
    ///   - app: the budget of the token's app; nil for a token that belongs to none.
    ///   - command: words that describe to others what this process does; see `LedgerClient.command`.
    ///   - timeout: in milliseconds, for a process that was stopped inside a transaction; nil for the default.
    ///   - onNotice: called on the store's own thread; must be quick.
    package convenience init(
        directory: StateDirectory, token: RateBudget, app: RateBudget? = nil, command: String = "",
        timeout: Int32? = nil, onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        let budgets = [token] + [app].compactMap(\.self)
        let store = BudgetRateLimitStore(budgetCount: budgets.count, onNotice: onNotice) { _ throws(LedgerError) in
            var files: [BudgetFiles] = []
            for budget in budgets {
                files.append(
                    try BudgetFiles(
                        state: directory, scope: budget.scope, limits: budget.limits, command: command,
                        timeout: timeout, onNotice: onNotice))
            }
            return FileBudgets(files)
        }
        self.init(store: store)
    }

    /// Waits for a slot, then for a grant, of each budget, and returns when the request may be sent. Send it
    /// immediately.
    ///
    /// - Throws: `LedgerError`, or `CancellationError` as soon as the task is cancelled; nothing stays taken then.
    package func acquire(for priority: RequestPriority = .interactive) async throws -> Permit {
        let asked = BootInstant.now
        try Task.checkCancellation()
        var admission = try await store.admit(priority, again: nil)
        for _ in 0..<Self.lateWakeLimit
        where BootInstant.now.nanoseconds(since: admission.moment) > SlidingWindowLimiter.freshness {
            // The store was on time, but this task was scheduled too late.
            let late = admission
            do {
                admission = try await store.admit(late.priority, again: late)
            } catch {
                late.release()
                throw error
            }
        }
        let waited = BootInstant.now.nanoseconds(since: asked)
        return Permit(admission, waited: .nanoseconds(waited), store: store, timeout: confirmationTimeout)
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
        try await store.pause(scope, until: Self.end(of: seconds), cause: cause, refusal: nil)
    }

    /// Pauses for a response that names the limit that was hit. The limit is learned too, even if the pause has no
    /// length.
    package func pause(seconds: Double, cause: String, because refusal: RateLimitResponse) async throws {
        let end = Self.end(of: seconds > 0 ? seconds : 0)
        try await store.pause(refusal.scope, until: end, cause: cause, refusal: refusal)
    }

    private static func end(of seconds: Double) -> BootInstant {
        BootInstant.now.advanced(
            by: Int64(min(seconds * 1e9, Double(SlidingWindowLimiter.longestPause)).rounded(.up)))
    }

    /// The number of consecutive pauses of unspecified length, in all processes, before the one that begins now. Each
    /// should be twice as long as the one before.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func refusalsBefore(of scope: BudgetScope) async throws -> Int {
        try await store.refuse(scope)
    }

    /// The state of the token's budget, and its current users. Takes no grant and no slot.
    ///
    /// - Throws: `LedgerError`, or `CancellationError`.
    package func budget() async throws -> LedgerBudget {
        try await budgets()[0]
    }

    /// The state of each budget: the token's, then its app's if it has one.
    package func budgets() async throws -> [LedgerBudget] {
        try await store.budgets()
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
    /// The database with the budgets cannot be reached; the request waits for it.
    case databaseAway(address: String, message: String)
    /// The database responds again after that.
    case databaseBack(address: String)
    /// The database has no record of a budget, because it is new or was lost, or its clock was set; the budget counts as used up for a second.
    case databaseForgot(address: String)
    /// Another process has held the ledger lock, which is needed for microseconds, for a second.
    case waitingForTurn(path: String, holder: LockHolder?)
}
