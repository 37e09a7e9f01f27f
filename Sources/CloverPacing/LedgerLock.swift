import CloverStorage
import CloverThreads
import Glibc
import Synchronization

/// The lock for a turn at a ledger, which nobody needs for longer than some microseconds. Somebody who was stopped in the
/// middle of a turn (SIGSTOP, a debugger) keeps it until he goes on: the others then have to be told, rather than wait.
///
/// It is held as long as the object lives.
final class LedgerLock: Sendable {
    let file: FileLock

    private init(_ file: consuming FileLock) {
        self.file = file
    }

    /// Takes the lock as `FileLock.acquire` does, first come first served, but waits no longer than this.
    ///
    /// - Parameters:
    ///   - patience: milliseconds.
    ///   - onWait: called once when it takes so long that somebody may want to know, with whoever holds the lock as far as
    ///     that can be told.
    /// - Throws: `.lockHeld` when they have passed.
    static func acquire(
        _ name: String, in directory: borrowing OpenDirectory, patience: Int32, onWait: (LockHolder?) -> Void
    ) throws(StorageError) -> LedgerLock {
        if let file = try FileLock.tryAcquire(name, in: directory) { return LedgerLock(file) }
        let wait: Wait
        do throws(LedgerError) {
            wait = Wait(bell: try Doorbell())
        } catch {
            // Without a descriptor to spare, for as long as it takes.
            return LedgerLock(try FileLock.acquire(name, in: directory))
        }
        do throws(DedicatedThread.StartError) {
            // flock(2) knows no time limit. Where ours runs out, the thread stays until the lock is free or we end.
            let path = directory.path
            try DedicatedThread.start(name: "clover-lock") { wait.acquire(name, inDirectory: path) }
        } catch {
            return LedgerLock(try FileLock.acquire(name, in: directory))
        }
        if !wait.isOver(within: min(patience, Self.telling)), patience > Self.telling {
            onWait(.ofLock(name, in: directory))
            _ = wait.isOver(within: patience - Self.telling)
        }
        if let lock = try wait.end() { return lock }
        throw .lockHeld(
            path: directory.path(of: name), seconds: Int(patience / 1000), by: .ofLock(name, in: directory))
    }

    /// Milliseconds after which it is told that somebody is waited for.
    private static let telling: Int32 = 1000

    /// What the waiting thread and the one that waits for it share.
    private final class Wait: Sendable {
        private let bell: Doorbell
        private let state = Mutex((outcome: Result<LedgerLock, StorageError>?.none, isOver: false))

        init(bell: Doorbell) {
            self.bell = bell
        }

        func acquire(_ name: String, inDirectory path: String) {
            let result: Result<LedgerLock, StorageError>
            do throws(StorageError) {
                let directory = try OpenDirectory(path: path, rule: .own)
                result = .success(LedgerLock(try FileLock.acquire(name, in: directory)))
            } catch {
                result = .failure(error)
            }
            // A lock that comes too late is given back at once.
            state.withLock { if !$0.isOver { $0.outcome = result } }
            bell.ring()
        }

        /// Whether the lock, or the reason why there is none, came in so many milliseconds.
        func isOver(within patience: Int32) -> Bool {
            var descriptor = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
            // This thread has its signals blocked: nothing but the bell and the time ends it.
            return poll(&descriptor, 1, patience) != 0
        }

        /// What came; nil when nothing did, and from now on nothing is taken.
        func end() throws(StorageError) -> LedgerLock? {
            let outcome = state.withLock { state in
                state.isOver = true
                return state.outcome
            }
            return try outcome?.get()
        }
    }
}
