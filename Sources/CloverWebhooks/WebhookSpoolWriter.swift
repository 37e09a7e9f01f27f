import CloverSystem
import Synchronization

/// Stores arrivals in the spool. Those that arrive while the device is busy share the next transaction, so that a burst
/// costs a few syncs and not one each.
package final class WebhookSpoolWriter: Sendable {
    private struct Pending: Sendable {
        let arrival: WebhookArrival
        let waiting: CheckedContinuation<Result<Void, any Error>, Never>
    }

    private struct State: Sendable {
        var pending: [Pending] = []
        var isWriting = false
    }

    /// Maximum number of arrivals in one transaction.
    private static let largestBatch = 256

    private let spool: WebhookSpool
    private let onStored: @Sendable () -> Void
    private let thread = SerialThread(name: "clover-spool")
    private let state = Mutex(State())

    /// - Parameter onStored: called on the writer's thread after each transaction.
    package init(_ spool: WebhookSpool, onStored: @escaping @Sendable () -> Void) {
        self.spool = spool
        self.onStored = onStored
    }

    /// Returns when the arrival is on the device.
    ///
    /// - Throws: the error of ``WebhookSpool/add(_:)``. The arrival must then not be acknowledged.
    package func store(_ arrival: WebhookArrival) async throws {
        try await withCheckedContinuation { waiting in
            let isFirst = state.withLock { state in
                state.pending.append(Pending(arrival: arrival, waiting: waiting))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            // Without a thread, blocking this one is better than failing.
            if isFirst, !thread.post({ self.write() }) { write() }
        }.get()
    }

    private func write() {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.pending.prefix(Self.largestBatch))
                state.pending.removeFirst(batch.count)
                if batch.isEmpty { state.isWriting = false }
                return batch
            }
            if batch.isEmpty { return }
            let result = Result { try spool.add(batch.map(\.arrival)) }
            for pending in batch { pending.waiting.resume(returning: result) }
            if case .success = result { onStored() }
        }
    }
}
