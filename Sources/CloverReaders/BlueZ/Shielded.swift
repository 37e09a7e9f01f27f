/// Work that has to be carried out although the task around it is cancelled.
enum Shielded {
    /// Runs `body` in a task that nobody cancels, and waits for its end.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Bare, because a child would be cancelled; the caller waits for it here.
        try await Task { try await body() }.value
    }
}
