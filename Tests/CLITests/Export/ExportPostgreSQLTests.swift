import CloverTestSupport
import Foundation
import Testing

/// The tables of an export in a PostgreSQL database.
struct ServedDatabase {
    let server: PostgreSQLServer
    let name: String
    var address: String

    /// An empty database, or a copy of one to which nothing is connected.
    init(_ server: PostgreSQLServer, copyOf original: ServedDatabase? = nil) async throws {
        self.server = server
        name = try await server.makeDatabase(copyOf: original?.name)
        address = server.url(name)
    }

    func drop() async throws { _ = try await server.rows("DROP DATABASE \(name) WITH (FORCE)", in: "postgres") }

    func rows(_ sql: String) async throws -> [String] { try await server.rows(sql, in: name) }

    /// Each record by its id.
    func records(of resource: String) async throws -> [String: JSONValue] {
        let lines = try await rows("SELECT record FROM \(resource)")
        let records = try lines.map { try JSONValue($0) }
        let byID = Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 }
        #expect(byID.count == lines.count)
        return byID
    }

    /// Everything in the tables of the resources.
    func everything() async throws -> [String: [String]] {
        var everything: [String: [String]] = [:]
        let tables =
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'clover_export%'"
        for table in try await rows(tables) {
            everything[table] = try await rows("SELECT * FROM \(table)").sorted()
        }
        return everything
    }
}

@Suite("export: PostgreSQL databases")
struct ExportPostgreSQLTests {
    @Test("later runs write what changed, and a database restored from a backup catches up; views and columns stay")
    func changes() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(unpaced: ["--orders", "100", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            var database = try await ServedDatabase(server)
            func export(in sandbox: Sandbox) async throws -> String {
                let result = try await sandbox.clover(
                    "export", "orders", "items", "--with", "line_items", "--to", database.address)
                #expect(result.status == 0, "\(result)")
                for list in ["orders", "items"] {
                    let found = try await database.records(of: list)
                    for (id, record) in try await emulator.truth(list) { #expect(found[id] == record, "\(list) \(id)") }
                }
                return result.errorText
            }
            _ = try await export(in: sandbox)
            _ = try await database.rows(
                """
                ALTER TABLE orders ADD COLUMN checked TEXT DEFAULT 'yes';
                CREATE VIEW mine AS SELECT count(*) AS orders, min(checked) AS checked FROM orders;
                """)
            _ = try await server.rows("CREATE DATABASE \(database.name)_old TEMPLATE \(database.name)", in: "postgres")
            try await emulator.churn(30)
            #expect(try await export(in: sandbox) == "")
            _ = try await server.rows("DROP DATABASE \(database.name)", in: "postgres")
            _ = try await server.rows(
                "ALTER DATABASE \(database.name)_old RENAME TO \(database.name)", in: "postgres")
            let warning = try await export(in: sandbox)
            #expect(warning.contains("as if restored from a backup"), "\(warning)")
            #expect(try await export(in: sandbox) == "")
            #expect(try await database.rows("SELECT checked FROM mine") == ["yes"])
            // A copy is a separate destination, also for a state that never saw it.
            let original = database.address
            _ = try await server.rows("CREATE DATABASE \(database.name)_copy TEMPLATE \(database.name)", in: "postgres")
            try await emulator.churn(10)
            database.address = server.url(database.name + "_copy")
            let copied = try await sandbox.clover("export", "orders", "--to", database.address)
            #expect(copied.status == 0, "\(copied)")
            let elsewhere = try await sandbox.withState("other-state").clover(
                "export", "orders", "--to", database.address)
            #expect(elsewhere.status == 0, "\(elsewhere)")
            database.address = original
            _ = try await export(in: sandbox)
            let status = try await sandbox.clover("export", "status", "--to", original)
            let lines = try JSONValue.lines(status.outputText.split(separator: "\n").map(String.init))
            #expect(lines.map { $0["resource"]?.string } == ["items", "orders"], "\(status)")
            #expect(!status.outputText.contains("\"missing\":true"))
        }
    }

    @Test("a password in an address, a foreign table, another merchant, and options that need files are refused")
    func refusals() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(unpaced: ["--orders", "5", "--no-limits"]) { sandbox, _ in
            for command in [["export", "orders", "--to"], ["export", "sql"]] {
                let result = try await sandbox.clover(
                    command + ["postgresql://me:never-shown@db/shop"] + (command.count == 2 ? ["select 1"] : []))
                #expect(result.status == 64, "\(result)")
                #expect(!result.errorText.contains("never-shown"), "\(result)")
                #expect(result.errorText.contains("~/.pgpass"), "\(result)")
            }
            let database = try await ServedDatabase(server)
            _ = try await database.rows("CREATE TABLE tenders (x text)")
            let foreign = try await sandbox.clover("export", "tenders", "--to", database.address)
            #expect(foreign.status == 73, "\(foreign)")
            #expect(foreign.errorText.contains("another schema") && !foreign.errorText.contains("FILE"), "\(foreign)")
            expectSuccess(try await sandbox.clover("export", "orders", "items", "--to", database.address))
            _ = try await database.rows("ALTER TABLE items DROP CONSTRAINT items_pkey")
            let keyless = try await sandbox.clover("export", "items", "--to", database.address, "--full")
            #expect(keyless.status == 74 && keyless.errorText.contains("ADD PRIMARY KEY"), "\(keyless)")
            _ = try await database.rows("UPDATE clover_export_database SET merchant = 'OTHER'")
            #expect(try await sandbox.clover("export", "orders", "--to", database.address).status == 78)
            let stranger = database.address.replacing("clover@", with: "stranger@")
            #expect(try await sandbox.clover("export", "orders", "--to", stranger).status == 77)
            let files = try await sandbox.clover("export", "orders", "--to", database.address, "--append")
            #expect(files.status == 64, "\(files)")
        }
    }

