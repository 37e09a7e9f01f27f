/// What callers ask of the ledger's thread.
enum LedgerOrder: Sendable {
    /// A slot and a grant, after everybody of its class and higher ones who asked before.
    case admit(Ticket<Admission>, PacingClass)
    /// The same request once more, because its task was woken too late; before all others.
    case admitAgain(Ticket<Admission>, Admission)
    /// What the budgets are now. Done at once.
    case look(Ticket<[LedgerBudget]>)
    /// A request left later than the moments that the ledgers have for it. Done at once; nobody waits for it.
    case departed(BootInstant, granted: [BootInstant])
    /// Nobody of that token or app leaves before the moment. Done at once.
    case pause(Ticket<Void>, BudgetScope, RateRefusal?, until: BootInstant, cause: String)
}
