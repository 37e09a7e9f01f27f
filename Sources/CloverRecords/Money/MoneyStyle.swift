/// How amounts of columns marked as money are written. An amount that is no integer stays as it was sent.
package enum MoneyStyle: Sendable, Equatable {
    /// The service's integers, in the smallest unit.
    case minor
    /// The major unit with all decimals of the currency, such as `74.21`. The currency given counts for records that
    /// do not name their own.
    case major(Currency)
    /// For a person: the major unit with the currency's sign or code, such as `$74.21` or `74.21 SEK`.
    case signed(Currency)
}
