import CloverStorage
import FoundationEssentials
import GRDB

extension ExportStore {
    /// Whose file a path is.
    package struct Owner: Sendable, Equatable {
        package var stream: Int64
        package var resource: String
        package var window: PlannedWindow
        package var sha256: String
        /// How it is written; nil when that is not known.
        package var form: String?
        /// What decides its bytes besides the records; nil when that is not known.
        package var choice: String?
        /// One of the runs that follow each other made it, and came to its end.
        package var isRegular: Bool
        /// Where in the file it ends; nil for a file of its own.
        package var end: Int64?
        /// The run that gave it the name was broken off before it had come to the end of its window, which comes again.
        package var isBrokenOff: Bool
    }

    /// What the manifest says of the place of an addition.
    struct Place: Decodable {
        var offset: Int64?
        var bytes: Int64
    }

    /// The file that was last given this name; nil when none was.
    package func owner(of path: String, in destination: String) async throws -> Owner? {
        try await read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM files WHERE destination = ? AND path = ? ORDER BY place DESC LIMIT 1",
                arguments: [destination, path])
            return try row.map(Self.owner)
        }
    }

    /// The number of the file that a window was written to under a name; nil when it has none.
    package func number(
        of window: PlannedWindow, named base: String, of resource: String, in stream: ExportStream
    ) async throws -> Int? {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT number FROM files
                    WHERE destination = ? AND base = ? AND stream = ? AND resource = ?
                        AND field IS ? AND start IS ? AND finish = ?
                    ORDER BY place DESC LIMIT 1
                    """,
                arguments: [
                    stream.destination, base, stream.place, resource, window.field, window.from, window.to,
                ])
        }
    }

    /// The last number of files of this name; 0 when there are none.
    ///
    /// - Parameter place: the row of the last file that is looked at; nil for all.
    package func lastNumber(
        of base: String, of resource: String, in stream: ExportStream, upTo place: Int64?
    ) async throws -> Int {
        try await read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT max(number) FROM files
                    WHERE destination = ? AND base = ? AND stream = ? AND resource = ? AND place <= ifnull(?, place)
                    """, arguments: [stream.destination, base, stream.place, resource, place]) ?? 0
        }
    }

    /// All that was added to the file of this name, the latest last. One that was moved away is another.
    package func additions(to path: String, in destination: String) async throws -> [Owner] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM files WHERE destination = :destination AND path = :path AND place >= ifnull(
                        (SELECT max(place) FROM files WHERE destination = :destination AND path = :path AND is_first), 0)
                    ORDER BY place
                    """, arguments: ["destination": destination, "path": path]
            ).map(Self.owner)
        }
    }

    private static func owner(_ row: Row) throws -> Owner {
        let place = try JSONDecoder().decode(Place.self, from: Data((row["line"] as String).utf8))
        return Owner(
            stream: row["stream"], resource: row["resource"],
            window: PlannedWindow(field: row["field"], from: row["start"], to: row["finish"]),
            sha256: row["sha256"], form: row["form"],
            choice: row["choice"], isRegular: row["is_regular"], end: place.offset.map { $0 + place.bytes },
            isBrokenOff: row["broken_plan"] as Int64? != nil)
    }

    /// The files that a window of a stream was written to.
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

    /// Lines of files that the manifest has not got yet, and its size.
    package func unlisted(in destination: String) async throws -> (lines: [String], last: Int64, size: Int64) {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT place, line FROM files WHERE destination = ? AND is_listed = 0 ORDER BY place",
                arguments: [destination])
            let size = try Int64.fetchOne(
                database, sql: "SELECT manifest_size FROM destinations WHERE id = ?", arguments: [destination])
            return (rows.map { $0["line"] as String }, rows.last.map { $0["place"] as Int64 } ?? 0, size ?? 0)
        }
    }

    /// The size of a manifest that has to be made anew: none is that long.
    static let noManifest = Int64.max

    /// Every line of the manifest: what was added to files that grow, and of the others the last that had the name. Blocks:
    /// only for a thread that may.
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

    /// The manifest has the lines up to this file, and this size.
    package func listed(upTo last: Int64, size: Int64, in destination: String) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE files SET is_listed = 1 WHERE destination = ? AND is_listed = 0 AND place <= ?",
                arguments: [destination, last])
            try database.execute(
                sql: "UPDATE destinations SET manifest_size = ? WHERE id = ?", arguments: [size, destination])
        }
    }
}
