import CLinux
import CloverSystem
import Glibc

/// The lock that serializes ledger transactions, each of which takes some microseconds. A process that is stopped in
/// the middle of one (SIGSTOP, a debugger) keeps the lock until it continues; other processes then need an error rather
/// than an endless wait.
///
/// The lock is held while the object lives.
final class LedgerLock: Sendable {
    let file: FileLock

    private init(_ file: consuming FileLock) {
        self.file = file
    }

    /// Takes the lock as `FileLock.acquire` does, in order of arrival, but with a timeout.
    ///
    /// - Parameters:
    ///   - timeout: in milliseconds.
    ///   - onWait: called once if the wait is long enough to report, with the lock holder if it can be determined.
    /// - Throws: `.lockHeld` when the timeout expires.
    static func acquire(
        _ name: String, in directory: borrowing OpenDirectory, timeout: Int32, onWait: (LockHolder?) -> Void
    ) throws(StorageError) -> LedgerLock {
        if let file = try FileLock.tryAcquire(name, in: directory) { return LedgerLock(file) }
        let wait = Monitor((outcome: Result<LedgerLock, StorageError>?.none, isOver: false))
        let path = directory.path
        // flock(2) has no timeout. If ours expires, the thread remains until the lock is free or the process ends.
        let errno = DedicatedThread.tryStart(name: "clover-lock") {
            let result = Result { () throws(StorageError) in
                let directory = try OpenDirectory(path: path, rule: .own)
                return LedgerLock(try FileLock.acquire(name, in: directory))
            }
            // A lock that arrives too late is released immediately.
            wait.update { if !$0.isOver { $0.outcome = result } }
        }
        // Without a thread, there is no timeout.
        if errno != 0 { return LedgerLock(try FileLock.acquire(name, in: directory)) }
        func hasOutcome(within milliseconds: Int32) -> Bool {
            wait.wait(atMost: Double(milliseconds) / 1000) { $0.outcome == nil ? nil : () } != nil
        }
        if !hasOutcome(within: min(timeout, Self.reportDelay)), timeout > Self.reportDelay {
            onWait(.ofLock(name, in: directory))
            _ = hasOutcome(within: timeout - Self.reportDelay)
        }
        let outcome = wait.withLock { wait in
            wait.isOver = true
            return wait.outcome.take()
        }
        if let outcome { return try outcome.get() }
        throw .lockHeld(path: directory.path(of: name), seconds: Int(timeout / 1000), by: .ofLock(name, in: directory))
    }

    /// Milliseconds of waiting after which `onWait` is called.
    private static let reportDelay: Int32 = 1000
}

/// Locks on byte positions that belong to an open file description (fcntl(2), "open file description locks"). Two
/// descriptions exclude each other even within one process, and the kernel drops the locks of a dead process.
enum ByteLock {
    enum Kind {
        case exclusive
        /// Excludes only exclusive locks.
        case shared

        fileprivate var number: Int32 { self == .exclusive ? F_WRLCK : F_RDLCK }
    }

    /// Locks one position unless another description holds a conflicting lock.
    ///
    /// - Returns: false if one does.
    static func tryLock(_ kind: Kind, byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        var request = request(kind.number, byte: byte)
        do {
            try control(clover_ofd_setlk, file, &request)
            return true
        } catch {
            // fcntl(2): either number means that another description holds the lock.
            if error.code == EAGAIN || error.code == EACCES { return false }
            throw error
        }
    }

    /// Whether another description has any lock on the position.
    static func isLockedByOthers(byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        var request = request(F_WRLCK, byte: byte)
        try control(clover_ofd_getlk, file, &request)
        return Int32(request.l_type) != F_UNLCK
    }

    /// Unlocks one position, or all.
    static func unlock(byte: Int? = nil, of file: borrowing Descriptor) throws(ErrorNumber) {
        var request = request(F_UNLCK, byte: byte)
        try control(clover_ofd_setlk, file, &request)
    }

    private static func request(_ kind: Int32, byte: Int?) -> Glibc.flock {
        // Length 0 reaches to the end of any file. The process ID must be 0 for locks of this kind.
        Glibc.flock(
            l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: off_t(byte ?? 0), l_len: byte == nil ? 0 : 1,
            l_pid: 0)
    }

    private static func control(
        _ command: Int32, _ file: borrowing Descriptor, _ request: inout Glibc.flock
    ) throws(ErrorNumber) {
        while fcntl(file.number, command, &request) != 0 {
            if errno != EINTR { throw ErrorNumber(errno) }
        }
    }
}
