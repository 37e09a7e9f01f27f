/// The end of a charge that a reader knows of.
package enum CardOutcome: Sendable, Equatable {
    case approved(CardPayment)
    /// The card's bank, or Clover, said no; no money moved. `code` is the word for it, such as `card_declined`.
    case declined(code: String, message: String, card: CardFacts?)
    /// Given up before a card was charged: by `cancelCharge`, on the reader, or because no card came.
    case cancelled(code: String, message: String)
    /// The driver cannot tell: money may have moved.
    case unknown(message: String)
}
