/// Rows of records that the service no longer has. They stay, with the time at which that was found.
extension TableDatabase {
    private static let deleted = "deleted_at"
    private static let seen = OwnTable.seen.name

    /// Remembers the records of a window, in the transaction that writes it.
    ///
    /// - Parameter table: has their ids.
    func keepSeen(_ window: Window, in table: String) throws {
        try OwnTable.seen.make(in: store)
        try store.run(
            """
            INSERT INTO \(Self.seen) (resource, "plan", id) SELECT DISTINCT $1, $2, id FROM \(table) WHERE true
            ON CONFLICT DO NOTHING
            """, .text(window.resource), .text(window.plan))
    }

    /// Whether a table has the column for it, and not one of the user's with the same name.
    func hasDeletedColumn(_ table: RecordTable) throws -> Bool { try hasDeletedColumn(table.name) }

    private func hasDeletedColumn(_ table: String) throws -> Bool {
        try store.value(
            "SELECT EXISTS (SELECT 1 FROM clover_export_columns WHERE table_name = $1 AND column_name = $2 AND field = '')",
            .text(table), .text(Self.deleted)
        ).isTrue
    }

    private func addDeletedColumn(to table: String) throws {
        let name = store.schema + TableColumn.quoted(table)
        try store.run("ALTER TABLE \(name) ADD COLUMN \(Self.deleted) \(store.type(of: .utc))")
    }

    /// Adds the column again where others dropped it, or the table. The marks in it are lost.
    ///
    /// - Parameter columns: the columns that the table had.
    func restoreDeletedColumn(of table: RecordTable, _ columns: [String: String]) throws {
        guard !table.isList, columns[Self.deleted] == nil, try hasDeletedColumn(table) else { return }
        try addDeletedColumn(to: table.name)
    }

    /// The ids of rows, not marked yet, that no window of a plan had. Marks of those that it had are removed.
    package func unseen(_ resource: String, plan: String) throws(TableError) -> [String] {
        let table = Self.table(of: resource)
        return try store.write {
            guard try store.relation(table) == .table else { return [] }
            try OwnTable.seen.make(in: store)
            let isThere = try store.columns(of: table)[Self.deleted] != nil
            if try !hasDeletedColumn(table) {
                guard !isThere else {
                    throw TableError.foreignColumn(path: path, table: table, name: Self.deleted)
                }
                try store.run(
                    "INSERT INTO clover_export_columns (table_name, column_name, field) VALUES ($1, $2, '')",
                    .text(table), .text(Self.deleted))
            }
            if !isThere { try addDeletedColumn(to: table) }
            let name = store.schema + TableColumn.quoted(table)
            let isSeen =
                "EXISTS (SELECT 1 FROM \(Self.seen) AS seen WHERE resource = $1 AND \"plan\" = $2 AND seen.id = there.id)"
            try changeMarks(of: table) {
                try store.run(
                    """
                    UPDATE \(name) AS there SET \(Self.deleted) = NULL WHERE \(Self.deleted) IS NOT NULL AND \(isSeen)
                    """, .text(resource), .text(plan))
            }
            let rows = try store.run(
                "SELECT id FROM \(name) AS there WHERE \(Self.deleted) IS NULL AND NOT \(isSeen) ORDER BY id",
                .text(resource), .text(plan))
            // A record without an id has a hash in place of it.
            return rows.compactMap { $0[0].text }.filter { !$0.hasPrefix("#") }
        }
    }

    /// Marks rows as those of records that the service no longer has.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func markDeleted(_ ids: [String], of resource: String, now: Int64) throws(TableError) {
        let table = Self.table(of: resource)
        try store.write {
            if !ids.isEmpty {
                try changeMarks(of: table) {
                    for id in ids {
                        try store.run(
                            "UPDATE \(store.schema)\(TableColumn.quoted(table)) SET \(Self.deleted) = $1 WHERE id = $2",
                            .text(TimeText.utc(now)), .text(id))
                    }
                }
            }
            try store.run("DELETE FROM \(Self.seen) WHERE resource = $1", .text(resource))
            try updateViews()
        }
    }

    /// Removes the marks of records that are there again.
    ///
    /// - Parameter ids: the table that has their ids.
    func unmark(_ table: RecordTable, in ids: String) throws {
        guard try hasDeletedColumn(table) else { return }
        try changeMarks(of: table.name, where: "entry.id IN (SELECT id FROM \(ids))") {
            try store.run(
                """
                UPDATE \(store.name(of: table)) SET \(Self.deleted) = NULL
                WHERE \(Self.deleted) IS NOT NULL AND id IN (SELECT id FROM \(ids))
                """)
        }
    }
}
