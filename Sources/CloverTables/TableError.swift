/// Why a database cannot be used as a destination, or asked.
package enum TableError: Error, Equatable, Sendable {
    /// The file is not an SQLite database, or is damaged. It was left unchanged.
    case notDatabase(path: String)
    /// Not a regular file.
    case notFile(path: String)
    /// The directory that is to have the file does not exist.
    case noDirectory(path: String)
    /// The file, or its directory, cannot be written by this user.
    case readOnly(path: String)
    /// A table or view of this name was not made by an export.
    case foreignTable(path: String, name: String)
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
    /// SQLite's extended result code and message (SQLite: result and error codes).
    case failed(path: String, code: Int32, message: String)
    /// `export sql`: a program was killed while it wrote to the file, and what it left has to be undone first.
    case interrupted(path: String)
    /// There is no such file.
    case missing(path: String)
    /// `export sql`: the statement does not compile, or fails on a row.
    case badStatement(message: String)
    /// `export sql`: the statement writes, or returns no rows.
    case notQuery
}
