import CloverHTTP
import Foundation
import Synchronization

/// A list in the order of time at a service of whose behaviour nothing is certain: between two requests rows come, go
/// and change, many of them of one instant; pages are clamped, by a clamp that changes, and cut anywhere; the answers
/// to pages that are under way at once are made in any order.
final class ChangingService: HTTPTransport {
    struct Row: Sendable {
        var id: Int
        var time: Int64
        /// Its place among those of one instant.
        var place: UInt64
    }

    struct Weather: Sendable {
        /// Rows that come, go or change at a request, at most.
        var changes = 0
        /// The total number of changes; after that the list is stable.
        var mostChanges = 40
        /// The next page's clamp is drawn from these; none without.
        var clamps: [Int] = []
        var changesClamp = false
        /// How likely it is that a page is cut somewhere.
        var cuts = 0.0
        /// How likely it is that what goes is among what was given last.
        var nearness = 0.0
        /// How late answers are made, and given.
        var delay = 0
        /// Rows that come do so at any time, and not only now.
        var backdates = false
        /// By how much the service's clock goes on with a change.
        var tick: Int64 = 1
    }

    private struct State {
        var rows: [Row]
        var random: SplitMix
        var clock: Int64
        var nextID: Int
        var changesLeft: Int
        var clamp: Int
        /// The place of the last row that was given.
        var lastGiven = 0
        var touched: Set<Int> = []
        var deleted: Set<Int> = []
        var versions: Set<String> = []
        var requests = 0
    }

    let weather: Weather
    let span: ClosedRange<Int64>
    private let state: Mutex<State>

    /// - Parameters:
    ///   - rows: in any order.
    ///   - span: the times at which rows can come that are backdated.
    ///   - clock: the time of what changes first; none of the rows is later.
    init(_ rows: [Row], span: ClosedRange<Int64>, clock: Int64, _ weather: Weather, seed: UInt64) {
        self.weather = weather
        self.span = span
        var state = State(
            rows: rows, random: SplitMix(state: seed), clock: clock, nextID: rows.count,
            changesLeft: weather.mostChanges, clamp: weather.clamps.first ?? .max)
        state.rows.sort(by: Self.isBefore)
        state.versions = Set(rows.map(Self.version))
        self.state = Mutex(state)
    }

    var requests: Int { state.withLock(\.requests) }
    var versions: Set<String> { state.withLock(\.versions) }
    /// The ids of rows that were changed or are gone.
    var touched: Set<Int> { state.withLock(\.touched) }
    var deleted: Set<Int> { state.withLock(\.deleted) }
    var rows: [Row] { state.withLock(\.rows) }

    static func version(_ row: Row) -> String { "{\"id\":\"R\(row.id)\",\"modifiedTime\":\(row.time)}" }

