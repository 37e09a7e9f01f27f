import CLinux
import Glibc

/// A file or directory whose owner or mode is not as it must be.
package struct PermissionFault: Sendable {
    private let path: String
    private let refusal: FileRefusal
    private let mode: UInt32
    private let rule: AccessRule

    /// Nil when all is well, and when there is no file or directory at `path`. Links are followed.
    ///
    /// - Parameter allowsSticky: a directory of root's or the user's own in which others may make files is well when it has
    ///   the sticky bit, by which nobody can put another file in the place of one that is not theirs (inode(7)).
    package static func find(
        _ path: String, rule: AccessRule, allowsSticky: Bool = false
    ) throws(StorageError) -> PermissionFault? {
        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(.status, path: path, errno: errno)
        }
        // Such as /dev/null, whose mode is nobody's to judge or mend.
        guard [S_IFDIR, S_IFREG].contains(found.st_mode & S_IFMT) else { return nil }
        let mode = found.st_mode & 0o7777
        if allowsSticky, mode & S_ISVTX != 0, [0, geteuid()].contains(found.st_uid) { return nil }
        return rule.refusal(owner: found.st_uid, mode: mode, user: geteuid()).map {
            PermissionFault(path: path, refusal: $0, mode: mode, rule: rule)
        }
    }

    package init(path: String, refusal: FileRefusal, mode: UInt32, rule: AccessRule) {
        self.path = path
        self.refusal = refusal
        self.mode = mode
        self.rule = rule
    }

    /// The error with which everybody refuses to use it.
    package var error: StorageError { .refused(path: path, refusal) }

    /// Takes from others the rights that they must not have.
    ///
    /// - Returns: the command that does the same; nil when something else is wrong, which was left as it is.
    package func mend() throws(StorageError) -> String? {
        guard case .looseMode = refusal else { return nil }
        // Others need nothing of what is ours, though they may read what holds no secret.
        let taken: UInt32 = rule == .ownOrSystem ? rule.forbiddenBits : 0o077
        let mended = mode & ~taken & 0o777
        guard chmod(path, mended) == 0 else { throw .system(.write, path: path, errno: errno) }
        return "chmod \(String(mended, radix: 8)) \(path)"
    }
}
