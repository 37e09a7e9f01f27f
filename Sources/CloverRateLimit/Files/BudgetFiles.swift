package import CloverSystem
import Glibc

/// The budget of one scope in files of the state directory, shared by all processes of the user:
///
/// - `ratelimit/NAME.ledger`: the times of granted requests; see `LedgerFileFormat`. Written in place, within one page.
/// - `ratelimit/NAME.lock`: the kernel lock that serializes transactions, and the second lock of each in-flight slot;
///   marked once a ledger has existed.
/// - `ratelimit/NAME.slots`: one byte position for each in-flight slot and for each waiter. The lock is what counts; a
///   record beside it names its owner.
///
/// Nothing is synced to the device, because the times mean nothing after a restart. The object is created and used by
/// one thread only, where it may block for the length of a transaction.
package final class BudgetFiles: Budget {
    private let state: StateDirectory
    package let limits: RateLimits
    package var isOfThisMachine: Bool { true }
    package var turn: Int64 { 0 }
    private let ledger: LedgerFile
    private let command: String
    private var slots: SlotsFile
    private var waiting: WaiterRegistry
    private var directory: OpenDirectory?
    private var hasTransacted = false
    /// The learned limit as of the last transaction or read; nil before the first.
    private var learnedInFlight: AdaptiveLimit?

    /// Reads only the kernel's boot identity; the first transaction creates the files.
    ///
    /// - Parameters:
    ///   - boot: replaces the kernel's boot identity, for tests.
    ///   - command: words that describe to others what this process does.
    ///   - timeout: for the ledger lock, in milliseconds; nil for the default.
    ///   - onNotice: called on the thread that uses the object, inside a transaction; must be quick.
    package init(
        state: StateDirectory, scope: LedgerScope, limits: RateLimits, command: String = "",
        boot: BootIdentity? = nil, timeout: Int32? = nil,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) throws(LedgerError) {
        let identity = if let boot { boot } else { try BootIdentity.current() }
        self.state = state
        self.limits = limits
        self.command = command
        ledger = LedgerFile(
            name: scope.fileName, boot: identity, onNotice: onNotice, timeout: timeout ?? LedgerFile.usualTimeout)
        slots = SlotsFile(name: scope.fileName + ".slots", twin: scope.fileName + ".lock")
        waiting = WaiterRegistry(name: scope.fileName + ".slots")
    }

    /// A descriptor that becomes readable after a slot was released, also by a process that died; -1 if the kernel has
    /// no inotify instance to spare, and slots have to be polled.
    package var slotSignal: Int32 { slots.signalNumber }

    /// Grants one more request. All contenders are serialized; only the one that received a grant can withdraw it.
    ///
    /// - Returns: nil if the caller should ask later; see `SlidingWindowLimiter.retryTime`.
    package func grant(for priority: RequestPriority = .interactive) throws(LedgerError) -> Grant? {
        do throws(StorageError) { try state.refuseMoved() } catch { throw .storage(error) }
        return try transaction { [limits] (window, now) in
            let result = window.grant(for: priority, now: now, limit: limits.requestsPerSecond)
            guard case .granted(let moment) = result else { return nil }
            let isPaused = window.notBefore > now && !window.pauseCause.isEmpty
            return Grant(moment: moment, pause: isPaused ? window.pauseCause : nil, refusals: window.refusals)
        }
    }

    /// Confirms a grant whose time has come; see `SlidingWindowLimiter.confirm`.
    package func confirm(_ moment: BootInstant) throws(LedgerError) -> BootInstant {
        try transaction { [limits] (window, now) in
            window.confirm(moment, now: now, limit: limits.requestsPerSecond)
        }
    }

    package func withdraw(_ grant: BootInstant) throws(LedgerError) {
        try transaction { (window, _) in window.withdraw(grant) }
    }

    package func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError) {
        try transaction { (window, _) in window.note(departure: moment, of: grant) }
    }

    /// Prevents all requests, of all processes, before `moment`; never shortens a longer pause.
    package func pause(until moment: BootInstant, cause: String) throws(LedgerError) {
        try transaction { (window, _) in window.pause(until: moment, cause: cause) }
    }

    /// When a request of this priority that arrived at `since` should ask for its grant; nil if it may ask now. Does not
    /// lock the ledger.
    package func retryTime(
        for priority: RequestPriority, since: BootInstant
    ) throws(LedgerError) -> RetryTime? {
        try inDirectory { (store, directory) throws(StorageError) in
            let now = BootInstant.now
            let window = try store.ledger.look(in: directory, now: now)
            let limit = store.limits.requestsPerSecond
            guard let moment = window.retryTime(for: priority, now: now, limit: limit) else { return nil }
            let earlier = try store.waiting.earlierWaiters(
                of: store.client(priority, since: since, now: now), most: SlotBackoff(turn: 0).earlierWaiterLimit,
                in: directory)
            return RetryTime(
                moment: moment, isOwn: window.ownLimitTime(now: now, limit: limit) != nil, earlierWaiters: earlier)
        }
    }

    /// Number of slots for this process, as far as it knows.
    package var slotLimit: Int {
        (learnedInFlight ?? AdaptiveLimit()).effective(configured: limits.inFlight, now: .now)
    }

    /// Number of waiting requests that precede a request of this priority that arrived at this time, at most `most`.
    package func earlierWaiters(
        of priority: RequestPriority, since: BootInstant, most: Int
    ) throws(LedgerError) -> Int? {
        let client = client(priority, since: since, now: .now)
        return try inDirectory { (store, directory) throws(StorageError) in
            try store.waiting.earlierWaiters(of: client, most: most, in: directory)
        }
    }

    /// Reads the budget. Takes nothing, and creates nothing that does not exist.
    package func look() throws(LedgerError) -> LedgerBudget {
        do throws(StorageError) {
            guard let directory = try state.existingSubdirectory("ratelimit", rule: .own) else {
                return LedgerBudget(SlidingWindowLimiter(), limits: limits, now: .now)
            }
            let slots = try slots.look(in: directory)
            let now = BootInstant.now
            return LedgerBudget(
                try ledger.look(in: directory, now: now), limits: limits, now: now, slotsTaken: slots.taken,
                underWay: slots.underWay,
                holding: slots.holding, waiting: slots.waiting)
        } catch {
            throw .storage(error)
        }
    }

    package var slotsOpenAt: BootInstant? { nil }

    /// Takes an in-flight slot if one is free; nil if there is none, or if a higher priority waits for this budget.
    ///
    /// - Parameters:
    ///   - isNewcomer: leaves a free slot to requests of its priority that already wait, in any process.
    ///   - since: when the request arrived.
    package func takeSlot(
        isNewcomer: Bool, for priority: RequestPriority = .interactive, since: BootInstant = .now
    ) throws(LedgerError) -> (any LedgerSlot)? {
        let now = BootInstant.now
        return try inDirectory { (store, directory) throws(StorageError) in
            let count = try store.slotCount(in: directory, now: now)
            let waiter = store.client(priority, since: since, now: now, reservedSlots: count)
            var reservedSlots = try store.waiting.slotsReserved(before: waiter, isNewcomer: isNewcomer, in: directory)
            if reservedSlots > 0, priority == .bulk, !isNewcomer,
                try store.ledger.look(in: directory, now: now).isBulkStarving(now: now)
            {
                reservedSlots = 0
            }
            guard reservedSlots < count else { return nil }
            let holder = store.client(priority, since: now, now: now, reservedSlots: count)
            return try store.slots.take(for: holder, of: reservedSlots..<count, in: directory)
        }
    }

    /// Announces that a request of this priority waits, and for what. Call again at least every
    /// `LedgerClient.heartbeat`, because others do not yield for long to a process without a heartbeat.
    package func announce(
        _ priority: RequestPriority = .interactive, since: BootInstant = .now, for wait: LedgerWait = .slot
    ) throws(LedgerError) {
        let reservedSlots =
            switch wait {
            case .slot: slotLimit
            case .grant: LedgerClient.everySlot
            case .ownLimit: 0
            }
        let client = client(priority, since: since, now: .now, reservedSlots: reservedSlots)
        try inDirectory { (store, directory) throws(StorageError) in
            try store.waiting.announce(client, in: directory)
        }
    }

    /// Starts listening for released slots and withdrawn announcements. Call before each attempt, and call `takeSlot`
    /// after it, because a slot may have been released just before.
    package func listenForSlots() throws(LedgerError) {
        try inDirectory { (store, directory) throws(StorageError) in try store.slots.listen(in: directory) }
    }

    /// Withdraws the announcement, and stops listening if no slot was taken.
    package func endWaiting() {
        slots.giveUp()
        waiting.end()
    }

    private func client(
        _ priority: RequestPriority, since: BootInstant, now: BootInstant, reservedSlots: Int = LedgerClient.everySlot
    ) -> LedgerClient {
        LedgerClient(
            pid: getpid(), priority: priority, command: command, since: since, seen: now, reservedSlots: reservedSlots)
    }

    /// The current number of slots, as far as this process knows. Every transaction updates it; before the first one,
    /// the ledger is read.
    private func slotCount(
        in directory: borrowing OpenDirectory, now: BootInstant
    ) throws(StorageError) -> Int {
        let learned: AdaptiveLimit
        if let known = learnedInFlight {
            learned = known
        } else {
            learned = try ledger.look(in: directory, now: now).learnedInFlight
        }
        learnedInFlight = learned
        return learned.effective(configured: limits.inFlight, now: now)
    }

    /// Changes the history, which no other process can change meanwhile.
    package func transaction<Value>(
        _ change: (inout SlidingWindowLimiter, BootInstant) -> Value
    ) throws(LedgerError) -> Value {
        let result = try inDirectory { (store, directory) throws(StorageError) in
            try store.ledger.transaction(in: directory, isKnown: store.hasTransacted) { (window, now) in
                let result = change(&window, now)
                store.learnedInFlight = window.learnedInFlight
                return result
            }
        }
        hasTransacted = true
        return result
    }

    /// Runs `body` in the ledger's directory, recreating the directory if it was removed meanwhile.
    private func inDirectory<Value>(
        _ body: (BudgetFiles, borrowing OpenDirectory) throws(StorageError) -> Value
    ) throws(LedgerError) -> Value {
        do throws(StorageError) {
            do throws(StorageError) {
                return try inOpenDirectory(body)
            } catch .system(.open, _, ENOENT) {
                return try inOpenDirectory(body)
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Keeps the directory open for the next call unless `body` fails.
    private func inOpenDirectory<Value>(
        _ body: (BudgetFiles, borrowing OpenDirectory) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let opened =
            if let known = directory.take() {
                known
            } else {
                try state.prepareSubdirectory("ratelimit", rule: .own)
            }
        let result = try body(self, opened)
        directory = consume opened
        return result
    }
}

/// The budgets of a token and its app in files.
package final class FileBudgets: Budgets {
    private let files: [BudgetFiles]

    package var all: [any Budget] { files }
    /// The kernel keeps what a process has as long as the process runs.
    package var signal: Int32 { -1 }
    package var shortWait: Int64 { SlidingWindowLimiter.margin }

    package init(_ files: [BudgetFiles]) {
        self.files = files
    }

    package func attend() -> BootInstant? { nil }

    package func grant(
        at index: Int, for priority: RequestPriority, _ moments: [BootInstant?]
    ) throws(LedgerError) -> (grant: Grant, moments: [BootInstant?])? {
        guard let grant = try files[index].grant(for: priority) else { return nil }
        var moments = moments
        moments[index] = grant.moment
        return (grant, moments)
    }

    package func confirm(at index: Int, _ moments: [BootInstant?]) throws(LedgerError) -> [BootInstant?] {
        var moments = moments
        if let moment = moments[index] { moments[index] = try files[index].confirm(moment) }
        return moments
    }
}
