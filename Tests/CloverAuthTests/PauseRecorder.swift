import Synchronization

/// Takes the place of waiting: keeps how long each pause would have been, and waits not at all.
final class PauseRecorder: Sendable {
    private let log = Mutex<[Double]>([])

    var pauses: [Double] { log.withLock(\.self) }

    func note(_ seconds: Double) { log.withLock { $0.append(seconds) } }

    var sleep: @Sendable (Double) async throws -> Void {
        { seconds in
            try Task.checkCancellation()
            self.note(seconds)
        }
    }
}
