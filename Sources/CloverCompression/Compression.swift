/// The compression format of a file. Equal contents give equal files, because neither format stores a name or time.
package enum Compression: String, Sendable, CaseIterable {
    case gzip
    case zstd

    /// The suffix of the file name.
    package var suffix: String {
        switch self {
        case .gzip: ".gz"
        case .zstd: ".zst"
        }
    }

    /// - Throws: `CompressionError.memory`.
    package func makeEncoder() throws(CompressionError) -> any ByteEncoder {
        switch self {
        case .gzip: try GzipEncoder()
        case .zstd: try ZstdEncoder()
        }
    }
}
