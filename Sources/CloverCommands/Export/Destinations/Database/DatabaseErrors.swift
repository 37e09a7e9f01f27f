import ArgumentParser
import CloverCore
import CloverExport
import CloverTables
import Glibc

extension DatabaseAddress {
    /// The database that a word of the command line names; nil for none.
    ///
    /// - Parameter option: what the word stands for, such as `--to`.
    static func parsed(_ text: String, of option: String) throws(ValidationError) -> DatabaseAddress? {
        do throws(Fault) {
            return try DatabaseAddress(parsing: text)
        } catch .noFile {
            throw ValidationError("\(option) sqlite: takes a file, such as sqlite:shop.db or sqlite:/srv/shop.db")
        } catch {
            // Without the address, which would show it once more.
            throw ValidationError(
                "\(option) takes no password: other programs of this machine see the words of a command; write it to "
                    + "~/.pgpass as HOST:PORT:DATABASE:USER:PASSWORD (chmod 600), or set PGPASSWORD")
        }
    }

    /// Checks a word of the command line that names a directory, an object store or a database.
    static func check(_ text: String?, of option: String) throws(ValidationError) {
        if let text, try ObjectAddress.parsed(text, of: option) != nil { return }
        if let text, text.lowercased().hasPrefix("s3:") {
            throw ValidationError(
                "\(option) takes an object store as s3://BUCKET/PREFIX; for a directory of that name, begin with ./")
        }
        if let text, let file = fileName(text, [".csv", ".tsv", ".json", ".ndjson", ".jsonl", ".xlsx", ".parquet"]) {
            throw ValidationError(
                "'\(text)' looks like a file, and an export writes a directory; for one file: clover get RESOURCE --all "
                    + "-o \(file); for a directory of that name, begin with ./")
        }
        if let text, let file = fileName(text, [".db", ".sqlite", ".sqlite3"]) {
            throw ValidationError(
                "'\(text)' looks like a database and not like a directory; did you mean \(sqliteScheme)\(file)? For a "
                    + "directory of that name, begin with ./")
        }
        guard let text, isMeant(by: text) else { return try OutputPath.check(text, of: option) }
        _ = try parsed(text, of: option)
    }

