import CloverQRCode
package import CloverRecords

/// An address as a code that the camera of a phone or tablet can read on the terminal.
package struct TerminalQRCode: Sendable {
    /// Why there is none.
    package enum Obstacle: Error, Equatable, Sendable {
        /// Neither standard output nor standard error is a terminal.
        case noTerminal
        /// More bytes than the largest code holds.
        case tooLong(bytes: Int)
        /// The address is empty or holds NUL.
        case unencodable
        /// libqrencode cannot be loaded; `detail` is the dynamic linker's text.
        case libraryMissing(detail: String)
        /// The terminal is smaller than the code, which would be cut and could not be read.
        case doesNotFit(columns: Int, rows: Int, TerminalExtent)
    }

    private let text: String
    private let isOnOutput: Bool

    /// On the terminal that standard output is. In a pipe, standard output is for data, and the code goes to the terminal
    /// that standard error is.
    package init(_ address: String, in environment: CommandEnvironment) throws(Obstacle) {
        let terminal = environment.terminal
        guard terminal.isOutputTerminal || terminal.isErrorTerminal else { throw .noTerminal }
        isOnOutput = terminal.isOutputTerminal
        let blocks: QRCodeBlocks
        do throws(QRCodeError) {
            blocks = QRCodeBlocks(try QRCode(address))
        } catch {
            switch error {
            case .tooLong(let bytes): throw .tooLong(bytes: bytes)
            case .unencodable: throw .unencodable
            case .libraryMissing(let detail): throw .libraryMissing(detail: detail)
            }
        }
        // The line below the code takes a row too.
        let rows = blocks.rows + 1
        if let size = isOnOutput ? terminal.outputSize : terminal.errorSize,
            size.columns < blocks.columns || size.rows.map({ $0 < rows }) ?? false
        {
            throw .doesNotFit(columns: blocks.columns, rows: rows, size)
        }
        text = blocks.text
    }

    package func draw(in environment: CommandEnvironment) async throws {
        if isOnOutput {
            try await environment.standardOutput.write(Array(text.utf8))
        } else {
            environment.diagnostics.pass(Array(text.utf8))
        }
    }
}
