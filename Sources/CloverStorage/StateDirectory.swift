import Glibc

/// Where `clover` keeps what outlives a run: credentials, the rate ledger, pointers. One directory per user, the same
/// for a terminal and for cron.
///
/// Creating the value reads nothing; the methods do.
package struct StateDirectory: Sendable, Equatable {
    /// Absolute path, without a trailing slash.
    package let path: String
    /// Whether a file system shared between machines is accepted at the user's own risk.
    package let allowsNetworkFileSystem: Bool

    /// A directory at a known place.
    package init(path: String, allowsNetworkFileSystem: Bool = false) {
        self.path = path
        self.allowsNetworkFileSystem = allowsNetworkFileSystem
    }

    /// Finds the place: `CLOVER_STATE_DIR`, else `$XDG_STATE_HOME/clover`, else `~/.local/state/clover`.
    ///
    /// An empty variable counts as unset. A relative `CLOVER_STATE_DIR` starts from the working directory; a relative
    /// `XDG_STATE_HOME` is ignored, as the XDG base directory specification demands. Without a usable `HOME`, as
    /// under some cron set-ups, the user database is asked (getpwuid_r(3)). `CLOVER_ALLOW_NETWORK_STATE=1` (or
    /// `true`, `yes`, `on`) accepts network file systems.
    package init(environment: [String: String]) throws(StorageError) {
        self.init(
            path: try UserDirectory.path(
                variable: "CLOVER_STATE_DIR", base: "XDG_STATE_HOME", fallback: ".local/state", in: environment),
            allowsNetworkFileSystem: ["1", "true", "yes", "on"].contains(
                environment["CLOVER_ALLOW_NETWORK_STATE"]?.lowercased()))
    }

    /// Creates the directory with mode 0700 where it is missing, parents too, and checks it.
    ///
    /// - Returns: the directory, open. It may be reached through a symbolic link, must belong to this user and be
    ///   writable by nobody else.
    @discardableResult
    package func prepare() throws(StorageError) -> OpenDirectory {
        try UserDirectory.make(path)
        let directory = try OpenDirectory(path: path, rule: .own, followingLinks: true)
        try refuseNetwork(directory)
        return directory
    }

    /// Creates and opens the directory `name` inside the state directory, preparing that one first.
    ///
    /// - Parameter rule: what others may do with it. It is created with mode 0700 under either rule, and it is never
    ///   a symbolic link.
    package func prepareSubdirectory(_ name: String, rule: AccessRule) throws(StorageError) -> OpenDirectory {
        try prepare()
        let place = path + "/" + name
        try UserDirectory.make(place)
        let directory = try OpenDirectory(path: place, rule: rule)
        try refuseNetwork(directory)
        return directory
    }

    /// Opens the directory `name` inside the state directory when it exists, and creates nothing.
    ///
    /// - Returns: nil when it, or the state directory, does not exist.
    package func existingSubdirectory(_ name: String, rule: AccessRule) throws(StorageError) -> OpenDirectory? {
        do {
            return try OpenDirectory(path: path + "/" + name, rule: rule)
        } catch .system(.open, _, ENOENT) {
            return nil
        } catch .system(.open, _, ENOTDIR) {
            throw .refused(path: path, .notDirectory)
        }
    }

    /// Opens the state directory itself when it exists, and creates nothing.
    package func existing() throws(StorageError) -> OpenDirectory? {
        do {
            return try OpenDirectory(path: path, rule: .own, followingLinks: true)
        } catch .system(.open, _, ENOENT) {
            return nil
        }
    }

    /// Checks the directory as ``prepare()`` does where it exists, and makes nothing: who only reads needs no directory,
    /// and it may not be possible to make one.
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
