import Glibc

/// The terminal's modes (termios(3)), saved so that they can be restored.
struct TerminalModes: Sendable {
    private let modes: termios

    /// The current modes; nil if standard error is not a terminal.
    static func now() -> TerminalModes? {
        var modes = termios()
        return tcgetattr(STDERR_FILENO, &modes) == 0 ? TerminalModes(modes: modes) : nil
    }

    /// Restores the modes and clears the cursor's line. Does nothing in the background, where the attempt would stop
    /// the process (SIGTTOU).
    func restore() {
        guard tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
        var modes = modes
        tcsetattr(STDERR_FILENO, TCSADRAIN, &modes)
        let clear = Array("\r\u{1B}[K\u{1B}[?25h".utf8)
        _ = clear.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
