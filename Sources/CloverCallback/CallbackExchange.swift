import CloverSystem
import Synchronization

/// Passes the one callback from the server to the command, and the page for it back.
///
/// Every continuation is resumed exactly once: the caller that removes it from the state under the lock resumes it
/// after unlocking.
final class CallbackExchange: Sendable {
    private struct State {
        /// URL of the callback; set by the first one and never changed.
        var url: String?
        var isTaken = false
        /// The caller that waits for the callback.
        var waiter: CheckedContinuation<String, any Error>?
        var isDelivered = false
        /// Callers that wait for the page to be delivered.
        var deliveryWaiters: [CheckedContinuation<Void, Never>] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// The page for the browser, from the first call of `answer`; nil if the exchange was closed without one.
    private let shown = Promise<ResultPage?, Never>()

    // MARK: Called by the server

    /// Accepts a callback. False if it is not the first.
    func arrive(_ url: String) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<String, any Error>?) in
            guard state.url == nil, !state.isClosed else { return (false, nil) }
            state.url = url
            let waiter = state.waiter.take()
            state.isTaken = waiter != nil
            return (true, waiter)
        }
        waiter?.resume(returning: url)
        return isFirst
    }

    /// The page for the callback's browser; nil if the exchange was closed without one.
    func page() async -> ResultPage? {
        await shown.result().get()
    }

    /// Reports that the browser has its page, or has disconnected.
    func delivered() {
        let deliveryWaiters = state.withLock { state in
            state.isDelivered = true
            defer { state.deliveryWaiters = [] }
            return state.deliveryWaiters
        }
        for continuation in deliveryWaiters { continuation.resume() }
    }

    // MARK: Called by the command

    /// Waits for the callback.
    /// - Throws: `CallbackError.closed`, `CallbackError.alreadyTaken`, or `CancellationError` if the task is cancelled.
    func callback() async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<String, any Error>? in
                    // An earlier cancellation is detected here; a later one finds the continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isTaken || state.waiter != nil { return .failure(CallbackError.alreadyTaken) }
                    if let url = state.url {
                        state.isTaken = true
                        return .success(url)
                    }
                    if state.isClosed { return .failure(CallbackError.closed) }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiter.take() }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Passes the page to the callback's connection and waits until it is delivered.
    func answer(_ page: ResultPage) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if state.isDelivered || state.isClosed { return true }
                shown.settle(.success(page))
                state.deliveryWaiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Accepts nothing more. A waiting browser gets its connection's last page.
    func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            shown.settle(.success(nil))
            return state.waiter.take()
        }
        waiter?.resume(throwing: CallbackError.closed)
    }
}

/// What a listener expects, and where.
package struct CallbackOptions: Sendable {
    /// Who reads the pages.
    package enum Purpose: Sendable {
        /// A user who signs in, with a terminal beside the browser.
        case signIn
        /// A user who pays, and sees no terminal.
        case payment
    }

    /// 0 chooses a free port.
    package var port: Int
    /// Starts with a slash and has no query, such as `/callback`.
    package var path: String
    package var purpose = Purpose.signIn
    /// Further paths that are accepted like the first.
    package var otherPaths: [String] = []
    /// The numeric address to bind.
    package var bindAddress = CallbackAddress.loopback
    /// Where the listener is reached from outside, such as `https://cafe.example`, if a proxy forwards requests.
    /// Requests for its host are accepted too, and the callback's URL starts with it.
    package var publicOrigin: String?
    /// Whether a callback is the expected one. Any other is refused with a page, and waiting continues.
    package var isExpected: @Sendable (_ url: String) async -> Bool = { _ in true }
    /// Called for each further callback, while the first is processed or later.
    package var onSecond: @Sendable () -> Void = {}
    /// Called when a browser opens the callback's path without a query. It gets a page, and waiting continues.
    package var onMissingQuery: @Sendable () -> Void = {}

    package init(port: Int, path: String) {
        self.port = port
        self.path = path
    }
}

/// The one callback, and the browser that waits for its page.
package struct Callback: Sendable {
    /// The complete URL that the browser requested, including the query: `http://127.0.0.1:PORT/callback?code=...`.
    ///
    /// It may contain an authorization code, so never log or print it.
    package let url: String

    private let exchange: CallbackExchange

    init(url: String, exchange: CallbackExchange) {
        self.url = url
        self.exchange = exchange
    }

    /// Shows the browser the outcome. The first page counts; later ones are dropped.
    ///
    /// Returns when the browser has closed its connection, which it does as soon as it has the whole page, or at most a
    /// second after the page was written. A browser that has disconnected is not an error.
    package func answer(_ page: ResultPage) async {
        await exchange.answer(page)
    }
}
