import GRDB

/// Writing a window.
extension TableDatabase {
    /// A window that was read to its end.
    package struct Window: Sendable {
        package var resource: String
        /// Identifies the plan that the window belongs to.
        package var plan: String
        /// Number of the window in the plan.
        package var number: Int
        /// The resource's revision before it; nil before its first window.
        package var revision: Int64?
        /// Milliseconds since 1970.
        package var now: Int64

        package init(resource: String, plan: String, number: Int, revision: Int64?, now: Int64) {
            self.resource = resource
            self.plan = plan
            self.number = number
            self.revision = revision
            self.now = now
        }
    }

    /// Writes all rows that wait, together with the window's mark, in one transaction.
    ///
    /// A row is replaced by one of the same id unless it has a later time of change. The entries of its lists are replaced
    /// with it. Writing the same window again changes nothing.
    ///
    /// - Returns: the resource's new revision.
    package func commit(_ window: Window) throws(TableError) -> Int64 {
        let revision = try write { database in
            let revision = try mark(
                window.number, of: window.plan, window.resource, after: window.revision, now: window.now, database)
            // Records before their lists.
            let changed = try stages.first { !$0.root.isList }.map { try upsert($0, database) }
            for part in stages where part.root.isList {
                try replaceLists(part.root, of: part, parents: changed ?? named(by: part, database), database)
            }
            if !stages.isEmpty { try updateViews(database) }
            return revision
        }
        try discardStages()
        return revision
    }

    /// The records whose lists are replaced.
    private enum Changed {
        /// All of this temporary table, of which none was there before; nil for none at all.
        case new(stage: String?)
        /// Those whose ids are in this temporary table.
        case listed(table: String)

        /// The condition that an entry belongs to them.
        var isParent: String {
            switch self {
            case .new: "true"
            case .listed(let table): "parent_id IN (SELECT id FROM \(table))"
            }
        }
    }

    /// Puts the ids that a query gives into a temporary table, which is dropped with the stages.
    private func listed(_ query: String, _ database: Database) throws -> Changed {
        let table = nextTable("changed")
        try database.execute(sql: "CREATE TABLE \(table) (id TEXT PRIMARY KEY) WITHOUT ROWID")
        try database.execute(sql: "INSERT OR IGNORE INTO \(table) \(query)")
        return .listed(table: table)
    }

