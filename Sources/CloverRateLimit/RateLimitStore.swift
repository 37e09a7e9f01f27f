package import CloverSystem

/// Keeps the budgets that requests draw on: a token's, then its app's if it has one. `BudgetRateLimitStore`
/// does the waiting and the order of requests, on one thread; where the counts are, only its `Budgets` know: `FileBudgets`,
/// files that all processes of a user share, or `FleetBudgets`, a database that many machines share. So a new place
/// needs new `Budgets`, not a new store.
///
/// The methods may be called from any task, concurrently. All times are those of this machine.
package protocol RateLimitStore: Sendable {
    /// Waits for a slot, then for a grant, of each budget, and returns when the request may be sent. Requests of higher
    /// priority go first, those of one priority in the order of the calls.
    ///
    /// - Parameter late: an earlier admission of the same request, whose task woke too late. It is confirmed again,
    ///   ahead of all other requests.
    /// - Throws: `LedgerError`, or `CancellationError` as soon as the task is cancelled; nothing new stays taken then.
    func admit(_ priority: RequestPriority, again late: Admission?) async throws -> Admission

    /// Confirms the times of a request that is about to be sent late. Called on a transport's thread, so it must not
    /// block.
    ///
    /// - Parameter reply: called once, on any thread, with the times that count now, some of which may lie ahead; with
    ///   nil if the store cannot be consulted.
    func confirm(_ moments: [BootInstant], reply: @escaping @Sendable ([BootInstant]?) -> Void)

    /// Whether a late request may be sent if the store cannot be consulted. Files can always be, unless a process was
    /// stopped inside a transaction; a database that is away may have lost its counts.
    var allowsUnconfirmed: Bool { get }

    /// Records what became of an admitted request. Never blocks. A record that is lost only costs time.
    func record(_ event: AdmissionEvent)

    /// Counts the consecutive pauses of unspecified length before the one that begins now, by any client.
    func refuse(_ scope: BudgetScope) async throws -> Int

    /// Holds all requests of that token or app, of all clients, until `moment`; never shortens a longer pause. Without
    /// an app budget, the token's is paused.
    ///
    /// - Parameters:
    ///   - cause: the limit that was hit, such as the name of the response header.
    ///   - refusal: the limit that the service enforces from now on; nil if the response names none.
    func pause(
        _ scope: BudgetScope, until moment: BootInstant, cause: String, refusal: RateLimitResponse?
    ) async throws

    /// The state of each budget. Takes nothing, and creates nothing that does not exist.
    func budgets() async throws -> [LedgerBudget]
}

/// What became of an admitted request.
package enum AdmissionEvent: Sendable {
    /// It was sent later than the times recorded for it.
    case sent(at: BootInstant, granted: [BootInstant])
    /// It will not be sent.
    case withdrawn([BootInstant])
    /// Its response ends a series of pauses of unspecified length.
    case answered
}

/// What an admitted request holds of each budget that it needs, in order.
package struct Admission: Sendable {
    package let priority: RequestPriority
    /// The slots it occupies.
    package let slots: [any LedgerSlot]
    /// The times that the budgets count for this request; never empty.
    package let moments: [BootInstant]
    /// How long it waited for slots, in nanoseconds.
    package let waitedForSlot: Int64
    /// The cause of the pause that it waited for; nil if there was none.
    package let pause: String?
    /// Consecutive pauses before it; see `SlidingWindowLimiter.refusals`.
    package let refusals: Int

    /// The oldest of its times, from which its lateness is measured.
    var moment: BootInstant { moments.reduce(moments[0], min) }

    /// Releases the slots in reverse order.
    func release() {
        for slot in slots.reversed() { slot.release() }
    }
}

/// Permission to have one request in flight.
package protocol LedgerSlot: Sendable {
    /// The number of the slot within its budget, from 0.
    var number: Int { get }

    /// Releases the slot; repeated calls do nothing. Never blocks. A slot that is dropped is released too.
    func release()
}

/// The priority of a request, which decides the order when several wait.
package enum RequestPriority: UInt8, Comparable, Sendable, CaseIterable {
    /// Long unattended work: `--all`, exports.
    case bulk = 0
    /// A person or a script waits for this one response.
    case interactive = 1
    /// A payment, with a customer waiting.
    case charge = 2

    package var name: String { "\(self)" }

    package static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Why a request cannot be admitted.
package enum LedgerError: Error, Equatable, Sendable {
    /// The state directory or a file in it cannot be used.
    case storage(StorageError)
    /// The kernel refused something that the ledger's thread needs, such as a descriptor: the call and its errno(3).
    case system(call: String, errno: Int32)
    /// The database with the budgets cannot be reached now.
    case away(address: String, message: String)
    /// The database cannot keep budgets until someone changes something: its settings, its schema or this program.
    case unusable(address: String, message: String, fix: String)
}

extension LedgerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .system(let call, let number): "\(call) failed with error \(number)"
        case .away(let address, let message), .unusable(let address, let message, _):
            "cannot count requests in \(address): \(message)"
        }
    }
}
