package import CloverRateLimit
import CloverTables

/// What the machines that share a database are doing, as the database sees it.
package struct FleetReport: Equatable, Sendable {
    /// A machine, by its name.
    package struct Machine: Equatable, Sendable {
        package let host: String
        /// Number of processes that are connected now.
        package let processes: Int
        /// When it last showed that it lives, in milliseconds since 1970 by the server's clock.
        package let seenAt: Int64?
    }

    /// A process that is connected.
    package struct Process: Equatable, Sendable {
        package let host: String
        package let pid: Int32
        package let command: String
        package let since: Int64?
    }

    /// The budget of a token or an app, which is known by a hash only.
    package struct Budget: Equatable, Sendable {
        package let name: String
        /// Requests of the last second, and the limit of those who sent them.
        package let granted: Int64
        package let perSecond: Int64
        package let inFlight: Int64
        package let waiting: Int64
        package let pausedUntil: Int64?
        package let pauseCause: String?
    }

    /// A charge, or what comes after one, that a process works on, or did when it was last seen.
    package struct Charge: Equatable, Sendable {
        package let id: String
        package let kind: String
        package let merchant: String
        package let state: String
        /// `HOST:PID` of the process that has its lock; nil if none has.
        package let machine: String?
        /// Whether its process lives, or may.
        package let isAlive: Bool
        package let seenAt: Int64?
    }

    package let machines: [Machine]
    package let processes: [Process]
    package let budgets: [Budget]
    package let exports: [FleetExportUnit]
    package let charges: [Charge]
    /// When the database was read, by the server's clock.
    package let at: Int64

    /// Reads all of it. Takes nothing, and changes nothing.
    ///
    /// - Throws: `.away`, `.unusable`.
    package static func read(_ url: String) throws(LedgerError) -> FleetReport {
        let connection = FleetConnection(url, command: "fleet", needsClock: false)
        defer { connection.close() }
        try connection.open()
        let sessions = try sessions(connection)
        let exports = try FleetExportUnit.read(in: connection, lastRounds)
        let at = try connection.runInSession("SELECT \(milliseconds("clock_timestamp()"))").first?.first?.integer
        return FleetReport(
            machines: machines(sessions, exports), processes: processes(sessions), budgets: try budgets(connection),
            exports: exports, charges: try charges(connection), at: at ?? 0)
    }

    /// The units of exports that machines share, of the last round of each command. See `read`.
    package static func exports(_ url: String) throws(LedgerError) -> [FleetExportUnit] {
        let connection = FleetConnection(url, command: "export", needsClock: false)
        defer { connection.close() }
        try connection.open()
        return try FleetExportUnit.read(in: connection, lastRounds)
    }

    private static let lastRounds =
        "u.round IN (SELECT max(id) FROM clover_state.export_rounds GROUP BY name)"

    private static func milliseconds(_ time: String) -> String { "(extract(epoch FROM \(time)) * 1000)::bigint" }

    // MARK: Sessions

    private struct Session {
        let host: String
        let pid: Int32
        let command: String
        let since: Int64?
        let seenAt: Int64?
    }

    /// The sessions of other processes, from their names: `clover HOST:PID COMMAND`.
    private static func sessions(_ connection: FleetConnection) throws(LedgerError) -> [Session] {
        try connection.runInSession(
            """
            SELECT application_name, \(milliseconds("backend_start")),
                \(milliseconds("CASE state WHEN 'active' THEN clock_timestamp() ELSE state_change END"))
            FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'clover %:%'
                AND pid <> pg_backend_pid() ORDER BY backend_start
            """
        ).compactMap { row in
            guard let (host, pid, command) = parts(row[0].text ?? "") else { return nil }
            return Session(host: host, pid: pid, command: command, since: row[1].integer, seenAt: row[2].integer)
        }
    }

    private static func parts(_ name: String) -> (host: String, pid: Int32, command: String)? {
        let words = name.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, let colon = words[1].lastIndex(of: ":"),
            let pid = Int32(words[1][words[1].index(after: colon)...])
        else { return nil }
        return (String(words[1][..<colon]), pid, words.count > 2 ? words[2] : "")
    }

    private static func processes(_ sessions: [Session]) -> [Process] {
        var processes: [Process] = []
        for session in sessions {
            let place = processes.firstIndex { $0.host == session.host && $0.pid == session.pid }
            guard let place else {
                processes.append(
                    Process(host: session.host, pid: session.pid, command: session.command, since: session.since))
                continue
            }
            // Sessions that only look for tokens say less.
            let known = processes[place]
            guard ["", "tokens"].contains(known.command) else { continue }
            processes[place] = Process(
                host: known.host, pid: known.pid, command: session.command, since: known.since)
        }
        return processes
    }

    private static func machines(_ sessions: [Session], _ exports: [FleetExportUnit]) -> [Machine] {
        var seen: [String: Int64] = [:]
        for session in sessions { seen[session.host] = max(seen[session.host] ?? 0, session.seenAt ?? 0) }
        for unit in exports {
            guard let machine = unit.machine, let colon = machine.lastIndex(of: ":") else { continue }
            let host = String(machine[..<colon])
            seen[host] = max(seen[host] ?? 0, unit.aliveAt ?? unit.endedAt ?? 0)
        }
        return seen.sorted { $0.key < $1.key }.map { host, time in
            Machine(
                host: host, processes: Set(sessions.filter { $0.host == host }.map(\.pid)).count,
                seenAt: time > 0 ? time : nil)
        }
    }

    // MARK: Budgets and charges

    private static func budgets(_ connection: FleetConnection) throws(LedgerError) -> [Budget] {
        try connection.runInSession(
            """
            SELECT b.name, (SELECT count(*) FROM unnest(b.moments) m WHERE m > n.now - 1000000000 AND m <= n.now),
                (SELECT max(l) FROM unnest(b.limits) l),
                (SELECT count(*) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND l.classid = (hashtext('clover slot ' || b.name)::bigint & 4294967295)::oid),
                (SELECT count(*) FROM clover_state.waiters w JOIN pg_stat_activity a ON a.pid = w.session
                    WHERE w.budget = b.name AND abs(n.now - w.seen) <= \(LedgerClient.credit)),
                CASE WHEN b.not_before > n.now AND b.pause_cause <> '' THEN b.not_before / 1000000 END,
                CASE WHEN b.not_before > n.now THEN nullif(b.pause_cause, '') END
            FROM clover_state.budgets b, (SELECT clover_state.now_ns() AS now) n ORDER BY b.name
            """
        ).map { row in
            Budget(
                name: row[0].text ?? "", granted: row[1].integer ?? 0, perSecond: row[2].integer ?? 0,
                inFlight: row[3].integer ?? 0, waiting: row[4].integer ?? 0, pausedUntil: row[5].integer,
                pauseCause: row[6].text)
        }
    }

    private static func charges(_ connection: FleetConnection) throws(LedgerError) -> [Charge] {
        try connection.runInSession(
            """
            SELECT o.id, o.kind, o.merchant, o.state, (
                    SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
                        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        AND l.classid = (hashtext('clover operation')::bigint & 4294967295)::oid
                        AND l.objid = (o.place % 2147483647)::bigint::oid LIMIT 1),
                clover_state.is_alive(o.alive_at) IS TRUE, \(milliseconds("o.alive_at"))
            FROM clover_state.operations o WHERE o.owner IS NOT NULL ORDER BY o.place
            """
        ).map { row in
            Charge(
                id: row[0].text ?? "", kind: row[1].text ?? "", merchant: row[2].text ?? "", state: row[3].text ?? "",
                machine: parts(row[4].text ?? "").map { "\($0.host):\($0.pid)" }, isAlive: row[5].isTrue,
                seenAt: row[6].integer)
        }
    }
}
