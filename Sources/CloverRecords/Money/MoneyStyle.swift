/// How amounts in money columns are written. An amount that is not an integer stays as it was sent.
package enum MoneyStyle: Sendable, Equatable {
    /// The service's integers, in the smallest unit.
    case minor
    /// The major unit with all decimals of the currency, such as `74.21`. The given currency applies to records that do
    /// not name their own.
    case major(Currency)
    /// For people: the major unit with the currency's sign or code, such as `$74.21` or `74.21 SEK`.
    case signed(Currency)
}
