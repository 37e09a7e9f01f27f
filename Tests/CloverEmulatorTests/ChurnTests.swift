import CloverEmulator
import Foundation
import NIOCore
import Testing

@Suite("Churn: a shop that is open")
struct ChurnTests {
    private static let lists = ["orders", "payments", "customers", "items"]

    private func dump(_ shop: TestShop, _ list: String) throws -> [Node] {
        try lines(RecordDump(shop.api.ledger.view).answer(to: list))
    }

    private func lines(_ answer: EmulatorResponse) throws -> [Node] {
        try Array(answer.body.readableBytesView).split(separator: UInt8(ascii: "\n")).map { try Node(Array($0)) }
    }

    @Test("The same seed and number of changes give the same shop, another seed another one")
    func deterministic() throws {
        func shop(seed: UInt64) -> TestShop {
            let shop = TestShop(orders: 200)
            ChurnGenerator(ledger: shop.api.ledger, seed: seed).change(times: 300)
            return shop
        }
        let (first, second, other) = (shop(seed: 7), shop(seed: 7), shop(seed: 8))
        for list in Self.lists {
            let bytes = RecordDump(first.api.ledger.view).answer(to: list).body
            #expect(bytes == RecordDump(second.api.ledger.view).answer(to: list).body)
            #expect(bytes != RecordDump(other.api.ledger.view).answer(to: list).body)
        }
    }

    @Test("Inserts, changes and deletes rows, and reports how many", arguments: lists)
    func report(list: String) throws {
        let shop = TestShop(orders: 200)
        let before = try dump(shop, list)
        let churn = ChurnGenerator(ledger: shop.api.ledger, seed: 1)
        churn.change(times: 500)
        let after = try dump(shop, list)
        let report = try Node(churn.report.encoded)
        #expect(report["changes"]?.integer == 500)
        let events = try #require(report["lists"]?[list])
        let removed = Set(try #require(events["removed"]?.value as? [String]))
        let (old, new) = (Set(before.map(\.id)), Set(after.map(\.id)))
        #expect(removed.isEmpty == (list == "payments"))
        #expect(removed.isDisjoint(with: new))
        #expect(old.subtracting(new).isSubset(of: removed))
        #expect(after.count == before.count + (events["inserted"]?.integer ?? 0) - removed.count)
        let changed = try #require(events["changed"]?.integer)
        #expect(changed > 10)
    }

    @Test("Modification times never decrease, and changed rows are newer than before")
    func monotone() throws {
        let shop = TestShop(orders: 200)
        let churn = ChurnGenerator(ledger: shop.api.ledger, seed: 1)
        var last = ShopSettings.defaultNow
        for _ in 0..<60 {
            let before = Dictionary(uniqueKeysWithValues: try dump(shop, "orders").map { ($0.id, $0) })
            churn.change(times: 1)
            for order in try dump(shop, "orders") {
                let time = try #require(order["modifiedTime"]?.integer)
                guard before[order.id]?["modifiedTime"]?.integer != time else { continue }
                #expect(time > last)
                last = time
            }
        }
        #expect(last > ShopSettings.defaultNow)
    }

    @Test("The dump of a list equals all its pages", arguments: lists + ["employees", "line_items"])
    func dumpIsTheList(list: String) throws {
        let shop = TestShop(orders: list == "payments" ? 5000 : 300)
        ChurnGenerator(ledger: shop.api.ledger, seed: 3).change(times: 100)
        let dumped = try dump(shop, list).map(\.id)
        #expect(Set(dumped).count == dumped.count)
        if list == "line_items" {
            let orders = try dump(shop, "orders")
            let lines = try orders.flatMap { try shop.json("orders/\($0.id)/line_items?limit=1000").elements.map(\.id) }
            #expect(dumped == lines)
        } else {
            // The list of payments covers 90 days; the dump covers everything.
            let listed = try shop.everything(list).map(\.id)
            #expect(Set(listed).isSubset(of: dumped))
            if list != "payments" { #expect(listed == dumped) } else { #expect(listed.count < dumped.count) }
        }
    }

    @Test("A dump expands like a list, and refuses unknown lists")
    func dumpExpands() throws {
        let view = TestShop.common.api.ledger.view
        let order = try #require(try lines(RecordDump(view, expand: ["lineItems"]).answer(to: "orders")).first)
        #expect(order["lineItems"]?.elements.isEmpty == false)
        #expect(RecordDump(view).answer(to: "nothing").status == 404)
    }

    @Test("Restores churn from the journal after a restart")
    func journal() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        var bytes: [ByteBuffer] = []
        do {
            let shop = try TestShop(state: path)
            ChurnGenerator(ledger: shop.api.ledger, seed: 1).change(times: 80)
            bytes = Self.lists.map { RecordDump(shop.api.ledger.view).answer(to: $0).body }
        }
        let shop = try TestShop(state: path)
        #expect(Self.lists.map { RecordDump(shop.api.ledger.view).answer(to: $0).body } == bytes)
    }
}
