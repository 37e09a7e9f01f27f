/// A table in which exports keep what they know of the database. It is created where there is none of its name.
struct OwnTable: Sendable {
    let name: String
    /// The columns, each with its type.
    let columns: KeyValuePairs<String, String>
    /// The columns of its key.
    let key: [String]

    /// Creates the table if nothing has its name.
    func make(in store: any TableStore) throws {
        guard try store.relation(name) == nil else { return }
        let columns = columns.map { "    \(TableColumn.quoted($0.key)) \($0.value)" }
        let key = "    PRIMARY KEY (\(key.map { TableColumn.quoted($0) }.joined(separator: ", ")))"
        try store.makeOwnTable("CREATE TABLE \(name) (\n\((columns + [key]).joined(separator: ",\n"))\n)")
    }

    /// Whose the database is: one row.
    static let database = OwnTable(
        name: "clover_export_database",
        columns: [
            "id": "TEXT NOT NULL", "version": "INTEGER NOT NULL", "environment": "TEXT NOT NULL",
            "merchant": "TEXT NOT NULL", "currency": "TEXT", "decimals": "INTEGER", "time_zone": "TEXT",
        ], key: ["id"])

    /// How far each resource is exported.
    static let markers = OwnTable(
        name: "clover_export",
        columns: [
            "resource": "TEXT NOT NULL", "revision": "BIGINT NOT NULL", "bookmark": "BIGINT", "overlap": "BIGINT",
            "beginning": "BIGINT", "newest": "BIGINT", "content": "TEXT", "form": "TEXT", "form_words": "TEXT",
            "parts": "TEXT NOT NULL DEFAULT ''", "exported_at": "BIGINT NOT NULL",
        ], key: ["resource"])

    /// The windows of unfinished plans that are written.
    private static let windows = OwnTable(
        name: "clover_export_windows",
        columns: ["resource": "TEXT NOT NULL", "plan": "TEXT NOT NULL", "window": "INTEGER NOT NULL"],
        key: ["resource", "plan", "window"])

    /// The columns that exports made.
    private static let columns = OwnTable(
        name: "clover_export_columns",
        columns: ["table_name": "TEXT NOT NULL", "column_name": "TEXT NOT NULL", "field": "TEXT NOT NULL"],
        key: ["table_name", "column_name"])

    /// The views that exports made.
    private static let views = OwnTable(
        name: "clover_export_views", columns: ["name": "TEXT NOT NULL", "definition": "TEXT NOT NULL"], key: ["name"])

    /// What the rows of each resource are complete for.
    static let coverage = OwnTable(
        name: "clover_export_coverage",
        columns: [
            "resource": "TEXT NOT NULL", "covered_from": "BIGINT", "covered_to": "BIGINT NOT NULL",
            "expand": "TEXT NOT NULL",
        ], key: ["resource"])

    /// The records that the windows of a plan had.
    static let seen = OwnTable(
        name: "clover_export_seen",
        columns: ["resource": "TEXT NOT NULL", "plan": "TEXT NOT NULL", "id": "TEXT NOT NULL"],
        key: ["resource", "plan", "id"])

    /// The sums of the rows of tables.
    static let rowDigests = digests("clover_export_tables")
    /// The sums of the types of their columns.
    static let typeDigests = digests("clover_export_types")
    /// The sums of the marks of deleted records.
    static let markDigests = digests("clover_export_marks")

    private static func digests(_ name: String) -> OwnTable {
        OwnTable(
            name: name,
            columns: [
                "table_name": "TEXT NOT NULL", "row_count": "BIGINT NOT NULL", "key_sum": "BIGINT NOT NULL",
                "content_sum": "BIGINT NOT NULL",
            ], key: ["table_name"])
    }

    /// Those that each run creates. The others begin with what they are for.
    static let always = [database, markers, windows, columns, views]
    static let all = always + [coverage, seen, rowDigests, typeDigests, markDigests]
}

extension TableDatabase {
    /// Whether exports wrote to the database, whatever others did to its tables.
    package func hasExports() throws(TableError) -> Bool { try store.access { try hasOwnTables() } }

    func hasOwnTables() throws -> Bool { try OwnTable.all.contains { try store.relation($0.name) == .table } }

    /// What others did to the export's own tables so that no run can use them; nil for nothing. Those that are gone are
    /// created again.
    func ownDamage() throws -> TableError? {
        for table in OwnTable.all {
            guard let found = try store.relation(table.name) else { continue }
            guard found == .table else { return .foreignTable(path: path, name: table.name) }
            let there = try store.columns(of: table.name)
            for (name, _) in table.columns where there[name] == nil {
                return .lostColumn(path: path, table: table.name, name: name)
            }
        }
        return nil
    }
}
