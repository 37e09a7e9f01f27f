import CloverExport
import CloverTables
import Testing

/// Records that change while their window is read come in it again.
@Suite("tables: several versions of a record in one window")
struct RecordVersionTests {
    private static let rows = "SELECT id, total FROM orders ORDER BY id"
    private static let entries =
        "SELECT parent_id, id, price, parent_position FROM orders__line_items ORDER BY parent_id, parent_position"

    private static func order(_ id: String, _ time: Int, _ items: String...) -> String {
        #"{"id":"\#(id)","total":\#(time),"modifiedTime":\#(time),"lineItems":{"elements":["#
            + items.joined(separator: ",") + "]}}"
    }

    private static func item(_ id: String, _ price: Int) -> String { #"{"id":"\#(id)","price":\#(price)}"# }

    @Test("the entries in a record are those of its newest version", arguments: TableWorld.Kind.allCases)
    func expanded(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let lists = ["lineItems"]
        try world.write(
            [
                Self.order("A", 1, Self.item("A1", 1), Self.item("A2", 1)), Self.order("B", 1, Self.item("B1", 1)),
                Self.order("C", 9, Self.item("C1", 9)), Self.order("D", 1, Self.item("D1", 1)),
                // The second one of A is the newest, C is an older one, and D has no entry any more.
                Self.order("A", 3, Self.item("A1", 3), Self.item("A3", 3)), Self.order("C", 2, Self.item("C2", 2)),
                Self.order("D", 2), Self.order("A", 2, Self.item("A2", 2)),
            ], lists: lists)
        let records = ["A|3", "B|1", "C|9", "D|2"]
        let items = ["A|A1|3|0", "A|A3|3|1", "B|B1|1|0", "C|C1|9|0"]
        #expect(try await world.rows(Self.rows) == records)
        #expect(try await world.rows(Self.entries) == items)
        #expect(try TableDatabase.verify(world.address).findings == [])
        // In a window over rows that are there, which are as new.
        try world.write(
            [
                Self.order("B", 2, Self.item("B1", 2), Self.item("B2", 2)), Self.order("B", 3, Self.item("B2", 3)),
            ], lists: lists)
        #expect(try await world.rows(Self.entries) == ["A|A1|3|0", "A|A3|3|1", "B|B2|3|0", "C|C1|9|0"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    /// Writes a window page by page: each has records, and the entries that came with them.
    private static func write(
        _ pages: [(orders: [String], items: [String])], to world: TableWorld, hasRecords: Bool
    ) throws {
        let stage = hasRecords ? try world.database.stage("orders", model: "order.Order", lists: []) : nil
        let part = try world.database.stage("orders.line_items", model: "order.LineItem", lists: [])
        for page in pages {
            if let stage {
                try stage.add(TableWorld.batch(page.orders.map { #"{"id":"\#($0)","state":"open"}"# }))
            } else {
                try part.addParents(page.orders)
            }
            try part.add(
                TableWorld.batch(
                    page.items.map { #"{"parentId":"\#($0.prefix(1))","id":"\#($0)","price":1}"# }))
        }
        let revision = try world.database.markers().first?.revision
        _ = try world.database.commit(
            TableDatabase.Window(resource: "orders", plan: "last@1", number: 1, revision: revision, now: 5))
    }

    @Test(
        "the entries of a part are those of the version that came last, also in a window of entries only",
        arguments: TableWorld.Kind.allCases, [true, false])
    func parts(_ kind: TableWorld.Kind, hasRecords: Bool) async throws {
        let world = try await TableWorld(kind)
        for _ in 1...2 {
            try Self.write(
                [(["A", "B", "C"], ["A1", "A2", "B1", "C1"]), (["A", "C"], ["A2", "A3"]), (["A"], ["A3", "A4"])],
                to: world, hasRecords: hasRecords)
            #expect(
                try await world.rows(Self.entries) == ["A|A3|1|0", "A|A4|1|1", "B|B1|1|0"])
        }
        #expect(try TableDatabase.verify(world.address).findings == [])
    }
}
