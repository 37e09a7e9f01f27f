/// Where the budget is kept: files on this machine; the seam for a store that many machines share.
///
/// A store is made and used by one thread only, the ledger's own, where it may block for the length of a turn.
package protocol LedgerStore: AnyObject {
    /// Grants one more request. All contenders take turns; only the one it was given to takes it back.
    ///
    /// - Returns: nil, with `bulk` only, when others go before; see `GrantWindow.grantBulk`.
    func grant(for pacingClass: PacingClass) throws(LedgerError) -> Grant?

    /// When bulk work may ask for a grant that it will most likely get; nil when it may now. Takes no turn.
    func bulkMoment() throws(LedgerError) -> BootInstant?

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

    /// Keeps a lower limit from now on, because the service refused a request; see `LearntLimit`.
    func learn(_ refusal: RateRefusal) throws(LedgerError)

    /// What the budget is at this moment. Nothing is taken, and nothing is made that is not there.
    func look() throws(LedgerError) -> LedgerBudget

    /// Takes an in-flight slot if one is free; nil when there is none to have, or a higher class waits for this budget.
    ///
    /// - Parameter isNewcomer: leaves a free slot to those of its class who wait already, of whatever process.
    func takeSlot(isNewcomer: Bool, for pacingClass: PacingClass) throws(LedgerError) -> (any LedgerSlot)?

    /// Lets others know that a request of this class waits, for a slot or a grant. Called again at least every
    /// `WaitingList.heartbeat`, because lower classes do not stand back for long for a process that was stopped.
    func announce(_ pacingClass: PacingClass, since: BootInstant) throws(LedgerError)

    /// Begins to listen for slots that are given back and announcements that end. Called again before each look;
    /// `takeSlot` must be tried after it, because a slot may have come back just before.
    func listenForSlots() throws(LedgerError)

    /// Ends the announcement, and the listening where it did not end with a slot.
    func endWaiting()

    /// A descriptor that becomes readable after a slot was given back, also by a process that died; -1 when the store
    /// cannot listen, so that it has to be looked at now and then.
    var slotSignal: Int32 { get }
}
