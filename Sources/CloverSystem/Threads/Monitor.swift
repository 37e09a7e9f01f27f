internal import CLinux
internal import Glibc

/// A value guarded by a lock, on which dedicated threads can wait for a change.
///
/// Waiting blocks the thread, so tasks must not wait; they may use `withLock` and `update`, which are short.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    // Unchecked: `state` is accessed only while `mutex` is held, and both pthread objects have fixed addresses from
    // init to deinit. At deinit no thread can hold the lock or wait, because every waiter holds a reference to the
    // monitor.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        // Not the wall clock, which may be set during a wait (pthread_condattr_setclock(3)).
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads the state, or makes a change that no thread waits for.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes every waiting thread to check it again.
    package func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        // After unlocking, because woken threads need the lock immediately.
        defer { pthread_cond_broadcast(changed) }
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Blocks the thread until `body` returns a value; `body` is called immediately and after each update.
    package func wait<Result>(until body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }

    /// The same with a timeout in seconds; nil when it expires.
    package func wait<Result>(atMost seconds: Double, until body: (inout State) -> Result?) -> Result? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int(seconds * 1e9) + end.tv_nsec
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard pthread_cond_timedwait(changed, mutex, &end) != ETIMEDOUT else { return body(&state) }
        }
    }
}
