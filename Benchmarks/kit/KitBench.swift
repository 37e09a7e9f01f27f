import CloverKit
import FoundationEssentials

/// Reads all orders of a shop with their line items, in one of the ways that `make bench` compares, and prints their number:
/// `kit-bench typed|raw|bytes|decoder`. `CLOVER_ACCESS_TOKEN`, `CLOVER_MERCHANT_ID` and `CLOVER_ENVIRONMENT` name the shop.
@main
enum KitBench {
    /// The size of a page, which is Clover's largest.
    private static let pageSize = 1000

    static func main() async throws {
        let variables = ProcessInfo.processInfo.environment
        let shop = try Shop(
            token: variables["CLOVER_ACCESS_TOKEN"] ?? "", merchantID: variables["CLOVER_MERCHANT_ID"] ?? "",
            environment: variables["CLOVER_ENVIRONMENT"] ?? "")
        switch CommandLine.arguments.dropFirst().first {
        case "typed": print(try await typed(shop))
        case "raw": print(try await raw(shop))
        case "bytes": print(try await pages(shop) { _ in })
        case "decoder":
            print(
                try await pages(shop) { page in
                    for order in try JSONDecoder().decode(Page.self, from: page).elements { try use(order.total) }
                })
        default: print("ways: typed, raw, bytes, decoder")
        }
    }

    private static func typed(_ shop: Shop) async throws -> Int {
        var count = 0
        for try await order in orders(shop) {
            try use(order.total?.minorUnits)
            count += 1
        }
        return count
    }

    private static func raw(_ shop: Shop) async throws -> Int {
        var count = 0
        for try await order in orders(shop).bytes {
            guard order.first == UInt8(ascii: "{") else { throw Unread() }
            count += 1
        }
        return count
    }

    /// The lists that the service has are one window of time, as for the other tools.
    private static func orders(_ shop: Shop) -> Records<Order> {
        let start = Timestamp(milliseconds: 1_789_000_000_000)
        let end = Timestamp(milliseconds: 1_790_000_000_000)
        return shop.orders.filter(\.createdTime >= start).filter(\.createdTime <= end).expand(\.lineItems)
    }

    /// Requests pages until one is empty.
    ///
    /// - Returns: the number of records, assuming that all pages are full.
    private static func pages(_ shop: Shop, _ use: @Sendable (Data) throws -> Void) async throws -> Int {
        var offset = 0
        while true {
            let page = try await shop.get("orders?expand=lineItems&limit=\(pageSize)&offset=\(offset)")
            // An empty page has only its envelope.
            guard page.count > pageSize else { return offset }
            try use(page)
            offset += pageSize
        }
    }

    private static func use(_ total: Int64?) throws {
        guard total != nil else { throw Unread() }
    }
}

/// An order has no total: the reader that is measured does not read.
private struct Unread: Error {}

/// What `JSONDecoder` reads: every member that the orders of the benchmark have, so that both read the same.
private struct Page: Decodable {
    struct Order: Decodable {
        var id: String?
        var currency: String?
        var total: Int64?
        var createdTime: Int64?
        var href: String?
        var employee: Reference?
        var paymentState: String?
        var state: String?
        var taxRemoved: Bool?
        var isVat: Bool?
        var manualTransaction: Bool?
        var groupLineItems: Bool?
        var testMode: Bool?
        var payType: String?
        var clientCreatedTime: Int64?
        var modifiedTime: Int64?
        var lineItems: LineItems?
    }

    struct Reference: Decodable {
        var id: String?
    }

    struct LineItems: Decodable {
        var elements: [LineItem]?
    }

    struct LineItem: Decodable {
        var id: String?
        var orderRef: Reference?
        var name: String?
        var price: Int64?
        var printed: Bool?
        var exchanged: Bool?
        var refunded: Bool?
        var createdTime: Int64?
        var isRevenue: Bool?
    }

    var elements: [Order]
}
