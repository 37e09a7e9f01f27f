import NIOCore
import Synchronization

/// The open connections of a listener.
///
/// Browsers open connections they may never use, and anything on this machine can open many. None of them may keep the
/// callback from coming through.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Set when a whole request is there: it is being answered, or its answer is on its way.
        var isBusy = false
    }

    /// How many connections may be open. Well below the least limit on descriptors that is usual (getrlimit(2)).
    private static let limit = 64

    /// In the order they were opened.
    private let connections = Mutex<[Connection]>([])

    /// A new connection. When there are too many, the oldest one that asks for nothing is closed.
    func opened(_ channel: any Channel) {
        let surplus = connections.withLock { connections -> (any Channel)? in
            connections.append(Connection(channel: channel))
            guard connections.count > Self.limit else { return nil }
            return connections.first { !$0.isBusy }?.channel
        }
        surplus?.close(promise: nil)
    }

    /// A whole request is there.
    func isBusy(_ channel: any Channel) {
        connections.withLock { connections in
            guard let place = connections.firstIndex(where: { $0.channel === channel }) else { return }
            connections[place].isBusy = true
        }
    }

    func closed(_ channel: any Channel) {
        connections.withLock { $0.removeAll { $0.channel === channel } }
    }
}
