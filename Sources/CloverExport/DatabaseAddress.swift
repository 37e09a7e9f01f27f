/// The address of a database, as typed after `--to`: `sqlite:shop.db`, `postgresql://host/shop`.
package enum DatabaseAddress: Sendable, Equatable {
    /// Path of the file.
    case sqlite(path: String)
    /// The address as libpq reads it (PostgreSQL: connection URIs); never with a password.
    case postgreSQL(url: String)

    package static let sqliteScheme = "sqlite:"
    package static let postgreSQLScheme = "postgresql://"
    /// What libpq takes, too.
    private static let shortScheme = "postgres://"

    /// Why a text that names a database cannot be used.
    package enum Fault: Error, Equatable, Sendable {
        /// `sqlite:` alone, or `sqlite://` with what is no absolute path.
        case noFile
        /// Other programs of the machine see the arguments of a command, and the shell keeps them.
        case hasPassword
    }

    /// - Returns: nil for a text that names no database, such as a directory.
    /// - Throws: `Fault`; its text never has the password.
    package init?(parsing text: String) throws(Fault) {
        if text.hasPrefix(Self.sqliteScheme) {
            var path = text.dropFirst(Self.sqliteScheme.count)
            // As a URL, it has an absolute path after an empty host: sqlite:///home/ann/shop.db.
            if path.hasPrefix("//") {
                path = path.dropFirst(2)
                guard path.hasPrefix("/") else { throw .noFile }
            }
            guard !path.isEmpty else { throw .noFile }
            self = .sqlite(path: String(path))
            return
        }
        guard let scheme = [Self.postgreSQLScheme, Self.shortScheme].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        if Self.hasPassword(rest) { throw .hasPassword }
        self = .postgreSQL(url: Self.postgreSQLScheme + rest)
    }

    private static func hasPassword(_ rest: Substring) -> Bool {
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.prefix { $0 != "@" }
        if user.endIndex < authority.endIndex {
            if user.contains(":") { return true }
        } else if rest.contains("@"), let colon = authority.firstIndex(of: ":"),
            !authority[colon...].dropFirst().allSatisfy(\.isNumber)
        {
            // A password with a slash or a question mark ends the authority too early.
            return true
        }
        let query = rest.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").contains { setting in
            ["password", "sslpassword"].contains(setting.prefix { $0 != "=" }.lowercased())
        }
    }

    /// The address of a schema of the same database (PostgreSQL: connection parameter options).
    ///
    /// - Parameter name: of letters, digits and underscores.
    /// - Returns: nil for a file, and for an address that has such options already.
    package func inSchema(_ name: String) -> String? {
        guard case .postgreSQL(let url) = self, !url.contains("options=") else { return nil }
        return url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3D" + name
    }

    /// The schema that `inSchema` added to the address of this database; nil for any other address.
    package func schema(of address: String) -> String? {
        guard let beginning = inSchema(""), address.hasPrefix(beginning) else { return nil }
        let name = address.dropFirst(beginning.count)
        return name.isEmpty || !name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? nil : String(name)
    }

    /// Whether the text names a database, rightly or not.
    package static func isMeant(by text: String) -> Bool {
        [sqliteScheme, postgreSQLScheme, shortScheme].contains(where: text.hasPrefix)
    }

    /// The path of an SQLite database; nil for any other address.
    package static func file(of address: String) -> String? {
        address.hasPrefix(sqliteScheme) ? String(address.dropFirst(sqliteScheme.count)) : nil
    }

    /// Name of the lock of exports to it, in the state directory: nothing is written beside a database that is not its own.
    package var lockName: String {
        switch self {
        case .sqlite(let path): "sqlite-\(StableHash.words(for: path)).lock"
        case .postgreSQL(let url): "postgresql-\(StableHash.words(for: url)).lock"
        }
    }

    /// The name in the state and in messages. That of a file is absolute, with links resolved, where the file exists.
    package var name: String {
        switch self {
        case .sqlite(let path): Self.sqliteScheme + path
        case .postgreSQL(let url): url
        }
    }
}
