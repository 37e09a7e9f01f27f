package import CloverRateLimit
import CloverSystem
package import CloverTables
import Glibc

/// One session with the database of the shared state, connected anew when it was lost. Used by one thread.
package final class FleetConnection {
    package let url: String
    private let clientName: String
    /// Tells this client from all others, in any session.
    let client = Int64.random(in: 1...Int64.max)
    private var connection: PostgreSQLConnection?
    private let deadline = Deadline()
    package private(set) var clock = ServerClock()
    /// Why the server takes no changes; nil if it does.
    private(set) var readOnlyReason: ReadOnlyReason?
    /// Whether a server that takes changes was there before.
    private(set) var wasWritable = false
    /// When the first session must have begun; nil without a limit, and once it has.
    private var openEnd: BootInstant?
    /// Counts the sessions; the locks of an earlier one are gone.
    package private(set) var generation = 0
    /// Whether the server's clock was set since the budgets were last notified.
    var isClockSet = false
    /// Channels that every session listens to.
    private let channels: [String]
    /// Whether requests leave by the server's clock.
    private let needsClock: Bool
    /// The identifier of the move that this client carries out; nil for all others, which a moved state refuses.
    private let move: String?
    /// Whether a pause began, or a request was sent late, since a grant was last confirmed.
    var mustConfirm = false
    /// The place of this session among those that were notified of a free slot; nil if it was not.
    var slotRank: Int?
    /// Called with true once the server has not responded to a new session for this many seconds, and with false when it has.
    private let onSilence: (@Sendable (_ isSilent: Bool) -> Void)?
    private let silence: Double
    /// Counts the time that this session waits for the server; nil where that does not matter.
    private let waits: DatabaseWaits?
    /// Whether what is done now is not a wait of the run for the server: it is done beside the run, or waits for another process.
    var isUncounted = false

    /// Seconds without a response after which the session counts as lost.
    private static let timeout: Int64 = 10
    private static let probes = 8
    private static let moreProbes = 64
    /// Why a session did not begin within `openLimit`.
    static let outOfTime = "no response in time"
    /// How the reason begins that a server is too slow for the rate limit.
    private static let slowness = "its responses take"
    /// Why a run waits after `onSilence`.
    static let noResponse = "no response yet"

    /// Why a server takes no changes.
    enum ReadOnlyReason {
        case standby, setting

        var message: String {
            switch self {
            case .standby: "the server is a standby, which is read-only"
            case .setting: "the server is read-only: default_transaction_read_only is on"
            }
        }

        var fix: String {
            switch self {
            case .standby: "use the address of the primary server, or make this one the primary"
            case .setting:
                "turn it off for the server, the database and the user; to see it: SHOW default_transaction_read_only"
            }
        }
    }

    /// When a statement must have ended.
    private final class Deadline {
        var end = BootInstant.boot
        /// When it is reported that the server does not respond; nil if it is not to be.
        var silenceEnd: BootInstant?
        var onSilence: @Sendable (Bool) -> Void = { _ in }
        var isSilent = false

        var hasPassed: Bool {
            let now = BootInstant.now
            if let silenceEnd, now >= silenceEnd, !isSilent {
                isSilent = true
                onSilence(true)
            }
            return now >= end
        }
    }

    /// - Parameters:
    ///   - command: words that describe to others what this process does.
    ///   - channels: names of budgets whose events matter, or `tokens`.
    ///   - needsClock: whether requests leave by the server's clock.
    ///   - openLimit: seconds from now in which the first session must have begun; nil for those that a server usually has.
    ///   - patience: seconds after which the caller gives up; nil without a limit.
    ///   - waits: counts the time that the session waits for the server.
    ///   - onSilence: called, on the thread of the session, with true when the server has not responded for a moment, and with
    ///     false when it has after that.
    package init(
        _ url: String, command: String = "", channels: [String] = [], needsClock: Bool = true, move: String? = nil,
        openLimit: Double? = nil, patience: Double? = nil, waits: DatabaseWaits? = nil,
        onSilence: (@Sendable (_ isSilent: Bool) -> Void)? = nil
    ) {
        self.url = url
        openEnd = openLimit.map { BootInstant.now.advanced(by: Int64(min($0, 1e6) * 1e9)) }
        self.waits = waits
        self.onSilence = onSilence
        silence = min(1, (openLimit ?? patience ?? .infinity) / 2)
        self.move = move
        self.channels = channels.map { "clover_" + $0 }
        self.needsClock = needsClock
        clientName = String("clover \(Self.host.prefix(24)):\(getpid()) \(command)".prefix(63))
    }

    /// The name of this machine.
    static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Readable when a notification has arrived; -1 while there is no session.
    var descriptor: Int32 { connection?.descriptor ?? -1 }
    var isConnected: Bool { connection != nil }

    /// Runs one statement.
    ///
    /// - Throws: `.away`, after which the session and its locks may be gone; `.unusable`.
    @discardableResult
    package func run(_ sql: String, _ arguments: [SQLValue] = []) throws(LedgerError) -> [[SQLValue]] {
        try open()
        return try runInSession(sql, arguments)
    }

    /// Runs statements in one transaction.
    package func transaction<Value>(_ body: (FleetConnection) throws(LedgerError) -> Value) throws(LedgerError) -> Value
    {
        try open()
        try runInSession("BEGIN")
        do throws(LedgerError) {
            let value = try body(self)
            try runInSession("COMMIT")
            return value
        } catch {
            if isConnected {
                do throws(LedgerError) { try runInSession("ROLLBACK") } catch { close() }
            }
            throw error
        }
    }

    /// Runs a statement whose first value of the first row is the server's time, and learns from it.
    func timed(_ sql: String, _ arguments: [SQLValue] = []) throws(LedgerError) -> [SQLValue] {
        let sent = BootInstant.now
        guard let row = try run(sql, arguments).first, let server = row.first?.integer else {
            throw .away(address: url, message: "an empty response")
        }
        if clock.observe(server: server, sent: sent, received: .now) { isClockSet = true }
        return row
    }

    /// Makes sure that the server's clock is known well enough to send by it.
    func adjustClock() throws(LedgerError) {
        for _ in 0..<Self.moreProbes where clock.error(at: .now) > ServerClock.tolerance {
            _ = try timed("SELECT clover_state.now_ns()")
        }
        guard clock.error(at: .now) > ServerClock.tolerance else { return }
        throw .away(
            address: url,
            message: "\(Self.slowness) \(clock.shortestTrip / 1_000_000) ms, and the rate limit needs "
                + "\(2 * ServerClock.tolerance / 1_000_000) ms or less")
    }

    /// The notifications that have arrived. Does not wait.
    package func takeNotifications() throws(LedgerError) -> [String] {
        guard let connection else { return [] }
        do {
            return try connection.takeNotifications()
        } catch {
            throw translated(error)
        }
    }

    /// Takes the notifications of budgets that have arrived. Does not wait.
    func hear() throws(LedgerError) {
        for payload in try takeNotifications() {
            if payload == FleetSchema.check { mustConfirm = true } else { slotRank = Int(payload) }
        }
    }

    package func close() {
        connection = nil
    }

    /// Connects and checks the database, unless there is a session.
    package func open() throws(LedgerError) {
        guard connection == nil else { return }
        try connect()
        do throws(LedgerError) {
            // What it has may be old.
            if readOnlyReason == .standby { throw .away(address: url, message: ReadOnlyReason.standby.message) }
            let version = try schemaVersion()
            guard version == FleetSchema.version else { throw unusable(version: version) }
            if let move {
                try runInSession("SELECT set_config('clover.move', $1, false)", [.text(move)])
            } else if let row = try runInSession("SELECT place, is_complete FROM clover_state.moved").first {
                throw moved(to: row[0].text ?? "", isComplete: row[1].isTrue)
            }
            for channel in channels { try runInSession("LISTEN \(channel)") }
            if needsClock, let connection {
                try runInSession("LISTEN \(FleetSchema.sessionChannel)\(connection.backendPID)")
                // Until the session ends: `has_session`.
                try runInSession("SELECT pg_advisory_lock(hashtext('clover session'), pg_backend_pid())")
            }
            clock = ServerClock()
            isClockSet = false
            for _ in 0..<(needsClock ? Self.probes : 0) { _ = try timed("SELECT clover_state.now_ns()") }
            openEnd = nil
            if deadline.isSilent { onSilence?(false) }
            (deadline.silenceEnd, deadline.isSilent) = (nil, false)
        } catch {
            close()
            throw error
        }
    }

    /// Connects, whatever is in the database.
    ///
    /// - Throws: `.unusable` if a pooler is in between: it may give two clients one session, and then both have its locks.
    func connect() throws(LedgerError) {
        let passwordSetting: String?
        do throws(TableError) {
            passwordSetting = try PostgreSQLConnection.passwordSetting(in: url)
        } catch {
            throw translated(error)
        }
        if let passwordSetting {
            throw .unusable(
                address: "the database", message: "its address has the setting \(passwordSetting)",
                fix: "put the password into ~/.pgpass (mode 0600) or a service file")
        }
        if let onSilence {
            deadline.onSilence = onSilence
            deadline.silenceEnd = BootInstant.now.advanced(by: Int64(silence * 1e9))
        }
        allow(3 * Self.timeout)
        let endWait = beginWait()
        defer { endWait() }
        let connected: PostgreSQLConnection
        do throws(TableError) {
            connected = try PostgreSQLConnection(url) { [deadline] in deadline.hasPassed }
        } catch {
            throw translated(error)
        }
        connection = connected
        generation += 1
        do throws(LedgerError) {
            // Before anything is set: a pooler gives its sessions to others later.
            let backend = try runInSession("SELECT pg_backend_pid()").first?.first?.integer
            guard backend == Int64(connected.backendPID) else {
                throw .unusable(
                    address: url, message: "a connection pooler is in front of the server",
                    fix: "locks need a session of their own: use the address of the server itself, not of pgbouncer")
            }
            let row = try runInSession(
                """
                SELECT pg_is_in_recovery(), current_setting('transaction_read_only')::bool,
                    set_config('application_name', $1, false),
                    set_config('default_transaction_isolation', 'read committed', false),
                    set_config('synchronous_commit', 'on', false), set_config('tcp_keepalives_idle', '5', false),
                    set_config('tcp_keepalives_interval', '2', false), set_config('tcp_keepalives_count', '3', false),
                    set_config('tcp_user_timeout', '10000', false),
                    set_config('idle_in_transaction_session_timeout', '5s', false)
                """, [.text(clientName)]
            ).first
            readOnlyReason = row?[0].isTrue == true ? .standby : row?[1].isTrue == true ? .setting : nil
            if readOnlyReason == nil { wasWritable = true }
        } catch {
            close()
            throw error
        }
    }

    /// The command that creates the database of an address.
    static func creation(of url: String) -> String {
        let text = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var settings: [String: String] = [:]
        for setting in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = setting.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { settings[pair[0]] = pair[1].replacing("%2F", with: "/") }
        }
        var host = place[0].split(separator: "@").last.map(String.init) ?? ""
        if place[0].hasSuffix("@") { host = "" }
        if let match = host.firstMatch(of: /:([0-9]+)$/) {
            settings["port"] = String(match.1)
            host = String(host[..<match.range.lowerBound])
        }
        if !host.isEmpty { settings["host"] = host }
        var words = ["createdb"]
        if let host = settings["host"] { words += ["-h", host] }
        if let port = settings["port"] { words += ["-p", port] }
        let name = place.count > 1 && !place[1].isEmpty ? place[1] : settings["dbname"]
        return (words + [name ?? "NAME"]).joined(separator: " ")
    }

    /// The version of the schema; 0 if there is none.
    func schemaVersion() throws(LedgerError) -> Int {
        let isThere = try runInSession("SELECT to_regclass('clover_state.schema_version') IS NOT NULL").first?.first
        guard isThere?.isTrue == true else { return 0 }
        let version = try runInSession("SELECT version FROM clover_state.schema_version").first?.first?.integer
        return Int(version ?? 0)
    }

    /// The error for a schema that this program cannot use.
    func unusable(version: Int) -> LedgerError {
        if version == 0 {
            return .unusable(
                address: url, message: "the database has no tables for it", fix: "create them: clover state init")
        }
        let numbers = "the tables have version \(version), and this program needs version \(FleetSchema.version)"
        return version < FleetSchema.version
            ? .unusable(address: url, message: numbers, fix: "upgrade them: clover state migrate")
            : .unusable(
                address: url, message: numbers, fix: "a newer clover upgraded them: use that version on all machines")
    }

    private func moved(to place: String, isComplete: Bool) -> LedgerError {
        isComplete
            ? moved("the sign-ins and charges were moved to \(place)", Self.sharing)
            : moved("a move of the sign-ins and charges to \(place) is not complete", Self.completion)
    }

    private func moved(_ message: String, _ fix: String) -> LedgerError {
        .unusable(address: url, message: message, fix: fix)
    }

    private static let completion =
        "complete it on that machine: clover state move --back; or use the database again, also there: clover state move"
    private static let sharing =
        "use them on that machine: clover config unset state; or share them again, also there: clover state move; "
        + "if a move there was interrupted, take it back: clover state move --back"

    /// What to do about a server that is away for this reason, apart from waiting; nil if nothing more is known.
    package static func fix(of message: String) -> String? {
        if message.hasPrefix(slowness) { return "put the database near the machines" }
        return [ReadOnlyReason.standby, .setting].first { $0.message == message }?.fix
    }

    @discardableResult
    func runInSession(_ sql: String, _ arguments: [SQLValue] = []) throws(LedgerError) -> [[SQLValue]] {
        guard let connection else { throw .away(address: url, message: "the connection was lost") }
        allow(Self.timeout)
        let endWait = beginWait()
        defer { endWait() }
        do {
            return try connection.run(sql, arguments)
        } catch {
            throw translated(error)
        }
    }

    /// Waits for a moment before the server is tried again.
    func pause() {
        let endWait = beginWait()
        defer { endWait() }
        usleep(250_000)
    }

    /// Counts from now on, until the result is called.
    private func beginWait() -> () -> Void {
        guard let waits, !isUncounted else { return {} }
        waits.begin(url)
        return { waits.end() }
    }

    /// Bounds the next wait for the server to this number of seconds.
    private func allow(_ seconds: Int64) {
        let end = BootInstant.now.advanced(by: seconds * 1_000_000_000)
        deadline.end = openEnd.map { min($0, end) } ?? end
    }

    /// The ledger's error for one of the database. A session that cannot be used any more is closed.
    private func translated(_ error: any Error) -> LedgerError {
        if case .away(_, PostgreSQLConnection.stopped)? = error as? TableError {
            close()
            return .away(
                address: url, message: openEnd == nil ? "no response for \(Self.timeout) s" : Self.outOfTime)
        }
        let found: TableError
        if let failure = error as? PostgreSQLFailure {
            found = failure.error(path: url)
        } else if let error = error as? TableError {
            close()
            found = error
        } else {
            close()
            return .away(address: url, message: "\(error)")
        }
        if connection?.isUsable != true { close() }
        switch found {
        case .away(_, let message): return .away(address: url, message: message)
        case .busy: return .away(address: url, message: "the server is busy")
        case .full: return .away(address: url, message: "the server's device is full")
        case .readOnly:
            return .away(address: url, message: readOnlyReason?.message ?? "the server takes no changes now")
        case .refused(_, let message, let needsPassword):
            return .unusable(
                address: url, message: message,
                fix: needsPassword
                    ? "put the password into ~/.pgpass (mode 0600) or a service file"
                    : "check the user and the password")
        case .missing:
            return .unusable(
                address: url, message: "there is no such database", fix: "create it: \(Self.creation(of: url))")
        case .notAllowed(_, let message):
            return .unusable(
                address: url, message: message, fix: "grant the user the schema clover_state; see 'docs/fleet.md'")
        case .notSecure(_, let message):
            return .unusable(
                address: url, message: message,
                fix: "beyond this machine the server's certificate is verified: add sslrootcert=FILE to the address")
        case .libraryMissing(let detail):
            return .unusable(address: url, message: detail, fix: "install libpq: apt install libpq5")
        case .badAddress(_, let message):
            return .unusable(address: url, message: message, fix: "write postgresql://USER@HOST/DATABASE")
        case .failed(_, FleetSchema.movedCode, let message):
            return moved(message, Self.sharing)
        // A standby has no unlogged tables, such as those of the requests (feature_not_supported).
        case .failed(_, "0A000", _) where readOnlyReason == .standby:
            return .away(address: url, message: ReadOnlyReason.standby.message)
        case .failed(_, let code, let message):
            return .unusable(address: url, message: "\(message) (\(code))", fix: "see the log of the server")
        default: return .unusable(address: url, message: "\(found)", fix: "see the log of the server")
        }
    }
}
