import Synchronization

/// Rows that come and go while clients page, as in a shop that is open: after every so many requests for a list one row
/// of it goes and one comes in front.
final class Drift: Sendable {
    private struct State: Sendable {
        var requests: [String: Int] = [:]
        var events = 0
        var inserted: [String] = []
        var removed: [String] = []
    }

    private let period: Int
    private let seed: UInt64
    private let state = Mutex(State())

    init(period: Int, seed: UInt64) {
        self.period = period
        self.seed = seed
    }

    /// Counts a request for a list; nil when nothing happens at it, otherwise whether the row goes before the answer and
    /// comes after it, or the other way round.
    func isDue(_ list: String) -> Bool? {
        state.withLock { state in
            let number = state.requests[list, default: 0] + 1
            state.requests[list] = number
            return number % period == 0 ? number / period % 2 == 1 : nil
        }
    }

    /// Which of the first `bound` rows goes.
    func place(below bound: Int) -> Int {
        let number = state.withLock { $0.events }
        var random = SeededRandom(seed: seed, stream: .drift, index: number)
        return random.below(bound)
    }

    /// The number of the next row that comes.
    func nextNumber() -> Int {
        state.withLock { state in
            state.events += 1
            return state.events
        }
    }

    func inserted(_ id: String) {
        state.withLock { $0.inserted.append(id) }
    }

    func removed(_ id: String) {
        state.withLock { $0.removed.append(id) }
    }

    /// The id of a row that came.
    static func id(_ number: Int, list: String, shop: Shop) -> String {
        let part = ["orders": 0, "items": 1, "customers": 2][list] ?? 3
        return shop.ids.identifier(.drift, number << 2 | part).description
    }

    /// `{"inserted":[...],"removed":[...]}` with the ids in the order of what happened.
    var json: JSONValue {
        state.withLock { state in
            .object([
                ("inserted", .array(state.inserted.map { .string($0) })),
                ("removed", .array(state.removed.map { .string($0) })),
            ])
        }
    }
}
