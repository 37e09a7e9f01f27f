import CloverSystem
import FoundationEssentials
import GRDB

/// What the state knows of a destination, to compare it with what is there.
package struct KnownDestination: Sendable {
    /// A line that the manifest has, or will have after the next run.
    package struct Line: Sendable {
        package var text: String
        /// Whether it was written to the manifest.
        package var isListed: Bool
        /// Whether an interrupted run left its file, which the next run keeps or removes.
        package var isInterrupted: Bool
        /// Whether the user accepted that its file is missing.
        package var isForgotten: Bool
    }

    package var identifier: String
    /// In the order of the manifest.
    package var lines: [Line]
    /// Paths of all files that exports ever made here.
    package var paths: Set<String>
    /// Whether the next run rewrites the manifest.
    package var rewritesManifest: Bool
    /// Whether an export to it was ever complete, also one without records.
    package var hasSucceeded: Bool
    /// Windows without records, by owner.
    var empty: [ManifestOwner: [Range<Int64>]]
    /// How far the incremental runs got, by owner: the time of their newest record, in milliseconds since 1970.
    var reached: [ManifestOwner: Int64]
    /// Number of the change files that a current file lacks, by its path.
    var outdated: [String: Int]
    var unfinished: Unfinished

    /// What a run that was interrupted was doing, which the next one completes or undoes.
    struct Unfinished: Sendable {
        /// Lines of the files that were about to be published, by path.
        var published: [String: ManifestLine] = [:]
        /// Paths of the files that were about to be appended to.
        var appended: Set<String> = []
        /// New paths of the files that were about to be moved, by path.
        var moved: [String: String] = [:]

        init(_ intentions: [ExportStore.Intention], _ moves: [ExportStore.Move]) {
            for intention in intentions {
                switch intention {
                case .add(let path, _): appended.insert(path)
                case .publish(let file): published[file.path] = ManifestLine(parsing: file.line)
                }
            }
            for move in moves { moved[move.path] = move.newPath }
        }

        var paths: Set<String> { appended.union(published.keys).union(moved.values) }
    }

    /// Whether the next run, or the next `export compact`, has to complete what another one began.
    package var isUnfinished: Bool { !unfinished.paths.isEmpty }
}

extension ExportStore {
    /// What the state knows of a destination.
    package func known(_ destination: String) async throws -> KnownDestination {
        try await read { database in
            let lines = try database.rows(
                """
                WITH last AS (
                    SELECT path, max(place) AS place FROM files
                    WHERE destination = :destination AND is_first GROUP BY path)
                SELECT line, is_listed, is_forgotten, broken_plan FROM files LEFT JOIN last ON last.path = files.path
                WHERE destination = :destination AND files.place >= ifnull(last.place, 0)
                ORDER BY files.place
                """, ["destination": destination]
            ).map { row in
                KnownDestination.Line(
                    text: row["line"], isListed: row["is_listed"],
                    isInterrupted: row["broken_plan"] as Int64? != nil, isForgotten: row["is_forgotten"])
            }
            let paths = try String.fetchSet(
                database, sql: "SELECT DISTINCT path FROM files WHERE destination = ?", arguments: [destination])
            let unfinished = KnownDestination.Unfinished(
                try Self.intentions(in: destination, database), try Self.moves(in: destination, database))
            let size: Int64? = try database.value(
                "SELECT manifest_size FROM destinations WHERE id = ?", [destination])
            let empty = try database.rows(
                """
                SELECT environment, merchant, empty_windows.resource, start, finish
                FROM empty_windows JOIN streams ON streams.place = empty_windows.stream WHERE destination = ?
                """, [destination])
            let reached = try database.rows(
                """
                SELECT environment, merchant, resource, bookmark + ifnull(overlap, 0) AS reached FROM streams
                WHERE destination = ? AND bookmark NOT NULL
                """, [destination])
            let hasSucceeded: Bool? = try database.value(
                "SELECT EXISTS (SELECT 1 FROM streams WHERE destination = ? AND succeeded_at NOT NULL)", [destination])
            return KnownDestination(
                identifier: destination, lines: lines, paths: paths.union(unfinished.paths),
                rewritesManifest: size == Self.noManifest,
                hasSucceeded: hasSucceeded ?? false,
                empty: Dictionary(grouping: empty, by: Self.owner).mapValues { rows in
                    rows.map { ($0["start"] as Int64)..<($0["finish"] as Int64) }
                },
                reached: Dictionary(
                    uniqueKeysWithValues: reached.map { (Self.owner($0), $0["reached"] as Int64) }),
                outdated: try Self.outdatedCurrentFiles(in: destination, database), unfinished: unfinished)
        }
    }

    private static func owner(_ row: Row) -> ManifestOwner {
        ManifestOwner(environment: row["environment"], merchant: row["merchant"], resource: row["resource"])
    }

    /// The last rows of the files with these paths that can be exported again, oldest first.
    package func files(of paths: Set<String>, in destination: String) async throws -> [StoredFile] {
        try await read { database in
            try paths.sorted().flatMap { try Self.additions(to: $0, in: destination, database) }
                .sorted { $0.place < $1.place }
        }
    }

    /// A file by its row id; nil when it is no longer known.
    package func file(at place: Int64) async throws -> StoredFile? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM files WHERE place = ?", arguments: [place])
                .map(StoredFile.init)
        }
    }
}

/// Windows without records. They have no file, so the manifest names them in the line of the resource's next file.
extension ExportStore {
    /// Windows without records that no line of the resource names yet, oldest first.
    package func unlistedEmptyWindows(of resource: String, in stream: Int64) async throws -> [Range<Int64>] {
        try await read { database in
            try database.rows(
                """
                SELECT start, finish FROM empty_windows WHERE stream = ? AND resource = ? AND NOT is_listed ORDER BY start
                """, [stream, resource]
            ).map { ($0["start"] as Int64)..<($0["finish"] as Int64) }
        }
    }

    /// Adds a window, joined with those that it meets.
    static func addEmpty(_ window: Range<Int64>, of resource: String, to stream: Int64, _ database: Database) throws {
        let near = """
            FROM empty_windows WHERE stream = ? AND resource = ? AND start <= ? AND finish >= ?
            """
        let arguments: StatementArguments = [stream, resource, window.upperBound, window.lowerBound]
        let joined = try Row.fetchOne(
            database, sql: "SELECT min(start) AS start, max(finish) AS finish \(near)", arguments: arguments)
        try database.run("DELETE \(near)", arguments)
        try database.run(
            "INSERT INTO empty_windows (stream, resource, start, finish) VALUES (?, ?, ?, ?)",
            [
                stream, resource, min(window.lowerBound, joined?["start"] ?? .max),
                max(window.upperBound, joined?["finish"] ?? .min),
            ])
    }

    /// Has later lines name all windows again, because lines that named them are deleted.
    static func unlistEmpty(of stream: Int64, _ database: Database) throws {
        try database.run("UPDATE empty_windows SET is_listed = 0 WHERE stream = ?", [stream])
    }
}
