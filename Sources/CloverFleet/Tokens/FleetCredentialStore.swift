package import CloverAuth
import CloverHTTP
import CloverRateLimit
package import CloverSystem
import CloverTables
import Glibc
import Synchronization

/// Credentials in a PostgreSQL database, which several machines share: encrypted rows of `clover_state.credentials` and the names
/// of `clover_state.profiles`. Which credential is the default stays in a file of each machine.
///
/// Each call has a separate session, which ends with it. Nothing is ever read from files, or written to them, instead, except
/// `UnstoredTokens`.
package struct FleetCredentialStore: CredentialStore {
    private let url: String
    private let keys: StateKeyFile
    private let choices: any CredentialStore
    private let state: StateDirectory
    private let patience: Double
    private let openLimit: Double?
    private let tokenPatience: Double
    private let grace: Double
    private let waits: DatabaseWaits?
    private let onAway: @Sendable (CredentialError?) -> Void
    private let onLongWait: @Sendable (CredentialKey) -> Void

    /// Timeout in seconds of `save` and `remove` for another lease.
    private static let leasePatience: Double = 120
    /// Seconds for which a credential is left to a client that recorded a refresh and lost its session, as by a restart of the
    /// server: it may still be waiting for the service's response.
    package static let usualGrace: Double = 10
    /// Nanoseconds that an attempt to reach the database takes at least if the server does not respond.
    private static let shortAttempt: Int64 = 1_000_000_000

    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - url: address without a password.
    ///   - keys: the keys of this machine.
    ///   - choices: keeps the default credential of this machine.
    ///   - state: keeps new tokens that the database cannot store yet.
    ///   - patience: seconds to wait for a database that is away.
    ///   - openLimit: seconds to wait for a server that does not respond, without patience; nil for the usual ones.
    ///   - tokenPatience: seconds to try to store new tokens, which only this machine has, longer than another change.
    ///   - grace: seconds; see `usualGrace`.
    ///   - waits: counts the time that calls wait for the database.
    ///   - onAway: called once for each reason of a wait for the database, and with nil after the wait, on any thread.
    ///   - onLongWait: called once for each wait for another process that takes some seconds, on any thread.
    package init(
        _ url: String, keys: StateKeyFile, choices: any CredentialStore, state: StateDirectory, patience: Double = 0,
        openLimit: Double? = nil, tokenPatience: Double = 60, grace: Double = usualGrace,
        waits: DatabaseWaits? = nil,
        onAway: @escaping @Sendable (CredentialError?) -> Void = { _ in },
        onLongWait: @escaping @Sendable (CredentialKey) -> Void = { _ in }
    ) {
        self.url = url
        self.keys = keys
        self.choices = choices
        self.state = state
        self.patience = patience
        self.openLimit = openLimit
        self.tokenPatience = tokenPatience
        self.grace = grace
        self.waits = waits
        self.onAway = onAway
        self.onLongWait = onLongWait
    }

    /// The names of the credentials in the same database.
    package var names: any ProfileNames { FleetProfiles(store: self) }

    package func prepare() async throws(CredentialError) {
        try await reading { (table) throws(CredentialError) in
            _ = try table.currentKey()
            if let reason = table.connection.readOnlyReason {
                throw .databaseUnusable(address: url, message: reason.message, fix: reason.fix)
            }
            let canWrite = try table.run(
                """
                SELECT has_table_privilege('clover_state.credentials', 'INSERT')
                    AND has_table_privilege('clover_state.credentials', 'UPDATE')
                """
            ).first?.first?.isTrue
            guard canWrite == true else {
                throw .databaseUnusable(
                    address: url, message: "this user may not write to it",
                    fix: "grant the user the tables; see 'docs/fleet.md'")
            }
        }
    }

    package func load(_ key: CredentialKey) async throws(CredentialError) -> Credential? {
        try await reading { (table) throws(CredentialError) in
            try table.row(of: key).map { (row) throws(CredentialError) in try table.open(row.sealed, of: key) }
        }
    }

    /// Always nil: no credential in a database is in a keyring.
    package func outline(_ key: CredentialKey) async throws(CredentialError) -> CredentialOutline? { nil }

    @discardableResult
    package func save(_ credential: Credential) async throws(CredentialError) -> CredentialError? {
        try CredentialDocument.check(credential)
        let lease = try await lease(credential.key, patience: Self.leasePatience, onWait: {})
        defer { lease.release() }
        return try await lease.save(credential)
    }

    package func remove(_ key: CredentialKey) async throws(CredentialError) -> Bool {
        let lease = try await lease(key, patience: Self.leasePatience, onWait: {})
        defer { lease.release() }
        let existed = try await lease.remove()
        try await forgetChoice(of: key)
        return existed
    }

    package func journal(_ key: CredentialKey) async throws(CredentialError) -> RefreshJournal? {
        try await reading { (table) throws(CredentialError) in
            try table.row(of: key).flatMap { (row) throws(CredentialError) in try table.journal(row, of: key) }
        }
    }

    package func keys() async throws(CredentialError) -> [CredentialKey] {
        try await reading { (table) throws(CredentialError) in try table.rows().map(\.key) }
    }

    package func currentChoice() async throws(CredentialError) -> SignedIn? { try await choices.currentChoice() }

    package func setCurrentChoice(_ choice: SignedIn?) async throws(CredentialError) {
        try await choices.setCurrentChoice(choice)
    }

    /// See the protocol. Waiters are served in order of arrival, except that one that waits for more than two seconds goes to the
    /// end.
    package func lease(
        _ key: CredentialKey, patience: Double, onWait: @escaping @Sendable () -> Void
    ) async throws(CredentialError) -> any CredentialLease {
        let wait = LeaseWait(
            key: key, unstored: UnstoredTokens(of: key, in: state), patience: patience, tokenPatience: tokenPatience,
            grace: grace, waits: waits, onWait: onWait, onLongWait: onLongWait)
        return try await waiting { (limit, onSilence) throws(CredentialError) in
            try await wait.run(url, keys, openLimit: limit, onSilence: onSilence)
        }
    }

    package func events(
        of keys: Set<CredentialKey>?, clock: TokenClock
    ) async throws(CredentialError) -> AsyncThrowingStream<TokenEvent, any Error> {
        let (url, keyFile, onAway) = (url, self.keys, onAway)
        let thread = SerialThread(name: "clover-watch")
        let watch = FleetWatch(of: keys, clock: clock, onAway: onAway)
        try await waiting { (_, _) throws(CredentialError) in
            let begun = await thread.run {
                Result { () throws(CredentialError) in
                    try watch.begin(url, keyFile)
                }
            }
            guard let begun else { throw .databaseAway(address: url, message: "no thread") }
            try begun.get()
        }
        return AsyncThrowingStream {
            let end = await withTaskCancellationHandler {
                await thread.run { Result { () throws(CredentialError) in try watch.next() } }
            } onCancel: {
                watch.stop()
            }
            guard let end else { throw CredentialError.databaseAway(address: url, message: "no thread") }
            return try end.get()
        }
    }

    // MARK: Sessions

    /// Reads or writes in a separate session and thread.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (CredentialTable) throws(CredentialError) -> Value
    ) async throws(CredentialError) -> Value {
        try await waiting { (limit, onSilence) throws(CredentialError) in
            try await DedicatedThread.run { () throws(CredentialError) in
                let table = CredentialTable(
                    url, keys, openLimit: limit, waits: waits, onSilence: onSilence)
                defer { table.connection.close() }
                return try body(table)
            }
        }
    }

    /// Tries again while the database is away, for as long as the store may.
    ///
    /// - Parameter work: gets the seconds that its session may take to begin, and what to call if the server does not respond.
    /// - Throws: `.databaseAway` with the last reason that an attempt had the time to find.
    private func waiting<Value>(
        _ work: (_ openLimit: Double?, _ onSilence: (@Sendable (Bool) -> Void)?) async throws(CredentialError) -> Value
    ) async throws(CredentialError) -> Value {
        let end = BootInstant.now.advanced(by: Int64(min(patience, 1e6) * 1e9))
        let reports = AwayReports(onAway)
        let silence = CredentialError.databaseAway(address: url, message: FleetConnection.noResponse)
        let onSilence: (@Sendable (Bool) -> Void)? =
            patience > 0 ? { @Sendable isSilent in if isSilent { reports.begin(silence) } else { reports.end() } } : nil
        var failures = 0
        var reason: CredentialError?
        while true {
            let begin = BootInstant.now
            do throws(CredentialError) {
                let rest = Double(end.nanoseconds(since: begin)) / 1e9
                let value = try await work(patience > 0 && patience.isFinite ? max(rest, 0) : openLimit, onSilence)
                reports.end()
                return value
            } catch {
                guard error.isAway else { throw error }
                // The end of the wait can cut an attempt short.
                let hadTime = BootInstant.now.nanoseconds(since: begin) > Self.shortAttempt || !error.isOutOfTime
                if hadTime || reason == nil { reason = error }
                guard BootInstant.now < end else { throw reason ?? error }
                failures += 1
                // A lost connection alone is no news.
                if failures > 1 { reports.add(reason ?? error) }
            }
            waits?.begin(url)
            defer { waits?.end() }
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                throw .cancelled
            }
        }
    }
}

