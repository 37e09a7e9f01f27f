import NIOCore
import Synchronization

/// The open connections of a listener.
///
/// Browsers open connections they may never use, and anything on this machine can open many. None of them may keep the
/// callback from coming through, or the listener from closing.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Set when a whole request is there: it is being answered, or its answer is on its way.
        var isBusy = false
    }

    private struct State {
        /// In the order they were opened.
        var connections: [Connection] = []
        var isFinished = false
    }

    /// How many connections may be open. Well below the least limit on descriptors that is usual (getrlimit(2)).
    private static let limit = 64

    private let state = Mutex(State())

    /// A new connection. When there are too many, the oldest one that asks for nothing is closed.
    func opened(_ channel: any Channel) {
        let surplus = state.withLock { state -> (any Channel)? in
            if state.isFinished { return channel }
            state.connections.append(Connection(channel: channel))
            guard state.connections.count > Self.limit else { return nil }
            return state.connections.first { !$0.isBusy }?.channel
        }
        surplus?.close(promise: nil)
    }

    /// A whole request is there.
    func isBusy(_ channel: any Channel) {
        state.withLock { state in
            guard let place = state.connections.firstIndex(where: { $0.channel === channel }) else { return }
            state.connections[place].isBusy = true
        }
    }

    func closed(_ channel: any Channel) {
        state.withLock { $0.connections.removeAll { $0.channel === channel } }
    }

    /// Closes every connection that is not being answered, and from now on every new one.
    func finish() {
        let idle = state.withLock { state in
            state.isFinished = true
            return state.connections.filter { !$0.isBusy }
        }
        for connection in idle { connection.channel.close(promise: nil) }
    }
}
