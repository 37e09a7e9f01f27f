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

    /// Names of the columns, in order.
    package var columns: [String] { rows.columns }

    /// The next rows; nil at the end.
    package func next() throws(TableError) -> RecordBatch? { try rows.next() }
}

protocol DatabaseRows: AnyObject {
    var columns: [String] { get }
    func next() throws(TableError) -> RecordBatch?
}
