import CloverSystem
import Glibc

/// A file that takes the place of another one when it is complete. It stands beside it as `.NAME.NUMBER.new`, and is
/// locked (flock(2)) as long as it is written, so that what a killed run left is known, and removed by the next one.
struct UnfinishedFile: ~Copyable {
    let descriptor: Int32
    let path: String

    /// Creates one for the file at `target`, and removes those of runs that were killed.
    ///
    /// - Throws: the number of the system's error.
    init(for target: String, mode: mode_t = 0o666) throws(ErrorNumber) {
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? "./"
        let name = slash.map { target[target.index(after: $0)...] } ?? target[...]
        Self.removeAbandoned(in: folder, of: name)
        while true {
            let path = "\(folder).\(name).\(UInt32.random(in: 0...UInt32.max)).new"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor < 0 {
                if errno == EEXIST || errno == EINTR { continue }
                throw ErrorNumber(errno)
            }
            var facts = stat()
            // Before the lock was taken, another run may have taken the file for an abandoned one.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK,
                fstat(descriptor, &facts) == 0, facts.st_nlink > 0
            {
                (self.descriptor, self.path) = (descriptor, path)
                return
            }
            close(descriptor)
        }
    }

    private static func removeAbandoned(in folder: String, of name: Substring) {
        // Without permission to read the directory, they cannot be seen.
        guard let names = try? OpenDirectory.names(at: folder) else { return }
        for entry in names where entry.hasPrefix(".\(name).") && entry.hasSuffix(".new") {
            let number = entry.dropFirst(name.utf8.count + 2).dropLast(4)
            guard UInt32(number) != nil else { continue }
            let descriptor = open(folder + entry, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(folder + entry) }
            close(descriptor)
        }
    }
}
