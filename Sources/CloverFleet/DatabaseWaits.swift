package import CloverRateLimit
import Synchronization

/// How much of a run's time went into waiting for the database, in all its sessions.
package final class DatabaseWaits: Sendable {
    private struct State {
        /// When the run began, or last got further without the database.
        var start: BootInstant
        /// Nanoseconds of waits since then that are over.
        var total: Int64 = 0
        /// Sessions that wait now, and since when.
        var sessions = 0
        var begin: BootInstant
        var address: String?

        /// Nanoseconds of all waits at `now`.
        func waited(at now: BootInstant) -> Int64 {
            total + (sessions > 0 ? now.nanoseconds(since: max(begin, start)) : 0)
        }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> BootInstant

    package init(now: @escaping @Sendable () -> BootInstant = { .now }) {
        self.now = now
        let start = now()
        state = Mutex(State(start: start, begin: start))
    }

    /// A session waits for the server at `address`.
    package func begin(_ address: String) {
        let now = now()
        state.withLock { state in
            if state.sessions == 0 { state.begin = now }
            state.sessions += 1
            state.address = address
        }
    }

    /// A session no longer does.
    package func end() {
        let now = now()
        state.withLock { state in
            if state.sessions == 1 { state.total = state.waited(at: now) }
            state.sessions -= 1
        }
    }

    /// Leaves out what was before, because the run got further.
    package func restart() {
        let now = now()
        state.withLock { ($0.start, $0.total) = (now, 0) }
    }

    /// The address of the database if more than a third of the time went into waiting for it; nil otherwise.
    package var address: String? {
        let now = now()
        return state.withLock { state in
            3 * state.waited(at: now) > now.nanoseconds(since: state.start) ? state.address : nil
        }
    }
}
