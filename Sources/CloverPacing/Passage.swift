/// A request on its way past the gates of its budgets, one after the other: at each first a slot, then a grant, then its
/// moment.
///
/// The token's gate comes first, so that nobody holds a slot of the app, which other tokens need, while the own token has
/// to wait. Everybody passes in this order, so that no two requests wait for each other.
struct Passage {
    /// What it has of one budget.
    struct Gate {
        var slot: (any LedgerSlot)?
        var moment: BootInstant?
        var slotWait: SlotWait?
        /// When a request that had better ask later asks again.
        var nextAsk: AskMoment?
        /// When others were last told that it waits here.
        var announced: (at: BootInstant, for: LedgerWait)?
    }

    /// How a request waits for a slot; both end with a look for one.
    enum SlotWait {
        /// Until the moment, whatever happens.
        case politely(until: BootInstant)
        /// Until word comes, or the moment.
        case listening(until: BootInstant)

        var end: BootInstant {
            switch self {
            case .politely(let moment), .listening(let moment): moment
            }
        }
    }

    let ticket: Ticket<Admission>
    let pacingClass: PacingClass
    let since = BootInstant.now
    var gates: [Gate]
    var wasToldToWait = false
    /// When it was last looked who keeps the slots for which it waits.
    var lookedAtHolders: BootInstant?
    /// Whether the one who was named for keeping slots was stopped; nil when nobody was named.
    var namedStopped: Bool?
    /// Nanoseconds that went by until it had the slots.
    var waitedForSlot: Int64 = 0
    /// The cause of the pause that it waited for.
    var pause: String?
    /// Pauses in a row before it; see `GrantWindow.refusals`.
    var refusals = 0

    init(_ ticket: Ticket<Admission>, _ pacingClass: PacingClass, gates: Int) {
        self.ticket = ticket
        self.pacingClass = pacingClass
        self.gates = (0..<gates).map { _ in Gate() }
    }

    /// A request that was admitted before, and was too late.
    init(_ ticket: Ticket<Admission>, again admission: Admission) {
        self.ticket = ticket
        pacingClass = admission.pacingClass
        gates = zip(admission.slots, admission.moments).map { Gate(slot: $0, moment: $1) }
        waitedForSlot = admission.waitedForSlot
        pause = admission.pause
        refusals = admission.refusals
    }

    /// Whether it has a slot of any budget: then it goes before requests of higher classes that wait for one, which may be
    /// this very slot.
    var hasSlot: Bool { gates.contains { $0.slot != nil } }

    /// What it may leave with once it is past all gates; nil before.
    var admission: Admission? {
        let slots = gates.compactMap(\.slot)
        let moments = gates.compactMap(\.moment)
        guard !gates.isEmpty, slots.count == gates.count, moments.count == gates.count else { return nil }
        return Admission(
            pacingClass: pacingClass, slots: slots, moments: moments, waitedForSlot: waitedForSlot, pause: pause,
            refusals: refusals)
    }

    /// Whether none of its moments is further back than a request may leave after its grant.
    func isFresh(at now: BootInstant) -> Bool {
        gates.allSatisfy { gate in gate.moment.map { now.nanoseconds(since: $0) <= GrantWindow.patience } ?? false }
    }
}