/// Reports why a call waits for the database, when the reason changes.
private final class AwayReports: Sendable {
    private let last = Mutex<CredentialError?>(nil)
    private let onAway: @Sendable (CredentialError?) -> Void

    init(_ onAway: @escaping @Sendable (CredentialError?) -> Void) { self.onAway = onAway }

    /// Reports the first reason.
    func begin(_ reason: CredentialError) {
        if last.withLock({ $0 == nil }) { add(reason) }
    }

    func add(_ reason: CredentialError) {
        let isNews = last.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNews { onAway(reason) }
    }

    /// Says that the database responds, if anything was reported.
    func end() {
        let wasAway = last.withLock { last in
            defer { last = nil }
            return last != nil
        }
        if wasAway { onAway(nil) }
    }
}

/// A wait for the lock of a credential, on a separate thread.
private struct LeaseWait: Sendable {
    let key: CredentialKey
    let unstored: UnstoredTokens
    let patience: Double
    let tokenPatience: Double
    let grace: Double
    let waits: DatabaseWaits?
    let onWait: @Sendable () -> Void
    let onLongWait: @Sendable (CredentialKey) -> Void

    /// Seconds of waiting after which `onLongWait` is called.
    private static let longWait: Int64 = 5

    /// Whether the lease is no longer wanted.
    private final class Abandonment: Sendable {
        let isSet = Atomic(false)
    }

