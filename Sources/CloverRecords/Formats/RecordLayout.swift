/// How records are to be printed, decided: makes the filter that does it.
package struct RecordLayout: Sendable {
    package var format: RecordFormat
    /// In their order; nil prints whole records, which only ndjson and json can.
    package var columns: [RecordColumn]?
    package var money = MoneyStyle.minor
    package var times = TimeStyle.asSent
    /// Whether csv, tsv and tables begin with the names of the columns.
    package var hasHeader = true
    /// Whether a table without records is its titles, rather than nothing.
    package var hasLoneHeader = true
    /// Whether text that a spreadsheet program would take for a formula gets an apostrophe in front (csv only).
    ///
    /// Excel, LibreOffice and Google Sheets calculate a cell that begins with `=`, `+`, `-` or `@` (or with a tab, line
    /// feed or carriage return before one), wherever it came from; an order's note is written by anybody. Off by
    /// default, because it changes the data; numbers are never changed.
    package var isSpreadsheetSafe = false
    /// Columns of the terminal that a table has to fit; nil cuts nothing.
    package var terminalWidth: Int?
    /// Whether values of a table stand out by colours.
    package var isColored = false
    /// Whether the end tells which members of the records no column looks at.
    package var notesOthers = false

    /// What was made up for, because the merchant's own settings do not tell it.
    package var notices: [Notice] = []

    /// A line for the person.
    package struct Notice: Sendable, Equatable {
        package let text: String
        /// It is about these columns, and means nothing when none of them has a value.
        let columns: [FieldPath]

        /// Whether it means something for the records that were printed.
        package func isDue(_ report: ColumnReport) -> Bool {
            !report.isEmpty && columns.contains { !report.absent.contains($0) }
        }
    }

    package init(format: RecordFormat, columns: [RecordColumn]? = nil) {
        self.format = format
        self.columns = columns
    }

    /// The filter that prints records on `output`.
    ///
    /// Columns are fixed before the first record. A field that is missing or null is empty, and `null` in JSON. Whole
    /// records pass unchanged.
    /// - Parameters:
    ///   - onFailure: called for each record that cannot be printed because it is not JSON, in order, after the records
    ///     before it were written. The record is left out and counted in the report.
    ///   - onHidden: called at most once, with the headings of columns for which the terminal had no room.
    ///   - onEnd: called once when everything was written, unless whole records are.
    /// - Throws: `.noColumns`.
    package func makeFilter(
        output: RecordOutput,
        onFailure: @escaping @Sendable (FormatFailure) -> Void,
        onHidden: @escaping @Sendable ([String]) -> Void = { _ in },
        onEnd: @escaping @Sendable (ColumnReport) -> Void = { _ in }
    ) throws(RecordFormatError) -> any RecordFilter {
        guard let columns, !columns.isEmpty else {
            guard !format.hasColumns else { throw .noColumns(format) }
            return PassThrough(output: output, slurp: format == .json)
        }
        let cells = CellReader(columns, money: money, times: times)
        let rows: any RowEncoder =
            switch format {
            case .ndjson: JSONRows(columns, cells: cells, isArray: false)
            case .json: JSONRows(columns, cells: cells, isArray: true)
            case .csv: CSVRows(columns, cells: cells, hasHeader: hasHeader, isSpreadsheetSafe: isSpreadsheetSafe)
            case .tsv: TSVRows(columns, cells: cells, hasHeader: hasHeader)
            case .table:
                TableRows(
                    columns, cells: cells, hasHeader: hasHeader, hasLoneHeader: hasLoneHeader,
                    terminalWidth: terminalWidth, isColored: isColored, onHidden: onHidden)
            }
        return FormattedRecords(
            rows: rows, paths: cells.paths, columnCount: columns.count, notesOthers: notesOthers, output: output,
            onFailure: onFailure, onEnd: onEnd)
    }
}
