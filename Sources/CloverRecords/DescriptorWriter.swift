internal import Glibc
internal import Synchronization

/// Writes to descriptors and counts the bytes written. Handles short writes, EINTR and non-blocking descriptors.
/// Blocks, so it needs a thread that may block and that has SIGPIPE blocked.
final class DescriptorWriter: Sendable {
    /// The maximum number of bytes per write(2): the usual capacity of a pipe.
    private static let partSize = 64 << 10

    private let written = Atomic(0)

    /// Bytes written so far; shows other threads whether a write makes progress.
    var bytesWritten: Int { written.load(ordering: .relaxed) }

    /// Returns when everything is written, or the error that prevented it. See write(2), poll(2).
    ///
    /// - Parameter observer: receives the bytes that reached the descriptor, in order.
    func write(
        _ bytes: [UInt8], to descriptor: Int32, _ observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    ) -> RecordWriteError? {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                // In parts, so that `bytesWritten` shows progress even with a slow reader.
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
