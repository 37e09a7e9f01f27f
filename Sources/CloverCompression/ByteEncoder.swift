/// Compresses a stream piece by piece. Calls must not overlap, but may come from any thread.
package protocol ByteEncoder: Sendable {
    /// The compressed bytes that are ready; may be empty.
    func encode(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8]

    /// The remaining compressed bytes. Must be the last call.
    func finish() throws(CompressionError) -> [UInt8]
}
