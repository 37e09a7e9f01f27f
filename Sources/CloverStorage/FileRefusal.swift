import Glibc

/// Why a file or directory is not used although it is there.
package enum FileRefusal: Error, Equatable, Sendable {
    /// The name is a symbolic link, which is never followed to a secret.
    case symbolicLink
    /// A directory, FIFO, socket or device where a file was expected.
    case notRegularFile
    /// Something else where a directory was expected.
    case notDirectory
    /// It belongs to somebody else: user ids found and expected.
    case foreignOwner(UInt32, expected: UInt32)
    /// Others have rights that they must not have: the permission bits found.
    case looseMode(UInt32)
    /// More bytes than any file of this kind can sensibly have.
    case tooLarge(limit: Int)
}

extension FileRefusal {
    /// Whether a user may be told to give what is at `path` another name: a file, a directory or a link of his own, and
    /// never a device or the like.
    package static func isMovable(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0 && [S_IFREG, S_IFDIR, S_IFLNK].contains(found.st_mode & S_IFMT)
            && found.st_uid == geteuid()
    }
}

extension FileRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .symbolicLink: "it is a symbolic link"
        case .notRegularFile: "it is not a regular file"
        case .notDirectory: "it is not a directory"
        case .foreignOwner(let found, let expected): "it belongs to user \(found), not to user \(expected)"
        case .looseMode(let mode): "its mode \(String(mode, radix: 8)) lets others in"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        }
    }
}
