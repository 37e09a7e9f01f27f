import FoundationEssentials
import GRDB

/// Published files that are missing from their destination.
extension ExportStore {
    /// A file that a destination should have.
    package struct ExpectedFile: Sendable, Equatable {
        package var path: String
        /// Its size in bytes after the last export to it.
        package var size: Int64
        /// Whether exports append to it.
        package var grows: Bool

        package init(path: String, size: Int64, grows: Bool) {
            self.path = path
            self.size = size
            self.grows = grows
        }

        /// Whether a file of this size has what was exported to it.
        ///
        /// - Parameter size: nil when there is no file.
        package func isThere(size: Int64?) -> Bool {
            guard let size else { return false }
            // Others may have added lines.
            return grows ? size >= self.size : size == self.size
        }
    }

    /// All files that a destination should have, by stream, in the order of their paths.
    ///
    /// - Parameter streams: row ids.
    package func expectedFiles(of streams: [Int64]) async throws -> [Int64: [ExpectedFile]] {
        try await read { database in
            var result: [Int64: [ExpectedFile]] = [:]
            for stream in streams {
                result[stream] = try Self.expectedFiles(
                    where: "stream = ? AND NOT is_forgotten AND broken_plan IS NULL", [stream], database)
            }
            return result
        }
    }

    /// The files of which some row meets a condition, with their size by their last row, in the order of their paths.
    static func expectedFiles(
        where condition: String, _ arguments: StatementArguments, _ database: Database
    ) throws -> [ExpectedFile] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT path, json_extract(line, '$.offset') AS offset, json_extract(line, '$.bytes') AS bytes
                FROM files WHERE place IN (
                    SELECT (
                        SELECT max(place) FROM files AS other
                        WHERE other.destination = files.destination AND other.path = files.path)
                    FROM files WHERE \(condition))
                ORDER BY path
                """, arguments: arguments
        ).map { row in
            let offset: Int64? = row["offset"]
            let bytes: Int64 = row["bytes"]
            return ExpectedFile(path: row["path"], size: (offset ?? 0) + bytes, grows: offset != nil)
        }
    }

    /// Windows of missing files of a stream, oldest file first. Windows that a file of the same name had before it was
    /// replaced are not among them. Those of an incremental run that will be resumed count as regular.
    package func windows(of paths: [String], in stream: ExportStream) async throws -> [StoredFile] {
        try await read { database in
            let resumed = try Set(
                database.rows(
                    """
                    SELECT windows.field, windows.start AS start, windows.finish AS finish
                    FROM windows JOIN plans ON plans.place = windows.plan
                    WHERE stream = ? AND drops_known AND is_done
                    """, [stream.place]
                ).map { PlannedWindow(field: $0["field"], from: $0["start"], to: $0["finish"]) })
            return try paths.flatMap { try Self.additions(to: $0, in: stream.destination, database) }
                .filter { $0.stream == stream.place }.sorted { $0.place < $1.place }
                .map { file in
                    var file = file
                    if resumed.contains(file.window) { file.isRegular = true }
                    return file
                }
        }
    }

    /// Whether a file is still in the state.
    package func hasFile(_ file: StoredFile) async throws -> Bool {
        // The row id of a deleted file may be that of a later one.
        try await value(
            """
            SELECT EXISTS (
                SELECT 1 FROM files
                WHERE place = ? AND path = ? AND resource = ? AND field IS ? AND start IS ? AND finish = ?)
            """,
            [file.place, file.path, file.resource, file.window.field, file.window.from, file.window.to]) ?? false
    }

    /// Stops expecting these files in the destination. Their lines stay in the manifest.
    package func forget(missing paths: [String], in destination: String) async throws {
        try await write { database in
            for path in paths {
                try database.run(
                    "UPDATE files SET is_forgotten = 1 WHERE destination = ? AND path = ?", [destination, path])
            }
        }
    }

    /// Records that the window of a missing file was exported again: to a file of the same name, to another, or to none
    /// because it has no records any more.
    package func replaced(_ missing: StoredFile, in stream: ExportStream) async throws {
        try await write { database in
            try database.run(
                """
                UPDATE files SET is_regular = ? WHERE stream = ? AND resource = ? AND place > ?
                    AND field IS ? AND start IS ? AND finish = ?
                """,
                [
                    missing.isRegular, stream.place, missing.resource, missing.place, missing.window.field,
                    missing.window.from, missing.window.to,
                ])
            try database.run("DELETE FROM files WHERE place = ?", [missing.place])
            try Self.unlistEmpty(of: stream.place, database)
            try Self.invalidateManifest(in: stream.destination, database)
        }
    }
}

extension ExportStore {
    /// The last line written to the manifest, and the manifest's size after it; nil when no line is known.
    ///
    /// - Returns: a size of nil when the manifest has to be rewritten.
    package func lastListed(in destination: String) async throws -> (line: String, size: Int64?)? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT line, manifest_size FROM files JOIN destinations ON destinations.id = files.destination
                    WHERE destination = ? AND is_listed ORDER BY place DESC LIMIT 1
                    """, arguments: [destination])
            guard let row else { return nil }
            let size: Int64 = row["manifest_size"]
            return (row["line"], size == Self.noManifest ? nil : size)
        }
    }

    /// All published files, newest first. Those of an incremental run that will be resumed count as regular.
    package func files(in destination: String) async throws -> [StoredFile] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT *, is_regular OR NOT is_listed AND EXISTS (
                        SELECT 1 FROM plans WHERE plans.stream = files.stream AND plans.drops_known) AS comes_again
                    FROM files WHERE destination = ? ORDER BY place DESC
                    """,
                arguments: [destination]
            ).map { row in
                var file = try StoredFile(row)
                file.isRegular = row["comes_again"]
                return file
            }
        }
    }

    /// Has the manifest rewritten, because it is not the one that was written last.
    package func invalidateManifest(in destination: String) async throws {
        try await write { try Self.invalidateManifest(in: destination, $0) }
    }

    static func invalidateManifest(in destination: String, _ database: Database) throws {
        try database.run("UPDATE destinations SET manifest_size = ? WHERE id = ?", [noManifest, destination])
    }

    /// Deletes lost files from the state and moves bookmarks back to before them: the next run exports again what was in
    /// files of incremental runs. Files of any other range are exported again only when that range is requested.
    ///
    /// - Parameter files: row ids.
    package func goBack(before files: [Int64], in destination: String) async throws {
        try await write { database in
            var streams = Set<Int64>()
            for place in files {
                let row = try Row.fetchOne(database, sql: "SELECT * FROM files WHERE place = ?", arguments: [place])
                guard let row else { continue }
                let stream: Int64 = row["stream"]
                streams.insert(stream)
                try Self.goBack(stream, before: row, database)
                try Self.goBackCurrent(stream, before: row, database)
                // The run that exports it again counts it.
                try database.run(
                    """
                    UPDATE streams SET files = max(0, files - 1), records = max(0, records - iif(
                        resource = ?1, ifnull(json_extract(?2, '$.records'), 0), 0))
                    WHERE place = ?3 AND ?4 IS NULL
                    """, [row["resource"], row["line"], stream, row["role"]])
                try database.run("DELETE FROM files WHERE place = ?", [place])
            }
            for stream in streams {
                // An unfinished run relies on the files that it has exported.
                try database.run("DELETE FROM plans WHERE stream = ?", [stream])
                try Self.unlistEmpty(of: stream, database)
            }
            try Self.invalidateManifest(in: destination, database)
        }
    }

    /// Records that the file of a window has the contents of an earlier export of it again.
    ///
    /// - Parameters:
    ///   - text: its line in the manifest, which the next writing of the manifest keeps.
    ///   - place: row id of the file.
    package func put(_ text: String, _ line: ManifestLine, at place: Int64) async throws {
        try await write { database in
            try database.run(
                "UPDATE files SET line = ?, sha256 = ?, merged_into = NULL, is_forgotten = 0 WHERE place = ?",
                [text, line.sha256, place])
            try database.run(
                """
                UPDATE destinations SET manifest_size = ? WHERE id = (SELECT destination FROM files WHERE place = ?)
                """, [Self.noManifest, place])
        }
    }

    /// Milliseconds by which a modification time may precede the creation time that divides some windows.
    private static let allowance: Int64 = 2000

    private static func goBack(_ stream: Int64, before file: Row, _ database: Database) throws {
        guard file["field"] as String? != nil else {
            try database.run("UPDATE streams SET content = NULL WHERE place = ?", [stream])
            return
        }
        guard file["is_regular"] else { return }
        let start = (file["start"] as Int64?).map { $0 - allowance }
        let owner: String? = try database.value("SELECT resource FROM streams WHERE place = ?", [stream])
        var resource: String = file["resource"]
        let isFailed = (file["role"] as String?) == PublishedFile.Role.failed.rawValue
        if isFailed { resource = PublishedFile.Role.failed.resource(resource) }
        guard resource == owner else {
            let part = String(resource.dropFirst((owner?.count ?? 0) + 1))
            try database.run("DELETE FROM parts WHERE stream = ? AND name = ? AND ? IS NULL", [stream, part, start])
            try database.run(
                "UPDATE parts SET reached = min(reached, ?) WHERE stream = ? AND name = ?",
                [start ?? .min, stream, part])
            return
        }
        // In SQL, min of a value and NULL is NULL: start over from the beginning.
        try database.run(
            """
            UPDATE streams SET bookmark = min(bookmark, ?1), covered_to = min(covered_to, ?1) WHERE place = ?2
            """, [start, stream])
        // Records near the end of the last run may be in the lost files.
        try database.run("DELETE FROM known_records WHERE stream = ?", [stream])
    }
}
