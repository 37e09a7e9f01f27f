import Glibc

/// Bytes in order: the last ones in memory, those before in a temporary file that has no name and ends with the process.
struct RowSpool: ~Copyable {
    /// What is not in the file yet.
    private var buffer: [UInt8] = []
    /// The temporary file; nil before the first bytes are in it.
    private(set) var file: File?
    /// Number of bytes in the file.
    private(set) var stored = 0

    /// A temporary file cannot be made, written or read.
    struct Failure: Error {
        let folder: String
        let errno: Int32
    }

    static let bufferSize = 1 << 20
    static let readSize = 1 << 18
    private static let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"

    /// Number of bytes.
    var count: Int { stored + buffer.count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        buffer.append(contentsOf: bytes)
        guard buffer.count >= Self.bufferSize else { return }
        try putBack(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Adds bytes before those that are in memory.
    mutating func putBack(_ bytes: [UInt8]) throws(Failure) {
        if file == nil { file = try File() }
        try file?.write(bytes, at: stored)
        stored += bytes.count
    }

    /// Up to `size` bytes from `start` on, and not beyond `end`.
    func read(from start: Int, to end: Int, size: Int = readSize) throws(Failure) -> ArraySlice<UInt8> {
        guard start < stored, let file else { return buffer[(start - stored)..<(end - stored)].prefix(size) }
        return try file.read(from: start, size: min(end, stored, start + size) - start)
    }

    /// A temporary file without a name. Bytes in it stay as they are, so that any thread may read them.
    final class File: Sendable {
        private let descriptor: Int32

        init() throws(Failure) {
            var path = Array("\(RowSpool.folder)/clover-rows-XXXXXX".utf8CString)
            let opened = mkstemp(&path)
            guard opened >= 0 else { throw Failure(folder: RowSpool.folder, errno: errno) }
            _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
            unlink(path)
            descriptor = opened
        }

        deinit { close(descriptor) }

        fileprivate func write(_ bytes: [UInt8], at start: Int) throws(Failure) {
            var place = 0
            while place < bytes.count {
                let written = bytes.withUnsafeBytes { bytes in
                    pwrite(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place, off_t(start + place))
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Failure(folder: RowSpool.folder, errno: written < 0 ? errno : ENOSPC) }
                place += written
            }
        }

        /// Exactly these bytes, which are in the file.
        func read(from start: Int, size: Int) throws(Failure) -> ArraySlice<UInt8> {
            var (bytes, found) = ([UInt8](repeating: 0, count: size), 0)
            while found < size {
                let count = bytes.withUnsafeMutableBytes { bytes in
                    pread(descriptor, bytes.baseAddress.map { $0 + found }, size - found, off_t(start + found))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(folder: RowSpool.folder, errno: count < 0 ? errno : EIO) }
                found += count
            }
            return bytes[...]
        }
    }
}
