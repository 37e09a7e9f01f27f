import Glibc

/// A small text file that the user named.
package enum TextFile {
    package static let maximumSize = 16 << 20

    /// Reads the file as text. Throws `CoreError.unreadableFile`.
    package static func read(_ path: String) throws(CoreError) -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// Whether the path names something other than a regular file, such as a FIFO, from which reading may never end.
    package static func isNoRegularFile(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    }

    /// Reads the file's bytes. Throws `CoreError.unreadableFile`.
    package static func bytes(_ path: String) throws(CoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableFile(path: path, errno: errno) }
        defer { close(descriptor) }
        do {
            return try DescriptorReader.readAll(descriptor, limit: maximumSize)
        } catch {
            throw .unreadableFile(path: path, errno: error.errno)
        }
    }
}

/// Reads a descriptor to its end.
package enum DescriptorReader {
    package struct Failure: Error {
        package var errno: Int32

        package init(errno: Int32) {
            self.errno = errno
        }
    }

    /// Reads up to `limit` bytes. A longer input fails with `EFBIG`.
    package static func readAll(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(errno: errno)
            }
            bytes.append(contentsOf: buffer[..<count])
            if bytes.count > limit { throw Failure(errno: EFBIG) }
        }
    }
}
