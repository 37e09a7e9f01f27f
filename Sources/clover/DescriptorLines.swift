import CloverCore
import CloverThreads
import Glibc
import Synchronization

/// The lines of a file or of standard input, read on a thread of their own, so that a command may give up waiting.
final class DescriptorLines: InputLines {
    /// Longer lines are no requests.
    private static let longest = 16 << 20

    private let descriptor: Int32
    /// nil for standard input.
    private let path: String?
    private let thread = SerialThread(name: "clover-input")
    /// Used on the thread only, one piece of work after the other.
    private let buffer = Mutex(Buffer())
    /// Bytes of a regular file from where it is read on; nil for everything else.
    private let size: Int?
    /// Bytes of the lines that were given away. The buffer is locked while somebody waits for a line.
    private let given = Atomic(0)

    private struct Buffer {
        /// All that were read so far.
        var count = 0
        var bytes: [UInt8] = []
        var start = 0
        var isAtEnd = false
        var isFirstLine = true
    }

    /// - Parameter path: nil for standard input.
    init(path: String?) throws(CoreError) {
        self.path = path
        guard let path else {
            descriptor = STDIN_FILENO
            size = Self.size(of: STDIN_FILENO)
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableFile(path: path, errno: errno) }
        size = Self.size(of: descriptor)
    }

    private static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A shell may have read the first lines.
        let left = Int(status.st_size) - max(0, lseek(descriptor, 0, SEEK_CUR))
        return left > 0 ? left : nil
    }

    var share: Double? { size.map { min(1, Double(given.load(ordering: .relaxed)) / Double($0)) } }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    func next(atMost count: Int) async throws -> [InputText] {
        let answer = FirstAnswer<[InputText]>()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                // Ends with the lines, or with the process when nobody waits any more.
                Task {
                    let lines = await thread.run { FirstAnswer<[InputText]>.Answer { try self.readLines(count) } }
                    answer.give(lines ?? .failure(DescriptorReader.Failure(errno: EAGAIN)))
                }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }.get()
    }

    private func readLines(_ count: Int) throws -> [InputText] {
        guard let first = try readLine() else { return [] }
        var lines = [first]
        while lines.count < count, isLineBuffered, let next = try readLine() { lines.append(next) }
        buffer.withLock { given.store($0.count - ($0.bytes.count - $0.start), ordering: .relaxed) }
        return lines
    }

    /// Whether the next line can be had without reading, which may wait.
    private var isLineBuffered: Bool {
        buffer.withLock { $0.bytes[$0.start...].contains(UInt8(ascii: "\n")) }
    }

    private func readLine() throws -> InputText? {
        try buffer.withLock { buffer in
            var searched = buffer.start
            var isTooLong = false
            while true {
                if let end = buffer.bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    return take(to: end, isTooLong, &buffer)
                }
                if buffer.isAtEnd {
                    guard buffer.start < buffer.bytes.count || isTooLong else { return nil }
                    return take(to: buffer.bytes.count, isTooLong, &buffer)
                }
                buffer.bytes.removeFirst(buffer.start)
                buffer.start = 0
                if buffer.bytes.count > Self.longest { isTooLong = true }
                // What is left of such a line is read, and nothing of it kept.
                if isTooLong { buffer.bytes.removeAll(keepingCapacity: true) }
                searched = buffer.bytes.count
                try fill(&buffer)
            }
        }
    }

    private func take(to end: Int, _ isTooLong: Bool, _ buffer: inout Buffer) -> InputText {
        defer {
            buffer.start = min(end + 1, buffer.bytes.count)
            buffer.isFirstLine = false
        }
        guard !isTooLong, end - buffer.start <= Self.longest else { return .tooLong(limit: Self.longest) }
        let line = Array(buffer.bytes[buffer.start..<end])
        return .line(buffer.isFirstLine ? ByteOrderMark.dropped(from: line) : line)
    }

    private func fill(_ buffer: inout Buffer) throws {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            buffer.isAtEnd = count == 0
            buffer.count += count
            buffer.bytes += chunk[..<count]
            return
        }
    }

    /// A directory can be opened, and is found out by the first read only.
    private func failure(_ number: Int32) -> any Error {
        guard let path else { return DescriptorReader.Failure(errno: number) }
        return CoreError.unreadableFile(path: path, errno: number)
    }
}
