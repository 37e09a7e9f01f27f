package import CloverExport

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
        /// When the position was written, or the first window; in milliseconds since 1970.
        package var exportedAt: Int64

        /// Whether the position is later than the export that wrote it, so that others must have changed it.
        package var isForged: Bool { position.latest ?? .min > exportedAt &+ RangePlan.clockSlack }
    }

    /// The markers of all resources.
    ///
    /// A resource whose table the user dropped or emptied has none: it is exported from the beginning.
    ///
    /// - Parameter resources: the only resources of which this is so; nil for all.
    package func markers(restarting resources: [String]? = nil) throws(TableError) -> [Marker] {
        try store.write {
            for resource in try store.run("SELECT resource FROM clover_export").compactMap({ $0[0].text })
            where resources?.contains(resource) ?? true {
                // A table without known columns never was: no window had records.
                let name = Self.table(of: resource)
                let wasThere = try store.value(
                    "SELECT EXISTS (SELECT 1 FROM clover_export_columns WHERE table_name = $1)", .text(name))
                guard try wasThere.isTrue && isGone(name) else { continue }
                for table in ["clover_export", "clover_export_windows"] {
                    try store.run("DELETE FROM \(table) WHERE resource = $1", .text(resource))
                }
                try forgetDigest(of: name)
                try forgetCoverage(of: resource)
            }
            return try storedMarkers()
        }
    }

    /// The markers of all resources, as they are.
    func storedMarkers() throws -> [Marker] {
        let rows = try store.run(
            """
            SELECT resource, revision, bookmark, overlap, beginning, newest, content, form, form_words, parts,
                exported_at
            FROM clover_export ORDER BY resource
            """)
        return try rows.map { row in
            let resource = row[0].text ?? ""
            var windows: [String: Set<Int>] = [:]
            let done = try store.run(
                "SELECT \"plan\", \"window\" FROM clover_export_windows WHERE resource = $1", .text(resource))
            for window in done { windows[window[0].text ?? "", default: []].insert(Int(window[1].integer ?? 0)) }
            return Marker(
                resource: resource, revision: row[1].integer ?? 0, position: Self.position(row), windows: windows,
                exportedAt: row[10].integer ?? 0)
        }
    }

    /// From the columns that `markers` selects.
    private static func position(_ row: [SQLValue]) -> ExportPosition {
        var position = ExportPosition()
        position.bookmark = row[2].integer
        position.overlap = row[3].integer
        position.beginning = row[4].integer
        position.newest = row[5].integer
        position.content = row[6].text
        position.form = row[7].text.map { ExportForm(choice: $0, words: row[8].text ?? "") }
        for part in (row[9].text ?? "").split(separator: ",") {
            let words = part.split(separator: "=")
            if words.count == 2, let reached = Int64(words[1]) { position.parts[String(words[0])] = reached }
        }
        return position
    }

    /// Writes the position of a resource after a plan is done, and forgets the windows of finished plans.
    ///
    /// - Parameters:
    ///   - plans: the unfinished plans.
    ///   - isFull: whether everything was exported just now, so that the rows that this run wrote are right as
    ///     they are.
    ///   - coverage: what the run covered; nil if it proves nothing.
    ///   - now: milliseconds since 1970.
    package func keep(
        _ position: ExportPosition, of resource: String, plans: Set<String>, isFull: Bool = false,
        coverage: TableCoverage? = nil, now: Int64
    ) throws(TableError) {
        try store.write {
            if let coverage { try keep(coverage, of: resource) }
            if try isFull || coverage?.isWhole == true && isFirst(resource) {
                try renewDigests(of: Self.table(of: resource), ifLacking: !isFull)
            }
            try store.run(
                """
                UPDATE clover_export SET bookmark = $1, overlap = $2, beginning = $3, newest = $4, content = $5, form = $6,
                    form_words = $7, parts = $8, exported_at = $9
                WHERE resource = $10
                """,
                SQLValue(position.bookmark), SQLValue(position.overlap), SQLValue(position.beginning),
                SQLValue(position.newest), SQLValue(position.content), SQLValue(position.form?.choice),
                SQLValue(position.form?.words),
                .text(
                    position.parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")),
                // The clock may have been set back since the position was reached.
                .integer(max(now, position.latest ?? now)), .text(resource))
            let known = try store.run(
                "SELECT DISTINCT \"plan\" FROM clover_export_windows WHERE resource = $1", .text(resource))
            for plan in Set(known.compactMap { $0[0].text }).subtracting(plans) {
                try store.run(
                    "DELETE FROM clover_export_windows WHERE resource = $1 AND \"plan\" = $2", .text(resource),
                    .text(plan))
            }
            try updateViews()
        }
    }

    /// Whether no run has exported a resource to its end yet, or since its table was lost.
    private func isFirst(_ resource: String) throws -> Bool {
        try store.value(
            "SELECT bookmark IS NULL AND content IS NULL FROM clover_export WHERE resource = $1", .text(resource)
        ).isTrue
    }

    /// Marks a window as written, in the transaction that writes it.
    ///
    /// - Returns: false when it is written already: the answer to an earlier attempt was lost.
    /// - Throws: `.overtaken`.
    func mark(_ window: Window) throws -> Bool {
        let found = try store.value("SELECT revision FROM clover_export WHERE resource = $1", .text(window.resource))
        if found.integer == window.next { return false }
        guard found.integer == window.revision else {
            throw TableError.overtaken(path: path, resource: window.resource)
        }
        try store.run(
            """
            INSERT INTO clover_export (resource, revision, exported_at) VALUES ($1, $2, $3)
            ON CONFLICT (resource) DO UPDATE SET revision = excluded.revision
            """, .text(window.resource), .integer(window.next), .integer(window.now))
        try store.run(
            """
            INSERT INTO clover_export_windows (resource, "plan", "window") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
            """, .text(window.resource), .text(window.plan), .integer(Int64(window.number)))
        return true
    }

    /// Name of the table of a resource or `RESOURCE.PART`.
    package static func table(of resource: String) -> String {
        resource.split(separator: ".").map { TableColumn.name(of: $0) }.joined(separator: "__")
    }
}
