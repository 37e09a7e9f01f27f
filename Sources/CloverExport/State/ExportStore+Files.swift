import CloverDatabase
import CloverSystem
import FoundationEssentials
import GRDB

extension ExportStore {
    /// The last file published under this name; nil when there is none.
    package func owner(of path: String, in destination: String) async throws -> StoredFile? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM files WHERE destination = ? AND path = ? ORDER BY place DESC LIMIT 1",
                arguments: [destination, path]
            ).map(StoredFile.init)
        }
    }

    /// Number of the file that a window was written to under a name; nil when there is none.
    package func number(
        of window: PlannedWindow, named base: String, of resource: String, in stream: ExportStream
    ) async throws -> Int? {
        try await value(
            """
            SELECT number FROM files
            WHERE destination = ? AND base = ? AND stream = ? AND resource = ?
                AND field IS ? AND start IS ? AND finish = ?
            ORDER BY place DESC LIMIT 1
            """, [stream.destination, base, stream.place, resource, window.field, window.from, window.to])
    }

    /// Highest number of the files of this name; 0 when there are none.
    ///
    /// - Parameter place: row id of the last file to consider; nil for all.
    package func lastNumber(
        of base: String, of resource: String, in stream: ExportStream, upTo place: Int64?
    ) async throws -> Int {
        try await value(
            """
            SELECT max(number) FROM files
            WHERE destination = ? AND base = ? AND stream = ? AND resource = ? AND place <= ifnull(?, place)
            """, [stream.destination, base, stream.place, resource, place]) ?? 0
    }

    /// Everything that was added to the current file of this name, oldest first. A file that was moved away is another.
    package func additions(to path: String, in destination: String) async throws -> [StoredFile] {
        try await read { try Self.additions(to: path, in: destination, $0) }
    }

    static func additions(to path: String, in destination: String, _ database: Database) throws -> [StoredFile] {
        try database.rows(
            """
            SELECT * FROM files WHERE destination = :destination AND path = :path AND place >= ifnull(
                (SELECT max(place) FROM files WHERE destination = :destination AND path = :path AND is_first), 0)
            ORDER BY place
            """, ["destination": destination, "path": path]
        ).map(StoredFile.init)
    }

    /// Paths of the files that a window of a stream was written to.
    package func paths(of window: PlannedWindow, of stream: Int64) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT path FROM files
                    WHERE stream = ? AND field IS ? AND start IS ? AND finish = ?
                    """, arguments: [stream, window.field, window.from, window.to])
        }
    }

    /// Lines of files that are not in the manifest yet, and the manifest's size.
    package func unlisted(in destination: String) async throws -> (lines: [String], last: Int64, size: Int64) {
        try await read { database in
            let rows = try database.rows(
                "SELECT place, line FROM files WHERE destination = ? AND is_listed = 0 ORDER BY place", [destination])
            let size = try Int64.fetchOne(
                database, sql: "SELECT manifest_size FROM destinations WHERE id = ?", arguments: [destination])
            return (rows.map { $0["line"] as String }, rows.last.map { $0["place"] as Int64 } ?? 0, size ?? 0)
        }
    }

    /// Marks a manifest that has to be rewritten: no manifest has this size.
    static let noManifest = Int64.max

    /// All lines of the manifest: every addition to growing files, and of other files the last one of each name. Blocks, so
    /// call it only on a thread that may block.
    package func manifestLines(of destination: String) throws -> [String] {
        try database.read { database in
            try String.fetchAll(
                database,
                sql: """
                    WITH last AS (
                        SELECT path, max(place) AS place FROM files
                        WHERE destination = :destination AND is_first GROUP BY path)
                    SELECT line FROM files LEFT JOIN last ON last.path = files.path
                    WHERE destination = :destination AND files.place >= ifnull(last.place, 0)
                    ORDER BY files.place
                    """, arguments: ["destination": destination])
        }
    }

    /// Brings the manifest up to date.
    package func listFiles(of destination: String, in directory: ExportDirectory) async throws {
        let unlisted = try await unlisted(in: destination)
        let found = try directory.size(of: NameTemplate.manifest) ?? 0
        guard !unlisted.lines.isEmpty || found != unlisted.size else { return }
        let size = try await DedicatedThread.run {
            try directory.addToManifest(unlisted.lines, at: unlisted.size) { try manifestLines(of: destination) }
        }
        try await listed(upTo: unlisted.last, size: size, in: destination)
    }

    /// Records that the manifest has the lines up to this file, and its size.
    func listed(upTo last: Int64, size: Int64, in destination: String) async throws {
        try await write { database in
            try database.run(
                "UPDATE files SET is_listed = 1 WHERE destination = ? AND is_listed = 0 AND place <= ?",
                [destination, last])
            try database.run("UPDATE destinations SET manifest_size = ? WHERE id = ?", [size, destination])
        }
    }
}

/// Recovery of runs that were killed between publishing a file and recording that.
extension ExportStore {
    /// What a run was about to do with a file.
    package enum Intention: Sendable {
        /// Append to it; it had `size` bytes before.
        case add(path: String, size: Int64)
        /// Publish it under its name.
        case publish(PublishedFile)
    }

    /// Records that a file is about to be appended to: bytes after `size` are ours, complete or not.
    package func intend(toAddTo path: String, of size: Int64, in destination: String) async throws {
        try await execute(
            "INSERT OR REPLACE INTO publishing (destination, path, size) VALUES (?, ?, ?)", [destination, path, size])
    }

    /// Records that a file is about to be published, possibly in place of another.
    ///
    /// - Parameter plan: its plan, which is stored.
    package func intend(
        toPublish file: PublishedFile, of plan: ExportPlan, in stream: ExportStream
    ) async throws {
        let text = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        try await execute(
            """
            INSERT OR REPLACE INTO publishing (destination, path, file, stream, plan, drops_known)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [stream.destination, file.path, text, stream.place, plan.place, plan.skipsKnownRecords])
    }

    /// Intentions that were not completed.
    package func intentions(in destination: String) async throws -> [Intention] {
        try await read { try Self.intentions(in: destination, $0) }
    }

    static func intentions(in destination: String, _ database: Database) throws -> [Intention] {
        let rows = try database.rows("SELECT path, size, file FROM publishing WHERE destination = ?", [destination])
        return try rows.compactMap { row in
            if let size = row["size"] as Int64? { return .add(path: row["path"], size: size) }
            guard let text = row["file"] as String? else { return nil }
            return .publish(try JSONDecoder().decode(PublishedFile.self, from: Data(text.utf8)))
        }
    }

    /// Clears the intentions. Files that were published are recorded as files of an interrupted run.
    ///
    /// - Parameter published: paths of the intended files that were published.
    package func settle(published: Set<String>, in destination: String) async throws {
        try await write { database in
            let rows = try database.rows(
                "SELECT * FROM publishing WHERE destination = ? AND file IS NOT NULL", [destination])
            for row in rows where published.contains(row["path"]) {
                let file = try JSONDecoder().decode(PublishedFile.self, from: Data((row["file"] as String).utf8))
                let stream = try Self.stream(database, where: "place = ?", [row["stream"] as Int64])
                let hadName =
                    try Bool.fetchOne(
                        database,
                        sql: """
                            SELECT EXISTS (
                                SELECT 1 FROM files WHERE destination = ? AND path = ? AND broken_plan IS NULL)
                            """, arguments: [destination, file.path]) ?? false
                try Self.add(file, to: stream, database)
                let place = database.lastInsertedRowID
                // An earlier run may have been interrupted at the same file.
                try database.run(
                    """
                    DELETE FROM files WHERE destination = ? AND path = ? AND broken_plan IS NOT NULL AND place < ?
                    """, [destination, file.path, place])
                // A replaced file does not come back, so the file that replaced it stays. A current file belongs to no
                // window.
                guard !hadName, file.mergedUpTo == nil else { continue }
                try database.run(
                    "UPDATE files SET broken_plan = ?, drops_known = ? WHERE place = ?",
                    [row["plan"] as Int64, row["drops_known"] as Bool, place])
            }
            try database.run("DELETE FROM publishing WHERE destination = ?", [destination])
        }
    }

    /// Records that the next run kept a file of an interrupted run.
    package func keep(_ path: String, in destination: String) async throws {
        try await write { try Self.keep(path, in: destination, $0) }
    }

    /// Paths in the folder of failed records that the state knows.
    package func failedPaths(in destination: String) async throws -> Set<String> {
        try await read { database in
            try String.fetchSet(
                database,
                sql: """
                    SELECT path FROM files WHERE destination = :destination AND path LIKE :paths
                    UNION SELECT path FROM publishing WHERE destination = :destination
                    """, arguments: ["destination": destination, "paths": NameTemplate.failed + "/%"])
        }
    }

    /// Records a file that an earlier version left. No run can make it again, so that it may be taken away.
    package func adopt(_ file: PublishedFile, in stream: ExportStream) async throws {
        try await write { database in
            try Self.add(file, to: stream, database)
            try database.run("UPDATE files SET is_forgotten = 1 WHERE place = ?", [database.lastInsertedRowID])
        }
    }

    static func keep(_ path: String, in destination: String, _ database: Database) throws {
        try database.run("UPDATE files SET broken_plan = NULL WHERE destination = ? AND path = ?", [destination, path])
    }

    /// Files of interrupted runs whose records are, or will be, in other files: their windows were exported to files of
    /// other names, or to none, or belong to a run that is over. A file that another run kept is not among them.
    package func superseded(in destination: String) async throws -> [(path: String, sha256: String)] {
        try await write { database in
            // A file of a range that will not be resumed is the only one with its records: keep it.
            try database.run(
                """
                UPDATE files SET broken_plan = NULL
                WHERE destination = ? AND broken_plan IS NOT NULL AND NOT drops_known
                    AND broken_plan NOT IN (SELECT place FROM plans)
                """, [destination])
            return try database.rows(
                """
                SELECT path, sha256 FROM files
                WHERE destination = ? AND broken_plan IS NOT NULL
                    AND NOT EXISTS (
                        SELECT 1 FROM files AS kept
                        WHERE kept.destination = files.destination AND kept.path = files.path
                            AND kept.broken_plan IS NULL)
                    AND (
                        broken_plan NOT IN (SELECT place FROM plans)
                        OR EXISTS (
                            SELECT 1 FROM windows
                            WHERE plan = broken_plan AND is_done AND windows.field IS files.field
                                AND windows.start IS files.start AND windows.finish = files.finish))
                """, [destination]
            ).map { ($0["path"], $0["sha256"]) }
        }
    }

    /// Deletes files of interrupted runs from the state.
    package func forget(brokenOff paths: [String], in destination: String) async throws {
        try await write { database in
            for path in paths {
                try database.run(
                    "DELETE FROM files WHERE destination = ? AND path = ? AND broken_plan IS NOT NULL",
                    [destination, path])
            }
            try database.run(
                """
                UPDATE empty_windows SET is_listed = 0
                WHERE stream IN (SELECT place FROM streams WHERE destination = ?)
                """, [destination])
            try Self.invalidateManifest(in: destination, database)
        }
    }
}

