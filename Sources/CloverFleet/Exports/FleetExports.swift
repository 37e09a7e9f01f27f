package import CloverPayments
import CloverRateLimit
import CloverSystem
import CloverTables
import Glibc
import Synchronization

/// The part of one run in exports that machines share: takes units of work one by one, which no other process has.
///
/// A unit is locked by an advisory lock of the session and by the process's number in its row, as operations are; see
/// `FleetOperationLocks`. That of a killed process is taken over after `FleetSchema.operationGrace`. All methods block.
package final class FleetExports: Sendable {
    /// One resource of one merchant.
    package struct Unit: Hashable, Sendable {
        package let environment: String
        package let merchant: String
        package let profile: String?
        package let resource: String

        package init(environment: String, merchant: String, profile: String?, resource: String) {
            self.environment = environment
            self.merchant = merchant
            self.profile = profile
            self.resource = resource
        }
    }

    /// A unit that this process works on. If it is not ended, it is left to others when this value ends.
    package final class Taken: Sendable {
        package let unit: Unit
        fileprivate let id: Int64
        fileprivate let lock: OperationLock

        fileprivate init(_ unit: Unit, _ id: Int64, _ lock: OperationLock) {
            self.unit = unit
            self.id = id
            self.lock = lock
        }
    }

    /// How a unit ended.
    package enum End: Equatable, Sendable {
        case done(records: Int)
        /// With an exit status and a message.
        case failed(status: Int32, message: String)
        /// Another process changed the destination meanwhile; the unit is tried again.
        case overtaken
    }

    private let connection: Mutex<FleetConnection>
    private let onAway: @Sendable (JournalError) -> Void
    private let locks: FleetOperationLocks
    /// This process, for others.
    private let machine: String
    private let units: [Int64: Unit]
    private let run: OperationLock

    /// Attempts after which a unit that others overtake has failed.
    private static let attempts = 5

    /// Joins the runs of the same command that are alive.
    ///
    /// - Parameters:
    ///   - name: the same for all runs of the command.
    ///   - destination: for those who look.
    ///   - waits: counts the time that the run waits for the database.
    ///   - onAway: called once for each change that waits for the database, on any thread.
    /// - Throws: `JournalError`.
    package init(
        _ url: String, name: String, destination: String, _ wanted: [Unit],
        waits: DatabaseWaits? = nil, onAway: @escaping @Sendable (JournalError) -> Void
    ) throws {
        connection = Mutex(FleetConnection(url, command: "export", needsClock: false, waits: waits))
        locks = FleetOperationLocks(url, command: "export", waits: waits)
        machine = "\(FleetConnection.host):\(getpid())"
        self.onAway = onAway
        let row = try Self.run(
            connection, "SELECT round_, run_ FROM clover_state.join_exports($1, $2, $3, $4)",
            [.text(name), .text(destination), .text(machine), .integer(locks.client)], FleetSession.patience, onAway
        ).first
        guard let round = row?[0].integer, let run = row?[1].integer else { throw JournalError.missing(id: name) }
        var units: [Int64: Unit] = [:]
        for unit in wanted {
            // One that failed is tried again.
            let id = try Self.run(
                connection,
                """
                INSERT INTO clover_state.export_units AS u (round, environment, merchant, profile, resource)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (round, environment, merchant, resource)
                DO UPDATE SET state = CASE u.state WHEN 'failed' THEN 'waiting' ELSE u.state END RETURNING id
                """,
                [
                    .integer(round), .text(unit.environment), .text(unit.merchant), SQLValue(unit.profile),
                    .text(unit.resource),
                ], FleetSession.patience, onAway
            ).first?.first?.integer
            if let id { units[id] = unit }
        }
        self.units = units
        self.run = locks.keep(.exportRun(run))
    }

    /// Runs one statement, which may take place twice if its response is lost.
    @discardableResult
    private static func run(
        _ connection: borrowing Mutex<FleetConnection>, _ sql: String, _ arguments: [SQLValue], _ patience: Double,
        _ onAway: @Sendable (JournalError) -> Void
    ) throws -> [[SQLValue]] {
        try connection.withLock { connection in
            try connection.again(for: patience, onAway) { try connection.run(sql, arguments) }
        }
    }

    private func run(_ sql: String, _ arguments: [SQLValue], for patience: Double) throws -> [[SQLValue]] {
        try Self.run(connection, sql, arguments, patience, onAway)
    }

    /// Takes the next unit that no process works on; nil if there is none now.
    package func next() throws -> Taken? {
        let wanted = "{" + units.keys.map { "\($0)" }.joined(separator: ",") + "}"
        guard let (id, lock) = try locks.takeExport(wanted, machine), let unit = units[id] else { return nil }
        return Taken(unit, id, lock)
    }

    /// Records progress.
    ///
    /// - Returns: false if another process has taken the unit over.
    package func note(_ records: Int, of taken: Taken) throws -> Bool {
        try !run(
            """
            UPDATE clover_state.export_units SET records = $1, alive_at = clock_timestamp()
            WHERE id = $2 AND owner = $3 AND state = 'running' RETURNING id
            """, [.integer(Int64(records)), .integer(taken.id), .integer(locks.client)], for: FleetSession.patience
        ).isEmpty
    }

    /// Records how a unit ended, unless another process has taken it over.
    ///
    /// - Parameter patience: seconds to try again while the database is away.
    package func end(_ taken: Taken, _ end: End, for patience: Double) throws {
        var (state, records, status, message) = ("done", 0, SQLValue.null, SQLValue.null)
        switch end {
        case .done(let count): records = count
        case .failed(let number, let text):
            (state, status, message) = ("failed", .integer(Int64(number)), .text(text))
        case .overtaken: (state, message) = ("waiting", .text("another process changed the destination"))
        }
        let values: [SQLValue] = [
            .text(state), .integer(Int64(records)), status, message, .integer(taken.id), .integer(locks.client),
            .integer(Int64(Self.attempts)),
        ]
        _ = try run(
            """
            UPDATE clover_state.export_units SET records = $2, status = $3::int, message = $4,
                ended_at = clock_timestamp(), owner = NULL, alive_at = NULL,
                state = CASE WHEN $1 = 'waiting' AND attempts >= $7 THEN 'failed' ELSE $1 END
            WHERE id = $5 AND owner = $6 AND state = 'running'
            """, values, for: patience)
    }

    /// The state of each unit of this run.
    package func all() throws -> [FleetExportUnit] {
        let ids = "{" + units.keys.map { "\($0)" }.joined(separator: ",") + "}"
        return try connection.withLock { connection in
            try connection.again(for: FleetSession.patience, onAway) {
                try connection.open()
                return try FleetExportUnit.read(in: connection, "u.id = ANY ($1::bigint[])", [.text(ids)])
            }
        }
    }
}

