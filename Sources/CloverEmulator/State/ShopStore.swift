import Synchronization

/// The current state of the shop. Writes are serialized; a request that reads keeps the view it started with.
package final class ShopStore: Sendable {
    package let shop: Shop
    /// Rows that are inserted and deleted while clients page; nil for none.
    let drift: Drift?
    private let clock: ShopClock
    private let state: Mutex<ShopState>
    private let journal: Journal?
    /// Called with the changes of each write, in order, under the lock that serializes writes.
    private let onChange: @Sendable ([ShopChange]) -> Void

    /// Creates a shop in memory.
    ///
    /// - Parameter driftPeriod: number of list requests per inserted and deleted row; nil for never.
    package init(shop: Shop, clock: ShopClock = .counted, driftPeriod: Int? = nil) {
        self.shop = shop
        self.clock = clock
        journal = nil
        onChange = { _ in }
        drift = driftPeriod.map { Drift(period: $0, seed: shop.settings.seed) }
        state = Mutex(ShopState(shop: shop))
    }

    /// Creates a shop that stores its writes in a file and starts with the file's content; nil keeps it in memory.
    ///
    /// - Parameter onChange: called with the changes of each write, in order; must be quick.
    /// - Throws: `JournalError.cannotReplay` if a change cannot be replayed.
    package init(
        shop: Shop, clock: ShopClock = .counted, driftPeriod: Int? = nil, journal: Journal?,
        onChange: @escaping @Sendable ([ShopChange]) -> Void = { _ in }
    ) throws(JournalError) {
        self.shop = shop
        self.clock = clock
        self.journal = journal
        self.onChange = onChange
        drift = driftPeriod.map { Drift(period: $0, seed: shop.settings.seed) }
        var view = ShopView(shop: shop)
        for (place, entry) in (journal?.entries ?? []).enumerated() {
            do {
                try Self.replay(entry, on: &view)
            } catch {
                throw .cannotReplay(path: journal?.path ?? "", line: place + 2)
            }
        }
        state = Mutex(view.state)
    }

    package var view: ShopView {
        ShopView(shop: shop, state: state.withLock { $0 })
    }

    /// Performs a write request. A refused request changes nothing. The write is in the journal before this returns.
    func write(_ request: APIRequest, _ match: RouteTable.Match) throws(APIError) -> EmulatorResponse {
        try state.withLock { state throws(APIError) in try write(request, match, on: &state) }
    }

    /// Performs a request that is made from the current state. Returns the request, and whether it succeeded.
    func write(_ make: (ShopView) -> APIRequest) -> (request: APIRequest, isDone: Bool) {
        state.withLock { state in
            let request = make(ShopView(shop: shop, state: state))
            do throws(APIError) {
                _ = try write(request, try RouteTable.all.match(request.method, request.path), on: &state)
                return (request, true)
            } catch {
                return (request, false)
            }
        }
    }

    private func write(
        _ request: APIRequest, _ match: RouteTable.Match, on state: inout ShopState
    ) throws(APIError) -> EmulatorResponse {
        var handler = WriteHandler(view: ShopView(shop: shop, state: state), now: clock.time(after: state.time))
        let answer = try handler.answer(to: request, match)
        // A change that cannot be stored is not made.
        guard keep(JournalEntry(time: handler.now, change: .request(request))) else { throw .serverError }
        state = handler.finished
        onChange(
            ShopChange.changes(method: request.method, path: request.path, answer: answer.body, time: handler.now))
        return answer
    }

    /// Performs a payment call; calls are serialized. A refused call changes nothing. The changes are in the journal
    /// before this returns.
    package func exchange(_ work: (inout PaymentHandler) throws(PaymentRefusal) -> EmulatorResponse) -> EmulatorResponse
    {
        state.withLock { state in
            do throws(PaymentRefusal) {
                let (answer, changes, identifiers, time) = try transact(state, work)
                guard !changes.isEmpty else { return answer }
                // A change that cannot be stored is not made.
                guard keep(JournalEntry(time: time, change: .money(changes, identifiers: identifiers))) else {
                    return EmulatorResponse(.serverError)
                }
                state.apply(changes, identifiers: identifiers, time: time, shop: shop)
                onChange(changes.compactMap { ShopChange($0, time: time) })
                return answer
            } catch {
                return error.answer
            }
        }
    }

    /// Runs the work on a temporary value, so that the changes are then applied in place and not to a copy of the
    /// state.
    private func transact(
        _ state: ShopState, _ work: (inout PaymentHandler) throws(PaymentRefusal) -> EmulatorResponse
    ) throws(PaymentRefusal) -> (answer: EmulatorResponse, changes: [PaymentChange], identifiers: Int, time: Int) {
        var handler = PaymentHandler(view: ShopView(shop: shop, state: state), now: clock.time(after: state.time))
        let answer = try work(&handler)
        return (answer, handler.changes, handler.identifiers, handler.now)
    }

    // MARK: Drift

    /// `{"inserted":[...],"removed":[...]}` with the ids of rows that drift inserted and deleted, in order.
    package var driftReport: JSONValue {
        drift?.json ?? ["inserted": [], "removed": []]
    }

    /// Deletes a row, like another client's request.
    func removeRow(_ id: String, of list: String) {
        drift?.removed(id)
        change(.removal(list: list, id: id))
    }

    /// Inserts a new row at the front of a list.
    func insertRow(in list: String) {
        guard let drift else { return }
        change(.insertion(list: list, number: drift.nextNumber()))
    }

    private func change(_ change: JournalEntry.Change) {
        state.withLock { state in
            let entry = JournalEntry(time: clock.time(after: state.time), change: change)
            var view = ShopView(shop: shop, state: state)
            do {
                try Self.replay(entry, on: &view)
            } catch {
                return
            }
            if case .insertion(let list, let number) = change {
                drift?.inserted(Drift.id(number, list: list, shop: shop))
            }
            guard keep(entry) else { return }
            state = view.state
            if let shown = shownChange(change, time: entry.time) { onChange([shown]) }
        }
    }

    /// The webhook of a row that drift inserted or deleted.
    private func shownChange(_ change: JournalEntry.Change, time: Int) -> ShopChange? {
        switch change {
        case .insertion(let list, let number):
            ShopChange(list: list, id: Drift.id(number, list: list, shop: shop), type: .create, time: time)
        case .removal(let list, let id): ShopChange(list: list, id: id, type: .delete, time: time)
        case .request, .money: nil
        }
    }

    private func keep(_ entry: JournalEntry) -> Bool {
        journal?.append(entry) ?? true
    }

    private static func replay(_ entry: JournalEntry, on view: inout ShopView) throws(APIError) {
        if case .money(let changes, let identifiers) = entry.change {
            // Before a handler holds a copy of the state.
            return view.state.apply(changes, identifiers: identifiers, time: entry.time, shop: view.shop)
        }
        var handler = WriteHandler(view: view, now: entry.time)
        switch entry.change {
        case .request(let request):
            _ = try handler.answer(to: request, try RouteTable.all.match(request.method, request.path))
        case .removal(let list, let id): handler.removeRow(id, of: list)
        case .insertion(let list, let number): try handler.insertRow(number, in: list)
        case .money: return
        }
        view.state = handler.finished
    }
}

/// Inserts and deletes rows while clients page, as in a shop in operation: once per a number of requests for a list,
/// one row of it is deleted and one is inserted in front.
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

    /// Counts a request for a list. Nil if no change is due; otherwise true to delete before the response and insert
    /// after it, false for the reverse.
    func isDue(_ list: String) -> Bool? {
        state.withLock { state in
            let number = state.requests[list, default: 0] + 1
            state.requests[list] = number
            return number % period == 0 ? number / period % 2 == 1 : nil
        }
    }

    /// Chooses one of the first `bound` rows for deletion.
    func place(below bound: Int) -> Int {
        var random = SeededRandom(seed: seed, stream: .drift, index: state.withLock { $0.events })
        return random.below(bound)
    }

    /// The number of the next inserted row.
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

    /// The id of an inserted row.
    static func id(_ number: Int, list: String, shop: Shop) -> String {
        let part = ["orders": 0, "items": 1, "customers": 2][list] ?? 3
        return shop.ids.identifier(.drift, number << 2 | part).description
    }

    var json: JSONValue {
        state.withLock { state in
            [
                "inserted": .array(state.inserted.map { .string($0) }),
                "removed": .array(state.removed.map { .string($0) }),
            ]
        }
    }
}
