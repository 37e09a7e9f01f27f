import CloverJSON
internal import CloverSystem
internal import Synchronization

/// Connects the tasks that deliver records, the threads that run the program, and the task that writes results.
///
/// Records are divided into slices. Each slice has a slot for its results, in stream order; workers fill slots in any
/// order, and the writing task empties them from the front. Queues are bounded on both sides: a task that delivers
/// records suspends, and a worker that is ahead blocks.
final class Pipeline: Sendable {
    let program: JQProgram
    private let workers: @Sendable () -> Int
    private let state: Monitor<PipelineState>
    /// Set together with `PipelineState.stop`; stored here so that it can be read for each result without the lock.
    private let stopped = Atomic(false)

    /// The approximate size in bytes of a slice.
    private static let sliceSize = 64 << 10
    /// libjq's parser, printer and compiler recurse; only the pages that are used cost memory.
    static let stackSize = 8 << 20

    /// - Parameter workers: at least 1; a program that must see the whole stream gets one.
    init(program: JQProgram, workers: @escaping @Sendable () -> Int) {
        self.program = program
        self.workers = workers
        state = Monitor(PipelineState(isSequential: program.needsWholeStream))
    }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    // MARK: For tasks

    /// Starts a worker if there is none; it compiles immediately.
    func start() {
        change { state in
            if state.threadsStarted == 0 { startWorker(&state) }
        }
    }

    /// Enqueues a batch; suspends while too much is queued.
    func enqueue(_ batch: RecordBatch) async throws -> RecordFlow {
        try await wait { state in
            if state.isHalting { return .stop }
            guard !state.isFull else { return nil }
            state.enqueue(batch, sliceSize: Self.sliceSize)
            // Workers start one by one, so that a single record does not compile the program twice.
            while state.stop == nil, state.queue.count > state.threadsStarted, state.threadsStarted < self.workerLimit {
                self.startWorker(&state)
            }
            return .more
        }
    }

    /// Suspends until the program is compiled.
    func waitForCompiling() async throws {
        try await wait { $0.isCompiled ? () : nil }
    }

    /// Ends the input, and suspends until every result is written and every worker has ended.
    func finish() async throws -> FilterReport {
        change { $0.isInputClosed = true }
        return try await wait { state in
            guard state.isWritingDone else { return nil }
            // After a halt, other workers may still process records that no longer count.
            guard state.isHalting || state.threadsEnded == state.threadsStarted else { return nil }
            return state.report
        }
    }

    /// Suspends until results can be written; an empty array if all is done or stopped.
    func nextResults() async -> [ResultPart] {
        while true {
            var parts: [ResultPart]?
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    parts = state.takeResults()
                    if parts == nil { state.waiting.append(continuation) } else { continuation.resume() }
                }
            }
            if let parts {
                change { _ in }
                return parts
            }
        }
    }

    @inline(never)
    func releaseResults(size: Int) {
        change { $0.releaseResults(size: size) }
    }

    @inline(never)
    func writingDone() {
        change { $0.isWritingDone = true }
    }

    @inline(never)
    func stop(_ reason: PipelineState.Stop) {
        change { $0.stop(reason) }
    }

    // MARK: For workers

    func compiled() {
        change { $0.isCompiled = true }
    }

    func ended() {
        change { $0.threadsEnded += 1 }
    }

    /// Blocks until there are records; nil if there will be none.
    func nextSlice() -> RecordSlice? {
        state.wait { $0.takeSlice() }
    }

    func release(_ slice: RecordSlice) {
        change { $0.release(slice) }
    }

    /// Blocks while there is no room. Returns false if the run is over.
    func deliver(_ part: ResultPart, to sequence: Int, isFinal: Bool) -> Bool {
        let isTaken = state.wait { $0.add(part, to: sequence, isFinal: isFinal) }
        change { _ in }
        return isTaken
    }

    // MARK: Machinery

    private var workerLimit: Int { program.needsWholeStream ? 1 : max(1, workers()) }

    private func startWorker(_ locked: inout PipelineState) {
        let number = locked.threadsStarted
        do {
            try DedicatedThread.start(name: "clover-jq-\(number)", stackSize: Self.stackSize) {
                Worker(pipeline: self).run()
            }
            locked.threadsStarted += 1
        } catch {
            // With fewer workers the run is only slower; without any it cannot continue.
            if number == 0 { locked.stop(.failed(JQError.noThread(errno: error.errno))) }
        }
    }

    /// Changes the state, and wakes all waiting tasks and threads.
    private func change(_ body: (inout PipelineState) -> Void) {
        state.update { state in
            let waiting = state.waiting
            state.waiting = []
            body(&state)
            if state.stop != nil { stopped.store(true, ordering: .releasing) }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Suspends until `test` returns a value. Throws the error that stopped the run, or `CancellationError`.
    private func wait<Result: Sendable>(until test: (inout PipelineState) -> Result?) async throws -> Result {
        try await withTaskCancellationHandler {
            while true {
                var result: Result?
                var failure: (any Error)?
                await withCheckedContinuation { continuation in
                    // A failed test must not wake others: two tasks would wake each other forever.
                    state.withLock { state in
                        switch state.stop {
                        case .failed(let error): failure = error
                        case .cancelled: failure = CancellationError()
                        case .halted, nil: result = test(&state)
                        }
                        if result == nil, failure == nil {
                            state.waiting.append(continuation)
                        } else {
                            continuation.resume()
                        }
                    }
                }
                if let failure { throw failure }
                if let result {
                    change { _ in }
                    return result
                }
            }
        } onCancel: {
            stop(.cancelled)
        }
    }
}
