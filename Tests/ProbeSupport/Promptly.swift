/// None of many runs was quick enough.
package struct NeverPrompt: Error {
    package let limit: Duration
}

/// Runs `body` until one run of it took less than `limit`, and gives what that one gave: for what is only so where little
/// time goes by, which a busy machine does not always grant. So `body` looks, each time at something else, and the
/// caller judges.
///
/// - Throws: `NeverPrompt`, or what `body` throws.
package func promptly<Seen>(within limit: Duration, _ body: () async throws -> Seen) async throws -> Seen {
    for _ in 0..<50 {
        let start = ContinuousClock.now
        let seen = try await body()
        if ContinuousClock.now - start < limit { return seen }
    }
    throw NeverPrompt(limit: limit)
}
