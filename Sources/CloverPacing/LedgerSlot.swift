/// The right to have one request in flight.
package protocol LedgerSlot: Sendable {
    /// Gives it back; doing so again does nothing. Never blocks. A slot that is forgotten is given back as well.
    func release()
}
