import ServiceLifecycle
import Synchronization

/// Counts requests and applies the limits. Connections report starts and ends of requests on the single event loop, so
/// their order here is the order on the wire; one lock protects everything because responses are prepared elsewhere.
package final class TrafficMeter: Sendable {
    /// A token, or an app with all its tokens; the limiter has it under the same index.
    private struct Party: Sendable {
        /// Nil for an app.
        var owner: TokenOwner?
        let appID: String?
        var gauge = TrafficGauge()
        var faultWait = ConcurrencyPenalty()
    }

    private struct State: Sendable {
        var law: RequestLimiter
        var statistics = TrafficStatistics()
        var log = TrafficLog()
        var parties: [Party] = []
        /// The index of each valid token.
        var places: [String: Int] = [:]
        /// Indexes of retired tokens that have requests in flight, and indexes free for reuse.
        var retired: Set<Int> = []
        var free: [Int] = []
        var tickets: [Int: RequestTicket] = [:]
        /// Tickets of requests whose client has closed its sending side and which still get a response.
        var halfClosed: [Int: RequestTicket] = [:]
        /// Arrival of the newest request, in nanoseconds.
        var newestArrival = 0

        /// The index of an app, which is added if it is new.
        mutating func app(_ id: String?) -> Int? {
            guard let id else { return nil }
            if let place = parties.firstIndex(where: { $0.owner == nil && $0.appID == id }) { return place }
            parties.append(Party(appID: id))
            return law.addApp()
        }

        mutating func count(_ token: Int, isWaiting: Bool, at now: Int) {
            for place in law.places(of: token) {
                parties[place].gauge.arrive(isWaiting: isWaiting, at: now)
                statistics.add(parties[place].gauge, isApp: place != token)
            }
        }

        mutating func refuse(_ token: Int, _ refusal: LimitKind) {
            statistics.rejected[refusal, default: 0] += 1
            for place in law.places(of: token) { parties[place].gauge.refuse(refusal) }
        }

        /// Frees an index once no request of its token is in flight.
        mutating func release(_ place: Int) {
            guard retired.contains(place), parties[place].gauge.isIdle else { return }
            retired.remove(place)
            free.append(place)
        }
    }

    package let limits: TrafficLimits
    private let isEnforced: Bool
    private let onEnd: (@Sendable (TrafficLog.Entry) -> Void)?
    private let state: Mutex<State>

    /// Creates a meter without tokens.
    ///
    /// - Parameters:
    ///   - apps: the ids of apps that statistics show from the start.
    ///   - isEnforced: false counts requests without refusing any.
    ///   - onEnd: called when a request ends; must not block.
    package init(
        apps: [String] = [], limits: TrafficLimits = TrafficLimits(), isEnforced: Bool,
        onEnd: (@Sendable (TrafficLog.Entry) -> Void)? = nil
    ) {
        self.limits = limits
        self.isEnforced = isEnforced
        self.onEnd = onEnd
        var initial = State(law: RequestLimiter(limits: limits))
        for app in apps { _ = initial.app(app) }
        state = Mutex(initial)
    }

    package func admit(token: String, of owner: TokenOwner) {
        state.withLock { state in
            guard state.places[token] == nil else { return }
            let app = state.app(owner.appID)
            if let place = state.free.popLast() {
                state.law.clearToken(place, app: app)
                state.parties[place] = Party(owner: owner, appID: owner.appID)
                state.places[token] = place
            } else {
                state.places[token] = state.law.addToken(app: app)
                state.parties.append(Party(owner: owner, appID: owner.appID))
            }
        }
    }

    /// Removes an access token. Requests that have already arrived with it still get their responses.
    package func retire(token: String) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: token) else { return }
            state.retired.insert(place)
            state.release(place)
        }
    }

    /// The owner of an access token; nil for an invalid one.
    package func owner(of token: String) -> TokenOwner? {
        state.withLock { state in state.places[token].flatMap { state.parties[$0].owner } }
    }

    package var statistics: TrafficStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.inFlight = state.tickets.values.count { $0.token != nil }
            statistics.apps = state.parties.filter { $0.owner == nil }.map {
                TrafficAccount(token: nil, merchantID: nil, appID: $0.appID, gauge: $0.gauge)
            }
            statistics.tokens = state.places.sorted { $0.value < $1.value }.compactMap { token, place in
                let party = state.parties[place]
                guard party.gauge.requests > 0 else { return nil }
                return TrafficAccount(
                    token: token, merchantID: party.owner?.merchantID, appID: party.appID, gauge: party.gauge)
            }
            return statistics
        }
    }

    package var log: TrafficLog { state.withLock { $0.log } }

    /// Adds one to a number of the statistics.
    func count(_ number: WritableKeyPath<TrafficStatistics, Int>) {
        state.withLock { $0.statistics[keyPath: number] += 1 }
    }

    /// Records the arrival of a request's head and returns its number for `leave`.
    ///
    /// - Parameters:
    ///   - request: method and path, for the log.
    ///   - isWaiting: whether the response waits for a person at a device; such a request counts as made but not as in
    ///     flight.
    package func arrive(token text: String?, request: String = "", isWaiting: Bool = false, at now: Int) -> Int {
        state.withLock { state in
            // Connections may be read in a different order than their requests arrived.
            let now = max(now, state.newestArrival)
            state.newestArrival = now
            state.statistics.requests += 1
            let number = state.statistics.requests
            let token = text.flatMap { state.places[$0] }
            var verdict = LimitDecision.admitted
            var refusal: LimitKind?
            if let token {
                state.count(token, isWaiting: isWaiting, at: now)
                if state.parties[token].faultWait.isEarly(at: now) { state.statistics.earlyCalls += 1 }
                if isEnforced { verdict = state.law.arrive(token: token, isWaiting: isWaiting, at: now) }
                if case .refused(let limit, let wait) = verdict {
                    refusal = limit
                    state.refuse(token, limit)
                    if let wait, wait > 1 { state.statistics.earlyCalls += 1 }
                }
            }
            let owner = token.flatMap { state.parties[$0].owner }
            state.tickets[number] = RequestTicket(
                number: number, token: token, owner: owner, verdict: verdict, isWaiting: isWaiting)
            state.log.add(
                TrafficLog.Entry(
                    number: number, request: request, owner: owner, refusal: refusal, time: EmulatorClock().now(),
                    arrived: now))
            return number
        }
    }

    /// The ticket of a request that has no response yet.
    package func ticket(_ number: Int) -> RequestTicket? {
        state.withLock { $0.tickets[number] ?? $0.halfClosed[number] }
    }

    /// The `retry-after` seconds of a fault that imitates the concurrency limit; they grow each time it hits a request
    /// that came too early.
    package func faultWait(_ number: Int, at now: Int) -> Int {
        state.withLock { state in
            guard let token = state.tickets[number]?.token else { return 1 }
            state.tickets[number]?.isFaultWait = true
            return state.parties[token].faultWait.strike(at: now)
        }
    }

    func respond(_ number: Int, status: Int) {
        state.withLock { $0.log.respond(number, status: status) }
    }

    /// Records that the last byte of the response was written, or that the connection is gone.
    ///
    /// - Parameter isAnswered: false if the client has closed its sending side and still gets a response.
    package func leave(_ number: Int, at now: Int, isAnswered: Bool = true) {
        let entry = state.withLock { state -> TrafficLog.Entry? in
            if isAnswered { state.halfClosed[number] = nil }
            guard let ticket = state.tickets.removeValue(forKey: number) else { return nil }
            if !isAnswered { state.halfClosed[number] = ticket }
            let entry = state.log.leave(number, at: now)
            guard let token = ticket.token else { return entry }
            for place in state.law.places(of: token) {
                state.parties[place].gauge.leave(isWaiting: ticket.isWaiting)
            }
            if ticket.isFaultWait { state.parties[token].faultWait.wasTold() }
            if isEnforced { state.law.leave(token: token, verdict: ticket.verdict, isWaiting: ticket.isWaiting) }
            state.release(token)
            return entry
        }
        if let entry { onEnd?(entry) }
    }
}

