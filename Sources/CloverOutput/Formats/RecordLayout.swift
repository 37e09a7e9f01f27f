package import CloverCalendar
import CloverJSON

/// How to print records, fully decided; creates the filter that prints them.
package struct RecordLayout: Sendable {
    package var format: RecordFormat
    /// The columns in order; nil prints whole records, which only ndjson and json can.
    package var columns: [RecordColumn]?
    package var money = MoneyStyle.minor
    package var times = TimeStyle.asSent
    /// Whether csv, tsv and tables begin with a header.
    package var hasHeader = true
    /// Whether a table without records shows its header.
    package var hasLoneHeader = true
    /// Whether text that a spreadsheet program would treat as a formula is prefixed with an apostrophe (csv only).
    ///
    /// Excel, LibreOffice and Google Sheets run a cell that begins with `=`, `+`, `-` or `@` (or with a tab, line feed
    /// or carriage return before one) as a formula, whatever its source; anyone can write an order's note. Off by
    /// default, because it changes the data; numbers are never changed.
    package var isSpreadsheetSafe = false
    package var csv = CSVStyle()
    /// The width of the terminal in columns, which a table must fit; nil truncates nothing.
    package var terminalWidth: Int?
    package var isColored = false
    /// Whether the end reports members of the records without a column.
    package var notesOthers = false

    /// Notices about defaults used because the merchant's settings are unknown.
    package var notices: [Notice] = []

    package struct Notice: Sendable, Equatable {
        package let text: String
        /// The columns it concerns; it is irrelevant if none of them has a value.
        let columns: [FieldPath]

        /// Whether it is relevant for the records that were printed.
        ///
        /// - Parameter hidden: headings of columns that did not fit the terminal.
        package func isDue(_ report: ColumnReport, hidden: [String] = []) -> Bool {
            !report.isEmpty
                && columns.contains { path in
                    !report.absent.contains(path)
                        && !hidden.contains { $0 == path.heading || $0 + " time" == path.heading }
                }
        }
    }

    package init(format: RecordFormat, columns: [RecordColumn]? = nil) {
        self.format = format
        self.columns = columns
    }

    /// Creates the filter that prints records to `output`.
    ///
    /// Columns are fixed before the first record. A missing or null field is empty, or `null` in JSON. Whole records
    /// pass unchanged.
    /// - Parameters:
    ///   - onFailure: called for each record that cannot be printed because it is not JSON, in order, after the records
    ///     before it were written. The record is skipped and counted in the report.
    ///   - onHidden: called at most once, with the headings of columns that did not fit the terminal.
    ///   - onEnd: called once when everything was written, except for whole records.
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
        let cells = CellFormatter(columns, money: money, times: times, showsPercent: format == .table)
        return FormattedRecords(
            rows: try format.rows(columns, of: self, cells: cells, onHidden: onHidden), paths: cells.paths,
            columnCount: columns.count, notesOthers: notesOthers, output: output,
            onFailure: onFailure, onEnd: onEnd)
    }
}

/// The marks of comma-separated values, for spreadsheets of other countries.
package struct CSVStyle: Sendable, Equatable {
    /// Between two values.
    package var separator = UInt8(ascii: ",")
    /// Whether numbers have a comma before their decimals.
    package var hasDecimalComma = false
    /// Whether the output begins with U+FEFF, by which Excel recognizes UTF-8.
    package var hasByteOrderMark = false

    package init() {}

    /// A separator that cannot be confused with numbers, words and quotes: one ASCII character, or `tab`.
    package static func separator(parsing text: String) -> UInt8? {
        if text == "tab" || text == "\\t" { return 0x09 }
        guard text.utf8.count == 1, let byte = text.utf8.first else { return nil }
        return byte == 0x09 || ";,|:^~!#$%&*/".utf8.contains(byte) ? byte : nil
    }
}

/// How times in time columns are written. A time that is not an integer stays as it was sent.
package enum TimeStyle: Sendable, Equatable {
    /// The service's integers.
    case asSent
    /// ISO 8601 with milliseconds and the zone's offset: `2026-11-21T07:14:03.120Z`, `2026-11-21T02:14:03.120-05:00`.
    case iso(TimeZoneRules)
    /// For people: date, hour and minute in the zone, `2026-11-21 02:14`.
    case short(TimeZoneRules)
}
