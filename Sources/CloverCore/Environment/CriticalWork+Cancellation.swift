import Synchronization

extension CriticalWork {
    /// Runs `body`, whose cleaning up is critical work from the moment on in which the task is cancelled.
    func cleaningUp<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let hasBegun = Atomic(false)
        defer { if hasBegun.load(ordering: .sequentiallyConsistent) { end() } }
        return try await withTaskCancellationHandler {
            try await body()
        } onCancel: {
            begin()
            hasBegun.store(true, ordering: .sequentiallyConsistent)
        }
    }
}
