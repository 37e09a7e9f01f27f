import CLinux
import CloverStorage
import Glibc

/// Whoever works on an operation holds the kernel's lock on its place in `journal.lock`: a charge under way is not
/// recovered by somebody else, and of two who recover one does it. The kernel drops the lock of a dead process.
///
/// A lock of an open file description (fcntl(2)), which also tells threads of one process apart.
package final class OperationLock: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Takes the lock at once, or not at all.
    ///
    /// - Parameter place: the operation's row number.
    /// - Returns: nil when somebody else has it.
    static func tryAcquire(_ place: Int64, in directory: StateDirectory) throws -> OperationLock? {
        let descriptor = try open(in: directory)
        guard try lock(descriptor, place, waiting: false, path: directory.path) else { return nil }
        return OperationLock(descriptor)
    }

    /// Waits for the lock. Blocks: only for a thread that may.
    static func acquire(_ place: Int64, in directory: StateDirectory) throws -> OperationLock {
        let descriptor = try open(in: directory)
        _ = try lock(descriptor, place, waiting: true, path: directory.path)
        return OperationLock(descriptor)
    }

    private static let name = "journal.lock"

    private static func open(in directory: StateDirectory) throws -> Descriptor {
        let opened = try directory.prepare()
        do throws(ErrorNumber) {
            return try opened.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw JournalError.lock(path: opened.path(of: name), errno: error.code)
        }
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, _ place: Int64, waiting: Bool, path: String
    ) throws(JournalError) -> Bool {
        var request = Glibc.flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: 1, l_pid: 0)
        while fcntl(descriptor.number, waiting ? clover_ofd_setlkw : clover_ofd_setlk, &request) != 0 {
            if !waiting, errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw .lock(path: path + "/" + name, errno: errno) }
        }
        return true
    }
}