/// A published file as stored in the state.
package struct PublishedFile: Sendable, Equatable, Codable {
    /// Path relative to the destination.
    package var path: String
    /// The path without the number that distinguishes files of the same name.
    package var base: String
    /// That number; 1 for the first file, whose path has none.
    package var number = 1
    package var resource: String
    package var window: PlannedWindow
    /// SHA-256 of the file's bytes, in hexadecimal digits.
    package var sha256 = ""
    /// Line in the manifest.
    package var line = ""
    /// Form of a growing file; nil for any other.
    package var form: String?
    /// Hash of the options that decide its bytes.
    package var choice = ""
    /// Whether it is the first content of its file.
    package var isFirst = true
    /// Whether each record names its merchant; nil in the state of an older version, where it is unknown.
    package var isTagged: Bool?
    /// The words of the command line of the run that made it; nil in the state of an older version.
    package var words: [String]?
    /// What it is for, if it does not have the records of a window.
    package var role: Role?
    /// For a current file that is made of change files: row id of the last change file in it.
    package var mergedUpTo: Int64?

    /// What a file is for that does not have the results of a window.
    package enum Role: String, Sendable, Codable {
        /// One row per record, replaced as a whole.
        case current
        /// The changes of a list that is exported in full, which are appended to it.
        case log
        /// Records of a window on which the jq program failed, each with its error.
        case failed

        /// What the state and the manifest call its resource, so that its rows do not count as records of the resource.
        package func name(of resource: String) -> String { resource + suffix }

        /// The resource of which this is the name.
        func resource(_ name: String) -> String { String(name.dropLast(suffix.count)) }

        private var suffix: String {
            switch self {
            case .current: ".current"
            case .log: ".changes"
            case .failed: ".failed"
            }
        }
    }

    package init(path: String, resource: String, window: PlannedWindow) {
        self.path = path
        base = path
        self.resource = resource
        self.window = window
    }
}
