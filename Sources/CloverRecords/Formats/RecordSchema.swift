/// What is known about the records before any of them has come: from the catalogue of models.
package struct RecordSchema: Sendable {
    /// The columns of csv and tsv when no fields are named; empty when the model is not known.
    package var columns: [RecordColumn]
    /// What a field means that is no column itself, such as one inside of an expanded object.
    package var kind: @Sendable (FieldPath) -> RecordColumn.Kind
    /// Members of the records that are no columns.
    package var others: [String] = []

    /// The columns of a table; nil chooses them by their names.
    private let ownTableColumns: [RecordColumn]?

    /// - Parameters:
    ///   - tableColumns: the columns of a table when no fields are named; nil chooses them by their names.
    ///   - kind: nil takes the kind of the column with this path, and plain for any other path.
    package init(
        columns: [RecordColumn], tableColumns: [RecordColumn]? = nil,
        kind: (@Sendable (FieldPath) -> RecordColumn.Kind)? = nil
    ) {
        self.columns = columns
        ownTableColumns = tableColumns
        self.kind = kind ?? { path in columns.first { $0.path == path }?.kind ?? .plain }
    }

    /// Nothing is known.
    package static let unknown = RecordSchema(columns: [])

    /// The few columns that say most about a record, for a person; amounts come last. Empty when there are no columns.
    package var tableColumns: [RecordColumn] {
        if let ownTableColumns { return ownTableColumns }
        let wanted = Self.telling.compactMap { name in columns.first { $0.path.text == name } }
        let chosen = wanted.count >= 2 ? wanted : columns
        return chosen.prefix(Self.tableWidth).enumerated().map { place, column in
            var column = column
            column.importance = place < Self.keptColumns ? .essential : .usual
            return column
        }
    }

    private static let tableWidth = 7
    /// Of these the first stay as long as they can.
    private static let keptColumns = 3
    /// Names of fields that tell records apart, in the order in which they are read.
    private static let telling = [
        "id", "name", "firstName", "lastName", "title", "createdTime", "timestamp", "inTime", "outTime", "state",
        "status", "result", "role", "employee.id", "order.id", "code", "serial", "rate", "percentage", "quantity",
        "price", "total", "amount",
    ]
}
