/// Where the budget is kept: files on this machine; the seam for a store that many machines share.
///
/// A store is made and used by one thread only, the ledger's own, where it may block for the length of a turn.
package protocol LedgerStore: AnyObject {
    /// Grants one more request. All contenders take turns; only the one it was given to takes it back.
    ///
    /// - Returns: nil when it had better ask later; see `GrantWindow.askMoment`.
    func grant(for pacingClass: PacingClass) throws(LedgerError) -> Grant?

    /// When a request of this class had better ask for its grant; nil when it may now. Takes no turn.
    func askMoment(for pacingClass: PacingClass) throws(LedgerError) -> AskMoment?

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

    /// The service refused a request and did not say for how long.
    ///
    /// - Returns: how many such pauses there were before this one without an answer; see `GrantWindow.refuse`.
    func refuse() throws(LedgerError) -> Int

    /// A request was answered that left after the last refusal.
    func succeed() throws(LedgerError)

    /// Keeps a lower limit from now on, because the service refused a request; see `LearntLimit`.
    func learn(_ refusal: RateRefusal) throws(LedgerError)

    /// What the budget is at this moment. Nothing is taken, and nothing is made that is not there.
    func look() throws(LedgerError) -> LedgerBudget

    /// Takes an in-flight slot if one is free; nil when there is none to have, or a higher class waits for this budget.
    ///
    /// - Parameters:
    ///   - isNewcomer: leaves a free slot to those of its class who wait already, of whatever process.
    ///   - since: when the request came.
    func takeSlot(
        isNewcomer: Bool, for pacingClass: PacingClass, since: BootInstant
    ) throws(LedgerError) -> (any LedgerSlot)?

    /// How many slots there are for this process, as far as it knows by now.
    var slotLimit: Int { get }

    /// How many wait who go before a request of this class that came at this moment; no more than `most` are counted.
    func elders(of pacingClass: PacingClass, since: BootInstant, most: Int) throws(LedgerError) -> Int

    /// Lets others know that a request of this class waits, and for what. Called again at least every
    /// `WaitingList.heartbeat`, because nobody stands back for long for a process that is not heard of.
    func announce(_ pacingClass: PacingClass, since: BootInstant, for wait: LedgerWait) throws(LedgerError)

    /// Begins to listen for slots that are given back and announcements that end. Called again before each look;
    /// `takeSlot` must be tried after it, because a slot may have come back just before.
    func listenForSlots() throws(LedgerError)

    /// Ends the announcement, and the listening where it did not end with a slot.
    func endWaiting()

    /// A descriptor that becomes readable after a slot was given back, also by a process that died; -1 when the store
    /// cannot listen, so that it has to be looked at now and then.
    var slotSignal: Int32 { get }
}
