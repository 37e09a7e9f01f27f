/// Sums over the marks of deleted records, which show whether others changed them.
///
/// They are apart from the sums of the rows, so that those of databases of earlier versions stay right. A table without
/// them has marks of an earlier version only, or none.
extension TableDatabase {
    private static let marks = "clover_export_marks"
    private static let marked = "entry.deleted_at IS NOT NULL"

    /// The sums as the last export left them; nil when they are not known.
    func keptMarks(of table: String) throws -> TableDigest? {
        guard try store.relation(Self.marks) == .table else { return nil }
        let found = try store.run(
            "SELECT row_count, key_sum, content_sum FROM \(Self.marks) WHERE table_name = $1", .text(table))
        return found.first.map { row in
            TableDigest(rows: row[0].integer ?? 0, keys: row[1].integer ?? 0, contents: row[2].integer ?? 0)
        }
    }

    /// The sums of the marks that are there.
    ///
    /// - Parameter condition: about the row `entry`.
    func marks(of table: String, where condition: String = "true") throws -> TableDigest {
        let types = try store.columns(of: table)
        return try store.digest(
            of: store.schema + TableColumn.quoted(table), keys: ["id"],
            columns: ["id", "deleted_at"].map { ($0, types[$0] ?? "") }, where: "\(Self.marked) AND \(condition)")
    }

    /// Changes marks, and the sums with them. What others changed before stays different from the sums.
    ///
    /// - Parameter condition: about the row `entry`: which rows may change.
    func changeMarks(of table: String, where condition: String = "true", _ change: () throws -> Void) throws {
        try beginMarks(of: table)
        let before = try marks(of: table, where: condition)
        try change()
        let after = try marks(of: table, where: condition)
        try keepMarks((keptMarks(of: table) ?? TableDigest()) + after - before, of: table)
    }

    /// Takes the marks of a table as they are now for those of its exports.
    func renewMarks(of table: String) throws {
        guard try keptMarks(of: table) != nil, try store.columns(of: table)["deleted_at"] != nil else { return }
        try keepMarks(marks(of: table), of: table)
    }

    func forgetMarks(of table: String) throws {
        guard try store.relation(Self.marks) == .table else { return }
        try store.run("DELETE FROM \(Self.marks) WHERE table_name = $1", .text(table))
    }

    private func beginMarks(of table: String) throws {
        if try store.relation(Self.marks) == nil {
            try store.makeOwnTables([
                """
                CREATE TABLE \(Self.marks) (
                    table_name TEXT NOT NULL,
                    row_count BIGINT NOT NULL,
                    key_sum BIGINT NOT NULL,
                    content_sum BIGINT NOT NULL,
                    PRIMARY KEY (table_name)
                )
                """
            ])
        }
        guard try keptMarks(of: table) == nil else { return }
        // Marks of an earlier version count as its exports'.
        try keepMarks(marks(of: table), of: table)
    }

    private func keepMarks(_ digest: TableDigest, of table: String) throws {
        try store.run(
            """
            INSERT INTO \(Self.marks) (table_name, row_count, key_sum, content_sum) VALUES ($1, $2, $3, $4)
            ON CONFLICT (table_name) DO UPDATE SET row_count = excluded.row_count, key_sum = excluded.key_sum,
                content_sum = excluded.content_sum
            """, .text(table), .integer(digest.rows), .integer(digest.keys), .integer(digest.contents))
    }
}
