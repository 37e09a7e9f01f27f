/// Work that may take only so long.
enum TimeLimit {
    /// Seconds in which work that was cancelled can give back what it holds. After that the run ends without it: a jq program
    /// that never gives a result cannot be stopped, nor can a write that its reader does not take.
    private static let grace = 0.5

    private enum Event {
        case ended
        case timeRanOut
    }

    /// Thrown when what is left to do after the end takes too long.
    private struct GaveUp: Error {}

    /// Runs `body`; after `seconds` it is cancelled, and what `timeRanOut` gives is thrown, at the latest after the grace.
    /// Nil is no limit.
    static func run<Value: Sendable>(
        seconds: Double?, sleep: @escaping @Sendable (Double) async throws -> Void,
        timeRanOut: @escaping @Sendable () async -> any Error, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let seconds else { return try await body() }
        let (events, report) = AsyncStream<Event>.makeStream()
        // Waited for below, but for the case that it does not end; cancelled below.
        let work = Task { try await body() }
        Task {
            _ = await work.result
            report.yield(.ended)
        }
        let timer = timer(seconds, sleep, report)
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            var events = events.makeAsyncIterator()
            // Nil when this task was cancelled.
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

    /// What is left to do after the time ran out, such as to write what was read; is given up when it takes long.
    static func briefly(_ body: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await run(
                seconds: grace, sleep: { try await Task.sleep(for: .seconds($0)) }, timeRanOut: { GaveUp() }, body)
        } catch is GaveUp {
            // Whoever waits wants an end.
        }
    }
}
