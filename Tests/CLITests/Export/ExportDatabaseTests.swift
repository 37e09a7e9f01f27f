import CloverTestSupport
import Foundation
import GRDB
import Testing

/// The tables of an export in an SQLite database.
struct ExportedDatabase {
    let sandbox: Sandbox
    let name: String

    var path: String { sandbox.directory[name] }
    var address: String { "sqlite:" + path }

    /// Rows as other programs see them, as text with a bar between columns.
    func rows(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }.joined(separator: "|")
            }
        }
    }

    func run(_ sql: String) throws { try DatabaseQueue(path: path).write { try $0.execute(sql: sql) } }

    /// Each record by its id.
    func records(of resource: String) throws -> [String: JSONValue] {
        let lines = try rows("SELECT record FROM \(resource)")
        let records = try lines.map { try JSONValue($0) }
        let byID = Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 }
        #expect(byID.count == lines.count)
        return byID
    }

    /// Everything in the tables of the resources.
    func everything() throws -> [String: [String]] {
        var everything: [String: [String]] = [:]
        for table in try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'clover_export%'")
        {
            everything[table] = try rows("SELECT * FROM \(table)").sorted()
        }
        #expect(try rows("PRAGMA integrity_check") == ["ok"])
        return everything
    }
}

@Suite("export: SQLite databases")
struct ExportDatabaseTests {
    private static let shop = ["--orders", "300", "--days", "200", "--clamp", "50", "--no-limits"]

