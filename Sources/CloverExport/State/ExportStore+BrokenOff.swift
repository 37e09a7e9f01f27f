import FoundationEssentials
import GRDB

/// What a run that is killed leaves between giving a file its name and writing that down.
extension ExportStore {
    /// What a run was about to do with a file.
    package enum Intention: Sendable {
        /// To add to it; it had so many bytes before.
        case add(path: String, size: Int64)
        /// To give it its name.
        case publish(PublishedFile)
    }

    /// Writes down that something is about to be added to a file: what is there afterwards is ours, whole or not.
    package func intend(toAddTo path: String, of size: Int64, in destination: String) async throws {
        try await write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO publishing (destination, path, size) VALUES (?, ?, ?)",
                arguments: [destination, path, size])
        }
    }

    /// Writes down that a file is about to get its name, or to take that of another.
    ///
    /// - Parameter plan: the run that it belongs to, which has its row.
    package func intend(
        toPublish file: PublishedFile, of plan: ExportPlan, in stream: ExportStream
    ) async throws {
        let text = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        try await write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO publishing (destination, path, file, stream, plan, drops_known)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [stream.destination, file.path, text, stream.place, plan.place, plan.dropsKnown])
        }
    }

    /// What was intended and not finished.
    package func intentions(in destination: String) async throws -> [Intention] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT path, size, file FROM publishing WHERE destination = ?", arguments: [destination]
            ).compactMap { row in
                if let size = row["size"] as Int64? { return .add(path: row["path"], size: size) }
                guard let text = row["file"] as String? else { return nil }
                return .publish(try JSONDecoder().decode(PublishedFile.self, from: Data(text.utf8)))
            }
        }
    }

    /// Nothing that was intended is left to do. Files that have got their names are known from now on, as those of a run
    /// that was broken off.
    ///
    /// - Parameter published: their paths.
    package func settle(published: Set<String>, in destination: String) async throws {
        try await write { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM publishing WHERE destination = ? AND file IS NOT NULL",
                arguments: [destination])
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
                // A run before may have been broken off at the same file.
                try database.execute(
                    sql: """
                        DELETE FROM files WHERE destination = ? AND path = ? AND broken_plan IS NOT NULL AND place < ?
                        """, arguments: [destination, file.path, place])
                // What was replaced does not come back: the file that replaced it stays.
                guard !hadName else { continue }
                try database.execute(
                    sql: "UPDATE files SET broken_plan = ?, drops_known = ? WHERE place = ?",
                    arguments: [row["plan"] as Int64, row["drops_known"] as Bool, place])
            }
            try database.execute(sql: "DELETE FROM publishing WHERE destination = ?", arguments: [destination])
        }
    }

    /// What is in the files of a run that was broken off is wherever the run after it has put it.
    package func keep(_ path: String, in destination: String) async throws {
        try await write { try Self.keep(path, in: destination, $0) }
    }

    static func keep(_ path: String, in destination: String, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE files SET broken_plan = NULL WHERE destination = ? AND path = ?",
            arguments: [destination, path])
    }

    /// Files of runs that were broken off whose records are, or come again, in others: their windows were exported to files
    /// of other names, or to none, or belong to a run that is over. A file that another run has made its own is none.
    package func superseded(in destination: String) async throws -> [(path: String, sha256: String)] {
        try await write { database in
            // Nothing else has what was asked for by a run over a range that is not gone on with.
            try database.execute(
                sql: """
                    UPDATE files SET broken_plan = NULL
                    WHERE destination = ? AND broken_plan IS NOT NULL AND NOT drops_known
                        AND broken_plan NOT IN (SELECT place FROM plans)
                    """, arguments: [destination])
            return try Row.fetchAll(
                database,
                sql: """
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
                    """, arguments: [destination]
            ).map { ($0["path"], $0["sha256"]) }
        }
    }

    /// Forgets files of runs that were broken off.
    package func forget(brokenOff paths: [String], in destination: String) async throws {
        try await write { database in
            for path in paths {
                try database.execute(
                    sql: "DELETE FROM files WHERE destination = ? AND path = ? AND broken_plan IS NOT NULL",
                    arguments: [destination, path])
            }
            try Self.makeManifestAnew(in: destination, database)
        }
    }
}
