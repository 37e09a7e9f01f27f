import Glibc

/// What can go wrong with directories, locks and files. Facts only: paths, error numbers, owners and modes, never a
/// byte of a file's content.
package enum StorageError: Error, Equatable, Sendable {
    /// `HOME` is unset or relative, and the user database names no home for this user id.
    case noHomeDirectory(user: UInt32)
    /// A system call failed with this error number (errno(3)).
    case system(StorageOperation, path: String, errno: Int32)
    /// What is at `path` breaks a rule that keeps secrets private. It was left as it is.
    case refused(path: String, FileRefusal)
    /// `path` is on a file system shared between machines, where kernel locks cannot be relied on.
    case networkFileSystem(path: String, NetworkFileSystem)
    /// Somebody has held the lock at `path` for so many seconds although it is never needed for more than a moment.
    case lockHeld(path: String, seconds: Int, by: LockHolder?)
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noHomeDirectory(let user):
            "no home directory is known for user \(user)"
        case .system(let operation, let path, let number):
            "cannot \(operation.rawValue) \(path): \(Self.text(of: number))"
        case .refused(let path, let refusal):
            "\(path) is refused: \(refusal)"
        case .networkFileSystem(let path, let kind):
            "\(path) is on a network file system (\(kind.rawValue))"
        case .lockHeld(let path, let seconds, let holder):
            "\(holder?.description ?? "another process") has held \(path) for \(seconds) seconds"
        }
    }

    /// The C library's words for an error number.
    private static func text(of number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
