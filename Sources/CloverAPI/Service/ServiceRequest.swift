package import CloverHTTP
import Synchronization

/// One request to the service, without its token.
package struct ServiceRequest: Sendable {
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded.
    package var url: String
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// True if it takes, refunds or voids money, or records that it happened. Such a request is never sent again while
    /// the outcome of the first transmission is unknown.
    package var movesMoney: Bool
    /// The caller judges refusals by their bodies: any response is returned as it is, except a redirect, a 429, and a
    /// 401 that a new token may fix. A read is retried first if its failure may be temporary.
    package var returnsRefusals = false
    /// Whether a refusal only counts in Clover's own form.
    var requiresCloverErrorForm: Bool { returnsRefusals && movesMoney }
    /// The response arrives only once a person has acted, which may take minutes: the request releases its in-flight
    /// slot as soon as it is sent. The limit is documented for data requests, and five tills waiting for cards would
    /// block everything else, including the request that cancels one of them.
    package var awaitsPerson = false
    /// Whether the access token is sent; a service with its own key gets that in a header.
    package var isAuthorized = true

    /// Header fields in addition to the token and those that belong to the body.
    package var headers: [HTTPHeader]

    /// - Parameter additions: header fields in addition to the usual ones.
    package init(
        _ method: HTTPMethod = .get, _ url: String, body: HTTPRequestBody? = nil, additions: [HTTPHeader] = [],
        movesMoney: Bool = false
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.movesMoney = movesMoney
        headers = [HTTPHeader(name: "Accept", value: "application/json")] + additions
    }

    /// Whether sending it twice has the same effect as sending it once (RFC 9110, section 9.2.2).
    package var isRepeatable: Bool { method.isIdempotent && !movesMoney }
}

/// Hooks and cancellation for one send.
package struct SendHooks: Sendable {
    /// Cancels the request's waits; nil waits without limit.
    package var waits: WaitCanceller?
    /// True if cancelling ends every wait. Otherwise it only ends long pauses by the service, because the request is
    /// still wanted.
    package var endsEveryWait = false
    /// Called before each transmission, before the first byte is sent. If it throws, the request is not sent.
    package var willSend: @Sendable () async throws -> Void = {}
    /// Called when a transmission had no effect, because it was held back or refused with a 429 (`isRefused`), and will
    /// be retried.
    package var hadNoEffect: @Sendable (_ isRefused: Bool) async -> Void = { _ in }

    package static let usual = SendHooks()

    package init() {}
}

/// Observes the transmissions of a request. Both closures are called on any thread and must return quickly.
package struct SendObserver: Sendable {
    /// Called just before the request is sent; it may be carried out from then on. Returns false to withdraw it, so
    /// that it is not sent. Called under the lock that decides (`SendGate`).
    package var departed: @Sendable () -> Bool
    /// Called when a transmission was not sent after all, was refused, or lost its response: it is no longer in flight.
    /// `mayHaveActed` says whether it may still have been carried out.
    package var failed: @Sendable (_ mayHaveActed: Bool) -> Void

    /// An observer that does nothing.
    package static let unobserved = SendObserver(departed: { true }, failed: { _ in })

    package init(
        departed: @escaping @Sendable () -> Bool, failed: @escaping @Sendable (_ mayHaveActed: Bool) -> Void
    ) {
        self.departed = departed
        self.failed = failed
    }
}

/// Cancels waits but not requests that are in flight. After the first `end`, every later wait ends at once.
package final class WaitCanceller: Sendable {
    private struct State {
        var reason: (any Error)?
        var number = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Why waits were ended; nil if they were not.
    package var reason: (any Error)? { state.withLock(\.reason) }

    /// Whether anything is waiting now.
    package var isWaiting: Bool { state.withLock { !$0.cancels.isEmpty } }

    /// Ends current and future waits; the first reason is kept.
    package func end(_ reason: any Error) {
        let cancels = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs `body`, and cancels it when waits end.
    func during<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Awaited below; cancelled by `end`, and when the waiting task is cancelled.
        let task = Task { try await body() }
        let place = begin { task.cancel() }
        defer { state.withLock { $0.cancels[place] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (place, isOver) = state.withLock { state in
            state.number += 1
            state.cancels[state.number] = cancel
            return (state.number, state.reason != nil)
        }
        if isOver { cancel() }
        return place
    }
}
