/// A record that cannot be read: not an object, or an amount that is not an integer.
package struct ReportRecordError: Error, Equatable {
    /// `payment`, `order`, `refund` or `credit`.
    package var record: String
    package var identifier: String?
    /// The field that cannot be read; empty for the record itself.
    package var field: String
}
