/// How the columns matched the records, known after the last record.
package struct ColumnReport: Sendable, Equatable {
    /// Columns for which no record had a value, if there were records. A null is a value.
    package var absent: [FieldPath] = []
    /// Names of top-level members without a column, in order of occurrence, if the layout records them.
    package var others: [String] = []
    /// True if there were no records.
    package var isEmpty = false
}
