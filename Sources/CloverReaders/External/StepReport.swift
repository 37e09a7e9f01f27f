internal import Synchronization

/// Tells of the steps of a check, and knows which one is under way.
final class StepReport: Sendable {
    private let name = Mutex("start")
    private let tell: @Sendable (String, DriverCheck.Outcome) async throws -> Void

    init(_ tell: @escaping @Sendable (String, DriverCheck.Outcome) async throws -> Void) {
        self.tell = tell
    }

    func begin(_ step: String) {
        name.withLock { $0 = step }
    }

    func end(_ outcome: DriverCheck.Outcome) async throws {
        try await tell(name.withLock { $0 }, outcome)
    }

    /// The step has passed; a word about it.
    func pass(_ detail: String) async throws {
        try await end(.passed(detail))
    }
}
