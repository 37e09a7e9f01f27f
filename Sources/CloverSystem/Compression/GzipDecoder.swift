import CZlib
import Synchronization

/// Decompresses gzip (RFC 1952) piece by piece with zlib; supports several members in a row. Memory use is the input
/// that is not decompressed yet, plus zlib's window.
///
/// Calls must not overlap, but may come from any thread.
///
/// Unchecked, because zlib's stream is a pointer: it is only accessed under `input`, and freed with the object.
package final class GzipDecoder: @unchecked Sendable {
    /// The input is not gzip, is damaged or incomplete, or memory ran out.
    package struct Failure: Error, Equatable {
        /// zlib's error code (zlib.h).
        package let code: Int
    }

    private struct Input {
        /// Not decompressed yet, from `position` on.
        var bytes: [UInt8] = []
        var position = 0
        /// True inside a member, or before the first one.
        var isInMember = true
        /// True once any byte was fed.
        var hasBegun = false
    }

    private let input = Mutex(Input())
    private let stream: UnsafeMutablePointer<z_stream>
    /// The maximum number of bytes decompressed at a time.
    private static let pieceSize = 128 << 10

    package init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 15 bits, plus 16 for a gzip header instead of zlib's own (zlib.h, inflateInit2).
        let code = clover_inflate_init(stream, 15 + 16)
        guard code == Z_OK else { throw Failure(code: Int(code)) }
    }

    deinit {
        // Z_STREAM_ERROR for a stream that was never started.
        _ = inflateEnd(stream)
        stream.deallocate()
    }

    /// Sets the next input bytes. Must only be called after `next()` has returned nil.
    package func feed(_ bytes: [UInt8]) {
        input.withLock { input in
            input.bytes = bytes
            input.position = 0
            if !bytes.isEmpty { input.hasBegun = true }
        }
    }

    /// The next decompressed bytes, never empty, at most 128 KiB; nil if more input is needed.
    package func next() throws(Failure) -> [UInt8]? {
        try input.withLock { input throws(Failure) in
            while true {
                if !input.isInMember { try beginMember(&input) }
                // After the input is used up, zlib may still hold bytes that did not fit into the last piece.
                let piece = try inflate(&input)
                if !piece.isEmpty { return piece }
                if input.position == input.bytes.count { return nil }
            }
        }
    }

    /// Must be called after the last bytes.
    ///
    /// - Throws: if the last member is incomplete.
    package func finish() throws(Failure) {
        let isWhole = input.withLock { !$0.hasBegun || !$0.isInMember }
        guard isWhole else { throw Failure(code: Int(Z_BUF_ERROR)) }
    }

    /// Starts another member. Skips zeros that pad a block, as gzip(1) does.
    private func beginMember(_ input: inout Input) throws(Failure) {
        while input.position < input.bytes.count, input.bytes[input.position] == 0 { input.position += 1 }
        guard input.position < input.bytes.count else { return }
        let code = inflateReset(stream)
        guard code == Z_OK else { throw Failure(code: Int(code)) }
        input.isInMember = true
    }

    private func inflate(_ input: inout Input) throws(Failure) -> [UInt8] {
        guard input.isInMember else { return [] }
        var code = Z_OK
        let (stream, size) = (stream, Self.pieceSize)
        let piece = input.bytes[input.position...].withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                // zlib does not write to it; the field is not const in C.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.pointee.avail_in = uInt(bytes.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(size)
                code = CZlib.inflate(stream, Z_NO_FLUSH)
                count = size - Int(stream.pointee.avail_out)
            }
        }
        input.position = input.bytes.count - Int(stream.pointee.avail_in)
        switch code {
        case Z_OK: break
        case Z_STREAM_END: input.isInMember = false
        // There was nothing more to do.
        case Z_BUF_ERROR: break
        default: throw Failure(code: Int(code))
        }
        return piece
    }
}
