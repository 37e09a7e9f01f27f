import Glibc

/// How the terminal treats what is typed and written (termios(3)), kept so that it can be put back.
struct TerminalModes: Sendable {
    private let modes: termios

    /// Nil without a terminal at standard error.
    static func now() -> TerminalModes? {
        var modes = termios()
        return tcgetattr(STDERR_FILENO, &modes) == 0 ? TerminalModes(modes: modes) : nil
    }

    /// Puts them back, and clears the line that the cursor is in. Not from the background, where the attempt would stop
    /// the process (SIGTTOU).
    func restore() {
        guard tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
        var modes = modes
        tcsetattr(STDERR_FILENO, TCSADRAIN, &modes)
        let clear = Array("\r\u{1B}[K\u{1B}[?25h".utf8)
        _ = clear.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
