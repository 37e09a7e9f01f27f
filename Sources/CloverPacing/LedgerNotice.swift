package import CloverStorage

/// Something the user may want to know while the ledger goes on working. Values, never printed here.
package enum LedgerNotice: Equatable, Sendable {
    /// A ledger that could not be used was renamed, and the budget counts as used up for a second.
    case setAside(path: String, to: String, reason: LedgerFault)
    /// The ledger was deleted while it was in use; the budget counts as used up for a second.
    case missing(path: String)
    /// All in-flight slots are taken; the request waits for one.
    case waitingForSlot(limit: Int, of: BudgetScope)
    /// Nobody has given an in-flight slot back for `LedgerWorker.longHold`: the one who was stopped, or else the one who
    /// has kept its slots for longest.
    case slotsKept(by: LedgerParty, isStopped: Bool, seconds: Double)
    /// Requests are paused, by this process or another one, for so many seconds more.
    case waitingForPause(seconds: Double, cause: String)
    /// Somebody holds the lock for a turn, which takes microseconds, for a second by now.
    case waitingForTurn(path: String, holder: LockHolder?)
}
