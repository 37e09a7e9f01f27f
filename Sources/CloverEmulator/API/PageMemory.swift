import NIOCore
import Synchronization

/// Memory for pages, used again and again. A page is a megabyte; taking fresh memory from the system for each one costs
/// as much time as filling it.
final class PageMemory: Sendable {
    /// Unchecked: a writer is in the pool or with the one request that took it, never both.
    private final class Writer: @unchecked Sendable {
        var json = JSONWriter(capacity: 65_536)
    }

    private struct Pool: Sendable {
        var writers: [Writer] = []
        var bodies: [ByteBuffer] = []
    }

    /// More than are in flight by the limits of one token.
    private static let keptBodies = 6
    private static let keptWriters = 2
    /// Larger pages are rare and not worth keeping memory for.
    private static let largestKept = 4 << 20

    private let pool = Mutex(Pool())

    /// The bytes `body` writes.
    func render(_ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        let writer = pool.withLock { $0.writers.popLast() } ?? Writer()
        body(&writer.json)
        let result = writer.json.withBytes { copy($0) }
        if writer.json.count <= Self.largestKept {
            writer.json.removeAll()
            pool.withLock { if $0.writers.count < Self.keptWriters { $0.writers.append(writer) } }
        }
        return result
    }

    /// The oldest body is the one most likely sent. If it is not, `clear` sees that its memory is shared and takes new.
    private func copy(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer {
        guard bytes.count >= 65_536, bytes.count <= Self.largestKept else { return ByteBuffer(bytes: bytes) }
        var body =
            pool.withLock { $0.bodies.count < Self.keptBodies ? nil : $0.bodies.removeFirst() } ?? ByteBuffer()
        body.clear(minimumCapacity: bytes.count)
        body.writeBytes(bytes)
        let kept = body
        pool.withLock { if $0.bodies.count < Self.keptBodies { $0.bodies.append(kept) } }
        return body
    }
}
