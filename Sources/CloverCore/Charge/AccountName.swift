import Glibc

/// The name of the account that this process runs for.
enum AccountName {
    /// Its number where the user database has no name (getpwuid(3)).
    static func current() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }
}
