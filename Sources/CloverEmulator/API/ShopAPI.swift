import Synchronization

/// Answers V3 requests from the shop. Independent of HTTP connections, limits and faults.
package final class ShopAPI: Sendable {
    /// The path segments that follow the merchant, and `merchant` for the merchant itself.
    package static var families: Set<String> { RouteTable.all.families.union(["exports"]) }

    package let shop: Shop
    package let ledger: ShopStore
    let quirks: ListQuirks
    let selector: Selector
    /// Number of list requests that could have got a short page.
    private let pages = Mutex(0)

    package init(ledger: ShopStore, quirks: ListQuirks = ListQuirks()) {
        shop = ledger.shop
        self.ledger = ledger
        self.quirks = quirks
        selector = Selector(now: shop.settings.now)
    }

    package func respond(to request: APIRequest) -> EmulatorResponse {
        do throws(APIError) {
            return try answer(to: request)
        } catch {
            guard let methods = error.allowed else { return EmulatorResponse(error) }
            return .textRefusal(request.method, allowed: methods + ["OPTIONS"])
        }
    }

    /// - Throws: the error for a request that the service refuses.
    package func answer(to request: APIRequest) throws(APIError) -> EmulatorResponse {
        let match = try RouteTable.all.match(request.method, request.path)
        try checkMerchant(request.path)
        if request.path.contains(where: { quirks.missing.contains($0) }) { throw .serverError }
        guard match.route.shape == .write else { return try read(match, request) }
        return try ledger.write(request, match)
    }

    /// The merchant in the path must be the token's.
    private func checkMerchant(_ path: [String]) throws(APIError) {
        guard let place = path.firstIndex(of: "merchants"), place + 1 < path.count, path.first != "accounts",
            path != ["merchants", "current"]
        else { return }
        guard path[place + 1] == shop.identity.merchantID.description else { throw .unauthorized }
    }

    // MARK: Reading

    private func read(_ match: RouteTable.Match, _ request: APIRequest) throws(APIError) -> EmulatorResponse {
        if let drift = ledger.drift, ["orders", "items", "customers"].contains(match.route.key) {
            return try drifting(drift, match, request)
        }
        return try ShopReader(api: self, view: ledger.view, match: match, query: request.query).answer()
    }

    /// Answers a list request while rows are inserted and deleted. When a change is due, a row that the client has
    /// already seen is deleted before the list is read and a new row is inserted in front afterwards; next time, the
    /// other way round. The rows in between shift towards the front on some requests, so a client misses some, and back
    /// on others, so it sees some twice.
    private func drifting(
        _ drift: Drift, _ match: RouteTable.Match, _ request: APIRequest
    ) throws(APIError) -> EmulatorResponse {
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

    /// The number of rows of a page: at least one, and never short at the end of the list. The choice depends on the
    /// seed and on the number of list requests so far.
    func rows(of page: ListQuery, total: Int) -> Int {
        guard quirks.shortPages > 0, page.limit > 1, total - page.offset > page.limit else { return page.limit }
        let number = pages.withLock { count in
            count += 1
            return count
        }
        var random = SeededRandom(seed: shop.settings.seed, stream: .shortPage, index: number)
        guard random.fraction() < quirks.shortPages else { return page.limit }
        return 1 + random.below(page.limit - 1)
    }
}

package struct ListQuirks: Sendable {
    /// Maximum page size; larger limits are silently clamped.
    package var largestLimit = ListQuery.largestLimit
    /// Probability from 0 to 1 that a page in the middle of a list is shorter than requested.
    package var shortPages = 0.0
    /// Records that appear in lists but whose own paths return 500.
    package var missing: Set<String> = []
    /// Number of requests for orders, items or customers after which one row is inserted and one deleted; nil for
    /// never.
    package var drift: Int?
    /// Spontaneous changes of the shop per second.
    package var churn = 0.0

    package init() {}
}
