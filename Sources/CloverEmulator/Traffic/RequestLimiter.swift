/// Applies the four limits of tokens and apps. Pure; times are nanoseconds of a monotonic clock.
package struct RequestLimiter: Sendable {
    /// What is counted of a token, or of an app with all its tokens.
    private struct Account: Sendable {
        let rate: LimitKind
        let concurrency: LimitKind
        /// The index of a token's app; nil for a token of the merchant's own.
        var app: Int?
        var window = SlidingWindow()
        var inFlight = 0
        var penalty = ConcurrencyPenalty()

        static func token(app: Int?) -> Account { Account(rate: .tokenRate, concurrency: .tokenConcurrency, app: app) }
    }

    package let limits: TrafficLimits
    private var accounts: [Account] = []

    package init(limits: TrafficLimits) {
        self.limits = limits
    }

    /// Adds an app and returns its index; tokens and apps are counted together.
    package mutating func addApp() -> Int {
        accounts.append(Account(rate: .appRate, concurrency: .appConcurrency))
        return accounts.count - 1
    }

    /// Adds a token and returns its index.
    ///
    /// - Parameter app: the index of its app; nil for none.
    package mutating func addToken(app: Int?) -> Int {
        accounts.append(.token(app: app))
        return accounts.count - 1
    }

    /// Resets the entry of a retired token for reuse. None of its requests may be in flight.
    mutating func clearToken(_ token: Int, app: Int?) {
        accounts[token] = .token(app: app)
    }

    /// The indexes of a token and of its app.
    func places(of token: Int) -> [Int] {
        [token] + (accounts[token].app.map { [$0] } ?? [])
    }

    /// Records the arrival of a request's head. Refused requests count neither as made nor as in flight.
    ///
    /// - Parameter isWaiting: whether the response waits for a person at a device. The limits are documented for data
    ///   requests; a terminal that waits for a card does not count as in flight.
    package mutating func arrive(token: Int, isWaiting: Bool = false, at now: Int) -> LimitDecision {
        let places = places(of: token)
        for place in places where accounts[place].penalty.isActive(at: now) { return askToWait(place, at: now) }
        for place in places where accounts[place].window.count(at: now) >= accounts[place].rate.limit(in: limits) {
            return .refused(accounts[place].rate, retryAfter: nil)
        }
        for place in places where !isWaiting {
            let most = accounts[place].concurrency.limit(in: limits)
            if accounts[place].inFlight >= most { return askToWait(place, at: now) }
        }
        for place in places {
            _ = accounts[place].window.add(now)
            if !isWaiting { accounts[place].inFlight += 1 }
        }
        return .admitted
    }

    private mutating func askToWait(_ place: Int, at now: Int) -> LimitDecision {
        .refused(accounts[place].concurrency, retryAfter: accounts[place].penalty.strike(at: now))
    }

    /// Records that the last byte of the response was written, or that the connection is gone.
    package mutating func leave(token: Int, verdict: LimitDecision, isWaiting: Bool = false) {
        for place in places(of: token) {
            switch verdict {
            case .admitted: if !isWaiting { accounts[place].inFlight -= 1 }
            case .refused(let limit, _): if limit == accounts[place].concurrency { accounts[place].penalty.wasTold() }
            }
        }
    }
}

package enum LimitDecision: Sendable, Equatable {
    case admitted
    /// 429. `retryAfter` is in seconds and present only for concurrency limits.
    case refused(LimitKind, retryAfter: Int?)
}

/// The limit that a request exceeded. A header of the 429 response names it; its value is the limit (Clover REST
/// documentation, API usage and rate limits).
package enum LimitKind: String, Sendable, CaseIterable {
    case tokenRate, appRate, tokenConcurrency, appConcurrency

    /// The header of this limit.
    package var header: String {
        switch self {
        case .tokenRate: "X-RateLimit-tokenLimit"
        case .appRate: "X-RateLimit-crossTokenLimit"
        case .tokenConcurrency: "X-RateLimit-tokenConcurrentLimit"
        case .appConcurrency: "X-RateLimit-crossTokenConcurrentLimit"
        }
    }

    /// The value of the limit.
    package func limit(in limits: TrafficLimits) -> Int {
        switch self {
        case .tokenRate: limits.tokenPerSecond
        case .appRate: limits.appPerSecond
        case .tokenConcurrency: limits.tokenInFlight
        case .appConcurrency: limits.appInFlight
        }
    }
}

/// The four limits of the service (Clover REST documentation, API usage and rate limits).
package struct TrafficLimits: Sendable, Equatable {
    package var tokenPerSecond = 16
    package var tokenInFlight = 5
    package var appPerSecond = 50
    package var appInFlight = 10

    package init() {}
}

/// The wait after a concurrency limit was exceeded. The service states its length in `retry-after`, and a request
/// before its end extends it (Clover REST documentation, API usage and rate limits); by how much is not documented.
/// Here it doubles, from one second to at most 64.
package struct ConcurrencyPenalty: Sendable {
    private static let longest = 64
    private var until = Int.min
    private var seconds = 1
    private var isKnown = false

    /// Whether callers must wait. Times are in nanoseconds.
    package func isActive(at now: Int) -> Bool {
        now < until
    }

    /// Whether a request comes too early although its sender was informed of the wait.
    package func isEarly(at now: Int) -> Bool {
        isKnown && isActive(at: now)
    }

    /// Starts a wait, or extends the current one if the caller knew of it. Returns its length in seconds.
    package mutating func strike(at now: Int) -> Int {
        if isEarly(at: now) {
            seconds = min(seconds * 2, Self.longest)
            until = now + seconds * 1_000_000_000
        } else if !isActive(at: now) {
            seconds = 1
            until = now + 1_000_000_000
            isKnown = false
        }
        return seconds
    }

    /// Records that the caller has received the response and so knows of the wait.
    package mutating func wasTold() {
        isKnown = true
    }
}

/// Counts events in the half-open second that ends at the newest one: an event exactly one second old no longer counts.
package struct SlidingWindow: Sendable {
    private static let second = 1_000_000_000
    private var times: [Int] = []
    private var first = 0

    package init() {}

    /// Number of events in the second up to and including `now` (nanoseconds, never decreasing).
    package mutating func count(at now: Int) -> Int {
        while first < times.count, times[first] <= now - Self.second { first += 1 }
        if first > 64, first * 2 > times.count {
            times.removeFirst(first)
            first = 0
        }
        return times.count - first
    }

    /// Adds an event and returns the count including it.
    package mutating func add(_ now: Int) -> Int {
        times.append(now)
        return count(at: now)
    }
}
