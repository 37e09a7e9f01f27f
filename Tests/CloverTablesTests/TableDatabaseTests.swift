import CloverCalendar
import CloverExport
import CloverJSON
import CloverTables
import CloverTestSupport
import Foundation
import GRDB
import Testing

@Suite("tables: an SQLite database")
struct TableDatabaseTests {
    private static let shop = ShopFacts(currency: "USD", decimals: 2, zone: "UTC")

    /// A database with what other programs see of it.
    private final class World {
        let folder: TemporaryDirectory
        let path: String
        let database: TableDatabase
        private var revisions: [String: Int64] = [:]
        private var number = 0

        init(merchant: String = "M", before: String? = nil) throws {
            folder = try TemporaryDirectory()
            path = folder["shop.db"]
            if let before {
                try DatabaseQueue(path: path).write { try $0.execute(sql: before) }
            }
            database = try TableDatabase(path, isPrivate: false)
            try database.prepare(
                "ID", environment: "us", merchant: merchant, shop: TableDatabaseTests.shop, zone: .utc)
            for marker in try database.markers() { revisions[marker.resource] = marker.revision }
        }

        /// Writes a window of orders with their line items.
        func write(
            _ records: [String], items: [String]? = nil, lists: [String] = [], resource: String = "orders",
            model: String = "order.Order"
        ) throws {
            number += 1
            let stage = try database.stage(resource, model: model, lists: lists)
            try stage.add(Self.batch(records))
            if let items {
                let part = try database.stage("\(resource).line_items", model: "order.LineItem", lists: [])
                if !items.isEmpty { try part.add(Self.batch(items)) }
            }
            revisions[resource] = try database.commit(
                TableDatabase.Window(
                    resource: resource, plan: "last@1", number: number, revision: revisions[resource], now: 5))
        }

        static func batch(_ records: [String]) -> RecordBatch {
            var batch = RecordBatch()
            for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
            return batch
        }

        func run(_ sql: String) throws { try DatabaseQueue(path: path).write { try $0.execute(sql: sql) } }

        /// Rows as text, with a bar between columns.
        func rows(_ sql: String) throws -> [String] {
            try DatabaseQueue(path: path).read { database in
                try Row.fetchAll(database, sql: sql).map { row in
                    row.databaseValues.map { value in
                        value.isNull ? "-" : String.fromDatabaseValue(value) ?? "\(value)"
                    }.joined(separator: "|")
                }
            }
        }
    }

