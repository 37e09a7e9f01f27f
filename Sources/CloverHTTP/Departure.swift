import Synchronization

/// Whether one request leaves this machine: decided once, under one lock, for the transport that sends it and for the
/// caller that gives up.
///
/// The transport calls `leave()` before the first byte, and sends only after `.go`. The caller calls `withdraw()` before
/// it reports that the request was not sent. The first claim wins for good, so that no request is both sent and denied.
package final class Departure: Sendable {
    /// What a transport may do with a request.
    package enum Answer: Sendable, Equatable {
        /// Send it. The request counts as sent from now on.
        case go
        /// The caller does not want it sent now: the transport ends with `HTTPTransportError.heldBack`.
        case heldBack
        /// The request was withdrawn, or left before: the transport ends with `HTTPTransportError.cancelled`.
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
    ///   - hold: called when the connection stands. It may block the transport's thread for some seconds, until the request
    ///     may be sent; false holds the request back. It is called again by `noteLeft()`, and its result does not
    ///     matter then.
    ///   - confirm: the caller's last word, called at most once, under the lock that decides; it must be quick and must
    ///     not call this object. False withdraws the request.
    package init(
        hold: @escaping @Sendable () -> Bool = { true }, confirm: @escaping @Sendable () -> Bool = { true }
    ) {
        self.hold = hold
        self.confirm = confirm
    }

    /// Claims that the request is sent. For the transport, when the next thing it does is to send.
    package func leave() -> Answer {
        guard isOpen else { return .withdrawn }
        guard hold() else { return withdraw() ? .heldBack : .withdrawn }
        return state.withLock { state in
            guard state == .open else { return .withdrawn }
            state = confirm() ? .left : .withdrawn
            return state == .left ? .go : .withdrawn
        }
    }

    /// Called by the transport when it has sent the request, so that the time of sending is known exactly.
    package func noteLeft() {
        _ = hold()
    }

    /// Claims that the request is not sent.
    ///
    /// - Returns: true when it was not sent and never will be; false when it has left, and may arrive.
    package func withdraw() -> Bool {
        state.withLock { state in
            if state == .open { state = .withdrawn }
            return state == .withdrawn
        }
    }

    private var isOpen: Bool { state.withLock { $0 == .open } }
}
