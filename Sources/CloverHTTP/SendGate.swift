import Synchronization

/// Decides once, under one lock, whether a request is sent, both for the transport that sends it and for the caller
/// that gives up.
///
/// The transport calls `leave()` before the first byte, and sends only after `.go`. The caller calls `withdraw()`
/// before it reports that the request was not sent. The first call decides for good, so no request is both sent and
/// reported as not sent.
package final class SendGate: Sendable {
    /// What a transport may do with a request.
    package enum Answer: Sendable, Equatable {
        /// Send it. The request counts as sent from now on.
        case go
        /// The caller does not want it sent now: the transport fails with `HTTPTransportError.heldBack`.
        case heldBack
        /// The request was withdrawn, or already sent: the transport fails with `HTTPTransportError.cancelled`.
        case withdrawn
    }

    private enum State {
        case open
        case left
        case withdrawn
    }

    private let state = Mutex(State.open)
    private let hold: @Sendable () -> Bool
    private let confirm: @Sendable () -> Bool

    /// - Parameters:
    ///   - hold: called once the connection is established. It may block the transport's thread for some seconds, until
    ///     the request may be sent; false holds the request back. `markSent()` calls it again and ignores its result.
    ///   - confirm: the caller's final check, called at most once, under the lock that decides; must be quick and must
    ///     not call this object. False withdraws the request.
    package init(
        hold: @escaping @Sendable () -> Bool = { true }, confirm: @escaping @Sendable () -> Bool = { true }
    ) {
        self.hold = hold
        self.confirm = confirm
    }

    /// Claims that the request is sent. For the transport, immediately before sending.
    package func leave() -> Answer {
        guard isOpen else { return .withdrawn }
        guard hold() else { return withdraw() ? .heldBack : .withdrawn }
        return state.withLock { state in
            guard state == .open else { return .withdrawn }
            state = confirm() ? .left : .withdrawn
            return state == .left ? .go : .withdrawn
        }
    }

    /// Called by the transport when it has sent the request, so that the send time is known exactly.
    package func markSent() {
        _ = hold()
    }

    /// Claims that the request is not sent.
    ///
    /// - Returns: true if it was not sent and never will be; false if it was sent, and may arrive.
    package func withdraw() -> Bool {
        state.withLock { state in
            if state == .open { state = .withdrawn }
            return state == .withdrawn
        }
    }

    private var isOpen: Bool { state.withLock { $0 == .open } }
}

/// Observes one transfer for debugging. Called on the transport's thread, in the order of events.
package protocol TransferObserver: Sendable {
    /// Whether to call `didSend`, which has a cost for the transport.
    var wantsSentHead: Bool { get }

    /// The header fields of the request as sent, including the transport's own. Not redacted.
    func didSend(_ headers: [HTTPHeader])

    /// The head of the response has arrived. Not redacted.
    func didReceive(status: Int, _ headers: [HTTPHeader])

    /// The transfer has ended, successfully or not. Called once.
    func didEnd(_ facts: TransferFacts)
}

/// A transport's measurements of one transfer.
package struct TransferFacts: Sendable, Equatable {
    /// Nil if there was no response.
    package var status: Int?
    /// Such as `HTTP/1.1` or `HTTP/2`; nil if there was no response.
    package var httpVersion: String?
    /// Whether no new connection was made.
    package var isConnectionReused = false
    /// Address and port of the service or proxy; nil if there was no connection.
    package var remoteAddress: String?
    /// Bytes of the body as received, before decompression.
    package var bytesReceived = 0
    package var timing = Timing()
    /// Nil if the response arrived completely.
    package var failure: HTTPTransportError?

    package init() {}

    /// Seconds from the start of the transfer to each step; zero for steps that were not needed.
    package struct Timing: Sendable, Equatable {
        package var nameLookup = 0.0
        package var connect = 0.0
        package var tls = 0.0
        package var firstByte = 0.0
        package var total = 0.0

        package init() {}
    }
}
