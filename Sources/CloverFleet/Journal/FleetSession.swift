import CloverPayments
import CloverRateLimit
import CloverSystem
import CloverTables
import Synchronization

/// The session in which the journal is read and changed, one transaction at a time.
final class FleetSession: Sendable {
    private let connection: Mutex<FleetConnection>
    private let onAway: @Sendable (JournalError) -> Void

    /// Seconds to try again to read, while the database is away.
    static let patience = 5.0

    /// - Parameter command: words that describe to others what this process does.
    init(
        _ url: String, command: String = "charge", openLimit: Double? = nil, waits: DatabaseWaits? = nil,
        onAway: @escaping @Sendable (JournalError) -> Void
    ) {
        connection = Mutex(
            FleetConnection(url, command: command, needsClock: false, openLimit: openLimit, waits: waits))
        self.onAway = onAway
    }

    func read<Value: Sendable>(_ body: @Sendable (FleetConnection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            try connection.again(for: Self.patience, onAway) {
                try Self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", connection) {
                    try connection.runInSession("SELECT set_config('search_path', 'clover_state', true)")
                    return try body(connection)
                }
            }
        }
    }

    /// Changes the journal, once: if the response to the commit is lost, it is read whether it took place.
    func write<Value: Sendable>(
        for patience: Double, _ body: @Sendable (FleetConnection) throws -> Value
    ) throws -> Value {
        try connection.withLock { connection in
            let writer = Int64.random(in: 1...Int64.max)
            // The value of an attempt that may have been committed.
            var value: Value?
            return try connection.again(for: patience, onAway, isInDoubt: { value != nil }) {
                try Self.transaction("BEGIN", connection) {
                    // A session that was lost in the middle of its change has the lock until the server has noticed that.
                    try connection.runInSession(
                        """
                        SELECT set_config('search_path', 'clover_state', true),
                            pg_advisory_xact_lock(hashtext('clover journal'), 0)
                        """)
                    if let done = value {
                        let rows = try connection.runInSession(
                            "SELECT 1 FROM journal_writes WHERE writer = $1", [.integer(writer)])
                        if !rows.isEmpty { return done }
                    }
                    value = nil
                    let made = try body(connection)
                    try connection.runInSession(
                        """
                        WITH old AS (DELETE FROM journal_writes WHERE at < clock_timestamp() - interval '1 day')
                        INSERT INTO journal_writes (writer) VALUES ($1)
                        """, [.integer(writer)])
                    value = made
                    return made
                }
            }
        }
    }

    static func transaction<Value>(
        _ begin: String, _ connection: FleetConnection, _ body: () throws -> Value
    ) throws -> Value {
        try connection.open()
        try connection.runInSession(begin)
        do {
            let value = try body()
            try connection.runInSession("COMMIT")
            return value
        } catch {
            if connection.isConnected {
                do throws(LedgerError) { try connection.runInSession("ROLLBACK") } catch { connection.close() }
            }
            throw error
        }
    }
}

extension FleetConnection {
    /// Tries again while the database is away, if it was there before, or if a change is in doubt. One that never took changes was
    /// not there.
    func again<Value>(
        for patience: Double, _ onAway: (JournalError) -> Void = { _ in }, isInDoubt: () -> Bool = { false },
        _ work: () throws -> Value
    ) throws -> Value {
        let end = BootInstant.now.advanced(by: Int64(patience * 1e9))
        var attempts = 0
        while true {
            let failure: JournalError
            do {
                return try work()
            } catch let error as LedgerError {
                failure = JournalError(error)
            } catch let error as JournalError {
                failure = error
            }
            let wasThere = wasWritable || generation > 0 && readOnlyReason == nil
            guard case .away = failure, wasThere || isInDoubt(), BootInstant.now < end else { throw failure }
            attempts += 1
            // A session that was cut is replaced at once.
            if attempts == 1 { continue }
            if attempts == 2 { onAway(failure) }
            pause()
        }
    }
}

extension JournalError {
    init(_ error: LedgerError) {
        switch error {
        case .away(let address, let message): self = .away(address: address, message: message)
        case .unusable(let address, let message, let fix):
            self = .unusable(address: address, message: message, fix: fix)
        case .storage, .system: self = .away(address: "the database", message: "\(error)")
        }
    }
}
