import CloverCore
import CloverSystem
import Glibc
import Synchronization

/// Reads lines of a file or of standard input on its own thread, so that a command can stop waiting for them.
final class DescriptorLines: InputLines {
    /// Maximum length of a line in bytes; longer lines cannot be requests.
    private static let longest = 16 << 20

    private let descriptor: Int32
    /// Nil for standard input.
    private let path: String?
    private let thread = SerialThread(name: "clover-input")
    /// Used on the thread only, by one read at a time.
    private let buffer = Mutex(Buffer())
    /// Size in bytes of the unread part of a regular file; nil for anything else.
    private let size: Int?
    /// Number of bytes of the lines returned so far. Atomic, because the buffer is locked while a read waits.
    private let given = Atomic(0)

    private struct Buffer {
        /// Total number of bytes read.
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
        // A shell may already have read the first lines.
        let left = Int(status.st_size) - max(0, lseek(descriptor, 0, SEEK_CUR))
        return left > 0 ? left : nil
    }

    var share: Double? { size.map { min(1, Double(given.load(ordering: .relaxed)) / Double($0)) } }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    func next(atMost count: Int) async throws -> [InputText] {
        let result = Promise<[InputText], any Error>()
        // Ends with the lines, or with the process if the caller stopped waiting.
        let isPosted = thread.post { result.settle(Result { try self.readLines(count) }) }
        if !isPosted { result.settle(.failure(DescriptorReader.Failure(errno: EAGAIN))) }
        return try await result.value(cancelledWith: CancellationError())
    }

    private func readLines(_ count: Int) throws -> [InputText] {
        guard let first = try readLine() else { return [] }
        var lines = [first]
        while lines.count < count, isLineBuffered, let next = try readLine() { lines.append(next) }
        buffer.withLock { given.store($0.count - ($0.bytes.count - $0.start), ordering: .relaxed) }
        return lines
    }

    /// Whether the next line is in the buffer, so that it can be returned without a read, which may wait.
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
                // The rest of a line that is too long is read and discarded.
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

    /// The error for a failed read. Opening a directory succeeds; only the first read fails, so its path is added here.
    private func failure(_ number: Int32) -> any Error {
        guard let path else { return DescriptorReader.Failure(errno: number) }
        return CoreError.unreadableFile(path: path, errno: number)
    }
}
