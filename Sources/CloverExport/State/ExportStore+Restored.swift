import FoundationEssentials
import GRDB

extension ExportStore {
    /// A file that was published.
    package struct KnownFile: Sendable {
        /// Its row.
        package var place: Int64
        package var path: String
        package var line: String
        /// Of the file, or of what was added to one that grows.
        package var sha256: String
        /// A resource that is taken whole: the file is replaced whenever that changes.
        package var isWhole: Bool
        /// Where in a file that grows it ends; nil for a file of its own.
        package var end: Int64?
        /// One of the runs that follow each other made it; otherwise it is of a range that was asked for.
        package var isRegular: Bool
        /// The manifest was given its line. A run that is killed before that is gone on with.
        package var isListed: Bool
    }

    /// The last line that the manifest was given; nil when it has none that is known.
    ///
    /// - Returns: and the manifest's size since, nil when it has to be made anew.
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

    /// All that was ever published, the latest first.
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

    /// The manifest is not the one that was written last: it is made anew.
    package func makeManifestAnew(in destination: String) async throws {
        try await write { try Self.makeManifestAnew(in: destination, $0) }
    }

    static func makeManifestAnew(in destination: String, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE destinations SET manifest_size = ? WHERE id = ?", arguments: [noManifest, destination])
    }

    /// Forgets files that a destination has lost, and goes back to before them: what was in those of the runs that follow each
    /// other is exported again by the next run. Files of any other range are made again by whoever asks for that range.
    ///
    /// - Parameter files: rows.
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
                // A run that is under way counts on what it has exported.
                try database.execute(sql: "DELETE FROM plans WHERE stream = ?", arguments: [stream])
            }
            try Self.makeManifestAnew(in: destination, database)
        }
    }

    /// Milliseconds by which a time of change may be before the time of making, by which some windows are.
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
        // min of something and nothing is nothing: from the beginning.
        try database.execute(
            sql: """
                UPDATE streams SET bookmark = min(bookmark, ?1), covered_to = min(covered_to, ?1) WHERE place = ?2
                """, arguments: [start, stream])
        // What was near the end of the last run may be in what is lost.
        try database.execute(sql: "DELETE FROM known_records WHERE stream = ?", arguments: [stream])
    }
}
