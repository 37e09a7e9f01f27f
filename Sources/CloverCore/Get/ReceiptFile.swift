import Glibc

/// The file that the user named for the receipt: there in whole, or not at all (rename(2)).
struct ReceiptFile {
    private let path: String
    private let temporary: String

    /// Makes sure that the file can be written, before any work is done for it.
    init(_ path: String) throws(CoreError) {
        self.path = path
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        temporary = "\(folder).\(name).\(getpid()).new"
        guard !name.isEmpty else { throw .unwritableFile(path: path, errno: EISDIR) }
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            throw .unwritableFile(path: path, errno: EISDIR)
        }
        // Only making a file tells whether one can be made.
        close(try create())
        unlink(temporary)
    }

    private func create() throws(CoreError) -> Int32 {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .unwritableFile(path: path, errno: errno) }
        return descriptor
    }

    /// Replaces the file.
    func write(_ text: String) throws(CoreError) {
        let descriptor = try create()
        let bytes = Array(text.utf8)
        var written = 0
        var failure: Int32 = 0
        while failure == 0, written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw .unwritableFile(path: path, errno: failure)
        }
    }
}
