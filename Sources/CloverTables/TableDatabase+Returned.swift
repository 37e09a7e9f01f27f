/// Rows that others deleted, and that an export adds again.
///
/// The sums of a table have such a row twice: as it was, and as it is now. A run looks for them where a table has fewer rows
/// than exports left.
extension TableDatabase {
    /// Looks, before this run first writes to a table, whether others deleted rows of it.
    func lookForDeletedRows(of table: RecordTable) throws {
        guard lacksRows[table.name] == nil, let kept = try rowDigests.digest(of: table.name) else { return }
        let count = try store.value("SELECT count(*) FROM \(store.name(of: table))").integer ?? 0
        lacksRows[table.name] = count < kept.rows
    }

    /// The hashes of the keys of rows that are there before a write; none where no row is to be looked for.
    ///
    /// - Parameter condition: about the row `entry`.
    func knownKeys(of table: String, where condition: String) throws -> Set<Int64> {
        guard lacksRows[table] == true, !untraced.contains(table) else { return [] }
        return try Set(digests(of: table, where: condition).map(\.keys))
    }

    /// Notes the rows that a write added to a table that lacks some.
    ///
    /// - Parameters:
    ///   - condition: about the row `entry`: what was written.
    ///   - known: the hashes of the keys that were there before.
    func noteAddedRows(of table: String, where condition: String, except known: Set<Int64> = []) throws {
        guard lacksRows[table] == true, !untraced.contains(table) else { return }
        for row in try digests(of: table, where: condition)
        where !known.contains(row.keys) || added[table]?[row.keys] != nil {
            added[table, default: [:]][row.keys] = row
        }
        guard added[table]?.count ?? 0 > Self.maximumRows else { return }
        untraced.insert(table)
        added[table] = nil
    }

    /// Takes the rows that others deleted, and that this run added again, out of the sums that have them twice.
    ///
    /// The values of a row that came back as another version stay a difference: the sums do not show whether others changed
    /// further rows.
    func countReturnedRowsOnce() throws {
        for (table, rows) in added {
            guard let kept = try rowDigests.digest(of: table) else { continue }
            var lost = try kept - digest(of: table)
            guard let returned = Self.returned(among: Array(rows.values), lost: lost) else { continue }
            if returned.contents != lost.contents { lost.contents = 0 }
            try rowDigests.add(TableDigest() - lost, to: table)
        }
    }

    /// Maximum number of added rows; beyond it, an export of everything has to make the sums right.
    private static let maximumRows = 10_000
    /// Maximum number of attempts to choose one of them.
    private static let attempts = 100_000

    /// The sums of those rows whose keys are the lost ones.
    ///
    /// - Returns: nil when not all of them are among the rows, or when there are too many rows to find them.
    static func returned(among rows: [TableDigest], lost: TableDigest) -> TableDigest? {
        let all = rows.reduce(TableDigest(), +)
        let rest = all - lost
        guard lost.rows > 0, rest.rows >= 0 else { return nil }
        var attempts = Self.attempts
        if lost.rows <= rest.rows { return choice(of: lost, among: rows[...], &attempts) }
        return choice(of: rest, among: rows[...], &attempts).map { all - $0 }
    }

    /// The sums of as many rows as `sought` has, with the same keys; nil for none.
    private static func choice(
        of sought: TableDigest, among rows: ArraySlice<TableDigest>, _ attempts: inout Int
    ) -> TableDigest? {
        guard sought.rows > 0 else { return sought.keys == 0 ? TableDigest() : nil }
        var rows = rows
        while rows.count >= sought.rows, attempts > 0, let row = rows.popFirst() {
            attempts -= 1
            if let others = choice(of: sought - row, among: rows, &attempts) { return row + others }
        }
        return nil
    }
}
