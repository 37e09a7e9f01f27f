import Glibc

/// A command under way on a terminal of its own, at which a test sits: it sees the screen, types, and drags the window.
package final class TerminalSession: Sendable {
    package let command: RunningCommand
    /// For writing; the command's reader has its own.
    private let terminal: Int32
    private let columns: Int
    /// How the terminal treated what is typed and written when the command was started (termios(3)).
    private let modesAtStart: [UInt32]

    init(_ command: RunningCommand, terminal: Int32, columns: Int) {
        self.command = command
        self.terminal = terminal
        self.columns = columns
        modesAtStart = Self.modes(of: terminal)
    }

    deinit { close(terminal) }

    /// Everything that the terminal was sent so far.
    package var sent: String { String(decoding: command.outputSoFar, as: UTF8.self) }

    /// What it shows now.
    package var screen: TerminalScreen { TerminalScreen(showing: command.outputSoFar, columns: columns) }

    /// Waits until the screen meets the condition.
    package func waitForScreen(
        _ awaited: String, _ condition: @escaping @Sendable (TerminalScreen) -> Bool
    ) async throws {
        let columns = columns
        try await command.waitForOutput(awaited) { condition(TerminalScreen(showing: $0, columns: columns)) }
    }

    /// Waits until the terminal was sent a text, sequences and all.
    package func waitForBytes(_ text: String) async throws {
        try await command.waitForOutput(text) { String(decoding: $0, as: UTF8.self).contains(text) }
    }

    /// Types; `\u{3}` is Ctrl-C.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Gives the window another size; its programs get SIGWINCH.
    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Whether the terminal shows what is typed (termios(3), ECHO).
    package var echoes: Bool {
        var modes = termios()
        return tcgetattr(terminal, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether the terminal treats what is typed and written as it did when the command was started.
    package var hasItsModes: Bool { Self.modes(of: terminal) == modesAtStart }

    /// Whether what is written next has no colour: the last style that was switched on was switched off again.
    package var isPlain: Bool {
        sent.matches(of: /\u{1B}\[([0-9;]*)m/).last.map { ["", "0"].contains($0.1) } ?? true
    }

    private static func modes(of terminal: Int32) -> [UInt32] {
        var modes = termios()
        guard tcgetattr(terminal, &modes) == 0 else { return [] }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    /// Waits for the end.
    package func result() async throws -> CommandResult { try await command.result() }
}

extension CommandRunner {
    /// Starts the command on a new terminal.
    /// - Parameter output: a file for its stdout, instead of the terminal.
    package func startOnTerminal(
        _ arguments: [String], columns: Int, rows: Int, output: String? = nil
    ) throws -> TerminalSession {
        let plan = SpawnPlan(
            executable: executable, arguments: arguments, environment: environment, directory: directory)
        let (pid, terminal) = try plan.run(columns: columns, rows: rows, output: output)
        let own = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let command = RunningCommand(
            pid: pid, arguments: [executable] + arguments, output: terminal, errors: nothing, limit: limit)
        return TerminalSession(command, terminal: own, columns: columns)
    }
}
