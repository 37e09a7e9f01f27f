import CloverExport
import CloverTables
import CloverTestSupport
import Foundation
import Testing

@Suite("tables: a PostgreSQL database")
struct PostgreSQLStoreTests {
    @Test("a window that is written again changes no row")
    func again() async throws {
        let world = try await TableWorld(.postgreSQL)
        let orders = [#"{"id":"A","total":1,"modifiedTime":10}"#, #"{"id":"B","modifiedTime":11,"x":"y"}"#]
        let items = [#"{"parentId":"A","id":"L","price":3}"#]
        try world.write(orders, items: items)
        let rows = "SELECT id, xmin FROM orders UNION ALL SELECT id, xmin FROM orders__line_items ORDER BY 1"
        let before = try await world.rows(rows)
        try world.write(orders, items: items)
        #expect(try await world.rows(rows) == before)
        #expect(before.count == 3)
    }

    @Test("a database of which all tables are published is written to")
    func published() async throws {
        let world = try await TableWorld(.postgreSQL, before: "CREATE PUBLICATION everything FOR ALL TABLES")
        try world.write([], resource: "tenders", model: "base.Tender", isWholeList: true)
        for time in 1...2 {
            try world.write(
                [#"{"id":"A","modifiedTime":\#(time)}"#], items: [#"{"parentId":"A","id":"L\#(time)"}"#])
        }
        #expect(try await world.rows("SELECT id, modified_time FROM orders") == ["A|2"])
        #expect(try await world.rows("SELECT id FROM orders__line_items") == ["L2"])
    }

    @Test("columns have types that people expect, and the record is as it was sent")
    func types() async throws {
        let world = try await TableWorld(.postgreSQL)
        let record =
            #"{"total":680,"id":"A","id":"B","isVat":true,"title":"a\u0000b\\\t","note":"","createdTime":1752677976690,"x":{"y":1.50}}"#
        try world.write([record, #"{"id":"C","total":"12","createdTime":"soon","isVat":"yes","x":{"y":"z"}}"#])
        #expect(try await world.rows("SELECT record FROM orders WHERE id = 'B'") == [record])
        #expect(
            try await world.rows(
                """
                SELECT total, is_vat, replace(title, chr(9), 'T'), note, created_time, created_time_utc AT TIME ZONE 'UTC',
                    created_time_local, x_y, currency FROM orders ORDER BY id
                """) == [
                    "680|t|a\u{FFFD}b\\T||1752677976690|2025-07-16 14:59:36.69|2025-07-16 14:59:36|1.5|USD",
                    // What is not of the column's type is in the record only.
                    "12|-|-|-|-|-|-|z|USD",
                ])
        #expect(
            try await world.rows(
                "SELECT pg_typeof(total), pg_typeof(is_vat), pg_typeof(record), pg_typeof(x_y) FROM orders LIMIT 1")
                == [
                    "bigint|boolean|json|text"
                ])
    }

    @Test("rows of a window that do not fit in memory wait in a file, with columns that appear on the way")
    func manyRows() async throws {
        let world = try await TableWorld(.postgreSQL)
        let text = String(repeating: "x", count: 2000)
        func records(_ total: Int) -> [String] {
            (0..<2000).map { number in
                let more = number >= 1000 ? #","later\#(number / 500)":"\#(number)""# : ""
                return #"{"id":"\#(number)","note":"\#(text)","total":\#(total),"modifiedTime":\#(total)\#(more)}"#
            }
        }
        try world.write(records(1))
        // The same again through the temporary table, and with older twins.
        try world.write(records(2) + records(1))
        #expect(
            try await world.rows(
                "SELECT count(*), sum(total), count(later2), count(later3), max(length(note)) FROM orders") == [
                    "2000|4000|500|500|2000"
                ])
        #expect(try await world.rows("SELECT later3 FROM orders WHERE id = '1700'") == ["1700"])
    }

    @Test("a column whose type the user changed, and a view of the user that needs one of ours, stay")
    func changed() async throws {
        let world = try await TableWorld(.postgreSQL)
        let payment = #"{"id":"P","amount":150,"result":"SUCCESS","tender":{"id":"T"},"createdTime":0}"#
        func pay() throws { try world.write([payment], resource: "payments", model: "payments.Payment") }
        try pay()
        try await world.run("CREATE VIEW mine AS SELECT tender, amount FROM payments_by_tender")
        try await world.run("DELETE FROM payments; ALTER TABLE payments ALTER COLUMN created_time TYPE numeric")
        // The view would now name tenders.
        try world.write([#"{"id":"T","label":"Cash"}"#], resource: "tenders", model: "base.Tender")
        try pay()
        #expect(try await world.rows("SELECT * FROM mine") == ["T|1.50"])
        try await world.run("DROP VIEW mine")
        try pay()
        #expect(try await world.rows("SELECT tender FROM payments_by_tender") == ["Cash"])
        try await world.run(
            "CREATE OR REPLACE VIEW payments_by_tender AS SELECT 'own'::text AS day, NULL::text AS tender, 1::bigint AS payments, 1.0::numeric AS amount, 1.0::numeric AS tip_amount, 1.0::numeric AS tax_amount, ''::text AS currency"
        )
        try pay()
        #expect(try await world.rows("SELECT day FROM payments_by_tender") == ["own"])
    }

    @Test("a column whose type others changed is a finding, also without a value")
    func changedType() async throws {
        let world = try await TableWorld(.postgreSQL)
        func findings() throws -> [String] { try TableDatabase.verify(world.address).findings.map(\.sentence) }
        try world.write([#"{"id":"A","modifiedTime":1}"#])
        try world.write([#"{"id":"B","modifiedTime":2,"newCode":"x"}"#])
        #expect(try findings() == [])
        try await world.run("ALTER TABLE orders ALTER COLUMN tax_removed TYPE text USING tax_removed::text")
        #expect(try findings() == ["others changed the type of a column of orders"])
        // A further column does not hide it.
        try world.write([#"{"id":"C","modifiedTime":3,"newNumber":7}"#])
        #expect(try findings() == ["others changed the type of a column of orders"])
        try await world.run("ALTER TABLE orders ALTER COLUMN tax_removed TYPE boolean USING tax_removed::boolean")
        #expect(try findings() == [])
        // A database of an earlier version has no sums of them.
        try await world.run("DROP TABLE clover_export_types")
        #expect(try findings() == [])
    }

    @Test("a query reads all kinds of values, page by page, and cannot write")
    func query() async throws {
        let world = try await TableWorld(.postgreSQL)
        try await world.run(
            """
            CREATE TABLE t (a text); INSERT INTO t VALUES ('x'); CREATE SEQUENCE numbers;
            CREATE DOMAIN over_nine AS int CHECK (value > 9);
            CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO t VALUES ('y'); RETURN 1; END $$;
            CREATE FUNCTION begins() RETURNS int LANGUAGE plpgsql AS
            $$ BEGIN SET TRANSACTION READ WRITE; RETURN 1; END $$;
            CREATE FUNCTION ends() RETURNS int LANGUAGE plpgsql AS $$ BEGIN COMMIT; RETURN 1; END $$;
            CREATE FUNCTION refuses() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$
            """)
        #expect(
            try world.lines(
                """
                SELECT 1 AS "b.c", 1.50 AS n, 1e300::float8 AS f, 'NaN'::float8 AS i, NULL AS z, true AS t, E'x"\\u0001é' AS s,
                    '\\x00ff'::bytea AS b, '{"a": [1,\n 2]}'::json AS j, to_timestamp(1.5) AS u, timestamp '2026-01-31 16:01:25' AS l
                """) == [
                    #"{"b.c":1,"n":1.50,"f":1e+300,"i":null,"z":null,"t":true,"s":"x\"\u0001é","b":"00ff","j":{"a": [1,  2]},"#
                        + #""u":"1970-01-01T00:00:01.500Z","l":"2026-01-31 16:01:25"}"#
                ])
        #expect(try world.lines("SELECT i FROM generate_series(1, 1234) AS i").count == 1234)
        #expect(try world.lines("SELECT i FROM generate_series(1, 0) AS i") == [])
        for sql in [
            "DELETE FROM t", "SELECT 1; SELECT 2", "CREATE TABLE x (a text)", "DELETE FROM t RETURNING a", "VACUUM",
            "COMMIT",
            "COPY t TO STDOUT", "SELECT a INTO x FROM t", "SET default_transaction_read_only = off", "",
            "SELECT set_config('transaction_read_only', 'off', false)", "SELECT nextval('numbers')",
            "SELECT setval('numbers', 3)", "SELECT lo_create(0)", "SELECT writes()", "SELECT begins()",
            "SELECT * FROM t FOR UPDATE",
        ] {
            #expect(throws: TableError.notQuery(path: world.database.path), "\(sql)") { try world.lines(sql) }
        }
        for sql in [
            "SELEC", "SELECT 1 / (i - 700) FROM generate_series(1, 1000) AS i", "SELECT * FROM nothing",
            "SELECT ends()", "SELECT refuses()", "SELECT 3::over_nine", "SELECT currval('numbers')",
        ] {
            #expect {
                try world.lines(sql)
            } throws: { error in
                if case TableError.badStatement = error { true } else { false }
            }
        }
        #expect(try world.lines("SELECT pg_advisory_lock(1) IS NULL AS n") == [#"{"n":false}"#])
        #expect(try await world.rows("SELECT count(*) FROM t") == ["1"])
        #expect(try await world.rows("SELECT count(*) FROM pg_largeobject_metadata") == ["0"])
    }

    @Test("why a server does not let anybody in")
    func refusals() async throws {
        let server = try await PostgreSQLServer.shared
        let database = try await server.makeDatabase()
        func error(_ url: String) throws -> TableError? {
            do throws(TableError) {
                _ = try TableDatabase(.postgreSQL(url: url), isPrivate: false)
                return nil
            } catch {
                return error
            }
        }
        let none = server.url("none")
        #expect(try error(none) == .missing(path: none))
        let stranger = server.url(database).replacing("clover@", with: "stranger@")
        guard case .refused = try error(stranger) else {
            Issue.record("\(String(describing: try error(stranger)))")
            return
        }
        let away = "postgresql://127.0.0.1:1/x"
        guard case .away = try error(away) else {
            Issue.record("\(String(describing: try error(away)))")
            return
        }
        guard case .badAddress = try error("postgresql:///x?no=1") else {
            Issue.record("an unknown setting was taken")
            return
        }
        _ = try await server.rows("CREATE ROLE reader LOGIN", in: database)
        let reader = try TableDatabase(
            .postgreSQL(url: server.url(database).replacing("clover@", with: "reader@")), isPrivate: false)
        #expect {
            try reader.prepare("ID", environment: "us", merchant: "M", shop: TableWorld.shop, zone: nil)
        } throws: { error in
            if case TableError.notAllowed = error { true } else { false }
        }
    }
}

@Suite("tables: addresses of databases")
struct DatabaseAddressTests {
    @Test(
        "a password in an address is refused, wherever it is",
        arguments: [
            "postgresql://u:p@h/db", "postgres://u:p@h", "postgresql://u:p/x@h/db", "postgresql://u:p?x@h/db",
            "postgresql://h/db?password=p", "postgresql://h/db?sslmode=require&PASSWORD=p",
            "postgresql:///?sslpassword=p",
            "postgresql://:p@h",
        ])
    func password(_ text: String) {
        #expect(throws: DatabaseAddress.Fault.hasPassword) { try DatabaseAddress(parsing: text) }
    }

    @Test("addresses without one are taken, and other texts are none")
    func others() throws {
        for text in [
            "postgresql://", "postgresql://h:5432/db", "postgresql://u@h:5432/db?sslmode=require",
            "postgresql://[::1]:5433/db", "postgresql:///db?host=/var/run/postgresql", "postgresql://a,b:5433/db",
            "postgresql://h:5432/db?host=@socket",
        ] {
            #expect(try DatabaseAddress(parsing: text) == .postgreSQL(url: text))
        }
        #expect(try DatabaseAddress(parsing: "postgres://h/db") == .postgreSQL(url: "postgresql://h/db"))
        #expect(try DatabaseAddress(parsing: "sqlite:a b.db") == .sqlite(path: "a b.db"))
        #expect(try DatabaseAddress(parsing: "sqlite:///srv/a.db") == .sqlite(path: "/srv/a.db"))
        for text in ["sqlite:", "sqlite://", "sqlite://a.db"] {
            #expect(throws: DatabaseAddress.Fault.noFile) { try DatabaseAddress(parsing: text) }
        }
        #expect(try DatabaseAddress(parsing: "exports/postgresql") == nil)
    }
}
