internal import Glibc
internal import Synchronization

/// Writes on descriptors, and counts what has reached them. Short writes, EINTR and non-blocking descriptors are dealt
/// with. It blocks: only for a thread that may, and that has SIGPIPE blocked.
final class DescriptorWriter: Sendable {
    /// Bytes given to one write(2) at most: the usual capacity of a pipe.
    private static let partSize = 64 << 10

    private let written = Atomic(0)

    /// Bytes written so far; tells from another thread whether a write gets on.
    var bytesWritten: Int { written.load(ordering: .relaxed) }

    /// Returns when everything is written, or what kept it from that. See write(2), poll(2).
    ///
    /// - Parameter observer: shown what has reached the descriptor, in order.
    func write(
        _ bytes: [UInt8], to descriptor: Int32, _ observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    ) -> RecordWriteError? {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                // In parts, so that `bytesWritten` tells of a reader who is slow but there.
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.partSize))
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count >= 0 {
                    observer?(UnsafeRawBufferPointer(rebasing: part[..<count]))
                    rest = rest.dropFirst(count)
                    written.add(count, ordering: .relaxed)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    // The descriptor is shared with a process that made it non-blocking (a terminal, ssh).
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    if poll(&wanted, 1, -1) < 0, errno != EINTR { return .failed(errno: errno) }
                case EPIPE: return .closed
                case let number: return .failed(errno: number)
                }
            }
            return nil
        }
    }
}
