import FoundationEssentials
import GRDB

/// Files that were published and are missing from their destination.
extension ExportStore {
    /// One of the windows of a missing file: the only one, or one of those that were added to a file that grows.
    package struct MissingWindow: Sendable, Equatable {
        /// Its row.
        package var place: Int64
        package var path: String
        /// The resource, or `RESOURCE.PART`.
        package var resource: String
        package var window: PlannedWindow
        /// The business day that the file is of, and whether that was not over.
        package var day: String?
        package var isPartial: Bool
        /// One of the runs that follow each other made it; otherwise it is of a range that was asked for.
        package var isRegular: Bool
        package var grows: Bool
    }

    /// The paths of all files that a destination should have, by stream.
    ///
    /// - Parameter streams: rows.
    package func expectedFiles(of streams: [Int64]) async throws -> [Int64: [String]] {
        try await read { database in
            var result: [Int64: [String]] = [:]
            for stream in streams {
                result[stream] = try String.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT path FROM files
                        WHERE stream = ? AND NOT is_forgotten AND broken_plan IS NULL ORDER BY path
                        """, arguments: [stream])
            }
            return result
        }
    }

    /// The windows of missing files of a stream, the oldest file first. Windows that a file of the same name had before it was
    /// replaced, or begun anew, are not among them.
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

    /// What the manifest says of a file.
    private struct Line: Decodable {
        var offset: Int64?
        var day: String?
        var partial: Bool?
    }

    /// Whether a file is still known, by its row.
    package func hasFile(_ place: Int64) async throws -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM files WHERE place = ?)", arguments: [place]) ?? false
        }
    }

    /// The destination need not have these files any more. Their lines stay in the manifest.
    package func forget(missing paths: [String], in destination: String) async throws {
        try await write { database in
            for path in paths {
                try database.execute(
                    sql: "UPDATE files SET is_forgotten = 1 WHERE destination = ? AND path = ?",
                    arguments: [destination, path])
            }
        }
    }

    /// The window of a missing file was exported anew: to a file of the same name, to another, or to none because it has no
    /// records any more.
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
            try Self.makeManifestAnew(in: stream.destination, database)
        }
    }
}
