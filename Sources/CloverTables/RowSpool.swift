import Glibc

/// Bytes in order: the last ones in memory, those before in a temporary file that has no name and ends with the process.
struct RowSpool: ~Copyable {
    /// What is not in the file yet.
    private(set) var buffer: [UInt8] = []
    private var descriptor: Int32 = -1
    private var stored = 0

    /// A temporary file cannot be made, written or read.
    struct Failure: Error {
        let folder: String
        let errno: Int32
    }

    static let bufferSize = 1 << 20
    static let readSize = 1 << 18
    private static let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Number of bytes.
    var count: Int { stored + buffer.count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        buffer.append(contentsOf: bytes)
        guard buffer.count >= Self.bufferSize else { return }
        try putBack(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Takes the bytes out that are not in the file.
    mutating func take() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// Adds bytes before those that are in memory.
    mutating func putBack(_ bytes: [UInt8]) throws(Failure) {
        if descriptor < 0 {
            var path = Array("\(Self.folder)/clover-rows-XXXXXX".utf8CString)
            descriptor = mkstemp(&path)
            guard descriptor >= 0 else { throw Failure(folder: Self.folder, errno: errno) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            unlink(path)
        }
        var place = 0
        while place < bytes.count {
            let written = bytes.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place, off_t(stored + place))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Failure(folder: Self.folder, errno: written < 0 ? errno : ENOSPC) }
            place += written
        }
        stored += bytes.count
    }

    /// Up to `size` bytes from `start` on, and not beyond `end`.
    func read(from start: Int, to end: Int, size: Int = readSize) throws(Failure) -> ArraySlice<UInt8> {
        guard start < stored else { return buffer[(start - stored)..<(end - stored)].prefix(size) }
        let size = min(end, stored, start + size) - start
        var (bytes, found) = ([UInt8](repeating: 0, count: size), 0)
        while found < size {
            let count = bytes.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress.map { $0 + found }, size - found, off_t(start + found))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(folder: Self.folder, errno: count < 0 ? errno : EIO) }
            found += count
        }
        return bytes[...]
    }
}