/// One resource of one merchant in an export that machines share, as others see it.
package struct FleetExportUnit: Equatable, Sendable {
    package enum State: String, Sendable { case waiting, running, done, failed }

    package let destination: String
    package let environment: String
    package let merchant: String
    package let profile: String?
    package let resource: String
    /// `running` only while its process lives, or may.
    package let state: State
    /// The process that works on it, or did: `HOST:PID`.
    package let machine: String?
    package let records: Int64
    package let attempts: Int64
    package let status: Int64?
    package let message: String?
    /// Milliseconds since 1970, by the server's clock.
    package let begunAt: Int64?
    package let endedAt: Int64?
    package let aliveAt: Int64?

    /// Those of the last rounds.
    static func read(
        in connection: FleetConnection, _ condition: String, _ arguments: [SQLValue] = []
    ) throws(LedgerError) -> [FleetExportUnit] {
        func time(_ column: String) -> String { "(extract(epoch FROM u.\(column)) * 1000)::bigint" }
        return try connection.runInSession(
            """
            SELECT r.destination, u.environment, u.merchant, u.profile, u.resource,
                CASE WHEN u.state = 'running' AND clover_state.is_alive(u.alive_at) IS NOT TRUE THEN 'waiting'
                    ELSE u.state END,
                u.machine, u.records, u.attempts, u.status, u.message, \(time("begun_at")), \(time("ended_at")),
                \(time("alive_at"))
            FROM clover_state.export_units u JOIN clover_state.export_rounds r ON r.id = u.round
            WHERE \(condition) ORDER BY r.id, u.id
            """, arguments
        ).map { row in
            FleetExportUnit(
                destination: row[0].text ?? "", environment: row[1].text ?? "", merchant: row[2].text ?? "",
                profile: row[3].text, resource: row[4].text ?? "",
                state: State(rawValue: row[5].text ?? "") ?? .waiting,
                machine: row[6].text, records: row[7].integer ?? 0, attempts: row[8].integer ?? 0,
                status: row[9].integer, message: row[10].text, begunAt: row[11].integer, endedAt: row[12].integer,
                aliveAt: row[13].integer)
        }
    }
}
