import CloverThreads

/// The answer to a request that is about to leave, for the thread that waits for it.
enum Confirmation: Sendable {
    case pending
    /// What the ledgers have for it now; some may lie ahead.
    case moments([BootInstant])
    /// They could not be asked: it leaves as it is.
    case failed
}

/// What callers ask of the ledger's thread.
enum LedgerOrder: Sendable {
    /// A slot and a grant, after everybody of its class and higher ones who asked before.
    case admit(Ticket<Admission>, PacingClass)
    /// The same request once more, because its task was woken too late; before all others.
    case admitAgain(Ticket<Admission>, Admission)
    /// What the budgets are now. Done at once.
    case look(Ticket<[LedgerBudget]>)
    /// A request is about to leave later than the moments that the ledgers have for it: what counts for it now. Done at once.
    case confirm([BootInstant], Monitor<Confirmation>)
    /// A request left later than the moments that the ledgers have for it. Done at once; nobody waits for it.
    case departed(BootInstant, granted: [BootInstant])
    /// A request that has these moments does not leave. Done at once; nobody waits for it.
    case withdraw([BootInstant])
    /// How many pauses of unnamed length there were in a row before the one that begins now. Done at once.
    case refuse(Ticket<Int>, BudgetScope)
    /// A request was answered that left after such a pause. Done at once; nobody waits for it.
    case succeed
    /// Nobody of that token or app leaves before the moment. Done at once.
    case pause(Ticket<Void>, BudgetScope, RateRefusal?, until: BootInstant, cause: String)
}