    /// Writes the records of a stage, and the lists in them.
    private func upsert(_ stage: TableStage, _ database: Database) throws -> Changed {
        let table = stage.root
        try makeTable(table, database)
        guard let staged = stage.tables[ObjectIdentifier(table)] else { return .new(stage: nil) }
        let name = TableColumn.quoted(table.name)
        let isKnown = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM \(staged.name) JOIN main.\(name) USING (id))")
        let time = table.columns.first { $0.field == RecordTable.modified }?.quoted
        try copy(staged, to: table, key: ["id"], newerBy: time, where: "true", database)
        var changed = Changed.new(stage: staged.name)
        if isKnown == true {
            let isOlder = time.map { "coalesce(there.\($0) > here.\($0), 0)" } ?? "0"
            changed = try listed(
                """
                SELECT here.id FROM \(staged.name) AS here JOIN main.\(name) AS there USING (id) WHERE NOT \(isOlder)
                """, database)
        }
        for list in table.lists { try replaceLists(list, of: stage, parents: changed, database) }
        return changed
    }

    /// The records that the entries of a stage name.
    private func named(by part: TableStage, _ database: Database) throws -> Changed {
        guard let staged = part.tables[ObjectIdentifier(part.root)] else { return .new(stage: nil) }
        return try listed("SELECT parent_id FROM \(staged.name)", database)
    }

    /// Writes the entries of a list in place of those that their records had before.
    private func replaceLists(
        _ list: RecordTable, of stage: TableStage, parents: Changed, _ database: Database
    ) throws {
        try makeTable(list, database)
        let name = TableColumn.quoted(list.name)
        let staged = stage.tables[ObjectIdentifier(list)]
        var parents = parents
        if case .new(let records?) = parents {
            // Entries of records that were removed.
            let hasEntries = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM \(records) AS record JOIN main.\(name) AS entry ON entry.parent_id = record.id)
                    """)
            if hasEntries == true { parents = try listed("SELECT id FROM \(records)", database) }
        }
        if case .listed = parents {
            var isGone = "true"
            if let staged {
                try database.execute(
                    sql: "CREATE INDEX \(nextTable("entries")) ON \(staged.name.dropFirst(5)) (parent_id, id)")
                isGone = """
                    NOT EXISTS (SELECT 1 FROM \(staged.name) AS kept
                        WHERE kept.parent_id = entry.parent_id AND kept.id = entry.id)
                    """
            }
            try delete(list, where: "\(parents.isParent) AND \(isGone)", database)
        }
        if let staged {
            try copy(staged, to: list, key: ["parent_id", "id"], newerBy: nil, where: parents.isParent, database)
        }
        guard !list.lists.isEmpty else { return }
        var entries = Changed.new(stage: staged?.name)
        if case .listed = parents {
            entries = try listed("SELECT id FROM main.\(name) WHERE \(parents.isParent)", database)
        }
        for inner in list.lists { try replaceLists(inner, of: stage, parents: entries, database) }
    }

    /// Deletes entries of a list with everything in them.
    ///
    /// - Parameter condition: about the row `entry`.
    private func delete(_ list: RecordTable, where condition: String, _ database: Database) throws {
        let name = TableColumn.quoted(list.name)
        for inner in list.lists {
            try makeTable(inner, database)
            try delete(
                inner, where: "parent_id IN (SELECT id FROM main.\(name) AS entry WHERE \(condition))", database)
        }
        try database.execute(sql: "DELETE FROM main.\(name) AS entry WHERE \(condition)")
    }

    /// Copies staged rows. A row that is there already is changed only where it differs.
    ///
    /// - Parameters:
    ///   - time: column that says which of two rows is newer; nil when the staged row always is.
    ///   - condition: which staged rows.
    private func copy(
        _ staged: TableStage.Staged, to table: RecordTable, key: [String], newerBy time: String?,
        where condition: String, _ database: Database
    ) throws {
        let columns = table.columns.map(\.quoted)
        let names = columns.joined(separator: ", ")
        let values = table.columns.filter { !key.contains($0.name) }.map(\.quoted)
        let differs =
            "(\(values.map { "row.\($0)" }.joined(separator: ", "))) IS NOT "
            + "(\(values.map { "excluded.\($0)" }.joined(separator: ", ")))"
        let isNewer = time.map { "coalesce(excluded.\($0) >= row.\($0), 1) AND " } ?? ""
        try database.execute(
            sql: """
                INSERT INTO main.\(TableColumn.quoted(table.name)) AS row (\(names))
                SELECT \(names) FROM \(staged.name) WHERE \(condition)
                ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
                SET \(values.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                WHERE \(isNewer)\(differs)
                """)
    }

    /// Creates a table, or adds the columns that it does not have yet. It never changes or drops one.
    private func makeTable(_ table: RecordTable, _ database: Database) throws {
        let name = TableColumn.quoted(table.name)
        let there = try String.fetchSet(
            database, sql: "SELECT lower(name) FROM pragma_table_info(?)", arguments: [table.name])
        if there.isEmpty {
            let columns = table.columns.map { column in
                "    \(column.quoted) \(column.declaration)\(Self.isKey(column) ? " NOT NULL" : "")"
            }
            let key = table.isList ? "parent_id, id" : "id"
            try database.execute(
                sql: "CREATE TABLE main.\(name) (\n\(columns.joined(separator: ",\n")),\n    PRIMARY KEY (\(key))\n)")
        } else {
            for column in table.columns where !there.contains(column.name) {
                try database.execute(sql: "ALTER TABLE main.\(name) ADD COLUMN \(column.quoted) \(column.declaration)")
            }
        }
        guard there.isEmpty || table.columns.contains(where: { !there.contains($0.name) }) else { return }
        for column in table.columns {
            try database.execute(
                sql: "INSERT OR IGNORE INTO clover_export_columns (table_name, column_name, field) VALUES (?, ?, ?)",
                arguments: [table.name, column.name, column.field])
        }
        for column in table.columns where Self.isIndexed(column) && !there.contains(column.name) {
            let index = TableColumn.quoted("\(table.name)_\(column.name)")
            try database.execute(sql: "CREATE INDEX IF NOT EXISTS main.\(index) ON \(name) (\(column.quoted))")
        }
    }

    private static func isKey(_ column: TableColumn) -> Bool {
        column.kind == .parent || column.name == "id" || column.kind == .record
    }

    /// Whether joins and reports look for it.
    private static func isIndexed(_ column: TableColumn) -> Bool {
        indexed.contains(column.field) && column.kind != .utc && column.kind != .local
    }

    private static let indexed: Set<String> = [
        "order.id", "orderRef.id", "payment.id", "item.id", "createdTime",
    ]
}
