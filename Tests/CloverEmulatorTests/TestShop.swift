import CloverEmulator
import NIOCore
import Testing

/// Calls a shop in process, without a server.
struct TestShop {
    let shop: Shop
    let api: ShopAPI

    init(
        seed: UInt64 = 1, orders: Int = 600, now: Int = ShopSettings.defaultNow, quirks: ListQuirks = ListQuirks()
    ) {
        shop = Shop(ShopSettings(seed: seed, orderCount: orders, now: now))
        api = ShopAPI(ledger: ShopStore(shop: shop, driftPeriod: quirks.drift), quirks: quirks)
    }

    /// A shop that stores its writes in a file.
    init(orders: Int = 200, state path: String) throws {
        let settings = ShopSettings(seed: 1, orderCount: orders)
        let journal = try Journal(path: path, settings: settings, keepsNow: false)
        shop = Shop(settings)
        api = ShopAPI(ledger: try ShopStore(shop: shop, journal: journal))
    }

    /// The same shop behind a new API without cached selections.
    init(another other: TestShop) {
        shop = other.shop
        api = ShopAPI(ledger: other.api.ledger)
    }

    /// One shop for the tests that only read.
    static let common = TestShop()

    var merchant: String { shop.identity.merchantID.description }

    /// The response for a path after the merchant, such as `orders?limit=3`.
    func answer(_ target: String) throws(APIError) -> EmulatorResponse {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0].split(separator: "/").map { QueryString.decode($0) }
        return try api.answer(
            to: APIRequest(
                path: ["merchants", merchant] + path, query: QueryString(halves.count > 1 ? halves[1] : "")))
    }

    func bytes(_ target: String) throws(APIError) -> [UInt8] {
        Array(try answer(target).body.readableBytesView)
    }

    func json(_ target: String) throws -> Node {
        try Node(try bytes(target))
    }

    /// All records of a list, page after page.
    func everything(_ list: String, limit: Int = 1000, query: String = "") throws -> [Node] {
        var records: [Node] = []
        while true {
            let page = try json("\(list)?limit=\(limit)&offset=\(records.count)&\(query)").elements
            records += page
            if page.count < limit { return records }
        }
    }

    // MARK: Writes

    /// The response to any call; a path with a leading slash is outside the merchant.
    func call(
        _ method: String, _ target: String, _ body: String? = nil, type: String? = "application/json",
        account: String? = nil
    ) -> EmulatorResponse {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0].split(separator: "/").map { QueryString.decode($0) }
        return api.respond(
            to: APIRequest(
                method: method, path: (target.hasPrefix("/") ? [] : ["merchants", merchant]) + path,
                query: QueryString(halves.count > 1 ? halves[1] : ""),
                body: body.map { ByteBuffer(string: $0) } ?? ByteBuffer(), contentType: body == nil ? nil : type,
                accountID: account))
    }

    /// The record that a write returns; the write must succeed.
    @discardableResult
    func write(_ method: String, _ target: String, _ body: String? = nil) throws -> Node {
        let answer = call(method, target, body)
        try #require(answer.status == 200, "\(method) \(target): \(String(buffer: answer.body))")
        return answer.body.readableBytes == 0 ? Node([String: Any]()) : try Node(Array(answer.body.readableBytesView))
    }
}
