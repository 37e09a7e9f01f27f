import CloverSystem
import Synchronization

/// One request and its response, shared between the engine's thread, which fills it, and the task that reads it.
///
/// It is also the response's body: bytes wait here until they are pulled, and the engine pauses the transfer
/// (`CURL_WRITEFUNC_PAUSE`, see CURLOPT_WRITEFUNCTION(3)) while more than `highWater` bytes wait.
final class CurlExchange: HTTPBody {
    let request: HTTPRequest
    private let engine: CurlEngine
    /// Decides whether the request is sent; withdrawn before the exchange ends in any other way.
    let departure: SendGate
    private let onEnd: @Sendable () -> Void
    /// The response, once its head is complete.
    let head = Promise<HTTPResponse, HTTPTransportError>()
    private let state = Mutex(State())

    /// Maximum number of waiting bytes: a whole page of a thousand orders with their line items, so that the service
    /// can finish it and free its in-flight slot even if the local reader is slow.
    private static let highWater = 4 << 20
    /// The same for a body that is read ahead. Clover sends no page that large.
    private static let aheadWater = 64 << 20
    /// A paused transfer continues when no more than this many bytes wait.
    private static let lowWater = 2 << 20
    /// Waiting chunks are joined up to this size, so that small network reads do not cost a context switch each.
    private static let chunkSize = 128 << 10

    private typealias Piece = Result<[UInt8]?, HTTPTransportError>

    private struct State {
        var pieceWaiter: CheckedContinuation<Piece, Never>?
        var chunks: [[UInt8]] = []
        var waitingBytes = 0
        var isPaused = false
        /// Number of waiting bytes at which the transfer is paused.
        var highWater = CurlExchange.highWater
        var end: Result<Void, HTTPTransportError>?

        var isOver: Bool {
            if case nil = end { false } else { true }
        }
    }

    init(
        request: HTTPRequest, engine: CurlEngine, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.engine = engine
        self.departure = departure
        self.onEnd = onEnd
    }

    // MARK: - Called by the reading task

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        let piece = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Piece, Never>) in
                let (ready, mayContinue): (Piece?, Bool) = state.withLock { state in
                    if let piece = Self.takePiece(&state) { return (piece, Self.mayContinue(&state)) }
                    state.pieceWaiter = continuation
                    return (nil, false)
                }
                if mayContinue { engine.resume(self) }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try piece.get()
    }

    private static func takePiece(_ state: inout State) -> Piece? {
        if !state.chunks.isEmpty {
            let chunk = state.chunks.removeFirst()
            state.waitingBytes -= chunk.count
            return .success(chunk)
        }
        switch state.end {
        case .success: return .success(nil)
        case .failure(let error): return .failure(error)
        case nil: return nil
        }
    }

    /// Whether a paused transfer should continue, because enough data was taken.
    private static func mayContinue(_ state: inout State) -> Bool {
        guard state.isPaused, state.waitingBytes <= lowWater else { return false }
        state.isPaused = false
        return true
    }

    func readAhead() {
        let resume = state.withLock { state in
            state.highWater = Self.aheadWater
            defer { state.isPaused = false }
            return state.isPaused
        }
        if resume { engine.resume(self) }
    }

    func cancel() {
        finish(.failure(.cancelled), dropping: true)
        engine.cancel(self)
    }

    // MARK: - Called by the engine

    var isOver: Bool { state.withLock(\.isOver) }

    /// The head is complete: delivers the response to the task.
    func receive(status: Int, headers: [HTTPHeader]) {
        request.observer?.didReceive(status: status, headers)
        let body = ContentCoding.decoded(CurlBodyHandle(exchange: self), headers, url: request.url)
        head.settle(.success(HTTPResponse(status: status, headers: headers, body: body)))
    }

    /// Takes bytes of the body; false asks the engine to pause the transfer and offer the same bytes again later.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return true }
            guard state.waitingBytes < state.highWater else {
                state.isPaused = true
                return false
            }
            if let last = state.chunks.indices.last, state.chunks[last].count + bytes.count <= Self.chunkSize {
                state.chunks[last].append(contentsOf: bytes)
            } else {
                var chunk: [UInt8] = []
                chunk.reserveCapacity(max(bytes.count, Self.chunkSize))
                chunk.append(contentsOf: bytes)
                state.chunks.append(chunk)
            }
            state.waitingBytes += bytes.count
            return true
        }
    }

    /// Delivers the received bytes to a waiting task once the engine has received all it can for now. Not earlier,
    /// because libcurl delivers at most 16 KB at a time (CURL_MAX_WRITE_SIZE), and each delivery costs a context
    /// switch.
    func deliver() {
        typealias Delivery = (waiter: CheckedContinuation<Piece, Never>, piece: Piece, mayContinue: Bool)
        let delivery: Delivery? = state.withLock { state in
            guard let waiter = state.pieceWaiter, let piece = Self.takePiece(&state) else { return nil }
            state.pieceWaiter = nil
            return (waiter, piece, Self.mayContinue(&state))
        }
        guard let delivery else { return }
        if delivery.mayContinue { engine.resume(self) }
        delivery.waiter.resume(returning: delivery.piece)
    }

    /// Ends the transfer. Only the first call counts. May be called from any thread.
    func finish(_ end: Result<Void, HTTPTransportError>, dropping: Bool = false) {
        // The engine may be about to send the request: decide that before the end is reported.
        _ = departure.withdraw()
        let reader: (waiter: CheckedContinuation<Piece, Never>?, piece: Piece?)? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.end = end
            if dropping {
                state.chunks = []
                state.waitingBytes = 0
            }
            // Remaining bytes come before the end.
            guard let waiter = state.pieceWaiter.take() else { return (nil, nil) }
            return (waiter, Self.takePiece(&state))
        }
        guard let reader else { return }
        switch end {
        case .success: head.settle(.failure(.connectionLost(host: request.url, detail: "no response head")))
        case .failure(let error): head.settle(.failure(error))
        }
        if let piece = reader.piece { reader.waiter?.resume(returning: piece) }
        onEnd()
    }
}
