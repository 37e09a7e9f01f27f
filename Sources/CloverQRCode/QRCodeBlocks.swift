/// A QR code in the characters of a terminal: each shows two modules, one above the other, and so is nearly square.
package struct QRCodeBlocks: Sendable {
    /// Light modules around the code, which readers need to find it (ISO/IEC 18004).
    static let margin = 4

    private let code: QRCode

    package init(_ code: QRCode) {
        self.code = code
    }

    /// Columns of the terminal that it takes.
    package var columns: Int { code.size + 2 * Self.margin }
    /// Lines of the terminal that it takes.
    package var rows: Int { (columns + 1) / 2 }

    /// Black on white from the cube of 256 colours, whose entries no theme changes: a terminal's own black and white may
    /// be anything, and a reader wants dark on light, whatever the terminal's ground is.
    private static let colours = "\u{1B}[38;5;16;48;5;231m"
    private static let ordinary = "\u{1B}[0m"

    /// The lines, with line ends. Each begins and ends with the colours that it needs.
    package var text: String {
        stride(from: 0, to: columns, by: 2).map { row in
            Self.colours + (0..<columns).map { block(column: $0, row: row) }.joined() + Self.ordinary + "\n"
        }.joined()
    }

    private func block(column: Int, row: Int) -> String {
        let column = column - Self.margin
        let row = row - Self.margin
        return switch (code.isDark(column: column, row: row), code.isDark(column: column, row: row + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
