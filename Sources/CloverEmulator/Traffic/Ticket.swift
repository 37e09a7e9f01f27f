/// A request for records or money on its way through the emulator.
package struct Ticket: Sendable {
    /// Counts such requests from 1.
    package let number: Int
    /// Place of the token; nil for none or an unknown one, which no limit looks at.
    package let token: Int?
    /// Whose token it is; nil together with the token.
    package let owner: TokenOwner?
    package let verdict: Verdict
    /// It waits for a person, and is not counted as in flight.
    let isWaiting: Bool
    /// Set when a fault told the sender to wait, so that the meter knows when it was told.
    var isFaultWait = false
}
