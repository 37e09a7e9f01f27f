import FoundationEssentials
import GRDB

/// Published files that are missing from their destination.
extension ExportStore {
    /// One window of a missing file: the only one, or one of those in a growing file.
    package struct MissingWindow: Sendable, Equatable {
        /// Row id.
        package var place: Int64
        package var path: String
        /// The resource, or `RESOURCE.PART`.
        package var resource: String
        package var window: PlannedWindow
        /// The file's business day, and whether that was not over.
        package var day: String?
        package var isPartial: Bool
        /// Whether an incremental run made it, and not one with an explicit range.
        package var isRegular: Bool
        package var grows: Bool
    }

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
            guard grows else { return size == self.size }
            // Others may have added lines, or removed the last newline, which the next addition writes again. An empty
            // file was moved away: log rotation may leave one in its place.
            return size == 0 || size >= self.size - 1
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
    /// replaced are not among them.
    package func windows(of paths: [String], in stream: ExportStream) async throws -> [MissingWindow] {
        try await read { database in
            try paths.flatMap { path in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM files
                        WHERE destination = :destination AND path = :path AND stream = :stream AND place >= ifnull((
                            SELECT max(place) FROM files WHERE destination = :destination AND path = :path AND is_first), 0)
                        ORDER BY place
                        """,
                    arguments: ["destination": stream.destination, "path": path, "stream": stream.place])
            }.map(Self.missingWindow).sorted { $0.place < $1.place }
        }
    }

    private static func missingWindow(_ row: Row) throws -> MissingWindow {
        let line = try JSONDecoder().decode(Line.self, from: Data((row["line"] as String).utf8))
        return MissingWindow(
            place: row["place"], path: row["path"], resource: row["resource"],
            window: PlannedWindow(field: row["field"], from: row["start"], to: row["finish"]), day: line.day,
            isPartial: line.partial ?? false, isRegular: row["is_regular"], grows: line.offset != nil)
    }

    /// Facts of a file from its manifest line.
    private struct Line: Decodable {
        var offset: Int64?
        var day: String?
        var partial: Bool?
    }

    /// Whether a file is still in the state, by its row id.
    package func hasFile(_ place: Int64) async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM files WHERE place = ?)", arguments: [place]) ?? false
        }
    }

    /// Stops expecting these files in the destination. Their lines stay in the manifest.
    package func forget(missing paths: [String], in destination: String) async throws {
        try await write { database in
            for path in paths {
                try database.execute(
                    sql: "UPDATE files SET is_forgotten = 1 WHERE destination = ? AND path = ?",
                    arguments: [destination, path])
            }
        }
    }

    /// Records that the window of a missing file was exported again: to a file of the same name, to another, or to none
    /// because it has no records any more.
    package func replaced(_ missing: MissingWindow, in stream: ExportStream) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE files SET is_regular = ? WHERE stream = ? AND resource = ? AND place > ?
                        AND field IS ? AND start IS ? AND finish = ?
                    """,
                arguments: [
                    missing.isRegular, stream.place, missing.resource, missing.place, missing.window.field,
                    missing.window.from, missing.window.to,
                ])
            try database.execute(sql: "DELETE FROM files WHERE place = ?", arguments: [missing.place])
            try Self.invalidateManifest(in: stream.destination, database)
        }
    }
}

extension ExportStore {
    /// A published file.
    package struct KnownFile: Sendable {
        /// Row id.
        package var place: Int64
        package var path: String
        package var line: String
        /// SHA-256 of the file, or of an addition to a growing file.
        package var sha256: String
        /// Whether it is a resource exported in full, whose file is replaced when the resource changes.
        package var isWhole: Bool
        /// Offset of its end in a growing file; nil for a file that has only this window.
        package var end: Int64?
        /// Whether an incremental run made it, and not one with an explicit range.
        package var isRegular: Bool
        /// Whether its line is in the manifest. A run that was killed before that is resumed.
        package var isListed: Bool
    }

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

    /// All published files, newest first.
    package func files(in destination: String) async throws -> [KnownFile] {
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
                let place = try JSONDecoder().decode(Place.self, from: Data((row["line"] as String).utf8))
                return KnownFile(
                    place: row["place"], path: row["path"], line: row["line"], sha256: row["sha256"],
                    isWhole: row["field"] as String? == nil, end: place.offset.map { $0 + place.bytes },
                    isRegular: row["comes_again"], isListed: row["is_listed"])
            }
        }
    }

    /// Has the manifest rewritten, because it is not the one that was written last.
    package func invalidateManifest(in destination: String) async throws {
        try await write { try Self.invalidateManifest(in: destination, $0) }
    }

    static func invalidateManifest(in destination: String, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE destinations SET manifest_size = ? WHERE id = ?", arguments: [noManifest, destination])
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
                try database.execute(sql: "DELETE FROM files WHERE place = ?", arguments: [place])
            }
            for stream in streams {
                // An unfinished run relies on the files that it has exported.
                try database.execute(sql: "DELETE FROM plans WHERE stream = ?", arguments: [stream])
            }
            try Self.invalidateManifest(in: destination, database)
        }
    }

    /// Milliseconds by which a modification time may precede the creation time that divides some windows.
    private static let allowance: Int64 = 2000

    private static func goBack(_ stream: Int64, before file: Row, _ database: Database) throws {
        guard file["field"] as String? != nil else {
            try database.execute(sql: "UPDATE streams SET content = NULL WHERE place = ?", arguments: [stream])
            return
        }
        guard file["is_regular"] else { return }
        let start = (file["start"] as Int64?).map { $0 - allowance }
        let owner = try String.fetchOne(
            database, sql: "SELECT resource FROM streams WHERE place = ?", arguments: [stream])
        let resource: String = file["resource"]
        guard resource == owner else {
            let part = String(resource.dropFirst((owner?.count ?? 0) + 1))
            try database.execute(
                sql: "DELETE FROM parts WHERE stream = ? AND name = ? AND ? IS NULL",
                arguments: [stream, part, start])
            try database.execute(
                sql: "UPDATE parts SET reached = min(reached, ?) WHERE stream = ? AND name = ?",
                arguments: [start ?? .min, stream, part])
            return
        }
        // In SQL, min of a value and NULL is NULL: start over from the beginning.
        try database.execute(
            sql: """
                UPDATE streams SET bookmark = min(bookmark, ?1), covered_to = min(covered_to, ?1) WHERE place = ?2
                """, arguments: [start, stream])
        // Records near the end of the last run may be in the lost files.
        try database.execute(sql: "DELETE FROM known_records WHERE stream = ?", arguments: [stream])
    }
}