/// A record or payment request in progress.
package struct RequestTicket: Sendable {
    package let number: Int
    /// Index of the token; nil for a missing or unknown one, to which no limits apply.
    package let token: Int?
    /// The token's owner; nil without a token.
    package let owner: TokenOwner?
    package let verdict: LimitDecision
    /// Waits for a person; does not count as in flight.
    let isWaiting: Bool
    /// Set when a fault demands a wait, so that the meter knows when the sender has received it.
    var isFaultWait = false
}

/// The newest requests with the times of their arrival and of the last byte of their response, as the connections saw
/// them. Times are passed in nanoseconds, never decreasing, and reported in milliseconds since the first request.
package struct TrafficLog: Sendable {
    package struct Entry: Sendable {
        let number: Int
        /// Method and path, without the query.
        let request: String
        let owner: TokenOwner?
        let refusal: LimitKind?
        /// By the system clock, in milliseconds since 1970.
        let time: Int
        let arrived: Int
        /// The HTTP status of the response; nil until its head is written.
        var status: Int?
        var left: Int?

        /// From the arrival to the end of the response; nil while it is in progress.
        var milliseconds: Int? { left.map { ($0 - arrived) / 1_000_000 } }
    }

    /// Minimum number of entries kept.
    package static let length = 10_000

    private var entries: [Entry] = []
    private var start: Int?

    mutating func add(_ entry: Entry) {
        if start == nil { start = entry.arrived }
        if entries.count >= 2 * Self.length { entries.removeFirst(Self.length) }
        entries.append(entry)
    }

    mutating func respond(_ number: Int, status: Int) {
        if let place = place(of: number) { entries[place].status = status }
    }

    /// Records the end of a response, and returns its entry; nil if it is too old to be here.
    mutating func leave(_ number: Int, at now: Int) -> Entry? {
        guard let place = place(of: number) else { return nil }
        entries[place].left = now
        return entries[place]
    }

    /// Numbers increase by one.
    private func place(of number: Int) -> Int? {
        guard let first = entries.first?.number, entries.indices.contains(number - first) else { return nil }
        return number - first
    }

    /// The newest entries, oldest first.
    func newest(_ count: Int) -> [Entry] { Array(entries.suffix(count)) }

    /// The response to `GET /emulator/requests`.
    package var json: JSONValue {
        let start = start ?? 0
        func milliseconds(_ time: Int) -> JSONValue { .integer((time - start) / 1_000_000) }
        let elements = entries.suffix(Self.length).map { entry -> JSONValue in
            [
                "number": .integer(entry.number), "request": .string(entry.request),
                "merchantId": entry.owner.map { .string($0.merchantID) } ?? .null,
                "appId": entry.owner?.appID.map { .string($0) } ?? .null,
                "arrivedMilliseconds": milliseconds(entry.arrived),
                "leftMilliseconds": entry.left.map { milliseconds($0) } ?? .null,
                "status": entry.status.map { .integer($0) } ?? .null,
                "rejected": entry.refusal.map { .string($0.rawValue) } ?? .null,
            ]
        }
        return ["elements": .array(elements)]
    }
}

