import CloverEmulator
import NIOCore

/// Asks a shop in process, without a server.
struct TestShop {
    let shop: Shop
    let api: ShopAPI

    init(seed: UInt64 = 1, orders: Int = 600, now: Int = ShopSettings.defaultNow) {
        shop = Shop(ShopSettings(seed: seed, orderCount: orders, now: now))
        api = ShopAPI(shop: shop)
    }

    /// One shop for the tests that only read.
    static let common = TestShop()

    var merchant: String { shop.identity.merchantID.description }

    /// The answer to a path behind the merchant, such as `orders?limit=3`.
    func answer(_ target: String) throws(APIError) -> Answer {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0].split(separator: "/").map { QueryString.decode($0) }
        return try api.answer(path: [merchant] + path, query: QueryString(halves.count > 1 ? halves[1] : ""))
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
}
