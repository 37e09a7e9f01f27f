/// Work that may take only so long.
enum TimeAllowed {
    /// Runs `body`; when the time is over it is cancelled, and `otherwise` is thrown.
    static func run<Value: Sendable>(
        _ limit: Duration, otherwise error: ReaderError, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw error }
            return value
        }
    }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}
