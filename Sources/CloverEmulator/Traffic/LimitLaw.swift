/// Decides who may pass: the four limits over tokens of one app. Pure; times are nanoseconds of a clock that never goes
/// back.
package struct LimitLaw: Sendable {
    private struct Account: Sendable {
        var window = SlidingWindow()
        var inFlight = 0
        var penalty = Penalty()
    }

    package let limits: TrafficLimits
    private var tokens: [Account]
    private var app = Account()

    package init(limits: TrafficLimits, tokenCount: Int) {
        self.limits = limits
        tokens = Array(repeating: Account(), count: tokenCount)
    }

    /// Makes room for one more token and gives its place.
    package mutating func addToken() -> Int {
        tokens.append(Account())
        return tokens.count - 1
    }

    /// Empties the place of a token that is gone, for the next one. Nothing of it may be in flight.
    package mutating func clearToken(_ token: Int) {
        tokens[token] = Account()
    }

    /// A request's head has arrived. Refused requests count neither as made nor as in flight.
    ///
    /// - Parameter isWaiting: its answer waits for a person at a device. The limits are documented for requests for data;
    ///   a till that waits for a card takes none of their places.
    package mutating func arrive(token: Int, isWaiting: Bool = false, at now: Int) -> Verdict {
        if tokens[token].penalty.isActive(at: now) {
            return .refused(.tokenConcurrency, retryAfter: tokens[token].penalty.strike(at: now))
        }
        if app.penalty.isActive(at: now) {
            return .refused(.appConcurrency, retryAfter: app.penalty.strike(at: now))
        }
        if tokens[token].window.count(at: now) >= limits.tokenPerSecond { return .refused(.tokenRate, retryAfter: nil) }
        if app.window.count(at: now) >= limits.appPerSecond { return .refused(.appRate, retryAfter: nil) }
        if !isWaiting, tokens[token].inFlight >= limits.tokenInFlight {
            return .refused(.tokenConcurrency, retryAfter: tokens[token].penalty.strike(at: now))
        }
        if !isWaiting, app.inFlight >= limits.appInFlight {
            return .refused(.appConcurrency, retryAfter: app.penalty.strike(at: now))
        }
        _ = tokens[token].window.add(now)
        _ = app.window.add(now)
        if !isWaiting {
            tokens[token].inFlight += 1
            app.inFlight += 1
        }
        return .admitted
    }

    /// The last byte of the answer to an arrived request was written, or its connection is gone.
    package mutating func leave(token: Int, verdict: Verdict, isWaiting: Bool = false) {
        switch verdict {
        case .admitted where isWaiting: break
        case .admitted:
            tokens[token].inFlight -= 1
            app.inFlight -= 1
        case .refused(.tokenConcurrency, _): tokens[token].penalty.wasTold()
        case .refused(.appConcurrency, _): app.penalty.wasTold()
        case .refused: break
        }
    }
}