    @Test("a server that is away is waited for, and ends the run with 75; a window waits for a lock that others hold")
    func away() async throws {
        try await Sandbox.run(emulator: ["--orders", "5", "--no-limits"], weight: 0) { sandbox, _ in
            let server = try await PostgreSQLServer()
            let database = try await ServedDatabase(server)
            try await server.stop()
            let gone = try await sandbox.clover("export", "orders", "--to", database.address, "--max-time", "3s")
            #expect(gone.status == 75, "\(gone)")
            #expect(gone.errorText.contains("no connection to postgresql://clover@"), "\(gone)")
            let check = try #require(gone.errorText.firstRange(of: "pg_isready -d "), "\(gone)")
            #expect(gone.errorText[check.upperBound...].contains("--max-time"), "\(gone)")
            let command = try sandbox.start(["export", "orders", "-v", "--to", database.address])
            try await command.waitForErrors(containing: "waiting for postgresql://clover@")
            try await server.restart()
            let result = try await command.result()
            #expect(result.status == 0, "\(result)")
            #expect(try await database.rows("SELECT count(*) FROM orders") == ["5"])
        }
    }

    @Test("a server that accepts connections and does not respond is named when --max-time runs out: 75")
    func silent() async throws {
        try await Sandbox.run(emulator: ["--orders", "5", "--no-limits"], weight: 0) { sandbox, _ in
            var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            python.limit = .seconds(600)
            let server = try python.start(["-I", "-S", "-c", Self.silentServer])
            let address = "postgresql://127.0.0.1:\(try await server.firstLine())/shop"
            let result = try await sandbox.clover(
                "export", "orders", "--to", address, "--max-time", "2s")
            expectFailure(
                result, status: 75, saying: "--max-time 2 s ran out: no response from \(address)",
                "pg_isready -d \(address)", output: "")
            server.send(9)
        }
    }

    private static let silentServer = """
        import socket, time
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        time.sleep(600)
        """

    /// A server without TLS: prints its port, and what each connection asks for first.
    private static let plainServer = """
        import socket
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            client = listener.accept()[0]
            print("TLS" if client.recv(8)[4:] == b"\\x04\\xd2\\x16\\x2f" else "plain", flush=True)
            client.sendall(b"N")
        """

    @Test("beyond this machine, the server's certificate is checked unless the address says otherwise")
    func certificate() async throws {
        try await Sandbox.run { sandbox in
            var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            python.limit = .seconds(600)
            let server = try python.start(["-I", "-S", "-c", Self.plainServer])
            let port = try await server.firstLine()
            // A way to write this machine's address that is not known as one.
            let far = "postgresql://0x7f.1:\(port)/shop"
            let checked = try await sandbox.clover("export", "sql", far, "select 1")
            #expect(checked.status == 78, "\(checked)")
            #expect(checked.errorText.contains("sslrootcert"), "\(checked)")
            try await server.waitForOutput("a request for TLS") { String(decoding: $0, as: UTF8.self).contains("TLS") }
            for address in [far + "?sslmode=disable", "postgresql://127.0.0.1:\(port)/shop?sslmode=disable"] {
                let plain = try await sandbox.clover("export", "sql", address, "select 1")
                #expect(plain.status == 75, "\(plain)")
            }
            server.send(9)
        }
    }

    @Test("export sql prints rows as records, in any format, and refuses to write")
    func sql() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(unpaced: ["--orders", "20", "--no-limits"]) { sandbox, _ in
            let database = try await ServedDatabase(server)
            expectSuccess(
                try await sandbox.clover(
                    "export", "orders", "payments", "--with", "line_items", "--to", database.address))
            let count = try await sandbox.clover("export", "sql", database.address, "select count(*) as n from orders")
            #expect(count.outputText == "{\"n\":20}\n")
            let jq = try await sandbox.clover(
                "export", "sql", database.address, "select record from orders", "--jq", ".record.id")
            #expect(jq.outputText.split(separator: "\n").count == 20)
            let sold = try await sandbox.clover(
                "export", "sql", database.address, "--format", "csv", "select sum(amount) as amount from sales_lines")
            #expect(sold.outputText.hasPrefix("amount\r\n"), "\(sold)")
            let gone = try await sandbox.clover("export", "sql", database.address, "delete from orders")
            #expect(gone.status == 64)
            #expect(try await database.rows("SELECT count(*) FROM orders") == ["20"])
            let nothing = try await sandbox.clover("export", "sql", server.url("none"), "select 1")
            #expect(nothing.status == 66)
        }
    }

    @Test("--mark-deleted marks what Clover no longer has, and nothing else")
    func deleted() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            let database = try await ServedDatabase(server)
            let words = ["export", "orders", "tenders", "--to", database.address]
            let early = try await sandbox.clover(words + ["--mark-deleted"])
            #expect(early.status == 64, "\(early)")
            expectSuccess(try await sandbox.clover(words))
            try await emulator.churn(60)
            expectSuccess(try await sandbox.clover(words))
            let there = try await emulator.truth("orders")
            let gone = try await database.rows("SELECT id FROM orders ORDER BY id").filter { there[$0] == nil }
            try #require(!gone.isEmpty)
            expectSuccess(try await sandbox.clover(words + ["--full", "--mark-deleted"]))
            #expect(
                try await database.rows("SELECT id FROM orders WHERE deleted_at IS NOT NULL ORDER BY id") == gone)
        }
    }
}
