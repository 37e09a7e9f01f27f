/// Work that may take only so long.
enum TimeLimit {
    /// Runs `body`; after `seconds` it is cancelled, and what `timeRanOut` gives is thrown. Nil is no limit.
    static func run<Value: Sendable>(
        seconds: Double?, sleep: @escaping @Sendable (Double) async throws -> Void,
        timeRanOut: @escaping @Sendable () async -> any Error, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let seconds else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await sleep(seconds)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw await timeRanOut() }
            return value
        }
    }
}
