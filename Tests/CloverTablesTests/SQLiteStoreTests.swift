import CloverExport
import CloverJSON
import CloverTables
import CloverTestSupport
import Foundation
import GRDB
import Testing

@Suite("tables: an SQLite database")
struct SQLiteStoreTests {
    @Test("a window that is written again changes no row")
    func again() async throws {
        let world = try await TableWorld(.sqlite)
        let orders = [#"{"id":"A","total":1,"modifiedTime":10}"#, #"{"id":"B","modifiedTime":11,"x":"y"}"#]
        let items = [#"{"parentId":"A","id":"L","price":3}"#]
        try world.write(orders, items: items)
        try await world.run(
            """
            CREATE TABLE log (what TEXT);
            CREATE TRIGGER a AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES ('order'); END;
            CREATE TRIGGER b AFTER UPDATE ON orders__line_items BEGIN INSERT INTO log VALUES ('item'); END;
            CREATE TRIGGER c AFTER DELETE ON orders__line_items BEGIN INSERT INTO log VALUES ('gone'); END;
            """)
        try world.write(orders, items: items)
        #expect(try await world.rows("SELECT * FROM log") == [])
        #expect(try await world.rows("SELECT id, x FROM orders ORDER BY id") == ["A|-", "B|y"])
    }

    @Test("a large window of a new file, which is written while it is read, is there as a whole or not at all")
    func largeFirstWindow() async throws {
        let world = try await TableWorld(.sqlite)
        let given = try world.database.stage("orders", model: "order.Order", lists: ["lineItems"])
        try given.add(TableWorld.manyOrders())
        try given.discard()
        #expect(try await world.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'orders%'") == ["0"])
        try world.write([#"{"id":"A","modifiedTime":1}"#])
        #expect(try await world.rows("SELECT id FROM orders") == ["A"])

        let other = try await TableWorld(.sqlite)
        let stage = try other.database.stage("orders", model: "order.Order", lists: ["lineItems"])
        try stage.add(TableWorld.manyOrders(items: ["L", "L"]))
        try stage.add(TableWorld.newerOrder)
        _ = try other.database.commit(
            TableDatabase.Window(resource: "orders", plan: "last@1", number: 1, revision: nil, now: 5))
        #expect(
            try await other.rows("SELECT count(*), sum(total), count(late), max(record LIKE '%xxx%') FROM orders")
                == ["6000|17996994|1000|1"])
        // Of entries with one id, the last one counts.
        #expect(
            try await other.rows("SELECT count(*), sum(price), max(parent_position) FROM orders__line_items")
                == ["6000|12005|1"])
        #expect(
            try await other.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'orders_created_time'") == ["1"])
        #expect(try TableDatabase.verify(other.address).findings == [])
        try other.reopen()
        #expect(try other.database.markers().map(\.resource) == ["orders"])
    }

    @Test(
        "rows that are written while their window is read are stored like those that wait for its end, with the same sums",
        arguments: ["7", "1.5"])
    func pieces(total: String) async throws {
        // The catalogue does not know `x`: its column stores all of them as they are. That of `total` is for integers.
        let values = [
            "1", "-0.0", "1.5", "-9223372036854775808", "9223372036854775808", "1e400", "true", "null", #""""#,
            #""12""#,
            #""1.0""#, #""caf\u00e9 \ud83d\ude00""#, #""日本語のメモ""#, #""twelve bytes""#,
        ]
        let records = (0..<4000).map { number in
            // One row is larger than a piece.
            let text = String(repeating: "y", count: number == 1000 ? 1_200_000 : 300 + number % 9)
            let facts = #""id":"O\#(number)","x":\#(values[number % values.count]),"y":"\#(text)""#
            let lines = #"{"elements":[{"id":"L","price":\#(number)}]}"#
            return #"{\#(facts),"total":\#(number == 3000 ? total : "7"),"lineItems":\#(lines)}"#
        }
        let early = try await TableWorld(.sqlite)
        let late = try await TableWorld(.sqlite)
        // Its rows wait, because the file is not new any more.
        try late.write([], resource: "payments", model: "payments.Payment")
        for world in [early, late] { try world.write(records, lists: ["lineItems"]) }
        for (table, keys) in [("orders", ["id"]), ("orders__line_items", ["parent_id", "id"])] {
            let query = "SELECT * FROM \(table) ORDER BY \(keys.joined(separator: ", "))"
            let stored = try await early.rows(query)
            let isSame = try await stored == late.rows(query)
            #expect(stored.count == records.count)
            #expect(isSame)
            for world in [early, late] {
                let kept = try await world.rows(
                    "SELECT row_count, key_sum, content_sum FROM clover_export_tables WHERE table_name = '\(table)'")
                let expected = try await Self.sums(of: table, keys, in: world.folder["shop.db"])
                #expect(kept == [expected])
            }
        }
        for world in [early, late] { #expect(try TableDatabase.verify(world.address).findings == []) }
    }

    /// The sums of a table's rows, calculated from what is stored, as databases of earlier versions have them.
    private static func sums(of table: String, _ keys: [String], in path: String) async throws -> String {
        try await DatabaseQueue(path: path).read { database in
            var (count, keySum, contentSum) = (0, 0 as UInt64, 0 as UInt64)
            for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
                var (own, all) = (0 as UInt64, 0 as UInt64)
                for (name, value) in row {
                    let hash = Self.hash(value, name)
                    all &+= hash
                    if keys.contains(name) { own &+= hash }
                }
                count += 1
                keySum &+= Self.mixed(own)
                contentSum &+= Self.mixed(all)
            }
            return "\(count)|\(Int64(bitPattern: keySum))|\(Int64(bitPattern: contentSum))"
        }
    }

    private static func hash(_ value: DatabaseValue, _ column: String) -> UInt64 {
        let seed = column.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 1
        switch value.storage {
        case .null, .blob: return 0
        case .int64(let number): return mixed(seed ^ UInt64(bitPattern: number))
        case .double(let number): return mixed(~seed ^ number.bitPattern)
        case .string(let text):
            return Array(text.utf8).withUnsafeBytes { bytes in
                var hash = seed &+ UInt64(bytes.count)
                let words = bytes.count / 8
                for word in 0..<words {
                    hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
                }
                for byte in bytes[(8 * words)...] { hash = mixed(hash ^ UInt64(byte)) }
                return mixed(hash)
            }
        }
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }

    @Test("a text that others turned into a BLOB, which equals no text, is a finding")
    func blobs() async throws {
        for (column, table, kind) in [
            ("state", "orders", ExportFinding.Kind.changed), ("record", "orders", .changed), ("id", "orders", .keys),
            ("parent_id", "orders__line_items", .keys), ("name", "orders__line_items", .changed),
        ] {
            let world = try await TableWorld(.sqlite)
            try world.write(
                [#"{"id":"A","state":"open","modifiedTime":1}"#],
                items: [#"{"parentId":"A","id":"L","name":"","price":3}"#])
            #expect(try TableDatabase.verify(world.address).findings == [])
            try await world.run("UPDATE \(table) SET \(column) = CAST(\(column) AS BLOB)")
            let finding = try TableDatabase.verify(world.address).findings.first { $0.file == table }
            #expect(finding?.kind == kind, "\(table).\(column)")
        }
    }

    @Test("times are text that sorts, before 1970 too")
    func times() async throws {
        let world = try await TableWorld(.sqlite)
        try world.write([#"{"id":"A","createdTime":1752677976690}"#, #"{"id":"B","createdTime":-1}"#])
        #expect(
            try await world.rows("SELECT created_time_utc, created_time_local FROM orders ORDER BY id") == [
                "2025-07-16T14:59:36.690Z|2025-07-16 14:59:36", "1969-12-31T23:59:59.999Z|1969-12-31 23:59:59",
            ])
    }

    @Test("a file that is not a database is refused")
    func refused() async throws {
        let world = try await TableWorld(.sqlite)
        try Data("id,total\nA,1 and more than a page of text would be".utf8)
            .write(to: URL(filePath: world.folder["text.db"]))
        #expect(throws: TableError.notDatabase(path: world.folder["text.db"])) {
            try TableDatabase(.sqlite(path: world.folder["text.db"]), isPrivate: false)
        }
        #expect(throws: TableError.notFile(path: world.folder.path)) {
            try TableDatabase(.sqlite(path: world.folder.path), isPrivate: false)
        }
        #expect(throws: TableError.noDirectory(path: world.folder["no"])) {
            try TableDatabase(.sqlite(path: world.folder["no/x.db"]), isPrivate: false)
        }
        let query = try DatabaseQuery(world.address, "SELECT 1 AS one")
        #expect(query.columns == ["one"])
    }

    @Test("a query reads all kinds of values, page by page, and cannot write")
    func query() async throws {
        let world = try await TableWorld(.sqlite)
        try await world.run("CREATE TABLE t (a); INSERT INTO t VALUES (1), (1.5), (NULL), ('x\"\u{1}é'), (x'00ff')")
        #expect(
            try world.lines("SELECT a, 1 AS \"b.c\" FROM t") == [
                #"{"a":1,"b.c":1}"#, #"{"a":1.5,"b.c":1}"#, #"{"a":null,"b.c":1}"#, #"{"a":"x\"\u0001é","b.c":1}"#,
                #"{"a":"00ff","b.c":1}"#,
            ])
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234) SELECT i FROM n"
        #expect(try world.lines(many).count == 1234)
        for sql in [
            "DELETE FROM t", "SELECT 1; SELECT 2", "ATTACH 'other.db' AS o", "CREATE TEMP TABLE x (a)",
            "DELETE FROM t RETURNING a", "PRAGMA journal_mode = WAL", "VACUUM", "PRAGMA user_version = 5",
        ] {
            #expect(throws: TableError.notQuery(path: world.database.path), "\(sql)") { try world.lines(sql) }
        }
        for sql in ["SELEC", "SELECT 1 LIMIT 'x'"] {
            #expect {
                try world.lines(sql)
            } throws: { error in
                if case TableError.badStatement = error { true } else { false }
            }
        }
        #expect(throws: TableError.missing(path: world.folder["none.db"])) {
            try DatabaseQuery(.sqlite(path: world.folder["none.db"]), "SELECT 1")
        }
        #expect(try await world.rows("SELECT count(*) FROM t") == ["5"])
    }
}
