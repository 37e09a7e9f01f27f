/// One chosen value of each record.
package struct RecordColumn: Sendable, Equatable {
    /// What the value means; decides which of the styles applies to it.
    package enum Kind: Sendable, Equatable {
        case plain
        /// An integer in the currency's smallest unit.
        /// - currency: where the record says which currency; nil, or nothing there, means the style's own. With a code that
        ///   is not in ISO 4217 the amount stays as it was sent.
        case money(currency: FieldPath?)
        /// An integer count since 1970-01-01 UTC, or a text.
        case time(TimeUnit)
    }

    /// What a time counts, or how it is written.
    package enum TimeUnit: Sendable, Equatable {
        case milliseconds
        case seconds
        /// Nothing: it is written out, in UTC and with milliseconds, as our own records have it.
        case text
    }

    package var path: FieldPath
    package var kind: Kind
    /// The heading in a table; nil makes one from the path. csv, tsv and JSON use the path itself.
    package var heading: String?
    /// Where a name may stand that is shown in place of the value: `employee.name` instead of `employee.id`, in a record
    /// that came with it.
    package var namePath: FieldPath?
    /// Whether a narrow table can do without it.
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
