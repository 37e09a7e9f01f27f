import CloverQRCode
import CloverRecords

/// Shows an address where the camera of a phone or tablet can read it: on the terminal of standard error, because
/// standard output is for data.
package enum TerminalQRCode {
    /// Draws the code, or says why not. A code that would be cut by the terminal's edges is of no use, and is not drawn.
    package static func draw(_ address: String, in environment: CommandEnvironment) {
        let diagnostics = environment.diagnostics
        guard environment.terminal.isErrorTerminal else {
            diagnostics.request("no QR code is drawn, because standard error is no terminal")
            return
        }
        let blocks: QRCodeBlocks
        do throws(QRCodeError) {
            blocks = QRCodeBlocks(try QRCode(address))
        } catch {
            switch error {
            case .tooLong(let bytes):
                diagnostics.request("no QR code is drawn, because none is large enough for \(bytes) bytes")
            case .unencodable: diagnostics.request("no QR code is drawn, because the address has none")
            }
            return
        }
        // The line below the code takes a row too.
        if let size = environment.terminal.errorSize,
            size.columns < blocks.columns || size.rows.map({ $0 < blocks.rows + 1 }) ?? false
        {
            let rows = size.rows.map { " by \($0)" } ?? ""
            diagnostics.request(
                "the QR code does not fit: it needs \(blocks.columns) columns by \(blocks.rows + 1) rows, "
                    + "and the terminal has \(size.columns)\(rows); make it larger, or its letters smaller")
            return
        }
        diagnostics.pass(Array(blocks.text.utf8))
    }
}
