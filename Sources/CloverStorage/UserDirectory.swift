import Glibc

/// The directories of a user's in which programs keep things (XDG base directory specification).
package enum UserDirectory {
    /// Finds clover's: what `variable` says, else `clover` below what `base` says, else below `fallback` in the home.
    ///
    /// An empty variable counts as unset. A relative path in `variable` starts from the working directory; one in `base`
    /// is ignored, as the specification demands. Without a usable `HOME`, as under some cron set-ups, the user database
    /// is asked (getpwuid_r(3)).
    ///
    /// - Parameter fallback: from the home on, without slashes at its ends.
    /// - Returns: an absolute path, without a trailing slash. Nothing is looked at.
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

    /// A place in the user's home: the one that `HOME` names, or without a usable `HOME` that of the user database.
    ///
    /// - Parameter place: from the home on, without a slash at its beginning.
    /// - Returns: an absolute path. Nothing is looked at.
    package static func inHome(_ place: String, in environment: [String: String]) throws(StorageError) -> String {
        let named = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = if let named { named } else { try homeFromUserDatabase() }
        return (home.hasSuffix("/") ? home : home + "/") + place
    }

    /// `mkdir -p` with mode 0700 for each directory that it makes.
    package static func make(_ path: String) throws(StorageError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .system(.makeDirectory, path: path, errno: errno)
        }
        try make(String(path[..<slash]))
        // EEXIST here: another process was quicker, which is as good.
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
        // Large enough for any real entry; getpwuid_r(3) answers ERANGE otherwise.
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
