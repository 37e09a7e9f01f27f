/// Rows of exports that others deleted, as far as a run can see that fast.
extension TableDatabase {
    /// The number of rows that others deleted, by table. A table that is gone has lost all of them.
    ///
    /// The rows of a large table on a server are not counted unless this run found that it lacks some: of others, only one
    /// without any rows is noticed.
    ///
    /// - Parameter resources: the only resources to look at; nil for all.
    package func lostRows(of resources: [String]? = nil) throws(TableError) -> [String: Int64] {
        try store.snapshot {
            var lost: [String: Int64] = [:]
            for table in try rowDigests.tables() {
                if let resources, !resources.contains(where: { Self.isTable(table, of: $0) }) { continue }
                let count = try lostRowCount(of: table)
                if count > 0 { lost[table] = count }
            }
            return lost
        }
    }

    /// Takes what is left of the tables of these resources for what exports wrote, where others deleted rows. The rows are
    /// complete for nothing then.
    ///
    /// - Returns: the number of rows that others deleted, by table.
    package func acceptLostRows(of resources: [String]) throws(TableError) -> [String: Int64] {
        try store.write {
            var lost: [String: Int64] = [:]
            for resource in resources {
                for table in try rowDigests.tables() where Self.isTable(table, of: resource) {
                    let count = try lostRowCount(of: table, isExact: true)
                    guard count > 0 else { continue }
                    lost[table] = count
                    try forgetCoverage(of: resource)
                    if try store.relation(table) != .table {
                        try forgetDigest(of: table)
                        try store.run("DELETE FROM clover_export_columns WHERE table_name = $1", .text(table))
                    } else if try hasKey(table) {
                        try rowDigests.keep(digest(of: table), of: table)
                        try renewMarks(of: table)
                    }
                }
            }
            return lost
        }
    }

    /// Whether a table was dropped, or has lost all rows of exports.
    func isGone(_ table: String) throws -> Bool {
        guard try store.relation(table) == .table else { return true }
        guard let kept = try rowDigests.digest(of: table), kept.rows > 0 else { return false }
        return try !hasRows(table)
    }

    /// The number of rows of a table that others deleted; 0 for none.
    ///
    /// - Parameter isExact: whether to count its rows even if that takes long.
    func lostRowCount(of table: String, isExact: Bool = false) throws -> Int64 {
        guard let kept = try rowDigests.digest(of: table), kept.rows > 0 else { return 0 }
        guard try store.relation(table) == .table else { return kept.rows }
        let name = store.schema + TableColumn.quoted(table)
        guard try isExact || lacksRows[table] == true || store.countsFast(name) else {
            return try hasRows(table) ? 0 : kept.rows
        }
        let found = try store.value("SELECT count(*) FROM \(name)").integer ?? 0
        return max(0, kept.rows - found)
    }

    private func hasRows(_ table: String) throws -> Bool {
        try store.value("SELECT EXISTS (SELECT 1 FROM \(store.schema)\(TableColumn.quoted(table)))").isTrue
    }

    /// Whether it is the table of a resource, or of a nested list of it.
    private static func isTable(_ table: String, of resource: String) -> Bool {
        let root = Self.table(of: resource)
        return table == root || table.hasPrefix(root + "__")
    }
}
