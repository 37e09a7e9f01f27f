import CloverDatabase
package import CloverSystem
import GRDB

/// The export state in the state directory: destinations, how far each resource is exported to them, and unfinished runs.
///
/// It is separate from the exported files, because its locks need a local disk while the files may go to a network share. A
/// destination is identified by the id in its directory, not by its path. Each change is one transaction and is on disk
/// when the call returns. Cancellation does not interrupt a call.
package struct ExportStore: Sendable {
    let database: StateDatabase

    private static let name = "exports.sqlite"

    /// Opens the state, creating it if needed.
    package static func open(in directory: StateDirectory) async throws -> ExportStore {
        try await DedicatedThread.run {
            ExportStore(
                database: try StateDatabase(
                    name, in: directory, applicationID: ExportSchema.applicationID,
                    migrations: ExportSchema.migrations))
        }
    }

    /// Opens the state; nil when nothing was ever exported.
    package static func existing(in directory: StateDirectory) async throws -> ExportStore? {
        try await DedicatedThread.run {
            try StateDatabase.existing(
                name, in: directory, applicationID: ExportSchema.applicationID,
                migrations: ExportSchema.migrations
            ).map { ExportStore(database: $0) }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await DedicatedThread.run { try database.write(body) }
    }

    /// Runs one statement in a transaction.
    func execute(_ sql: String, _ arguments: StatementArguments) async throws {
        try await write { try $0.run(sql, arguments) }
    }

    /// The first value that a query returns; nil for none.
    func value<Value: DatabaseValueConvertible & Sendable>(
        _ sql: String, _ arguments: StatementArguments
    ) async throws -> Value? {
        try await read { try $0.value(sql, arguments) }
    }

    /// Updates a known destination's path.
    package func meet(_ destination: String, at path: String) async throws {
        try await write { database in
            try database.run("UPDATE destinations SET path = ? WHERE id = ?", [path, destination])
            try Self.forgetOthers(at: path, than: destination, database)
        }
    }

    /// Clears the path of any other destination there. It was removed, or its new path will be recorded when it is used.
    private static func forgetOthers(at path: String, than destination: String, _ database: Database) throws {
        try database.run("UPDATE destinations SET path = '' WHERE path = ? AND id <> ?", [path, destination])
    }

    /// Clears the paths of missing destinations. One that comes back is recognized by its id.
    package func forget(_ destinations: Set<String>) async throws {
        try await write { database in
            for destination in destinations {
                try database.run("UPDATE destinations SET path = '' WHERE id = ?", [destination])
            }
        }
    }

    /// Stops showing the exports to a destination until they run again. Its files and how far they got stay known.
    ///
    /// - Returns: the number of exports.
    package func hide(_ destination: String) async throws -> Int {
        try await write { database in
            try database.run(
                """
                UPDATE streams SET asked_at = NULL, is_expected = 0, interval = NULL
                WHERE destination = ? AND asked_at NOT NULL
                """, [destination])
            return database.changesCount
        }
    }

    /// Adds a destination that is a copy of another. Its files are recorded, so that their names can be reused, but not how
    /// far the export got.
    ///
    /// - Parameter compare: returns whether the copy has a file as the original should have it; nil when it has none. A
    ///   file that differs, because the original is newer, is not expected in the copy.
    package func copy(
        _ original: String, as destination: String, at path: String, manifestSize: Int64,
        compare: @escaping @Sendable (ExpectedFile) throws -> Bool?
    ) async throws {
        try await write { database in
            try database.run(
                "INSERT INTO destinations (id, path, manifest_size) VALUES (?, ?, ?)",
                [destination, path, manifestSize])
            try Self.forgetOthers(at: path, than: destination, database)
            try database.run(
                """
                INSERT INTO streams (destination, environment, merchant, resource, keeps_current)
                SELECT ?, environment, merchant, resource, keeps_current FROM streams
                WHERE destination = ? ORDER BY place
                """, [destination, original])
            try database.run(
                """
                INSERT INTO default_columns (stream, resource, form, columns)
                SELECT own.place, default_columns.resource, default_columns.form, columns
                FROM default_columns JOIN streams ON default_columns.stream = streams.place
                    JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                        AND own.merchant = streams.merchant AND own.resource = streams.resource
                WHERE streams.destination = ?
                """, [destination, original])
            try database.run(
                """
                INSERT INTO publishing (destination, path, size, file, stream, plan, drops_known)
                SELECT ?, path, size, file, own.place, 0, drops_known
                FROM publishing LEFT JOIN streams ON publishing.stream = streams.place
                    LEFT JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                        AND own.merchant = streams.merchant AND own.resource = streams.resource
                WHERE publishing.destination = ?
                """, [destination, destination, original])
            try database.run(
                """
                INSERT INTO empty_windows (stream, resource, start, finish, is_listed)
                SELECT own.place, empty_windows.resource, start, finish, is_listed
                FROM empty_windows JOIN streams ON empty_windows.stream = streams.place
                    JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                        AND own.merchant = streams.merchant AND own.resource = streams.resource
                WHERE streams.destination = ?
                """, [destination, original])
            for file in try Self.expectedFiles(where: "destination = ?", [original], database) {
                guard let isSame = try compare(file) else { continue }
                try database.run(
                    """
                    INSERT INTO files
                        (destination, stream, path, base, number, resource, field, start, finish, sha256, line,
                        is_listed, form, choice, is_first, is_tagged, is_regular, broken_plan, drops_known,
                        is_forgotten, words, role)
                    SELECT ?, own.place, path, base, number, files.resource, field, start, finish, sha256, line, 1,
                        files.form, choice, is_first, is_tagged, 0, broken_plan * 0, files.drops_known, ?, words,
                        role
                    FROM files JOIN streams ON files.stream = streams.place
                        JOIN streams AS own ON own.destination = ? AND own.environment = streams.environment
                            AND own.merchant = streams.merchant AND own.resource = streams.resource
                    WHERE files.destination = ? AND path = ? ORDER BY files.place
                    """, [destination, !isSame, destination, original, file.path])
            }
        }
    }

    /// Adds a destination.
    ///
    /// - Parameter manifestSize: size of an existing manifest in bytes; new lines follow it.
    package func add(_ destination: String, at path: String, manifestSize: Int64 = 0) async throws {
        try await write { database in
            try database.run(
                "INSERT OR IGNORE INTO destinations (id, path, manifest_size) VALUES (?, ?, ?)",
                [destination, path, manifestSize])
            try Self.forgetOthers(at: path, than: destination, database)
        }
    }

    /// Paths of all destinations by id; empty for one that was replaced or forgotten.
    package func destinations() async throws -> [String: String] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, path FROM destinations")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as String, $0["path"] as String) })
        }
    }
}

