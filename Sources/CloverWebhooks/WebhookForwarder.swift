package import CloverHTTP

/// Forwards bodies to another program's HTTP handler, as Clover would send them.
package struct WebhookForwarder: Sendable {
    private let url: String
    private let authCode: Secret?
    private let transport: any HTTPTransport
    private let retry: WebhookRetry

    /// Maximum size of the part of a response that is read, in bytes. What it says is not used.
    private static let responseLimit = 64 << 10

    /// - Parameters:
    ///   - url: the handler's absolute URL.
    ///   - authCode: sent as `X-Clover-Auth`; nil sends none.
    package init(to url: String, authCode: Secret?, transport: any HTTPTransport, retry: WebhookRetry) {
        self.url = url
        self.authCode = authCode
        self.transport = transport
        self.retry = retry
    }

    /// Returns when the handler has responded with a status from 200 to 299, after retries if necessary.
    ///
    /// - Throws: `WebhookDeliveryFailure` or `CancellationError`.
    package func forward(_ arrival: WebhookArrival) async throws {
        var headers: [HTTPHeader] = []
        if let authCode { headers.append(HTTPHeader(name: "X-Clover-Auth", value: authCode.exposed)) }
        if let signature = arrival.signature {
            headers.append(HTTPHeader(name: "Clover-Signature", value: signature))
        }
        let request = HTTPRequest(
            method: .post, url: url, headers: headers, body: HTTPRequestBody(bytes: arrival.body))
        try await retry.run {
            do throws(HTTPTransportError) {
                let response = try await transport.send(request, departure: SendGate(), onEnd: {})
                if (200..<300).contains(response.status) {
                    _ = try await response.body.prefix(Self.responseLimit)
                    return nil
                }
                response.body.cancel()
                let wait = RetryAfter.seconds(in: response.headers, now: { nil })
                return WebhookRetry.Attempt(
                    failure: .status(response.status, retryAfter: wait),
                    text: "the handler responded with status \(response.status)")
            } catch .cancelled {
                throw CancellationError()
            } catch {
                // A handler that is being restarted refuses connections for a while.
                return WebhookRetry.Attempt(
                    failure: .transport(error, answeredBefore: true), text: WebhookRetry.text(of: error))
            }
        }
    }
}

/// Repeats a delivery by the retry policy that all requests follow.
package struct WebhookRetry: Sendable {
    /// A failed attempt.
    struct Attempt: Sendable {
        let failure: RetryPolicy.Failure
        /// What failed, for the user.
        let text: String
    }

    private let policy: RetryPolicy
    private let sleep: @Sendable (Double) async throws -> Void

    /// - Parameter sleep: waits for a number of seconds; throws when cancelled.
    package init(_ policy: RetryPolicy, sleep: @escaping @Sendable (Double) async throws -> Void) {
        self.policy = policy
        self.sleep = sleep
    }

    /// Waits before something is tried again that is not a delivery.
    ///
    /// - Parameter seconds: how long.
    func pause(_ seconds: Double) async throws { try await sleep(seconds) }

    /// Calls `attempt` until it returns nil, or the policy gives up.
    ///
    /// - Throws: `WebhookDeliveryFailure` with the last attempt's text, and what `attempt` and the sleep throw.
    func run(_ attempt: () async throws -> Attempt?) async throws {
        var retries = 0
        while let failed = try await attempt() {
            try Task.checkCancellation()
            switch policy.decide(failed.failure, retries: retries, jitter: Double.random(in: 0..<1)) {
            case .giveUp: throw WebhookDeliveryFailure(text: failed.text, attempts: retries + 1)
            case .again(let seconds), .pauseAll(let seconds): try await sleep(seconds)
            }
            retries += 1
        }
    }

    static func text(of error: HTTPTransportError) -> String {
        switch error {
        case .unknownHost(let host, _): "\(host) has no address"
        case .notConnected(let host, _): "cannot connect to \(host)"
        case .timedOut(let host, _): "\(host) did not respond in time"
        case .connectionLost(let host, _), .cutOff(let host, _): "the connection to \(host) was lost"
        case .tls(let host, let detail): "no secure connection to \(host): \(detail)"
        case .notHTTP(let host, _), .headTooLarge(let host): "\(host) did not respond with HTTP"
        case .proxy(let detail), .certificateFile(_, let detail), .libraryMissing(let detail): detail
        case .other(_, let detail): detail
        case .cancelled, .heldBack: "the request was not sent"
        }
    }
}

/// Why a delivery was given up.
package struct WebhookDeliveryFailure: Error, Equatable, Sendable {
    /// What the last attempt met.
    package var text: String
    package var attempts: Int

    package init(text: String, attempts: Int) {
        self.text = text
        self.attempts = attempts
    }
}
