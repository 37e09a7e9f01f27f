import CLinux
import CloverSystem
import Glibc
import Synchronization

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
    ///   - patience: timeout in milliseconds.
    ///   - onWait: called once if the wait is long enough to report, with the lock holder if it can be determined.
    /// - Throws: `.lockHeld` when the timeout expires.
    static func acquire(
        _ name: String, in directory: borrowing OpenDirectory, patience: Int32, onWait: (LockHolder?) -> Void
    ) throws(StorageError) -> LedgerLock {
        if let file = try FileLock.tryAcquire(name, in: directory) { return LedgerLock(file) }
        let wait: Wait
        do throws(LedgerError) {
            wait = Wait(event: try EventFD())
        } catch {
            // No descriptor is available: wait without a timeout.
            return LedgerLock(try FileLock.acquire(name, in: directory))
        }
        do throws(DedicatedThread.StartError) {
            // flock(2) has no timeout. If ours expires, the thread remains until the lock is free or the process ends.
            let path = directory.path
            try DedicatedThread.start(name: "clover-lock") { wait.acquire(name, inDirectory: path) }
        } catch {
            return LedgerLock(try FileLock.acquire(name, in: directory))
        }
        if !wait.isOver(within: min(patience, Self.reportDelay)), patience > Self.reportDelay {
            onWait(.ofLock(name, in: directory))
            _ = wait.isOver(within: patience - Self.reportDelay)
        }
        if let lock = try wait.end() { return lock }
        throw .lockHeld(
            path: directory.path(of: name), seconds: Int(patience / 1000), by: .ofLock(name, in: directory))
    }

    /// Milliseconds of waiting after which `onWait` is called.
    private static let reportDelay: Int32 = 1000

    /// State shared by the thread that takes the lock and the one that waits for it.
    private final class Wait: Sendable {
        private let event: EventFD
        private let state = Mutex((outcome: Result<LedgerLock, StorageError>?.none, isOver: false))

        init(event: EventFD) {
            self.event = event
        }

        func acquire(_ name: String, inDirectory path: String) {
            let result: Result<LedgerLock, StorageError>
            do throws(StorageError) {
                let directory = try OpenDirectory(path: path, rule: .own)
                result = .success(LedgerLock(try FileLock.acquire(name, in: directory)))
            } catch {
                result = .failure(error)
            }
            // A lock that arrives too late is released immediately.
            state.withLock { if !$0.isOver { $0.outcome = result } }
            event.signal()
        }

        /// Whether the lock, or an error, arrived within this many milliseconds.
        func isOver(within patience: Int32) -> Bool {
            var descriptor = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
            // Signals are blocked on this thread, so only the event or the timeout ends the wait.
            return poll(&descriptor, 1, patience) != 0
        }

        /// The result; nil if there is none. No later result is accepted.
        func end() throws(StorageError) -> LedgerLock? {
            let outcome = state.withLock { state in
                state.isOver = true
                return state.outcome
            }
            return try outcome?.get()
        }
    }
}

/// Locks on byte positions that belong to an open file description (fcntl(2), "open file description locks"). Two
/// descriptions exclude each other even within one process, and the kernel drops the locks of a dead process.
enum ByteLock {
    enum Kind {
        /// Excludes every other lock on the position.
        case exclusive
        /// Excludes only exclusive locks.
        case shared

        fileprivate var number: Int32 { self == .exclusive ? F_WRLCK : F_RDLCK }
    }

    /// Locks one position unless another description holds a conflicting lock.
    ///
    /// - Returns: false if one does.
    static func tryLock(_ kind: Kind, byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        var request = request(kind.number, byte: byte, length: 1)
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
        var request = request(F_WRLCK, byte: byte, length: 1)
        try control(clover_ofd_getlk, file, &request)
        return Int32(request.l_type) != F_UNLCK
    }

    /// Unlocks one position.
    static func unlock(byte: Int, of file: borrowing Descriptor) throws(ErrorNumber) {
        var request = request(F_UNLCK, byte: byte, length: 1)
        try control(clover_ofd_setlk, file, &request)
    }

    /// Unlocks all positions.
    static func unlockAll(of file: borrowing Descriptor) throws(ErrorNumber) {
        // Length 0 reaches to the end of any file.
        var request = request(F_UNLCK, byte: 0, length: 0)
        try control(clover_ofd_setlk, file, &request)
    }

    private static func request(_ kind: Int32, byte: Int, length: Int) -> Glibc.flock {
        // The process ID must be 0 for locks of this kind.
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
