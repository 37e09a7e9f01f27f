import Glibc

/// A command running on its own terminal. The test sees the screen, types, and resizes the window.
package final class TerminalSession: Sendable {
    package let command: RunningCommand
    /// For writing; the command's reader has a separate descriptor.
    private let terminal: Int32
    private let columns: Int
    /// The terminal's modes when the command was started (termios(3)).
    private let modesAtStart: [UInt32]

    init(_ command: RunningCommand, terminal: Int32, modes: [UInt32], columns: Int) {
        self.command = command
        self.terminal = terminal
        self.columns = columns
        modesAtStart = modes
    }

    deinit { close(terminal) }

    /// Everything sent to the terminal so far.
    package var sent: String { String(decoding: command.outputSoFar, as: UTF8.self) }

    /// The current screen.
    package var screen: TerminalScreen { TerminalScreen(showing: command.outputSoFar, columns: columns) }

    /// Waits until the screen meets the condition.
    package func waitForScreen(
        _ awaited: String, _ condition: @escaping @Sendable (TerminalScreen) -> Bool
    ) async throws {
        let columns = columns
        try await command.waitForOutput(awaited) { condition(TerminalScreen(showing: $0, columns: columns)) }
    }

    /// Waits until a text, including escape sequences, has been sent to the terminal.
    package func waitForBytes(_ text: String) async throws {
        try await command.waitForOutput(text) { String(decoding: $0, as: UTF8.self).contains(text) }
    }

    /// Types text; `\u{3}` is Ctrl-C.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Resizes the window; its programs get SIGWINCH.
    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Whether the terminal echoes input (termios(3), ECHO).
    package var echoes: Bool {
        var modes = termios()
        return tcgetattr(terminal, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether the terminal's modes are those from when the command was started.
    package var hasItsModes: Bool { Self.modes(of: terminal) == modesAtStart }

    /// Whether the next output has no colour: the last style that was switched on has been switched off.
    package var isPlain: Bool {
        sent.matches(of: /\u{1B}\[([0-9;]*)m/).last.map { ["", "0"].contains($0.1) } ?? true
    }

    static func modes(of terminal: Int32) -> [UInt32] {
        var modes = termios()
        guard tcgetattr(terminal, &modes) == 0 else { return [] }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    /// Waits for the end.
    package func result() async throws -> CommandResult { try await command.result() }
}

extension CommandRunner {
    /// Starts the command on a new terminal.
    /// - Parameter output: a file for stdout instead of the terminal.
    package func startOnTerminal(
        _ arguments: [String], columns: Int, rows: Int, output: String? = nil
    ) throws -> TerminalSession {
        let plan = SpawnPlan(
            executable: executable, arguments: arguments, environment: environment, directory: directory)
        let (pid, terminal, modes) = try plan.run(columns: columns, rows: rows, output: output)
        let own = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let command = RunningCommand(
            pid: pid, arguments: [executable] + arguments, output: terminal, errors: nothing, limit: limit)
        return TerminalSession(command, terminal: own, modes: modes, columns: columns)
    }
}

/// The screen of a terminal after some output: the subset of ECMA-48 and xterm that our programs and less(1) use.
package struct TerminalScreen: Sendable, Equatable {
    /// All lines written, including those that have scrolled away, without trailing spaces.
    package var lines: [String] {
        rows.map { row in
            let text = row.map(String.init).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    package var text: String { lines.joined(separator: "\n") }
    package private(set) var hasCursor = true
    /// The alternate screen is shown, which leaves no trace.
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
        // ESC = and similar sequences switch the keypad.
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
