package import CloverExport

/// Checks that a database is as the exports left it. Nothing is changed.
extension TableDatabase {
    package struct Verification: Sendable {
        package var findings: [ExportFinding] = []
        /// Id of the destination in the state; nil for a database that no export wrote to.
        package var identifier: String?
        /// Whether exports wrote to the database, and others deleted its id.
        package var hasLostIdentifier = false
        /// How far each resource is exported.
        package var markers: [Marker] = []
        package var tables = 0
        package var rows: Int64 = 0

        package init(findings: [ExportFinding] = []) { self.findings = findings }
    }

    /// Reads all tables in one snapshot.
    ///
    /// - Throws: why the database cannot be read at all.
    package static func verify(_ address: DatabaseAddress) throws(TableError) -> Verification {
        try TableDatabase(reading: address).verification()
    }

    private func verification() throws(TableError) -> Verification {
        var result = Verification()
        do {
            try store.snapshot {
                if let damage = try store.damage() {
                    result.findings.append(
                        ExportFinding(.unreadable, file: path, "the file is damaged: \(damage)"))
                }
                if try hasOwnTables() { try check(&result) }
            }
        } catch {
            // Damage that is found already hides the rest.
            guard case .notDatabase = error, !result.findings.isEmpty else { throw error }
        }
        return result
    }

    private func check(_ result: inout Verification) throws {
        switch try ownDamage() {
        case .lostColumn(_, let table, let column)?:
            return result.findings.append(
                ExportFinding(
                    .unreadable, file: table,
                    "the table \(table) has lost the column \(column); after DROP TABLE \(table), the next run makes it again"
                ))
        case .foreignTable(_, let name)?:
            return result.findings.append(
                ExportFinding(.unreadable, file: name, "something else is in the place of the table \(name)"))
        default: break
        }
        let gone = try OwnTable.always.map(\.name).filter { try store.relation($0) == nil }
        result.findings += gone.map { ExportFinding(.identity, file: $0, "the table \($0) is gone") }
        if !gone.contains(OwnTable.database.name) {
            result.identifier = try store.value("SELECT id FROM clover_export_database").text
            if result.identifier == nil {
                result.findings.append(
                    ExportFinding(
                        .identity, file: OwnTable.database.name,
                        "clover_export_database has lost its row, which the next run writes again"))
            }
        }
        result.hasLostIdentifier = result.identifier == nil
        guard gone.allSatisfy({ $0 == OwnTable.database.name }) else { return }
        result.markers = try storedMarkers()
        result.findings += result.markers.filter(\.isForged).map { marker in
            ExportFinding(
                .changed, file: OwnTable.markers.name, resource: marker.resource,
                "others changed clover_export: \(marker.resource) is exported up to "
                    + "\(TimeText.utc(marker.position.latest ?? 0)) by it, later than the export that wrote it")
        }
        let known = try rowDigests.tables()
        let made = try store.run("SELECT DISTINCT table_name FROM clover_export_columns").compactMap { $0[0].text }
        var damaged: Set<String> = []
        for table in Set(known + made).sorted() {
            result.tables += 1
            let findings = try check(table, &result.rows)
            if !findings.isEmpty { damaged.insert(table) }
            result.findings += findings
            // Entries of records that were never exported are as the exports left them, so the records must be damaged.
            guard let parent = Self.parent(of: table), damaged.contains(parent) else { continue }
            if let finding = try orphans(of: table, parent) { result.findings.append(finding) }
        }
        let marked = Set(result.markers.map { Self.table(of: $0.resource) })
        for table in Set(known + made).sorted() where Self.parent(of: table) == nil && !marked.contains(table) {
            result.findings.append(
                ExportFinding(
                    .identity, file: table,
                    "clover_export has lost the row of \(table), so the next run would start over"))
        }
        result.findings += try missingViews()
    }

    /// The table of the records that the entries of a list belong to; nil for a table of records.
    private static func parent(of table: String) -> String? {
        table.ranges(of: "__").last.map { String(table[..<$0.lowerBound]) }
    }

    private func check(_ table: String, _ rows: inout Int64) throws -> [ExportFinding] {
        guard let kept = try rowDigests.digest(of: table) else {
            return [
                ExportFinding(.manifest, file: table, "clover_export_tables has lost the row of \(table)")
            ]
        }
        guard try store.relation(table) == .table else {
            let count = "\(kept.rows) \(kept.rows == 1 ? "row" : "rows")"
            return [ExportFinding(.missing, file: table, "the table \(table), which had \(count), is gone")]
        }
        let columns = try store.columns(of: table)
        guard try hasKey(table) else {
            return [
                ExportFinding(
                    .unreadable, file: table,
                    "clover_export_columns has lost the columns of \(table), so that its rows cannot be compared")
            ]
        }
        let lost = try ownColumns(of: table).filter { columns[$0] == nil }
        let findings = lost.map { ExportFinding(.changed, file: table, "the table \(table) has lost the column \($0)") }
        guard Self.key(lost + columns.keys).allSatisfy({ columns[$0] != nil }) else { return findings }
        let found = try digest(of: table)
        rows += found.rows
        let (kind, sentence): (ExportFinding.Kind, String)
        if found.rows < kept.rows {
            kind = .shortened
            // Later exports may have written some of them again, so how many there were before is not known.
            let lost = kept.rows - found.rows
            sentence = "others deleted \(lost) \(lost == 1 ? "row" : "rows") of \(table), which now has \(found.rows)"
        } else if found.keys != kept.keys || found.rows != kept.rows {
            kind = .keys
            sentence =
                "\(table) has \(found.rows) rows, and exports left \(kept.rows) with other ids: others added rows, and "
                + "may have deleted some"
        } else if lost.isEmpty, found.contents != kept.contents {
            kind = .changed
            sentence = "others changed rows of \(table)"
        } else if lost.isEmpty, let types = try typeDigests.digest(of: table),
            try types != self.types(of: table, ownColumns(of: table))
        {
            kind = .changed
            sentence = "others changed the type of a column of \(table)"
        } else if try hasChangedMarks(table, columns) {
            kind = .changed
            sentence = "others changed deleted_at in rows of \(table)"
        } else {
            return findings
        }
        return findings + [ExportFinding(kind, file: table, sentence)]
    }

    /// Whether others changed the marks of deleted records.
    private func hasChangedMarks(_ table: String, _ columns: [String: String]) throws -> Bool {
        guard let kept = try markDigests.digest(of: table) else { return false }
        return try columns["deleted_at"] == nil || marks(of: table) != kept
    }

    private func orphans(of table: String, _ parent: String) throws -> ExportFinding? {
        guard try store.relation(table) == .table, try store.relation(parent) == .table,
            try store.columns(of: table)["parent_id"] != nil, try store.columns(of: parent)["id"] != nil
        else { return nil }
        let (entries, records) = (TableColumn.quoted(table), TableColumn.quoted(parent))
        let count = try store.value(
            """
            SELECT count(*) FROM \(store.schema)\(entries) AS entry
            WHERE NOT EXISTS (SELECT 1 FROM \(store.schema)\(records) AS record WHERE record.id = entry.parent_id)
            """)
        guard let count = count.integer, count > 0 else { return nil }
        return ExportFinding(
            .orphan, file: table,
            "\(count) \(count == 1 ? "row" : "rows") of \(table) \(count == 1 ? "belongs" : "belong") to no row of \(parent)"
        )
    }
}
