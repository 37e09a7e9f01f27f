import CloverAuth
import CloverRateLimit
import CloverTables
import Glibc
import Synchronization

/// One subscription to changes of credentials in the database. Its methods run on one thread, except `stop`.
final class FleetWatch: Sendable {
    private let memory: Mutex<Memory>
    private let isStopped = Atomic(false)
    private let onAway: @Sendable (CredentialError) -> Void

    private struct Memory {
        var changes: TokenChanges
        var table: CredentialTable?
        /// Counts the sessions: after a lost one everything is read again.
        var generation = 0
    }

    /// Milliseconds between looks at `isStopped`.
    private static let slice: Int32 = 200

    init(of keys: Set<CredentialKey>?, clock: TokenClock, onAway: @escaping @Sendable (CredentialError) -> Void) {
        memory = Mutex(Memory(changes: TokenChanges(of: keys, clock: clock)))
        self.onAway = onAway
    }

    /// Subscribes first and then reads, so that no change in between is missed.
    func begin(_ url: String, _ keys: StateKeyFile) throws(CredentialError) {
        try memory.withLock { (memory) throws(CredentialError) in
            let table = CredentialTable(url, keys, channels: ["tokens"])
            try Self.read(table, into: &memory)
            memory.changes.forgetEvents()
            memory.table = table
        }
    }

    /// The next event; nil after `stop`. Blocks.
    func next() throws(CredentialError) -> TokenEvent? {
        var failures = 0
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            do throws(CredentialError) {
                let event = try memory.withLock { (memory) throws(CredentialError) in try Self.next(&memory) }
                if let event { return event }
                failures = 0
            } catch {
                guard error.isAway else { throw error }
                failures += 1
                if failures == 2 { onAway(error) }
                usleep(useconds_t(1000 * Self.slice))
            }
        }
        memory.withLock { $0.table?.connection.close() }
        return nil
    }

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
    }

    /// The next event within a moment.
    private static func next(_ memory: inout Memory) throws(CredentialError) -> TokenEvent? {
        if let event = memory.changes.next() { return event }
        guard let table = memory.table else { return nil }
        let connection = table.connection
        try CredentialError.ofDatabase { () throws(LedgerError) in try connection.open() }
        if memory.generation == connection.generation {
            var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, slice)
            let news = try CredentialError.ofDatabase { () throws(LedgerError) in try connection.takeNotifications() }
            if news.isEmpty { return nil }
        }
        try read(table, into: &memory)
        return memory.changes.next()
    }

    private static func read(_ table: CredentialTable, into memory: inout Memory) throws(CredentialError) {
        try CredentialError.ofDatabase { () throws(LedgerError) in try table.connection.open() }
        let rows = try table.rows()
        let names = try table.profiles()
        let found = Set(rows.map(\.key))
        for key in memory.changes.keys.subtracting(found) { memory.changes.note(key, .success(nil)) }
        for (key, row) in rows where memory.changes.concerns(key) {
            let state: Result<TokenState?, CredentialError>
            do throws(CredentialError) {
                state = .success(TokenState(try table.open(row.sealed, of: key), try table.journal(row, of: key)))
            } catch {
                state = .failure(error)
            }
            memory.changes.note(key, state)
        }
        memory.changes.noteNames(names)
        memory.generation = table.connection.generation
    }
}
