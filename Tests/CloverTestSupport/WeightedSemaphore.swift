import Foundation
import Synchronization

/// A weighted semaphore, last come first served. It keeps tests that run in parallel from starting more processes at
/// once than the machine can handle.
///
/// All tests ask at the start, but for those that have to wait for another one: tests of serialized suites, and those of which
/// one runs at a time. Behind all others, they would run one after the other at the end, on a machine that is idle.
package final class WeightedSemaphore: Sendable {
    private struct State {
        var free: Int
        /// The next one is the last.
        var waiting: [(weight: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    package init(capacity: Int) {
        state = Mutex(State(free: capacity))
    }

    /// Runs `body` as soon as `weight` is available; `weight` must not exceed the capacity.
    package func withWeight<Value>(_ weight: Int, _ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { continuation in
            let admitted = state.withLock { state in
                guard state.waiting.isEmpty, state.free >= weight else {
                    state.waiting.append((weight, continuation))
                    return false
                }
                state.free -= weight
                return true
            }
            if admitted { continuation.resume() }
        }
        defer { leave(weight) }
        return try await body()
    }

    /// Changes the capacity. What is inside stays.
    package func grow(by weight: Int) { leave(weight) }

    private func leave(_ weight: Int) {
        let admitted = state.withLock { state in
            state.free += weight
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let next = state.waiting.last, next.weight <= state.free {
                state.free -= next.weight
                admitted.append(next.continuation)
                state.waiting.removeLast()
            }
            return admitted
        }
        for continuation in admitted { continuation.resume() }
    }
}

/// The scale of long tests: short in `make proofs`, full in `make soak`, which sets `CLOVER_TEST_SCALE=full`.
package enum Scale {
    package static let isFull = ProcessInfo.processInfo.environment["CLOVER_TEST_SCALE"] == "full"

    package static func pick<Value>(_ short: Value, full: Value) -> Value { isFull ? full : short }

    /// Adds a line to the file named by `CLOVER_SOAK_RECORD`, from which `Scripts/soak` makes its table. Call it only
    /// after everything that it reports has been checked.
    package static func report(_ proof: String, count: String, result: String) throws {
        guard let path = ProcessInfo.processInfo.environment["CLOVER_SOAK_RECORD"] else { return }
        let line = "| \(proof) | \(count) | \(result) |\n"
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(line.utf8))
        try file.close()
    }
}
