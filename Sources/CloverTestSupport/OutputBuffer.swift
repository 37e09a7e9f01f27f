import Dispatch
import Foundation
import Glibc
import Synchronization

/// Everything a process wrote to one descriptor so far, filled by a thread of its own, and awaited by conditions.
final class OutputBuffer: Sendable {
    private struct Waiter {
        let condition: @Sendable ([UInt8]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var bytes: [UInt8] = []
        var ended = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Reads `descriptor` to its end on a new thread, then closes it.
    func fill(from descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { break }
                append(chunk[0..<count])
            }
            close(descriptor)
            end()
        }
    }

    /// Marks a buffer that nothing will fill.
    func end() {
        let waiters = state.withLock { state in
            state.ended = true
            defer { state.waiters = [:] }
            return state.waiters.map { ($0.value, $0.value.condition(state.bytes)) }
        }
        for (waiter, met) in waiters { waiter.continuation.resume(returning: met) }
    }

    /// Waits until the bytes so far meet `condition`. False when the stream ended or the limit passed before that.
    func wait(limit: Duration, for condition: @escaping @Sendable ([UInt8]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                if state.ended || condition(state.bytes) { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = Waiter(condition: condition, continuation: continuation)
                return state.nextWaiter
            }
            guard let number else {
                continuation.resume(returning: condition(bytes))
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
            }
        }
    }

    /// Waits for the end of the stream.
    func waitForEnd(limit: Duration) async -> Bool {
        _ = await wait(limit: limit) { _ in false }
        return state.withLock { $0.ended }
    }

    private func append(_ chunk: ArraySlice<UInt8>) {
        let met = state.withLock { state in
            state.bytes.append(contentsOf: chunk)
            let met = state.waiters.filter { $0.value.condition(state.bytes) }
            for number in met.keys { state.waiters[number] = nil }
            return Array(met.values)
        }
        for waiter in met { waiter.continuation.resume(returning: true) }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
