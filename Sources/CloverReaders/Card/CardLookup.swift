/// What a reader knows of a charge when asked for it later.
package enum CardLookup: Sendable, Equatable {
    /// It never began, or came to nothing that is kept: no money moved.
    case notFound
    /// The driver has no such charge, but keeps no record that outlives it: no proof.
    case notRemembered
    /// It has not come to its end.
    case underWay
    case ended(CardOutcome)
}
