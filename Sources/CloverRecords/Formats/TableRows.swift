/// Records as a table for people.
struct TableRows: RowEncoder {
    private var cells: CellReader
    private var table: TableWriter
    private var nested = NestedText()
    private let meanings: [ColumnMeaning]
    private let isColored: Bool
    private let onHidden: @Sendable ([String]) -> Void
    private let hasLoneHeader: Bool
    private var hasRows = false
    private var saidHidden = false

    /// - Parameter hasLoneHeader: whether the header is shown even if there are no records.
    init(
        _ columns: [RecordColumn], cells: CellReader, hasHeader: Bool, hasLoneHeader: Bool, terminalWidth: Int?,
        isColored: Bool,
        onHidden: @escaping @Sendable ([String]) -> Void
    ) {
        self.cells = cells
        self.hasLoneHeader = hasLoneHeader
        self.onHidden = onHidden
        self.isColored = isColored
        meanings = columns.map { $0.namePath == nil ? ColumnMeaning(field: $0.path.names.last) : .plain }
        let layout = columns.map { column in
            let title = column.heading ?? Self.heading(column)
            // A truncated id, amount or time is useless.
            let (alignment, canShrink): (TableWriter.Column.Alignment, Bool) =
                switch column.kind {
                case .plain: (.byContent, column.path.names.last != "id" || column.namePath != nil)
                case .money: (.trailing, false)
                case .time: (.leading, false)
                }
            return TableWriter.Column(
                title, alignment: alignment, canShrink: canShrink, importance: column.importance)
        }
        table = TableWriter(columns: layout, terminalWidth: terminalWidth, hasHeader: hasHeader)
    }

    mutating func begin(into output: inout [UInt8]) {}

    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8]) {
        var row: [TableWriter.Cell] = []
        row.reserveCapacity(meanings.count)
        for (column, meaning) in meanings.enumerated() {
            cells.read(column, of: record, values) { bytes, kind in
                let text = kind == .nested ? nested.text(bytes) : String(decoding: bytes, as: UTF8.self)
                row.append(TableWriter.Cell(text, isNumber: kind == .number, style: meaning.style(of: text)))
            }
        }
        hasRows = true
        show(table.add(row), on: &output)
    }

    mutating func end(into output: inout [UInt8]) {
        guard hasRows || hasLoneHeader else { return }
        show(table.finish(), on: &output)
    }

    mutating func breakOff(into output: inout [UInt8]) {
        show(table.finish(), on: &output)
    }

    /// The heading of a time omits the word: `createdTime` becomes `created`.
    private static func heading(_ column: RecordColumn) -> String {
        let heading = column.path.heading
        guard case .time = column.kind, heading.hasSuffix(" time") else { return heading }
        return String(heading.dropLast(" time".count))
    }

    private mutating func show(_ lines: [TableLine], on output: inout [UInt8]) {
        for line in lines {
            output.append(contentsOf: (isColored ? line.styledText : line.text).utf8)
            output.append(0x0A)
        }
        if !saidHidden, !table.hiddenTitles.isEmpty {
            saidHidden = true
            onHidden(table.hiddenTitles)
        }
    }
}
