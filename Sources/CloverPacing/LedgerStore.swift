/// Where the budget is kept: files on this machine; the seam for a store that many machines share.
///
/// A store is made and used by one thread only, the ledger's own, where it may block for the length of a turn.
package protocol LedgerStore: AnyObject {
    /// Grants one more request. All contenders take turns; only the one it was given to takes it back.
    func grant() throws(LedgerError) -> Grant

    /// Asks again about a grant whose moment has come; see `GrantWindow.confirm`.
    ///
    /// - Returns: the moment that counts now, which may lie ahead.
    func confirm(_ moment: BootInstant) throws(LedgerError) -> BootInstant

    /// Notes that the request of a grant left at `moment`, later than granted; see `GrantWindow.note`.
    func note(departure moment: BootInstant, of grant: BootInstant) throws(LedgerError)

    /// Takes back a grant whose request will not leave: nothing counts for it any more.
    func withdraw(_ grant: BootInstant) throws(LedgerError)

    /// Lets no request of anybody leave before `moment`; never shortens a longer pause.
    func pause(until moment: BootInstant, cause: String) throws(LedgerError)

    /// What the budget is at this moment. Nothing is taken, and nothing is made that is not there.
    func look() throws(LedgerError) -> LedgerBudget

    /// Takes an in-flight slot if one is free; nil when there is none to have.
    ///
    /// - Parameter isNewcomer: leaves a free slot to those who wait already, of whatever process.
    func takeSlot(isNewcomer: Bool) throws(LedgerError) -> (any LedgerSlot)?

    /// Lets others know that somebody waits for a slot, and begins to listen for slots that are given back. Called
    /// again before each look; `takeSlot` must be tried after it, because a slot may have come back just before.
    func waitForSlot() throws(LedgerError)

    /// Ends a wait that did not end with a slot.
    func giveUpWaiting()

    /// A descriptor that becomes readable after a slot was given back, also by a process that died; -1 when the store
    /// cannot listen, so that it has to be looked at now and then.
    var slotSignal: Int32 { get }
}
