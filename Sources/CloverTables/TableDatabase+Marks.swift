/// Sums over the marks of deleted records, which show whether others changed them.
///
/// They are apart from the sums of the rows, so that those of databases of earlier versions stay right. A table without
/// them has marks of an earlier version only, or none.
extension TableDatabase {
    private static let marked = "entry.deleted_at IS NOT NULL"

    var markDigests: KeptDigests { KeptDigests(.markDigests, in: store) }

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
        // Marks of an earlier version count as its exports'.
        try markDigests.begin(table) { try marks(of: table) }
        let before = try marks(of: table, where: condition)
        try change()
        let after = try marks(of: table, where: condition)
        try markDigests.add(after - before, to: table)
    }

    /// Takes the marks of a table as they are now for those of its exports.
    func renewMarks(of table: String) throws {
        guard try markDigests.digest(of: table) != nil, try store.columns(of: table)["deleted_at"] != nil
        else { return }
        try markDigests.keep(marks(of: table), of: table)
    }
}
