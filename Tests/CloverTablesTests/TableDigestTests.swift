import CloverExport
import CloverTables
import CloverTestSupport
import Testing

/// What shows whether others changed the rows of a database.
@Suite("tables: sums of rows")
struct TableDigestTests {
    @Test("a mark of a deleted record that others changed is found", arguments: TableWorld.Kind.allCases)
    func changedMarks(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func findings() throws -> [String] {
            try TableDatabase.verify(world.address).findings.map { "\($0.kind.rawValue) \($0.sentence)" }
        }
        let changed = ["changed others changed deleted_at in rows of orders"]
        try world.write(["A", "B", "C"].map { #"{"id":"\#($0)","state":"open","modifiedTime":1}"# }, items: [])
        _ = try world.database.unseen("orders", plan: "full@1")
        #expect(try findings() == [])
        try await world.run("UPDATE orders SET deleted_at = '2026-01-01 00:00:00' WHERE id = 'A'")
        #expect(try findings() == changed)
        try world.database.markDeleted(["B"], of: "orders", now: 1000)
        #expect(try findings() == changed)
        try await world.run("UPDATE orders SET deleted_at = NULL WHERE id = 'A'")
        #expect(try findings() == [])
        try await world.run("UPDATE orders SET deleted_at = NULL")
        #expect(try findings() == changed)
        // A database of an earlier version has no sums of them.
        try await world.run("DROP TABLE clover_export_marks")
        #expect(try findings() == [])
    }

    /// A kind of damage, and the findings that name it.
    struct Damage: Sendable {
        let statement: String
        let findings: Set<String>
    }

    private static let damages = [
        Damage(statement: "DELETE FROM orders", findings: ["shortened orders", "orphan orders__line_items"]),
        Damage(
            statement: "DELETE FROM orders WHERE id = 'B'", findings: ["shortened orders", "orphan orders__line_items"]),
        Damage(statement: "DELETE FROM orders__line_items WHERE id = 'L1'", findings: ["shortened orders__line_items"]),
        Damage(statement: "DELETE FROM orders__line_items", findings: ["shortened orders__line_items"]),
        Damage(statement: "UPDATE orders SET total = 9 WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET total = NULL WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET record = '{}' WHERE id = 'A'", findings: ["changed orders"]),
        Damage(
            statement: "UPDATE orders SET total = CASE id WHEN 'A' THEN 2 ELSE 1 END WHERE id IN ('A', 'B')",
            findings: ["changed orders"]),
        Damage(
            statement: "UPDATE orders__line_items SET price = price + 1 WHERE id = 'L2'",
            findings: ["changed orders__line_items"]),
        Damage(
            statement: "UPDATE orders SET id = 'X' WHERE id = 'A'",
            findings: ["keys orders", "orphan orders__line_items"]),
        Damage(statement: "INSERT INTO orders (id, record) VALUES ('X', '{}')", findings: ["keys orders"]),
        Damage(
            statement: "UPDATE orders__line_items SET parent_id = 'B' WHERE id = 'L1'",
            findings: ["keys orders__line_items"]),
        Damage(statement: "DROP TABLE orders__line_items", findings: ["missing orders__line_items"]),
        Damage(statement: "DROP TABLE orders", findings: ["missing orders"]),
        Damage(statement: "ALTER TABLE orders DROP COLUMN total", findings: ["changed orders"]),
        Damage(statement: "DELETE FROM clover_export", findings: ["identity orders"]),
        Damage(statement: "DROP TABLE clover_export_windows", findings: ["identity clover_export_windows"]),
        Damage(
            statement: "DELETE FROM clover_export_tables WHERE table_name = 'orders'", findings: ["manifest orders"]),
        Damage(statement: "UPDATE orders SET total = total * 10 WHERE id = 'B'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET total = 0", findings: ["changed orders"]),
        Damage(
            statement: "UPDATE orders SET record = (SELECT record FROM orders WHERE id = 'D') WHERE id = 'A'",
            findings: ["changed orders"]),
        Damage(
            statement: "UPDATE orders SET created_time = created_time + 3600000 WHERE id = 'A'",
            findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET created_time_utc = NULL WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET created_time_local = NULL WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET modified_time = 99 WHERE id = 'D'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET currency = 'EUR' WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET currency = lower(currency)", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET new_code = NULL WHERE id = 'B'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET new_code = 'x' WHERE id = 'A'", findings: ["changed orders"]),
        Damage(statement: "UPDATE orders SET is_new = NULL WHERE id = 'D'", findings: ["changed orders"]),
        Damage(
            statement: "DELETE FROM orders WHERE id = 'D'; INSERT INTO orders (id, record) VALUES ('D', '{}')",
            findings: ["changed orders"]),
        Damage(
            statement: "DELETE FROM orders WHERE id = 'A'; INSERT INTO orders (id, record) VALUES ('X', '{}')",
            findings: ["keys orders", "orphan orders__line_items"]),
        Damage(statement: "UPDATE orders SET id = lower(id)", findings: ["keys orders", "orphan orders__line_items"]),
        Damage(
            statement: "DELETE FROM orders WHERE id <> 'A'",
            findings: ["shortened orders", "orphan orders__line_items"]),
        Damage(
            statement: "DELETE FROM orders WHERE id = 'B'; DELETE FROM orders__line_items WHERE parent_id = 'B'",
            findings: ["shortened orders", "shortened orders__line_items"]),
        Damage(
            statement: "DELETE FROM orders__line_items WHERE parent_id = 'B'",
            findings: ["shortened orders__line_items"]),
        Damage(
            statement: "UPDATE orders__line_items SET id = 'L9' WHERE id = 'L1'",
            findings: ["keys orders__line_items"]),
        Damage(
            statement: "INSERT INTO orders__line_items (parent_id, id, record) VALUES ('A', 'L9', '{}')",
            findings: ["keys orders__line_items"]),
        Damage(
            statement: "UPDATE orders__line_items SET parent_position = parent_position + 1 WHERE id = 'L1'",
            findings: ["changed orders__line_items"]),
        Damage(statement: "UPDATE orders__line_items SET price = NULL", findings: ["changed orders__line_items"]),
        Damage(statement: "ALTER TABLE orders DROP COLUMN new_code", findings: ["changed orders"]),
        Damage(statement: "ALTER TABLE orders__line_items DROP COLUMN price", findings: ["changed orders__line_items"]),
        Damage(statement: "ALTER TABLE orders RENAME COLUMN total TO amount", findings: ["changed orders"]),
        Damage(statement: "ALTER TABLE orders RENAME TO old_orders", findings: ["missing orders"]),
        Damage(
            statement: "DROP TABLE orders; DROP TABLE orders__line_items",
            findings: ["missing orders", "missing orders__line_items"]),
        Damage(statement: "DROP TABLE clover_export", findings: ["identity clover_export"]),
        Damage(statement: "DROP TABLE clover_export_columns", findings: ["identity clover_export_columns"]),
        Damage(statement: "DROP TABLE clover_export_views", findings: ["identity clover_export_views"]),
        Damage(
            statement: "DROP TABLE clover_export_tables",
            findings: ["manifest orders", "manifest orders__line_items"]),
        Damage(
            statement: "DELETE FROM clover_export_columns WHERE table_name = 'orders' AND column_name = 'total'",
            findings: ["changed orders"]),
        Damage(
            statement: "DELETE FROM clover_export_columns WHERE table_name = 'orders' AND column_name = 'id'",
            findings: ["unreadable orders"]),
        Damage(
            statement: "DELETE FROM clover_export_columns",
            findings: ["unreadable orders", "unreadable orders__line_items"]),
        Damage(
            statement: "UPDATE clover_export_tables SET row_count = row_count + 1 WHERE table_name = 'orders'",
            findings: ["shortened orders"]),
        Damage(
            statement: "UPDATE clover_export_tables SET key_sum = key_sum + 1 WHERE table_name = 'orders'",
            findings: ["keys orders"]),
        Damage(
            statement: "UPDATE clover_export_tables SET content_sum = content_sum + 1 WHERE table_name = 'orders'",
            findings: ["changed orders"]),
    ]

    @Test(
        "verification finds each kind of damage and nothing else, and nothing after changes by exports and by users",
        arguments: TableWorld.Kind.allCases)
    func verification(_ kind: TableWorld.Kind) async throws {
        #expect(Self.damages.count >= 40)
        for damage in Self.damages {
            let world = try await TableWorld(kind)
            func findings() throws -> Set<String> {
                Set(try TableDatabase.verify(world.address).findings.map { "\($0.kind.rawValue) \($0.file ?? "")" })
            }
            try world.write(
                ["A", "B", "C"].map { #"{"id":"\#($0)","total":1,"createdTime":1752677976690,"modifiedTime":10}"# },
                items: ["A1", "A2", "B3", "C4"].map {
                    #"{"parentId":"\#($0.prefix(1))","id":"L\#($0.suffix(1))","price":1}"#
                })
            try world.write(
                [
                    #"{"id":"B","total":2,"modifiedTime":11,"newCode":"x"}"#, #"{"id":"C","total":9,"modifiedTime":9}"#,
                    #"{"id":"D","total":4,"modifiedTime":12,"isNew":true}"#,
                ],
                items: [#"{"parentId":"B","id":"L5","price":3.5}"#, #"{"parentId":"D","id":"L6","price":1}"#])
            try await world.run("DROP VIEW IF EXISTS sales_lines; ALTER TABLE orders ADD COLUMN mine TEXT DEFAULT 'x'")
            _ = try world.database.unseen("orders", plan: "none")
            try world.database.markDeleted(["D"], of: "orders", now: 1000)
            // A view would keep its tables and columns.
            try await world.run("DROP VIEW IF EXISTS sales_lines; DELETE FROM clover_export_views")
            #expect(try findings() == [], "\(kind) before \(damage.statement)")
            try await world.run(damage.statement)
            #expect(try findings() == damage.findings, "\(kind) \(damage.statement)")
        }
    }

    @Test(
        "a table that others changed stays a finding until everything is exported again",
        arguments: TableWorld.Kind.allCases)
    func renewed(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#], items: [#"{"parentId":"A","id":"L"}"#])
        try await world.run("DELETE FROM orders")
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#], items: [#"{"parentId":"A","id":"L"}"#])
        #expect(try !TableDatabase.verify(world.address).findings.isEmpty)
        try world.database.keep(ExportPosition(), of: "orders", plans: [], isFull: true, now: 8)
        let verification = try TableDatabase.verify(world.address)
        #expect(verification.findings == [])
        #expect(verification.tables == 2)
        #expect(verification.rows == 2)
    }

    @Test(
        "the sums of rows are those of what the database stores, whatever the values, and where a trigger changes them",
        arguments: TableWorld.Kind.allCases)
    func sums(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func expectHealth() throws {
            #expect(try TableDatabase.verify(world.address).findings.map { "\($0)" } == [])
        }
        let values = [
            "1", "-1", "0", "-0.0", "0.0", "1.5", "-2.25e10", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "1e400", "12345678901234567890.5", "true", "false", "null", #""""#, #""12""#,
            #""1.0""#,
            #""x""#, #""caf\u00e9 \ud83d\ude00""#, #""日本語のメモ""#, #""a\u0000b""#, #""twelve bytes""#,
        ]
        func records(_ prefix: String) -> [String] {
            values.enumerated().map { number, value in
                #"""
                {"id":"\#(prefix)\#(number)","total":\#(value),"note":\#(value),"testMode":\#(value),"createdTime":\#(value),
                "new":\#(value),"customers":{"score":\#(value)},"modifiedTime":10}
                """#
            }
        }
        func items(_ prefix: String) -> [String] {
            values.enumerated().map { number, value in
                #"""
                {"parentId":"\#(prefix)\#(number)","id":"L","quantitySold":\#(value),"price":\#(value),"other":\#(value),
                "createdTime":1764000000123}
                """#
            }
        }
        try world.write(records("A"), items: items("A"))
        try expectHealth()
        try world.write(records("B"), items: items("B"))
        try expectHealth()
        try world.write(records("A"), items: items("A"))
        try expectHealth()
        switch kind {
        case .sqlite:
            try await world.run(
                """
                CREATE TRIGGER changes AFTER INSERT ON orders
                BEGIN UPDATE orders SET note = 'changed' WHERE id = new.id; END
                """)
        case .postgreSQL:
            try await world.run(
                """
                TRUNCATE orders, orders__line_items; UPDATE clover_export_tables
                SET row_count = 0, key_sum = 0, content_sum = 0;
                CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN new.note = 'changed'; RETURN new; END $$;
                CREATE TRIGGER changes BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION change()
                """)
        }
        try world.write(records("C"), items: items("C"))
        try expectHealth()
        #expect(try await world.rows("SELECT count(*) FROM orders WHERE note = 'changed'") == ["\(values.count)"])
    }

    @Test(
        "rows that others deleted, and that a run adds again beside new ones, count once; one that is missing is found",
        arguments: TableWorld.Kind.allCases)
    func returned(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func findings() throws -> [String] {
            try TableDatabase.verify(world.address).findings.map { "\($0.kind.rawValue) \($0.file ?? "")" }
        }
        func record(_ id: String, _ total: Int = 1) -> String {
            #"{"id":"\#(id)","total":\#(total),"modifiedTime":10}"#
        }
        func item(_ id: String) -> String { #"{"parentId":"\#(id)","id":"L\#(id)","price":1}"# }
        let ids = ["A", "B", "C", "D"]
        try world.write(ids.map { record($0) }, items: ids.map(item))
        try await world.run(
            """
            DELETE FROM orders WHERE id IN ('A', 'B'); DELETE FROM orders__line_items WHERE parent_id IN ('A', 'B')
            """)
        try world.reopen()
        let both = ["shortened orders", "shortened orders__line_items"]
        #expect(try findings() == both)
        try world.write([record("X"), record("A"), record("C")], items: ["X", "A", "C"].map(item))
        #expect(try findings() == both)
        try world.write([record("B"), record("Y")], items: ["B", "Y"].map(item))
        #expect(try findings() == [])
        // One of two comes back.
        try await world.run("DELETE FROM orders__line_items; DELETE FROM orders WHERE id IN ('A', 'D')")
        try world.reopen()
        try world.write([record("A")], items: [item("A")])
        #expect(try findings() == both)
        try world.reopen()
        try world.write(["A", "B", "C", "D", "X", "Y"].map { record($0) })
        try world.database.keep(ExportPosition(), of: "orders", plans: [], isFull: true, now: 8)
        // The values of a newer version are not known to be those that exports left.
        try await world.run("DELETE FROM orders WHERE id = 'D'")
        try world.reopen()
        try world.write([record("D", 2)])
        #expect(try findings().first == "changed orders")
    }

    @Test(
        "tables of which the list of columns has nothing any more are made whole by a full export",
        arguments: TableWorld.Kind.allCases)
    func withoutColumns(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#], items: [#"{"parentId":"A","id":"L"}"#])
        try await world.run("DELETE FROM clover_export_columns")
        // Nested lists of another run.
        try world.write([#"{"id":"A","total":2,"modifiedTime":11}"#])
        try world.database.keep(ExportPosition(), of: "orders", plans: [], isFull: true, now: 8)
        #expect(try TableDatabase.verify(world.address).findings.map(\.file) == ["orders__line_items"])
        try world.write([#"{"id":"A","total":2,"modifiedTime":11}"#], items: [#"{"parentId":"A","id":"L"}"#])
        try world.database.keep(ExportPosition(), of: "orders", plans: [], isFull: true, now: 9)
        #expect(try TableDatabase.verify(world.address).findings == [])
        #expect(try await world.rows("SELECT total FROM orders") == ["2"])
    }

    @Test(
        "tables of an earlier version count as they are when they are written to first",
        arguments: TableWorld.Kind.allCases)
    func withoutSums(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#])
        try await world.run("DROP TABLE clover_export_tables")
        #expect(try TableDatabase.verify(world.address).findings.map(\.kind) == [.manifest])
        try world.write([#"{"id":"A","total":2,"modifiedTime":11}"#, #"{"id":"B","modifiedTime":11}"#])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }
}
