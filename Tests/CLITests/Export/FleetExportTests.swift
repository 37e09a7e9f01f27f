import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

/// Several machines that run the same export.
@Suite("export, fleet: machines that share the work")
struct FleetExportTests {
    /// Machines with one database for the state, and another one for the tables.
    private struct World {
        let machines: [Sandbox]
        let merchants: [String]
        let state: ServedDatabase
        let tables: ServedDatabase
        let emulator: EmulatorProcess

        var words: [String] { ["export", "orders", "payments", "--profiles", "all", "--to", tables.address] }

        func schema(_ merchant: String) -> String { "clover_" + merchant.lowercased() }

        /// The number of rows of each merchant's orders and payments.
        func counts() async throws -> [[String]] {
            var counts: [[String]] = []
            for merchant in merchants {
                counts.append(
                    try await tables.rows(
                        """
                        SELECT count(*) FROM \(schema(merchant)).orders UNION ALL
                        SELECT count(*) FROM \(schema(merchant)).payments
                        """))
            }
            return counts
        }

        func expectComplete() async throws {
            let truth = [
                "\(try await emulator.truth("orders").count)", "\(try await emulator.truth("payments").count)",
            ]
            #expect(try await counts() == merchants.map { _ in truth })
        }

        func units(_ columns: String) async throws -> [String] {
            try await state.rows("SELECT \(columns) FROM clover_state.export_units ORDER BY id")
        }
    }

    private static func world(
        machines: Int = 2, merchants: Int = 3, _ options: [String] = [], _ body: (World) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.shared
        let flags = ["--orders", "60", "--now", "clock", "--auto-approve", "--merchants", "\(merchants)"] + options
        try await Sandbox.run(emulator: flags, weight: 2) { given, emulator in
            let state = try await ServedDatabase(server)
            let first = given.without("CLOVER_ENVIRONMENT", "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID")
                .with(["CLOVER_STATE": state.address])
            expectSuccess(try await first.clover("state", "init", "-q"))
            let all = [emulator.merchantID] + emulator.otherMerchantIDs
            for merchant in all {
                try await first.receive(
                    SignInService(emulator, appID: emulator.appID, merchantID: merchant), "--profile", "p\(merchant)")
            }
            let others = (1..<machines).map { first.withState("machine-\($0)") }
            try await body(
                World(
                    machines: [first] + others, merchants: all, state: state, tables: try await ServedDatabase(server),
                    emulator: emulator))
        }
    }

    @Test("machines that start the same export take its resources one by one: none twice, none forgotten")
    func shared() async throws {
        try await Self.world(["--latency", "30ms"]) { world in
            let results = try await withThrowingTaskGroup(of: CommandResult.self) { group in
                for machine in world.machines {
                    group.addTask { try await machine.clover(world.words + ["--summary"]) }
                }
                return try await group.reduce(into: [CommandResult]()) { $0.append($1) }
            }
            for result in results {
                #expect(result.status == 0, "\(result)")
                let summary = try JSONValue(result.outputText)
                #expect(summary["ok"] == .bool(true) && summary["resources"]?.integer == 6, "\(summary)")
            }
            try await world.expectComplete()
            let units = try await world.units("round, state, attempts")
            #expect(units.count == 6 && Set(units) == ["1|done|1"], "\(units)")
            // What one machine exported continues on another one.
            let again = try await world.machines[1].clover(world.words)
            #expect(again.status == 0, "\(again)")
            try await world.expectComplete()
        }
    }

