internal import Glibc

/// The size of a terminal window.
package enum TerminalSize {
    /// Columns of the terminal behind the descriptor (TIOCGWINSZ, ioctl_tty(2)); nil when it is no terminal or has no size.
    package static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
