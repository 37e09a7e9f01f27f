import CloverDatabase
package import CloverSystem
import GRDB
import Glibc

/// The state of a feed: how far each list was read, which version of each record is known, and the changes that are not
/// delivered yet.
///
/// A change is on disk with its number before it is delivered, and is removed after. So a kill in between delivers it
/// again, with the same number and the same bytes, and no kill loses one. Each call is one transaction, which is on disk
/// when the call returns. One process at a time uses a state; the kernel's lock ends with it.
package final class FeedStore: Sendable {
    /// How the state was found.
    package enum Origin: Sendable, Equatable {
        case new
        case known
        /// It had been used before, and its file is missing.
        case missing
        /// It was damaged, and was renamed to this path.
        case damaged(setAside: String)
        /// It was an older copy of the state, and was renamed to this path: what was delivered since is not known.
        case restored(setAside: String)
    }

    private let database: StateDatabase
    /// Held for as long as the store exists.
    private let lock: FileLock
    /// Where ``number(_:)`` is noted, by which an older copy of the state is recognized.
    private let lockPath: String
    package let origin: Origin

    package var path: String { database.path }

    /// Opens the state of a merchant's feed, creating it if needed.
    ///
    /// - Parameters:
    ///   - name: file name in the directory.
    ///   - now: milliseconds since 1970. After a loss the numbers go on from here, or above all earlier ones.
    /// - Throws: `FeedError.busy` if another process uses it, `.otherMerchant`; `StorageError`, `StateDatabaseError`.
    package static func open(
        _ name: String, in directory: StateDirectory, environment: String, merchant: String, now: Int64
    ) async throws -> FeedStore {
        try await DedicatedThread.run {
            try FeedStore(name, in: directory, environment: environment, merchant: merchant, now: now)
        }
    }

    private init(
        _ name: String, in directory: StateDirectory, environment: String, merchant: String, now: Int64
    ) throws {
        let opened = try directory.prepare()
        let path = opened.path(of: name)
        let lockName = name + ".lock"
        guard let lock = try FileLock.tryAcquire(lockName, in: opened) else {
            throw FeedError.busy(path: path, holder: LockHolder.ofLock(lockName, in: opened))
        }
        lockPath = opened.path(of: lockName)
        let noted = try FileLock.number(at: lockPath)
        var (found, loss): (StateDatabase?, Origin?) = (nil, nil)
        do {
            found = try Self.database(name, in: directory)
            let isOlder = try found?.read { database in
                let isOwn = try String.fetchOne(database, sql: "SELECT merchant FROM feed") == merchant
                return try isOwn && Self.number(database) ?? noted < noted
            }
            if isOlder == true {
                found = nil
                loss = .restored(setAside: try Self.setAside(path, "restored", now: now))
            }
        } catch StateDatabaseError.damaged {
            loss = .damaged(setAside: try Self.setAside(path, "damaged", now: now))
        }
        database = try found ?? Self.database(name, in: directory)
        let isLost = lock.wasMarked || loss != nil
        let row = try database.write { database in
            if let row = try Row.fetchOne(database, sql: "SELECT environment, merchant FROM feed") {
                return row as Row?
            }
            try database.execute(
                sql: "INSERT INTO feed (environment, merchant, next_sequence, is_lost) VALUES (?, ?, ?, ?)",
                arguments: [environment, merchant, isLost ? max(now, noted) : 1, isLost])
            return nil
        }
        if let row {
            let found: (environment: String, merchant: String) = (row[0], row[1])
            guard found == (environment, merchant) else {
                throw FeedError.otherMerchant(
                    path: path, found: "\(found.merchant) (\(found.environment))",
                    wanted: "\(merchant) (\(environment))")
            }
            origin = .known
        } else {
            origin = loss ?? (isLost ? .missing : .new)
        }
        // After the first row, so that a mark without one means a loss; and before anything is delivered that a run published
        // that was killed before it noted the number.
        if let number = try database.read({ try Self.number($0) }) { try FileLock.note(number, at: lockPath) }
        self.lock = lock
        try database.write { database in
            try database.execute(sql: FeedSchema.temporary)
            // Former versions kept the changes of a reading here.
            try database.execute(sql: "DELETE FROM pending WHERE sequence IS NULL")
        }
    }

    private static func database(_ name: String, in directory: StateDirectory) throws -> StateDatabase {
        let database = try StateDatabase(
            name, in: directory, applicationID: FeedSchema.applicationID, migrations: FeedSchema.migrations)
        let isSound = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") == "ok" }
        guard isSound else { throw StateDatabaseError.damaged(path: database.path) }
        return database
    }

    /// A number that only grows while the state is used; nil if it was never used. It grows with each change that is
    /// published, because an older copy would give its number to another one, and with each list that has begun, because
    /// an older copy would begin it again, later.
    private static func number(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database, sql: "SELECT next_sequence + (SELECT count(*) FROM streams WHERE has_begun) FROM feed")
    }

    /// Renames a file that cannot be used, with its journal, which belongs to it.
    private static func setAside(_ path: String, _ reason: String, now: Int64) throws(StorageError) -> String {
        let place = "\(path).\(reason)-\(now)"
        for end in ["-journal", ""] where rename(path + end, place + end) != 0 && (errno != ENOENT || end.isEmpty) {
            throw .system(.rename, path: path + end, errno: errno)
        }
        return place
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { [database] in try database.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { [database] in try database.write(body) }
    }

    /// Notes how far the state is, so that an older copy in its place is recognized. Called after each transaction that
    /// publishes, and before anything of it is delivered.
    func noteNumber() async throws {
        try await DedicatedThread.run { [database, lockPath] in
            guard let number = try database.read({ try Self.number($0) }) else { return }
            try FileLock.note(number, at: lockPath)
        }
    }
}

