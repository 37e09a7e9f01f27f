/// Why compression failed.
package enum CompressionError: Error, Equatable, Sendable {
    /// Out of memory.
    case memory
    /// The library's own error code. This is a bug, because any bytes can be compressed.
    case failed(code: Int)
}
