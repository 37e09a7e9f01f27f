import CloverEmulator
import Testing

@Suite("Expansions of the second level, and deleted records")
struct CompletionTests {
    private static let shop = TestShop(seed: 150, orders: 1200)

    @Test(
        "A part of an order shows the same as on its own",
        arguments: [
            ("payments", "payments", "dccInfo"), ("payments", "payments", "transactionInfo"),
            ("refunds", "refunds", "employee"), ("refunds", "refunds", "lineItems"),
            ("payments", "payments", "cardTransaction"),
        ])
    func parts(member: String, list: String, name: String) throws {
        let orders = try Self.shop.everything("orders", query: "expand=\(member).\(name)")
        var shown = 0
        for part in orders.flatMap({ $0[member]?.elements ?? [] }) where part[name] != nil {
            let alone = try Self.shop.json("\(list)/\(part.id)?expand=\(name)")
            #expect(alone[name]?.id == part[name]?.id && alone[name]?.keys == part[name]?.keys)
            shown += 1
        }
        #expect(shown > 0)
        let plain = try Self.shop.everything("orders", query: "expand=\(member)")
        #expect(plain.map(\.id) == orders.map(\.id))
    }

    @Test("Ignores an unknown second-level name")
    func unknownName() throws {
        let plain = try Self.shop.bytes("orders?limit=50&expand=payments")
        let text = String(decoding: try Self.shop.bytes("orders?limit=50&expand=payments.nonsense"), as: UTF8.self)
        #expect(
            text.replacing("expand=payments.nonsense", with: "expand=payments")
                == String(decoding: plain, as: UTF8.self))
    }

    @Test(
        "Lists a deleted record only when a filter asks for deletions",
        arguments: ["orders", "customers", "tenders", "roles", "shifts", "employees", "options", "credits"])
    func deletedRecords(list: String) throws {
        let present = Set(try Self.shop.everything(list).map(\.id))
        let deleted = try Self.shop.everything(list, query: "filter=deletedTime%20IS%20NOT%20NULL").map(\.id)
        #expect(deleted.count == 1)
        #expect(present.isDisjoint(with: deleted))
        #expect(Set(try Self.shop.everything(list).map(\.id)) == present)
    }
}