    /// A path that ends with one of `suffixes`, and names no directory; nil for any other.
    private static func fileName(_ text: String, _ suffixes: [String]) -> String? {
        guard suffixes.contains(where: text.lowercased().hasSuffix), !text.hasPrefix("./"), !isMeant(by: text)
        else { return nil }
        var facts = stat()
        return stat(text, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR ? nil : text
    }
}

extension DatabaseAddress {
    /// PostgreSQL's own command that shows whether a server accepts connections; nil for a file.
    static func check(ofServer name: String) -> String? {
        name.hasPrefix("postgres") ? "pg_isready -d \(ShellWord.quoted(name))" : nil
    }
}

extension ErrorReport {
    private static let otherFile = "choose another file: sqlite:FILE"
    private static func isServer(_ path: String) -> Bool { DatabaseAddress.isMeant(by: path) }
    private static func address(_ path: String) -> String { isServer(path) ? path : "sqlite:\(path)" }

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
        case .readOnly(let path) where Self.isServer(path):
            self.init(
                code: "read_only", status: .cannotCreate, message: "\(path) takes no changes: the server is a standby",
                hints: [
                    "name the primary server, or all of them: postgresql://A,B/DATABASE?target_session_attrs=read-write"
                ])
        case .readOnly(let path):
            self.init(
                code: "export_file", status: .cannotCreate, message: "cannot write \(path): no permission",
                hints: ["make it, and the directory that it is in, writable for this user", Self.otherFile])
        case .foreignTable(let path, let name):
            self.init(
                code: "foreign_table", status: .cannotCreate,
                message: "\(path) has a table or view \(name) that no export made",
                hints: [
                    "rename it: ALTER TABLE \(name) RENAME TO ...",
                    Self.isServer(path) ? "or choose another schema or database" : Self.otherFile,
                ])
        case .foreignColumn(let path, let table, let name):
            self.init(
                code: "foreign_column", status: .cannotCreate,
                message: "\(path): the table \(table) has a column \(name) that no export made",
                hints: ["rename it: ALTER TABLE \(table) RENAME COLUMN \(name) TO ..."])
        case .lostColumn(let path, let table, let name):
            self.init(
                code: "lost_column", status: .cannotCreate,
                message: "\(path): the table \(table), which exports keep for themselves, has lost its column \(name)",
                hints: [
                    "drop it, and the next run makes it again: DROP TABLE \(table)",
                    "or restore the database from a backup: the export continues from there",
                ])
        case .numberedRows(let path, let table):
            self.init(
                code: "numbered_rows", status: .cannotCreate,
                message:
                    "\(path): an earlier version wrote the table \(table), whose records have no id: rows of earlier "
                    + "windows may be missing in it",
                hints: [
                    "drop it, and the next run exports it from the beginning: DROP TABLE \(table)",
                    Self.isServer(path) ? "or export to another schema or database" : "or \(Self.otherFile)",
                ])
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
        case .full(let path) where Self.isServer(path):
            self.init(
                code: "database_full", status: .inputOutput,
                message: "cannot write to \(path): the server has no space left",
                hints: ["free some space there and run again: the next run continues with the same window"])
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
        case .failed(let path, let code, let message) where code == "42P10":
            self.init(
                code: "database_failed", status: .inputOutput,
                message: "cannot use \(path): a table has lost its key: \(message) (SQLSTATE \(code))",
                hints: [
                    "restore it: ALTER TABLE orders ADD PRIMARY KEY (id)",
                    "of a nested list, the key is (parent_id, id): ALTER TABLE orders__line_items ADD PRIMARY KEY (parent_id, id)",
                ])
        case .failed(let path, let code, let message):
            let kind = Self.isServer(path) ? "SQLSTATE" : "SQLite error"
            self.init(
                code: "database_failed", status: .inputOutput,
                message: "cannot use \(path): \(message)" + (code.isEmpty ? "" : " (\(kind) \(code))"))
        case .interrupted(let path):
            self.init(
                code: "database_interrupted", status: .tryAgain,
                message:
                    "an export to \(path) was killed while it wrote; what it left must be undone before it can be read",
                hints: ["run the export again, which does that", "or open the file once: sqlite3 \(path) .tables"])
        case .missing(let path) where Self.isServer(path):
            self.init(
                code: "no_database", status: .notFound, message: "the server has no such database: \(path)",
                hints: ["create it first: createdb NAME"])
        case .missing(let path):
            self.init(
                code: "no_database", status: .notFound, message: "there is no file \(path)",
                hints: [
                    "export to it first: clover export orders --to sqlite:\(path)",
                    "for reports: clover export --for-reports --to sqlite:\(path)",
                ])
        case .notExported(let path):
            self.init(
                code: "not_exported", status: .notFound, message: "no export wrote to \(path)",
                hints: ["export to it first: clover export --for-reports --to \(Self.address(path))"])
        case .badStatement(let path, let message):
            let catalogue =
                Self.isServer(path)
                ? "select table_name, column_name from information_schema.columns"
                : "select name, sql from sqlite_schema"
            self.init(
                code: "bad_statement", status: .usage, message: "the statement cannot be run: \(message)",
                hints: ["tables and columns: clover export sql DEST '\(catalogue)'"])
        case .notQuery(let path):
            self.init(
                code: "not_a_query", status: .usage,
                message:
                    "'export sql' runs one statement that reads; this one writes, or is more than one",
                hints: [
                    "write one SELECT statement",
                    "to change the database, use \(Self.isServer(path) ? "psql" : "sqlite3")",
                ])
        case .libraryMissing(let detail):
            self.init(
                code: "no_libpq", status: .configuration,
                message: "cannot load libpq, which talks to PostgreSQL: \(detail)",
                hints: ["install it: apt install libpq5"])
        case .badAddress(let path, let message):
            self.init(
                code: "bad_address", status: .usage, message: "cannot use \(path): \(message)",
                hints: ["write it as postgresql://USER@HOST:PORT/DATABASE"])
        case .away(let path, let message):
            self.init(
                code: "database_away", status: .tryAgain, message: "no connection to \(path): \(message)",
                hints: [
                    "check that its server runs and can be reached from here"
                        + (DatabaseAddress.check(ofServer: path).map { ": \($0)" } ?? ""),
                    "run again then: the next run continues with the same window; to have a run wait longer, use --max-time",
                ])
        case .refused(let path, let message, let needsPassword):
            self.init(
                code: "database_refused", status: .notAuthorized,
                message: "\(path) does not let this user in: \(needsPassword ? "it asks for a password" : message)",
                hints: [
                    "write the password to ~/.pgpass as HOST:PORT:DATABASE:USER:PASSWORD (chmod 600), or set PGPASSWORD",
                    "another user: postgresql://USER@HOST/DATABASE",
                ])
        case .notAllowed(let path, let message):
            self.init(
                code: "database_permission", status: .notAuthorized, message: "not allowed in \(path): \(message)",
                hints: [
                    "an export creates tables, temporary ones too: GRANT CREATE ON SCHEMA ..., GRANT TEMPORARY ON DATABASE ..."
                ])
        case .notSecure(let path, let message):
            self.init(
                code: "database_certificate", status: .configuration,
                message: "no safe connection to \(path): \(message)",
                hints: [
                    "name the authority of its certificate: ?sslrootcert=FILE, such as /etc/ssl/certs/ca-certificates.crt",
                    "in a network that you trust, without a check: ?sslmode=require",
                ])
        case .temporaryFile(let folder, let errno):
            self.init(
                code: "temporary_file", status: .inputOutput,
                message: "cannot keep rows in \(folder): \(String(cString: strerror(errno)))",
                hints: ["name another folder for temporary files: TMPDIR"])
        }
    }
}
