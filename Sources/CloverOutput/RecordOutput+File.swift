import CloverSystem
import Glibc

/// Where a regular file ends that the output is appended to.
package struct OutputFileEnd: Sendable, Equatable {
    package var device: UInt64
    package var inode: UInt64
    package var size: Int64

    /// As text, for a state file: `DEVICE:INODE:SIZE`.
    package var text: String { "\(device):\(inode):\(size)" }

    package init?(text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let device = UInt64(parts[0]), let inode = UInt64(parts[1]),
            let size = Int64(parts[2])
        else { return nil }
        (self.device, self.inode, self.size) = (device, inode, size)
    }

    fileprivate init?(_ descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
            fcntl(descriptor, F_GETFL) & O_APPEND != 0
        else { return nil }
        (device, inode, size) = (UInt64(found.st_dev), UInt64(found.st_ino), Int64(found.st_size))
    }
}

extension RecordOutput {
    /// The end of the file that everything is appended to, once what was written is on the device; nil for any other
    /// output, such as a pipe or a file that is not opened for appending.
    package func synchronizedFileEnd() async throws -> OutputFileEnd? {
        let descriptor = descriptor
        return try await DedicatedThread.run { () throws(RecordWriteError) in
            guard let end = OutputFileEnd(descriptor) else { return nil }
            guard fdatasync(descriptor) == 0 else { throw .failed(errno: errno) }
            return end
        }
    }

    /// What the file has from an offset on; nil if it cannot be read, or is larger than the limit.
    package func fileContents(from offset: Int64, limit: Int) async -> [UInt8]? {
        let descriptor = descriptor
        return await DedicatedThread.run { () throws(Never) in
            // The output itself is usually open for writing only.
            guard let end = OutputFileEnd(descriptor), end.size >= offset, end.size - offset <= Int64(limit) else {
                return nil
            }
            let file = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: Int(end.size - offset))
            var filled = 0
            while filled < bytes.count {
                let count = bytes.withUnsafeMutableBytes { space in
                    pread(
                        file, space.baseAddress?.advanced(by: filled), space.count - filled,
                        off_t(offset) + off_t(filled))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return nil }
                filled += count
            }
            return bytes
        }
    }
}
