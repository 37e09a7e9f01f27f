import Synchronization

/// Where a run over many lines is, for whoever has to say it while the run goes on.
final class EachPosition: Sendable {
    private let state: Mutex<(next: Int, lastBegun: Int, hasSpoken: Bool)>

    init(first: Int) {
        state = Mutex((first, first - 1, false))
    }

    /// The first line of which nothing is known yet: the one to go on from.
    var next: Int { state.withLock(\.next) }

    /// The last line of which something was sent, or its fault found.
    var lastBegun: Int { state.withLock(\.lastBegun) }

    func begin(_ line: Int) {
        state.withLock { state in
            state.next = line
            state.lastBegun = line
        }
    }

    func end(_ line: Int) { state.withLock { $0.next = line + 1 } }

    /// True for the first caller: where the run goes on is said once.
    func speak() -> Bool {
        state.withLock { state in
            defer { state.hasSpoken = true }
            return !state.hasSpoken
        }
    }
}
