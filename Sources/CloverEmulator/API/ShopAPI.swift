import Synchronization

/// Answers V3 requests from the shop. It knows nothing of HTTP connections, limits or faults.
package struct ShopAPI: Sendable {
    /// What comes behind the merchant in a path, and `merchant` for the merchant itself.
    package static var families: Set<String> { RouteTable.all.families.union(["exports"]) }

    package let shop: Shop
    package let ledger: ShopLedger
    let quirks: ListQuirks
    let selector: Selector
    let memory = PageMemory()
    private let shortPages: ShortPages

    package init(ledger: ShopLedger, quirks: ListQuirks = ListQuirks()) {
        shop = ledger.shop
        self.ledger = ledger
        self.quirks = quirks
        selector = Selector(now: shop.settings.now, cache: SelectionCache())
        shortPages = ShortPages(probability: quirks.shortPages, seed: shop.settings.seed)
    }

    /// The answer to a request; errors are answers too.
    package func respond(to request: APIRequest) -> Answer {
        do {
            return try answer(to: request)
        } catch {
            return Answer(error)
        }
    }

    /// - Throws: what the service refuses.
    package func answer(to request: APIRequest) throws(APIError) -> Answer {
        let match = try RouteTable.all.match(request.method, request.path)
        try checkMerchant(request.path)
        if request.path.contains(where: { quirks.missing.contains($0) }) { throw .serverError }
        guard match.route.shape == .write else { return try read(match, request) }
        let written: Answer
        switch ledger.write(request, match) {
        case .success(let answer): written = answer
        case .failure(let error): throw error
        }
        return written
    }

    /// The merchant in the path has to be the token's.
    private func checkMerchant(_ path: [String]) throws(APIError) {
        guard let place = path.firstIndex(of: "merchants"), place + 1 < path.count else { return }
        let merchant = path[place + 1]
        if path == ["merchants", "current"] { return }
        if path.first == "accounts" { return }
        guard merchant == shop.identity.merchantID.description else { throw .unauthorized }
    }

    // MARK: Reading

    private func read(_ match: RouteTable.Match, _ request: APIRequest) throws(APIError) -> Answer {
        if let drift = ledger.drift, ["orders", "items", "customers"].contains(match.route.key) {
            return try drifting(drift, match, request)
        }
        return try ShopReader(api: self, view: ledger.view, match: match, query: request.query).answer()
    }

    /// A list request while rows come and go. When it is time, a row that the client has seen goes before the list is
    /// read and one comes in front afterwards; the next time it is the other way round. So the rows between shift
    /// towards the front at some requests, where a client loses some, and back at others, where it meets some again.
    private func drifting(
        _ drift: Drift, _ match: RouteTable.Match, _ request: APIRequest
    ) throws(APIError) -> Answer {
        let reader = ShopReader(api: self, view: ledger.view, match: match, query: request.query)
        let list = match.route.key
        guard let removesFirst = drift.isDue(list) else { return try reader.answer() }
        if removesFirst {
            if let victim = try reader.victim(drift) { ledger.removeRow(victim, of: list) }
        } else {
            ledger.insertRow(in: list)
        }
        let changed = ShopReader(api: self, view: ledger.view, match: match, query: request.query)
        let answer = try changed.answer()
        if removesFirst {
            ledger.insertRow(in: list)
        } else if let victim = try changed.victim(drift) {
            ledger.removeRow(victim, of: list)
        }
        return answer
    }

    /// How many rows of a page are delivered.
    func rows(of page: ListQuery, total: Int) -> Int {
        shortPages.rows(of: page, total: total)
    }
}

/// How lists may misbehave on purpose.
package struct ListQuirks: Sendable {
    /// The most records of a page; more is clamped in silence.
    package var largestLimit = ListQuery.largestLimit
    /// How often a page in the middle of a list is shorter than asked, from 0 to 1.
    package var shortPages = 0.0
    /// Records that are in lists, but whose own paths answer 500.
    package var missing: Set<String> = []
    /// After so many requests for orders, items and customers a row comes and one goes; nil for never.
    package var drift: Int?
    /// Changes of the shop per second that nobody asked for.
    package var churn = 0.0

    package init() {}
}

/// Makes pages shorter than asked, in the middle of a list. Which ones depends on the seed and on how many lists were
/// asked for.
final class ShortPages: Sendable {
    private let probability: Double
    private let seed: UInt64
    private let pages = Mutex(0)

    init(probability: Double, seed: UInt64) {
        self.probability = probability
        self.seed = seed
    }

    /// The number of rows a page has; never none, and never fewer than asked at the end of the list.
    func rows(of page: ListQuery, total: Int) -> Int {
        guard probability > 0, page.limit > 1, total - page.offset > page.limit else { return page.limit }
        let number = pages.withLock { count in
            count += 1
            return count
        }
        var random = SeededRandom(seed: seed, stream: .shortPage, index: number)
        guard random.fraction() < probability else { return page.limit }
        return 1 + random.below(page.limit - 1)
    }
}
