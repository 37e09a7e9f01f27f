import CloverHTTP
import Synchronization

/// A body that is taken off the network at once, whoever reads it when; so its in-flight slot is free again soon. It holds
/// one page at most.
final class EagerBody: HTTPBody {
    private let body: any HTTPBody
    private let queue: Queue

    private final class Queue: Sendable {
        typealias Piece = Result<[UInt8]?, HTTPTransportError>

        private struct State {
            var chunks: [[UInt8]] = []
            var end: Piece?
            var waiter: CheckedContinuation<Piece, Never>?
        }

        private let state = Mutex(State())

        func put(_ piece: Piece) {
            let waiter = state.withLock { state -> CheckedContinuation<Piece, Never>? in
                if let waiter = state.waiter {
                    state.waiter = nil
                    if case .success(.some) = piece { return waiter }
                    state.end = piece
                    return waiter
                }
                if case .success(.some(let chunk)) = piece {
                    state.chunks.append(chunk)
                } else if state.end == nil {
                    state.end = piece
                }
                return nil
            }
            waiter?.resume(returning: piece)
        }

        func next() async -> Piece {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Piece? in
                    if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
                    if let end = state.end { return end }
                    state.waiter = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }
    }

    init(_ body: any HTTPBody) {
        self.body = body
        let queue = Queue()
        self.queue = queue
        // Ends with the body, which `cancel` and `deinit` end; `next` waits for it.
        Task {
            do throws(HTTPTransportError) {
                while let chunk = try await body.next() { queue.put(.success(chunk)) }
                queue.put(.success(nil))
            } catch {
                queue.put(.failure(error))
            }
        }
    }

    deinit { body.cancel() }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        let piece = await withTaskCancellationHandler {
            await queue.next()
        } onCancel: {
            cancel()
        }
        return try piece.get()
    }

    func cancel() {
        body.cancel()
        queue.put(.failure(.cancelled))
    }
}
