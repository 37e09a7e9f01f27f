import CloverEmulator
import NIOCore
import Testing

@Suite("Lists that misbehave")
struct ListQuirkTests {
    private func shop(_ orders: Int = 600, _ set: (inout ListQuirks) -> Void) -> TestShop {
        var quirks = ListQuirks()
        set(&quirks)
        return TestShop(orders: orders, quirks: quirks)
    }

    @Test("Clamps a larger limit silently")
    func clamp() throws {
        let shop = shop { $0.largestLimit = 30 }
        let page = try shop.json("orders?limit=500")
        #expect(page.elements.count == 30)
        #expect(page["href"]?.text?.hasSuffix("limit=30") == true)
        #expect(try shop.json("orders?limit=7").elements.count == 7)
    }

    @Test("Pages are short in the middle and whole at the end")
    func shortPages() throws {
        let shop = shop { $0.shortPages = 0.5 }
        let whole = try TestShop.common.everything("orders").map(\.id)
        var found: [String] = []
        var short = 0
        while found.count < whole.count {
            let page = try shop.json("orders?limit=50&offset=\(found.count)").elements.map(\.id)
            try #require(!page.isEmpty)
            if page.count < 50, found.count + page.count < whole.count { short += 1 }
            found += page
        }
        #expect(found == whole)
        #expect(short > 2)
        #expect(try shop.json("orders?limit=50&offset=580").elements.count == 20)
    }

    @Test("Lists a missing record, but returns 500 on its own paths")
    func missing() throws {
        let id = try TestShop.common.json("orders?limit=3").elements[2].id
        let shop = shop { $0.missing = [id] }
        #expect(try shop.json("orders?limit=3").elements[2].id == id)
        for path in ["orders/\(id)", "orders/\(id)/line_items"] {
            let answer = shop.call("GET", path)
            #expect(answer.status == 500)
            #expect(String(buffer: answer.body) == #"{"message":"500 Internal Server Error"}"#)
        }
    }

    @Test("Inserts and deletes rows while a client pages", arguments: ["orders", "items", "customers"])
    func drift(list: String) throws {
        let before = Set(try TestShop.common.everything(list).map(\.id))
        let shop = shop { $0.drift = 1 }
        var seen: [String] = []
        var offset = 0
        while true {
            let page = try shop.json("\(list)?limit=5&offset=\(offset)").elements.map(\.id)
            seen += page
            offset += 5
            if page.count < 5 { break }
        }
        let report = try Node(shop.api.ledger.driftReport.encoded)
        let inserted = try #require(report["inserted"]?.value as? [String])
        let removed = Set(try #require(report["removed"]?.value as? [String]))
        #expect(inserted.count >= before.count / 5)
        #expect(removed.isSubset(of: before.union(inserted)))
        // The rows that a client that relies on offsets misses: they existed throughout and shifted past it.
        let lost = before.subtracting(removed).subtracting(seen)
        #expect(!lost.isEmpty)
    }

    @Test("A row in front shifts the others, so that pages repeat some")
    func driftRepeats() throws {
        let shop = shop { $0.drift = 3 }
        var seen: [String] = []
        for page in 0..<60 { seen += try shop.json("orders?limit=10&offset=\(page * 10)").elements.map(\.id) }
        #expect(Set(seen).count < seen.count)
    }

    @Test("Finds inserted rows, and deleted rows no longer")
    func driftRows() throws {
        let shop = shop { $0.drift = 2 }
        for _ in 0..<6 { _ = try shop.json("orders?limit=10") }
        let report = try Node(shop.api.ledger.driftReport.encoded)
        let inserted = try #require(report["inserted"]?.value as? [String])
        let removed = try #require(report["removed"]?.value as? [String])
        #expect(inserted.count == 3)
        #expect(removed.count == 3)
        for id in inserted where !removed.contains(id) { #expect(shop.call("GET", "orders/\(id)").status == 200) }
        for id in removed { #expect(shop.call("GET", "orders/\(id)").status == 404) }
    }
}
