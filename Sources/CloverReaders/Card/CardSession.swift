/// A session with a reader that takes payments.
package protocol CardSession: ReaderSession {
    /// Whether the driver says that it can charge.
    var takesPayments: Bool { get }

    /// Charges a card that the reader reads. Called when the session is ready, and for one charge at a time.
    ///
    /// Cancelling the task gives up waiting and says nothing about the money: use `cancelCharge`, and go on waiting.
    /// - Parameter onProgress: what the reader tells meanwhile, in its own words, such as `SWIPE_DIP_OR_TAP_CARD`.
    /// - Throws: `ReaderError`. Unless it is `driver(.refused)`, money may have moved.
    func charge(
        _ request: CardCharge, onProgress: @Sendable (String) async throws -> Void
    ) async throws -> CardOutcome

    /// Asks to give up the charge under way. Before a card is shown `charge` then returns `cancelled`; afterwards it
    /// may come to any end.
    func cancelCharge() async throws
}
