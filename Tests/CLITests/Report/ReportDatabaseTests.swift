import CloverTestSupport
import Foundation
import Testing

@Suite("report --from: databases that exports wrote")
struct ReportDatabaseTests {
    private static let shop = ["--orders", "250", "--days", "40", "--now", "clock", "--clamp", "60", "--no-limits"]
    private static let reports = [
        ["sales"], ["sales", "--by", "day"], ["items"], ["categories"], ["employees"], ["tenders"], ["taxes"],
        ["discounts"],
        ["hours"], ["tips", "--by", "tender"], ["refunds", "--by", "employee"], ["sales", "--compare", "previous"],
    ]

    /// Compares reports from a database with those from the service.
    private static func compare(
        _ sandbox: Sandbox, _ address: String, _ reports: some Sequence<[String]>
    ) async throws {
        // Neither signed in, nor near a service.
        let away = sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
        for report in reports {
            let words = ["report"] + report + ["--period", "last-week"]
            let served = try await sandbox.clover(words)
            let kept = try await away.clover(words + ["--from", address])
            #expect(served.outputText == kept.outputText && served.ending == kept.ending, "\(served) \(kept)")
            #expect(kept.errorText.contains("the last export."), "\(kept)")
        }
    }

    /// Exports, compares, and does both again after changes and deletions.
    private static func history(
        _ sandbox: Sandbox, _ emulator: EmulatorProcess, _ address: String, _ reports: some Sequence<[String]>
    ) async throws {
        let export = ["export", "--for-reports", "--to", address]
        expectSuccess(try await sandbox.clover(export))
        try await compare(sandbox, address, reports.prefix(3))
        for options in [[], ["--full", "--mark-deleted"]] {
            try await emulator.churn(25)
            expectSuccess(try await sandbox.clover(export + options))
            if !options.isEmpty { try await compare(sandbox, address, reports) }
        }
    }

