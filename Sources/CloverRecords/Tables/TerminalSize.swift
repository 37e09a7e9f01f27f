internal import Glibc

/// The size of a terminal window.
package enum TerminalSize {
    /// The width in columns of the terminal behind the descriptor (TIOCGWINSZ, ioctl_tty(2)); nil if it is not a
    /// terminal or has no size.
    package static func columns(of descriptor: Int32) -> Int? { extent(of: descriptor)?.columns }

    /// The width and height.
    package static func extent(of descriptor: Int32) -> TerminalExtent? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalExtent(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : nil)
    }
}

/// The dimensions of a terminal.
package struct TerminalExtent: Sendable, Equatable {
    package let columns: Int
    /// Nil if the terminal does not report it.
    package let rows: Int?

    package init(columns: Int, rows: Int?) {
        self.columns = columns
        self.rows = rows
    }
}
