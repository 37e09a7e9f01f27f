import CloverTestSupport
import Foundation
import Testing

@Suite("state: the rate limit and the sign-ins in PostgreSQL")
struct StateTests {
    @Test("machines with one database share the budget, once its tables exist")
    func shared() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(emulator: ["--orders", "20"]) { given, _ in
            let database = try await ServedDatabase(server)
            let first = given.with(["CLOVER_STATE": database.address])
            for words in [["get", "orders"], ["state", "check"], ["state", "migrate"]] {
                expectFailure(try await first.clover(words), status: 78, saying: "clover state init", output: "")
            }
            for text in ["created the tables", "have version 5 already"] {
                let result = try await first.clover("state", "init")
                #expect(result.status == 0 && result.errorText.contains(text), "\(result)")
            }
            let check = try JSONValue(try await first.clover("state", "check").outputText)
            #expect(check["version"]?.integer == 5, "\(check)")
            let second = first.withState("second")
            expectSuccess(try await first.clover("get", "orders"))
            let limits = try await second.clover("limits", "--json")
            let budget = try JSONValue(limits.outputText.split(separator: "\n").first.map(String.init) ?? "")
            // The request is counted for a second; the history remembers it after that.
            #expect(limits.status == 0, "\(budget)")
            let counted = try await database.rows("SELECT cardinality(moments) FROM clover_state.budgets")
            #expect(!counted.isEmpty && counted.allSatisfy { $0 != "0" }, "\(counted)")
            #expect(
                !FileManager.default.fileExists(
                    atPath: given.variables["CLOVER_STATE_DIR"].map { $0 + "/ratelimit" } ?? ""))
        }
    }

    @Test("an address with a password is refused, and not shown")
    func password() async throws {
        try await Sandbox.run { sandbox in
            let address = "postgresql://clover:hunter2@db.example.com/clover"
            let set = try await sandbox.clover("config", "set", "state", address)
            expectFailure(set, status: 64, saying: "~/.pgpass", output: "")
            let variable = try await sandbox.with(["CLOVER_STATE": address]).clover("state", "check")
            #expect(variable.status != 0)
            for result in [set, variable] { #expect(!result.errorText.contains("hunter2"), "\(result)") }
            expectFailure(
                try await sandbox.clover("state", "check"), status: 78, saying: "no database is set", output: "")
        }
    }

    @Test(
        "while the database is away, reads, writes and exports wait for --max-time and end with 75; nothing is sent",
        arguments: [
            ["get", "orders"], ["post", "items", "--field", "name=Tea", "--field", "price=450"], ["report", "sales"],
            ["export", "orders", "--to", "out"],
        ])
    func away(_ words: [String]) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }, weight: 0) { given, server in
            let sandbox = given.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            let result = try await sandbox.clover(words + ["--max-time", "2"])
            expectFailure(
                result, status: 75, saying: "waiting for the database that counts requests", "/nonexistent",
                "cannot be used: ", "to see what is wrong with the database: clover state check", output: "")
            #expect(server.requests.isEmpty)
            #expect(sandbox.directory.files(below: "state").allSatisfy { !$0.hasPrefix("state/ratelimit") })
        }
    }

    @Test(
        "while the database with the sign-ins is away, runs wait for --max-time and end with 75",
        arguments: [
            ["get", "orders"], ["get", "orders", "--profiles", "all"], ["api", "/v3/merchants/{mId}/orders"],
            ["report", "sales"], ["report", "sales", "--profiles", "all"], ["report", "sales", "--profiles", "north"],
            ["export", "orders", "--to", "out"], ["export", "orders", "--profiles", "all", "--to", "out"],
            ["export", "orders", "--profiles", "all", "--to", "postgresql:///tables?host=/nonexistent"],
        ])
    func awayWithSignIns(_ words: [String]) async throws {
        try await Sandbox.run(weight: 0) { given in
            let sandbox = given.without("CLOVER_ENVIRONMENT", "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
                .with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            let result = try await sandbox.clover(words + ["--max-time", "2"])
            expectFailure(
                result, status: 75, saying: "waiting for the database with the sign-ins", "/nonexistent",
                "clover state check", output: "")
        }
    }

    @Test("a role that may not do what each machine does fails the check, and only the owner can move back")
    func privileges() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run { given in
            let database = try await ServedDatabase(server)
            expectSuccess(try await given.with(["CLOVER_STATE": database.address]).clover("state", "init", "-q"))
            let role = "role_" + database.name
            _ = try await database.rows(
                """
                CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA clover_state TO \(role);
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA clover_state TO \(role);
                REVOKE UPDATE ON clover_state.credentials, clover_state.operations FROM \(role);
                REVOKE INSERT ON clover_state.transitions FROM \(role)
                """)
            let address = database.address.replacing("//clover@", with: "//\(role)@")
            let sandbox = given.with(["CLOVER_STATE": address])
            let missing = [
                "UPDATE on clover_state.credentials", "UPDATE on clover_state.operations",
                "INSERT on clover_state.transitions", "GRANT UPDATE ON clover_state.credentials TO \(role)",
            ]
            let check = try await sandbox.clover("state", "check")
            let doctor = try await sandbox.withoutBuses.doctor()
            for words in missing {
                expectFailure(check, status: 78, saying: words, output: nil)
                #expect(doctor.text("ledger").contains(words), "\(doctor.result.outputText)")
            }
            _ = try await database.rows("GRANT ALL ON ALL TABLES IN SCHEMA clover_state TO \(role)")
            #expect(try await sandbox.clover("state", "check").status == 0)
            expectFailure(
                try await sandbox.clover("state", "move", "--back"), status: 78,
                saying: "only the owner of the tables, the role clover", output: "")
            #expect(try await sandbox.clover("state", "check").status == 0)
        }
    }

    @Test("a server that takes no changes fails the check, which says so and does not advise to run itself")
    func readOnly() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run { given in
            let database = try await ServedDatabase(server)
            let sandbox = given.with(["CLOVER_STATE": database.address])
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            _ = try await database.rows("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
            let check = try await sandbox.clover("state", "check")
            expectFailure(check, status: 78, saying: "read-only", "default_transaction_read_only", output: "")
            let away = try await given.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
                .clover("state", "check")
            expectFailure(away, status: 75, saying: "/nonexistent", output: "")
            for result in [check, away] { #expect(!result.errorText.contains("clover state check"), "\(result)") }
        }
    }

    @Test(
        "a standby and a read-only server: reads say why they wait and end with 75, and init is refused",
        arguments: [true, false])
    func takesNoChanges(_ isStandby: Bool) async throws {
        let server = try await PostgreSQLServer()
        try await Sandbox.run(server: { _, _ in .page([]) }) { given, service in
            let database = try await ServedDatabase(server)
            let sandbox = given.with(["CLOVER_STATE": database.address])
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            if isStandby {
                try await server.becomeStandby()
            } else {
                _ = try await database.rows("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
            }
            let reason = isStandby ? "the server is a standby, which is read-only" : "the server is read-only: "
            expectFailure(
                try await sandbox.clover("get", "orders", "--max-time", "2"), status: 75,
                saying: "waiting for the database that counts requests", reason,
                "to see what is wrong with the database: clover state check", output: "")
            #expect(service.requests.isEmpty)
            for words in [["init"], ["migrate"], ["check"]] {
                expectFailure(try await sandbox.clover(["state"] + words), status: 78, saying: reason, output: "")
            }
            guard isStandby else { return }
            for words in [
                ["auth", "list"], ["charge", "list"], ["charge", "recover", "--all"], ["export", "status"],
                ["state", "key", "show"], ["state", "key", "rotate", "--prepare"], ["state", "move"],
            ] {
                expectFailure(try await sandbox.clover(words), status: 75, saying: reason, output: nil)
            }
            expectFailure(
                try await sandbox.clover("state", "move"), status: 75,
                saying: "use the address of the primary server", output: "")
        }
    }

    @Test("a database that does not exist is named in the command that creates it; files override the setting")
    func missing() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run { given in
            let sandbox = given.with(["CLOVER_STATE": server.url("nowhere")])
            let check = try await sandbox.clover("state", "check")
            expectFailure(check, status: 78, saying: "createdb -h /", " nowhere", output: "")
            #expect(try await given.clover("config", "set", "state", server.url("nowhere")).status == 0)
            let files = given.with(["CLOVER_STATE": "files"])
            expectFailure(
                try await files.clover("state", "check"), status: 78, saying: "no database is set", output: "")
            #expect(try await files.clover("charge", "list").status == 0)
            expectFailure(
                try await files.clover("export", "status", "--to", server.url("nowhere")), status: 66,
                saying: "this machine has exported nothing to", "clover export verify", output: "")
        }
    }

    @Test("while the database is away, a charge ends with 75 at once, before anything is sent")
    func awayFromCharge() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { given, server in
            let sandbox = given.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            let charge = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", "C030UQ71234000")
            expectFailure(charge, status: 75, saying: "cannot count requests", output: "")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a server that never responds is waited for no longer than --max-time, and not for long by doctor")
    func silent() async throws {
        try await Sandbox.run(weight: 0) { given in
            // It waits for the headers of a request that never comes.
            let server = try LoopbackServer { _, _ in .page([]) }
            let sandbox = given.with(["CLOVER_STATE": "postgresql://x@\(server.host):\(server.port)/x"])
            for words in [
                ["get", "orders", "--max-time", "1s"],
                ["charge", "--amount", "1.00", "--currency", "USD", "--device", "C030UQ71234000", "--max-time", "1s"],
                ["charge", "refund", "c_1", "--max-time", "1s"],
            ] {
                expectFailure(try await sandbox.clover(words), status: 75, saying: "no response in time", output: "")
            }
            // The wait for the sign-in is a part of a run that has its own time limit.
            for words in [["report", "sales"], ["export", "orders", "--to", "out"], ["api", "/v3/merchants/x"]] {
                expectFailure(
                    try await sandbox.clover(words + ["--max-time", "1s"]), status: 75, saying: "no response",
                    "clover state check", output: nil)
            }
            let counting = sandbox.with(["CLOVER_ACCESS_TOKEN": "token", "CLOVER_MERCHANT": "M1"])
            expectFailure(
                try await counting.clover("get", "orders", "--max-time", "1s"), status: 75,
                saying: "waiting for the database that counts requests", "no response yet", output: "")
            let doctor = try await sandbox.withoutBuses.doctor()
            #expect(doctor.text("ledger").contains("no response in time"), "\(doctor.result.outputText)")
        }
    }

    @Test("a slow server that took the time of a run is the reason, also of a charge; check says what to do about it")
    func slow() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(server: { _, _ in .page([]) }) { given, service in
            let database = try await ServedDatabase(server)
            let direct = given.with(["CLOVER_STATE": database.address])
            expectSuccess(try await direct.clover("state", "init", "-q"))
            let relay = try await PostgreSQLRelay(to: server, at: 0, "before", "slow")
            let sandbox = given.with(["CLOVER_STATE": relay.address(of: database.name)])
            for words in [
                ["get", "orders"], ["api", "/v3/merchants/{mId}/orders"], ["report", "sales"],
                ["export", "orders", "--to", "out"],
                ["charge", "--amount", "1.00", "--currency", "USD", "--device", "C030UQ71234000"],
            ] {
                expectFailure(
                    try await sandbox.clover(words + ["--max-time", "2"]), status: 75,
                    saying: "--max-time 2 s ran out", "postgresql://",
                    "to see what is wrong with the database: clover state check", output: nil)
            }
            #expect(service.requests.isEmpty)
            let check = try await sandbox.clover("state", "check")
            expectFailure(check, status: 75, saying: "its responses take", "put the database near the machines")
            #expect(!check.errorText.contains("that the server runs"), "\(check)")
        }
    }

    @Test("without a key for sign-ins, the check fails and says how to make one")
    func withoutKey() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run { given in
            let database = try await ServedDatabase(server)
            let sandbox = given.with(["CLOVER_STATE": database.address])
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            _ = try await database.rows("DELETE FROM clover_state.token_key")
            expectFailure(
                try await sandbox.clover("state", "check"), status: 78, saying: "have no key yet",
                "clover state key create", output: nil)
        }
    }

    @Test("while the database is away, export status does not say that nothing was exported")
    func awayFromExportStatus() async throws {
        try await Sandbox.run { given in
            let sandbox = given.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            for words in [[], ["--fail-if-older-than", "2h"], ["--to", "postgresql:///tables"]] {
                expectFailure(
                    try await sandbox.clover(["export", "status"] + words), status: 75, saying: "/nonexistent",
                    "clover state check", output: "")
            }
            expectFailure(
                try await sandbox.clover("export", "status", "--to", "out"), status: 66,
                saying: "nothing has been exported yet", output: "")
        }
    }

    @Test("while the database is away, export status shows what this machine exported, and ends with 75")
    func awayFromPartOfExportStatus() async throws {
        try await Sandbox.run(emulator: ["--orders", "5", "--now", "clock", "--no-limits"]) { given, _ in
            expectSuccess(try await given.clover("export", "items", "--to", "out"))
            let sandbox = given.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            for words in [[], ["--prometheus"], ["--fail-if-older-than", "2h"]] {
                let result = try await sandbox.clover(["export", "status"] + words)
                expectFailure(
                    result, status: 75, saying: "what other machines export is not known", "/nonexistent", output: nil)
                #expect(result.outputText.contains("items"), "\(result)")
            }
            // No other machine exports to a directory of this one.
            let own = try await sandbox.clover("export", "status", "--to", sandbox.directory["out"])
            expectSuccess(own)
            #expect(own.outputText.contains("items"), "\(own)")
        }
    }

    @Test("a connection pooler in front of the server is recognized and refused, and nothing is sent")
    func pooler() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(server: { _, _ in .page([]) }) { given, service in
            let database = try await ServedDatabase(server)
            let direct = given.with(["CLOVER_STATE": database.address])
            expectSuccess(try await direct.clover("state", "init", "-q"))
            let relay = try await PostgreSQLRelay(to: server, at: 0, "before", "pool")
            let pooled = given.with(["CLOVER_STATE": relay.address(of: database.name)])
            for words in [["get", "orders"], ["state", "check"], ["limits"]] {
                expectFailure(
                    try await pooled.clover(words), status: 78, saying: "a connection pooler is in front",
                    "the address of the server itself", output: "")
            }
            #expect(service.requests.isEmpty)
            expectSuccess(try await direct.clover("get", "orders"))
        }
    }

    @Test("doctor checks the database in place of the files: away, without tables, ready")
    func doctor() async throws {
        let server = try await PostgreSQLServer.shared
        try await Sandbox.run(server: { _, _ in .page([]) }) { given, _ in
            let away = given.withoutBuses.with(["CLOVER_STATE": "postgresql:///clover?host=/nonexistent"])
            let found = try await away.doctor()
            #expect(found.failed == ["ledger"], "\(found.result.outputText)")
            #expect(found.text("ledger").contains("clover state check"), "\(found.text("ledger"))")
            #expect(try await away.doctor("--offline").of("ledger").map(\.result) == ["skip"])
            for options in [[], ["--offline"]] {
                let text = try await away.doctor(options).text("database")
                #expect(text.contains("not checked") && text.contains("/nonexistent"), "\(text)")
            }
            let database = try await ServedDatabase(server)
            let sandbox = given.withoutBuses.with(["CLOVER_STATE": database.address])
            let empty = try await sandbox.doctor()
            #expect(empty.failed == ["ledger"], "\(empty.result.outputText)")
            #expect(empty.text("ledger").contains("clover state init"), "\(empty.text("ledger"))")
            expectSuccess(try await sandbox.clover("state", "init", "-q"))
            let ready = try await sandbox.doctor()
            #expect(ready.failed == [], "\(ready.result.outputText)")
            #expect(ready.text("database").contains("can be read"), "\(ready.text("database"))")
            #expect(ready.text("ledger").contains("PostgreSQL 1"), "\(ready.text("ledger"))")
            #expect(ready.text("ledger").contains("of 16 requests in the last second"), "\(ready.text("ledger"))")
        }
    }
}
