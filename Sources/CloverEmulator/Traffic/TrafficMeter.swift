import Synchronization

/// Counts requests and applies the limits. Arrivals and departures are reported by the connections on the one event
/// loop, so their order here is the order on the wire; everything is behind one lock because answers are made elsewhere.
package final class TrafficMeter: Sendable {
    /// The place of a token: what it has sent, and whose it is.
    private struct Place: Sendable {
        var gauge = TrafficGauge()
        var faultWait = Penalty()
        let owner: TokenOwner
        /// The place of its app.
        let app: Int?
    }

    private struct App: Sendable {
        let id: String
        var gauge = TrafficGauge()
    }

    private struct State: Sendable {
        var law: LimitLaw
        var statistics = TrafficStatistics()
        var log = TrafficLog()
        var tokens: [Place] = []
        var apps: [App] = []
        /// The place of each good token.
        var places: [String: Int] = [:]
        /// Places of tokens that are gone but have requests in flight, and places free to be used again.
        var retired: Set<Int> = []
        var free: [Int] = []
        var tickets: [Int: Ticket] = [:]
        /// Of requests whose client sends nothing more, and which are answered nevertheless.
        var halfClosed: [Int: Ticket] = [:]
        /// When the newest request came, in nanoseconds.
        var newestArrival = 0

        /// The place of an app, made when it is a new one.
        mutating func app(_ id: String?) -> Int? {
            guard let id else { return nil }
            if let place = apps.firstIndex(where: { $0.id == id }) { return place }
            apps.append(App(id: id))
            return law.addApp()
        }

        mutating func count(_ token: Int, isWaiting: Bool, at now: Int) {
            tokens[token].gauge.arrive(isWaiting: isWaiting, at: now)
            statistics.add(token: tokens[token].gauge)
            guard let app = tokens[token].app else { return }
            apps[app].gauge.arrive(isWaiting: isWaiting, at: now)
            statistics.add(app: apps[app].gauge)
        }

        mutating func refuse(_ token: Int, _ refusal: Refusal) {
            statistics.rejected[refusal, default: 0] += 1
            tokens[token].gauge.refuse(refusal)
            if let app = tokens[token].app { apps[app].gauge.refuse(refusal) }
        }

        /// Frees a place when nothing of its token is in flight any more.
        mutating func release(_ place: Int) {
            guard retired.contains(place), tokens[place].gauge.isIdle else { return }
            retired.remove(place)
            free.append(place)
        }
    }

    package let limits: TrafficLimits
    private let isEnforced: Bool
    private let state: Mutex<State>

    /// A meter that knows no tokens yet.
    ///
    /// - Parameters:
    ///   - apps: the ids of those that statistics show from the start.
    ///   - isEnforced: false counts without refusing anybody.
    package init(apps: [String] = [], limits: TrafficLimits = TrafficLimits(), isEnforced: Bool) {
        self.limits = limits
        self.isEnforced = isEnforced
        var initial = State(law: LimitLaw(limits: limits))
        for app in apps { _ = initial.app(app) }
        state = Mutex(initial)
    }

    /// A new access token is good from now on, with limits of its own beside those of its app.
    package func admit(token: String, of owner: TokenOwner) {
        state.withLock { state in
            guard state.places[token] == nil else { return }
            let app = state.app(owner.appID)
            if let place = state.free.popLast() {
                state.law.clearToken(place, app: app)
                state.tokens[place] = Place(owner: owner, app: app)
                state.places[token] = place
            } else {
                state.places[token] = state.law.addToken(app: app)
                state.tokens.append(Place(owner: owner, app: app))
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

    /// Whose an access token is; nil for one that is not good.
    package func owner(of token: String) -> TokenOwner? {
        state.withLock { state in state.places[token].map { state.tokens[$0].owner } }
    }

    package var statistics: TrafficStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.inFlight = state.tickets.values.count { $0.token != nil }
            statistics.apps = state.apps.map {
                TrafficAccount(token: nil, merchantID: nil, appID: $0.id, gauge: $0.gauge)
            }
            statistics.tokens = state.places.sorted { $0.value < $1.value }.compactMap { token, place in
                let owner = state.tokens[place].owner
                let gauge = state.tokens[place].gauge
                guard gauge.requests > 0 else { return nil }
                return TrafficAccount(token: token, merchantID: owner.merchantID, appID: owner.appID, gauge: gauge)
            }
            return statistics
        }
    }

    /// The newest requests.
    package var log: TrafficLog { state.withLock { $0.log } }

    /// A connection was accepted.
    package func connected() {
        state.withLock { $0.statistics.connections += 1 }
    }

    /// A V3 request's head has arrived. Gives the number to leave with.
    ///
    /// - Parameters:
    ///   - request: method and path, for the log.
    ///   - isWaiting: its answer waits for a person at a device, so that it counts as made, and not as in flight.
    package func arrive(token text: String?, request: String = "", isWaiting: Bool = false, at now: Int) -> Int {
        state.withLock { state in
            // Two connections may be read in another order than their requests came.
            let now = max(now, state.newestArrival)
            state.newestArrival = now
            state.statistics.requests += 1
            let number = state.statistics.requests
            let token = text.flatMap { state.places[$0] }
            var verdict = Verdict.admitted
            var refusal: Refusal?
            if let token {
                state.count(token, isWaiting: isWaiting, at: now)
                if state.tokens[token].faultWait.isEarly(at: now) { state.statistics.earlyCalls += 1 }
                if isEnforced { verdict = state.law.arrive(token: token, isWaiting: isWaiting, at: now) }
                if case .refused(let limit, let wait) = verdict {
                    refusal = limit
                    state.refuse(token, limit)
                    if let wait, wait > 1 { state.statistics.earlyCalls += 1 }
                }
            }
            let owner = token.map { state.tokens[$0].owner }
            state.tickets[number] = Ticket(
                number: number, token: token, owner: owner, verdict: verdict, isWaiting: isWaiting)
            state.log.add(
                TrafficLog.Entry(number: number, request: request, owner: owner, refusal: refusal, arrived: now))
            return number
        }
    }

    /// The ticket of a request that has not been answered yet.
    package func ticket(_ number: Int) -> Ticket? {
        state.withLock { $0.tickets[number] ?? $0.halfClosed[number] }
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
            return state.tokens[token].faultWait.strike(at: now)
        }
    }

    /// The last byte of the answer was written, or the connection is gone.
    ///
    /// - Parameter isAnswered: false when the client has closed its side, and is still answered.
    package func leave(_ number: Int, at now: Int, isAnswered: Bool = true) {
        state.withLock { state in
            if isAnswered { state.halfClosed[number] = nil }
            guard let ticket = state.tickets.removeValue(forKey: number) else { return }
            if !isAnswered { state.halfClosed[number] = ticket }
            state.log.leave(number, at: now)
            guard let token = ticket.token else { return }
            state.tokens[token].gauge.leave(isWaiting: ticket.isWaiting)
            if let app = state.tokens[token].app { state.apps[app].gauge.leave(isWaiting: ticket.isWaiting) }
            if ticket.isFaultWait { state.tokens[token].faultWait.wasTold() }
            if isEnforced { state.law.leave(token: token, verdict: ticket.verdict, isWaiting: ticket.isWaiting) }
            state.release(token)
        }
    }
}

