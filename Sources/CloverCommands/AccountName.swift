import Glibc

/// The user account that this process runs as.
enum AccountName {
    /// The effective user's name, or its number if the user database has no name for it (getpwuid(3)).
    static func current() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }
}
