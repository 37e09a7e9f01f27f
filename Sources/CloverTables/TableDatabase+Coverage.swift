package import CloverExport

/// What the rows of a resource are complete for.
package struct TableCoverage: Sendable, Equatable {
    /// Records that were created before then may be missing; nil when none are. In milliseconds since 1970, as `to` is.
    package var from: Int64?
    /// The state of the records at that time is there.
    package var to: Int64
    /// The nested objects that the records have.
    package var expand: Set<String>
    /// Whether the run covered all of this, and not only what came after an earlier run.
    package var isWhole: Bool

    package init(from: Int64?, to: Int64, expand: Set<String>, isWhole: Bool) {
        self.from = from
        self.to = to
        self.expand = expand
        self.isWhole = isWhole
    }
}

extension TableDatabase {
    private static let coverageTable = OwnTable.coverage.name

    /// Writes what a finished run covered, in the transaction of `keep`. A run that continues an earlier one extends what that
    /// one covered; where nothing is known of an earlier one, it proves nothing.
    func keep(_ coverage: TableCoverage, of resource: String) throws {
        try OwnTable.coverage.make(in: store)
        if coverage.isWhole {
            try store.run("DELETE FROM \(Self.coverageTable) WHERE resource = $1", .text(resource))
            try store.run(
                "INSERT INTO \(Self.coverageTable) (resource, covered_from, covered_to, expand) VALUES ($1, $2, $3, $4)",
                .text(resource), SQLValue(coverage.from), .integer(coverage.to),
                .text(coverage.expand.sorted().joined(separator: ",")))
        } else {
            try store.run(
                "UPDATE \(Self.coverageTable) SET covered_to = $1 WHERE resource = $2 AND covered_to < $1",
                .integer(coverage.to), .text(resource))
        }
    }

    /// Forgets what the rows of a resource are complete for.
    func forgetCoverage(of resource: String) throws {
        guard try store.relation(Self.coverageTable) != nil else { return }
        try store.run("DELETE FROM \(Self.coverageTable) WHERE resource = $1", .text(resource))
    }

    /// Whether the table of a resource has as many rows as the exports left in it. What changed in them is for
    /// `export verify`.
    private func hasAllRows(_ resource: String) throws -> Bool {
        let table = Self.table(of: resource)
        guard let kept = try rowDigests.digest(of: table) else { return try store.relation(table) == nil }
        guard try store.relation(table) == .table else { return kept.rows == 0 }
        return try store.value("SELECT count(*) FROM \(store.schema)\(TableColumn.quoted(table))").integer == kept.rows
    }

    /// What the rows of each resource are complete for.
    fileprivate func coverages() throws -> [String: TableCoverage] {
        guard try store.relation(Self.coverageTable) == .table else { return [:] }
        var coverages: [String: TableCoverage] = [:]
        for row in try store.run("SELECT resource, covered_from, covered_to, expand FROM \(Self.coverageTable)") {
            guard let resource = row[0].text, let end = row[2].integer else { continue }
            coverages[resource] = TableCoverage(
                from: row[1].integer, to: end,
                expand: Set((row[3].text ?? "").split(separator: ",").map(String.init)), isWhole: true)
        }
        // A table that lost rows, or all of them, is complete for nothing.
        for resource in coverages.keys where try !hasAllRows(resource) { coverages[resource] = nil }
        return coverages
    }
}

/// The records in a database, as they were at one time.
///
/// Only valid within `TableDatabase.read`.
package struct TableSnapshot {
    /// Whose they are.
    package struct Owner: Sendable, Equatable {
        package var environment: String
        package var merchant: String
        /// ISO 4217 code; nil if unknown.
        package var currency: String?
        /// IANA name of the shop's time zone; nil if unknown.
        package var zone: String?
    }

    package let owner: Owner
    fileprivate let database: TableDatabase
    private var store: any TableStore { database.store }

    /// What the records of each resource are complete for. Counts the rows of their tables.
    package func coverages() throws -> [String: TableCoverage] { try database.coverages() }

    /// The number of records that are read at once.
    private static let batch = 1000

    /// The records of a resource that were created in a span of milliseconds since 1970, or all, in the order of their ids.
    /// Those that are marked as deleted are left out.
    package func records(
        of resource: String, created span: Range<Int64>? = nil, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws {
        guard let table = try Table(resource, store) else { return }
        var conditions = table.conditions
        var arguments: [SQLValue] = [.text("")]
        if let span {
            conditions.append("created_time >= $2 AND created_time < $3")
            arguments += [.integer(span.lowerBound), .integer(span.upperBound)]
        }
        let sql =
            "SELECT id, record FROM \(table.name) WHERE "
            + (["id > $1"] + conditions).joined(separator: " AND ") + " ORDER BY id LIMIT \(Self.batch)"
        while true {
            let rows = try store.run(sql, arguments)
            for row in rows { Self.pass(row[1], to: body) }
            guard rows.count == Self.batch, let last = rows.last else { return }
            arguments[0] = last[0]
        }
    }

    /// The records with these ids.
    package func records(of resource: String, ids: [String], _ body: (UnsafeRawBufferPointer) -> Void) throws {
        guard let table = try Table(resource, store) else { return }
        let sql =
            "SELECT record FROM \(table.name) WHERE " + (["id = $1"] + table.conditions).joined(separator: " AND ")
        for id in ids {
            for row in try store.run(sql, .text(id)) { Self.pass(row[0], to: body) }
        }
    }

    /// Those of these ids whose records are marked as deleted.
    package func deleted(of resource: String, ids: [String]) throws -> Set<String> {
        guard let table = try Table(resource, store), !table.conditions.isEmpty else { return [] }
        let sql = "SELECT id FROM \(table.name) WHERE id = $1 AND deleted_at IS NOT NULL"
        return Set(try ids.filter { try !store.run(sql, .text($0)).isEmpty })
    }

    private static func pass(_ record: SQLValue, to body: (UnsafeRawBufferPointer) -> Void) {
        guard var text = record.text else { return }
        text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// The table of a resource.
    private struct Table {
        let name: String
        let conditions: [String]

        /// Nil when there is none: no window had records.
        init?(_ resource: String, _ store: any TableStore) throws {
            let table = TableDatabase.table(of: resource)
            guard try store.relation(table) == .table else { return nil }
            name = store.schema + TableColumn.quoted(table)
            conditions = try store.columns(of: table)["deleted_at"] == nil ? [] : ["deleted_at IS NULL"]
        }
    }
}

extension TableDatabase {
    /// Reads from a database that is there, as it is at one time.
    ///
    /// - Throws: `.missing`; `.notExported` for a database that no export wrote to.
    package static func read<Value>(
        _ address: DatabaseAddress, _ body: (TableSnapshot) throws -> Value
    ) throws(TableError) -> Value {
        let database = try TableDatabase(reading: address)
        return try database.store.snapshot {
            guard try database.store.relation("clover_export_database") == .table,
                let row = try database.store.run(
                    "SELECT environment, merchant, currency, time_zone FROM clover_export_database"
                ).first
            else { throw TableError.notExported(path: database.path) }
            let owner = TableSnapshot.Owner(
                environment: row[0].text ?? "", merchant: row[1].text ?? "", currency: row[2].text, zone: row[3].text)
            return try body(TableSnapshot(owner: owner, database: database))
        }
    }
}
