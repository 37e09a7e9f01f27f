/// What a terminal shows when it was sent some bytes: as much of ECMA-48 and xterm as our programs and less(1) use.
package struct TerminalScreen: Sendable, Equatable {
    /// Lines from the top of everything that was written, also what has scrolled away; without spaces at their ends.
    package var lines: [String] {
        rows.map { row in
            let text = row.map(String.init).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    package var text: String { lines.joined(separator: "\n") }
    package private(set) var hasCursor = true
    /// The other screen is shown, which leaves nothing behind.
    package private(set) var isAlternate = false
    /// Rows that were wider than the screen.
    package private(set) var wrappedLines = 0

    private var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    private var saved: (rows: [[Character]], row: Int, column: Int)?
    private let columns: Int

    package init(showing bytes: [UInt8], columns: Int) {
        self.columns = columns
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        var cluster = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar.value < 0x20 || scalar.value == 0x7F {
                write(cluster)
                cluster.removeAll()
                if scalar == "\u{1B}" { obey(&rest) } else { control(scalar) }
            } else {
                cluster.append(scalar)
            }
        }
        write(cluster)
    }

    private mutating func write(_ scalars: String.UnicodeScalarView) {
        for character in String(scalars) {
            if column >= columns {
                newLine()
                column = 0
                wrappedLines += 1
            }
            while rows[row].count <= column { rows[row].append(" ") }
            rows[row][column] = character
            column += 1
        }
    }

    private mutating func control(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": column = 0
        case "\n": newLine()
        case "\u{8}": column = max(0, column - 1)
        default: break
        }
    }

    private mutating func newLine() {
        row += 1
        if row == rows.count { rows.append([]) }
    }

    private mutating func obey(_ rest: inout Substring.UnicodeScalarView) {
        // ESC = and the like switch the keypad.
        guard rest.popFirst() == "[" else { return }
        var parameters = ""
        while let scalar = rest.popFirst() {
            guard (0x40...0x7E).contains(scalar.value) else {
                parameters.unicodeScalars.append(scalar)
                continue
            }
            return obey(String(scalar), parameters)
        }
    }

    private mutating func obey(_ command: String, _ parameters: String) {
        switch (command, parameters) {
        case ("A", _): row = max(0, row - (Int(parameters) ?? 1))
        case ("K", _): rows[row] = Array(rows[row].prefix(column))
        case ("J", _):
            rows[row] = Array(rows[row].prefix(column))
            rows.removeLast(rows.count - row - 1)
        case ("H", _): (row, column) = (0, 0)
        case ("h", "?1049"):
            saved = (rows, row, column)
            (rows, row, column) = ([[]], 0, 0)
            isAlternate = true
        case ("l", "?1049"):
            if let saved { (rows, row, column) = saved }
            isAlternate = false
        case ("h", "?25"): hasCursor = true
        case ("l", "?25"): hasCursor = false
        default: break
        }
    }

    package static func == (left: TerminalScreen, right: TerminalScreen) -> Bool {
        left.lines == right.lines && left.hasCursor == right.hasCursor && left.isAlternate == right.isAlternate
    }
}
