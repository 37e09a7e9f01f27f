import CZstd
import Synchronization

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
        let outcome = lock.withLock { _ -> Result<[UInt8], CompressionError> in
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
                guard ZSTD_isError(left) == 0 else { return .failure(.failed(code: Int(bitPattern: UInt(left)))) }
                let isDone = directive == ZSTD_e_end ? left == 0 : input.pos == input.size
                if isDone { return .success(result) }
            }
        }
        return try outcome.get()
    }
}
