import CZlib
import Synchronization

/// Compresses gzip (RFC 1952) with zlib, without a name or time in its header.
///
/// Unchecked, because zlib's stream is a pointer: it is only accessed under `lock`, and freed with the object.
final class GzipEncoder: ByteEncoder, @unchecked Sendable {
    private let lock = Mutex(())
    private let stream: UnsafeMutablePointer<z_stream>
    private static let pieceSize = 64 << 10

    init() throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 15 bits, plus 16 for a gzip header instead of zlib's own (zlib.h, deflateInit2).
        let code = clover_deflate_init(stream, 6, 15 + 16)
        guard code == Z_OK else { throw code == Z_MEM_ERROR ? .memory : .failed(code: Int(code)) }
    }

    deinit {
        // Z_DATA_ERROR for a stream that was not finished, or Z_STREAM_ERROR for one that was never started.
        _ = deflateEnd(stream)
        stream.deallocate()
    }

    func encode(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8] {
        // avail_in is an unsigned int.
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            result += try deflate(part, Z_NO_FLUSH)
            rest = rest.dropFirst(part.count)
        }
        return result
    }

    func finish() throws(CompressionError) -> [UInt8] {
        try deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
    }

    private func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) throws(CompressionError) -> [UInt8] {
        let outcome = lock.withLock { _ -> Result<[UInt8], CompressionError> in
            // zlib does not write to it; the field is not const in C.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(bytes.count)
            var result: [UInt8] = []
            while true {
                var code = Z_OK
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(Self.pieceSize)
                    code = CZlib.deflate(stream, flush)
                    count = Self.pieceSize - Int(stream.pointee.avail_out)
                }
                result += piece
                // Z_BUF_ERROR: there was nothing to do, which is not an error.
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
                    return .failure(.failed(code: Int(code)))
                }
                if piece.count < Self.pieceSize { return .success(result) }
            }
        }
        return try outcome.get()
    }
}
