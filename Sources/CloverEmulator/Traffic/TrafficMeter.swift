import Synchronization

/// Counts requests and applies the limits. Arrivals and departures are reported by the connections on the one event
/// loop, so their order here is the order on the wire; everything is behind one lock because answers are made elsewhere.
package final class TrafficMeter: Sendable {
    private struct Gauge: Sendable {
        var arrivals = SlidingWindow()
        var inFlight = 0
        /// Requests that wait for a person at a device.
        var waiting = 0
    }

    private struct State: Sendable {
        var law: LimitLaw
        var statistics = TrafficStatistics()
        var tokens: [Gauge]
        var app = Gauge()
        var faultWaits: [Penalty]
        /// The place of each good token in the lists.
        var places: [String: Int]
        /// Places of tokens that are gone but have requests in flight, and places free to be used again.
        var retired: Set<Int> = []
        var free: [Int] = []
        var tickets: [Int: Ticket] = [:]
        /// When the newest request came, in nanoseconds.
        var newestArrival = 0

        mutating func count(_ token: Int, isWaiting: Bool, at now: Int) {
            if isWaiting {
                tokens[token].waiting += 1
                app.waiting += 1
            } else {
                tokens[token].inFlight += 1
                app.inFlight += 1
            }
            statistics.peakInFlight = max(statistics.peakInFlight, tokens[token].inFlight)
            statistics.appPeakInFlight = max(statistics.appPeakInFlight, app.inFlight)
            statistics.peakPerSecond = max(statistics.peakPerSecond, tokens[token].arrivals.add(now))
            statistics.appPeakPerSecond = max(statistics.appPeakPerSecond, app.arrivals.add(now))
        }

        /// Frees a place when nothing of its token is in flight any more.
        mutating func release(_ place: Int) {
            guard retired.contains(place), tokens[place].inFlight + tokens[place].waiting == 0 else { return }
            retired.remove(place)
            free.append(place)
        }
    }

    package let limits: TrafficLimits
    private let isEnforced: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - tokens: the access tokens of the app that are good from the start.
    ///   - isEnforced: false counts without refusing anybody.
    package init(tokens: [String], limits: TrafficLimits = TrafficLimits(), isEnforced: Bool) {
        self.limits = limits
        self.isEnforced = isEnforced
        state = Mutex(
            State(
                law: LimitLaw(limits: limits, tokenCount: tokens.count),
                tokens: Array(repeating: Gauge(), count: tokens.count),
                faultWaits: Array(repeating: Penalty(), count: tokens.count),
                places: Dictionary(
                    tokens.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })))
    }

    /// A new access token of the app is good from now on, with limits of its own.
    package func admit(token: String) {
        state.withLock { state in
            guard state.places[token] == nil else { return }
            if let place = state.free.popLast() {
                state.law.clearToken(place)
                state.tokens[place] = Gauge()
                state.faultWaits[place] = Penalty()
                state.places[token] = place
            } else {
                state.places[token] = state.law.addToken()
                state.tokens.append(Gauge())
                state.faultWaits.append(Penalty())
            }
        }
    }

    /// An access token is good no longer. Requests that have arrived with it still get their answers.
    package func retire(token: String) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: token) else { return }
            state.retired.insert(place)
            state.release(place)
        }
    }

    /// True for an access token that is good.
    package func knows(token: String) -> Bool {
        state.withLock { $0.places[token] != nil }
    }

    package var statistics: TrafficStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.inFlight = state.app.inFlight + state.app.waiting
            return statistics
        }
    }

    /// A connection was accepted.
    package func connected() {
        state.withLock { $0.statistics.connections += 1 }
    }

    /// A V3 request's head has arrived. Gives the number to leave with.
    ///
    /// - Parameter isWaiting: its answer waits for a person at a device, so that it counts as made, and not as in flight.
    package func arrive(token text: String?, isWaiting: Bool = false, at now: Int) -> Int {
        state.withLock { state in
            // Two connections may be read in another order than their requests came.
            let now = max(now, state.newestArrival)
            state.newestArrival = now
            state.statistics.requests += 1
            let number = state.statistics.requests
            let token = text.flatMap { state.places[$0] }
            var verdict = Verdict.admitted
            if let token {
                state.count(token, isWaiting: isWaiting, at: now)
                if state.faultWaits[token].isEarly(at: now) { state.statistics.earlyCalls += 1 }
                if isEnforced { verdict = state.law.arrive(token: token, isWaiting: isWaiting, at: now) }
                if case .refused(let refusal, let wait) = verdict {
                    state.statistics.rejected[refusal, default: 0] += 1
                    if let wait, wait > 1 { state.statistics.earlyCalls += 1 }
                }
            }
            state.tickets[number] = Ticket(number: number, token: token, verdict: verdict, isWaiting: isWaiting)
            return number
        }
    }

    /// The ticket of a request that has not left yet.
    package func ticket(_ number: Int) -> Ticket? {
        state.withLock { $0.tickets[number] }
    }

    /// A fault was chosen as the answer to a request.
    package func spoiled() {
        state.withLock { $0.statistics.faults += 1 }
    }

    /// The seconds of `retry-after` for a fault that imitates the concurrency limit: longer each time it hits a request
    /// that came too early.
    package func faultWait(_ number: Int, at now: Int) -> Int {
        state.withLock { state in
            guard let token = state.tickets[number]?.token else { return 1 }
            state.tickets[number]?.isFaultWait = true
            return state.faultWaits[token].strike(at: now)
        }
    }

    /// The last byte of the answer was written, or the connection is gone.
    package func leave(_ number: Int) {
        state.withLock { state in
            guard let ticket = state.tickets.removeValue(forKey: number), let token = ticket.token else { return }
            if ticket.isWaiting {
                state.tokens[token].waiting -= 1
                state.app.waiting -= 1
            } else {
                state.tokens[token].inFlight -= 1
                state.app.inFlight -= 1
            }
            if ticket.isFaultWait { state.faultWaits[token].wasTold() }
            if isEnforced { state.law.leave(token: token, verdict: ticket.verdict, isWaiting: ticket.isWaiting) }
            state.release(token)
        }
    }
}
