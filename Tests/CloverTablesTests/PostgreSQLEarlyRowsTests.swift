import CloverCalendar
import CloverExport
import CloverTables
import CloverTestSupport
import Testing

@Suite("tables: rows that a PostgreSQL server gets while their window is read")
struct PostgreSQLEarlyRowsTests {
    /// Tables that others see.
    private static let tables = """
        SELECT relname FROM pg_class WHERE relkind = 'r' AND (relname LIKE 'orders%' OR relname LIKE 'clover_rows%') ORDER BY 1
        """
    private static let totals = "SELECT count(*), sum(total), count(late) FROM orders"
    private static let itemTotals = "SELECT count(*), sum(price), max(parent_position) FROM orders__line_items"

    /// Whether a table has rows, and not only the newer ones of a repeated record, that were sent before the savepoint of its
    /// window's end.
    private static func hasEarlyRows(_ table: String) -> String {
        """
        SELECT count(*) > 100 FROM \(table) WHERE xmin =
            (SELECT xmin FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attname = 'record')
        """
    }

    private static func window(of resource: String = "orders") -> TableDatabase.Window {
        TableDatabase.Window(resource: resource, plan: "last@1", number: 1, revision: nil, now: 5)
    }

    /// Waits until rows of the window are in a transaction that is open.
    ///
    /// - Returns: the process ID of the server's side.
    private static func session(in world: TableWorld) async throws -> String {
        for _ in 0..<1500 {
            let found = try await world.rows(
                """
                SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
                    AND query LIKE 'COPY %clover_rows_%'
                """)
            if let session = found.first { return session }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CommandError.noProgram("no rows were sent before the window's end")
    }

    /// Another run, which writes one record.
    private static func writeElsewhere(
        _ resource: String, _ world: TableWorld, _ window: TableDatabase.Window? = nil
    ) throws {
        let other = try TableDatabase(world.address, isPrivate: false)
        try other.prepare("ID", environment: "us", merchant: "M", shop: TableWorld.shop, zone: .utc)
        let stage = try other.stage(resource, model: nil, lists: [])
        try stage.add(TableWorld.batch([#"{"id":"A"}"#]))
        _ = try other.commit(window ?? Self.window(of: resource))
    }

    /// A database that has rows of a window that is still read.
    private static func begin(items: [String] = ["L", "M"]) async throws -> (TableWorld, TableStage, session: String) {
        let world = try await TableWorld(.postgreSQL)
        let stage = try world.database.stage("orders", model: "order.Order", lists: ["lineItems"])
        try stage.add(TableWorld.manyOrders(items: items))
        return (world, stage, try await session(in: world))
    }

    @Test("new tables are there for others when their window is committed, and no other export waits for them")
    func committed() async throws {
        let (world, stage, _) = try await Self.begin()
        #expect(try await world.rows(Self.tables) == [])
        #expect(
            try await world.rows(
                """
                SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                WHERE locktype = 'advisory' AND datname = current_database()
                """) == ["0"])
        try Self.writeElsewhere("tenders", world)
        try stage.add(TableWorld.newerOrder)
        _ = try world.database.commit(Self.window())
        #expect(try await world.rows(Self.totals) == ["6000|17996994|1000"])
        #expect(try await world.rows(Self.itemTotals) == ["11999|18004|1"])
        for table in ["orders", "orders__line_items"] {
            #expect(try await world.rows(Self.hasEarlyRows(table)) == ["t"], "\(table)")
        }
        #expect(try await world.rows(Self.tables) == ["orders", "orders__line_items"])
        #expect(
            try await world.rows("SELECT indexname FROM pg_indexes WHERE tablename = 'orders' ORDER BY 1")
                == ["orders_created_time", "orders_pkey"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test("a connection that is cut while a window is read loses no row and doubles none")
    func cut() async throws {
        let (world, stage, session) = try await Self.begin()
        try await world.run("SELECT pg_terminate_backend(\(session))")
        try stage.add(TableWorld.newerOrder)
        _ = try world.database.commit(Self.window())
        #expect(try await world.rows(Self.totals) == ["6000|17996994|1000"])
        #expect(try await world.rows(Self.itemTotals) == ["11999|18004|1"])
        #expect(try await world.rows(Self.hasEarlyRows("orders__line_items")) == ["f"])
        #expect(try await world.rows(Self.tables) == ["orders", "orders__line_items"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test("of rows with one key in a window, the last one counts, and no table is left over")
    func twins() async throws {
        let (world, stage, _) = try await Self.begin(items: ["L", "L"])
        try stage.add(TableWorld.newerOrder)
        _ = try world.database.commit(Self.window())
        #expect(try await world.rows(Self.totals) == ["6000|17996994|1000"])
        #expect(try await world.rows(Self.itemTotals) == ["6000|12005|1"])
        #expect(try await world.rows(Self.hasEarlyRows("orders")) == ["t"])
        #expect(try await world.rows(Self.tables) == ["orders", "orders__line_items"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test("a table that another session creates meanwhile does not wait, is refused at the window's end, and stays")
    func created() async throws {
        let (world, _, _) = try await Self.begin()
        try await world.run(
            """
            SET lock_timeout = '1s'; CREATE TABLE orders (id text PRIMARY KEY, mine text);
            INSERT INTO orders VALUES ('x', 'y')
            """)
        #expect(throws: TableError.foreignTable(path: world.database.path, name: "orders")) {
            try world.database.commit(Self.window())
        }
        #expect(try await world.rows("SELECT * FROM orders") == ["x|y"])
        #expect(try await world.rows(Self.tables) == ["orders"])
    }

    @Test("a window that is given up leaves nothing")
    func abandoned() async throws {
        let (world, stage, _) = try await Self.begin()
        try stage.discard()
        #expect(try await world.rows(Self.tables) == [])
        try world.write([#"{"id":"A","modifiedTime":1}"#])
        #expect(try await world.rows("SELECT id FROM orders") == ["A"])
        #expect(try await world.rows(Self.tables) == ["orders"])
    }

    @Test("a window that an earlier attempt wrote, or another run overtook, leaves nothing")
    func written() async throws {
        let (world, _, _) = try await Self.begin()
        let window = Self.window()
        try Self.writeElsewhere("orders", world, window)
        #expect(try world.database.commit(window) == window.next)
        #expect(try await world.rows("SELECT id FROM orders") == ["A"])
        #expect(try await world.rows(Self.tables) == ["orders"])

        let (late, _, _) = try await Self.begin()
        try Self.writeElsewhere("orders", late)
        #expect(throws: TableError.overtaken(path: late.database.path, resource: "orders")) {
            try late.database.commit(Self.window())
        }
        #expect(try await late.rows("SELECT id FROM orders") == ["A"])
        #expect(try await late.rows(Self.tables) == ["orders"])
    }
}
