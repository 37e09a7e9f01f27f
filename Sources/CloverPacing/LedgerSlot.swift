/// The right to have one request in flight.
package protocol LedgerSlot: Sendable {
    /// Which of the scope's slots it is, from 0.
    var number: Int { get }

    /// Gives it back; doing so again does nothing. Never blocks. A slot that is forgotten is given back as well.
    func release()
}