    private static func isBefore(_ one: Row, _ other: Row) -> Bool {
        one.time != other.time ? one.time < other.time : one.place < other.place
    }

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let (before, after) = state.withLock { state in
            (
                Int.random(in: 0...weather.delay, using: &state.random),
                Int.random(in: 0...weather.delay, using: &state.random)
            )
        }
        _ = departure.leave()
        for _ in 0..<before { await Task.yield() }
        let page = answer(request.url)
        for _ in 0..<after { await Task.yield() }
        return HTTPResponse(status: 200, headers: [], body: Body(page, onEnd))
    }

    private func answer(_ url: String) -> [UInt8] {
        var bounds = (from: Int64.min, to: Int64.max)
        for filter in url.values(of: "filter") {
            if filter.hasPrefix("modifiedTime>=") { bounds.from = max(bounds.from, Int64(filter.dropFirst(14)) ?? 0) }
            if filter.hasPrefix("modifiedTime<") && !filter.hasPrefix("modifiedTime<=") {
                bounds.to = min(bounds.to, Int64(filter.dropFirst(13)) ?? 0)
            }
        }
        func number(_ name: String) -> Int? { url.values(of: name).first.flatMap { Int($0) } }
        return state.withLock { state in
            state.requests += 1
            change(&state)
            let begin = state.rows.firstIndex { $0.time >= bounds.from } ?? state.rows.count
            let end = state.rows.firstIndex { $0.time >= bounds.to } ?? state.rows.count
            let start = min(end, begin + (number("offset") ?? 0))
            var count = min(end - start, number("limit") ?? 100, state.clamp)
            if count > 1, Double.random(in: 0..<1, using: &state.random) < weather.cuts {
                count = Int.random(in: 1..<count, using: &state.random)
            }
            state.lastGiven = start + count - 1
            let page = state.rows[start..<(start + count)].map(Self.version).joined(separator: ",")
            return Array("{\"elements\":[\(page)]}".utf8)
        }
    }

    private func change(_ state: inout State) {
        if weather.changesClamp, let clamp = weather.clamps.randomElement(using: &state.random),
            Int.random(in: 0..<3, using: &state.random) == 0
        {
            state.clamp = clamp
        }
        for _ in 0..<Int.random(in: 0...weather.changes, using: &state.random) where state.changesLeft > 0 {
            state.changesLeft -= 1
            switch Int.random(in: 0..<3, using: &state.random) {
            case 0:
                var time = now(&state)
                if weather.backdates, Bool.random(using: &state.random) {
                    time = min(time, Int64.random(in: span, using: &state.random))
                }
                put(state.nextID, at: time, &state)
                state.touched.insert(state.nextID)
                state.nextID += 1
            case 1:
                guard let victim = victim(&state) else { continue }
                state.touched.insert(state.rows[victim].id)
                state.deleted.insert(state.rows.remove(at: victim).id)
            default:
                guard let victim = victim(&state) else { continue }
                let row = state.rows.remove(at: victim)
                state.touched.insert(row.id)
                // No version of a row has the time of another one of it.
                if row.time >= state.clock { state.clock = row.time + 1 }
                put(row.id, at: now(&state), &state)
            }
        }
    }

    private func now(_ state: inout State) -> Int64 {
        state.clock += Int64.random(in: 0...weather.tick, using: &state.random)
        return state.clock
    }

    private func put(_ id: Int, at time: Int64, _ state: inout State) {
        let row = Row(id: id, time: time, place: state.random.next())
        let place = state.rows.firstIndex { Self.isBefore(row, $0) } ?? state.rows.count
        state.rows.insert(row, at: place)
        state.versions.insert(Self.version(row))
    }

    private func victim(_ state: inout State) -> Int? {
        guard !state.rows.isEmpty else { return nil }
        if Double.random(in: 0..<1, using: &state.random) < weather.nearness {
            let place = state.lastGiven + Int.random(in: -2...1, using: &state.random)
            if state.rows.indices.contains(place) { return place }
        }
        return Int.random(in: 0..<state.rows.count, using: &state.random)
    }

    private final class Body: HTTPBody {
        private let rest: Mutex<[UInt8]?>
        private let onEnd: @Sendable () -> Void

        init(_ bytes: [UInt8], _ onEnd: @escaping @Sendable () -> Void) {
            rest = Mutex(bytes)
            self.onEnd = onEnd
        }

        deinit { cancel() }

        func next() async throws(HTTPTransportError) -> [UInt8]? {
            let bytes = rest.withLock { rest -> [UInt8]? in
                guard let bytes = rest, !bytes.isEmpty else { return nil }
                rest = []
                return bytes
            }
            if bytes == nil { cancel() }
            return bytes
        }

        func cancel() {
            let isFirst = rest.withLock { rest in
                defer { rest = nil }
                return rest != nil
            }
            if isFirst { onEnd() }
        }
    }
}

/// Runs tasks one after the other, in the order in which they became ready, so that a seed gives the same run again.
final class OneByOne: TaskExecutor {
    private let queue = DispatchQueue(label: "one by one")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
