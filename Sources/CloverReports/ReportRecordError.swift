/// A record that cannot be read: not an object, or a member that is not of its type.
package struct ReportRecordError: Error, Equatable {
    /// `payment`, `order`, `refund`, `credit`, `charge`, `employee`, `tender` or `item`.
    package var record: String
    package var identifier: String?
    /// The field that cannot be read; empty for the record itself.
    package var field: String

    package init(record: String, identifier: String?, field: String) {
        (self.record, self.identifier, self.field) = (record, identifier, field)
    }
}
