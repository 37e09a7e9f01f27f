/// One selected value of each record.
package struct RecordColumn: Sendable, Equatable {
    /// The meaning of the value, which decides which style applies to it.
    package enum Kind: Sendable, Equatable {
        case plain
        /// An integer in the currency's smallest unit.
        /// - currency: the path of the record's currency code; if nil or absent, the style's currency applies. If the
        ///   code is not in ISO 4217, the amount stays as it was sent.
        case money(currency: FieldPath?)
        /// An integer count since 1970-01-01 UTC, or a text.
        case time(TimeUnit)
    }

    /// The unit or form of a time.
    package enum TimeUnit: Sendable, Equatable {
        case milliseconds
        case seconds
        /// Text in UTC with milliseconds, as in our own records.
        case text
    }

    package var path: FieldPath
    package var kind: Kind
    /// The heading in a table; nil derives one from the path. csv, tsv and JSON use the path itself.
    package var heading: String?
    /// The path of a name to show instead of the value if the record has it: `employee.name` instead of `employee.id`.
    package var namePath: FieldPath?
    /// Whether a narrow table may hide the column.
    package var importance: TableWriter.Column.Importance

    package init(
        _ path: FieldPath, kind: Kind = .plain, heading: String? = nil, namePath: FieldPath? = nil,
        importance: TableWriter.Column.Importance = .essential
    ) {
        self.path = path
        self.kind = kind
        self.heading = heading
        self.namePath = namePath
        self.importance = importance
    }
}
