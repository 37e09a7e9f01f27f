import CLinux
import CloverStorage
import Glibc

/// Locks on byte positions that belong to an open file description (fcntl(2), "open file description locks"). Two
/// descriptions exclude each other also within one process, and the kernel drops the locks of a dead process.
enum ByteLock {
    enum Kind {
        /// Excludes every other lock on the position.
        case exclusive
        /// Excludes only exclusive ones.
        case shared

        fileprivate var number: Int32 { self == .exclusive ? F_WRLCK : F_RDLCK }
    }

    /// Locks one position if no other description stands in the way.
    ///
    /// - Returns: false when one does.
    static func tryLock(_ kind: Kind, byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        var request = request(kind.number, byte: byte, length: 1)
        do {
            try control(clover_ofd_setlk, file, &request)
            return true
        } catch {
            // fcntl(2): either number means that somebody else has it.
            if error.code == EAGAIN || error.code == EACCES { return false }
            throw error
        }
    }

    /// Whether another description has any lock on the position.
    static func isLockedByOthers(byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        var request = request(F_WRLCK, byte: byte, length: 1)
        try control(clover_ofd_getlk, file, &request)
        return Int32(request.l_type) != F_UNLCK
    }

    /// Gives up one position.
    static func unlock(byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) {
        var request = request(F_UNLCK, byte: byte, length: 1)
        try control(clover_ofd_setlk, file, &request)
    }

    /// Gives up all positions.
    static func unlockAll(of file: borrowing Descriptor) throws(ErrorNumber) {
        // Length 0 reaches to the end of any file.
        var request = request(F_UNLCK, byte: 0, length: 0)
        try control(clover_ofd_setlk, file, &request)
    }

    private static func request(_ kind: Int32, byte: Int, length: Int) -> Glibc.flock {
        // The process id must be 0 for locks of this kind.
        Glibc.flock(
            l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: off_t(byte), l_len: off_t(length), l_pid: 0)
    }

    private static func control(
        _ command: Int32, _ file: borrowing Descriptor, _ request: inout Glibc.flock
    ) throws(ErrorNumber) {
        while fcntl(file.number, command, &request) != 0 {
            if errno != EINTR { throw ErrorNumber(errno) }
        }
    }
}
