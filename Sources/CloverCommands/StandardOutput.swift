import CloverAPI
import CloverCore
import CloverHTTP
import CloverOutput
import CloverSystem

/// Writes a command's own text to standard output; records are written by the core.
enum StandardOutput {
    static func print(_ text: String, in environment: CommandEnvironment) async throws {
        try await environment.standardOutput.write(Array(text.utf8))
    }

    /// Passes on the text of a response. Secrets of this run are masked.
    ///
    /// - Parameter start: bytes of the body that were read before.
    static func pass(_ body: any HTTPBody, after start: [UInt8] = [], in environment: CommandEnvironment) async throws {
        if environment.terminal.isOutputTerminal { await environment.standardOutput.sanitize(.text) }
        var stream = MaskedStream(environment.diagnostics.mask)
        try await environment.standardOutput.write(stream.pass(start))
        while let chunk = try await body.next() { try await environment.standardOutput.write(stream.pass(chunk)) }
        try await environment.standardOutput.write(stream.finish())
        if stream.hasMasked { environment.diagnostics.notice("masked in the text: \(RecordMasker.ownSecret)") }
    }

    /// Writes the complete output of a command that lists something.
    ///
    /// - Parameter isTable: whether the text is for a person; it is then paged if longer than the screen.
    static func show(_ text: String, isTable: Bool, in environment: CommandEnvironment) async throws {
        if isTable { await environment.startPaging() }
        try await environment.standardOutput.write(Array(text.utf8))
        try await environment.standardOutput.endPaging()
    }

    /// Writes a page for a person, paged if longer than the screen, followed by its notice.
    static func show(_ page: TextPage, in environment: CommandEnvironment) async throws {
        try await show(page.text, isTable: true, in: environment)
        if let notice = page.notice { environment.diagnostics.notice(notice) }
    }
}

/// Text for a person, and the columns that were left out of it.
struct TextPage: Sendable {
    var text: String
    /// Titles of the columns that the terminal is too narrow for, each once, as the notice shows them.
    private(set) var hidden: [String]

    init(_ text: String, hidden: [String] = []) {
        self.text = text
        self.hidden = hidden
    }

    static func + (left: TextPage, right: TextPage) -> TextPage {
        TextPage(left.text + right.text, hidden: left.hidden + right.hidden.filter { !left.hidden.contains($0) })
    }

    static func + (left: TextPage, right: String) -> TextPage { left + TextPage(right) }

    /// Whether a time is shown, for which a narrow terminal may have no room.
    var showsTimes: Bool { text.contains(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/) }

    /// The notice about hidden columns; nil if all columns are shown.
    var notice: String? {
        hidden.isEmpty ? nil : "no room for \(hidden.joined(separator: ", ")); to see everything, add --json"
    }
}

/// A table of short texts with a heading row, aligned in columns for a terminal.
enum AlignedRows {
    /// Formats the table; each line ends with a line break and has no trailing spaces.
    ///
    /// - Parameters:
    ///   - key: index of the column that identifies a row and that people copy. This column and those before it are
    ///     never truncated; the others give way from the right, states and amounts last, and the page's notice names
    ///     the columns that were dropped.
    ///   - breaksKey: whether a key wider than the terminal continues on further rows, for paths and names that are
    ///     read. Keys that are copied are left to the terminal.
    ///   - meanings: the meaning of columns by title; columns without one are plain, and only those are truncated.
    ///   - environment: provides the terminal's width; nil truncates nothing.
    static func text(
        head: [String], _ rows: [[String]], key: Int = 0, breaksKey: Bool = false,
        meanings: [String: ColumnMeaning] = [:], in environment: CommandEnvironment? = nil
    ) -> TextPage {
        let width = environment?.terminal.width
        let columns = head.indices.map { index in
            let meaning = meanings[head[index]] ?? .plain
            return TableWriter.Column(
                head[index], alignment: meaning == .amount ? .trailing : .leading,
                canShrink: index > key && meaning == .plain,
                importance: index <= key ? .key : meaning == .state || meaning == .amount ? .essential : .usual)
        }
        var writer = TableWriter(
            columns: columns, terminalWidth: width, isColored: environment?.screen.isColored ?? false)
        var lines: [String] = []
        for row in breaksKey ? broken(rows, key: key, head: head, width: width) : rows {
            lines += writer.add(zip(head, row).map { TableWriter.Cell($1, style: meanings[$0]?.style(of: $1)) })
        }
        lines += writer.finish()
        return TextPage(
            lines.map { $0 + "\n" }.joined(), hidden: writer.hiddenTitles.map { $0.lowercased() })
    }

    /// Wraps keys that do not fit beside the preceding columns onto further rows, indented by two columns.
    private static func broken(_ rows: [[String]], key: Int, head: [String], width: Int?) -> [[String]] {
        guard let width else { return rows }
        let before = (0..<key).reduce(0) { sum, column in
            sum + rows.reduce(DisplayWidth.of(head[column])) { max($0, DisplayWidth.of($1[column])) }
                + TableWriter.gap.count
        }
        let room = max(width - before, continuation.count + 1)
        return rows.flatMap { row -> [[String]] in
            guard DisplayWidth.of(row[key]) > room else { return [row] }
            let pieces = FoldedText.pieces(row[key], width: room - continuation.count)
            return pieces.enumerated().map { number, piece in
                var cells = number == 0 ? row : row.map { _ in "" }
                cells[key] = (number == 0 ? "" : continuation) + piece
                return cells
            }
        }
    }

    private static let continuation = "  "

    /// Pads the text with spaces to a display width in terminal columns.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
