package import CloverCalendar
package import CloverJSON

/// What the catalogue of models tells about the records in advance.
package struct RecordSchema: Sendable {
    /// The columns of csv and tsv if no fields are selected; empty if the model is unknown. One with a `namePath` shows it
    /// in a separate column, on request.
    package var columns: [RecordColumn]
    /// The kind of a field that is not a column itself, such as one inside an expanded object.
    package var kind: @Sendable (FieldPath) -> RecordColumn.Kind
    /// Members of the records that are not columns.
    package var others: [String] = []
    /// Expansions that have no column, by their names.
    package var columnless: [String] = []

    /// The columns of a table; nil selects them by name.
    private let ownTableColumns: [RecordColumn]?

    /// - Parameters:
    ///   - tableColumns: the columns of a table if no fields are selected; nil selects them by name.
    ///   - kind: nil uses the kind of the column with this path, and plain for other paths.
    package init(
        columns: [RecordColumn], tableColumns: [RecordColumn]? = nil,
        kind: (@Sendable (FieldPath) -> RecordColumn.Kind)? = nil
    ) {
        self.columns = columns
        ownTableColumns = tableColumns
        self.kind = kind ?? { path in columns.first { $0.path == path }?.kind ?? .plain }
    }

    /// A schema without any columns.
    package static let unknown = RecordSchema(columns: [])

    /// The columns of csv and tsv.
    ///
    /// - Parameter isNamed: whether a name follows each id that has one.
    package func columns(named isNamed: Bool) -> [RecordColumn] {
        columns.flatMap { column in
            [column.withoutName] + (isNamed ? [column.namePath.map { RecordColumn($0) }].compactMap(\.self) : [])
        }
    }

    /// The columns that are most useful to a person, amounts last. Empty if there are no columns.
    package var tableColumns: [RecordColumn] {
        if let ownTableColumns { return ownTableColumns }
        let wanted = Self.descriptiveFields.compactMap { name in columns.first { $0.path.text == name } }
        let chosen = wanted.count >= 2 ? wanted : columns
        return chosen.prefix(Self.tableWidth).enumerated().map { place, column in
            var column = column
            column.importance = place < Self.keptColumns ? .essential : .usual
            return column
        }
    }

    private static let tableWidth = 7
    /// The first columns, which are kept as long as possible.
    private static let keptColumns = 3
    /// Names of fields that distinguish records, in reading order.
    private static let descriptiveFields = [
        "id", "name", "firstName", "lastName", "title", "createdTime", "timestamp", "inTime", "outTime", "state",
        "status", "result", "role", "employee.id", "order.id", "code", "serial", "rate", "percentage", "quantity",
        "price", "total", "amount",
    ]
}

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
        /// A number that is percent times a power of ten, such as 825000 for 8.25 % with `decimals` 5. Tables show the
        /// percent.
        case percent(decimals: Int)
    }

    package var path: FieldPath
    package var kind: Kind
    /// The heading in a table; nil derives one from the path. csv, tsv and JSON use the path itself.
    package var heading: String?
    /// The path of a name to show instead of the value if the record has it: `employee.name` instead of `employee.id`.
    package var namePath: FieldPath?
    /// Whether a narrow table may hide the column.
    package var importance: TableWriter.Column.Importance
    /// Whether a narrow table may truncate its values, if they are plain.
    package var canShrink = true
    /// The width below which they are not truncated, in terminal columns.
    package var leastWidth = 0

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

    /// The same column, which shows the value whether the record has the name or not.
    package var withoutName: RecordColumn {
        var column = self
        column.namePath = nil
        return column
    }
}