    @Test("each report from SQLite has the numbers that the service has, also after changes and deletions")
    func sqlite() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, emulator in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            try await Self.history(sandbox, emulator, database.address, Self.reports)
            let receipt = try await sandbox.clover(
                "report", "sales", "--period", "last-week", "--from", database.address, "--receipt", "-")
            #expect(receipt.errorText.contains(#""from":"\#(database.address)""#), "\(receipt)")
        }
    }

    @Test("each report from PostgreSQL has the numbers that the service has, also after changes and deletions")
    func postgreSQL() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(unpaced: Self.shop) { sandbox, emulator in
            try await Self.history(sandbox, emulator, try await ServedDatabase(server).address, Self.reports.prefix(4))
        }
    }

    @Test("a report from a database that lacks something says what, and does not end with 0")
    func lacking() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let report = ["report", "sales", "--period", "yesterday", "--from", database.address]
            let hint = "clover export --for-reports --full --to \(database.address)"
            expectFailure(try await sandbox.clover(report), status: 66, saying: "there is no file", output: "")
            // Without what reports need in the records.
            let lists = ["payments", "refunds", "credits", "orders", "items", "tenders", "employees"]
            expectSuccess(try await sandbox.clover(["export"] + lists + ["--to", database.address]))
            expectFailure(
                try await sandbox.clover(report), status: 66, saying: "no whole export of payments", hint, output: "")
            expectSuccess(try await sandbox.clover("export", "--for-reports", "--full", "--to", database.address))
            #expect(try await sandbox.clover(report).status == 0)
            // A run that begins later proves nothing about what came before, and takes nothing back.
            expectSuccess(
                try await sandbox.clover(
                    "export", "payments", "--for-reports", "--since", "-1d", "--to", database.address))
            #expect(try await sandbox.clover(report).status == 0)
            // As if the last export was three days ago.
            try database.run("UPDATE clover_export_coverage SET covered_to = covered_to - 259200000")
            let old = try await sandbox.clover(report)
            #expect(old.status == 79 && old.errorText.contains("before the end of the period"), "\(old)")
            #expect(old.outputText.contains("grossSales"), "\(old)")
            try database.run("DELETE FROM clover_export_coverage WHERE resource = 'refunds'")
            expectFailure(
                try await sandbox.clover(report), status: 66, saying: "no whole export of refunds", output: "")
            // What is left out is not needed.
            #expect(try await sandbox.clover(report + ["--without", "refunds"]).status == 79)

            for damage in ["DELETE FROM payments WHERE id = (SELECT min(id) FROM payments)", "DROP TABLE payments"] {
                try database.run(damage)
                expectFailure(
                    try await sandbox.clover(report + ["--without", "refunds"]), status: 66, saying: "lost rows of it",
                    output: "")
            }

            let young = ExportedDatabase(sandbox: sandbox, name: "young.db")
            let export = ["export", "--for-reports", "--to", young.address]
            expectSuccess(try await sandbox.clover(export + ["orders", "payments", "--since", "-2d"]))
            expectSuccess(try await sandbox.clover(export + ["refunds", "credits"]))
            expectFailure(
                try await sandbox.clover("report", "sales", "--from", young.address), status: 66,
                saying: "no whole export of payments", output: "")
        }
    }

    @Test("orders of payments that the database lacks are named, and end the report with 79; deleted ones are known")
    func missingOrders() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, _ in
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let export = ["export", "--for-reports", "--to", database.address]
            for options in [[], ["--full", "--mark-deleted"]] {
                expectSuccess(try await sandbox.clover(export + options))
            }
            let report = ["report", "sales", "--period", "last-week", "--from", database.address, "--jq", ".orders"]
            let whole = try await sandbox.clover(report)
            #expect(whole.ending == .exited(0), "\(whole)")
            let sales = try #require(Int(whole.lines.first ?? ""))
            #expect(sales > 0)

            try database.run("UPDATE orders SET deleted_at = '2026-01-01T00:00:00Z'")
            let deleted = try await sandbox.clover(report)
            #expect(deleted.ending == .exited(0) && deleted.lines == ["0"], "\(deleted)")

            // As if the orders were exported before the payments came.
            let known = Set(try database.rows("SELECT id FROM orders"))
            try database.run("DELETE FROM orders")
            try database.run("UPDATE clover_export_tables SET row_count = 0 WHERE table_name = 'orders'")
            let receipt = sandbox.directory["receipt"]
            let missing = try await sandbox.clover(report + ["--receipt", receipt])
            expectFailure(
                missing, status: 79, saying: "which is missing, so that its sale is not counted", output: "0\n")
            let named = missing.errorText.matches(of: #/order ([A-Z0-9]{13}): a payment/#).map { String($0.1) }
            #expect(named.count >= sales && Set(named).isSubset(of: known), "\(missing)")
            let proof = try JSONValue(try String(contentsOfFile: receipt, encoding: .utf8))
            #expect(proof["complete"] == .bool(false), "\(proof)")
        }
    }

    @Test("a database that cannot be read is refused in the words of a report, which writes nothing")
    func unreadable() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("notes.db", Array("no database at all, but a text".utf8))
            try sandbox.directory.makeFolder("folder.db")
            for (name, status, message) in [
                ("notes.db", 65, "is not an SQLite database, or is damaged"),
                ("folder.db", 65, "is not a regular file"),
                ("none/shop.db", 66, "there is no file"), ("shop.db", 66, "there is no file"),
            ] {
                let result = try await sandbox.clover(
                    "report", "sales", "--from", "sqlite:" + sandbox.directory[name])
                expectFailure(
                    result, status: Int32(status), saying: message, "clover export --for-reports --to", output: "")
                for words in ["continues from there", "left unchanged", "choose another file", "export orders"] {
                    #expect(!result.errorText.contains(words), "\(result)")
                }
            }
        }
    }

    @Test(
        "options that do not go together are refused before anything is opened",
        arguments: [
            (["report", "sales", "--from", "shop.db"], "--from takes a database"),
            (["report", "sales", "--from", "sqlite:x.db", "--profiles", "all"], "--from and --profiles"),
            (["report", "sales", "--from", "sqlite:x.db", "--merchant", "M"], "--from and --merchant"),
            (["report", "sales", "--from", "sqlite:x.db", "--explain"], "--from and --explain"),
            (["reconcile", "--from", "sqlite:x.db"], "'clover reconcile' asks the service only; reports can read"),
            (["reconcile", "--from", "2026-10-01"], "--period 2026-10-01..today"),
            (["export", "--for-reports", "--to", "folder"], "--for-reports needs a database"),
            (["export", "--for-reports", "--with", "line_items", "--to", "sqlite:x.db"], "--with and --for-reports"),
            (["export", "--to", "sqlite:x.db"], "name what to export"),
        ])
    func usage(_ words: [String], _ message: String) async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover(words), status: 64, saying: message, output: "")
        }
    }
}
