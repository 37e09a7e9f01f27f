/// Sums over the rows of a table, which show whether others changed it since an export wrote to it.
///
/// They are kept in the table `clover_export_tables`, in the transaction that writes the rows. They do not depend on the
/// order of rows, and a column without a value adds nothing, so that new columns leave them as they are.
package struct TableDigest: Sendable, Equatable {
    package var rows: Int64 = 0
    /// Sum of the hashes of the rows' keys.
    var keys: Int64 = 0
    /// Sum of the hashes of the rows' values in all columns that exports made.
    var contents: Int64 = 0

    static func + (one: Self, other: Self) -> Self {
        Self(
            rows: one.rows &+ other.rows, keys: one.keys &+ other.keys, contents: one.contents &+ other.contents)
    }

    static func - (one: Self, other: Self) -> Self {
        Self(
            rows: one.rows &- other.rows, keys: one.keys &- other.keys, contents: one.contents &- other.contents)
    }

    /// A number for a column, by which equal values of two columns have different hashes.
    static func seed(of column: String) -> Int64 {
        let hash = column.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int64(hash >> 1)
    }
}

/// A table of the export itself with the sums of other tables, one row for each.
struct KeptDigests {
    let store: any TableStore
    let own: OwnTable
    private var name: String { own.name }

    init(_ own: OwnTable, in store: any TableStore) {
        self.own = own
        self.store = store
    }

    /// The sums of a table as the last export left them; nil when they are not known.
    func digest(of table: String) throws -> TableDigest? {
        guard try store.relation(name) == .table else { return nil }
        let found = try store.run(
            "SELECT row_count, key_sum, content_sum FROM \(name) WHERE table_name = $1", .text(table))
        return found.first.map { row in
            TableDigest(rows: row[0].integer ?? 0, keys: row[1].integer ?? 0, contents: row[2].integer ?? 0)
        }
    }

    /// Begins to keep the sums of a table, with those that it has now, unless they are kept already.
    func begin(_ table: String, _ present: () throws -> TableDigest) throws {
        try own.make(in: store)
        guard try digest(of: table) == nil else { return }
        try keep(present(), of: table)
    }

    func keep(_ digest: TableDigest, of table: String) throws {
        try store.run(
            """
            INSERT INTO \(name) (table_name, row_count, key_sum, content_sum) VALUES ($1, $2, $3, $4)
            ON CONFLICT (table_name) DO UPDATE SET row_count = excluded.row_count, key_sum = excluded.key_sum,
                content_sum = excluded.content_sum
            """, .text(table), .integer(digest.rows), .integer(digest.keys), .integer(digest.contents))
    }

    func add(_ change: TableDigest, to table: String) throws {
        try keep((digest(of: table) ?? TableDigest()) + change, of: table)
    }

    func forget(_ table: String) throws {
        guard try store.relation(name) == .table else { return }
        try store.run("DELETE FROM \(name) WHERE table_name = $1", .text(table))
    }

    /// Tables whose sums are kept, sorted.
    func tables() throws -> [String] {
        guard try store.relation(name) == .table else { return [] }
        return try store.run("SELECT table_name FROM \(name)").compactMap { $0[0].text }.sorted()
    }
}

extension TableDatabase {
    /// The sums of the rows of tables.
    var rowDigests: KeptDigests { KeptDigests(.rowDigests, in: store) }

    /// The sums of the types of columns, which the sums of rows do not show where a column has no value.
    var typeDigests: KeptDigests { KeptDigests(.typeDigests, in: store) }

    /// The sums of the types of these columns of a table, as far as they are there.
    func types(of table: String, _ columns: some Sequence<String>) throws -> TableDigest {
        let types = try store.columns(of: table)
        var digest = TableDigest()
        for name in columns {
            guard let type = types[name] else { continue }
            digest.rows += 1
            digest.keys &+= TableDigest.seed(of: name)
            digest.contents &+= TableDigest.seed(of: "\(name) \(type)")
        }
        return digest
    }

    /// Begins to keep the sums of a table that is about to be written to, and has been created by now.
    func beginDigest(of table: RecordTable) throws {
        // Rows of an earlier version count as its exports'.
        try rowDigests.begin(table.name) { try isEmpty(table) ? TableDigest() : digest(of: table.name) }
        try lookForDeletedRows(of: table)
    }

    /// Takes the rows of a resource and its lists as they are now for those of its exports, in the tables that this run wrote
    /// to.
    ///
    /// - Parameter ifLacking: whether to leave out tables that have as many rows as exports left.
    func renewDigests(of resource: String, ifLacking: Bool = false) throws {
        for table in try rowDigests.tables() where table == resource || table.hasPrefix(resource + "__") {
            guard written.contains(table), try store.relation(table) == .table, try hasKey(table) else { continue }
            if ifLacking, try lostRowCount(of: table) == 0 { continue }
            try rowDigests.keep(digest(of: table), of: table)
            try typeDigests.keep(types(of: table, ownColumns(of: table)), of: table)
            try renewMarks(of: table)
        }
    }

    func forgetDigest(of table: String) throws {
        try markDigests.forget(table)
        try typeDigests.forget(table)
        try rowDigests.forget(table)
    }

    /// The sums of the rows of a table.
    ///
    /// - Parameter condition: about the row `entry`.
    func digest(of table: String, where condition: String = "true") throws -> TableDigest {
        let columns = try digestColumns(of: table)
        return try store.digest(
            of: store.schema + TableColumn.quoted(table), keys: Self.key(columns.map(\.name)), columns: columns,
            where: condition)
    }

    /// The sums of each row by itself.
    ///
    /// - Parameter condition: about the row `entry`.
    func digests(of table: String, where condition: String) throws -> [TableDigest] {
        let columns = try digestColumns(of: table)
        return try store.digests(
            of: store.schema + TableColumn.quoted(table), keys: Self.key(columns.map(\.name)), columns: columns,
            where: condition)
    }

    private func digestColumns(of table: String) throws -> [(name: String, type: String)] {
        let types = try store.columns(of: table)
        return try ownColumns(of: table).compactMap { name in types[name].map { (name: name, type: $0) } }
    }

    /// The columns with what exports read, sorted.
    func ownColumns(of table: String) throws -> [String] {
        // The mark of deleted records is no part of them.
        try store.run(
            """
            SELECT column_name FROM clover_export_columns
            WHERE table_name = $1 AND NOT (column_name = 'deleted_at' AND field = '')
            """, .text(table)
        ).compactMap { $0[0].text }.sorted()
    }

    /// Whether the columns that identify a row are known: others may have deleted them from the list of columns.
    func hasKey(_ table: String) throws -> Bool {
        let names = try ownColumns(of: table)
        return Set(Self.key(names)).isSubset(of: names)
    }

    static func key(_ columns: [String]) -> [String] { columns.contains("parent_position") ? entryKey : ["id"] }
}