    @Test("records without an id are all there, after several windows and runs")
    func unnamed() async throws {
        try await Sandbox.run(unpaced: ["--orders", "2000", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let get = try await sandbox.clover("get", "cash_events", "--all")
            #expect(get.status == 0, "\(get)")
            let amounts = try get.lines.map { Int(try JSONValue($0)["amountChange"]?.integer ?? 0) }
            try #require(amounts.count > 20)
            let all = ["\(amounts.count)|\(amounts.reduce(0, +))"]
            let run = ["export", "cash_events", "--to", database.address]
            for options in [["--window", "7d"], [], ["--full"]] {
                #expect(try await sandbox.clover(run + options).status == 0)
                #expect(try database.rows("SELECT count(*), sum(amount_change) FROM cash_events") == all, "\(options)")
                expectSuccess(try await sandbox.clover("export", "verify", database.address))
            }
            // As an earlier version left them.
            try database.run("UPDATE cash_events SET id = '#' || rowid")
            let refused = try await sandbox.clover(run + ["--full"])
            #expect(refused.status == 73 && refused.errorText.contains("DROP TABLE cash_events"), "\(refused)")
            try database.run("DROP TABLE cash_events")
            #expect(try await sandbox.clover(run).status == 0)
            #expect(try database.rows("SELECT count(*), sum(amount_change) FROM cash_events") == all)
        }
    }

    @Test("jq programs of export sql have the currency and the zone of the database's shop")
    func shopOfDatabase() async throws {
        try await Sandbox.run(unpaced: ["--orders", "5", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            expectSuccess(try await sandbox.clover("export", "tenders", "--to", database.address))
            try database.run(
                "UPDATE clover_export_database SET currency = 'JPY', decimals = 0, time_zone = 'Asia/Tokyo'")
            let result = try await sandbox.clover(
                "export", "sql", database.address, "SELECT 1234 AS a, 0 AS t", "--jq", "[(.a|money), (.t|iso)]")
            expectSuccess(result)
            #expect(result.outputText == #"["1234","1970-01-01T09:00:00.000+09:00"]"# + "\n", "\(result)")
            // An export that could not read the shop's settings.
            try database.run("UPDATE clover_export_database SET currency = NULL, decimals = NULL, time_zone = NULL")
            let times = ["export", "sql", database.address, "SELECT 0 AS t", "--jq", ".t | iso"]
            expectFailure(
                try await sandbox.clover(times), status: 65, saying: "time zone is not known; --zone names one",
                output: "")
            let named = try await sandbox.clover(times + ["--zone", "Asia/Tokyo"])
            #expect(named.outputText == #""1970-01-01T09:00:00.000+09:00""# + "\n", "\(named)")
        }
    }

    @Test("later runs write what changed, and a database restored from a backup catches up; views and columns stay")
    func changes() async throws {
        let flags = ["--orders", "100", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            func export(in sandbox: Sandbox, to database: ExportedDatabase) async throws -> String {
                let result = try await sandbox.clover(
                    "export", "orders", "items", "--with", "line_items", "--to", database.address)
                #expect(result.status == 0, "\(result)")
                for list in ["orders", "items"] {
                    let found = try database.records(of: list)
                    for (id, record) in try await emulator.truth(list) { #expect(found[id] == record, "\(list) \(id)") }
                }
                return result.errorText
            }
            _ = try await export(in: sandbox, to: database)
            try database.run(
                """
                ALTER TABLE orders ADD COLUMN checked TEXT DEFAULT 'yes';
                CREATE VIEW mine AS SELECT count(*) AS orders, min(checked) AS checked FROM orders;
                """)
            let backup = sandbox.directory["backup.db"]
            try FileManager.default.copyItem(atPath: database.path, toPath: backup)
            try await emulator.churn(30)
            #expect(try await export(in: sandbox, to: database) == "")
            try FileManager.default.removeItem(atPath: database.path)
            try FileManager.default.copyItem(atPath: backup, toPath: database.path)
            let warning = try await export(in: sandbox, to: database)
            #expect(warning.contains("as if restored from a backup"), "\(warning)")
            #expect(try await export(in: sandbox, to: database) == "")
            #expect(try database.rows("SELECT checked FROM mine") == ["yes"])
            // The backup is a separate destination, also for a state that never saw it.
            try await emulator.churn(10)
            let copy = ExportedDatabase(sandbox: sandbox, name: "backup.db")
            _ = try await export(in: sandbox, to: copy)
            _ = try await export(in: sandbox.withState("other-state"), to: copy)
            _ = try await export(in: sandbox, to: database)
            let fresh = ExportedDatabase(sandbox: sandbox, name: "fresh.db")
            _ = try await export(in: sandbox, to: fresh)
            let items = "SELECT parent_id, id, record FROM orders__line_items ORDER BY 1, 2"
            let expected = try fresh.rows(items)
            for other in [copy, database] {
                let orders = try fresh.rows("SELECT id FROM orders")
                let found = try other.rows(items).filter { row in orders.contains { row.hasPrefix($0 + "|") } }
                #expect(found == expected, "\(other.name)")
            }
            let status = try await sandbox.clover("export", "status", "--to", database.address)
            let lines = try JSONValue.lines(status.outputText.split(separator: "\n").map(String.init))
            #expect(lines.map { $0["resource"]?.string } == ["items", "orders"])
            #expect(!status.outputText.contains("\"missing\":true"))
        }
    }

    @Test("lists that are added later get their history; a dropped table is exported again")
    func history() async throws {
        try await Sandbox.run(emulator: Self.shop) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let whole = ExportedDatabase(sandbox: sandbox, name: "whole.db")
            let first = ["export", "orders", "--no-pacing", "--to"]
            expectSuccess(try await sandbox.clover(first + [database.address]))
            for one in [database, whole] {
                let result = try await sandbox.clover(first + [one.address, "--with", "line_items"])
                #expect(result.status == 0, "\(result)")
            }
            #expect(try database.everything() == (try whole.everything()))
            try database.run("DROP VIEW sales_lines; DROP TABLE orders; DROP TABLE orders__line_items")
            #expect(try await sandbox.clover(first + [database.address, "--with", "line_items"]).status == 0)
            #expect(try database.everything() == (try whole.everything()))
        }
    }

    @Test("a database that others hold, another merchant's, a foreign table, and options that need files are refused")
    func refusals() async throws {
        try await Sandbox.run(unpaced: ["--orders", "5", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            try database.run("CREATE TABLE tenders (x)")
            let foreign = try await sandbox.clover("export", "tenders", "--to", database.address)
            #expect(foreign.status == 73)
            #expect(foreign.errorText.contains("has a table or view tenders that no export made"), "\(foreign)")
            expectSuccess(try await sandbox.clover("export", "orders", "--to", database.address))
            try database.run("UPDATE clover_export_database SET merchant = 'OTHER'")
            let other = try await sandbox.clover("export", "orders", "--to", database.address)
            #expect(other.status == 78, "\(other)")
            let text = try await sandbox.clover("export", "orders", "--to", "sqlite:" + sandbox.directory["no/x.db"])
            #expect(text.status == 73, "\(text)")
            for options in [
                ["--append"], ["--fields", "id"], ["--format", "csv"], ["--jq", ".id"], ["--name", "x"],
            ] {
                let result = try await sandbox.clover(["export", "orders", "--to", database.address] + options)
                #expect(result.status == 64, "\(result)")
                #expect(result.errorText.contains("\(options[0]) does not apply to a database"), "\(result)")
            }
        }
    }

    @Test("export sql prints rows as records, in any format, and refuses to write")
    func sql() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "payments", "--with", "line_items", "--to", database.address))
            let count = try await sandbox.clover("export", "sql", database.address, "select count(*) as n from orders")
            #expect(count.outputText == "{\"n\":20}\n")
            let csv = try await sandbox.clover(
                "export", "sql", database.address, "--format", "csv", "select 1 as one, 'a,b' as two")
            #expect(csv.outputText == "one,two\r\n1,\"a,b\"\r\n")
            let jq = try await sandbox.clover(
                "export", "sql", database.address, "select record from orders", "--jq", ".record | fromjson | .id")
            #expect(jq.outputText.split(separator: "\n").count == 20)
            let same = "select 1 as id, 2 as id, 3 as id_2"
            for (format, rows) in [
                ("csv", "id,id_3,id_2\r\n1,2,3\r\n"), ("ndjson", "{\"id\":1,\"id_3\":2,\"id_2\":3}\n"),
            ] {
                let twice = try await sandbox.clover("export", "sql", database.address, same, "--format", format)
                #expect(twice.status == 0 && twice.outputText == rows, "\(twice)")
                #expect(twice.errorText.contains("later ones are named id_3"), "\(twice)")
            }
            let gone = try await sandbox.clover("export", "sql", database.address, "delete from orders")
            #expect(gone.status == 64)
            #expect(try database.rows("SELECT count(*) FROM orders") == ["20"])
            let nothing = try await sandbox.clover("export", "sql", "sqlite:none.db", "select 1")
            #expect(nothing.status == 66)
        }
    }

    @Test("--full repairs a row whose time of change others raised, and what it does not export stays a finding")
    func raisedTime() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let run = ["export", "orders", "--to", database.address]
            let verify = ["export", "verify", database.address]
            expectSuccess(try await sandbox.clover(run + ["--with", "line_items"]))
            let before = try database.everything()
            try database.run(
                """
                UPDATE orders SET total = total + 1, modified_time = 1900000000000
                WHERE id = (SELECT max(parent_id) FROM orders__line_items);
                UPDATE orders__line_items SET price = price + 1
                WHERE parent_id = (SELECT max(parent_id) FROM orders__line_items)
                """)
            let found = try await sandbox.clover(verify + ["--service"])
            expectFailure(found, status: 82, saying: "3 findings", output: nil)
            #expect(found.outputText.contains("has a later time of change here than at Clover"), "\(found)")
            #expect(try await sandbox.clover(run + ["--full"]).status == 0)
            let left = try await sandbox.clover(verify)
            expectFailure(left, status: 82, saying: "1 finding", output: nil)
            #expect(left.outputText.contains("others changed rows of orders__line_items"), "\(left)")
            #expect(try await sandbox.clover(run + ["--full", "--with", "line_items"]).status == 0)
            expectSuccess(try await sandbox.clover(verify))
            #expect(try database.everything() == before)
        }
    }

    @Test("verify finds what others did to a database, also after a backup was restored, and nothing else")
    func verify() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let words = ["export", "orders", "tenders", "--with", "line_items", "--to", database.address]
            let verify = ["export", "verify", database.address]
            func kinds(_ sandbox: Sandbox, status: Int32) async throws -> Set<String> {
                let result = try await sandbox.clover(verify)
                #expect(result.status == status, "\(result)")
                return Set(try result.lines.map { try JSONValue($0)["kind"]?.string ?? "" })
            }
            expectFailure(try await sandbox.clover(verify), status: 66, saying: "there is no file")
            let nowhere = try await sandbox.clover("export", "verify", "sqlite:" + sandbox.directory["no/x.db"])
            expectFailure(nowhere, status: 66, saying: "there is no file")
            expectFailure(try await sandbox.clover(verify + ["--repair"]), status: 64, saying: "--full")
            for _ in 1...2 {
                expectSuccess(try await sandbox.clover(words))
                #expect(try await kinds(sandbox, status: 0) == [])
                #expect(try await kinds(sandbox.withState("elsewhere"), status: 0) == [])
                try await emulator.churn(30)
            }
            let backup = sandbox.directory["backup.db"]
            try FileManager.default.copyItem(atPath: database.path, toPath: backup)
            try database.run("UPDATE orders SET total = total + 1 WHERE id = (SELECT min(id) FROM orders)")
            #expect(try await kinds(sandbox, status: 82) == ["changed"])
            try database.run("DELETE FROM orders WHERE id = (SELECT max(parent_id) FROM orders__line_items)")
            #expect(try await kinds(sandbox, status: 79) == ["shortened", "orphan"])
            try database.run("DELETE FROM tenders; DELETE FROM orders")
            let emptied = try await sandbox.clover(verify)
            expectFailure(emptied, status: 79, saying: "'clover export run' with --full", output: nil)
            expectSuccess(try await sandbox.clover(words + ["--full"]))
            #expect(try await kinds(sandbox, status: 0) == [])
            let whole = Array(try Data(contentsOf: URL(filePath: database.path)))
            // Some page in the middle.
            var broken = whole
            for place in whole.count / 2..<whole.count / 2 + 4096 { broken[place] = 0xFF }
            try Data(broken).write(to: URL(filePath: database.path))
            #expect(try await kinds(sandbox, status: 79).contains("unreadable"))
            for bytes in [Array(whole.prefix(whole.count / 2)), Array("text".utf8)] {
                try Data(bytes).write(to: URL(filePath: database.path))
                for one in [sandbox, sandbox.withState("elsewhere")] {
                    #expect(try await kinds(one, status: 79) == ["unreadable"])
                }
            }
            try sandbox.directory.makeFolder("folder.db")
            let folder = try await sandbox.clover("export", "verify", "sqlite:" + sandbox.directory["folder.db"])
            expectFailure(folder, status: 79, saying: "1 finding", output: nil)
            #expect(folder.outputText.contains("\"kind\":\"not_a_file\""), "\(folder)")
            try FileManager.default.removeItem(atPath: database.path)
            #expect(try await kinds(sandbox, status: 79) == ["missing"])
            try FileManager.default.copyItem(atPath: backup, toPath: database.path)
            #expect(try await kinds(sandbox, status: 79) == ["gap"])
            #expect(try await sandbox.clover(words + ["--full"]).status == 0)
            #expect(try await kinds(sandbox, status: 0) == [])
            try database.run("DELETE FROM clover_export_columns")
            #expect(try await kinds(sandbox, status: 79) == ["unreadable"])
            #expect(try await sandbox.clover(words + ["--full"]).status == 0)
            #expect(try await kinds(sandbox, status: 0) == [])
            // Everything is gone, and it is an SQLite database still.
            try Data().write(to: URL(filePath: database.path))
            #expect(try await kinds(sandbox, status: 79) == ["identity", "gap"])
            expectFailure(
                try await sandbox.withState("elsewhere").clover(verify), status: 66,
                saying: "clover export orders --to \(database.address)")
        }
    }

    @Test("a run fills a table that others emptied, and names other rows that are gone until they are back or accepted")
    func lostRows() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let run = ["export", "orders", "--with", "line_items", "--to", database.address]
            let other = ["export", "tenders", "--to", database.address]
            let verify = ["export", "verify", database.address]
            expectSuccess(try await sandbox.clover(run))
            expectSuccess(try await sandbox.clover(other))
            let before = try database.everything()
            try database.run("DELETE FROM orders; DELETE FROM orders__line_items")
            // A run of something else names it, too.
            expectFailure(
                try await sandbox.clover(other), status: 79, saying: "others deleted 60 rows of orders, ", "--full",
                "--accept-missing")
            let filled = try await sandbox.clover(run)
            #expect(filled.status == 0 && filled.errorText.contains("exporting the rest again"), "\(filled)")
            #expect(try database.everything() == before)
            expectSuccess(try await sandbox.clover(verify))
            expectSuccess(try await sandbox.clover(run))
            for ending in ["--full", "--accept-missing"] {
                try database.run("DELETE FROM orders WHERE id = (SELECT id FROM orders ORDER BY created_time LIMIT 1)")
                for words in [run, run, other] {
                    expectFailure(
                        try await sandbox.clover(words), status: 79,
                        saying: "others deleted 1 row of orders in \(database.address)")
                }
                expectSuccess(try await sandbox.clover(run + [ending]))
                #expect(try database.rows("SELECT count(*) FROM orders") == [ending == "--full" ? "60" : "59"])
                expectSuccess(try await sandbox.clover(run))
                expectSuccess(try await sandbox.clover(verify))
            }
        }
    }

    @Test(
        "the next run makes again what others deleted of the export's own tables, as verify says; a failed run forgets nothing"
    )
    func ownTables() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let run = ["export", "orders", "--with", "line_items", "--to", database.address]
            let verify = ["export", "verify", database.address]
            expectSuccess(try await sandbox.clover(run))
            let identifier = try database.rows("SELECT id FROM clover_export_database")
            let whole = try database.everything()
            let damages: [(statement: String, options: [String], status: Int32)] = [
                ("DELETE FROM clover_export_database", [], 82), ("DROP TABLE clover_export_database", ["--full"], 82),
                ("DROP TABLE clover_export", [], 79), ("DROP TABLE clover_export", ["--full"], 79),
            ]
            for damage in damages {
                try database.run(damage.statement)
                let found = try await sandbox.clover(verify)
                expectFailure(found, status: damage.status, saying: "--full", output: nil)
                #expect(found.outputText.contains("identity"), "\(found)")
                let repaired = try await sandbox.clover(run + damage.options)
                #expect(repaired.status == 0, "\(damage): \(repaired)")
                expectSuccess(try await sandbox.clover(verify))
                #expect(try database.everything() == whole, "\(damage)")
                #expect(try database.rows("SELECT id FROM clover_export_database") == identifier, "\(damage)")
            }
            try database.run("ALTER TABLE clover_export RENAME COLUMN bookmark TO mine")
            for options in [[], ["--full"]] {
                expectFailure(
                    try await sandbox.clover(run + options), status: 73, saying: "has lost its column bookmark",
                    "DROP TABLE clover_export")
                expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
                expectSuccess(try await sandbox.clover("export", "status", "--to", database.address, "--quiet"))
            }
            try database.run("DROP TABLE clover_export")
            #expect(try await sandbox.clover(run).status == 0)
            expectSuccess(try await sandbox.clover(verify))
            // Whose records a database without an id has, this machine knows.
            let state = ExportedDatabase(sandbox: sandbox, name: sandbox.stateFolder + "/exports.sqlite")
            let merchant = try #require(sandbox.variables["CLOVER_MERCHANT_ID"])
            try database.run("DELETE FROM clover_export_database")
            try state.run("UPDATE streams SET merchant = 'OTHER'")
            expectFailure(try await sandbox.clover(run), status: 78, saying: "has the records of merchant OTHER")
            #expect(try database.rows("SELECT * FROM clover_export_database") == [])
            try state.run("UPDATE streams SET merchant = '\(merchant)'")
            expectSuccess(try await sandbox.clover(run))
            // A run that gets no further than to open another database of this name.
            try Data().write(to: URL(filePath: database.path))
            let away = try LoopbackServer { _, _ in LoopbackResponse(status: "503 Unavailable", "{}") }
            let failed = try await sandbox.using(away.url).clover(run + ["--retry", "0"])
            withExtendedLifetime(away) {}
            #expect(failed.status == 69, "\(failed)")
            let emptied = try await sandbox.clover(verify)
            expectFailure(emptied, status: 79, saying: "2 findings", output: nil)
        }
    }

    @Test("a bookmark that others moved on is a finding, and after the next run no record is missing")
    func forgedBookmark() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let run = ["export", "orders", "--to", database.address]
            let verify = ["export", "verify", database.address]
            for (number, days) in [1, 400, 1, 400].enumerated() {
                try await emulator.churn(10)
                expectSuccess(try await sandbox.clover(run))
                try database.run("UPDATE clover_export SET bookmark = bookmark + \(days) * 86400000")
                let machine = number < 2 ? sandbox : sandbox.withState("elsewhere-\(days)")
                let found = try await machine.clover(verify)
                #expect(found.status == 82 && found.errorText.contains("--full"), "\(found)")
                #expect(found.outputText.contains("others changed clover_export"), "\(found)")
                try await emulator.churn(10)
                let repaired = try await machine.clover(run)
                #expect(repaired.status == 0, "\(repaired)")
                #expect(repaired.errorText.contains("others changed clover_export"), "\(repaired)")
                let there = try database.records(of: "orders")
                for (id, record) in try await emulator.truth("orders") { #expect(there[id] == record, "\(id)") }
                expectSuccess(try await machine.clover(verify))
            }
            // The time of the export, too.
            expectSuccess(try await sandbox.clover(run))
            try database.run("UPDATE clover_export SET bookmark = 1900000000000, exported_at = 1900000000000")
            let elsewhere = try await sandbox.withState("new").clover(verify)
            #expect(elsewhere.status == 82, "\(elsewhere)")
            #expect(elsewhere.outputText.contains("later than this machine's clock"), "\(elsewhere)")
            let own = try await sandbox.clover(verify)
            #expect(own.status == 82 && own.outputText.contains("by this machine's state"), "\(own)")
            let continued = try await sandbox.clover(run)
            #expect(continued.status == 0 && continued.errorText.contains("continuing from there"), "\(continued)")
            expectSuccess(try await sandbox.clover(verify))
            // As an earlier version left this machine's state after such a change.
            let state = ExportedDatabase(sandbox: sandbox, name: sandbox.stateFolder + "/exports.sqlite")
            try database.run("UPDATE clover_export SET bookmark = 1900000000000")
            try state.run("UPDATE streams SET bookmark = 1900000000000")
            #expect(try await sandbox.clover(verify).status == 82)
            try await emulator.churn(10)
            #expect(try await sandbox.clover(run).status == 0)
            let there = try database.records(of: "orders")
            for (id, record) in try await emulator.truth("orders") { #expect(there[id] == record, "\(id)") }
            expectSuccess(try await sandbox.clover(verify))
        }
    }
}
