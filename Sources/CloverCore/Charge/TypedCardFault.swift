package import CloverPayments

/// What is wrong with a card that a person typed in answer to questions; never what was typed.
package enum TypedCardFault: Error, Equatable, Sendable {
    /// Not a month and a year with a slash between them.
    case expiry
    case card(CardData.Fault)
}
