import Glibc

/// The lines of a file or of standard input, read only on demand.
package protocol InputLines: Sendable {
    /// Waits for the next line, and returns it with the lines after it that have already arrived; empty at the end of the
    /// input. A cancelled task stops waiting at once.
    ///
    /// - Parameter count: maximum number of lines; at least one.
    /// - Throws: `DescriptorReader.Failure`, for a file `CoreError.unreadableFile`; `CancellationError`.
    func next(atMost count: Int) async throws -> [InputText]

    /// The share of the input that was returned, from 0 to 1; nil if its length is unknown, such as for a pipe.
    var share: Double? { get }
}

extension InputLines {
    /// The next line; nil at the end of the input.
    package func next() async throws -> InputText? {
        try await next(atMost: 1).first
    }
}

/// One line of an input.
package enum InputText: Sendable, Equatable {
    /// A line without its line break; the first line also without a byte order mark.
    case line([UInt8])
    /// A line of more than `limit` bytes, which was skipped.
    case tooLong(limit: Int)

    /// Whether the line is empty or only white space.
    package var isBlank: Bool {
        guard case .line(let bytes) = self else { return false }
        return bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }
}

/// The byte order mark that some programs put in front of UTF-8 text. JSON parsers may ignore it (RFC 8259, section 8.1).
package enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text without a leading byte order mark.
    package static func dropped(from text: [UInt8]) -> [UInt8] {
        text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text
    }
}

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
