import CloverSystem

/// The budgets that requests draw on, as the thread that waits for them uses them: a token's, then its app's if it has
/// one. Created and used by one thread only, where the methods may block for the length of a transaction.
package protocol Budgets: AnyObject {
    /// In the order in which a request passes them.
    var all: [any Budget] { get }

    /// Longest time in nanoseconds that a request waits for its grant at one budget and keeps what it holds at the next ones.
    var shortWait: Int64 { get }

    /// Readable when something happened to the budgets, apart from slots that a request waits for; -1 if nothing can.
    var signal: Int32 { get }

    /// Looks at what happened.
    ///
    /// - Returns: when to look again whatever happens; nil if `signal` suffices.
    func attend() -> BootInstant?

    /// Grants a request at the budget with this index, after it was granted at the ones before it.
    ///
    /// - Parameter moments: the times that the budgets count for the request.
    /// - Returns: the grant, and the times that count now; those of the budgets before may have moved with it. Nil if the
    ///   caller should ask later; see `SlidingWindowLimiter.retryTime`.
    func grant(
        at index: Int, for priority: RequestPriority, _ moments: [BootInstant?]
    ) throws(LedgerError) -> (grant: Grant, moments: [BootInstant?])?

    /// Confirms the grant of the budget with this index, whose time has come; see `SlidingWindowLimiter.confirm`.
    ///
    /// - Returns: the times that count now, some of which may lie ahead.
    func confirm(at index: Int, _ moments: [BootInstant?]) throws(LedgerError) -> [BootInstant?]
}

/// The budget of one token or app.
package protocol Budget: AnyObject {
    var limits: RateLimits { get }
    /// Whether all who share it are processes of this machine.
    var isOfThisMachine: Bool { get }
    /// Nanoseconds in which the budget serves one request at most, where asking it takes time of all who share it; 0 where that is
    /// cheap.
    var turn: Int64 { get }
    /// A descriptor that becomes readable after a slot was released; -1 if slots have to be polled.
    var slotSignal: Int32 { get }
    /// Number of slots for this process, as far as it knows.
    var slotLimit: Int { get }

    /// When slots can be taken again, if the last attempt failed because the budget is kept for requests in flight; nil
    /// otherwise. Nothing can be sent before that time anyway.
    var slotsOpenAt: BootInstant? { get }

    /// When a request of this priority that arrived at `since` should ask for its grant; nil if it may ask now.
    func retryTime(for priority: RequestPriority, since: BootInstant) throws(LedgerError) -> RetryTime?

    /// Returns a grant whose request will not be sent.
    func withdraw(_ grant: BootInstant) throws(LedgerError)

    /// Records when a request was sent that was granted another time.
    func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError)

    /// Prevents all requests, of all processes, before `moment`; never shortens a longer pause.
    func pause(until moment: BootInstant, cause: String) throws(LedgerError)

    /// Changes the history, which no other process can change meanwhile.
    func transaction<Value>(
        _ change: (inout SlidingWindowLimiter, BootInstant) -> Value
    ) throws(LedgerError) -> Value

    /// Number of waiting requests that precede a request of this priority that arrived at this time, at most `most`, after
    /// `slotSignal` became readable; nil if no slot was released for it.
    func earlierWaiters(of priority: RequestPriority, since: BootInstant, most: Int) throws(LedgerError) -> Int?

    /// Takes an in-flight slot if one is free; nil if there is none, or if a higher priority waits for this budget.
    ///
    /// - Parameters:
    ///   - isNewcomer: leaves a free slot to requests of its priority that already wait, in any process.
    ///   - since: when the request arrived.
    func takeSlot(
        isNewcomer: Bool, for priority: RequestPriority, since: BootInstant
    ) throws(LedgerError) -> (any LedgerSlot)?

    /// Announces that a request of this priority waits, and for what. Call again at least every
    /// `LedgerClient.heartbeat`, because others do not yield for long to a process without a heartbeat.
    func announce(_ priority: RequestPriority, since: BootInstant, for wait: LedgerWait) throws(LedgerError)

    /// Starts listening for released slots and withdrawn announcements. Call before each attempt, and call `takeSlot`
    /// after it, because a slot may have been released just before.
    func listenForSlots() throws(LedgerError)

    /// Withdraws the announcement, and stops listening if no slot was taken.
    func endWaiting()

    /// Reads the budget. Takes nothing, and creates nothing that does not exist.
    func look() throws(LedgerError) -> LedgerBudget
}

/// Permission for a request, with the time at which it may be sent.
package struct Grant: Equatable, Sendable {
    /// When the request may be sent; a time that is not in the future means now.
    package let moment: BootInstant
    /// Why the request has to wait, if that is a pause and not just the rate: the cause given with the pause.
    package let pause: String?
    /// See `SlidingWindowLimiter.refusals`.
    package let refusals: Int

    package init(moment: BootInstant, pause: String?, refusals: Int) {
        self.moment = moment
        self.pause = pause
        self.refusals = refusals
    }
}

/// When a request should ask for a grant.
package struct RetryTime: Equatable, Sendable {
    let moment: BootInstant
    /// Whether the request waits only because its own limit is below other callers'; see
    /// `SlidingWindowLimiter.retryTime`.
    let isOwn: Bool
    /// Number of waiting requests that precede it, as far as `SlotBackoff` counts them.
    let earlierWaiters: Int

    package init(moment: BootInstant, isOwn: Bool, earlierWaiters: Int) {
        self.moment = moment
        self.isOwn = isOwn
        self.earlierWaiters = earlierWaiters
    }
}

/// What a request waits for.
package enum LedgerWait: Sendable {
    /// A slot that its limit allows.
    case slot
    /// The time it was granted, or a grant.
    case grant
    /// Its own limit, which is below other callers': others do not yield to it.
    case ownLimit
}
