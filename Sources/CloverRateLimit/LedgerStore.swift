package import CloverSystem
import Glibc

/// Stores one budget: in files on this machine, or elsewhere for a budget that many machines share.
///
/// A store is created and used by one thread only, the ledger's own, where it may block for the length of a
/// transaction.
package protocol LedgerStore: AnyObject {
    /// Grants one more request. All contenders are serialized; only the one that received a grant can withdraw it.
    ///
    /// - Returns: nil if the caller should ask later; see `SlidingWindowLimiter.retryTime`.
    func grant(for pacingClass: RequestPriority) throws(LedgerError) -> Grant?

    /// When a request of this class should ask for its grant; nil if it may ask now. Does not lock the ledger.
    func retryTime(for pacingClass: RequestPriority) throws(LedgerError) -> RetryTime?

    /// Confirms a grant whose time has come; see `SlidingWindowLimiter.confirm`.
    ///
    /// - Returns: the time that counts now, which may lie ahead.
    func confirm(_ moment: BootInstant) throws(LedgerError) -> BootInstant

    /// Records that the request of a grant was sent at `moment`, later than granted; see `SlidingWindowLimiter.note`.
    func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError)

    /// Withdraws a grant whose request will not be sent.
    func withdraw(_ grant: BootInstant) throws(LedgerError)

    /// Prevents all requests, of all processes, before `moment`; never shortens a longer pause.
    func pause(until moment: BootInstant, cause: String) throws(LedgerError)

    /// Records that the service refused a request without saying for how long.
    ///
    /// - Returns: the number of consecutive such pauses before this one; see `SlidingWindowLimiter.refuse`.
    func refuse() throws(LedgerError) -> Int

    /// Records a response to a request that was sent after the last refusal.
    func succeed() throws(LedgerError)

    /// Applies a lower limit from now on, because the service refused a request; see `AdaptiveLimit`.
    func learn(_ refusal: RateLimitResponse) throws(LedgerError)

    /// Reads the budget. Takes nothing, and creates nothing that does not exist.
    func look() throws(LedgerError) -> LedgerBudget

    /// Takes an in-flight slot if one is free; nil if there is none, or if a higher class waits for this budget.
    ///
    /// - Parameters:
    ///   - isNewcomer: leaves a free slot to requests of its class that already wait, in any process.
    ///   - since: when the request arrived.
    func takeSlot(
        isNewcomer: Bool, for pacingClass: RequestPriority, since: BootInstant
    ) throws(LedgerError) -> (any LedgerSlot)?

    /// Number of slots for this process, as far as it knows.
    var slotLimit: Int { get }

    /// Number of waiting requests that precede a request of this class that arrived at this time, at most `most`.
    func earlierWaiters(of pacingClass: RequestPriority, since: BootInstant, most: Int) throws(LedgerError) -> Int

    /// Announces that a request of this class waits, and for what. Call again at least every `WaiterRegistry.heartbeat`,
    /// because others do not yield for long to a process without a heartbeat.
    func announce(_ pacingClass: RequestPriority, since: BootInstant, for wait: LedgerWait) throws(LedgerError)

    /// Starts listening for released slots and withdrawn announcements. Call before each attempt, and call `takeSlot`
    /// after it, because a slot may have been released just before.
    func listenForSlots() throws(LedgerError)

    /// Withdraws the announcement, and stops listening if no slot was taken.
    func endWaiting()

    /// A descriptor that becomes readable after a slot was released, also by a process that died; -1 if the store
    /// cannot listen and has to be polled.
    var slotSignal: Int32 { get }
}

/// The priority of a request, which decides the order when several wait.
package enum RequestPriority: UInt8, Comparable, Sendable, CaseIterable {
    /// Long unattended work: `--all`, exports.
    case bulk = 0
    /// A person or a script waits for this one response.
    case interactive = 1
    /// A payment, with a customer waiting.
    case charge = 2

    /// The name in output.
    package var name: String {
        switch self {
        case .bulk: "bulk"
        case .interactive: "interactive"
        case .charge: "charge"
        }
    }

    package static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Permission for a request, with the time at which it may be sent.
package struct Grant: Equatable, Sendable {
    /// When the request may be sent; a time that is not in the future means now.
    package let moment: BootInstant
    /// Why the request has to wait, if that is a pause and not just the rate: the cause given with the pause.
    package let pause: String?
    /// See `SlidingWindowLimiter.refusals`. If there are any, report a response to the ledger.
    package let refusals: Int

    /// A grant made by a store.
    package init(moment: BootInstant, pause: String?, refusals: Int = 0) {
        self.moment = moment
        self.pause = pause
        self.refusals = refusals
    }
}

/// When a request should ask for a grant.
package struct RetryTime: Equatable, Sendable {
    package let moment: BootInstant
    /// Whether the request waits only because its own limit is below other callers'; see `SlidingWindowLimiter.retryTime`.
    package let isOwn: Bool

    /// A time chosen by a store.
    package init(moment: BootInstant, isOwn: Bool) {
        self.moment = moment
        self.isOwn = isOwn
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

/// Permission to have one request in flight.
package protocol LedgerSlot: Sendable {
    /// The number of the slot within the scope, from 0.
    var number: Int { get }

    /// Releases the slot; repeated calls do nothing. Never blocks. A slot that is dropped is released too.
    func release()
}

/// Why the ledger cannot admit a request.
package enum LedgerError: Error, Equatable, Sendable {
    /// The state directory or a file in it cannot be used.
    case storage(StorageError)
    /// The kernel refused something that the ledger's thread needs, such as a descriptor: the call and its errno(3).
    case system(call: String, errno: Int32)
}

extension LedgerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .system(let call, let number): "\(call) failed with error \(number)"
        }
    }
}
