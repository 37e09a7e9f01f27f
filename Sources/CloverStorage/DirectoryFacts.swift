import CLinux
import Glibc

/// What the kernel says of a directory, for whoever wants to know before anything is kept there.
package struct DirectoryFacts: Sendable, Equatable {
    /// The permission bits (the low twelve of `st_mode`, inode(7)).
    package let mode: UInt32
    package let owner: UInt32
    /// Nil on a file system of this machine's own.
    package let network: NetworkFileSystem?
    /// What this user may still write there, in bytes.
    package let bytesFree: UInt64

    /// Looks, and changes nothing. Symbolic links are followed.
    ///
    /// - Returns: nil when there is nothing at `path`.
    /// - Throws: `.refused` when it is no directory, or `.system`.
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
        let found: stat
        do {
            found = try descriptor.status()
        } catch {
            throw .system(.status, path: path, errno: error.code)
        }
        mode = found.st_mode & 0o7777
        owner = found.st_uid
        network = try NetworkFileSystem.under(descriptor, path: path)
        var space = statvfs()
        guard fstatvfs(descriptor.number, &space) == 0 else { throw .system(.status, path: path, errno: errno) }
        bytesFree = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    }

    /// Whether the directory at `path` is there, and its owner may not look, write or go into it.
    package static func isClosed(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
            && faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES
            && found.st_uid == geteuid()
    }

    /// Whether something that is no directory is at `path`, besides `/dev/null`, by which people say that nothing is there.
    package static func isNoDirectory(_ path: String) -> Bool {
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFDIR else { return false }
        var nothing = stat()
        return stat("/dev/null", &nothing) != 0 || found.st_mode & S_IFMT != S_IFCHR
            || found.st_rdev != nothing.st_rdev
    }

    /// The link on the way to `path` that leads nowhere, where there is one: nothing can be made behind it.
    ///
    /// - Returns: its own path, and what it says.
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

    /// The rights that the owner of what is on the way to `path` has taken from himself, and needs: to pass a directory, or
    /// to read and write what is at the end.
    ///
    /// - Returns: where, and which, such as `wx`; nil when it is something else, or somebody else's.
    package static func missingRights(on path: String) -> (path: String, rights: String)? {
        let parts = path.split(separator: "/")
        var place = ""
        var found = stat()
        for (number, part) in parts.enumerated() {
            place += "/" + part
            guard stat(place, &found) == 0, found.st_uid == geteuid() else { continue }
            let isDirectory = found.st_mode & S_IFMT == S_IFDIR
            var next = stat()
            // What is to be made below needs the last one that is there.
            let isLast =
                number == parts.count - 1 || stat(place + "/" + parts[number + 1], &next) != 0 && errno == ENOENT
            // Of what is behind a closed door nobody knows whether it is there.
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

    /// Gives the owner of the directory at `path` the rights back that he took from himself.
    ///
    /// - Returns: the command that does the same; nil when none is missing there, or it is something else, or somebody else's.
    package static func giveRightsBack(to path: String) throws(StorageError) -> String? {
        guard let (place, rights) = missingRights(on: path),
            place.drop(while: { $0 == "/" }) == path.drop(while: { $0 == "/" })
        else { return nil }
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else { return nil }
        guard chmod(path, found.st_mode & 0o7777 | 0o700) == 0 else { throw .system(.write, path: path, errno: errno) }
        return "chmod u+\(rights) \(path)"
    }

    /// Finds out whether files can be written in the directory, by writing one and removing it: permission bits say
    /// nothing of a file system that is full or mounted read-only.
    package static func tryWriting(in path: String) throws(StorageError) {
        let directory = try OpenDirectory(path: path, rule: .own, followingLinks: true)
        let name = ".probe.\(getpid())"
        do throws(ErrorNumber) {
            let file = try directory.open(name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try file.writeFromStart([UInt8](repeating: 0, count: 4096))
            try file.synchronize()
        } catch {
            try directory.remove(name)
            throw .system(.write, path: path, errno: error.code)
        }
        try directory.remove(name)
    }

    /// Finds out whether a directory that is not there could be made, as `UserDirectory.make` would, by making one in its
    /// place and removing it.
    package static func checkMaking(_ path: String) throws(StorageError) {
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
