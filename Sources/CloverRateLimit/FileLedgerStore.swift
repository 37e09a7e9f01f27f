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
/// Nothing is synced to the device, because the times mean nothing after a restart.
package final class FileLedgerStore: LedgerStore {
    private let state: StateDirectory
    private let limits: RateLimits
    private let ledger: LedgerFile
    private let command: String
    private var slots: SlotsFile
    private var waiting: WaiterRegistry
    private var directory: OpenDirectory?
    private var hasTransacted = false
    /// The learned limit as of the last transaction or read; nil before the first.
    private var learntInFlight: AdaptiveLimit?

    /// Creates a store. Reads only the kernel's boot identity; the first transaction creates the files.
    ///
    /// - Parameters:
    ///   - boot: replaces the kernel's boot identity, for tests.
    ///   - command: words that describe to others what this process does.
    ///   - patience: timeout for the ledger lock in milliseconds; nil for the default.
    ///   - onNotice: called on the thread that uses the store, inside a transaction; must be quick.
    package init(
        state: StateDirectory, scope: LedgerScope, limits: RateLimits, command: String = "",
        boot: BootIdentity? = nil, patience: Int32? = nil,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) throws(LedgerError) {
        let identity = if let boot { boot } else { try BootIdentity.current() }
        self.state = state
        self.limits = limits
        self.command = command
        var ledger = LedgerFile(name: scope.fileName, boot: identity, onNotice: onNotice)
        if let patience { ledger.patience = patience }
        self.ledger = ledger
        slots = SlotsFile(name: scope.fileName + ".slots", twin: scope.fileName + ".lock")
        waiting = WaiterRegistry(name: scope.fileName + ".slots")
    }

    package var slotSignal: Int32 { slots.signalNumber }

    package func grant(for pacingClass: RequestPriority = .interactive) throws(LedgerError) -> Grant? {
        try transaction { [limits] (window, now) in
            let result = window.grant(for: pacingClass, now: now, limit: limits.requestsPerSecond)
            guard case .granted(let moment) = result else { return nil }
            let isPaused = window.notBefore > now && !window.pauseCause.isEmpty
            return Grant(moment: moment, pause: isPaused ? window.pauseCause : nil, refusals: window.refusals)
        }
    }

    package func confirm(_ moment: BootInstant) throws(LedgerError) -> BootInstant {
        try transaction { [limits] (window, now) in
            window.confirm(moment, now: now, limit: limits.requestsPerSecond)
        }
    }

    package func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError) {
        try transaction { (window, _) in window.note(departure: moment, of: grant) }
    }

    package func withdraw(_ grant: BootInstant) throws(LedgerError) {
        try transaction { (window, _) in window.withdraw(grant) }
    }

    package func pause(until moment: BootInstant, cause: String) throws(LedgerError) {
        try transaction { (window, _) in window.pause(until: moment, cause: cause) }
    }

    package func refuse() throws(LedgerError) -> Int {
        try transaction { (window, now) in window.refuse(now: now) }
    }

    package func succeed() throws(LedgerError) {
        try transaction { (window, _) in window.succeed() }
    }

    package func learn(_ refusal: RateLimitResponse) throws(LedgerError) {
        try transaction { [limits] (window, now) in window.learn(refusal, configured: limits, now: now) }
    }

    package func retryTime(for pacingClass: RequestPriority) throws(LedgerError) -> RetryTime? {
        try inDirectory { (store, directory) throws(StorageError) in
            let now = BootInstant.now
            let window = try store.ledger.look(in: directory, now: now)
            let limit = store.limits.requestsPerSecond
            guard let moment = window.retryTime(for: pacingClass, now: now, limit: limit) else { return nil }
            return RetryTime(moment: moment, isOwn: window.ownLimitTime(now: now, limit: limit) != nil)
        }
    }

    package var slotLimit: Int {
        (learntInFlight ?? AdaptiveLimit()).effective(configured: limits.inFlight, now: .now)
    }

    package func earlierWaiters(
        of pacingClass: RequestPriority, since: BootInstant, most: Int
    ) throws(LedgerError) -> Int {
        let party = party(pacingClass, since: since, now: .now)
        return try inDirectory { (store, directory) throws(StorageError) in
            try store.waiting.earlierWaiters(of: party, most: most, in: directory)
        }
    }

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

    package func takeSlot(
        isNewcomer: Bool, for pacingClass: RequestPriority = .interactive, since: BootInstant = .now
    ) throws(LedgerError) -> (any LedgerSlot)? {
        let now = BootInstant.now
        return try inDirectory { (store, directory) throws(StorageError) in
            let count = try store.slotCount(in: directory, now: now)
            let waiter = store.party(pacingClass, since: since, now: now, claim: count)
            var claim = try store.waiting.claimBefore(waiter, isNewcomer: isNewcomer, in: directory)
            if claim > 0, pacingClass == .bulk, !isNewcomer,
                try store.ledger.look(in: directory, now: now).isBulkStarving(now: now)
            {
                claim = 0
            }
            guard claim < count else { return nil }
            let holder = store.party(pacingClass, since: now, now: now, claim: count)
            return try store.slots.take(for: holder, of: claim..<count, in: directory)
        }
    }

    package func announce(
        _ pacingClass: RequestPriority = .interactive, since: BootInstant = .now, for wait: LedgerWait = .slot
    ) throws(LedgerError) {
        let claim =
            switch wait {
            case .slot: slotLimit
            case .grant: LedgerClient.everySlot
            case .ownLimit: 0
            }
        let party = party(pacingClass, since: since, now: .now, claim: claim)
        try inDirectory { (store, directory) throws(StorageError) in
            try store.waiting.announce(party, in: directory)
        }
    }

    package func listenForSlots() throws(LedgerError) {
        try inDirectory { (store, directory) throws(StorageError) in try store.slots.listen(in: directory) }
    }

    package func endWaiting() {
        slots.giveUp()
        waiting.end()
    }

    private func party(
        _ pacingClass: RequestPriority, since: BootInstant, now: BootInstant, claim: Int = LedgerClient.everySlot
    ) -> LedgerClient {
        LedgerClient(
            pid: getpid(), pacingClass: pacingClass, command: command, since: since, seen: now, claim: claim)
    }

    /// The current number of slots, as far as this process knows. Every transaction updates it; before the first one,
    /// the ledger is read.
    private func slotCount(
        in directory: borrowing OpenDirectory, now: BootInstant
    ) throws(StorageError) -> Int {
        let learnt: AdaptiveLimit
        if let known = learntInFlight {
            learnt = known
        } else {
            learnt = try ledger.look(in: directory, now: now).learntInFlight
        }
        learntInFlight = learnt
        return learnt.effective(configured: limits.inFlight, now: now)
    }

    private func transaction<Value>(
        _ change: (inout SlidingWindowLimiter, BootInstant) -> Value
    ) throws(LedgerError) -> Value {
        let result = try inDirectory { (store, directory) throws(StorageError) in
            try store.ledger.transaction(in: directory, isKnown: store.hasTransacted) { (window, now) in
                let result = change(&window, now)
                store.learntInFlight = window.learntInFlight
                return result
            }
        }
        hasTransacted = true
        return result
    }

    /// Runs `body` in the ledger's directory, recreating the directory if it was removed meanwhile.
    private func inDirectory<Value>(
        _ body: (FileLedgerStore, borrowing OpenDirectory) throws(StorageError) -> Value
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
        _ body: (FileLedgerStore, borrowing OpenDirectory) throws(StorageError) -> Value
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
