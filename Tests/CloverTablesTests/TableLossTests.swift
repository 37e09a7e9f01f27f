import CloverExport
import CloverTables
import CloverTestSupport
import Testing

/// What a run notices of rows that others deleted.
@Suite("tables: rows that others deleted")
struct TableLossTests {
    private static func orders(_ ids: String...) -> [String] { ids.map { #"{"id":"\#($0)","modifiedTime":10}"# } }

    private static func items(_ ids: String...) -> [String] {
        ids.map { #"{"parentId":"\#($0)","id":"L\#($0)","price":1}"# }
    }

    @Test(
        "an emptied table is exported from the beginning, as a dropped one is, by a run that exports it",
        arguments: TableWorld.Kind.allCases,
        ["DELETE FROM orders", "DROP VIEW IF EXISTS sales_lines; DROP TABLE orders"])
    func emptied(_ kind: TableWorld.Kind, statement: String) async throws {
        let world = try await TableWorld(kind)
        try world.write(Self.orders("A", "B"), items: Self.items("A", "B"))
        #expect(try world.database.lostRows() == [:])
        try await world.run(statement)
        #expect(try world.database.markers(restarting: ["payments"]).map(\.resource) == ["orders"])
        #expect(try world.database.lostRows() == ["orders": 2])
        #expect(try world.database.lostRows(of: ["payments"]) == [:])
        #expect(try world.database.markers(restarting: ["orders"]) == [])
        try world.reopen()
        try world.write(Self.orders("A", "B"), items: Self.items("A", "B"))
        #expect(try world.database.lostRows() == [:])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test(
        "the number of deleted rows stays right when a run writes some of them again, until they are accepted",
        arguments: TableWorld.Kind.allCases)
    func partly(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write(Self.orders("A", "B", "C", "D"), items: Self.items("A", "B"))
        try await world.run("DELETE FROM orders WHERE id < 'D'")
        try world.reopen()
        #expect(try world.database.markers().map(\.resource) == ["orders"])
        #expect(try world.database.lostRows() == ["orders": 3])
        try world.write(Self.orders("A"))
        #expect(try world.database.lostRows() == ["orders": 3])
        let findings = try TableDatabase.verify(world.address).findings
        #expect(findings.first?.sentence == "others deleted 3 rows of orders, which now has 2")
        #expect(try world.database.acceptLostRows(of: ["payments"]) == [:])
        #expect(try world.database.acceptLostRows(of: ["orders"]) == ["orders": 3])
        #expect(try world.database.lostRows() == [:])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test("a nested list that was dropped is missing until it is accepted", arguments: TableWorld.Kind.allCases)
    func droppedList(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write(Self.orders("A"), items: Self.items("A"))
        try await world.run(
            "DROP VIEW IF EXISTS sales_lines; DELETE FROM clover_export_views; DROP TABLE orders__line_items")
        #expect(try world.database.markers().map(\.resource) == ["orders"])
        #expect(try world.database.lostRows() == ["orders__line_items": 1])
        #expect(try world.database.acceptLostRows(of: ["orders"]) == ["orders__line_items": 1])
        #expect(try world.database.lostRows() == [:])
        #expect(try TableDatabase.verify(world.address).findings == [])
        try world.reopen()
        try world.write(Self.orders("B"), items: Self.items("B"))
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test(
        "the many rows of an emptied list count once when everything was exported again",
        arguments: TableWorld.Kind.allCases)
    func manyRows(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let records = (0..<6000).map { number in
            #"{"id":"O\#(number)","modifiedTime":1,"lineItems":{"elements":[{"id":"L"},{"id":"M"}]}}"#
        }
        func export() throws {
            try world.write(records, lists: ["lineItems"])
            var position = ExportPosition()
            position.bookmark = 7
            try world.database.keep(
                position, of: "orders", plans: [],
                coverage: TableCoverage(from: nil, to: 7, expand: ["lineItems"], isWhole: true), now: 8)
        }
        try export()
        try await world.run("DELETE FROM orders; DELETE FROM orders__line_items")
        try world.reopen()
        try export()
        #expect(try TableDatabase.verify(world.address).findings == [])
    }
}
