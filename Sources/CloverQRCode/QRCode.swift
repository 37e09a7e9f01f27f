import CQREncode
import Glibc

/// A text as a QR code (ISO/IEC 18004): a square of dark and light modules.
package struct QRCode: Sendable, Hashable {
    /// Modules on each side, without the light margin.
    package let size: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    /// The smallest code that holds the text, with the lowest level of error correction: a screen has no scratches, and
    /// a code that does not fit on it is of no use.
    package init(_ text: String) throws(QRCodeError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .unencodable }
        let library = try QRCodeLibrary.load()
        // Version 0 takes the smallest; the library itself chooses between numbers, letters and bytes.
        guard let code = library.encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
            switch errno {
            case ERANGE: throw .tooLong(bytes: text.utf8.count)
            default: throw .unencodable
            }
        }
        defer { library.free(code) }
        let size = Int(code.pointee.width)
        // The lowest bit of a byte is the module's colour (qrencode.h); the others tell what the module is for.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
        self.size = size
    }

    /// Whether a module is dark. Everything outside the square is light.
    package func isDark(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return modules[row * size + column]
    }
}

/// Why a text has no QR code.
package enum QRCodeError: Error, Equatable, Sendable {
    /// The largest code holds 2953 bytes, and a little more of digits and capitals.
    case tooLong(bytes: Int)
    /// It is empty or holds NUL, or there is no memory.
    case unencodable
    /// libqrencode cannot be loaded; `detail` is the dynamic linker's text.
    case libraryMissing(detail: String)
}
