import CQREncode
import Glibc

/// libqrencode, loaded by name when the first code is drawn and kept until the process ends: no other run pays for it.
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
            // The text belongs to this thread and to the last call, dlerror(3).
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