    @Test("the work of a machine that is killed is taken over; fleet and export status show who does what")
    func killed() async throws {
        try await Self.world(["--latency", "150ms", "--clamp", "10"]) { world in
            let (dying, staying) = (world.machines[0], world.machines[1])
            let first = try dying.start(world.words)
            // In the middle of a resource.
            #expect(
                try await eventually {
                    try await !world.state.rows(
                        "SELECT 1 FROM clover_state.export_units WHERE state = 'running' AND attempts = 1"
                    ).isEmpty
                })
            let second = try staying.start(world.words)
            #expect(
                try await eventually {
                    try await world.state.rows(
                        "SELECT count(DISTINCT machine) FROM clover_state.export_units WHERE state = 'running'") == [
                            "2"
                        ]
                })
            let fleet = try await staying.clover("fleet")
            #expect(fleet.status == 0, "\(fleet)")
            let lines = try JSONValue.lines(fleet.lines)
            let kinds = Set(lines.compactMap { $0["kind"]?.string })
            #expect(kinds.isSuperset(of: ["machine", "process", "budget", "export"]), "\(kinds)")
            let running = lines.filter { $0["kind"]?.string == "export" && $0["state"]?.string == "running" }
            let busy = Set(running.compactMap { $0["machine"]?.string })
            #expect(busy.count == 2, "\(lines)")
            let status = try await staying.clover("export", "status")
            #expect(status.status == 0, "\(status)")
            let states = try JSONValue.lines(status.lines).compactMap { $0["state"]?.string }
            #expect(states.contains("running"), "\(status)")
            first.send(9)
            #expect(try await first.result().ending == .signalled(9))
            let result = try await second.result()
            #expect(result.status == 0, "\(result)")
            try await world.expectComplete()
            let units = try await world.units("state, attempts, split_part(machine, ':', 2)")
            #expect(units.count == 6 && units.allSatisfy { $0.hasPrefix("done|") }, "\(units)")
            #expect(units.filter { $0.hasPrefix("done|2|") }.count == 1, "\(units)")
        }
    }

    @Test("what one machine cannot export fails for all of them, and is tried again by the next run")
    func failing() async throws {
        try await Self.world(merchants: 2, ["--fault", "500:/payments"]) { world in
            let result = try await world.machines[0].clover(world.words + ["--retry", "0"])
            #expect(result.status == 82, "\(result)")
            #expect(result.errorText.contains("payments of "), "\(result)")
            #expect(try await world.units("resource, state").filter { $0 == "payments|failed" }.count == 2)
            #expect(try await world.units("resource, state").filter { $0 == "orders|done" }.count == 2)
        }
    }

    @Test("without the setting, one machine exports all merchants to their schemas; a file has one merchant")
    func alone() async throws {
        try await Self.world(machines: 1, merchants: 2) { world in
            let machine = world.machines[0]
            let report = try await machine.clover(world.words)
            #expect(report.status == 0, "\(report)")
            try await world.expectComplete()
            // The address names the schemas of all merchants.
            let address = world.tables.address
            let verify = ["export", "verify", address]
            expectSuccess(try await machine.clover(verify))
            let explained = try await machine.clover(verify + ["--service", "--explain"])
            let merchants = try JSONValue(explained.outputText)["merchants"]
            for merchant in world.merchants {
                #expect(merchants?[merchant]?["orders"]?.integer ?? 0 > 0, "\(explained)")
            }
            let schema = world.schema(world.merchants[1])
            _ = try await world.tables.rows(
                "DELETE FROM \(schema).orders WHERE id = (SELECT min(id) FROM \(schema).orders)")
            let found = try await machine.clover(verify)
            expectFailure(found, status: 79, saying: "1 finding", output: nil)
            #expect(found.outputText.contains("\"file\":\"\(schema).orders\""), "\(found)")
            expectSuccess(try await machine.clover("export", "forget", address))
            let again = try await machine.clover("export", "forget", "\(address)2")
            #expect(again.status == 66, "\(again)")
            let folder = machine.exports("out")
            let directory = try await machine.clover(
                "export", "orders", "--profiles", "all", "--to", folder.path, "--verbose")
            #expect(directory.status == 0 && directory.errorText.contains("share their work"), "\(directory)")
            let file = try await machine.clover("export", "orders", "--profiles", "all", "--to", "sqlite:shop.db")
            expectFailure(file, status: 64, saying: "SQLite", output: "")
            expectFailure(
                try await machine.with(["CLOVER_STATE": ""]).clover("fleet"), status: 78,
                saying: "no database is set", output: "")
        }
    }
}
