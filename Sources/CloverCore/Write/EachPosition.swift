import Synchronization

/// Where a run over many lines is, for whoever has to say it while the run goes on.
final class EachPosition: Sendable {
    private struct State {
        var next: Int
        var lastBegun: Int
        var path: String?
        var share: Double?
        var hasSpoken = false
    }

    private let state: Mutex<State>

    init(first: Int) {
        state = Mutex(State(next: first, lastBegun: first - 1))
    }

    /// The first line of which nothing is known yet: the one to go on from.
    var next: Int { state.withLock(\.next) }

    /// The last line of which something was sent, or its fault found.
    var lastBegun: Int { state.withLock(\.lastBegun) }

    /// Where the line's request goes; nil while that is not known.
    var path: String? { state.withLock(\.path) }

    /// How much of the input is done, from 0 to 1; nil while that is not known.
    var share: Double? { state.withLock(\.share) }

    /// So much of the input is done, or was passed over.
    func pass(_ share: Double?) { state.withLock { $0.share = share } }

    func begin(_ line: Int) {
        state.withLock { state in
            state.next = line
            state.lastBegun = line
            state.path = nil
        }
    }

    func aim(at path: String) { state.withLock { $0.path = path } }

    func end(_ line: Int) {
        state.withLock { state in
            state.next = line + 1
            state.path = nil
        }
    }

    /// True for the first caller: where the run goes on is said once.
    func speak() -> Bool {
        state.withLock { state in
            defer { state.hasSpoken = true }
            return !state.hasSpoken
        }
    }
}
