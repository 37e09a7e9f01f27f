/// Records as a table for a person.
struct TableRows: RowEncoder {
    private var cells: CellReader
    private var table: TableWriter
    private let columnCount: Int
    private let onHidden: @Sendable ([String]) -> Void
    private var saidHidden = false

    init(
        _ columns: [RecordColumn], cells: CellReader, hasHeader: Bool, terminalWidth: Int?,
        onHidden: @escaping @Sendable ([String]) -> Void
    ) {
        self.cells = cells
        self.onHidden = onHidden
        columnCount = columns.count
        let layout = columns.map { column in
            let title = column.heading ?? Self.heading(column)
            return switch column.kind {
            // A piece of an id, of an amount or of a time is of no use.
            case .plain: TableWriter.Column(title, alignment: .byContent, canShrink: column.path.names.last != "id")
            case .money: TableWriter.Column(title, alignment: .trailing, canShrink: false)
            case .time: TableWriter.Column(title, alignment: .leading, canShrink: false)
            }
        }
        table = TableWriter(columns: layout, terminalWidth: terminalWidth, hasHeader: hasHeader)
    }

    mutating func begin(into output: inout [UInt8]) {}

    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8]) {
        var row: [TableWriter.Cell] = []
        row.reserveCapacity(columnCount)
        for column in 0..<columnCount {
            cells.read(column, of: record, values) { bytes, kind in
                row.append(TableWriter.Cell(String(decoding: bytes, as: UTF8.self), isNumber: kind == .number))
            }
        }
        show(table.add(row), on: &output)
    }

    mutating func end(into output: inout [UInt8]) {
        show(table.finish(), on: &output)
    }

    mutating func breakOff(into output: inout [UInt8]) {
        show(table.finish(), on: &output)
    }

    /// A time needs not say that it is one: `createdTime` becomes `created`.
    private static func heading(_ column: RecordColumn) -> String {
        let heading = column.path.heading
        guard case .time = column.kind, heading.hasSuffix(" time") else { return heading }
        return String(heading.dropLast(" time".count))
    }

    private mutating func show(_ lines: [TableLine], on output: inout [UInt8]) {
        for line in lines {
            output.append(contentsOf: line.text.utf8)
            output.append(0x0A)
        }
        if !saidHidden, !table.hiddenTitles.isEmpty {
            saidHidden = true
            onHidden(table.hiddenTitles)
        }
    }
}
