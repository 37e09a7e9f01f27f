package import CloverExport
package import CloverJSON

/// The rows of one statement that only reads, as records. Numbers are JSON numbers, binary data its hexadecimal digits, and
/// JSON of PostgreSQL is itself.
///
/// All methods block; one thread at a time may use it.
package final class DatabaseQuery: @unchecked Sendable {
    private let rows: any DatabaseRows

    /// - Throws: `.missing`, `.badStatement`, `.notQuery`, and why the database cannot be used.
    package init(_ address: DatabaseAddress, _ sql: String) throws(TableError) {
        rows =
            switch address {
            case .sqlite(let path): try SQLiteQuery(path, sql)
            case .postgreSQL(let url): try PostgreSQLQuery(url, sql)
            }
    }

    /// Names of the columns, in order. Those that the statement gives several columns have a number after the first one:
    /// `id`, `id_2`.
    package var columns: [String] { Self.distinct(rows.columns) }

    /// Names that the statement does not have.
    package var newNames: [String] { zip(rows.columns, columns).filter { $0 != $1 }.map { $1 } }

    /// Names of which each is there once. None is replaced by one that another column has.
    static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names)
        var seen: Set<String> = []
        return names.map { name in
            guard !seen.insert(name).inserted else { return name }
            var number = 2
            while !taken.insert("\(name)_\(number)").inserted { number += 1 }
            return "\(name)_\(number)"
        }
    }

    /// The next rows; nil at the end.
    package func next() throws(TableError) -> RecordBatch? { try rows.next() }
}

protocol DatabaseRows: AnyObject {
    /// Names of the columns as the statement has them.
    var columns: [String] { get }
    func next() throws(TableError) -> RecordBatch?
}
