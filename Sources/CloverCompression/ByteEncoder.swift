/// Compresses a stream piece by piece. Calls come one after the other, from any thread.
package protocol ByteEncoder: Sendable {
    /// What the bytes so far give, beyond what was given before; may be nothing yet.
    func encode(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8]

    /// The rest. Nothing is encoded afterwards.
    func finish() throws(CompressionError) -> [UInt8]
}
