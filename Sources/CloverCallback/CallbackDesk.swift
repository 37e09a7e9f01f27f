import Synchronization

/// Where the server hands over the one callback and the command hands back its page.
///
/// Every continuation is resumed once: whoever takes it out of the state under the lock resumes it after the lock.
final class CallbackDesk: Sendable {
    private struct State {
        /// Address of the callback; set by the first and never changed.
        var url: String?
        var isTaken = false
        /// Who waits for the callback.
        var taker: CheckedContinuation<String, any Error>?
        /// The page for the browser; set by the first answer and never changed.
        var page: ResultPage?
        /// The callback's connection, which waits for the page.
        var connection: CheckedContinuation<ResultPage?, Never>?
        var isDelivered = false
        /// Who waits for the page to be delivered.
        var answering: [CheckedContinuation<Void, Never>] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    // MARK: The server's side

    /// Takes a callback in. False when it is not the first.
    func arrive(_ url: String) -> Bool {
        let (isFirst, taker) = state.withLock { state -> (Bool, CheckedContinuation<String, any Error>?) in
            guard state.url == nil, !state.isClosed else { return (false, nil) }
            state.url = url
            let taker = state.taker.take()
            state.isTaken = taker != nil
            return (true, taker)
        }
        taker?.resume(returning: url)
        return isFirst
    }

    /// The page for the callback's browser; nil when the desk was closed without one.
    func page() async -> ResultPage? {
        await withCheckedContinuation { continuation in
            let (isReady, page) = state.withLock { state -> (Bool, ResultPage?) in
                if state.page != nil || state.isClosed { return (true, state.page) }
                state.connection = continuation
                return (false, nil)
            }
            if isReady { continuation.resume(returning: page) }
        }
    }

    /// The browser has its page, or is gone.
    func delivered() {
        let answering = state.withLock { state in
            state.isDelivered = true
            defer { state.answering = [] }
            return state.answering
        }
        for continuation in answering { continuation.resume() }
    }

    // MARK: The command's side

    /// Waits for the callback.
    /// - Throws: `CallbackError.closed`, `CallbackError.alreadyTaken`, or `CancellationError` when the task is cancelled.
    func callback() async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<String, any Error>? in
                    // Cancellation before this line is seen here; after it, the handler finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isTaken || state.taker != nil { return .failure(CallbackError.alreadyTaken) }
                    if let url = state.url {
                        state.isTaken = true
                        return .success(url)
                    }
                    if state.isClosed { return .failure(CallbackError.closed) }
                    state.taker = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let taker = state.withLock { $0.taker.take() }
            taker?.resume(throwing: CancellationError())
        }
    }

    /// Gives the page to the callback's connection and waits until it is delivered.
    func answer(_ page: ResultPage) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let (isOver, connection, first) = state.withLock {
                state -> (Bool, CheckedContinuation<ResultPage?, Never>?, ResultPage?) in
                if state.isDelivered || state.isClosed { return (true, nil, nil) }
                if state.page == nil { state.page = page }
                state.answering.append(continuation)
                return (false, state.connection.take(), state.page)
            }
            connection?.resume(returning: first)
            if isOver { continuation.resume() }
        }
    }

    /// Nothing more arrives. A browser that waits gets its connection's last page.
    func close() {
        let (taker, connection, page) = state.withLock {
            state -> (CheckedContinuation<String, any Error>?, CheckedContinuation<ResultPage?, Never>?, ResultPage?) in
            state.isClosed = true
            return (state.taker.take(), state.connection.take(), state.page)
        }
        taker?.resume(throwing: CallbackError.closed)
        connection?.resume(returning: page)
    }
}