// MARK: Lists

extension FeedStore {
    /// What is known of a list; a new list is added.
    ///
    /// - Parameter floor: for a new list, the time from which changes are delivered; nil for the time of its beginning.
    package func stream(_ resource: String, _ rules: FeedRules, floor: Int64?) async throws -> FeedStream {
        try await write { database in
            if let row = try Row.fetchOne(
                database, sql: "SELECT * FROM streams WHERE resource = ?", arguments: [resource])
            {
                return FeedStream(resource, rules, state: FeedStream.State(row))
            }
            let isLost = try Bool.fetchOne(database, sql: "SELECT is_lost FROM feed") ?? false
            var state = FeedStream.State()
            state.isLost = isLost
            state.floor = floor ?? (isLost ? 0 : nil)
            try database.execute(
                sql: "INSERT INTO streams (resource, floor, is_lost) VALUES (?, ?, ?)",
                arguments: [resource, state.floor, isLost])
            return FeedStream(resource, rules, state: state)
        }
    }

    /// How far the reports of others were taken; nil if none was ever taken.
    package func reportedThrough() async throws -> FeedReport.Position? {
        try await read { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT reported_through, reported_by FROM feed"),
                let number: Int64 = row["reported_through"]
            else { return nil }
            return FeedReport.Position(number: number, source: row["reported_by"])
        }
    }

    /// Notes that reports of deletions will be lost to lists that are not followed now. A later run that follows one of
    /// them reads it completely.
    ///
    /// - Parameters:
    ///   - resources: their paths; nil for all lists but those that are followed.
    ///   - followed: the lists that are followed.
    func noteMissedReports(of resources: Set<String>?, besides followed: [String]) async throws {
        try await write { database in
            let known = try String.fetchAll(database, sql: "SELECT resource FROM streams WHERE has_begun")
            for name in known where !followed.contains(name) && resources?.contains(name) ?? true {
                try database.run("UPDATE streams SET misses_reports = TRUE WHERE resource = ?", [name])
            }
        }
    }

    static func place(of resource: String, _ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT place FROM streams WHERE resource = ?", arguments: [resource]) ?? 0
    }
}

extension FeedStream.State {
    fileprivate init(_ row: Row) {
        self.init()
        (floor, position, deepPosition) = (row["floor"], row["position"], row["deep_position"])
        (hasBegun, isLost, missesReports) = (row["has_begun"], row["is_lost"], row["misses_reports"])
        (readAt, deepReadAt, completeAt) = (row["read_at"], row["deep_read_at"], row["complete_at"])
    }
}

/// Why a feed cannot go on.
package enum FeedError: Error, Sendable, Equatable {
    /// Another process uses the state.
    case busy(path: String, holder: LockHolder?)
    /// The state belongs to another merchant; both as an id and an environment.
    case otherMerchant(path: String, found: String, wanted: String)
}
