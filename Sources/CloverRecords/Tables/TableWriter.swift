/// Lays out rows as aligned columns for a terminal: values in, lines out.
///
/// Rows are held back until their widths are known: up to a number of rows or bytes, or the end. From then on the widths
/// stay and rows come out as they go in, so memory is bounded; a later value that is wider is cut on a terminal, and
/// pushes its line to the right where there is none. Text is stripped of control characters first.
package struct TableWriter: Sendable {
    /// A column, as its rows are to be shown.
    package struct Column: Sendable {
        package enum Alignment: Sendable {
            case leading
            case trailing
            /// Trailing when every value that was held back is a number or empty.
            case byContent
        }

        /// Which columns go first where the terminal has no room for all.
        package enum Importance: Int, Sendable, Comparable {
            /// Goes also when there is room, if no row that was held back has a value.
            case optional
            case usual
            /// Others are cut short before it goes.
            case essential
            /// Tells the rows apart: it never goes, and where it does not fit the terminal breaks the line.
            case key

            package static func < (left: Importance, right: Importance) -> Bool { left.rawValue < right.rawValue }
        }

        /// Written in capital letters; may be empty.
        package var title: String
        package var alignment: Alignment
        package var importance: Importance
        /// Whether values may be cut with an ellipsis where the terminal is too narrow; numbers and ids are of no use then.
        package var canShrink: Bool

        package init(
            _ title: String, alignment: Alignment = .leading, canShrink: Bool = true,
            importance: Importance = .essential
        ) {
            self.title = title
            self.alignment = alignment
            self.canShrink = canShrink
            self.importance = importance
        }
    }

    /// A value.
    package struct Cell: Sendable, Equatable, ExpressibleByStringInterpolation {
        package var text: String
        /// Whether the text is a number, for columns that are aligned by their content.
        package var isNumber: Bool
        /// How it stands out where colours are shown.
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

    package static let rowLimit = 1000
    package static let byteLimit = 4 << 20

    /// Titles of columns for which the terminal has no room, known with the first line.
    package private(set) var hiddenTitles: [String] = []

    private let columns: [Column]
    private let terminalWidth: Int?
    private let hasHeader: Bool
    private var waiting: [[Cell]] = []
    private var waitingBytes = 0
    private var layout: TableLayout?

    /// - Parameters:
    ///   - terminalWidth: columns of the terminal; nil never cuts anything.
    ///   - hasHeader: whether the first line is the titles.
    package init(columns: [Column], terminalWidth: Int?, hasHeader: Bool = true) {
        self.columns = columns
        self.terminalWidth = terminalWidth
        self.hasHeader = hasHeader
    }

    /// Takes a row: a cell for each column; missing ones are empty, further ones are left out.
    /// - Returns: the lines that can be shown now.
    package mutating func add(_ row: [Cell]) -> [TableLine] {
        var row = row.prefix(columns.count).map {
            Cell(TerminalText.line($0.text), isNumber: $0.isNumber, style: $0.style)
        }
        while row.count < columns.count { row.append("") }
        if let layout { return [layout.line(row)] }
        waiting.append(row)
        waitingBytes += row.reduce(0) { $0 + $1.text.utf8.count }
        return waiting.count >= Self.rowLimit || waitingBytes >= Self.byteLimit ? flush() : []
    }

    /// There are no further rows.
    /// - Returns: the lines that were held back; with no rows at all only the titles.
    package mutating func finish() -> [TableLine] {
        layout == nil ? flush() : []
    }

    private mutating func flush() -> [TableLine] {
        let layout = TableLayout(columns: columns, rows: waiting, terminalWidth: terminalWidth, hasHeader: hasHeader)
        self.layout = layout
        hiddenTitles = layout.hiddenColumns.map { columns[$0].title }
        let lines = (hasHeader ? [layout.header(columns)] : []) + waiting.map { layout.line($0) }
        waiting = []
        return lines
    }
}
