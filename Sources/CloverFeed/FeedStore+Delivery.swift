import FoundationEssentials
import GRDB

// Delivery: published changes leave the state when their reader has them.

extension FeedStore {
    /// Most bytes of records in one portion; a larger record is delivered alone.
    private static let portionSize = 1 << 20

    /// The next published changes, in order; empty if all are delivered.
    package func portion(limit: Int) async throws -> [FeedChange] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT sequence, change, resource, id, record FROM pending JOIN streams ON stream = streams.place
                    WHERE sequence IS NOT NULL ORDER BY sequence LIMIT ?
                    """, arguments: [limit])
            var changes: [FeedChange] = []
            var size = 0
            while size < Self.portionSize, let row = try rows.next() {
                let record: Data = row[4]
                size += record.count
                changes.append(
                    FeedChange(
                        sequence: row[0], kind: FeedChange.Kind(rawValue: row[1]) ?? .updated, resource: row[2],
                        id: row[3], record: Array(record)))
            }
            return changes
        }
    }

    /// Notes that all changes up to a number are delivered. They are not delivered again.
    ///
    /// - Parameter output: where the output is now, as text; nil if that is unknown.
    package func confirm(through sequence: Int64, output: String? = nil) async throws {
        try await write { database in
            // In order, so that the last version of a record stays.
            try database.run(
                """
                INSERT OR REPLACE INTO known (stream, id, time, hash, is_deleted)
                SELECT stream, id, time, hash, is_deleted FROM pending WHERE sequence <= ? ORDER BY sequence
                """, [sequence])
            try database.run("DELETE FROM pending WHERE sequence <= ?", [sequence])
            try database.run("UPDATE feed SET output = ?", [output])
        }
    }

    /// Notes where the output is before something is written to it.
    package func note(output: String) async throws {
        try await write { database in
            try database.run("UPDATE feed SET output = ? WHERE output IS NOT ?", [output, output])
        }
    }

    /// Where the output was when the last changes were confirmed; nil if that is unknown.
    package func output() async throws -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT output FROM feed WHERE output IS NOT NULL") }
    }
}

extension Database {
    /// Runs one statement, which is compiled once.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension [UInt8] {
    /// For a column of bytes.
    var data: Data { Data(self) }
}
