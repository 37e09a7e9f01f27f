import CloverJSON

/// Records as a table for people.
struct TableRows: RowEncoder {
    private var cells: CellFormatter
    private var table: TableWriter
    private var nested = NestedText()
    private let meanings: [ColumnMeaning]
    private let onHidden: @Sendable ([String]) -> Void
    private let hasLoneHeader: Bool
    private var hasRows = false
    private var hasReportedHidden = false

    /// - Parameter hasLoneHeader: whether the header is shown even if there are no records.
    init(
        _ columns: [RecordColumn], cells: CellFormatter, hasHeader: Bool, hasLoneHeader: Bool, terminalWidth: Int?,
        isColored: Bool,
        onHidden: @escaping @Sendable ([String]) -> Void
    ) {
        self.cells = cells
        self.hasLoneHeader = hasLoneHeader
        self.onHidden = onHidden
        meanings = columns.map { $0.namePath == nil ? ColumnMeaning(field: $0.path.names.last) : .plain }
        let layout = columns.map { column in
            let title = column.heading ?? Self.heading(column)
            // A truncated id, amount or time is useless.
            let (alignment, canShrink): (TableWriter.Column.Alignment, Bool) =
                switch column.kind {
                case .plain:
                    (.byContent, column.canShrink && (column.path.names.last != "id" || column.namePath != nil))
                case .money, .percent: (.trailing, false)
                case .time: (.leading, false)
                }
            return TableWriter.Column(
                title, alignment: alignment, canShrink: canShrink, leastWidth: column.leastWidth,
                importance: column.importance)
        }
        table = TableWriter(
            columns: layout, terminalWidth: terminalWidth, hasHeader: hasHeader, isColored: isColored)
    }

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

    private mutating func show(_ lines: [String], on output: inout [UInt8]) {
        for line in lines {
            output.append(contentsOf: line.utf8)
            output.append(0x0A)
        }
        if !hasReportedHidden, !table.hiddenTitles.isEmpty {
            hasReportedHidden = true
            onHidden(table.hiddenTitles)
        }
    }
}

/// Summarizes nested objects and lists for a table cell: by their names if they have any, such as `Latte, Bagel, +3`
/// for five line items, and otherwise as compact JSON.
struct NestedText: Sendable {
    /// The members that name an object, best first.
    private static let names = ["name", "label", "title", "id"]
    /// The maximum number of list entries that are named.
    private static let entries = 3

    private var scanner: FieldScanner
    /// The slots for each possible name: those of the object itself, then those of each list entry.
    private let things: [[Int]]
    private let lengths: [Int]

    init() {
        var paths: [FieldPath] = []
        func slot(_ text: String) -> Int? {
            do throws(RecordFormatError) {
                paths.append(try FieldPath.parsed(text))
                return paths.count - 1
            } catch {
                return nil
            }
        }
        things =
            [Self.names.compactMap { slot($0) }]
            + (0..<Self.entries).map { entry in
                Self.names.flatMap { ["elements.\(entry).\($0)", "\(entry).\($0)"] }.compactMap { slot($0) }
            }
        lengths = ["elements.length", "length"].compactMap { slot($0) }
        scanner = FieldScanner(paths)
    }

    /// - Parameter json: a compact object or array.
    mutating func text(_ json: UnsafeRawBufferPointer) -> String {
        do throws(FieldScanner.Malformed) {
            try scanner.scan(json)
        } catch {
            return String(decoding: json, as: UTF8.self)
        }
        let values = scanner.values
        let length = lengths.lazy.map { values[$0] }.first { $0.kind == .count }?.start
        let found = (length == nil ? things.prefix(1) : things.dropFirst()).map { slots in
            slots.lazy.map { values[$0] }.first { $0.isText }
        }
        let words = found.compactMap(\.self).map { value in
            JSONString.decoded(UnsafeRawBufferPointer(rebasing: json[value.range]))
        }
        guard let length else { return words.first ?? String(decoding: json, as: UTF8.self) }
        if length == 0 { return "" }
        guard words.count == min(length, Self.entries) else { return String(decoding: json, as: UTF8.self) }
        return words.joined(separator: ", ") + (length > words.count ? ", +\(length - words.count)" : "")
    }
}
