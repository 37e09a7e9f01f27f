/// What a request waits for at a budget.
package enum LedgerWait: Sendable {
    /// One of the slots that its limit allows.
    case slot
    /// The moment that it was granted, or a grant.
    case grant
    /// A limit of its own that is lower than others': nobody stands back for it.
    case ownLimit
}