    func run(
        _ url: String, _ keys: StateKeyFile, openLimit: Double?, onSilence: (@Sendable (Bool) -> Void)?
    ) async throws(CredentialError) -> FleetCredentialLease {
        let (results, waiter) = AsyncStream.makeStream(of: Result<FleetCredentialLease, CredentialError>.self)
        let abandonment = Abandonment()
        defer { abandonment.isSet.store(true, ordering: .sequentiallyConsistent) }
        let work: @Sendable () -> Void = {
            let result = Result { () throws(CredentialError) in
                try take(url, keys, openLimit, onSilence) {
                    abandonment.isSet.load(ordering: .sequentiallyConsistent)
                }
            }
            waiter.yield(result)
            waiter.finish()
        }
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-lease", work)
        } catch {
            // Blocking this thread is better than failing.
            work()
        }
        for await result in results { return try result.get() }
        // Only the cancellation of this task ends the results before the first one. A lease that comes later is dropped.
        throw .cancelled
    }

    private func take(
        _ url: String, _ keys: StateKeyFile, _ openLimit: Double?, _ onSilence: (@Sendable (Bool) -> Void)?,
        _ isAbandoned: () -> Bool
    ) throws(CredentialError) -> FleetCredentialLease {
        let begin = BootInstant.now
        let end = begin.advanced(by: Int64(patience * 1e9))
        var (hasWaited, hasWaitedLong) = (false, false)
        var most = 0
        let table = CredentialTable(url, keys, openLimit: openLimit, waits: waits, onSilence: onSilence)
        let session = CredentialSession(key, table, unstored, tokenPatience: tokenPatience)
        while !isAbandoned() {
            if try session.lock(most: most) {
                try session.refuseReadOnly()
                let rest = try session.begin(grace: Int64(grace * 1000))
                if rest == 0 { return FleetCredentialLease(key, session) }
                // Ends the session, so that the other client can have the lock again.
                session.close()
                usleep(useconds_t(1000 * min(rest, 100)))
                most = 0
            } else {
                most = CredentialSession.lockSlice
            }
            if !hasWaited { onWait() }
            hasWaited = true
            let waited = BootInstant.now.nanoseconds(since: begin)
            if waited > Self.longWait * 1_000_000_000, !hasWaitedLong {
                onLongWait(key)
                hasWaitedLong = true
            }
            let left = end.nanoseconds(since: .now) / 1_000_000
            guard left > 0 else { throw .lockBusy(path: "the sign-in of \(key.words) in \(url)") }
            most = min(most, Int(left))
        }
        throw .cancelled
    }
}
