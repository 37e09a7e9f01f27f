/// What a request that may leave has: the slot it occupies, and the moment that the ledger counts for it.
struct Admission: Sendable {
    let slot: any LedgerSlot
    let moment: BootInstant
    /// How long it waited for the slot, in nanoseconds.
    let waitedForSlot: Int64
    /// The cause of the pause that it waited for; nil when there was none.
    let pause: String?
}
