import CloverCore
import CloverTables

extension ErrorReport {
    private static let otherFile = "choose another file: --to sqlite:FILE"

    /// Errors of an export to a database, and of `clover export sql`.
    init(_ error: TableError) {
        switch error {
        case .notDatabase(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate,
                message: "\(path) is not an SQLite database, or is damaged; it was left unchanged",
                hints: ["restore it from a backup: the export continues from there", Self.otherFile])
        case .notFile(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate, message: "\(path) is not a regular file",
                hints: [Self.otherFile])
        case .noDirectory(let path):
            self.init(
                code: "no_directory", status: .cannotCreate, message: "there is no directory \(path)",
                hints: ["create it first: mkdir -p \(path)", Self.otherFile])
        case .readOnly(let path):
            self.init(
                code: "export_file", status: .cannotCreate, message: "cannot write \(path): no permission",
                hints: ["make it, and the directory that it is in, writable for this user", Self.otherFile])
        case .foreignTable(let path, let name):
            self.init(
                code: "foreign_table", status: .cannotCreate,
                message: "\(path) has a table or view \(name) that no export made",
                hints: ["rename it: ALTER TABLE \(name) RENAME TO ...", Self.otherFile])
        case .otherMerchant(let path, let known, let merchant):
            self.init(
                code: "other_merchant", status: .configuration,
                message: "\(path) has the records of merchant \(known), and this run is for merchant \(merchant)",
                hints: [
                    "choose the sign-in with --profile or --merchant, or give each merchant a database: --to sqlite:FILE"
                ])
        case .newerVersion(let path, let found, let known):
            self.init(
                code: "newer_version", status: .configuration,
                message: "\(path) was written by a newer clover (tables of version \(found); this one knows \(known))",
                hints: ["install the newer clover", Self.otherFile])
        case .busy(let path):
            self.init(
                code: "database_busy", status: .tryAgain, message: "\(path) is locked by another program",
                hints: ["end the transaction there and run again: the next run continues with the same window"])
        case .full(let path):
            self.init(
                code: "export_file", status: .inputOutput,
                message: "cannot write \(path), or SQLite's temporary files: no space left on device",
                hints: [
                    "free some space and run again: what is written stays, and the next run continues from there",
                    "temporary files are in /var/tmp, or in SQLITE_TMPDIR",
                ])
        case .overtaken(let path, let resource):
            self.init(
                code: "lock_busy", status: .tryAgain,
                message: "another export wrote \(resource) to \(path) meanwhile; nothing of this window is written",
                hints: ["run again; let only one machine or user export to a database"])
        case .failed(let path, let code, let message):
            self.init(
                code: "database_failed", status: .inputOutput,
                message: "cannot use \(path): \(message) (SQLite error \(code))")
        case .interrupted(let path):
            self.init(
                code: "database_interrupted", status: .tryAgain,
                message:
                    "an export to \(path) was killed while it wrote; what it left must be undone before it can be read",
                hints: ["run the export again, which does that", "or open the file once: sqlite3 \(path) .tables"])
        case .missing(let path):
            self.init(
                code: "no_database", status: .notFound, message: "there is no file \(path)",
                hints: ["export to it first: clover export orders --to sqlite:\(path)"])
        case .badStatement(let message):
            self.init(
                code: "bad_statement", status: .usage, message: "the statement cannot be run: \(message)",
                hints: ["tables and columns: clover export sql DEST 'select name, sql from sqlite_schema'"])
        case .notQuery:
            self.init(
                code: "not_a_query", status: .usage,
                message:
                    "'export sql' runs one statement that reads; this one writes, or is more than one",
                hints: ["write one SELECT statement", "to change the database, use sqlite3"])
        }
    }
}
