/// Who else may have rights on a file or directory of ours.
package enum AccessRule: Sendable {
    /// Nobody: no bit for group or others. For credentials and the directory that holds them.
    case secret
    /// Others may read but not write. For the state directory and what is in it without being secret.
    case own
    /// As `own`, and the file may belong to root: what an administrator, or a system that builds homes, put there.
    case ownOrSystem

    /// The permission bits that must be clear under this rule.
    package var forbiddenBits: UInt32 {
        switch self {
        case .secret: 0o077
        case .own, .ownOrSystem: 0o022
        }
    }

    /// Judges owner and permission bits (the low twelve of `st_mode`, inode(7)) for a process of user `user`.
    ///
    /// - Returns: why it must be refused, or nil when all is well. The owner is looked at first, because a mode set
    ///   by a stranger says nothing.
    package func refusal(owner: UInt32, mode: UInt32, user: UInt32) -> FileRefusal? {
        if owner != user, self != .ownOrSystem || owner != 0 {
            return .foreignOwner(owner, expected: user)
        }
        if mode & forbiddenBits != 0 {
            return .looseMode(mode & 0o7777)
        }
        return nil
    }
}
