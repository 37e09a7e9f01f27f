import CloverAPI
import CloverHTTP
import Synchronization

/// A transport whose answers are computed from the URL and the number of times it was asked for; keeps what was sent.
final class ScriptedTransport: HTTPTransport {
    struct Answer: Sendable {
        var status = 200
        var headers: [HTTPHeader] = []
        var chunks: [String] = []
        /// Ends the body with this instead of its end.
        var bodyFailure: HTTPTransportError?
        /// No answer at all.
        var failure: HTTPTransportError?
        /// Whether the request gets as far as leaving.
        var leaves = true
    }

    private let script: @Sendable (_ request: HTTPRequest, _ time: Int) -> Answer
    private let log = Mutex(Log())

    private struct Log {
        var requests: [HTTPRequest] = []
        var open = 0
        var peak = 0
    }

    init(_ script: @escaping @Sendable (_ request: HTTPRequest, _ time: Int) -> Answer) {
        self.script = script
    }

    /// What the script says to a request that another transport has received.
    func answer(to request: HTTPRequest) -> Answer { script(request, 1) }

    var urls: [String] { log.withLock { $0.requests.map(\.url) } }
    var requests: [HTTPRequest] { log.withLock(\.requests) }
    /// Whether every request has ended. The page of a task that was given up is freed when the task is, which may be after
    /// its group has returned.
    func isClosed() async throws -> Bool {
        for _ in 0..<5000 {
            if log.withLock({ $0.open == 0 }) { return true }
            try await Task.sleep(for: .milliseconds(1))
        }
        return false
    }
    var peak: Int { log.withLock(\.peak) }

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let time = log.withLock { log in
            log.requests.append(request)
            log.open += 1
            log.peak = max(log.peak, log.open)
            return log.requests.count { $0.url == request.url }
        }
        let answer = script(request, time)
        let word = answer.leaves ? departure.leave() : .go
        guard word == .go else {
            log.withLock { $0.open -= 1 }
            onEnd()
            throw word == .heldBack ? .heldBack : .cancelled
        }
        let body = Body(chunks: answer.chunks, failure: answer.bodyFailure) { [self] in
            log.withLock { $0.open -= 1 }
            onEnd()
        }
        if let failure = answer.failure {
            body.cancel()
            throw failure
        }
        return HTTPResponse(status: answer.status, headers: answer.headers, body: body)
    }

    private final class Body: HTTPBody {
        private let state: Mutex<(chunks: [String], failure: HTTPTransportError?, isOver: Bool)>
        private let onEnd: @Sendable () -> Void

        init(chunks: [String], failure: HTTPTransportError?, onEnd: @escaping @Sendable () -> Void) {
            state = Mutex((chunks, failure, false))
            self.onEnd = onEnd
        }

        deinit { cancel() }

        func next() async throws(HTTPTransportError) -> [UInt8]? {
            let (chunk, failure) = state.withLock { state -> (String?, HTTPTransportError?) in
                state.chunks.isEmpty ? (nil, state.failure) : (state.chunks.removeFirst(), nil)
            }
            if let chunk { return Array(chunk.utf8) }
            cancel()
            if let failure { throw failure }
            return nil
        }

        func cancel() {
            let isFirst = state.withLock { state in
                defer { state.isOver = true }
                return !state.isOver
            }
            if isFirst { onEnd() }
        }
    }
}

extension ServiceClient {
    /// A client without pacing that does not wait between its tries.
    static func scripted(
        _ transport: ScriptedTransport, retries: Int = 5, environment: String = "https://service.invalid"
    ) throws -> ServiceClient {
        ServiceClient(
            environment: try ServiceEnvironment(parsing: environment),
            tokens: FixedToken(Secret("T0KEN")),
            transport: transport, ledger: nil, policy: RetryPolicy(maximumRetries: retries),
            sleep: { _ in try Task.checkCancellation() }, onEvent: { _ in })
    }
}
