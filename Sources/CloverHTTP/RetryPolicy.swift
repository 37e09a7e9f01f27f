/// Decides, without clock or socket, whether a request that failed is sent again and after what pause.
///
/// A read may always be repeated. A write only while it cannot have been carried out, or where carrying it out twice is
/// the same as once (RFC 9110, section 9.2.2).
package struct RetryPolicy: Sendable, Equatable {
    /// How often one request is sent again at most.
    package var maximumRetries: Int
    /// The pause before the first repetition, in seconds; it doubles each time.
    package var firstPause: Double = 0.2
    /// The longest pause of our own choosing, in seconds.
    package var longestPause: Double = 30
    /// The longest pause that a service may ask for, in seconds: a day. Asked for more, we come back after that.
    package static let longestNamedPause: Double = 86_400

    package init(maximumRetries: Int = 5) {
        self.maximumRetries = maximumRetries
    }

    /// What went wrong with one attempt.
    package enum Failure: Sendable, Equatable {
        /// An answer with this status; `retryAfter` is the header's value in seconds, if there was one.
        case status(Int, retryAfter: Double?)
        /// No whole answer. `answeredBefore`: the service has answered during this run; `hasLeft`: the connection stood,
        /// and the request may have arrived.
        case transport(HTTPTransportError, answeredBefore: Bool, hasLeft: Bool = true)
        /// The answer arrived whole and is none of the service's: cut off inside, not JSON, a web page with whatever status.
        case unreadable

        /// Whether the service may have done what was asked. A 429 comes before anything is done (Clover: API usage and
        /// rate limits), and so do the other refusals that stay (RFC 9110, sections 15.5 and 15.6).
        package var mayHaveActed: Bool {
            switch self {
            case .status(let status, _): RetryPolicy.mayPass(status)
            case .transport(_, _, let hasLeft): hasLeft
            case .unreadable: true
            }
        }
    }

    /// Whether a status is a failure that may pass, like a lost connection: the request took too long (408) or came too early
    /// (425), or the server or a proxy in front of it failed, in any way but the two that stay: it cannot do this (501), or
    /// does not speak this version of HTTP (505). Statuses without a name in RFC 9110 are among them, such as Cloudflare's
    /// 520 to 524.
    package static func mayPass(_ status: Int) -> Bool {
        status == 408 || status == 425 || status >= 500 && status != 501 && status != 505
    }

    package enum Decision: Sendable, Equatable {
        case giveUp
        /// Send again after `seconds`.
        case again(seconds: Double)
        /// The service limits us: nobody may send for `seconds`, then send again.
        case pauseEverybody(seconds: Double)
    }

    /// - Parameters:
    ///   - isRepeatable: sending the request twice has the effect of sending it once.
    ///   - retries: repetitions already made, 0 after the first attempt.
    ///   - jitter: 0..<1, spreads the pauses of many processes.
    package func decide(_ failure: Failure, isRepeatable: Bool = true, retries: Int, jitter: Double) -> Decision {
        guard retries < maximumRetries else {
            // The others must still learn of a limit that was hit, also when this request gives up.
            return .giveUp
        }
        guard isRepeatable || !failure.mayHaveActed else { return .giveUp }
        switch failure {
        case .status(429, let retryAfter):
            return .pauseEverybody(seconds: rateLimitPause(retryAfter: retryAfter, retries: retries, jitter: jitter))
        case .status(let status, let retryAfter):
            guard Self.mayPass(status) else { return .giveUp }
            let named = min(retryAfter ?? 0, Self.longestNamedPause)
            return .again(seconds: max(pause(retries: retries, jitter: jitter), named))
        case .transport(let error, let answeredBefore, _):
            return isTransient(error, answeredBefore: answeredBefore)
                ? .again(seconds: pause(retries: retries, jitter: jitter)) : .giveUp
        case .unreadable:
            return .again(seconds: pause(retries: retries, jitter: jitter))
        }
    }

    /// The pause that a 429 asks of everybody, in seconds. `Retry-After` is obeyed to the second, because an earlier
    /// call lengthens the wait; without it, at least a second, then exponential (Clover: API usage and rate limits). A
    /// pause of no length is believed once: from the second refusal in a row on it counts as none named.
    package func rateLimitPause(retryAfter: Double?, retries: Int, jitter: Double) -> Double {
        if let retryAfter, retryAfter > 0 || retries == 0 { return min(max(retryAfter, 0), Self.longestNamedPause) }
        return min(exponential(base: 1, retries: retries), longestPause) + jitter * 0.25
    }

    private func pause(retries: Int, jitter: Double) -> Double {
        min(exponential(base: firstPause, retries: retries), longestPause) * (0.75 + 0.5 * jitter)
    }

    private func exponential(base: Double, retries: Int) -> Double {
        base * Double(1 << min(retries, 20))
    }

    /// A refused connection or an unknown name is most often a wrong address, so it is only worth another try when
    /// the service has answered in this run.
    private func isTransient(_ error: HTTPTransportError, answeredBefore: Bool) -> Bool {
        switch error {
        case .timedOut, .connectionLost, .cutOff: true
        case .unknownHost, .notConnected: answeredBefore
        case .proxy, .tls, .certificateFile, .notHTTP, .headTooLarge, .libraryMissing, .cancelled, .heldBack, .other:
            false
        }
    }
}
