/// Runs work with a time limit.
package enum TimeLimit {
    /// Time in seconds for cancelled work to release its resources. After that the run ends without it: a jq program that
    /// never returns cannot be stopped, nor can a write to a blocked pipe.
    private static let grace = 0.5

    private enum Event {
        case ended
        case timeRanOut
    }

    /// Thrown if the work after the time limit takes too long.
    private struct GaveUp: Error {}

    /// Runs `body`, unless no time is left. After `seconds`, cancels it and throws the error that `timeRanOut` returns, at the
    /// latest after the grace period. Nil for no limit.
    package static func run<Value: Sendable>(
        seconds: Double?, sleep: @escaping @Sendable (Double) async throws -> Void,
        timeRanOut: @escaping @Sendable () async -> any Error, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let seconds else { return try await body() }
        guard seconds > 0 else { throw await timeRanOut() }
        let (events, report) = AsyncStream<Event>.makeStream()
        // Awaited below unless it does not end; cancelled below.
        let work = Task { try await body() }
        Task {
            _ = await work.result
            report.yield(.ended)
        }
        let timer = timer(seconds, sleep, report)
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            var events = events.makeAsyncIterator()
            // Nil if this task was cancelled.
            guard await events.next() == .timeRanOut else { return try await work.value }
            let error = await timeRanOut()
            work.cancel()
            let rest = Self.timer(grace, { try await Task.sleep(for: .seconds($0)) }, report)
            _ = await events.next()
            rest.cancel()
            throw error
        } onCancel: {
            work.cancel()
        }
    }

    private static func timer(
        _ seconds: Double, _ sleep: @escaping @Sendable (Double) async throws -> Void,
        _ report: AsyncStream<Event>.Continuation
    ) -> Task<Void, any Error> {
        Task {
            try await sleep(seconds)
            report.yield(.timeRanOut)
        }
    }

    /// Runs the work that remains after the time limit, such as writing what was read, and abandons it after the grace
    /// period.
    package static func briefly(_ body: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await run(
                seconds: grace, sleep: { try await Task.sleep(for: .seconds($0)) }, timeRanOut: { GaveUp() }, body)
        } catch is GaveUp {
            // The time limit is over, so the run ends without the rest.
        }
    }
}