extension ExportStore {
    /// Whether a run shows that there will be others.
    package enum Recurrence: Sendable {
        /// A fixed time, which is exported once.
        case once
        /// If it was requested before.
        case ifRepeated
        /// What changed since the last run.
        case always
    }

    /// Records the requested resources at the start of a run, so that those that it does not reach are known.
    package func ask(
        _ resources: [String], _ recurrence: Recurrence = .always, destination: String, environment: String,
        merchant: String, profile: String?, now: Int64
    ) async throws {
        try await write { database in
            for resource in resources {
                try database.run(
                    """
                    INSERT INTO streams (destination, environment, merchant, resource, profile, asked_at, is_expected)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (destination, environment, merchant, resource)
                    DO UPDATE SET asked_at = excluded.asked_at, profile = excluded.profile,
                        is_expected = is_expected OR excluded.is_expected OR ? AND asked_at NOT NULL
                    """,
                    [
                        destination, environment, merchant, resource, profile, now, recurrence == .always,
                        recurrence == .ifRepeated,
                    ])
            }
        }
    }

    /// Records an attempt to export a resource, and returns its stream, which is created if needed.
    package func begin(
        destination: String, environment: String, merchant: String, resource: String, profile: String?, now: Int64
    ) async throws -> ExportStream {
        try await write { database in
            try database.run(
                """
                INSERT INTO streams (destination, environment, merchant, resource) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, [destination, environment, merchant, resource])
            try database.run(
                """
                UPDATE streams SET attempted_at = ?, profile = ?
                WHERE destination = ? AND environment = ? AND merchant = ? AND resource = ?
                """, [now, profile, destination, environment, merchant, resource])
            return try Self.stream(
                database,
                where: "destination = ? AND environment = ? AND merchant = ? AND resource = ?",
                [destination, environment, merchant, resource])
        }
    }

    /// Stores the creation time of a list's oldest record, so that it is looked up once.
    package func keep(beginning: Int64, of stream: Int64) async throws {
        try await execute("UPDATE streams SET beginning = ? WHERE place = ?", [beginning, stream])
    }

    /// Stores the form of incremental runs.
    package func keep(_ form: ExportForm, of stream: Int64) async throws {
        try await write { try Self.keep(form, of: stream, $0) }
    }

    static func keep(_ form: ExportForm, of stream: Int64, _ database: Database) throws {
        try database.run(
            "UPDATE streams SET form = ?, form_words = ? WHERE place = ?", [form.choice, form.words, stream])
    }

    /// Whether there is an unfinished incremental run that exported at least one window.
    package func hasBegun(_ stream: Int64) async throws -> Bool {
        try await value(
            """
            SELECT EXISTS (
                SELECT 1 FROM windows JOIN plans ON windows.plan = plans.place
                WHERE plans.stream = ? AND plans.drops_known AND windows.is_done)
            """, [stream]) ?? false
    }

    /// The stream as it is now.
    package func stream(_ place: Int64) async throws -> ExportStream {
        try await read { try Self.stream($0, where: "place = ?", [place]) }
    }

    /// All streams, by destination, merchant and resource.
    package func streams() async throws -> [ExportStream] {
        try await read { database in
            try database.rows("SELECT * FROM streams ORDER BY destination, merchant, environment, resource", [])
                .map(Self.stream)
        }
    }

    /// Records that a run failed or ended before it reached the resource. Does nothing for an unknown stream.
    package func fail(
        _ text: String, destination: String, environment: String, merchant: String, resource: String
    ) async throws {
        try await execute(
            """
            UPDATE streams SET failures = failures + 1, failure = ?
            WHERE destination = ? AND environment = ? AND merchant = ? AND resource = ?
            """, [text, destination, environment, merchant, resource])
    }

    static func stream(
        _ database: Database, where condition: String, _ arguments: StatementArguments
    ) throws -> ExportStream {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM streams WHERE \(condition)", arguments: arguments)
        guard let row else { throw StateDatabaseError.damaged(path: "exports.sqlite") }
        return stream(row)
    }

    private static func stream(_ row: Row) -> ExportStream {
        ExportStream(
            place: row["place"], destination: row["destination"], environment: row["environment"],
            merchant: row["merchant"], resource: row["resource"], profile: row["profile"], bookmark: row["bookmark"],
            overlap: row["overlap"], beginning: row["beginning"],
            form: (row["form"] as String?).map { ExportForm(choice: $0, words: row["form_words"] ?? "") },
            newest: row["newest"], content: row["content"], askedAt: row["asked_at"], attemptedAt: row["attempted_at"],
            isExpected: row["is_expected"], succeededAt: row["succeeded_at"], interval: row["interval"],
            coveredTo: row["covered_to"],
            lastRecords: row["last_records"], records: row["records"], files: row["files"], failures: row["failures"],
            failure: row["failure"], keepsCurrent: row["keeps_current"])
    }
}

extension Database {
    func value<Value: DatabaseValueConvertible>(_ sql: String, _ arguments: StatementArguments) throws -> Value? {
        try Value.fetchOne(self, sql: sql, arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(self, sql: sql, arguments: arguments)
    }

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try execute(sql: sql, arguments: arguments)
    }
}

/// State of the exports of one resource of one merchant to one destination. Times are milliseconds since 1970.
package struct ExportStream: Sendable, Equatable {
    /// Row id.
    package var place: Int64
    package var destination: String
    package var environment: String
    package var merchant: String
    package var resource: String
    package var profile: String?
    /// Start of the next run's range; nil before the first successful run.
    package var bookmark: Int64?
    /// Milliseconds from the bookmark to the end of the run that set it.
    package var overlap: Int64?
    /// Creation time of the list's oldest record; nil when it was not looked up.
    package var beginning: Int64?
    /// Form of incremental runs; nil when unknown.
    package var form: ExportForm?
    /// Latest time of a record.
    package var newest: Int64?
    /// Checksum of a resource exported in full.
    package var content: String?
    /// Start of the last run that was to export it, whether it was reached or not; nil when there was none.
    package var askedAt: Int64?
    package var attemptedAt: Int64?
    /// Whether further runs are expected.
    package var isExpected: Bool
    /// Start of the last successful run.
    package var succeededAt: Int64?
    /// Milliseconds between the starts of the last two successful runs.
    package var interval: Int64?
    /// Changes before this time are exported.
    package var coveredTo: Int64?
    /// Number of records of the last successful run.
    package var lastRecords: Int64
    package var records: Int64
    package var files: Int64
    /// Number of failed runs since.
    package var failures: Int64
    /// Error message of the last failed run.
    package var failure: String?
    /// Whether the resource has a current file beside its change files.
    package var keepsCurrent = false

    /// Whether incremental runs have this form, as far as that is known.
    package func hasForm(_ form: ExportForm) -> Bool { self.form.map { $0.choice == form.choice } ?? true }

    /// Start of a run's range that overlaps the last one by `overlap` milliseconds; nil for the beginning of the history.
    package func bookmark(overlap: Int64) -> Int64? {
        bookmark.map { $0 - max(0, overlap - (self.overlap ?? overlap)) }
    }
}
