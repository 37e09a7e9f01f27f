internal import CloverRecords
internal import Synchronization

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
