import Glibc

/// The place that the user named for the receipt. A plain file is there in whole or not at all (rename(2)); whatever else
/// the name leads to, such as a device, a FIFO or our own standard output, is written to as it is and never replaced.
struct ReceiptFile {
    private enum Place {
        /// A file that is there or not yet, links followed, and the access rights it has.
        case file(path: String, temporary: String, mode: mode_t?)
        case open(OpenFile)
    }

    private let path: String
    private let place: Place

    /// A descriptor that is closed with the last reference to it.
    private final class OpenFile: Sendable {
        let number: Int32

        init(number: Int32) {
            self.number = number
        }

        deinit { close(number) }
    }

    /// Makes sure that the place can be written to, before any work is done for it.
    init(_ path: String) throws(CoreError) {
        self.path = path
        guard let last = path.utf8.last, last != UInt8(ascii: "/") else {
            throw .unwritableFile(path: path, errno: EISDIR)
        }
        var facts = stat()
        if stat(path, &facts) == 0 {
            guard facts.st_mode & S_IFMT != S_IFDIR else { throw .unwritableFile(path: path, errno: EISDIR) }
            guard facts.st_mode & S_IFMT == S_IFREG, !Self.isOurOutput(facts), let real = realpath(path, nil) else {
                place = .open(try Self.openInPlace(path))
                return
            }
            defer { free(real) }
            place = Self.file(String(cString: real), mode: facts.st_mode & 0o777)
        } else if errno == ENOENT, lstat(path, &facts) == 0 {
            // A link that leads nowhere yet: the file is made where it leads.
            place = .open(try Self.openInPlace(path))
            return
        } else {
            place = Self.file(path, mode: nil)
        }
        // Only making a file tells whether one can be made.
        guard case .file(_, let temporary, _) = place else { return }
        close(try create(temporary))
        unlink(temporary)
    }

    private static func file(_ path: String, mode: mode_t?) -> Place {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return .file(path: path, temporary: "\(folder).\(name).\(getpid()).new", mode: mode)
    }

    /// Whether it is the file that standard output or standard error goes to: replacing it would take away what is
    /// written there.
    private static func isOurOutput(_ facts: stat) -> Bool {
        [STDOUT_FILENO, STDERR_FILENO].contains { number in
            var own = stat()
            return fstat(number, &own) == 0 && own.st_dev == facts.st_dev && own.st_ino == facts.st_ino
        }
    }

    private static func openInPlace(_ path: String) throws(CoreError) -> OpenFile {
        let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw .unwritableFile(path: path, errno: errno) }
        return OpenFile(number: number)
    }

    private func create(_ temporary: String) throws(CoreError) -> Int32 {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .unwritableFile(path: path, errno: errno) }
        return descriptor
    }

    /// Writes the receipt; a file that was there before is replaced.
    func write(_ text: String) throws(CoreError) {
        let bytes = Array(text.utf8)
        switch place {
        case .open(let file):
            let failure = Self.write(bytes, to: file.number)
            guard failure == 0 else { throw .unwritableFile(path: path, errno: failure) }
        case .file(let target, let temporary, let mode):
            let descriptor = try create(temporary)
            var failure = Self.write(bytes, to: descriptor)
            if failure == 0, let mode, fchmod(descriptor, mode) != 0 { failure = errno }
            if failure == 0, fsync(descriptor) != 0 { failure = errno }
            if close(descriptor) != 0, failure == 0 { failure = errno }
            if failure == 0, rename(temporary, target) != 0 { failure = errno }
            guard failure == 0 else {
                unlink(temporary)
                throw .unwritableFile(path: path, errno: failure)
            }
        }
    }

    /// 0, or the number of the error.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR { return errno }
        }
        return 0
    }
}