/// Writes a line for each record or payment request when it ends.
///
/// Lines are written on a task of their own, because a terminal may be stopped (Ctrl-S), and connections must not wait.
/// If it stays behind, the oldest lines are dropped.
final class RequestLog: Service {
    private static let mostWaiting = 10_000

    private let entries: AsyncStream<TrafficLog.Entry>
    private let input: AsyncStream<TrafficLog.Entry>.Continuation
    private let style: LogStyle
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line with its line break; may block.
    init(isColored: Bool, write: @escaping @Sendable (String) -> Void) {
        (entries, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        style = LogStyle(isColored: isColored)
        self.write = write
    }

    func add(_ entry: TrafficLog.Entry) { input.yield(entry) }

    func run() async {
        for await entry in entries.cancelOnGracefulShutdown() { write(Self.line(entry, style)) }
    }

    /// Such as `17:20:11Z 429    0 ms GET /v3/merchants/ID/orders  refused: tokenRate`.
    static func line(_ entry: TrafficLog.Entry, _ style: LogStyle) -> String {
        let status: String
        switch entry.status {
        case nil: status = style.red("---")
        case .some(let code) where code < 300: status = style.green("\(code)")
        case .some(let code) where code < 500: status = style.yellow("\(code)")
        case .some(let code): status = style.red("\(code)")
        }
        let duration = String("      \(entry.milliseconds ?? 0) ms".suffix(8))
        let remarks = entry.refusal.map { "  refused: \($0.rawValue)" } ?? (entry.status == nil ? "  no response" : "")
        return style.faint(CivilDate.timeOfDay(entry.time)) + " \(status) \(duration) \(visible(entry.request))"
            + style.yellow(remarks) + "\n"
    }

    /// The text without control characters, which a path may contain.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
