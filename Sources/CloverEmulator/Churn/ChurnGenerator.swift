import NIOCore
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
        let time = ledger.view.state.time
        return state.withLock { $0.report.json(perSecond: $0.rate, time: time) }
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

    /// `{"changes":N,"perSecond":R,"time":T,"lists":{"orders":{"inserted":N,"changed":N,"removed":["ID"...]},...}}`
    ///
    /// - Parameter time: of the shop's last write, in milliseconds since 1970.
    func json(perSecond rate: Double, time: Int) -> JSONValue {
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
        return [
            "changes": .integer(changes), "perSecond": .number("\(rate)"), "time": .integer(time),
            "lists": .object(lists),
        ]
    }
}

/// Generates the changes of a shop in operation, one after another: orders are created, paid, edited and deleted,
/// payments get tips, customers and items are created, changed and deleted. Each change follows from the seed, its
/// number and the current state of the shop, so the same shop after the same number of changes is always in the same
/// state.
///
/// Payments are never deleted: the service reports them only as created and updated (Clover documentation, webhooks).
struct Churn: Sendable {
    /// Minimum list size: shorter lists lose no rows.
    private static let leastRows = 10
    /// Number of the newest rows that count as recent; every second change hits one of them.
    private static let recentCount = 40

    let seed: UInt64

    /// The request that makes a change.
    ///
    /// - Parameters:
    ///   - number: number of the change, from 0.
    ///   - view: the shop before the change.
    func request(_ number: Int, _ view: ShopView) -> APIRequest {
        var random = SeededRandom(seed: seed, stream: .churn, index: number)
        let merchant = view.shop.identity.merchantID.description
        let (method, path, body) = call(number, view, &random)
        return APIRequest(
            method: method, path: ["merchants", merchant] + path,
            body: body.map { ByteBuffer(bytes: $0.encoded) } ?? ByteBuffer(),
            contentType: body == nil ? nil : "application/json")
    }

    private typealias Call = (method: String, path: [String], body: JSONValue?)

    private func call(_ number: Int, _ view: ShopView, _ random: inout SeededRandom) -> Call {
        let draw = random.below(100)
        let attempt: Call? =
            switch draw {
            case 26..<44: payment(view, &random)
            case 44..<58: change("orders", view.orders(), ["note": "Changed \(number)"], &random)
            case 58..<64: removal("orders", view.orders(), &random)
            case 64..<76:
                change("payments", view.payments(), ["tipAmount": .integer(random.within(50...2000))], &random)
            case 82..<86: change("customers", view.customers(), ["lastName": "Changed \(number)"], &random)
            case 86..<89: removal("customers", view.customers(), &random)
            case 92..<95: change("items", items(view), ["price": price(&random)], &random)
            case 95..<97: manyItems(view, &random)
            case 97...: removal("items", items(view), &random)
            default: nil
            }
        if let attempt { return attempt }
        switch draw {
        case ..<76: return newOrder(number, view, &random)
        case ..<89:
            let customer: JSONValue = [
                "firstName": "Guest", "lastName": "\(number)",
                "marketingAllowed": .boolean(random.chance(perMille: 300)),
            ]
            return ("POST", ["customers"], customer)
        default: return ("POST", ["items"], ["name": "Special \(number)", "price": price(&random)])
        }
    }

    private func price(_ random: inout SeededRandom) -> JSONValue { .integer(random.within(100...5000)) }

    private func items(_ view: ShopView) -> DocumentSource { DocumentSource(.items, view: view) }

    /// An order with one to four lines.
    private func newOrder(_ number: Int, _ view: ShopView, _ random: inout SeededRandom) -> Call {
        let items = view.rows(.items).ids
        let employees = view.rows(.employees).ids
        let lines = (0...random.below(4)).map { _ -> JSONValue in ["item": .reference(random.pick(items))] }
        let cart: JSONValue = [
            "title": "Walk-in \(number)", "state": "open", "lineItems": .array(lines),
            "employee": employees.isEmpty ? nil : .reference(random.pick(employees)),
        ]
        return ("POST", ["atomic_order", "orders"], ["orderCart": cart])
    }

    /// A payment for some order; it also changes the order, in the same millisecond.
    private func payment(_ view: ShopView, _ random: inout SeededRandom) -> Call? {
        guard let order = pick(view.orders(), &random), let tender = view.rows(.tenders).ids.first else { return nil }
        let amount: JSONValue = .integer(random.within(100...9000))
        return ("POST", ["orders", order, "payments"], ["tender": .reference(tender), "amount": amount])
    }

    private func change<Source: RecordSource>(
        _ list: String, _ source: Source, _ members: JSONValue, _ random: inout SeededRandom
    ) -> Call? {
        pick(source, &random).map { ("POST", [list, $0], members) }
    }

    /// New prices for several items at once: the rows get the same modification time and differ only in their ids.
    private func manyItems(_ view: ShopView, _ random: inout SeededRandom) -> Call? {
        let ids = view.rows(.items).ids
        guard ids.count > Self.leastRows else { return nil }
        let first = random.below(ids.count - Self.leastRows)
        let changed = ids[first..<(first + random.within(2...Self.leastRows))].map { id -> JSONValue in
            ["id": .string(id), "price": price(&random)]
        }
        return ("PUT", ["bulk_items"], ["items": .array(changed)])
    }

    private func removal<Source: RecordSource>(
        _ list: String, _ source: Source, _ random: inout SeededRandom
    ) -> Call? {
        source.count > Self.leastRows ? pick(source, &random).map { ("DELETE", [list, $0], nil) } : nil
    }

    /// The id of some row; a recent row every second time.
    private func pick<Source: RecordSource>(_ source: Source, _ random: inout SeededRandom) -> String? {
        let isRecent = random.chance(perMille: 500)
        guard source.count > 0 else { return nil }
        return source.id(at: random.below(isRecent ? min(source.count, Self.recentCount) : source.count))
    }
}