/// A request for records or money on its way through the emulator.
package struct Ticket: Sendable {
    /// Counts such requests from 1.
    package let number: Int
    /// Place of the token; nil for none or an unknown one, which no limit looks at.
    package let token: Int?
    /// Whose token it is; nil together with the token.
    package let owner: TokenOwner?
    package let verdict: Verdict
    /// It waits for a person, and is not counted as in flight.
    let isWaiting: Bool
    /// Set when a fault told the sender to wait, so that the meter knows when it was told.
    var isFaultWait = false
}

/// The newest requests with the moments of their arrival and of the last byte of their answer, as the connections saw
/// them. Times come in as nanoseconds that never fall, and are told as milliseconds since the first request.
package struct TrafficLog: Sendable {
    struct Entry: Sendable {
        let number: Int
        /// Method and path, without the query.
        let request: String
        let owner: TokenOwner?
        let refusal: Refusal?
        let arrived: Int
        var left: Int?
    }

    /// So many are kept at least.
    package static let length = 10_000

    private var entries: [Entry] = []
    private var start: Int?

    mutating func add(_ entry: Entry) {
        if start == nil { start = entry.arrived }
        if entries.count >= 2 * Self.length { entries.removeFirst(Self.length) }
        entries.append(entry)
    }

    /// The answer to a request is out. Numbers rise one by one.
    mutating func leave(_ number: Int, at now: Int) {
        guard let first = entries.first?.number, entries.indices.contains(number - first) else { return }
        entries[number - first].left = now
    }

    /// The answer to `GET /emulator/requests`.
    package var json: JSONValue {
        let start = start ?? 0
        func milliseconds(_ time: Int) -> JSONValue { .integer((time - start) / 1_000_000) }
        return .object([
            (
                "elements",
                .array(
                    entries.suffix(Self.length).map { entry in
                        .object([
                            ("number", .integer(entry.number)), ("request", .string(entry.request)),
                            ("merchantId", entry.owner.map { .string($0.merchantID) } ?? .null),
                            ("appId", entry.owner?.appID.map { .string($0) } ?? .null),
                            ("arrivedMilliseconds", milliseconds(entry.arrived)),
                            ("leftMilliseconds", entry.left.map { milliseconds($0) } ?? .null),
                            ("rejected", entry.refusal.map { .string($0.rawValue) } ?? .null),
                        ])
                    })
            )
        ])
    }
}
