import CloverHTTP
import Synchronization

/// A body of which a beginning is kept while it passes; what comes behind that is counted only.
final class CopiedBody: HTTPBody {
    /// Bytes that are kept.
    private static let limit = 64 << 10

    private let body: any HTTPBody
    private let onEnd: @Sendable (_ beginning: [UInt8], _ size: Int) -> Void
    private let state = Mutex(State())

    private struct State {
        var beginning: [UInt8] = []
        var size = 0
        var isOver = false
    }

    /// - Parameter onEnd: called once, when the body has come to its end or nobody reads it any more.
    init(_ body: any HTTPBody, onEnd: @escaping @Sendable (_ beginning: [UInt8], _ size: Int) -> Void) {
        self.body = body
        self.onEnd = onEnd
    }

    deinit { finish() }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        do throws(HTTPTransportError) {
            guard let chunk = try await body.next() else {
                finish()
                return nil
            }
            state.withLock { state in
                state.beginning += chunk.prefix(Self.limit - state.beginning.count)
                state.size += chunk.count
            }
            return chunk
        } catch {
            finish()
            throw error
        }
    }

    func readAhead() { body.readAhead() }

    func cancel() {
        body.cancel()
        finish()
    }

    private func finish() {
        let ended: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer {
                state.isOver = true
                state.beginning = []
            }
            return state
        }
        if let ended { onEnd(ended.beginning, ended.size) }
    }
}
