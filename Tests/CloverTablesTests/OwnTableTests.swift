import CloverExport
import CloverTables
import CloverTestSupport
import Testing

@Suite("tables: those in which exports keep what they know of a database")
struct OwnTableTests {
    private static let columns = [
        "clover_export_database": "merchant", "clover_export": "bookmark", "clover_export_windows": "window",
        "clover_export_columns": "field", "clover_export_views": "definition", "clover_export_tables": "key_sum",
        "clover_export_types": "row_count", "clover_export_marks": "content_sum", "clover_export_coverage": "expand",
        "clover_export_seen": "id",
    ]

    /// A database with all of these tables.
    private static func exported(_ kind: TableWorld.Kind) async throws -> TableWorld {
        let world = try await TableWorld(kind)
        try export(1, to: world)
        _ = try world.database.unseen("orders", plan: "none")
        return world
    }

    /// A full export of one order.
    private static func export(_ total: Int, to world: TableWorld) throws {
        try world.write(
            [#"{"id":"A","total":\#(total),"state":"open","modifiedTime":\#(total)}"#],
            items: [#"{"parentId":"A","id":"L","name":"Tea","price":1}"#])
        let coverage = TableCoverage(from: nil, to: 5, expand: [], isWhole: true)
        try world.database.keep(
            ExportPosition(), of: "orders", plans: [], isFull: true, coverage: coverage, now: 8)
    }

    private static func findings(_ world: TableWorld) throws -> [String] {
        try TableDatabase.verify(world.address).findings.map { "\($0.kind.rawValue) \($0.file ?? "")" }
    }

    @Test("the next run makes each one again that others dropped or emptied", arguments: TableWorld.Kind.allCases)
    func lost(_ kind: TableWorld.Kind) async throws {
        for table in Self.columns.keys.sorted() {
            for statement in ["DROP TABLE \(table)", "DELETE FROM \(table)"] {
                let world = try await Self.exported(kind)
                #expect(try Self.findings(world) == [], "\(kind) before \(statement)")
                try await world.run(statement)
                try world.reopen()
                try Self.export(2, to: world)
                #expect(try Self.findings(world) == [], "\(kind) \(statement)")
                #expect(try await world.rows("SELECT id, total FROM orders") == ["A|2"], "\(kind) \(statement)")
            }
        }
    }

    @Test(
        "one that lacks a column is refused before anything is written, is a finding, and is made again once it is dropped",
        arguments: TableWorld.Kind.allCases)
    func lostColumn(_ kind: TableWorld.Kind) async throws {
        for (table, column) in Self.columns {
            let world = try await Self.exported(kind)
            try await world.run("ALTER TABLE \(table) RENAME COLUMN \"\(column)\" TO mine")
            #expect(throws: TableError.lostColumn(path: world.database.path, table: table, name: column)) {
                try TableDatabase(world.address, isPrivate: false)
            }
            #expect(try Self.findings(world) == ["unreadable \(table)"], "\(kind)")
            try await world.run("DROP TABLE \(table)")
            try world.reopen()
            try Self.export(2, to: world)
            #expect(try Self.findings(world) == [], "\(kind) \(table)")
        }
    }

    @Test("a view in place of one is refused, is a finding, and stays", arguments: TableWorld.Kind.allCases)
    func view(_ kind: TableWorld.Kind) async throws {
        let world = try await Self.exported(kind)
        try await world.run("DROP TABLE clover_export; CREATE VIEW clover_export AS SELECT 1 AS mine")
        #expect(throws: TableError.foreignTable(path: world.database.path, name: "clover_export")) {
            try TableDatabase(world.address, isPrivate: false)
        }
        #expect(try Self.findings(world) == ["unreadable clover_export"])
        #expect(try await world.rows("SELECT mine FROM clover_export") == ["1"])
    }

    @Test(
        "without its id, a database still counts as exported to, and its rows are checked",
        arguments: TableWorld.Kind.allCases)
    func lostIdentifier(_ kind: TableWorld.Kind) async throws {
        for statement in ["DELETE FROM clover_export_database", "DROP TABLE clover_export_database"] {
            let world = try await Self.exported(kind)
            try await world.run(statement)
            #expect(try world.database.identifier() == nil)
            #expect(try world.database.hasExports())
            #expect(try TableDatabase.verify(world.address).hasLostIdentifier)
            #expect(try Self.findings(world) == ["identity clover_export_database"], "\(kind) \(statement)")
            try await world.run("DELETE FROM orders__line_items")
            #expect(
                try Self.findings(world) == ["identity clover_export_database", "shortened orders__line_items"],
                "\(kind) \(statement)")
        }
    }

    @Test(
        "a position later than the export that wrote it is a finding, one of a clock that was set back is none",
        arguments: TableWorld.Kind.allCases)
    func forged(_ kind: TableWorld.Kind) async throws {
        let world = try await Self.exported(kind)
        var position = ExportPosition()
        position.bookmark = 7
        for change in ["bookmark = bookmark + 86400000", "parts = 'line_items=86400000'"] {
            try world.database.keep(position, of: "orders", plans: [], now: 8)
            #expect(try Self.findings(world) == [])
            #expect(try world.database.markers().first?.isForged == false)
            try await world.run("UPDATE clover_export SET \(change)")
            #expect(try Self.findings(world) == ["changed clover_export"], "\(kind) \(change)")
            #expect(try world.database.markers().first?.isForged == true)
        }
        position.bookmark = 86_400_000
        try world.database.keep(position, of: "orders", plans: [], now: 8)
        #expect(try Self.findings(world) == [])
    }
}
