package import CloverOutput

/// An address as a QR code on the terminal, for the camera of a phone or tablet.
package struct TerminalQRCode: Sendable {
    /// The reason why a code cannot be drawn.
    package enum Obstacle: Error, Equatable, Sendable {
        /// Neither standard output nor standard error is a terminal.
        case noTerminal
        /// The address has more bytes than the largest code holds.
        case tooLong(bytes: Int)
        /// The address is empty or contains NUL.
        case unencodable
        /// libqrencode cannot be loaded; `detail` is the dynamic linker's text.
        case libraryMissing(detail: String)
        /// The terminal is smaller than the code, which would be cut off and unreadable.
        case doesNotFit(columns: Int, rows: Int, TerminalExtent)
    }

    private let text: String
    private let isOnOutput: Bool

    /// Makes a code for the terminal on standard output or, if standard output is a pipe for data, for the terminal on
    /// standard error.
    package init(_ address: String, in environment: CommandEnvironment) throws(Obstacle) {
        let terminal = environment.terminal
        guard terminal.isOutputTerminal || terminal.isErrorTerminal else { throw .noTerminal }
        isOnOutput = terminal.isOutputTerminal
        let code: QRCode
        do throws(QRCodeError) {
            code = try QRCode(address)
        } catch {
            switch error {
            case .tooLong(let bytes): throw .tooLong(bytes: bytes)
            case .unencodable: throw .unencodable
            case .libraryMissing(let detail): throw .libraryMissing(detail: detail)
            }
        }
        // The line below the code needs a row, too.
        let rows = code.rows + 1
        if let size = isOnOutput ? terminal.outputSize : terminal.errorSize,
            size.columns < code.columns || size.rows.map({ $0 < rows }) ?? false
        {
            throw .doesNotFit(columns: code.columns, rows: rows, size)
        }
        text = code.text
    }

    package func draw(in environment: CommandEnvironment) async throws {
        if isOnOutput {
            try await environment.standardOutput.write(Array(text.utf8))
        } else {
            environment.diagnostics.pass(Array(text.utf8))
        }
    }
}
