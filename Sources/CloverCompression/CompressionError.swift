/// What a compressor can refuse.
package enum CompressionError: Error, Equatable, Sendable {
    /// There is no memory for it.
    case memory
    /// The library's own number: a bug, because any bytes can be compressed.
    case failed(code: Int)
}
