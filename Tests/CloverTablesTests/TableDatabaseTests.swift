import CloverExport
import CloverTables
import CloverTestSupport
import Testing

/// What both kinds of databases do.
@Suite("tables: databases")
struct TableDatabaseTests {
    @Test("a row is replaced by a newer one, never by an older one", arguments: TableWorld.Kind.allCases)
    func upsert(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","total":1,"modifiedTime":10}"#, #"{"id":"B","total":1}"#])
        try world.write([
            #"{"id":"A","total":2,"modifiedTime":9}"#, #"{"id":"A","total":3,"modifiedTime":10}"#,
            #"{"id":"B","total":2,"modifiedTime":1}"#, #"{"id":"C","total":5,"modifiedTime":1}"#,
        ])
        #expect(
            try await world.rows("SELECT id, total, modified_time FROM orders ORDER BY id") == [
                "A|3|10", "B|2|1", "C|5|1",
            ])
        let type = kind == .sqlite ? "typeof" : "pg_typeof"
        #expect(
            try await world.rows("SELECT \(type)(total) FROM orders WHERE id = 'A'") == [
                kind == .sqlite ? "integer" : "bigint"
            ])
    }

    @Test(
        "a full export also replaces a row whose time of change others raised, with its entries",
        arguments: TableWorld.Kind.allCases)
    func replacesNewer(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let record = #"{"id":"A","total":1,"modifiedTime":10}"#
        let items = [#"{"parentId":"A","id":"L1","price":1}"#, #"{"parentId":"A","id":"L2","price":1}"#]
        try world.write([record], items: items)
        try await world.run("UPDATE orders SET total = 9, modified_time = 1900000000000")
        try await world.run("UPDATE orders__line_items SET price = 9 WHERE id = 'L1'")
        try await world.run("DELETE FROM orders__line_items WHERE id = 'L2'")
        try world.write([record], items: items, replacesNewer: true)
        #expect(try await world.rows("SELECT id, total, modified_time FROM orders") == ["A|1|10"])
        #expect(try await world.rows("SELECT id, price FROM orders__line_items ORDER BY id") == ["L1|1", "L2|1"])
    }

    @Test(
        "the entries of a list are replaced with their record: entries that are gone go, and nothing else",
        arguments: TableWorld.Kind.allCases)
    func lists(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write(
            [#"{"id":"A","modifiedTime":10}"#, #"{"id":"B","modifiedTime":10}"#, #"{"id":"C","modifiedTime":10}"#],
            items: ["A", "B", "C"].flatMap { order in
                ["1", "2"].map { #"{"parentId":"\#(order)","id":"\#(order)\#($0)","price":1}"# }
            })
        try await world.run("ALTER TABLE orders__line_items ADD COLUMN checked TEXT DEFAULT 'no'")
        try await world.run("UPDATE orders__line_items SET checked = 'yes'")
        try world.write(
            // A lost an entry and has another one, B lost all, and the record of C is an older one.
            [#"{"id":"A","modifiedTime":11}"#, #"{"id":"B","modifiedTime":11}"#, #"{"id":"C","modifiedTime":9}"#],
            items: [
                #"{"parentId":"A","id":"A1","price":2}"#, #"{"parentId":"A","id":"A3","price":3}"#,
                #"{"parentId":"C","id":"C9","price":9}"#,
            ])
        #expect(
            try await world.rows("SELECT parent_id, id, price, checked FROM orders__line_items ORDER BY 1, 2") == [
                "A|A1|2|yes", "A|A3|3|no", "C|C1|1|yes", "C|C2|1|yes",
            ])
        // The records were removed by others, and their entries are old ones.
        try await world.run("DELETE FROM orders WHERE id = 'C'")
        try world.write([#"{"id":"C","modifiedTime":20}"#], items: [#"{"parentId":"C","id":"C2","price":1}"#])
        #expect(try await world.rows("SELECT id FROM orders__line_items WHERE parent_id = 'C'") == ["C2"])
        // A record whose last entry went away, in a window without any entry.
        try world.write([#"{"id":"A","modifiedTime":12}"#], items: [])
        #expect(try await world.rows("SELECT DISTINCT parent_id FROM orders__line_items") == ["C"])
    }

    @Test(
        "entries inside records, with lists of their own, are replaced in the same way",
        arguments: TableWorld.Kind.allCases)
    func expanded(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let lists = ["lineItems", "lineItems.discounts"]
        func order(_ time: Int, _ items: String) -> String {
            #"{"id":"A","modifiedTime":\#(time),"lineItems":{"elements":[\#(items)]}}"#
        }
        let discounted = #"{"id":"L1","discounts":{"elements":[{"id":"D1"},{"id":"D2"}]}}"#
        try world.write([order(1, discounted + #",{"id":"L2","discounts":{"elements":[{"id":"D3"}]}}"#)], lists: lists)
        #expect(try await world.rows("SELECT parent_id, id FROM orders__line_items__discounts ORDER BY 2").count == 3)
        try world.write([order(2, #"{"id":"L1","discounts":{"elements":[{"id":"D2"}]}}"#)], lists: lists)
        #expect(try await world.rows("SELECT id FROM orders__line_items") == ["L1"])
        #expect(try await world.rows("SELECT parent_id, id FROM orders__line_items__discounts") == ["L1|D2"])
    }

    @Test(
        "a part's history without its records adds the entries of the records that it names",
        arguments: TableWorld.Kind.allCases)
    func history(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","modifiedTime":1}"#, #"{"id":"B","modifiedTime":1}"#])
        for items in [["A1", "A2"], ["A2", "A3"]] {
            let part = try world.database.stage("orders.line_items", model: "order.LineItem", lists: [])
            try part.add(TableWorld.batch(items.map { #"{"parentId":"A","id":"\#($0)"}"# }))
            let marker = try world.database.markers()[0]
            _ = try world.database.commit(
                TableDatabase.Window(
                    resource: "orders", plan: "full@2", number: 0, revision: marker.revision, now: 6))
        }
        #expect(try await world.rows("SELECT parent_id, id FROM orders__line_items ORDER BY 2") == ["A|A2", "A|A3"])
        #expect(try await world.rows("SELECT count(*) FROM orders") == ["2"])
    }

    @Test(
        "a window of entries only replaces those of all its records, also by none",
        arguments: TableWorld.Kind.allCases)
    func entriesOnly(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let entries = "SELECT parent_id, id FROM orders__line_items ORDER BY parent_id, id"
        try world.write(
            ["A", "B", "C"].map { #"{"id":"\#($0)","modifiedTime":1}"# },
            items: ["A1", "A2", "B3", "C4"].map { #"{"parentId":"\#($0.prefix(1))","id":"\#($0.suffix(1))"}"# })
        try world.write(nil, items: [#"{"parentId":"B","id":"1"}"#], parents: ["A", "B"])
        #expect(try await world.rows(entries) == ["B|1", "C|4"])
        try world.write(nil, items: [], parents: ["B", "B"])
        #expect(try await world.rows(entries) == ["C|4"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test(
        "new fields become columns, also in the middle of a window; a value that is gone becomes NULL",
        arguments: TableWorld.Kind.allCases)
    func newFields(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A","modifiedTime":1}"#])
        try world.write([
            #"{"id":"B","modifiedTime":1}"#, #"{"id":"C","modifiedTime":1,"loyalty":{"level":"gold"},"newCode":"007"}"#,
            #"{"id":"D","modifiedTime":1,"newNumber":7}"#,
        ])
        try world.write([
            #"{"id":"C","modifiedTime":2}"#, #"{"id":"D","modifiedTime":2,"newNumber":"007","newCode":8}"#,
        ])
        #expect(
            try await world.rows("SELECT id, loyalty_level, new_code, new_number FROM orders ORDER BY id") == [
                "A|-|-|-", "B|-|-|-", "C|-|-|-", "D|-|8|007",
            ])
    }

    @Test(
        "columns, tables and views of the user stay, and a field of a user's name stays in the record",
        arguments: TableWorld.Kind.allCases)
    func user(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(
            kind, before: "CREATE TABLE notes (id TEXT); CREATE VIEW sales_lines AS SELECT 1 AS mine")
        try world.write([#"{"id":"A","modifiedTime":1}"#], items: [#"{"parentId":"A","id":"L"}"#])
        try await world.run("ALTER TABLE orders ADD COLUMN rating INTEGER; UPDATE orders SET rating = 5")
        try await world.run("CREATE VIEW own AS SELECT id, rating FROM orders; INSERT INTO notes VALUES ('x')")
        try world.write([#"{"id":"A","modifiedTime":2,"rating":1,"total":9}"#], items: [])
        #expect(try await world.rows("SELECT * FROM own") == ["A|5"])
        #expect(try await world.rows("SELECT total FROM orders") == ["9"])
        #expect(try await world.rows("SELECT * FROM notes") == ["x"])
        #expect(try await world.rows("SELECT * FROM sales_lines") == ["1"])
    }

    @Test(
        "views have amounts in whole units and the shop's time; one that the user dropped is named, and comes back",
        arguments: TableWorld.Kind.allCases)
    func views(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write(
            [#"{"id":"A","state":"locked","modifiedTime":1,"createdTime":1752677976690}"#],
            items: [
                #"{"parentId":"A","id":"L","name":"Tea","price":525,"item":{"id":"I"}}"#,
                #"{"parentId":"A","id":"W","name":"Nuts","price":1000,"unitQty":250}"#,
            ])
        let (one, weighed) = kind == .sqlite ? ("1", "0.25|10.0|2.5") : ("1.000", "0.250|10.00|2.50")
        #expect(
            try await world.rows("SELECT order_id, ordered_at, item_id, name, quantity, price, amount FROM sales_lines")
                == [
                    "A|2025-07-16 14:59:36|I|Tea|\(one)|5.25|5.25", "A|2025-07-16 14:59:36|-|Nuts|\(weighed)",
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
            try await world.rows("SELECT day, tender, payments, amount, tip_amount FROM payments_by_tender") == [
                "1970-01-01|T|2|" + (kind == .sqlite ? "3.0|0.5" : "3.00|0.50")
            ])
        try world.write([#"{"id":"T","label":"Cash"}"#], resource: "tenders", model: "base.Tender")
        #expect(try await world.rows("SELECT tender FROM payments_by_tender") == ["Cash"])
        try await world.run("DROP VIEW payments_by_tender; DROP VIEW sales_lines")
        #expect(
            try TableDatabase.verify(world.address).findings.map { "\($0.kind.rawValue) \($0.file ?? "")" }
                == ["changed payments_by_tender", "changed sales_lines"])
        try await world.run("CREATE VIEW sales_lines AS SELECT 1 AS mine")
        // A run without new records, too.
        try world.database.keep(ExportPosition(), of: "orders", plans: [], now: 9)
        #expect(try await world.rows("SELECT tender FROM payments_by_tender") == ["Cash"])
        #expect(try await world.rows("SELECT mine FROM sales_lines") == ["1"])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test(
        "a view whose columns the user dropped or changed is left out, and the export goes on",
        arguments: TableWorld.Kind.allCases)
    func viewsOfChangedColumns(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let item = #"{"parentId":"A","id":"L","name":"Tea","price":525,"note":"x"}"#
        try world.write([#"{"id":"A","state":"open","modifiedTime":1}"#], items: [item])
        try await world.run("DROP VIEW sales_lines; ALTER TABLE orders__line_items DROP COLUMN price")
        try world.write([#"{"id":"B","state":"open","modifiedTime":2}"#])
        #expect(try await world.rows("SELECT id FROM orders ORDER BY id") == ["A", "B"])
        guard kind == .postgreSQL else { return }
        try await world.run("ALTER TABLE orders__line_items ADD COLUMN price text")
        try world.write([#"{"id":"C","state":"open","modifiedTime":3}"#])
        #expect(try await world.rows("SELECT count(*) FROM orders") == ["3"])
    }

    @Test("a table or view of a resource's name that no export made is refused", arguments: TableWorld.Kind.allCases)
    func foreign(_ kind: TableWorld.Kind) async throws {
        for name in ["orders", "Orders__Line_Items"] {
            let world = try await TableWorld(kind, before: "CREATE TABLE \(name) (x TEXT)")
            #expect(throws: TableError.foreignTable(path: world.database.path, name: name.lowercased())) {
                try world.write([#"{"id":"A"}"#], items: [])
            }
            #expect(try await world.rows("SELECT count(*) FROM \(name)") == ["0"])
        }
    }

    @Test(
        "a table or view that others make while a window is read, or in place of a known table, is refused, and stays",
        arguments: TableWorld.Kind.allCases)
    func foreignMeanwhile(_ kind: TableWorld.Kind) async throws {
        for (name, statement) in [
            ("orders", "CREATE TABLE orders (id TEXT PRIMARY KEY, mine TEXT); INSERT INTO orders VALUES ('x', 'y')"),
            ("orders__line_items", "CREATE VIEW orders__line_items AS SELECT 'y' AS mine"),
        ] {
            let world = try await TableWorld(kind)
            let stage = try world.database.stage("orders", model: "order.Order", lists: ["lineItems"])
            try stage.add(TableWorld.batch([#"{"id":"A","lineItems":{"elements":[{"id":"L"}]}}"#]))
            try await world.run(statement)
            #expect(throws: TableError.foreignTable(path: world.database.path, name: name)) {
                try world.database.commit(
                    TableDatabase.Window(resource: "orders", plan: "last@1", number: 1, revision: nil, now: 5))
            }
            #expect(try await world.rows("SELECT mine FROM \(name)") == ["y"])
            #expect(try await world.rows("SELECT count(*) FROM clover_export") == ["0"])
        }
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A"}"#])
        try await world.run("DROP TABLE orders; CREATE VIEW orders AS SELECT 'y' AS mine")
        try world.reopen()
        #expect(throws: TableError.foreignTable(path: world.database.path, name: "orders")) {
            try world.write([#"{"id":"B"}"#])
        }
        #expect(try await world.rows("SELECT mine FROM orders") == ["y"])
    }

    @Test(
        "the mark of a window, the position, and what a dropped table does to them", arguments: TableWorld.Kind.allCases
    )
    func markers(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
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
        try await world.run("DROP VIEW IF EXISTS sales_lines; DROP TABLE orders")
        #expect(try world.database.markers() == [])
    }

    @Test(
        "a window is not written when another export wrote meanwhile, and nothing of it is left",
        arguments: TableWorld.Kind.allCases)
    func overtaken(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        try world.write([#"{"id":"A"}"#])
        try await world.run("UPDATE clover_export SET revision = 1")
        #expect(throws: TableError.overtaken(path: world.database.path, resource: "orders")) {
            try world.write([#"{"id":"B"}"#])
        }
        #expect(try await world.rows("SELECT id FROM orders") == ["A"])
    }

    @Test("another merchant is refused", arguments: TableWorld.Kind.allCases)
    func otherMerchant(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let other = try TableDatabase(world.address, isPrivate: false)
        #expect(throws: TableError.otherMerchant(path: other.path, known: "M", merchant: "N")) {
            try other.prepare("ID", environment: "us", merchant: "N", shop: TableWorld.shop, zone: nil)
        }
        #expect(try other.identifier() == "ID")
        #expect(TableDatabase.identifier(at: world.address) == "ID")
    }

    @Test("a window whose answer was lost is written once", arguments: TableWorld.Kind.allCases)
    func lostAnswer(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        let window = TableDatabase.Window(resource: "orders", plan: "last@1", number: 1, revision: nil, now: 5)
        for _ in 0..<2 {
            let stage = try world.database.stage("orders", model: "order.Order", lists: [])
            try stage.add(TableWorld.batch([#"{"id":"A"}"#]))
            #expect(try world.database.commit(window) == window.next)
        }
        #expect(try await world.rows("SELECT revision FROM clover_export") == ["\(window.next)"])
    }

    @Test(
        "records that the service no longer has are marked, and unmarked when they are back",
        arguments: TableWorld.Kind.allCases)
    func deleted(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func order(_ id: String, _ time: Int = 1) -> String {
            #"{"id":"\#(id)","state":"open","modifiedTime":\#(time)}"#
        }
        try world.write(
            ["A", "B", "C"].map { order($0) }, items: [#"{"parentId":"B","id":"L","name":"Tea","price":1}"#])
        func readAll(_ records: [[String]], plan: String) throws -> [String] {
            for (number, read) in records.enumerated() {
                let stage = try world.database.stage("orders", model: "order.Order", lists: [])
                try stage.add(TableWorld.batch(read))
                let revision = try world.database.markers().first?.revision
                var window = TableDatabase.Window(
                    resource: "orders", plan: plan, number: number, revision: revision, now: 5)
                window.keepsSeen = true
                _ = try world.database.commit(window)
            }
            return try world.database.unseen("orders", plan: plan)
        }
        #expect(try readAll([[order("A")], [order("C", 2)]], plan: "full@1") == ["B"])
        try world.database.markDeleted(["B"], of: "orders", now: 1000)
        let marked = "SELECT id FROM orders WHERE deleted_at IS NOT NULL"
        #expect(try await world.rows(marked) == ["B"])
        #expect(try await world.rows("SELECT * FROM sales_lines") == [])
        #expect(try readAll([[order("A"), order("B"), order("C")]], plan: "full@2") == [])
        #expect(try await world.rows(marked) == [])
        try world.database.markDeleted(["A"], of: "orders", now: 1000)
        let stage = try world.database.stage("orders", model: "order.Order", lists: [])
        try stage.add(TableWorld.batch([order("A", 3)]))
        _ = try world.database.commit(
            TableDatabase.Window(
                resource: "orders", plan: "last@3", number: 1, revision: try world.database.markers().first?.revision,
                now: 5))
        #expect(try await world.rows(marked) == [])
    }

    @Test(
        "a dropped column of marks, or a dropped table with one, is added again, and a full export marks again",
        arguments: TableWorld.Kind.allCases)
    func droppedMarks(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        func export(_ ids: [String], plan: String) throws {
            let stage = try world.database.stage("orders", model: "order.Order", lists: [])
            try stage.add(TableWorld.batch(ids.map { #"{"id":"\#($0)","state":"open","modifiedTime":1}"# }))
            var window = TableDatabase.Window(
                resource: "orders", plan: plan, number: 1, revision: try world.database.markers().first?.revision,
                now: 5)
            window.keepsSeen = true
            _ = try world.database.commit(window)
            let gone = try world.database.unseen("orders", plan: plan)
            try world.database.markDeleted(gone, of: "orders", now: 1000)
            try world.database.keep(ExportPosition(), of: "orders", plans: [], isFull: true, now: 5)
        }
        let marked = "SELECT id FROM orders WHERE deleted_at IS NOT NULL"
        try export(["A", "B"], plan: "full@1")
        try export(["A"], plan: "full@2")
        #expect(try await world.rows(marked) == ["B"])
        try await world.run("ALTER TABLE orders DROP COLUMN deleted_at")
        try export(["A"], plan: "full@3")
        #expect(try await world.rows(marked) == ["B"])
        #expect(try TableDatabase.verify(world.address).findings == [])
        // A run without new records finds the deleted ones, too.
        try await world.run("ALTER TABLE orders DROP COLUMN deleted_at")
        #expect(try world.database.unseen("orders", plan: "full@4") == ["A", "B"])
        try await world.run("DROP TABLE orders")
        for plan in ["full@5", "full@6"] { try export(["A"], plan: plan) }
        #expect(try await world.rows(marked) == [])
        #expect(try TableDatabase.verify(world.address).findings == [])
    }

    @Test("columns with the same name get different ones", arguments: TableWorld.Kind.allCases)
    func sameNames(_ kind: TableWorld.Kind) async throws {
        let world = try await TableWorld(kind)
        #expect(
            try world.lines("SELECT 1 AS id, 2 AS id, 3 AS id_2, 4 AS id")
                == [#"{"id":1,"id_3":2,"id_2":3,"id_4":4}"#])
    }
}
