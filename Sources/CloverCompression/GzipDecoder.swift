import CZlib
import Synchronization

/// Unpacks gzip (RFC 1952) piece by piece, by zlib: one member or several, one after the other. What it holds is what it
/// was given and has not unpacked yet, and zlib's window.
///
/// Calls come one after the other, from any thread.
///
/// Unchecked, because zlib's stream is a pointer: it is touched under `input` only, and freed with the object.
package final class GzipDecoder: @unchecked Sendable {
    /// The bytes are no gzip, or damaged, or end too soon; or there is no memory.
    package struct Failure: Error, Equatable {
        /// zlib's number (zlib.h).
        package let code: Int
    }

    private struct Input {
        /// Not unpacked yet, from `position` on.
        var bytes: [UInt8] = []
        var position = 0
        /// In a member, or before the first one.
        var isInMember = true
        /// Any byte was given.
        var hasBegun = false
    }

    private let input = Mutex(Input())
    private let stream: UnsafeMutablePointer<z_stream>
    /// Bytes that are unpacked at a time.
    private static let pieceSize = 128 << 10

    package init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, and 16 for a gzip header in place of zlib's own (zlib.h, inflateInit2).
        let code = clover_inflate_init(stream, 15 + 16)
        guard code == Z_OK else { throw Failure(code: Int(code)) }
    }

    deinit {
        // Z_STREAM_ERROR for a stream that was never begun.
        _ = inflateEnd(stream)
        stream.deallocate()
    }

    /// Takes the next bytes. Only when `next()` has given everything of those before.
    package func feed(_ bytes: [UInt8]) {
        input.withLock { input in
            input.bytes = bytes
            input.position = 0
            if !bytes.isEmpty { input.hasBegun = true }
        }
    }

    /// The next unpacked bytes, never empty, 128 KiB at most; nil when more has to be fed first.
    package func next() throws(Failure) -> [UInt8]? {
        try input.withLock { input throws(Failure) in
            while true {
                if !input.isInMember { try beginMember(&input) }
                // Once the input is used up zlib may still hold what did not fit into the last piece.
                let piece = try inflate(&input)
                if !piece.isEmpty { return piece }
                if input.position == input.bytes.count { return nil }
            }
        }
    }

    /// To be called after the last bytes.
    ///
    /// - Throws: when the last member is not whole.
    package func finish() throws(Failure) {
        let isWhole = input.withLock { !$0.hasBegun || !$0.isInMember }
        guard isWhole else { throw Failure(code: Int(Z_BUF_ERROR)) }
    }

    /// After a member comes another one, or zeros that fill a block, which gzip(1) ignores as well.
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
