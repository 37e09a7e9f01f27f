import Glibc

/// An exclusive kernel lock (`flock(2)`) on a file of its own, held until the value ends. The kernel drops it when the
/// process dies, however it dies. The lock file stays for ever: removing it would let two holders in.
///
/// Since Linux 5.0 those who wait get it in the order in which they came.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let size: Int

    deinit {
        // Closing is not enough: a child of another thread shares the open file between fork(2) and execve(2), and
        // would keep the lock for that long. Unlocking cannot fail for a lock that is held.
        _ = flock(descriptor.number, LOCK_UN)
    }

    /// Takes the lock if nobody has it.
    ///
    /// - Returns: nil when somebody else, also in this process, holds it.
    package static func tryAcquire(
        _ name: String, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLock? {
        while true {
            let descriptor = try open(name, in: directory)
            guard try lock(descriptor, waiting: false, path: directory.path(of: name)) else { return nil }
            if let held = try confirm(consume descriptor, as: name, in: directory) { return held }
        }
    }

    /// Takes the lock, waiting as long as it takes. Blocks: only for a thread that may.
    ///
    /// - Parameter onWait: called once, before the wait, when somebody else holds the lock.
    package static func acquire(
        _ name: String, in directory: borrowing OpenDirectory, onWait: () -> Void = {}
    ) throws(StorageError) -> FileLock {
        var mayTell = true
        while true {
            let descriptor = try open(name, in: directory)
            let path = directory.path(of: name)
            if try !lock(descriptor, waiting: false, path: path) {
                if mayTell { onWait() }
                mayTell = false
                _ = try lock(descriptor, waiting: true, path: path)
            }
            if let held = try confirm(consume descriptor, as: name, in: directory) { return held }
        }
    }

    /// Whether `mark()` was ever called by a holder: a note that what the lock guards has existed. It tells a guarded
    /// file that was deleted from one that was never made.
    package var wasMarked: Bool { size > 0 }

    /// Leaves that note.
    package func mark() throws(StorageError) {
        do {
            try descriptor.writeFromStart(Array("lock file of clover: never delete it\n".utf8))
        } catch {
            throw .system(.write, path: path, errno: error.code)
        }
    }

    private static func open(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError) -> Descriptor {
        do {
            return try directory.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            if error.code == ELOOP { throw .refused(path: directory.path(of: name), .symbolicLink) }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, waiting: Bool, path: String
    ) throws(StorageError) -> Bool {
        while flock(descriptor.number, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .system(.lock, path: path, errno: errno) }
        }
        return true
    }

    /// A lock counts only while its name still leads to the locked file: whoever comes later locks what is there now.
    private static func confirm(
        _ descriptor: consuming Descriptor, as name: String, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLock? {
        do {
            let status = try descriptor.status()
            guard try directory.entry(name, isSameFileAs: status) else { return nil }
            return FileLock(descriptor: descriptor, path: directory.path(of: name), size: Int(status.st_size))
        } catch {
            throw .system(.status, path: directory.path(of: name), errno: error.code)
        }
    }

    private init(descriptor: consuming Descriptor, path: String, size: Int) {
        self.descriptor = descriptor
        self.path = path
        self.size = size
    }
}
