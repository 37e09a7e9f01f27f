import CLinux
import Glibc

/// Reads a small file that only this user may access.
///
/// The file is opened without following a link and without blocking, so that a FIFO in its place cannot hang the
/// program. Owner, type, mode and size are checked on the open file, not by name.
package enum PrivateFile {
    /// Reads the whole file.
    ///
    /// - Parameter limit: maximum size in bytes.
    /// - Returns: nil if there is no such file.
    /// - Throws: `.refused` with the reason, or `.system`.
    package static func read(
        _ name: String, in directory: borrowing OpenDirectory, rule: AccessRule = .secret, limit: Int
    ) throws(StorageError) -> [UInt8]? {
        guard let file = try openValidated(name, in: directory, rule: rule) else { return nil }
        return try content(of: file, path: directory.path(of: name), limit: limit)
    }

    /// Reads a file by its path, following links, because users keep files without secrets elsewhere and link to them.
    ///
    /// - Returns: nil if there is no such file.
    package static func read(following path: String, rule: AccessRule, limit: Int) throws(StorageError) -> [UInt8]? {
        let file: Descriptor
        do {
            file = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: return nil
            case ENXIO: throw .refused(path: path, .notRegularFile)
            default: throw .system(.open, path: path, errno: error.code)
            }
        }
        try validate(file, path: path, rule: rule)
        return try content(of: file, path: path, limit: limit)
    }

    /// Checks the file as `read` does, without reading it.
    ///
    /// - Returns: false if there is no such file.
    package static func check(
        _ name: String, in directory: borrowing OpenDirectory, rule: AccessRule = .secret
    ) throws(StorageError) -> Bool {
        if try openValidated(name, in: directory, rule: rule) != nil { return true }
        return false
    }

    private static func openValidated(
        _ name: String, in directory: borrowing OpenDirectory, rule: AccessRule
    ) throws(StorageError) -> Descriptor? {
        let path = directory.path(of: name)
        let file: Descriptor
        do {
            file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT: return nil
            case ELOOP: throw .refused(path: path, .symbolicLink)
            case ENXIO: throw .refused(path: path, .notRegularFile)  // open(2): a socket, or a device that is absent
            default: throw .system(.open, path: path, errno: error.code)
            }
        }
        try validate(file, path: path, rule: rule)
        return file
    }

    private static func content(
        of file: borrowing Descriptor, path: String, limit: Int
    ) throws(StorageError) -> [UInt8] {
        let bytes = try StorageError.wrapping(.read, path) { () throws(ErrorNumber) in
            // One byte beyond the limit shows that the file is too large, even if it grows meanwhile.
            try file.read(limit: limit + 1)
        }
        if bytes.count > limit { throw .refused(path: path, .tooLarge(limit: limit)) }
        return bytes
    }

    private static func validate(
        _ file: borrowing Descriptor, path: String, rule: AccessRule
    ) throws(StorageError) {
        let found = try file.status(path: path)
        guard found.st_mode & S_IFMT == S_IFREG else { throw .refused(path: path, .notRegularFile) }
        if let refusal = rule.refusal(owner: found.st_uid, mode: found.st_mode & 0o7777, user: geteuid()) {
            throw .refused(path: path, refusal)
        }
    }
}

/// Why an existing file or directory is not used.
package enum FileRefusal: Error, Equatable, Sendable {
    /// The name is a symbolic link; links are never followed to a secret.
    case symbolicLink
    /// A directory, FIFO, socket or device where a file was expected.
    case notRegularFile
    /// Something other than a directory where a directory was expected.
    case notDirectory
    /// It belongs to another user: user IDs found and expected.
    case foreignOwner(UInt32, expected: UInt32)
    /// Others have permissions that they must not have: the permission bits found.
    case looseMode(UInt32)
    /// The file is larger than any file of this kind should be.
    case tooLarge(limit: Int)
}

extension FileRefusal {
    /// Whether a hint may tell the user to rename what is at `path`: one of the user's own files, directories or links,
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
        case .looseMode(let mode): "its mode \(String(mode, radix: 8)) gives other users access"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        }
    }
}

/// A file or directory with the wrong owner or mode.
package struct PermissionFault: Sendable {
    private let path: String
    private let refusal: FileRefusal
    private let mode: UInt32
    private let rule: AccessRule

    /// Nil if there is no fault, or no file or directory at `path`. Follows links.
    ///
    /// - Parameter allowsSticky: accepts a directory of root's or the user's in which others may create files if it has
    ///   the sticky bit, which prevents them from replacing files of other users (inode(7)).
    package static func find(
        _ path: String, rule: AccessRule, allowsSticky: Bool = false
    ) throws(StorageError) -> PermissionFault? {
        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(.status, path: path, errno: errno)
        }
        // Such as /dev/null, whose mode is not checked or fixed.
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

    /// The error for uses of the file.
    package var error: StorageError { .refused(path: path, refusal) }

    /// Removes the permissions that others must not have.
    ///
    /// - Returns: the equivalent command; nil if the fault is different, in which case nothing was changed.
    package func mend() throws(StorageError) -> String? {
        guard case .looseMode = refusal else { return nil }
        // Others need no access to Clover's files, though they may read those without secrets.
        let taken: UInt32 = rule == .ownOrSystem ? rule.forbiddenBits : 0o077
        // A directory that its owner cannot enter would stay broken.
        var found = stat()
        let isDirectory = lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
        let mended = mode & ~taken & 0o777 | (isDirectory ? 0o700 : 0)
        guard chmod(path, mended) == 0 else { throw .system(.write, path: path, errno: errno) }
        return "chmod \(String(mended, radix: 8)) \(path)"
    }
}
