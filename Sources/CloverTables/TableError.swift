/// Why a database cannot be used as a destination, or asked. `path` is that of an SQLite database, or the address of a
/// PostgreSQL database.
package enum TableError: Error, Equatable, Sendable {
    /// The file is not an SQLite database, or is damaged. It was left unchanged.
    case notDatabase(path: String)
    /// Not a regular file.
    case notFile(path: String)
    /// The directory that is to have the file does not exist.
    case noDirectory(path: String)
    /// The file, or its directory, cannot be written by this user; or the server takes no changes.
    case readOnly(path: String)
    /// A table or view of this name was not made by an export.
    case foreignTable(path: String, name: String)
    /// A column that an export needs was not made by one.
    case foreignColumn(path: String, table: String, name: String)
    /// A table of the export itself lacks a column.
    case lostColumn(path: String, table: String, name: String)
    /// A version whose rows of records without an id replaced each other wrote the table.
    case numberedRows(path: String, table: String)
    /// The database has another merchant's records.
    case otherMerchant(path: String, known: String, merchant: String)
    /// A newer program wrote to it.
    case newerVersion(path: String, found: Int, known: Int)
    /// Others held it for too long.
    case busy(path: String)
    /// The device has no room for more rows.
    case full(path: String)
    /// Another export wrote to it since this one began.
    case overtaken(path: String, resource: String)
    /// An error of the database: SQLite's extended result code (SQLite: result and error codes), or SQLSTATE
    /// (PostgreSQL: error codes), and its message.
    case failed(path: String, code: String, message: String)
    /// `export sql`: a program was killed while it wrote to the file, and what it left has to be undone first.
    case interrupted(path: String)
    /// There is no such file, or no such database on the server.
    case missing(path: String)
    /// No export wrote to the database.
    case notExported(path: String)
    /// `export sql`: the statement does not compile, or fails on a row.
    case badStatement(path: String, message: String)
    /// `export sql`: the statement writes, or returns no rows.
    case notQuery(path: String)
    /// libpq cannot be loaded.
    case libraryMissing(detail: String)
    /// libpq does not understand the address.
    case badAddress(path: String, message: String)
    /// The server cannot be reached, or the connection was lost: nothing of the transaction may be there, or all of it.
    case away(path: String, message: String)
    /// The server does not accept the user or the password.
    case refused(path: String, message: String, needsPassword: Bool)
    /// The user may not do this in the database.
    case notAllowed(path: String, message: String)
    /// The server's certificate cannot be checked, or the server has none.
    case notSecure(path: String, message: String)
    /// The rows of a window cannot be kept in a temporary file.
    case temporaryFile(folder: String, errno: Int32)
}
