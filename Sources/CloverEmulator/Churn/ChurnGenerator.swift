import ServiceLifecycle
import Synchronization

/// Changes the shop while it is in use: at a given rate, and on demand.
package final class ChurnGenerator: Service {
    /// More than any test needs, and few enough to finish within one request.
    static let mostChanges = 10_000
    static let highestRate = 10_000.0

    private struct State: Sendable {
        var report = ChurnReport()
        var rate = 0.0
    }

    private let ledger: ShopStore
    private let churn: Churn
    private let state = Mutex(State())
    private let rates: AsyncStream<Double>
    private let newRate: AsyncStream<Double>.Continuation

    /// - Parameter rate: changes per second.
    package init(ledger: ShopStore, seed: UInt64, rate: Double = 0) {
        self.ledger = ledger
        churn = Churn(seed: seed)
        // Only the latest rate matters.
        (rates, newRate) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        if rate > 0 { setRate(rate) }
    }
    package var report: JSONValue {
        state.withLock { $0.report.json(perSecond: $0.rate) }
    }

    func setRate(_ rate: Double) {
        state.withLock { $0.rate = rate }
        newRate.yield(rate)
    }

    /// Makes changes now. Concurrent callers are serialized.
    package func change(times count: Int) {
        for _ in 0..<count {
            state.withLock { state in
                let (request, isDone) = ledger.write { churn.request(state.report.changes, $0) }
                state.report.count(request, isDone: isDone)
            }
        }
    }

    /// Makes changes at the current rate until graceful shutdown.
    package func run() async {
        var changing: Task<Void, Never>?
        for await rate in rates.cancelOnGracefulShutdown() {
            // Waits for the previous task, so that two never run at once.
            changing?.cancel()
            await changing?.value
            changing = rate > 0 ? Task { await change(perSecond: rate) } : nil
        }
        changing?.cancel()
        await changing?.value
    }

    private func change(perSecond rate: Double) async {
        let clock = ContinuousClock()
        let start = clock.now
        for number in 1... {
            do {
                try await clock.sleep(until: start + .seconds(Double(number) / rate))
            } catch {
                return
            }
            change(times: 1)
        }
    }
}

/// `/emulator/churn`: the changes made, the rate, and changes on demand.
extension ChurnGenerator {
    /// - Parameter query: `changes=N` makes changes before the response, `rate=R` sets the changes per second from then
    ///   on, 0 for none.
    func answer(_ method: String, _ query: QueryString) -> EmulatorResponse {
        EmulatorResponse { () throws(APIError) in
            guard method == "GET" || method == "POST" else { throw .methodNotAllowed(["GET", "POST"]) }
            if method == "POST", let text = query.values("rate").last {
                guard let rate = Double(text), (0...Self.highestRate).contains(rate) else {
                    throw .badRequest("rate must be from 0 to \(Int(Self.highestRate))")
                }
                setRate(rate)
            }
            if method == "POST", let text = query.values("changes").last {
                guard let count = Int(text), (0...Self.mostChanges).contains(count) else {
                    throw .badRequest("changes must be from 0 to \(Self.mostChanges)")
                }
                change(times: count)
            }
            return EmulatorResponse(json: report)
        }
    }
}

/// The changes made so far.
struct ChurnReport: Sendable {
    /// Changes to the rows of a list.
    private struct Events: Sendable {
        var inserted = 0
        var changed = 0
        /// Ids of deleted rows. No list has them any more, so this report is the only source.
        var removed: [String] = []
    }

    /// Number of changes made, which is also the number of the next change.
    private(set) var changes = 0
    private var rows: [String: Events] = [:]

    /// Counts an attempted change. Its number is used up even if the shop refused it.
    mutating func count(_ request: APIRequest, isDone: Bool) {
        changes += 1
        guard isDone, request.path.count > 2 else { return }
        let words = Array(request.path.dropFirst(2))
        switch (request.method, words.count) {
        case ("DELETE", _): rows[words[0], default: Events()].removed.append(words[1])
        case ("PUT", _): rows["items", default: Events()].changed += 1
        case (_, 2) where words[0] != "atomic_order": rows[words[0], default: Events()].changed += 1
        case (_, 3):
            rows[words[2], default: Events()].inserted += 1
            rows[words[0], default: Events()].changed += 1
        default: rows[words.last ?? "", default: Events()].inserted += 1
        }
    }

    /// `{"changes":N,"perSecond":R,"lists":{"orders":{"inserted":N,"changed":N,"removed":["ID"...]},...}}`
    func json(perSecond rate: Double) -> JSONValue {
        let lists = rows.sorted { $0.key < $1.key }.map { list, events -> (key: String, value: JSONValue) in
            let removed = events.removed.map { JSONValue.string($0) }
            return (
                list,
                [
                    "inserted": .integer(events.inserted), "changed": .integer(events.changed),
                    "removed": .array(removed),
                ]
            )
        }
        return ["changes": .integer(changes), "perSecond": .number("\(rate)"), "lists": .object(lists)]
    }
}
