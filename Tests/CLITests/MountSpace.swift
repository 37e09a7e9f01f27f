import Glibc

/// How a test mounts file systems that no other process sees: unshare(1), for another user than root in a user name space too.
/// Where neither is permitted, the tests that need it fail and do not pass unseen.
enum MountSpace {
    static let arguments = geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"]
    /// For a line of shell.
    static let command = (["unshare"] + arguments).joined(separator: " ")
}
