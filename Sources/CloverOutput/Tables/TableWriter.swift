import CloverSystem

/// Lays out rows as aligned columns for a terminal: values in, lines out.
///
/// Rows are held back until the widths are known: up to a number of rows or bytes, or the end. After that, the widths
/// are fixed and rows are written as they arrive, so memory is bounded; a later, wider value is truncated on a
/// terminal, and otherwise shifts its line to the right. Control characters are removed from the text first.
package struct TableWriter: Sendable {
    package struct Column: Sendable {
        package enum Alignment: Sendable {
            case leading
            case trailing
            /// Trailing if every held-back value is a number or empty.
            case byContent
        }

        /// Which columns are hidden first if the terminal is too narrow.
        package enum Importance: Int, Sendable, Comparable {
            /// Hidden even if there is room, if no held-back row has a value.
            case optional
            case usual
            /// Others are truncated before it is hidden.
            case essential
            /// Identifies the rows: never hidden; if it does not fit, the terminal wraps the line.
            case key

            package static func < (left: Importance, right: Importance) -> Bool { left.rawValue < right.rawValue }
        }

        /// Shown in capital letters; may be empty.
        package var title: String
        package var alignment: Alignment
        package var importance: Importance
        /// Whether values may be truncated with an ellipsis on a narrow terminal; truncated numbers and ids would be
        /// useless.
        package var canShrink: Bool
        /// The width below which values are not truncated, in terminal columns.
        package var leastWidth: Int

        package init(
            _ title: String, alignment: Alignment = .leading, canShrink: Bool = true, leastWidth: Int = 0,
            importance: Importance = .essential
        ) {
            self.title = title
            self.alignment = alignment
            self.canShrink = canShrink
            self.leastWidth = leastWidth
            self.importance = importance
        }
    }

    package struct Cell: Sendable, Equatable, ExpressibleByStringInterpolation {
        package var text: String
        /// Whether the text is a number, for columns aligned by content.
        package var isNumber: Bool
        /// The style if colors are shown.
        package var style: TextStyle?

        package init(_ text: String, isNumber: Bool = false, style: TextStyle? = nil) {
            self.text = text
            self.isNumber = isNumber
            self.style = style
        }

        package init(stringLiteral text: String) {
            self.init(text)
        }
    }

    package static let gap = "  "
    package static let rowLimit = 1000
    package static let byteLimit = 4 << 20

    /// Titles of columns that do not fit the terminal, known with the first line.
    package private(set) var hiddenTitles: [String] = []

    private let columns: [Column]
    private let terminalWidth: Int?
    private let hasHeader: Bool
    private let isColored: Bool
    private var waiting: [[Cell]] = []
    private var waitingBytes = 0
    private var layout: TableLayout?

    /// - Parameters:
    ///   - terminalWidth: the width of the terminal in columns; nil truncates nothing.
    ///   - hasHeader: whether the first line is the header.
    ///   - isColored: whether lines have the styles of their cells.
    package init(columns: [Column], terminalWidth: Int?, hasHeader: Bool = true, isColored: Bool = false) {
        self.columns = columns
        self.terminalWidth = terminalWidth
        self.hasHeader = hasHeader
        self.isColored = isColored
    }

    /// Adds a row with a cell for each column; missing cells are empty, extra ones are ignored.
    /// - Returns: the lines that can be shown now, without line breaks.
    package mutating func add(_ row: [Cell]) -> [String] {
        var row = row.prefix(columns.count).map {
            Cell(TerminalText.line($0.text), isNumber: $0.isNumber, style: $0.style)
        }
        while row.count < columns.count { row.append("") }
        if let layout { return [layout.line(row)] }
        waiting.append(row)
        waitingBytes += row.reduce(0) { $0 + $1.text.utf8.count }
        return waiting.count >= Self.rowLimit || waitingBytes >= Self.byteLimit ? flush() : []
    }

    /// Ends the table.
    /// - Returns: the lines that were held back; only the header if there are no rows.
    package mutating func finish() -> [String] {
        layout == nil ? flush() : []
    }

    private mutating func flush() -> [String] {
        let layout = TableLayout(
            columns: columns, rows: waiting, terminalWidth: terminalWidth, hasHeader: hasHeader, isColored: isColored)
        self.layout = layout
        hiddenTitles = layout.hiddenColumns.map { columns[$0].title }
        let lines = (hasHeader ? [layout.header(columns)] : []) + waiting.map { layout.line($0) }
        waiting = []
        return lines
    }
}
