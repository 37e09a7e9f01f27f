import CloverHTTP
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(maximumRetries: 5)

    /// Statuses that may pass: those of RFC 9110 and of proxies in front of a service, such as Cloudflare.
    private static let passing =
        [408, 425, 500, 502, 503, 504, 506, 507, 508, 509, 510, 511] + Array(520...527) + [529, 530, 598, 599]

    @Test("failures that may pass are tried again like a lost connection", arguments: passing)
    func repeatsFailures(status: Int) {
        let failure = RetryPolicy.Failure.status(status, retryAfter: nil)
        let lost = RetryPolicy.Failure.transport(.connectionLost(host: "h", detail: ""), answeredBefore: true)
        for retries in 0...5 {
            for isRepeatable in [true, false] {
                #expect(
                    policy.decide(failure, isRepeatable: isRepeatable, retries: retries, jitter: 0.5)
                        == policy.decide(lost, isRepeatable: isRepeatable, retries: retries, jitter: 0.5))
            }
        }
        #expect(policy.decide(failure, retries: 0, jitter: 0) != .giveUp)
    }

    @Test("refusals are final", arguments: [400, 401, 403, 404, 405, 409, 410, 415, 501, 505])
    func givesUpOnRefusals(status: Int) {
        #expect(policy.decide(.status(status, retryAfter: nil), retries: 0, jitter: 0) == .giveUp)
    }

    @Test("pauses double and jitter stays within a quarter of them")
    func pausesGrow() {
        for retries in 0..<5 {
            guard
                case .again(let low) = policy.decide(.unreadable, retries: retries, jitter: 0),
                case .again(let high) = policy.decide(.unreadable, retries: retries, jitter: 0.999)
            else {
                Issue.record("no pause")
                return
            }
            let middle = 0.2 * Double(1 << retries)
            #expect(low >= middle * 0.74 && low < middle)
            #expect(high > middle && high <= middle * 1.26)
        }
    }

    @Test("after the last retry nothing is sent again")
    func ends() {
        #expect(policy.decide(.unreadable, retries: 5, jitter: 0) == .giveUp)
        #expect(policy.decide(.status(429, retryAfter: 3), retries: 5, jitter: 0) == .giveUp)
        #expect(RetryPolicy(maximumRetries: 0).decide(.unreadable, retries: 0, jitter: 0) == .giveUp)
    }

    @Test("Retry-After of a 429 is followed to the second, by all processes")
    func obeysRetryAfter() {
        #expect(
            policy.decide(.status(429, retryAfter: 21), retries: 0, jitter: 0.9) == .pauseAll(seconds: 21))
    }

    @Test("a 429 without Retry-After pauses at least a second, longer each time")
    func pausesWithoutRetryAfter() {
        var last = 0.0
        for retries in 0..<4 {
            let pause = policy.rateLimitPause(retryAfter: nil, retries: retries, jitter: 0)
            #expect(pause >= 1 && pause > last)
            last = pause
        }
    }

    @Test(
        "a service that asks to wait for more than an hour is not waited for, and pauses others for an hour at most",
        arguments: [3601, 1e9, 1e300])
    func longest(seconds: Double) {
        #expect(policy.rateLimitPause(retryAfter: seconds, retries: 3, jitter: 0.5) == 3600)
        for status in [429, 503] {
            #expect(policy.decide(.status(status, retryAfter: seconds), retries: 0, jitter: 0.5) == .giveUp)
        }
    }

    @Test("a service that asks to wait for an hour is waited for")
    func anHour() {
        let jitter = 0.5
        #expect(policy.decide(.status(429, retryAfter: 3600), retries: 0, jitter: jitter) == .pauseAll(seconds: 3600))
        #expect(policy.decide(.status(503, retryAfter: 3600), retries: 0, jitter: jitter) == .again(seconds: 3600))
    }

    @Test("a pause of no length is believed once; then pauses grow as where none is named")
    func noLength() {
        #expect(policy.rateLimitPause(retryAfter: 0, retries: 0, jitter: 0.5) == 0)
        for retries in 1..<5 {
            let unnamed = policy.rateLimitPause(retryAfter: nil, retries: retries, jitter: 0.5)
            #expect(policy.rateLimitPause(retryAfter: 0, retries: retries, jitter: 0.5) == unnamed)
        }
    }

    @Test("Retry-After of a 503 lengthens the pause")
    func obeysRetryAfterOfUnavailable() {
        #expect(policy.decide(.status(503, retryAfter: 7), retries: 0, jitter: 0.5) == .again(seconds: 7))
    }

    @Test("a refused connection is retried only if the service has responded before")
    func refusedConnections() {
        for error in [HTTPTransportError.notConnected(host: "h", detail: ""), .unknownHost("h", detail: "")] {
            #expect(policy.decide(.transport(error, answeredBefore: false), retries: 0, jitter: 0) == .giveUp)
            #expect(policy.decide(.transport(error, answeredBefore: true), retries: 0, jitter: 0) != .giveUp)
        }
    }

    @Test(
        "an untrusted or wrong peer stays one",
        arguments: [
            HTTPTransportError.tls(host: "h", detail: ""), .proxy(detail: ""), .notHTTP(host: "h", detail: ""),
            .certificateFile(path: "", detail: ""), .cancelled,
        ])
    func lastingFaults(error: HTTPTransportError) {
        #expect(policy.decide(.transport(error, answeredBefore: true), retries: 0, jitter: 0) == .giveUp)
    }

    @Test(
        "what may have been carried out is not sent again where twice is not once",
        arguments: [
            RetryPolicy.Failure.status(500, retryAfter: nil), .status(503, retryAfter: 2),
            .status(408, retryAfter: nil), .status(520, retryAfter: nil),
            .transport(.connectionLost(host: "h", detail: ""), answeredBefore: true),
            .transport(.timedOut(host: "h", detail: ""), answeredBefore: true, hasLeft: true), .unreadable,
        ])
    func neverTwice(failure: RetryPolicy.Failure) {
        #expect(failure.mayHaveActed)
        #expect(policy.decide(failure, isRepeatable: false, retries: 0, jitter: 0) == .giveUp)
        #expect(policy.decide(failure, isRepeatable: true, retries: 0, jitter: 0) != .giveUp)
    }

    @Test(
        "what cannot have been carried out is sent again, whatever it is",
        arguments: [
            RetryPolicy.Failure.status(429, retryAfter: 1),
            .transport(.timedOut(host: "h", detail: ""), answeredBefore: false, hasLeft: false),
            .transport(.notConnected(host: "h", detail: ""), answeredBefore: true, hasLeft: false),
        ])
    func harmless(failure: RetryPolicy.Failure) {
        #expect(!failure.mayHaveActed)
        #expect(policy.decide(failure, isRepeatable: false, retries: 0, jitter: 0) != .giveUp)
    }

    @Test("a refusal is no doubt about the outcome", arguments: [400, 401, 403, 404, 405, 409, 415, 429, 501, 505])
    func refusals(status: Int) {
        #expect(!RetryPolicy.Failure.status(status, retryAfter: nil).mayHaveActed)
    }
}
