package import CloverRateLimit
import Synchronization

/// How much of a run's time went into waiting for the database, in all its sessions. The work of a session that the run does not
/// wait for, and a wait for another process that has a lock in the database, do not count.
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

    /// How long a run waited for the database since it began, or last got further.
    package struct Measure: Equatable, Sendable {
        package let address: String
        /// Seconds of waits.
        package let waited: Double
        /// Seconds in all.
        package let elapsed: Double
    }

    /// The waits for the database if they took more than a third of the time; nil otherwise.
    package var measure: Measure? {
        let now = now()
        return state.withLock { state in
            let (waited, elapsed) = (state.waited(at: now), now.nanoseconds(since: state.start))
            guard 3 * waited > elapsed, let address = state.address else { return nil }
            return Measure(address: address, waited: Double(waited) / 1e9, elapsed: Double(elapsed) / 1e9)
        }
    }
}
