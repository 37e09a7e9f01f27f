import CZlib
import CZstd
import Synchronization

/// The compression format of a file. Equal contents give equal files, because neither format stores a name or time.
package enum Compression: String, Sendable, CaseIterable {
    case gzip
    case zstd

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

/// Compresses a stream piece by piece. Calls must not overlap, but may come from any thread.
package protocol ByteEncoder: Sendable {
    /// The compressed bytes that are ready; may be empty.
    func encode(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8]

    /// The remaining compressed bytes. Must be the last call.
    func finish() throws(CompressionError) -> [UInt8]
}

/// Why compression failed.
package enum CompressionError: Error, Equatable, Sendable {
    case memory
    /// The library's own error code. This is a bug, because any bytes can be compressed.
    case failed(code: Int)
}

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
        try lock.withLock { _ throws(CompressionError) in
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
                    throw .failed(code: Int(code))
                }
                if piece.count < Self.pieceSize { return result }
            }
        }
    }
}

/// Compresses Zstandard (RFC 8878) with libzstd, with a checksum of the content.
///
/// Unchecked, because libzstd's context is a pointer: it is only accessed under `lock`, and freed with the object.
final class ZstdEncoder: ByteEncoder, @unchecked Sendable {
    private let lock = Mutex(())
    private let context: OpaquePointer
    private static let pieceSize = 128 << 10

    init() throws(CompressionError) {
        guard let context = ZSTD_createCCtx() else { throw .memory }
        self.context = context
        let code = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        guard ZSTD_isError(code) == 0 else { throw .failed(code: Int(bitPattern: UInt(code))) }
    }

    deinit { _ = ZSTD_freeCCtx(context) }

    func encode(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8] {
        try compress(bytes, ZSTD_e_continue)
    }

    func finish() throws(CompressionError) -> [UInt8] {
        try compress(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end)
    }

    private func compress(
        _ bytes: UnsafeRawBufferPointer, _ directive: ZSTD_EndDirective
    ) throws(CompressionError) -> [UInt8] {
        try lock.withLock { _ throws(CompressionError) in
            var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
            var result: [UInt8] = []
            while true {
                var left = 0
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: Self.pieceSize, pos: 0)
                    left = ZSTD_compressStream2(context, &output, &input, directive)
                    count = output.pos
                }
                result += piece
                guard ZSTD_isError(left) == 0 else { throw .failed(code: Int(bitPattern: UInt(left))) }
                let isDone = directive == ZSTD_e_end ? left == 0 : input.pos == input.size
                if isDone { return result }
            }
        }
    }
}
