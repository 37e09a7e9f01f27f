extension DedicatedThread {
    /// Runs `work` on a thread of its own and suspends the caller until it is done. Work that has begun is not
    /// interrupted by cancellation.
    ///
    /// When no thread can be had, it runs where the caller is: late is better than not at all.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { (waiting: CheckedContinuation<Result<Value, Failure>, Never>) in
            do throws(StartError) {
                try start(name: "clover-blocking") { waiting.resume(returning: Result(catching: work)) }
            } catch {
                waiting.resume(returning: Result(catching: work))
            }
        }
        return try result.get()
    }
}
