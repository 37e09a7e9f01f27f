internal import Glibc

/// The size of a terminal window.
package enum TerminalSize {
    /// Columns of the terminal behind the descriptor (TIOCGWINSZ, ioctl_tty(2)); nil when it is no terminal or has no size.
    package static func columns(of descriptor: Int32) -> Int? { extent(of: descriptor)?.columns }

    /// The same with the rows.
    package static func extent(of descriptor: Int32) -> TerminalExtent? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalExtent(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : nil)
    }
}

/// How much room a terminal has.
package struct TerminalExtent: Sendable, Equatable {
    package let columns: Int
    /// nil when the terminal does not tell.
    package let rows: Int?

    package init(columns: Int, rows: Int?) {
        self.columns = columns
        self.rows = rows
    }
}
