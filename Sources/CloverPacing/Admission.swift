/// What a request that may leave has: the slot it occupies, and the moment that the ledger counts for it.
struct Admission: Sendable {
    let slot: any LedgerSlot
    let moment: BootInstant
}
