import CloverExport
import CloverTables
import Testing

@Suite("tables: records without an id")
struct UnnamedRecordTests {
    private static func event(_ amount: Int, _ time: Int, _ more: String = "") -> String {
        #"{"type":"LOAD","amountChange":\#(amount),"timestamp":\#(time),"employee":{"id":"E"\#(more)}}"#
    }

    private static func write(
        _ amounts: [(Int, Int)], _ more: String = "", to world: TableWorld, isFull: Bool = false
    ) throws {
        try world.write(
            amounts.map { event($0.0, $0.1, more) }, resource: "cash_events", model: "cash.CashEvent",
            replacesNewer: isFull)
    }

    private static let sum = "SELECT count(*), sum(amount_change) FROM cash_events"

    @Test(
        "records of all windows add up, and a window that is written again changes nothing",
        arguments: TableWorld.Kind.allCases)
    func windows(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        // Two events are equal.
        try Self.write([(100, 1), (20, 1), (20, 1)], to: world)
        try Self.write([(3, 2), (100, 2)], to: world)
        #expect(try await world.rows(Self.sum) == ["5|243"])
        let ids = try await world.rows("SELECT id FROM cash_events ORDER BY id")
        #expect(ids.allSatisfy { $0.hasPrefix("#") && $0.utf8.count >= 33 }, "\(ids)")
        #expect(ids.count { $0.hasSuffix("-2") } == 1)
        // In another order, in another run, and with more of an object in it.
        try world.reopen()
        try Self.write([(20, 1), (100, 1), (20, 1)], to: world)
        try Self.write([(100, 2), (3, 2)], #","name":"Ann""#, to: world, isFull: true)
        #expect(try await world.rows(Self.sum) == ["5|243"])
        #expect(try await world.rows("SELECT id FROM cash_events ORDER BY id") == ids)
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test(
        "a list in full removes the rows of what it no longer has, also those of earlier versions",
        arguments: TableWorld.Kind.allCases)
    func wholeList(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func write(_ stocks: [(String, Int)]) throws {
            try world.write(
                stocks.map { #"{"item":{"id":"\#($0.0)"},"quantity":\#($0.1)}"# } + [#"{"id":"R","quantity":1}"#],
                resource: "item_stocks", model: "inventory.ItemStock", isWholeList: true)
        }
        let rows = "SELECT item_id, quantity + 0 FROM item_stocks WHERE id <> 'R' ORDER BY item_id"
        func found() async throws -> [String] {
            try await world.rows(rows).map { $0.replacing(".0", with: "") }
        }
        try write([("I0", 10), ("I1", 20), ("I2", 30)])
        #expect(try await found() == ["I0|10", "I1|20", "I2|30"])
        try await world.run("ALTER TABLE item_stocks ADD COLUMN note TEXT")
        try await world.run("UPDATE item_stocks SET note = 'x'")
        try write([("I0", 10), ("I2", 31)])
        #expect(try await found() == ["I0|10", "I2|31"])
        #expect(try await world.rows("SELECT note FROM item_stocks WHERE item_id = 'I0'") == ["x"])
        #expect(try TableDatabase.verify(world.address).findings == [])
        try await world.run("UPDATE item_stocks SET id = '#0' WHERE item_id = 'I0'")
        try write([("I0", 10), ("I3", 5)])
        #expect(try await found() == ["I0|10", "I3|5"])
        // What has an id stays.
        try world.write([], resource: "item_stocks", model: "inventory.ItemStock", isWholeList: true)
        #expect(try await world.rows("SELECT id FROM item_stocks") == ["R"])
    }

    @Test(
        "a table in which an earlier version numbered the records of each window is refused, and left as it is",
        arguments: TableWorld.Kind.allCases)
    func numbers(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try Self.write([(100, 1)], to: world)
        try await world.run("UPDATE cash_events SET id = '#0'")
        #expect(throws: TableError.numberedRows(path: world.database.path, table: "cash_events")) {
            try Self.write([(100, 1)], to: world)
        }
        #expect(try await world.rows("SELECT id, amount_change FROM cash_events") == ["#0|100"])
    }
}
