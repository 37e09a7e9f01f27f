import CloverCore
import CloverThreads
import Glibc
import Synchronization

/// The lines of a file or of standard input, read on a thread of their own, so that a command may give up waiting.
final class DescriptorLines: InputLines {
    /// Longer lines are no requests.
    private static let longest = 16 << 20

    private let descriptor: Int32
    private let thread = SerialThread(name: "clover-input")
    /// Used on the thread only, one piece of work after the other.
    private let buffer = Mutex(Buffer())

    private struct Buffer {
        var bytes: [UInt8] = []
        var start = 0
        var isAtEnd = false
    }

    /// - Parameter path: nil for standard input.
    init(path: String?) throws(CoreError) {
        guard let path else {
            descriptor = STDIN_FILENO
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableFile(path: path, errno: errno) }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    func next() async throws -> [UInt8]? {
        let answer = FirstAnswer<[UInt8]?>()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                // Ends with the line, or with the process when nobody waits any more.
                Task {
                    let line = await thread.run { FirstAnswer<[UInt8]?>.Answer { try self.readLine() } }
                    answer.give(line ?? .failure(DescriptorReader.Failure(errno: EAGAIN)))
                }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }.get()
    }

    private func readLine() throws -> [UInt8]? {
        try buffer.withLock { buffer in
            var searched = buffer.start
            while true {
                if let end = buffer.bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { buffer.start = end + 1 }
                    return Array(buffer.bytes[buffer.start..<end])
                }
                if buffer.isAtEnd {
                    guard buffer.start < buffer.bytes.count else { return nil }
                    defer { buffer.start = buffer.bytes.count }
                    return Array(buffer.bytes[buffer.start...])
                }
                buffer.bytes.removeFirst(buffer.start)
                buffer.start = 0
                searched = buffer.bytes.count
                guard searched <= Self.longest else { throw DescriptorReader.Failure(errno: EFBIG) }
                try fill(&buffer)
            }
        }
    }

    private func fill(_ buffer: inout Buffer) throws {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DescriptorReader.Failure(errno: errno) }
            buffer.isAtEnd = count == 0
            buffer.bytes += chunk[..<count]
            return
        }
    }
}
