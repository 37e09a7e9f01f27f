import Synchronization

/// A session with a Clover device. The service holds no link, so it is one only as long as the device answers.
final class CloudSession: ReaderSession {
    /// What is told next.
    private enum Step {
        case initializing
        case ready
        /// The device is asked from time to time whether it is there.
        case following
        case disconnected
        case over
    }

    let reader: Reader
    private let serial: String
    private let display: PayDisplay
    private let pollInterval: Double
    private let sleep: @Sendable (Double) async throws -> Void
    private let step = Mutex(Step.initializing)
    /// So that whoever waits hears of the end at once.
    private let ending = Mailbox(false)

    /// One unanswered question is no proof.
    private static let patience = 2

    init(
        _ reader: Reader, serial: String, display: PayDisplay, pollInterval: Double,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        var reader = reader
        reader.connected = true
        self.reader = reader
        self.serial = serial
        self.display = display
        self.pollInterval = pollInterval
        self.sleep = sleep
    }

    func nextEvent() async throws -> ReaderEvent? {
        let now = step.withLock { step in
            defer { step = Self.step(after: step) }
            return step
        }
        switch now {
        case .initializing: return .state(.initializing)
        case .ready: return .state(.ready)
        case .disconnected: return .state(.disconnected)
        case .over: return nil
        case .following:
            try await untilGone()
            step.withLock { $0 = .over }
            return .state(.disconnected)
        }
    }

    func disconnect() async {
        step.withLock { step in
            if step != .over { step = .disconnected }
        }
        ending.update { $0 = true }
    }

    private static func step(after step: Step) -> Step {
        switch step {
        case .initializing: .ready
        case .ready, .following: .following
        case .disconnected, .over: .over
        }
    }

    /// Returns when the device does not answer any more, or the session was ended.
    private func untilGone() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [ending] in try await ending.next { $0 ? () : nil } }
            group.addTask { [self] in
                var misses = 0
                while misses < Self.patience {
                    try await sleep(pollInterval)
                    misses = try await display.isConnected(serial) ? 0 : misses + 1
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
