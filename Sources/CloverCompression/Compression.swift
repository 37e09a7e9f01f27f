/// How a file is compressed. The same bytes give the same file: neither format is told a name or a time.
package enum Compression: String, Sendable, CaseIterable {
    case gzip
    case zstd

    /// What a file's name ends with.
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