    @Test("a row is replaced by a newer one, never by an older one")
    func upsert() throws {
        let world = try World()
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#, #"{"id":"B","total":1}"#])
        try world.write([
            #"{"id":"A","total":2,"modifiedTime":9}"#, #"{"id":"A","total":3,"modifiedTime":10}"#,
            #"{"id":"B","total":2,"modifiedTime":1}"#, #"{"id":"C","total":5,"modifiedTime":1}"#,
        ])
        #expect(
            try world.rows("SELECT id, total, modified_time FROM orders ORDER BY id") == ["A|3|10", "B|2|1", "C|5|1"])
        #expect(try world.rows("SELECT typeof(total) FROM orders WHERE id = 'A'") == ["integer"])
    }

    @Test("a window that is written again changes no row")
    func again() throws {
        let world = try World()
        let orders = [#"{"id":"A","total":1,"modifiedTime":10}"#, #"{"id":"B","modifiedTime":11,"x":"y"}"#]
        let items = [#"{"parentId":"A","id":"L","price":3}"#]
        try world.write(orders, items: items)
        try world.run(
            """
            CREATE TABLE log (what TEXT);
            CREATE TRIGGER a AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES ('order'); END;
            CREATE TRIGGER b AFTER UPDATE ON orders__line_items BEGIN INSERT INTO log VALUES ('item'); END;
            CREATE TRIGGER c AFTER DELETE ON orders__line_items BEGIN INSERT INTO log VALUES ('gone'); END;
            """)
        try world.write(orders, items: items)
        #expect(try world.rows("SELECT * FROM log") == [])
        #expect(try world.rows("SELECT id, x FROM orders ORDER BY id") == ["A|-", "B|y"])
    }

    @Test("the entries of a list are replaced with their record: entries that are gone go, and nothing else")
    func lists() throws {
        let world = try World()
        try world.write(
            [#"{"id":"A","modifiedTime":10}"#, #"{"id":"B","modifiedTime":10}"#, #"{"id":"C","modifiedTime":10}"#],
            items: ["A", "B", "C"].flatMap { order in
                ["1", "2"].map { #"{"parentId":"\#(order)","id":"\#(order)\#($0)","price":1}"# }
            })
        try world.run("ALTER TABLE orders__line_items ADD COLUMN checked TEXT DEFAULT 'no'")
        try world.run("UPDATE orders__line_items SET checked = 'yes'")
        try world.write(
            // A lost an entry and has another one, B lost all, and the record of C is an older one.
            [#"{"id":"A","modifiedTime":11}"#, #"{"id":"B","modifiedTime":11}"#, #"{"id":"C","modifiedTime":9}"#],
            items: [
                #"{"parentId":"A","id":"A1","price":2}"#, #"{"parentId":"A","id":"A3","price":3}"#,
                #"{"parentId":"C","id":"C9","price":9}"#,
            ])
        #expect(
            try world.rows("SELECT parent_id, id, price, checked FROM orders__line_items ORDER BY 1, 2") == [
                "A|A1|2|yes", "A|A3|3|no", "C|C1|1|yes", "C|C2|1|yes",
            ])
        // The records were removed by others, and their entries are old ones.
        try world.run("DELETE FROM orders WHERE id = 'C'")
        try world.write([#"{"id":"C","modifiedTime":20}"#], items: [#"{"parentId":"C","id":"C2","price":1}"#])
        #expect(try world.rows("SELECT id FROM orders__line_items WHERE parent_id = 'C'") == ["C2"])
        // A record whose last entry went away, in a window without any entry.
        try world.write([#"{"id":"A","modifiedTime":12}"#], items: [])
        #expect(try world.rows("SELECT DISTINCT parent_id FROM orders__line_items") == ["C"])
    }

    @Test("entries inside records, with lists of their own, are replaced in the same way")
    func expanded() throws {
        let world = try World()
        let lists = ["lineItems", "lineItems.discounts"]
        func order(_ time: Int, _ items: String) -> String {
            #"{"id":"A","modifiedTime":\#(time),"lineItems":{"elements":[\#(items)]}}"#
        }
        let discounted = #"{"id":"L1","discounts":{"elements":[{"id":"D1"},{"id":"D2"}]}}"#
        try world.write([order(1, discounted + #",{"id":"L2","discounts":{"elements":[{"id":"D3"}]}}"#)], lists: lists)
        #expect(try world.rows("SELECT parent_id, id FROM orders__line_items__discounts ORDER BY 2").count == 3)
        try world.write([order(2, #"{"id":"L1","discounts":{"elements":[{"id":"D2"}]}}"#)], lists: lists)
        #expect(try world.rows("SELECT id FROM orders__line_items") == ["L1"])
        #expect(try world.rows("SELECT parent_id, id FROM orders__line_items__discounts") == ["L1|D2"])
    }

    @Test("a part's history without its records adds the entries of the records that it names")
    func history() throws {
        let world = try World()
        try world.write([#"{"id":"A","modifiedTime":1}"#, #"{"id":"B","modifiedTime":1}"#])
        for items in [["A1", "A2"], ["A2", "A3"]] {
            let part = try world.database.stage("orders.line_items", model: "order.LineItem", lists: [])
            try part.add(World.batch(items.map { #"{"parentId":"A","id":"\#($0)"}"# }))
            let marker = try world.database.markers()[0]
            _ = try world.database.commit(
                TableDatabase.Window(
                    resource: "orders", plan: "full@2", number: 0, revision: marker.revision, now: 6))
        }
        #expect(try world.rows("SELECT parent_id, id FROM orders__line_items ORDER BY 2") == ["A|A2", "A|A3"])
        #expect(try world.rows("SELECT count(*) FROM orders") == ["2"])
    }

    @Test("new fields become columns, also in the middle of a window; a value that is gone becomes NULL")
    func newFields() throws {
        let world = try World()
        try world.write([#"{"id":"A","modifiedTime":1}"#])
        try world.write([
            #"{"id":"B","modifiedTime":1}"#, #"{"id":"C","modifiedTime":1,"loyalty":{"level":"gold"},"newCode":"007"}"#,
            #"{"id":"D","modifiedTime":1,"newNumber":7}"#,
        ])
        try world.write([
            #"{"id":"C","modifiedTime":2}"#, #"{"id":"D","modifiedTime":2,"newNumber":"007","newCode":8}"#,
        ])
        #expect(
            try world.rows("SELECT id, loyalty_level, new_code, new_number FROM orders ORDER BY id") == [
                "A|-|-|-", "B|-|-|-", "C|-|-|-", "D|-|8|007",
            ])
    }

    @Test("columns, tables and views of the user stay, and a field of a user's name stays in the record")
    func user() throws {
        let world = try World(before: "CREATE TABLE notes (id TEXT); CREATE VIEW sales_lines AS SELECT 1 AS mine")
        try world.write([#"{"id":"A","modifiedTime":1}"#], items: [#"{"parentId":"A","id":"L"}"#])
        try world.run("ALTER TABLE orders ADD COLUMN rating INTEGER; UPDATE orders SET rating = 5")
        try world.run("CREATE VIEW own AS SELECT id, rating FROM orders; INSERT INTO notes VALUES ('x')")
        try world.write([#"{"id":"A","modifiedTime":2,"rating":1,"total":9}"#], items: [])
        #expect(try world.rows("SELECT * FROM own") == ["A|5"])
        #expect(try world.rows("SELECT total FROM orders") == ["9"])
        #expect(try world.rows("SELECT * FROM notes") == ["x"])
        #expect(try world.rows("SELECT * FROM sales_lines") == ["1"])
    }

    @Test("views have amounts in whole units and the shop's time; one that the user dropped does not come back")
    func views() throws {
        let world = try World()
        try world.write(
            [#"{"id":"A","state":"locked","modifiedTime":1,"createdTime":1752677976690}"#],
            items: [
                #"{"parentId":"A","id":"L","name":"Tea","price":525,"item":{"id":"I"}}"#,
                #"{"parentId":"A","id":"W","name":"Nuts","price":1000,"unitQty":250}"#,
            ])
        #expect(
            try world.rows("SELECT order_id, ordered_at, item_id, name, quantity, price, amount FROM sales_lines") == [
                "A|2025-07-16 14:59:36|I|Tea|1|5.25|5.25", "A|2025-07-16 14:59:36|-|Nuts|0.25|10.0|2.5",
            ])
        func pay() throws {
            try world.write(
                ["1", "2"].map {
                    #"{"id":"\#($0)","amount":150,"tipAmount":25,"result":"SUCCESS","tender":{"id":"T"},"createdTime":0}"#
                } + [#"{"id":"3","amount":1,"result":"FAIL","tender":{"id":"T"},"createdTime":0}"#],
                resource: "payments", model: "payments.Payment")
        }
        try pay()
        #expect(
            try world.rows("SELECT day, tender, payments, amount, tip_amount FROM payments_by_tender") == [
                "1970-01-01|T|2|3.0|0.5"
            ])
        try world.write([#"{"id":"T","label":"Cash"}"#], resource: "tenders", model: "base.Tender")
        #expect(try world.rows("SELECT tender FROM payments_by_tender") == ["Cash"])
        try world.run("DROP VIEW payments_by_tender")
        try pay()
        #expect(try world.rows("SELECT name FROM sqlite_schema WHERE type = 'view'") == ["sales_lines"])
    }

    @Test("a table or view of a resource's name that no export made is refused")
    func foreign() throws {
        for name in ["orders", "Orders__Line_Items"] {
            let world = try World(before: "CREATE TABLE \(name) (x)")
            #expect(throws: TableError.foreignTable(path: world.database.path, name: name.lowercased())) {
                try world.write([#"{"id":"A"}"#], items: [])
            }
            #expect(try world.rows("SELECT count(*) FROM \(name)") == ["0"])
        }
    }

    @Test("another merchant is refused, and a file that is not a database")
    func refused() throws {
        let world = try World()
        let other = try TableDatabase(world.path, isPrivate: false)
        #expect(throws: TableError.otherMerchant(path: other.path, known: "M", merchant: "N")) {
            try other.prepare("ID", environment: "us", merchant: "N", shop: Self.shop, zone: nil)
        }
        try Data("id,total\nA,1 and more than a page of text would be".utf8)
            .write(to: URL(filePath: world.folder["text.db"]))
        #expect(throws: TableError.notDatabase(path: world.folder["text.db"])) {
            try TableDatabase(world.folder["text.db"], isPrivate: false)
        }
        #expect(throws: TableError.notFile(path: world.folder.path)) {
            try TableDatabase(world.folder.path, isPrivate: false)
        }
        #expect(throws: TableError.noDirectory(path: world.folder["no"])) {
            try TableDatabase(world.folder["no/x.db"], isPrivate: false)
        }
        let query = try DatabaseQuery(world.path, "SELECT 1 AS one")
        #expect(query.columns == ["one"])
    }

    @Test("the mark of a window, the position, and what a dropped table does to them")
    func markers() throws {
        let world = try World()
        #expect(try world.database.markers() == [])
        try world.write([#"{"id":"A"}"#])
        var marker = try #require(try world.database.markers().first)
        #expect(marker.windows == ["last@1": [1]])
        #expect(marker.position == ExportPosition())
        var position = ExportPosition()
        position.bookmark = 7
        position.parts = ["line_items": 5, "payments": -6]
        position.form = ExportForm(choice: "c", words: "w")
        try world.database.keep(position, of: "orders", plans: [], now: 8)
        marker = try #require(try world.database.markers().first)
        #expect(marker.position == position)
        #expect(marker.windows == [:])
        try world.run("DROP VIEW IF EXISTS sales_lines; DROP TABLE orders")
        #expect(try world.database.markers() == [])
    }

    @Test("a window is not written when another export wrote meanwhile, and nothing of it is left")
    func overtaken() throws {
        let world = try World()
        try world.write([#"{"id":"A"}"#])
        try world.run("UPDATE clover_export SET revision = 1")
        #expect(throws: TableError.overtaken(path: world.database.path, resource: "orders")) {
            try world.write([#"{"id":"B"}"#])
        }
        #expect(try world.rows("SELECT id FROM orders") == ["A"])
    }

    @Test("a query reads all kinds of values, page by page, and cannot write")
    func query() throws {
        let world = try World()
        try world.run("CREATE TABLE t (a); INSERT INTO t VALUES (1), (1.5), (NULL), ('x\"\u{1}é'), (x'00ff')")
        func lines(_ sql: String) throws -> [String] {
            let query = try DatabaseQuery(world.path, sql)
            var lines: [String] = []
            while let batch = try query.next() {
                lines += batch.records.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
            }
            return lines
        }
        #expect(
            try lines("SELECT a, 1 AS \"b.c\" FROM t") == [
                #"{"a":1,"b.c":1}"#, #"{"a":1.5,"b.c":1}"#, #"{"a":null,"b.c":1}"#, #"{"a":"x\"\u0001é","b.c":1}"#,
                #"{"a":"00ff","b.c":1}"#,
            ])
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234) SELECT i FROM n"
        #expect(try lines(many).count == 1234)
        for sql in [
            "DELETE FROM t", "SELECT 1; SELECT 2", "ATTACH 'other.db' AS o", "CREATE TEMP TABLE x (a)",
            "DELETE FROM t RETURNING a", "PRAGMA journal_mode = WAL", "VACUUM", "PRAGMA user_version = 5",
        ] {
            #expect(throws: TableError.notQuery, "\(sql)") { try lines(sql) }
        }
        #expect {
            try lines("SELEC")
        } throws: { error in
            if case TableError.badStatement = error { true } else { false }
        }
        #expect(throws: TableError.missing(path: world.folder["none.db"])) {
            try DatabaseQuery(world.folder["none.db"], "SELECT 1")
        }
        #expect(try world.rows("SELECT count(*) FROM t") == ["5"])
    }
}
