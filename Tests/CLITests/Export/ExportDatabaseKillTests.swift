import CloverTestSupport
import Foundation
import Testing

/// Exports to databases that are disturbed at any point: of an empty database, and of one with a history of random runs.
@Suite("export: databases, kill -9, cut connections, crashes of the server")
struct ExportDatabaseKillTests {
    private static let shop = ["--orders", "300", "--days", "200", "--clamp", "50", "--now", "clock", "--no-limits"]
    /// A shop whose first window is so large that it is written while it is read.
    private static let largeShop = ["--orders", "5000"] + shop.dropFirst(2)
    private static let resources = ["export", "orders", "payments", "tenders", "--with", "line_items", "--no-pacing"]

    enum Start: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case empty, history

        var testDescription: String { self == .empty ? "an empty database" : "a database that random runs wrote to" }
    }

    /// The state of the random runs.
    private static let before = "state-before"

    /// Writes to the database with random resources and options while the shop changes; some of the runs are killed.
    private static func writeHistory(_ sandbox: Sandbox, _ emulator: EmulatorProcess, to address: String) async throws {
        let seed = Scale.isFull ? UInt64.random(in: 0...UInt64.max) : 20_261_128
        var random = SeededGenerator(seed: seed)
        let own = sandbox.withState(before)
        var history = ["seed \(seed)"]
        let runs = Scale.pick(4, full: 12)
        for number in 0..<runs {
            let all = ["orders", "payments", "items", "customers", "tenders"]
            var words = ["export"] + all.shuffled(using: &random).prefix(.random(in: 1...4, using: &random))
            if words.contains("orders"), Bool.random(using: &random) { words += ["--with", "line_items"] }
            if Bool.random(using: &random) {
                words += ["--window", ["1d", "10d", "89d"].randomElement(using: &random) ?? "1d"]
            }
            if number > 0, Int.random(in: 0..<5, using: &random) == 0 { words += ["--full"] }
            var armed = own
            // The first one makes the tables, and nothing of the last one is under way afterwards.
            if (1..<runs - 1).contains(number), Bool.random(using: &random) {
                let point = KillPoint(number: .random(in: 20...300, using: &random), side: .after)
                armed = try await point.arm(own, log: "before-\(number).log", everywhere: true)
            }
            history.append("\(words)")
            let result = try await armed.clover(words + ["--no-pacing", "--to", address])
            #expect(result.ending == .signalled(9) || result.status == 0, "\(result) \(history)")
            try await emulator.churn([1, 5, 30].randomElement(using: &random) ?? 1)
        }
    }

    /// The numbers of what is disturbed: each one twice, or as many as `most`, at even distances. The large shop has thousands.
    private static func numbers(upTo count: Int, most: Int) -> [Int] {
        guard most < 2 * count else { return (0..<2 * count).map { 1 + $0 / 2 } }
        return (0..<most).map { 1 + (count - 1) * $0 / max(1, most - 1) }
    }

    /// What `export verify` finds after any history.
    private static let damages = [
        "DELETE FROM tenders WHERE id = (SELECT min(id) FROM tenders)",
        "UPDATE payments SET amount = amount + 1 WHERE id = (SELECT max(id) FROM payments)",
        "UPDATE orders SET record = '{}' WHERE id = (SELECT min(id) FROM orders)",
        "UPDATE orders__line_items SET id = 'x' WHERE id = (SELECT max(id) FROM orders__line_items)",
        "DELETE FROM orders__line_items WHERE parent_id = (SELECT max(parent_id) FROM orders__line_items)",
        "DROP TABLE payments",
    ]

    /// A sandbox with a copy of the state of the random runs; an empty state without them.
    private static func state(_ name: String, _ start: Start, in sandbox: Sandbox) throws -> Sandbox {
        let own = sandbox.withState(name)
        if start == .history {
            try FileManager.default.copyItem(
                atPath: sandbox.directory[before], toPath: sandbox.directory[own.stateFolder])
        }
        return own
    }

    @Test(
        "a run to SQLite that is killed at any call and run again leaves the same rows, none twice",
        arguments: Start.allCases)
    func sqlite(_ start: Start) async throws {
        try await Sandbox.run(emulator: start == .empty ? Self.largeShop : Self.shop) { sandbox, emulator in
            let files = FileManager.default
            let database = ExportedDatabase(sandbox: sandbox, name: "shop.db")
            let backup = ExportedDatabase(sandbox: sandbox, name: "before.db")
            if start == .history {
                try await Self.writeHistory(sandbox, emulator, to: database.address)
                // A killed run may have left its journal, which belongs to the file.
                _ = try database.rows("SELECT count(*) FROM clover_export")
                try files.moveItem(atPath: database.path, toPath: backup.path)
            }
            func begin(_ name: String) throws -> Sandbox {
                for suffix in ["", "-journal"] where files.fileExists(atPath: database.path + suffix) {
                    try files.removeItem(atPath: database.path + suffix)
                }
                if start == .history { try files.copyItem(atPath: backup.path, toPath: database.path) }
                return try Self.state(name, start, in: sandbox)
            }
            let words = Self.resources + ["--to", database.address]
            let counted = try await KillPoint(number: nil, side: .after)
                .arm(begin("state-of-calm"), log: "calm.log", everywhere: true)
            expectSuccess(try await counted.clover(words))
            let expected = try database.everything()
            for list in ["orders", "payments", "tenders"] {
                let found = try database.records(of: list)
                for (id, record) in try await emulator.truth(list) { #expect(found[id] == record, "\(list) \(id)") }
            }
            let count = try KillPoint.calls(in: sandbox, log: "calm.log").count
            // Each call in the soak: once as the kernel has it, and once with what was not synced lost.
            let numbers = Self.numbers(upTo: count, most: Scale.pick(6, full: start == .empty ? 600 : .max))
            for (run, number) in numbers.enumerated() {
                let cut: KillPoint.Cut? = run % 2 == 0 ? nil : run % 4 == 1 ? .bytes : .names
                let point = KillPoint(number: number, side: number % 2 == 0 ? .after : .before, cut: cut)
                let own = try begin("state-of-\(run)")
                let armed = try await point.arm(own, log: "run-\(run).log", everywhere: true)
                let result = try await armed.clover(words)
                if result.ending != .signalled(9) { expectSuccess(result) }
                expectSuccess(try await own.clover(words))
                #expect(try database.everything() == expected, "\(point)")
                let verified = try await own.clover("export", "verify", database.address)
                #expect(verified.status == 0, "\(point): \(verified)")
                try files.removeItem(atPath: sandbox.directory[own.stateFolder])
            }
            try files.copyItem(atPath: database.path, toPath: database.path + ".whole")
            for damage in Self.damages {
                try database.run(damage)
                #expect(try await sandbox.clover("export", "verify", database.address).status != 0, "\(damage)")
                try files.removeItem(atPath: database.path)
                try files.copyItem(atPath: database.path + ".whole", toPath: database.path)
            }
            try Scale.report(
                "`kill -9` at calls of an export to SQLite, from \(start.testDescription)",
                count: "\(numbers.count) points of \(count) calls",
                result: "the next run ends with the same rows, none twice, and `export verify` finds nothing")
        }
    }

    enum Action: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case kill, cut, crash

        var testDescription: String { rawValue }

        var sentence: String {
            switch self {
            case .kill: "`kill -9` of the program"
            case .cut: "A cut connection"
            case .crash: "An immediate shutdown of the server"
            }
        }
    }

    @Test(
        "whatever is disturbed at any statement to PostgreSQL, before it or with its answer lost, the rows are the same, none twice",
        arguments: Action.allCases, Start.allCases)
    func postgreSQL(_ action: Action, _ start: Start) async throws {
        let server = try await PostgreSQLServer()
        try await Sandbox.run(emulator: start == .empty ? Self.largeShop : Self.shop) { sandbox, emulator in
            let backup = try await ServedDatabase(server)
            if start == .history { try await Self.writeHistory(sandbox, emulator, to: backup.address) }
            let calm = try await ServedDatabase(server, copyOf: backup)
            let counting = try await PostgreSQLRelay(to: server, at: 0, "before", "cut")
            expectSuccess(
                try await Self.state("state-of-calm", start, in: sandbox).clover(
                    Self.resources + ["--to", counting.address(of: calm.name)]))
            let expected = try await calm.everything()
            for list in ["orders", "payments", "tenders"] {
                let found = try await calm.records(of: list)
                for (id, record) in try await emulator.truth(list) { #expect(found[id] == record, "\(list) \(id)") }
            }
            if start == .empty {
                // Rows that were sent while their window was read are older than the savepoint of its end.
                let early = try await calm.rows(
                    """
                    SELECT count(*) > 100 FROM orders__line_items WHERE xmin = (SELECT xmin FROM pg_attribute
                        WHERE attrelid = 'orders__line_items'::regclass AND attname = 'record')
                    """)
                #expect(early == ["t"])
            }
            let count = counting.count
            try #require(count > 30)
            // Each statement in the soak, before it and after it.
            let numbers = Self.numbers(upTo: count, most: Scale.pick(3, full: start == .empty ? 200 : .max))
            for (run, number) in numbers.enumerated() {
                let side = run % 2 == 0 ? "after" : "before"
                let point = "\(action) \(side) statement \(number)"
                let database = try await ServedDatabase(server, copyOf: backup)
                let own = try Self.state("state-of-\(run)", start, in: sandbox)
                let relay = try await PostgreSQLRelay(to: server, at: number, side, action.rawValue)
                let words = Self.resources + ["--to", relay.address(of: database.name)]
                let command = try own.start(words)
                if action == .crash {
                    try await relay.waitUntilDisturbed()
                    try await server.crash()
                }
                let result = try await command.result()
                // A lost connection is made anew within the run.
                if action != .kill || result.ending != .signalled(9) {
                    #expect(result.status == 0, "\(point): \(result)")
                }
                expectSuccess(try await own.clover(words))
                #expect(try await database.everything() == expected, "\(point)")
                let verified = try await own.clover("export", "verify", relay.address(of: database.name))
                #expect(verified.status == 0, "\(point): \(verified)")
                try await database.drop()
                let folder = sandbox.directory[own.stateFolder]
                if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
            }
            try Scale.report(
                "\(action.sentence) at statements of an export to PostgreSQL, from \(start.testDescription)",
                count: "\(numbers.count) points of \(count) statements",
                result: "the next run ends with the same rows, none twice, and `export verify` finds nothing")
        }
    }
}
