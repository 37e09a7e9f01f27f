/// What can go wrong with a database of ours. Facts only: never a value of a row.
package enum StateDatabaseError: Error, Equatable, Sendable {
    /// The directory or the file cannot be used.
    case storage(StorageError)
    /// The file was written by a newer program: its version, and the newest that this one knows. It was left as it is.
    case newerVersion(path: String, found: Int, known: Int)
    /// An SQLite database, but not this one: the application id found. It was left as it is.
    case otherContent(path: String, applicationID: Int32)
    /// No SQLite database, or a broken one. It was left as it is.
    case damaged(path: String)
    /// Other processes held it for longer than anybody should.
    case busy(path: String)
    /// The device has no room for another row.
    case full(path: String)
    /// SQLite's extended result code (SQLite: result and error codes).
    case failed(path: String, code: Int32)
}

extension StateDatabaseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error):
            "\(error)"
        case .newerVersion(let path, let found, let known):
            "\(path) has version \(found), and this program knows versions up to \(known)"
        case .otherContent(let path, let applicationID):
            "\(path) is a database of something else (application id \(applicationID))"
        case .damaged(let path):
            "\(path) is damaged: it is no whole SQLite database"
        case .busy(let path):
            "\(path) is held by another process"
        case .full(let path):
            "cannot write \(path): no space left on device"
        case .failed(let path, let code):
            "cannot use \(path): SQLite error \(code)"
        }
    }
}
