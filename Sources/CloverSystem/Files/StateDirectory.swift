import Glibc

/// Where `clover` stores what outlives a run, such as credentials and the rate ledger. One directory per user, the same
/// for a terminal and for cron.
///
/// Creating the value reads nothing; the methods do.
package struct StateDirectory: Sendable, Equatable {
    /// Absolute path, without a trailing slash.
    package let path: String
    /// Whether to accept a file system shared between machines, at the user's own risk.
    package let allowsNetworkFileSystem: Bool
    /// Whether the program itself moves what is in the directory.
    var ignoresMove = false

    /// A directory at a known path.
    package init(path: String, allowsNetworkFileSystem: Bool = false) {
        self.path = path
        self.allowsNetworkFileSystem = allowsNetworkFileSystem
    }

    /// Finds the directory: `CLOVER_STATE_DIR`, or else `$XDG_STATE_HOME/clover`, or else `~/.local/state/clover`.
    ///
    /// An empty variable counts as unset. A relative `CLOVER_STATE_DIR` is relative to the working directory; a
    /// relative `XDG_STATE_HOME` is ignored, as the XDG base directory specification requires. Without a usable `HOME`,
    /// as in some cron set-ups, the user database supplies it (getpwuid_r(3)). `CLOVER_ALLOW_NETWORK_STATE=1` (or
    /// `true`, `yes`, `on`) accepts network file systems.
    package init(environment: [String: String]) throws(StorageError) {
        self.init(
            path: try UserDirectory.path(
                variable: "CLOVER_STATE_DIR", base: "XDG_STATE_HOME", fallback: ".local/state", in: environment),
            allowsNetworkFileSystem: ["1", "true", "yes", "on"].contains(
                environment["CLOVER_ALLOW_NETWORK_STATE"]?.lowercased()))
    }

    /// Creates the directory and its parents with mode 0700 if missing, and checks it.
    ///
    /// - Returns: the open directory. It may be reached through a symbolic link, must belong to this user and must not
    ///   be writable by others.
    @discardableResult
    package func prepare() throws(StorageError) -> OpenDirectory {
        try UserDirectory.make(path)
        let directory = try OpenDirectory(path: path, rule: .own, followingLinks: true)
        try refuseNetwork(directory)
        return directory
    }

    /// Creates and opens the directory `name` inside the state directory, which is prepared first.
    ///
    /// - Parameter rule: the permissions that others may have. It is created with mode 0700 under any rule, and is
    ///   never a symbolic link.
    package func prepareSubdirectory(_ name: String, rule: AccessRule) throws(StorageError) -> OpenDirectory {
        try prepare()
        let place = path + "/" + name
        try UserDirectory.make(place)
        let directory = try OpenDirectory(path: place, rule: rule)
        try refuseNetwork(directory)
        return directory
    }

    /// Opens the directory `name` inside the state directory if it exists, and creates nothing.
    ///
    /// - Returns: nil if it, or the state directory, does not exist.
    package func existingSubdirectory(_ name: String, rule: AccessRule) throws(StorageError) -> OpenDirectory? {
        do {
            return try OpenDirectory(path: path + "/" + name, rule: rule)
        } catch .system(.open, _, ENOENT) {
            return nil
        } catch .system(.open, _, ENOTDIR) {
            throw .refused(path: path, .notDirectory)
        }
    }

    /// Opens the state directory itself if it exists, and creates nothing.
    package func existing() throws(StorageError) -> OpenDirectory? {
        do {
            return try OpenDirectory(path: path, rule: .own, followingLinks: true)
        } catch .system(.open, _, ENOENT) {
            return nil
        }
    }

    /// Checks the directory as ``prepare()`` does if it exists, and creates nothing: readers need no directory, and
    /// creating one may be impossible.
    package func check() throws(StorageError) {
        if let directory = try existing() { try refuseNetwork(directory) }
    }

    private func refuseNetwork(_ directory: borrowing OpenDirectory) throws(StorageError) {
        if allowsNetworkFileSystem { return }
        if let kind = try NetworkFileSystem.under(directory.descriptor, path: directory.path) {
            throw .networkFileSystem(path: directory.path, kind)
        }
    }
}

/// The user's base directories for programs' files (XDG base directory specification).
package enum UserDirectory {
    /// Finds Clover's directory: the value of `variable`, or else `clover` below the value of `base`, or else `clover`
    /// below `fallback` in the home directory.
    ///
    /// An empty variable counts as unset. A relative path in `variable` is relative to the working directory; one in
    /// `base` is ignored, as the specification requires. Without a usable `HOME`, as in some cron set-ups, the user
    /// database supplies it (getpwuid_r(3)).
    ///
    /// - Parameter fallback: relative to the home directory, without leading or trailing slash.
    /// - Returns: an absolute path, without a trailing slash. The file system is not accessed.
    package static func path(
        variable: String, base: String, fallback: String, in environment: [String: String]
    ) throws(StorageError) -> String {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let place: String
        if let own = value(variable) {
            place = own.hasPrefix("/") ? own : try workingDirectory() + "/" + own
        } else if let base = value(base), base.hasPrefix("/") {
            place = base + "/clover"
        } else {
            place = try inHome("\(fallback)/clover", in: environment)
        }
        var trimmed = place[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        return String(trimmed)
    }

    /// A path in the user's home directory: that of `HOME` or, without a usable `HOME`, that of the user database.
    ///
    /// - Parameter place: relative to the home directory, without a leading slash.
    /// - Returns: an absolute path. The file system is not accessed.
    package static func inHome(_ place: String, in environment: [String: String]) throws(StorageError) -> String {
        let named = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = if let named { named } else { try homeFromUserDatabase() }
        return (home.hasSuffix("/") ? home : home + "/") + place
    }

    /// `mkdir -p` with mode 0700 for each directory that it creates.
    package static func make(_ path: String) throws(StorageError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .system(.makeDirectory, path: path, errno: errno)
        }
        try make(String(path[..<slash]))
        // EEXIST here: another process was faster, which is fine.
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .system(.makeDirectory, path: path, errno: errno)
        }
    }

    private static func workingDirectory() throws(StorageError) -> String {
        guard let found = getcwd(nil, 0) else { throw .system(.status, path: ".", errno: errno) }
        defer { free(found) }
        return String(cString: found)
    }

    private static func homeFromUserDatabase() throws(StorageError) -> String {
        let user = geteuid()
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        // Large enough for any real entry; getpwuid_r(3) returns ERANGE otherwise.
        var buffer = [CChar](repeating: 0, count: 65_536)
        let home = buffer.withUnsafeMutableBufferPointer { space -> String? in
            guard let base = space.baseAddress,
                getpwuid_r(user, &entry, base, space.count, &result) == 0, result != nil,
                let directory = entry.pw_dir
            else { return nil }
            return String(cString: directory)
        }
        guard let home, home.hasPrefix("/") else { throw .noHomeDirectory(user: user) }
        return home
    }
}
