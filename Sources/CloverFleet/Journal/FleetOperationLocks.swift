import CloverPayments
import CloverRateLimit
import CloverSystem
import CloverTables
import Glibc
import Synchronization

/// The locks of operations that one process holds: advisory locks of one separate session, and the process's number in each row.
///
/// While any is held, a thread says every two seconds that the process lives. If the session is lost, it connects anew at once
/// and takes the locks again; until then the rows keep others away.
final class FleetOperationLocks: Sendable {
    /// What is locked.
    enum Target: Hashable, Sendable {
        /// The number of a row.
        case operation(Int64)
        case claim(String)
        /// The number of a unit of a shared export.
        case exportUnit(Int64)
        /// The number of a run of one, which has no lock and only says that it lives.
        case exportRun(Int64)
    }

    /// The number by which rows know this process.
    let client = Int64.random(in: 1...Int64.max)
    private let state: Mutex<State>

    private struct State {
        let connection: FleetConnection
        /// What is held, with the session that has its lock; 0 for none.
        var held: [Target: Int] = [:]
        var isKept = false
    }

    /// A lock that ends with this value.
    private final class Held: Sendable {
        let locks: FleetOperationLocks
        let target: Target

        init(_ target: Target, _ locks: FleetOperationLocks) {
            self.locks = locks
            self.target = target
        }

        deinit { locks.give(target) }
    }

    private static let pause: UInt32 = 250_000

    /// - Parameter command: words that describe to others what this process does.
    init(_ url: String, command: String = "charge", openLimit: Double? = nil, waits: DatabaseWaits? = nil) {
        let connection = FleetConnection(
            url, command: command, needsClock: false, openLimit: openLimit, waits: waits)
        state = Mutex(State(connection: connection))
    }

    /// Takes a lock, without waiting for others.
    ///
    /// - Returns: nil if another process has it or may be alive, or if this one has it.
    func take(_ target: Target) throws -> OperationLock? {
        switch target {
        case .operation(let place):
            try take(target, "clover_state.take_operation($1, $2)", [.integer(place), .integer(client)])
        case .claim, .exportUnit, .exportRun: try take(target, Self.lock(target).sql, Self.lock(target).values)
        }
    }

    /// Takes the next unit of a shared export that no process works on.
    ///
    /// - Parameter wanted: the numbers of the units, as an array of PostgreSQL.
    func takeExport(_ wanted: String, _ machine: String) throws -> (Int64, OperationLock)? {
        try state.withLock { state in
            let connection = state.connection
            let found = try connection.again(for: FleetSession.patience) {
                try connection.run(
                    "SELECT clover_state.take_export($1::bigint[], $2, $3)",
                    [.text(wanted), .text(machine), .integer(client)]
                ).first?.first?.integer
            }
            guard let found else { return nil }
            return (found, hold(.exportUnit(found), &state))
        }
    }

    /// Says from now on that the process lives.
    func keep(_ target: Target) -> OperationLock { state.withLock { hold(target, &$0) } }

    private func hold(_ target: Target, _ state: inout State) -> OperationLock {
        state.held[target] = state.connection.generation
        keep(&state)
        return OperationLock(Held(target, self))
    }

    /// Takes the lock of a row that no other process can see.
    func takeNew(_ place: Int64) throws -> OperationLock {
        let (sql, values) = Self.lock(.operation(place))
        guard let lock = try take(.operation(place), sql, values) else {
            throw JournalError.away(address: "the database", message: "another session has the lock of a new row")
        }
        return lock
    }

    private func take(_ target: Target, _ sql: String, _ values: [SQLValue]) throws -> OperationLock? {
        try state.withLock { state in
            guard state.held[target] == nil else { return nil }
            let connection = state.connection
            let isTaken = try connection.again(for: FleetSession.patience) {
                try connection.run("SELECT " + sql, values).first?.first?.isTrue
            }
            guard isTaken == true else { return nil }
            return hold(target, &state)
        }
    }

    /// The lock alone.
    private static func lock(_ target: Target) -> (sql: String, values: [SQLValue]) {
        switch target {
        case .operation(let place): ("clover_state.lock_place($1)", [.integer(place)])
        case .claim(let text):
            ("pg_try_advisory_lock(hashtext('clover claim'), hashtext($1))", [.text(text)])
        case .exportUnit(let unit): ("clover_state.lock_export($1)", [.integer(unit)])
        case .exportRun: ("true", [])
        }
    }

    /// If the database is away, the lock ends with the session, and others wait until the row is old.
    private func give(_ target: Target) {
        state.withLock { state in
            state.held[target] = nil
            let (sql, values): (String, [SQLValue]) =
                switch target {
                case .operation(let place):
                    ("SELECT clover_state.give_operation($1, $2)", [.integer(place), .integer(client)])
                case .claim(let text):
                    ("SELECT pg_advisory_unlock(hashtext('clover claim'), hashtext($1))", [.text(text)])
                case .exportUnit(let unit):
                    ("SELECT clover_state.give_export($1, $2)", [.integer(unit), .integer(client)])
                case .exportRun(let run):
                    ("UPDATE clover_state.export_runs SET alive_at = NULL WHERE id = $1", [.integer(run)])
                }
            // A session that was lost is replaced once: the row still has the process's number.
            for _ in 0..<2 {
                do throws(LedgerError) {
                    try state.connection.run(sql, values)
                    return
                } catch {
                    state.connection.close()
                }
            }
        }
    }

    // MARK: Keeping them

    /// Starts the thread that keeps the locks. Without one, they last as long as the session and the rows do.
    private func keep(_ state: inout State) {
        guard !state.isKept else { return }
        state.isKept = DedicatedThread.tryStart(name: "clover-locks") { self.keepAll() } == 0
    }

    private func keepAll() {
        while true {
            let descriptor = state.withLock { $0.connection.descriptor }
            if descriptor >= 0 {
                // Readable when the session ends.
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, FleetSchema.beat)
            } else {
                usleep(Self.pause)
            }
            let isOver = state.withLock { state in
                guard !state.held.isEmpty else {
                    state.isKept = false
                    return true
                }
                do throws(LedgerError) {
                    try beat(&state)
                } catch {
                    state.connection.close()
                }
                return false
            }
            if isOver { return }
        }
    }

    private func beat(_ state: inout State) throws(LedgerError) {
        let connection = state.connection
        connection.isUncounted = true
        defer { connection.isUncounted = false }
        try connection.open()
        for (target, generation) in state.held where generation != connection.generation {
            let (sql, values) = Self.lock(target)
            // The server may not have noticed yet that the former session is gone.
            let isTaken = try connection.runInSession("SELECT " + sql, values).first?.first?.isTrue
            if isTaken == true { state.held[target] = connection.generation }
        }
        if state.held.keys.contains(where: \.isExport) {
            try connection.runInSession("SELECT clover_state.keep_exports($1)", [.integer(client)])
        }
        let places = state.held.keys.compactMap { if case .operation(let place) = $0 { "\(place)" } else { nil } }
        guard !places.isEmpty else { return }
        try connection.runInSession(
            "SELECT clover_state.keep_operations($1::bigint[], $2)",
            [.text("{" + places.joined(separator: ",") + "}"), .integer(client)])
    }
}

extension FleetOperationLocks.Target {
    fileprivate var isExport: Bool {
        switch self {
        case .exportUnit, .exportRun: true
        case .operation, .claim: false
        }
    }
}
