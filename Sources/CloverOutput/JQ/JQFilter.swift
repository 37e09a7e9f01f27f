package import CloverJSON
internal import Synchronization

/// Runs a jq program on each record in this process, with results in record order.
///
/// Results are those of `jq -c` on the same records, one per line. Programs run on dedicated threads with one libjq
/// state each; a program that uses `input`, `inputs`, `input_line_number`, `import` or `include`, or slurps, runs on
/// one thread over the whole stream. Results are written as soon as all earlier ones are. `halt` ends the run, as
/// documented in jq's manual, although jq 1.6 continues with the next record. `input_filename` is null. As with jq, the
/// file `~/.jq` is prepended to every program.
///
/// Cancelling a task that waits in `consume`, `finish` or `compiled` stops the filter permanently and at once, as does
/// releasing it. A thread whose program never returns a result keeps running until the process ends.
package final class JQFilter: RecordFilter {
    private let pipeline: Pipeline
    private let output: RecordOutput
    private let onFailure: @Sendable (RecordFailure) -> Void
    private let onMessage: @Sendable ([UInt8]) -> Void
    private let writing = WritingTask()

    /// - Parameters:
    ///   - workers: the maximum number of threads; more than the number of processors is useless. Evaluated only if one
    ///     is not enough.
    ///   - onFailure: called for each record on which the program fails, in order, after the results before it.
    ///   - onMessage: called with the output of `debug` and `stderr`, as jq prints it, in order with results and
    ///     failures. Both are called from one task, never concurrently, and must not block for long.
    package init(
        program: JQProgram,
        output: RecordOutput,
        workers: @escaping @autoclosure @Sendable () -> Int,
        onFailure: @escaping @Sendable (RecordFailure) -> Void,
        onMessage: @escaping @Sendable ([UInt8]) -> Void
    ) {
        pipeline = Pipeline(program: program, workers: workers)
        self.output = output
        self.onFailure = onFailure
        self.onMessage = onMessage
    }

    deinit {
        // No effect after `finish`.
        pipeline.stop(.cancelled)
    }

    /// Starts compiling in the background; otherwise `consume` and `finish` do.
    package func prepare() {
        pipeline.start()
    }

    /// Waits for the program to be compiled.
    /// - Throws: `.compile` with jq's own message, `.cancelled`.
    package func compiled() async throws(JQError) {
        pipeline.start()
        do {
            try await pipeline.waitForCompiling()
        } catch let error as JQError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            // An output error: the program must have compiled, or nothing would have been written.
            return
        }
    }

    package func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        start()
        return try await pipeline.enqueue(batch)
    }

    package func breakOff() async throws {
        do {
            try await compiled()
            if pipeline.program.needsWholeStream {
                pipeline.stop(.cancelled)
            } else {
                _ = try await finish()
            }
        } catch JQError.cancelled {
            // Cancelled along with the stream: the caller knows why, and nothing more should be written.
        } catch is CancellationError {
            // The same, while results were being written.
        }
    }

    package func finish() async throws -> FilterReport {
        start()
        return try await pipeline.finish()
    }

    private func start() {
        pipeline.start()
        writing.startOnce(pipeline, output, onFailure, onMessage)
    }
}

/// A record on which the program failed; its results before that are written.
package struct RecordFailure: Sendable, Equatable {
    /// The index of the record in the stream, from 0. With `slurp`, where all records are one input, 0.
    package var index: Int
    /// The record's `id`; nil if it has none, and with `slurp`.
    package var id: String?
    /// jq's message without `jq: error (at ...): `. For a thrown value that is not a string, `(not a string): ` and the
    /// value as JSON. For a record that is not JSON or is nested deeper than jq allows, it starts with `parse error: `.
    package var message: String
    /// The record, without a newline; empty with `slurp`.
    package var record: [UInt8]

    package init(index: Int, id: String?, message: String, record: [UInt8] = []) {
        self.index = index
        self.id = id
        self.message = message
        self.record = record
    }
}

/// Writes results as they become ready.
///
/// It is an unstructured task because results must not wait for the next call of `consume`, which may come after a slow
/// request. `Pipeline.finish` waits for it, and stopping the pipeline ends it.
final class WritingTask: Sendable {
    private let isStarted = Atomic(false)

    func startOnce(
        _ pipeline: Pipeline,
        _ output: RecordOutput,
        _ onFailure: @escaping @Sendable (RecordFailure) -> Void,
        _ onMessage: @escaping @Sendable ([UInt8]) -> Void
    ) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task {
            while true {
                let parts = await pipeline.nextResults()
                if parts.isEmpty { break }
                do throws(RecordWriteError) {
                    try await Self.write(parts, to: output, onFailure, onMessage)
                } catch {
                    pipeline.stop(.failed(error))
                    break
                }
                pipeline.releaseResults(size: parts.reduce(0) { $0 + $1.size })
            }
            pipeline.writingDone()
        }
    }

    /// Writes the bytes of several parts at once; before an event, the bytes that precede it are written.
    private static func write(
        _ parts: [ResultPart],
        to output: RecordOutput,
        _ onFailure: (RecordFailure) -> Void,
        _ onMessage: ([UInt8]) -> Void
    ) async throws(RecordWriteError) {
        var pending: [UInt8] = []
        for part in parts {
            var written = 0
            for (offset, event) in part.events {
                pending.append(contentsOf: part.bytes[written..<offset])
                written = offset
                try await output.write(pending)
                pending = []
                switch event {
                case .failure(let failure): onFailure(failure)
                case .message(let message): onMessage(message)
                }
            }
            if pending.isEmpty, written == 0 {
                pending = part.bytes
            } else {
                pending.append(contentsOf: part.bytes[written...])
            }
        }
        try await output.write(pending)
    }
}
