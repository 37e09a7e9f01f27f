package import CloverExport
import GRDB

/// How far each resource is exported, as the database says.
extension TableDatabase {
    /// What the database says of one resource.
    package struct Marker: Sendable, Equatable {
        package var resource: String
        /// Changes with each window that is written.
        package var revision: Int64
        package var position: ExportPosition
        /// Windows of unfinished plans that are written, by plan.
        package var windows: [String: Set<Int>]
    }

    /// The markers of all resources.
    ///
    /// A resource whose table the user dropped has none: it is exported from the beginning.
    package func markers() throws(TableError) -> [Marker] {
        try write { database in
            for resource in try String.fetchAll(database, sql: "SELECT resource FROM clover_export") {
                // A table without known columns never was: no window had records.
                let isDropped = try Bool.fetchOne(
                    database,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM clover_export_columns WHERE table_name = :name)
                            AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = :name)
                        """, arguments: ["name": Self.table(of: resource)])
                guard isDropped == true else { continue }
                for table in ["clover_export", "clover_export_windows"] {
                    try database.execute(sql: "DELETE FROM \(table) WHERE resource = ?", arguments: [resource])
                }
            }
            return try Row.fetchAll(database, sql: "SELECT * FROM clover_export ORDER BY resource").map { row in
                let resource: String = row["resource"]
                var windows: [String: Set<Int>] = [:]
                let done = try Row.fetchAll(
                    database, sql: "SELECT * FROM clover_export_windows WHERE resource = ?", arguments: [resource])
                for window in done { windows[window["plan"], default: []].insert(window["window"]) }
                return Marker(
                    resource: resource, revision: row["revision"], position: Self.position(row), windows: windows)
            }
        }
    }

    private static func position(_ row: Row) -> ExportPosition {
        var position = ExportPosition()
        position.bookmark = row["bookmark"]
        position.overlap = row["overlap"]
        position.beginning = row["beginning"]
        position.newest = row["newest"]
        position.content = row["content"]
        position.form = (row["form"] as String?).map { ExportForm(choice: $0, words: row["form_words"] ?? "") }
        for part in (row["parts"] as String).split(separator: ",") {
            let words = part.split(separator: "=")
            if words.count == 2, let reached = Int64(words[1]) { position.parts[String(words[0])] = reached }
        }
        return position
    }

    /// Writes the position of a resource after a plan is done, and forgets the windows of finished plans.
    ///
    /// - Parameters:
    ///   - plans: the unfinished plans.
    ///   - now: milliseconds since 1970.
    package func keep(
        _ position: ExportPosition, of resource: String, plans: Set<String>, now: Int64
    ) throws(TableError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE clover_export SET bookmark = ?, overlap = ?, beginning = ?, newest = ?, content = ?, form = ?,
                        form_words = ?, parts = ?, exported_at = ?
                    WHERE resource = ?
                    """,
                arguments: [
                    position.bookmark, position.overlap, position.beginning, position.newest, position.content,
                    position.form?.choice, position.form?.words,
                    position.parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ","),
                    now, resource,
                ])
            let known = try String.fetchSet(
                database, sql: "SELECT DISTINCT \"plan\" FROM clover_export_windows WHERE resource = ?",
                arguments: [resource])
            for plan in known.subtracting(plans) {
                try database.execute(
                    sql: "DELETE FROM clover_export_windows WHERE resource = ? AND \"plan\" = ?",
                    arguments: [resource, plan])
            }
        }
    }

    /// Marks a window as written, in the transaction that writes it.
    ///
    /// - Parameter known: the revision before it; nil for none.
    /// - Returns: the new revision.
    /// - Throws: `.overtaken`.
    func mark(
        _ window: Int, of plan: String, _ resource: String, after known: Int64?, now: Int64, _ database: Database
    ) throws -> Int64 {
        let found = try Int64.fetchOne(
            database, sql: "SELECT revision FROM clover_export WHERE resource = ?", arguments: [resource])
        guard found == known else { throw TableError.overtaken(path: path, resource: resource) }
        let revision = Int64.random(in: 1 ... .max)
        try database.execute(
            sql: """
                INSERT INTO clover_export (resource, revision, exported_at) VALUES (?, ?, ?)
                ON CONFLICT (resource) DO UPDATE SET revision = excluded.revision
                """, arguments: [resource, revision, now])
        try database.execute(
            sql: "INSERT OR IGNORE INTO clover_export_windows (resource, \"plan\", \"window\") VALUES (?, ?, ?)",
            arguments: [resource, plan, window])
        return revision
    }

    /// Name of the table of a resource or `RESOURCE.PART`.
    package static func table(of resource: String) -> String {
        resource.split(separator: ".").map { TableColumn.name(of: $0) }.joined(separator: "__")
    }
}
