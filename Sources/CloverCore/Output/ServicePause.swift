import Synchronization

/// How long the service lets nobody send, for whoever shows how far a command is.
final class ServicePause: Sendable {
    private let state = Mutex<Double?>(nil)

    /// In seconds since the machine started; nil when there was none yet.
    var until: Double? { state.withLock(\.self) }

    /// - Parameter now: milliseconds since the machine started.
    func begin(_ seconds: Double, at now: Int64) {
        state.withLock { $0 = max($0 ?? 0, Double(now) / 1000 + seconds) }
    }
}
