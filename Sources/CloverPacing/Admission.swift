/// What a request that may leave has, of each budget that it needs, in their order.
struct Admission: Sendable {
    let pacingClass: PacingClass
    /// The slots it occupies.
    let slots: [any LedgerSlot]
    /// The moments that the ledgers count for this request; never empty.
    let moments: [BootInstant]
    /// How long it waited for slots, in nanoseconds.
    let waitedForSlot: Int64
    /// The cause of the pause that it waited for; nil when there was none.
    let pause: String?
    /// Pauses in a row before it; see `GrantWindow.refusals`.
    let refusals: Int

    /// The oldest of its moments: how late it is, is counted from here.
    var moment: BootInstant { moments.reduce(moments[0], min) }

    /// Gives the slots back, the one taken last first.
    func release() {
        for slot in slots.reversed() { slot.release() }
    }
}
