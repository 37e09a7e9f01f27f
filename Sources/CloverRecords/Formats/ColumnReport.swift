/// How the columns fitted the records, known when all records were read.
package struct ColumnReport: Sendable, Equatable {
    /// Columns for which no record had a value, although there were records. A null is a value.
    package var absent: [FieldPath] = []
    /// Names of the records' own members that no column looks at, in the order in which they came, when the layout
    /// notes them.
    package var others: [String] = []
    /// There were no records.
    package var isEmpty = false
}
