import CLinux
import Glibc

/// What the kernel reports about a directory, for inspection before storing anything in it.
package struct DirectoryFacts: Sendable, Equatable {
    /// The permission bits (the low twelve of `st_mode`, inode(7)).
    package let mode: UInt32
    package let owner: UInt32
    /// Nil on a local file system.
    package let network: NetworkFileSystem?
    /// Free space for this user, in bytes.
    package let bytesFree: UInt64

    /// Inspects the directory and changes nothing. Follows symbolic links.
    ///
    /// - Returns: nil if there is nothing at `path`.
    /// - Throws: `.refused` if it is not a directory, or `.system`.
    package init?(of path: String) throws(StorageError) {
        let descriptor: Descriptor
        do {
            descriptor = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            switch error.code {
            case ENOENT: return nil
            case ENOTDIR: throw .refused(path: path, .notDirectory)
            default: throw .system(.open, path: path, errno: error.code)
            }
        }
        let found = try descriptor.status(path: path)
        mode = found.st_mode & 0o7777
        owner = found.st_uid
        network = try NetworkFileSystem.under(descriptor, path: path)
        var space = statvfs()
        guard fstatvfs(descriptor.number, &space) == 0 else { throw .system(.status, path: path, errno: errno) }
        bytesFree = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    }

    /// Whether the directory at `path` exists and is owned by this user, who may not read, write or search it.
    package static func isClosed(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
            && faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES
            && found.st_uid == geteuid()
    }

    /// Whether `path` is something other than a directory. `/dev/null` does not count: users name it to mean "nothing".
    package static func isNoDirectory(_ path: String) -> Bool {
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFDIR else { return false }
        var nothing = stat()
        return stat("/dev/null", &nothing) != 0 || found.st_mode & S_IFMT != S_IFCHR
            || found.st_rdev != nothing.st_rdev
    }

    /// The dangling symbolic link on the way to `path`, if there is one: nothing can be created behind it.
    ///
    /// - Returns: the link's path and its target.
    package static func deadLink(on path: String) -> (link: String, target: String)? {
        var place = ""
        var found = stat()
        for part in path.split(separator: "/") {
            place += "/" + part
            guard lstat(place, &found) == 0 else { return nil }
            guard found.st_mode & S_IFMT == S_IFLNK, stat(place, &found) != 0, errno == ENOENT else { continue }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &buffer, buffer.count)
            guard count > 0 else { return nil }
            return (place, String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return nil
    }

    /// The permissions that an owner lacks on the way to `path` and needs: to pass a directory, or to read and write
    /// what is at the end.
    ///
    /// - Returns: where, and which, such as `wx`; nil if the cause is different, or the file belongs to another user.
    package static func missingPermissions(on path: String) -> (path: String, rights: String)? {
        let parts = path.split(separator: "/")
        var place = ""
        var found = stat()
        for (number, part) in parts.enumerated() {
            place += "/" + part
            guard stat(place, &found) == 0, found.st_uid == geteuid() else { continue }
            let isDirectory = found.st_mode & S_IFMT == S_IFDIR
            var next = stat()
            // Creating something below needs permissions on the last existing directory.
            let isLast =
                number == parts.count - 1 || stat(place + "/" + parts[number + 1], &next) != 0 && errno == ENOENT
            // Whether anything exists behind an unsearchable directory is unknown.
            let isClosed = isDirectory && found.st_mode & 0o100 == 0
            let needed: [(bit: UInt32, letter: String)] =
                !isDirectory
                ? [(0o400, "r"), (0o200, "w")]
                : isLast || isClosed ? [(0o400, "r"), (0o200, "w"), (0o100, "x")] : [(0o100, "x")]
            let missing = needed.filter { found.st_mode & $0.bit == 0 }.map(\.letter).joined()
            if !missing.isEmpty { return (place, missing) }
        }
        return nil
    }

    /// Restores the owner's permissions on the directory at `path`.
    ///
    /// - Returns: the equivalent command; nil if none are missing there, the cause is different, or it belongs to
    ///   another user.
    package static func restorePermissions(to path: String) throws(StorageError) -> String? {
        guard let (place, rights) = missingPermissions(on: path),
            place.drop(while: { $0 == "/" }) == path.drop(while: { $0 == "/" })
        else { return nil }
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else { return nil }
        guard chmod(path, found.st_mode & 0o7777 | 0o700) == 0 else { throw .system(.write, path: path, errno: errno) }
        return "chmod u+\(rights) \(path)"
    }

    /// Tests whether files can be written in the directory, by writing one and removing it: permission bits do not show
    /// a file system that is full or mounted read-only.
    package static func checkWritable(in path: String) throws(StorageError) {
        let directory = try OpenDirectory(path: path, rule: .own, followingLinks: true)
        let name = ".probe.\(getpid())"
        do throws(ErrorNumber) {
            let file = try directory.open(name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try file.write([UInt8](repeating: 0, count: 4096))
            try file.synchronize()
        } catch {
            try directory.remove(name)
            throw .system(.write, path: path, errno: error.code)
        }
        try directory.remove(name)
    }

    /// Tests whether a missing directory could be created, as `UserDirectory.make` would, by creating one in its place
    /// and removing it.
    package static func checkCreatable(_ path: String) throws(StorageError) {
        var parent = path
        var found = stat()
        repeat {
            guard let slash = parent.lastIndex(of: "/"), parent != "/" else { return }
            parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
            if stat(parent, &found) == 0 { break }
            guard errno == ENOENT else { throw .system(.makeDirectory, path: path, errno: errno) }
        } while true
        guard found.st_mode & S_IFMT == S_IFDIR else { throw .system(.makeDirectory, path: path, errno: ENOTDIR) }
        let probe = (parent == "/" ? "" : parent) + "/.clover-probe.\(getpid())"
        guard mkdir(probe, 0o700) == 0 else { throw .system(.makeDirectory, path: path, errno: errno) }
        guard rmdir(probe) == 0 else { throw .system(.remove, path: probe, errno: errno) }
    }
}
