import CloverSystem

/// A request on its way through the gates of its budgets, one after the other. Each gate requires a slot, then a grant,
/// then the time of the grant.
///
/// The token's gate comes first, so that no request holds a slot of the app, which other tokens need, while it waits
/// for its own token. All requests pass the gates in this order, so no two requests wait for each other.
struct PendingRequest {
    /// What the request holds of one budget.
    struct Gate {
        var slot: (any LedgerSlot)?
        var moment: BootInstant?
        var slotWait: SlotWait?
        /// When a request that was deferred asks again.
        var nextAsk: RetryTime?
        /// The last announcement to other processes that it waits here.
        var announced: (at: BootInstant, for: LedgerWait)?
    }

    /// How a request waits for a slot; both ways end with an attempt to take one.
    enum SlotWait {
        /// Until the given time, whatever happens.
        case yielding(until: BootInstant)
        /// Until a slot is released, or the given time.
        case listening(until: BootInstant)

        var end: BootInstant {
            switch self {
            case .yielding(let moment), .listening(let moment): moment
            }
        }
    }

    let promise: Promise<Admission, any Error>
    let priority: RequestPriority
    let since = BootInstant.now
    var gates: [Gate]
    var hasReportedWait = false
    /// When the slot holders were last checked.
    var holdersCheckedAt: BootInstant?
    /// Whether the reported slot holder was stopped; nil if none was reported.
    var reportedStopped: Bool?
    /// Nanoseconds until it had the slots.
    var waitedForSlot: Int64 = 0
    /// The cause of the pause that it waited for.
    var pause: String?
    /// Consecutive pauses before it; see `SlidingWindowLimiter.refusals`.
    var refusals = 0

    init(_ promise: Promise<Admission, any Error>, _ priority: RequestPriority, gates: Int) {
        self.promise = promise
        self.priority = priority
        self.gates = (0..<gates).map { _ in Gate() }
    }

    /// A request that was admitted before, but woke too late.
    init(_ promise: Promise<Admission, any Error>, again admission: Admission) {
        self.promise = promise
        priority = admission.priority
        gates = zip(admission.slots, admission.moments).map { Gate(slot: $0, moment: $1) }
        waitedForSlot = admission.waitedForSlot
        pause = admission.pause
        refusals = admission.refusals
    }

    /// The times that the budgets count for it.
    var moments: [BootInstant?] {
        get { gates.map(\.moment) }
        set { for (index, moment) in newValue.enumerated() { gates[index].moment = moment } }
    }

    /// Whether it holds a slot of any budget. It then precedes requests of higher priority that wait for a slot, which
    /// may be this very one.
    var hasSlot: Bool { gates.contains { $0.slot != nil } }

    /// The result once it is through all gates; nil before.
    var admission: Admission? {
        let slots = gates.compactMap(\.slot)
        let moments = gates.compactMap(\.moment)
        guard !gates.isEmpty, slots.count == gates.count, moments.count == gates.count else { return nil }
        return Admission(
            priority: priority, slots: slots, moments: moments, waitedForSlot: waitedForSlot, pause: pause,
            refusals: refusals)
    }

    /// Whether all its grants are fresh enough for it to be sent.
    func isFresh(at now: BootInstant) -> Bool {
        gates.allSatisfy { gate in
            gate.moment.map { now.nanoseconds(since: $0) <= SlidingWindowLimiter.freshness } ?? false
        }
    }
}
