import CQREncode
import Glibc

/// A QR code (ISO/IEC 18004) of a text: a square of dark and light modules.
package struct QRCode: Sendable, Hashable {
    /// Number of modules on each side, without the light margin.
    package let size: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    /// Makes the smallest code for the text, with the lowest level of error correction: a screen has no scratches, but limited
    /// space.
    package init(_ text: String) throws(QRCodeError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .unencodable }
        let library = try QRCodeLibrary.load()
        // Version 0 selects the smallest size; the library itself selects numeric, alphanumeric or byte mode.
        guard let code = library.encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
            switch errno {
            case ERANGE: throw .tooLong(bytes: text.utf8.count)
            default: throw .unencodable
            }
        }
        defer { library.free(code) }
        let size = Int(code.pointee.width)
        // The lowest bit of a byte is the module's colour (qrencode.h); the others describe the module's purpose.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
        self.size = size
    }

    /// Whether a module is dark. Everything outside the square is light.
    package func isDark(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return modules[row * size + column]
    }
}

/// The reason why a QR code cannot be made.
package enum QRCodeError: Error, Equatable, Sendable {
    /// The text is too long: the largest code holds 2953 bytes, or some more digits and capitals.
    case tooLong(bytes: Int)
    /// The text is empty or contains NUL, or there is not enough memory.
    case unencodable
    /// libqrencode cannot be loaded; `detail` is the dynamic linker's text.
    case libraryMissing(detail: String)
}

/// A QR code in terminal characters. Each character shows two modules, one above the other, which are nearly square.
extension QRCode {
    /// Light modules around the code, which readers need to find it (ISO/IEC 18004).
    static let margin = 4

    package var columns: Int { size + 2 * Self.margin }
    package var rows: Int { (columns + 1) / 2 }

    /// Black on white from the 256-colour cube, which themes do not change. Cameras need dark on light, but a theme may give
    /// the terminal's basic black and white any colour.
    private static let colours = "\u{1B}[38;5;16;48;5;231m"
    private static let reset = "\u{1B}[0m"

    /// The lines, with line ends. Each line sets and resets its colours.
    package var text: String {
        stride(from: 0, to: columns, by: 2).map { row in
            Self.colours + (0..<columns).map { block(column: $0, row: row) }.joined() + Self.reset + "\n"
        }.joined()
    }

    private func block(column: Int, row: Int) -> String {
        let column = column - Self.margin
        let row = row - Self.margin
        return switch (isDark(column: column, row: row), isDark(column: column, row: row + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

/// libqrencode, loaded by name when the first code is drawn and kept until the process ends, so that other runs do not load
/// it.
package struct QRCodeLibrary: Sendable {
    /// `QRcode_encodeString` of qrencode.h: text, version, level of error correction, mode, whether case matters.
    typealias Encode =
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, CInt, QRecLevel, QRencodeMode, CInt
        ) -> UnsafeMutablePointer<QRcode>?
    /// `QRcode_free`.
    typealias Free = @convention(c) @Sendable (UnsafeMutablePointer<QRcode>?) -> Void

    let encode: Encode
    let free: Free

    private static let loaded = Result { () throws(QRCodeError) in try QRCodeLibrary(named: "libqrencode.so.4") }

    static func load() throws(QRCodeError) -> QRCodeLibrary { try loaded.get() }

    /// - Throws: `.libraryMissing`.
    package init(named name: String) throws(QRCodeError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            // dlerror(3) is per thread, and valid only until the next call.
            throw .libraryMissing(detail: dlerror().map { String(cString: $0) } ?? name)
        }
        guard let encode = dlsym(library, "QRcode_encodeString"), let free = dlsym(library, "QRcode_free") else {
            dlclose(library)
            throw .libraryMissing(detail: "\(name) has no QRcode_encodeString or QRcode_free")
        }
        self.encode = unsafeBitCast(encode, to: Encode.self)
        self.free = unsafeBitCast(free, to: Free.self)
    }
}
