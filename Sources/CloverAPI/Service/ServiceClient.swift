package import CloverHTTP
package import CloverJSON
package import CloverRateLimit
import Synchronization

/// Sends requests to one merchant's service: rate limited by the shared ledger, retried where that is safe and likely
/// to help, with the service's refusals as typed errors.
package final class ServiceClient: Sendable {
    private let environment: ServiceEnvironment
    /// The merchant whose own record shows whether a token is good; nil skips that check.
    let merchantID: String?
    private let tokens: any AccessTokenSource
    private let transport: any HTTPTransport
    /// Nil sends without rate limiting.
    private let ledger: RateLedger?
    private let pacingClass: RequestPriority
    private let waitsOutPauses: Bool
    /// In seconds; nil if only the time of the run limits it.
    private let longestPause: Double?
    private let policy: RetryPolicy
    private let sleep: @Sendable (Double) async throws -> Void
    private let wallClock: @Sendable () -> Int64?
    private let onEvent: @Sendable (ServiceEvent) -> Void
    private let counters = Mutex(Counters())

    private struct Counters {
        var statistics = Statistics()
        var hasAnswered = false
        var secondsBehind: Int64 = 0
    }

    package struct Statistics: Sendable, Equatable {
        /// Requests sent, including retries.
        package var requests = 0
        package var retries = 0
        /// Seconds that requests waited for the shared budget or before a retry. Waits in parallel are added up.
        package var secondsWaited = 0.0

        package init() {}
    }

    private static let maximumRedirects = 5

    /// - Parameters:
    ///   - waitsOutPauses: if false, a request fails with `.paused` when an earlier 429 has paused all requests.
    ///   - longestPause: a request fails with `.paused` or `.rateLimited` rather than wait longer for the end of a pause, in
    ///     seconds; nil for no limit but `RetryPolicy.longestNamedPause`.
    ///   - sleep: waits for a number of seconds; throws if cancelled.
    ///   - wallClock: seconds since 1970, for dates in responses of a service that does not send its time.
    package init(
        environment: ServiceEnvironment, merchantID: String? = nil, tokens: any AccessTokenSource,
        transport: any HTTPTransport,
        ledger: RateLedger?, pacingClass: RequestPriority = .interactive, waitsOutPauses: Bool = true,
        longestPause: Double? = nil, policy: RetryPolicy, sleep: @escaping @Sendable (Double) async throws -> Void,
        wallClock: @escaping @Sendable () -> Int64? = { nil },
        onEvent: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        self.environment = environment
        self.merchantID = merchantID
        self.tokens = tokens
        self.transport = transport
        self.ledger = ledger
        self.pacingClass = pacingClass
        self.waitsOutPauses = waitsOutPauses
        self.longestPause = longestPause
        self.policy = policy
        self.sleep = sleep
        self.wallClock = wallClock
        self.onEvent = onEvent
    }

    /// Not inlined: Swift 6.3 can keep the address of a thread's own data, such as a lock's owner, across a suspension.
    @inline(never)
    private func count<Value>(_ body: (inout Counters) -> Value) -> Value { counters.withLock { body(&$0) } }

    package var statistics: Statistics { count(\.statistics) }

    package var requestCount: Int { statistics.requests }

    /// How far this machine's clock was behind the dates of the responses, in seconds; 0 if it was not.
    package var secondsBehind: Int64 { count(\.secondsBehind) }

    package func url(path: String, query: String) -> String {
        environment.apiBaseURL + path + (query.isEmpty ? "" : "?" + query)
    }

    /// The URL of a path at the host that serves it.
    package func url(of path: ResourcePath, query: String) -> String {
        let base = path.isEcommerce ? environment.ecommerceBaseURL : nil
        return (base ?? environment.apiBaseURL) + path.encoded + (query.isEmpty ? "" : "?" + query)
    }

    /// Throws if no host of the environment serves the path.
    package func checkService(of path: ResourcePath) throws(QueryError) {
        guard path.isEcommerce, environment.ecommerceBaseURL == nil else { return }
        throw .noEcommerce(environment: environment.name, path: path.display)
    }

    /// Returns a successful response (2xx) with an unread body. The in-flight slot is released with the body's last
    /// byte.
    ///
    /// - Parameters:
    ///   - additions: header fields in addition to the usual ones.
    ///   - attempt: counts the retries of this request, also across calls: a caller that cannot read the body retries with
    ///     the same attempt.
    package func get(
        _ url: String, additions: [HTTPHeader] = [], attempt: inout Attempt
    ) async throws -> HTTPResponse {
        try await send(ServiceRequest(.get, url, additions: additions), attempt: &attempt)
    }

    /// The same for any method. A write is only retried if it cannot have been carried out, or if repeating it is
    /// harmless.
    ///
    /// - Parameters:
    ///   - watch: observes each transmission.
    ///   - terms: cancels waits, and records each transmission before it is sent; its errors are rethrown.
    /// - Throws: `IndeterminateWriteError` for a write that may have been carried out without a response that confirms it.
    ///   `CancellationError` leaves this open: see `attempt.mayHaveActed`.
    package func send(
        _ request: ServiceRequest, attempt: inout Attempt, watch: SendObserver = .unobserved, terms: SendHooks = .usual
    ) async throws -> HTTPResponse {
        var request = request
        var redirects = 0
        while true {
            // Before the permit, so that no in-flight slot is held during a token renewal.
            let token = try await tokens.token()
            let permit: Permit?
            do {
                permit = try await acquire(for: request.url, terms)
            } catch let error as ServiceError {
                throw outcome(error, of: request, attempt)
            }
            try await terms.willSend()
            let departure = departure(of: request, permit, watch)
            let response: HTTPResponse
            do throws(HTTPTransportError) {
                response = try await transmit(request, token: token, permit: permit, departure)
            } catch .heldBack {
                // A pause began; the next permit waits for its end.
                if !attempt.mayHaveActed { await terms.hadNoEffect(false) }
                continue
            } catch {
                let hasLeft = !departure.withdraw()
                watch.failed(hasLeft)
                try await recover(from: error, request, hasLeft: hasLeft, terms: terms, attempt: &attempt)
                continue
            }
            let date = response.headers.first(named: "Date").flatMap { HTTPDate.seconds($0) }
            let lag = date.flatMap { date in wallClock().map { date - $0 } } ?? 0
            count {
                $0.hasAnswered = true
                $0.secondsBehind = max($0.secondsBehind, lag)
            }
            // The pause of all processes begins before the body is read, and even if this request gives up.
            let begun = response.status == 429 ? try await startSharedPause(response, attempt) : nil
            // Read at once, because a web page is not a response of the service.
            var refusal: Refusal?
            if Self.isJudgedAtOnce(response, to: request, attempt) {
                let body = await bodyOfRefusal(response)
                refusal = Refusal(
                    body: body, isPage: response.status != 429 && response.isWebPage(body),
                    isProof: request.isRefused(by: response, body))
            }
            let isPage = refusal?.isPage ?? false
            if !(200...299).contains(response.status) {
                watch.failed(
                    refusal?.isProof == false || Self.failure(response, isPage: isPage).mayHaveActed)
            }
            if response.status == 401, !isPage, attempt.hasRenewed, request.isAuthorized {
                await tokens.noteRefusal(ofReplacement: token)
            }
            switch response.status {
            // No range was asked for, so a cache or proxy has lost the rest (RFC 9110, section 15.3.7).
            case 206 where request.method == .get:
                response.body.cancel()
                try await recover(
                    from: HTTPTransportError.cutOff(
                        host: HTTPRequest.host(of: request.url), detail: "206 Partial Content"), request,
                    hasLeft: true, terms: terms, attempt: &attempt)
            case 200...299:
                return response
            // Where sending twice would do harm, a redirect proves nothing, and nothing is sent elsewhere.
            case _ where response.isRedirect && (request.isRepeatable || request.isHarmless):
                redirects += 1
                response.body.cancel()
                do throws(ServiceError) {
                    request.url = try request.target(of: response, isAllowed: redirects <= Self.maximumRedirects)
                } catch {
                    attempt.noteForeignRefusal(response.status)
                    throw outcome(error, of: request, attempt)
                }
            case 401 where !isPage && !attempt.hasRenewed && request.isAuthorized:
                // Once: a missing permission is also a 401, and a new token does not help then (Clover: 401
                // unauthorized).
                attempt.hasRenewed = true
                let url = request.url
                let body = refusal?.body ?? []
                try checkErrorForm(response, refusal, request, token, &attempt)
                let values = SensitiveValues(of: request, token: token)
                let message = ServiceMessage.parse(body, hiding: values)
                let other: Secret?
                do {
                    other = try await tokens.replacement(for: token) { try await accepts(token, besides: url) }
                } catch {
                    await tokens.noteFailure(error, toReplace: token) {
                        try await lacksAllPermissions(token, besides: url)
                    }
                    throw error
                }
                guard other != nil else {
                    reportRefusal(response, body, hiding: values, attempt)
                    throw refused(.unauthorized(url: Redaction.url(url), message: message), request, attempt)
                }
            case let status
            where request.returnsRefusals && status != 429 && refusal == nil
                && !isRepeatedSoon(request, after: response, attempt):
                return response
            default:
                try await repeatOrThrow(
                    response, refusal, begun, to: request, token: token, terms: terms, attempt: &attempt)
            }
        }
    }

    /// The body of a refusal that was already read.
    private struct Refusal {
        let body: [UInt8]
        let isPage: Bool
        /// Whether it shows that the request was not carried out.
        let isProof: Bool
    }

    /// Whether the body decides what a response means: a web page cannot claim a missing permission or record, and a
    /// write is refused only by Clover itself. Callers that judge refusals get them with unread bodies.
    private static func isJudgedAtOnce(
        _ response: HTTPResponse, to request: ServiceRequest, _ attempt: Attempt
    ) -> Bool {
        switch response.status {
        case 200...299: false
        case 429: request.requiresCloverErrorForm
        case 401 where request.isAuthorized && !attempt.hasRenewed: true
        default:
            !request.returnsRefusals
                && (request.requiresCloverErrorForm || [401, 403, 404].contains(response.status))
        }
    }

    /// Whether a read whose refusals the caller judges is retried first. Only short delays are allowed, because a
    /// customer may be waiting; and the caller itself retries an absent or busy device, which a 503 reports.
    private func isRepeatedSoon(
        _ request: ServiceRequest, after response: HTTPResponse, _ attempt: Attempt
    ) -> Bool {
        guard request.method == .get, !request.headers.contains(where: { $0.name == "X-Clover-Device-Id" }),
            RetryPolicy.mayPass(response.status)
        else { return false }
        let failure = Self.failure(
            response, isPage: false, retryAfter: RetryAfter.seconds(in: response.headers, now: wallClock))
        switch policy.decide(failure, retries: attempt.retries, jitter: 1) {
        case .again(let seconds): return .seconds(seconds) <= Self.shortPause
        case .giveUp, .pauseAll: return false
        }
    }

    private static func failure(
        _ response: HTTPResponse, isPage: Bool, retryAfter: Double? = nil
    ) -> RetryPolicy.Failure {
        isPage ? .unreadable : .status(response.status, retryAfter: retryAfter)
    }

    /// Handles a page that arrived but could not be read: returns when it may be requested again, throws otherwise.
    ///
    /// - Parameter willRepeat: called before the pause, unless it throws.
    package func recover(
        from error: PageError, url: String, attempt: inout Attempt, willRepeat: () -> Void = {}
    ) async throws {
        let error = error.hiding(SensitiveValues(of: ServiceRequest(.get, url), token: nil))
        // HTML comes from a proxy, or from a service in trouble; both are usually temporary.
        let isTransient =
            switch error {
            case .cutOff, .html: true
            case .notJSON, .noElements, .noData, .elementsNotAnArray, .elementsRepeated, .noRecord, .notAnObject,
                .anArray, .aList,
                .recordTooLarge, .gapTooLarge, .unusableID, .otherRecord:
                false
            }
        guard isTransient,
            case .again(let seconds) = policy.decide(.unreadable, retries: attempt.retries, jitter: Self.jitter())
        else { throw ServiceError.unreadable(error, url: Redaction.url(url), retries: attempt.retries) }
        willRepeat()
        try await pause(seconds, reason: .unreadable("\(error)"), url: url, .usual, attempt: &attempt)
    }

    /// Handles a missing response, or a connection lost while reading the body, in the same way.
    package func recover(from error: HTTPTransportError, url: String, attempt: inout Attempt) async throws {
        try await recover(from: error, ServiceRequest(.get, url), hasLeft: true, terms: .usual, attempt: &attempt)
    }

    private func recover(
        from error: HTTPTransportError, _ request: ServiceRequest, hasLeft: Bool, terms: SendHooks,
        attempt: inout Attempt
    ) async throws {
        let failure = RetryPolicy.Failure.transport(
            error, answeredBefore: count { $0.hasAnswered }, hasLeft: hasLeft)
        attempt.note(failure)
        if error == .cancelled { throw CancellationError() }
        let decision = policy.decide(
            failure, isRepeatable: request.isRepeatable, retries: attempt.retries, jitter: Self.jitter())
        guard case .again(let seconds) = decision else {
            throw outcome(
                .unreachable(error, url: Redaction.url(request.url), retries: attempt.retries), of: request, attempt)
        }
        try await pause(seconds, reason: .connection(error), url: request.url, terms, attempt: &attempt)
    }

    /// The error for a request that was given up. For a write that may have been carried out, the outcome is unknown.
    private func outcome(_ error: ServiceError, of request: ServiceRequest, _ attempt: Attempt) -> any Error {
        request.method != .get && attempt.mayHaveActed ? IndeterminateWriteError(error, of: request) : error
    }

    func acquire(for url: String, _ terms: SendHooks) async throws -> Permit? {
        guard let ledger else { return nil }
        if !waitsOutPauses || longestPause != nil {
            for budget in try await ledger.budgets() {
                guard let pause = budget.pause, let cause = budget.pauseCause else { continue }
                let seconds = pause / .seconds(1)
                if waitsOutPauses, let longestPause, seconds <= longestPause { continue }
                throw ServiceError.paused(seconds: seconds, url: Redaction.url(url), limit: cause)
            }
        }
        let permit = try await permit(of: ledger, terms)
        let waited = permit.waited / .seconds(1)
        count { $0.statistics.secondsWaited += waited }
        onEvent(
            .admitted(
                ServiceEvent.Admittance(
                    waited: waited, waitedForSlot: permit.waitedForSlot / .seconds(1), slot: permit.slotNumber,
                    pause: permit.pause, age: permit.age / .seconds(1))))
        if waited > 0.05 { onEvent(.waited(seconds: waited)) }
        return permit
    }

    /// Waits for a permit for as long as the terms allow.
    private func permit(of ledger: RateLedger, _ terms: SendHooks) async throws -> Permit {
        let pacingClass = pacingClass
        guard let waits = terms.waits else { return try await ledger.acquire(for: pacingClass) }
        do {
            return try await waits.during { try await ledger.acquire(for: pacingClass) }
        } catch is CancellationError {
            try Task.checkCancellation()
        }
        guard let reason = waits.reason else { throw CancellationError() }
        if terms.endsEveryWait { throw reason }
        let pauses = try await ledger.budgets().filter { $0.pauseCause != nil }.compactMap(\.pause)
        if pauses.contains(where: { $0 > Self.shortPause }) { throw reason }
        return try await ledger.acquire(for: pacingClass)
    }

    /// Pauses up to this length are waited out even if waits were cancelled.
    private static let shortPause = Duration.seconds(3)

    /// Sleeps for as long as the terms allow.
    private func sleep(_ seconds: Double, _ terms: SendHooks, isPause: Bool) async throws {
        guard let waits = terms.waits, isPause || terms.endsEveryWait else { return try await sleep(seconds) }
        let sleep = sleep
        do {
            try await waits.during { try await sleep(seconds) }
        } catch is CancellationError {
            try Task.checkCancellation()
            throw waits.reason ?? CancellationError()
        }
    }

    /// Decides whether one transmission is sent: if the permit allows it and `watch` confirms it.
    func departure(of request: ServiceRequest, _ permit: Permit?, _ watch: SendObserver) -> SendGate {
        SendGate(
            hold: { permit?.departed() ?? true },
            confirm: {
                guard watch.departed() else { return false }
                if request.awaitsPerson { permit?.release() }
                return true
            })
    }

    /// All requests are sent here.
    func transmit(
        _ request: ServiceRequest, token: Secret, permit: Permit?, _ departure: SendGate
    ) async throws(HTTPTransportError) -> HTTPResponse {
        count { $0.statistics.requests += 1 }
        let outgoing = HTTPRequest(
            method: request.method, url: request.url, bearer: request.isAuthorized ? token : nil,
            headers: request.headers, body: request.body)
        let response: HTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(outgoing, departure: departure, onEnd: { permit?.release() })
        } catch {
            if error == .heldBack { count { $0.statistics.requests -= 1 } }
            throw error
        }
        if response.status != 429 { permit?.answered() }
        return response
    }

    /// Checks a refusal of a write.
    ///
    /// - Throws: `IndeterminateWriteError` if it proves nothing.
    private func checkErrorForm(
        _ response: HTTPResponse, _ refusal: Refusal?, _ request: ServiceRequest, _ token: Secret,
        _ attempt: inout Attempt
    ) throws {
        let status = response.status
        // Temporary failures and web pages leave a doubt anyway, with their own messages.
        guard let refusal, !refusal.isProof, !RetryPolicy.mayPass(status),
            request.returnsRefusals || !refusal.isPage || response.isRedirect
        else { return }
        attempt.noteForeignRefusal(status)
        // It is sent again after the pause.
        if status == 429, request.isRepeatable { return }
        let values = SensitiveValues(of: request, token: token)
        if !request.returnsRefusals { reportRefusal(response, refusal.body, hiding: values, attempt) }
        let cause =
            response.isRedirect
            ? request.redirected(response)
            : ServiceError.refused(
                status: status, url: Redaction.url(request.url),
                message: ServiceMessage.parse(refusal.body, hiding: values))
        throw IndeterminateWriteError(cause, of: request)
    }

    /// Handles an unsuccessful response: returns if the request may be sent again, throws otherwise.
    private func repeatOrThrow(
        _ response: HTTPResponse, _ refusal: Refusal?, _ begun: Pause?, to request: ServiceRequest, token: Secret,
        terms: SendHooks, attempt: inout Attempt
    ) async throws {
        let url = request.url
        let status = response.status
        let retryAfter = RetryAfter.seconds(in: response.headers, now: wallClock)
        let body = if let refusal { refusal.body } else { await bodyOfRefusal(response) }
        try checkErrorForm(response, refusal, request, token, &attempt)
        // If the outcome of an earlier transmission is unknown, it remains unknown.
        if begun != nil, !attempt.mayHaveActed { await terms.hadNoEffect(true) }
        let values = SensitiveValues(of: request, token: token)
        let message = ServiceMessage.parse(body, hiding: values)
        let isPage = refusal?.isPage ?? false
        let failure = Self.failure(response, isPage: isPage, retryAfter: retryAfter)
        attempt.note(failure)
        let decision = policy.decide(
            failure, isRepeatable: request.isRepeatable, retries: attempt.retries, jitter: Self.jitter())
        if let begun {
            if attempt.retries >= policy.maximumRetries || begun.excessiveWait != nil {
                reportRefusal(response, body, hiding: values, attempt)
            }
            try await waitForEnd(of: begun, request, message: message, terms, attempt: &attempt)
            return
        }
        if case .again(let seconds) = decision {
            try await pause(seconds, reason: .status(status), url: url, terms, attempt: &attempt)
            return
        }
        reportRefusal(response, body, hiding: values, attempt)
        let shown = Redaction.url(url)
        switch status {
        case _ where isPage || RetryPolicy.isServiceFailure(status):
            throw outcome(
                .failed(
                    status: status, url: shown, retries: attempt.retries, wait: RetryPolicy.excessiveWait(retryAfter),
                    message: message),
                of: request, attempt)
        case 401: throw refused(.unauthorized(url: shown, message: message), request, attempt)
        case 403: throw refused(.forbidden(url: shown, message: message), request, attempt)
        case 404: throw refused(.notFound(url: shown, message: message), request, attempt)
        default: throw refused(.refused(status: status, url: shown, message: message), request, attempt)
        }
    }

    /// The error for a request that was refused. That says nothing about an earlier transmission of a write, unless that would
    /// have deleted what is not found any more.
    private func refused(_ error: ServiceError, _ request: ServiceRequest, _ attempt: Attempt) -> any Error {
        guard request.method != .get, let doubt = attempt.doubt else { return error }
        if case .notFound = error, request.method == .delete { return error }
        return IndeterminateWriteError(error, of: request, doubt: doubt)
    }

    /// Reports a refusal in the service's own words.
    private func reportRefusal(
        _ response: HTTPResponse, _ body: [UInt8], hiding values: SensitiveValues, _ attempt: Attempt
    ) {
        guard attempt.reportsRefusals else { return }
        report(response, body, hiding: values)
    }

    /// Reports a response that is no result, such as one to a write that cannot be understood.
    func report(_ response: HTTPResponse, _ body: [UInt8], to request: ServiceRequest) {
        report(response, body, hiding: SensitiveValues(of: request, token: nil))
    }

    private func report(_ response: HTTPResponse, _ body: [UInt8], hiding values: SensitiveValues) {
        let headers = response.headers.map {
            HTTPHeader(name: $0.name, value: values.hidden(in: Redaction.header($0)))
        }
        let text = BodyRedaction(codesAreSecret: false, hiding: values).text(of: body)
        onEvent(.refused(ServiceEvent.Refusal(status: response.status, headers: headers, body: text)))
    }

    private struct Pause {
        let seconds: Double
        /// How long the service asks to wait, if it is too long.
        let excessiveWait: Double?
        /// The header that names the limit.
        let header: HTTPHeader?
    }

    private func startSharedPause(_ response: HTTPResponse, _ attempt: Attempt) async throws -> Pause {
        let retryAfter = RetryAfter.seconds(in: response.headers, now: wallClock)
        let header = response.headers.first { $0.name.lowercased().hasPrefix("x-ratelimit-") }
        let cause = header?.name ?? "429"
        let refusal = header.flatMap { RateLimitResponse(header: $0.name, value: $0.value) }
        var before = attempt.retries
        // Other requests may have been refused before, such as those of a recent run.
        if (retryAfter ?? 0) <= 0, let ledger {
            before = max(before, try await ledger.refusalsBefore(of: refusal?.scope ?? .token))
        }
        let seconds = policy.rateLimitPause(retryAfter: retryAfter, retries: before, jitter: Self.jitter())
        if let refusal {
            try await ledger?.pause(seconds: seconds, cause: cause, because: refusal)
        } else {
            try await ledger?.pause(seconds: seconds, cause: cause)
        }
        let isTooLong = longestPause.map { seconds > $0 } ?? false
        return Pause(
            seconds: seconds, excessiveWait: RetryPolicy.excessiveWait(retryAfter) ?? (isTooLong ? seconds : nil),
            header: header)
    }

    /// Returns when this process may send the request again.
    private func waitForEnd(
        of pause: Pause, _ request: ServiceRequest, message: String?, _ terms: SendHooks, attempt: inout Attempt
    ) async throws {
        let url = Redaction.url(request.url)
        let seconds = pause.seconds
        guard attempt.retries < policy.maximumRetries, pause.excessiveWait == nil else {
            throw outcome(
                .rateLimited(
                    url: url, retries: attempt.retries, limit: pause.header?.name, wait: pause.excessiveWait,
                    message: message),
                of: request, attempt)
        }
        attempt.retries += 1
        count { $0.statistics.retries += 1 }
        onEvent(.paused(limit: pause.header?.name ?? "429", url: url, seconds: seconds))
        // With a ledger, the next permit waits for the end of the pause.
        if ledger == nil {
            count { $0.statistics.secondsWaited += seconds }
            try await sleep(seconds, terms, isPause: true)
        }
    }

    private func pause(
        _ seconds: Double, reason: ServiceEvent.Reason, url: String, _ terms: SendHooks, attempt: inout Attempt
    ) async throws {
        attempt.retries += 1
        count {
            $0.statistics.retries += 1
            $0.statistics.secondsWaited += seconds
        }
        onEvent(.retry(reason: reason, url: Redaction.url(url), seconds: seconds))
        try await sleep(seconds, terms, isPause: Duration.seconds(seconds) > Self.shortPause)
    }

    /// The body of a refusal; a refusal counts even if its body cannot be read completely.
    private func bodyOfRefusal(_ response: HTTPResponse) async -> [UInt8] {
        do throws(HTTPTransportError) {
            return try await response.body.prefix(16 << 10)
        } catch {
            return []
        }
    }

    private static func jitter() -> Double { Double.random(in: 0..<1) }
}
