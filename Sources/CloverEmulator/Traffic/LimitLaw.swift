/// Decides who may pass: the four limits over tokens and their apps. Pure; times are nanoseconds of a clock that never
/// goes back.
package struct LimitLaw: Sendable {
    private struct Account: Sendable {
        var window = SlidingWindow()
        var inFlight = 0
        var penalty = Penalty()
    }

    private struct Token: Sendable {
        var account = Account()
        /// The place of its app; nil for a token of the merchant's own.
        var app: Int?
    }

    package let limits: TrafficLimits
    private var tokens: [Token] = []
    private var apps: [Account] = []

    package init(limits: TrafficLimits) {
        self.limits = limits
    }

    /// Makes room for one more app and gives its place.
    package mutating func addApp() -> Int {
        apps.append(Account())
        return apps.count - 1
    }

    /// Makes room for one more token and gives its place.
    ///
    /// - Parameter app: the place of its app; nil when it has none.
    package mutating func addToken(app: Int?) -> Int {
        tokens.append(Token(app: app))
        return tokens.count - 1
    }

    /// Empties the place of a token that is gone, for the next one. Nothing of it may be in flight.
    package mutating func clearToken(_ token: Int, app: Int?) {
        tokens[token] = Token(app: app)
    }

    /// A request's head has arrived. Refused requests count neither as made nor as in flight.
    ///
    /// - Parameter isWaiting: its answer waits for a person at a device. The limits are documented for requests for data;
    ///   a till that waits for a card takes none of their places.
    package mutating func arrive(token: Int, isWaiting: Bool = false, at now: Int) -> Verdict {
        let app = tokens[token].app
        if tokens[token].account.penalty.isActive(at: now) {
            return .refused(.tokenConcurrency, retryAfter: tokens[token].account.penalty.strike(at: now))
        }
        if let app, apps[app].penalty.isActive(at: now) {
            return .refused(.appConcurrency, retryAfter: apps[app].penalty.strike(at: now))
        }
        if tokens[token].account.window.count(at: now) >= limits.tokenPerSecond {
            return .refused(.tokenRate, retryAfter: nil)
        }
        if let app, apps[app].window.count(at: now) >= limits.appPerSecond {
            return .refused(.appRate, retryAfter: nil)
        }
        if !isWaiting, tokens[token].account.inFlight >= limits.tokenInFlight {
            return .refused(.tokenConcurrency, retryAfter: tokens[token].account.penalty.strike(at: now))
        }
        if !isWaiting, let app, apps[app].inFlight >= limits.appInFlight {
            return .refused(.appConcurrency, retryAfter: apps[app].penalty.strike(at: now))
        }
        _ = tokens[token].account.window.add(now)
        if !isWaiting { tokens[token].account.inFlight += 1 }
        if let app {
            _ = apps[app].window.add(now)
            if !isWaiting { apps[app].inFlight += 1 }
        }
        return .admitted
    }

    /// The last byte of the answer to an arrived request was written, or its connection is gone.
    package mutating func leave(token: Int, verdict: Verdict, isWaiting: Bool = false) {
        let app = tokens[token].app
        switch verdict {
        case .admitted where isWaiting: break
        case .admitted:
            tokens[token].account.inFlight -= 1
            if let app { apps[app].inFlight -= 1 }
        case .refused(.tokenConcurrency, _): tokens[token].account.penalty.wasTold()
        case .refused(.appConcurrency, _): if let app { apps[app].penalty.wasTold() }
        case .refused: break
        }
    }
}
