import Glibc

/// A directory that was opened and checked once. All work inside it uses its descriptor, so that no other directory, or
/// link, can be put in its place between check and use.
package struct OpenDirectory: ~Copyable, Sendable {
    /// The path it was opened by, for messages.
    package let path: String
    /// For system calls with paths relative to it; valid while this value lives.
    package let descriptor: Descriptor

    /// Opens `path` and checks that it is a directory owned by this user, without permissions that `rule` forbids.
    ///
    /// - Parameter followingLinks: whether the last part of the path may be a symbolic link. Users do put their state
    ///   on another disk that way; a directory of secrets must not be one.
    /// - Throws: `.refused` with the reason, or `.system(.open, ...)`; `ENOENT` if there is nothing.
    package init(path: String, rule: AccessRule, followingLinks: Bool = false) throws(StorageError) {
        let descriptor: Descriptor
        do {
            let flags = O_RDONLY | O_DIRECTORY | (followingLinks ? 0 : O_NOFOLLOW)
            descriptor = try Descriptor(opening: path, in: AT_FDCWD, flags: flags)
        } catch {
            // A link gives ENOTDIR or ELOOP depending on the kernel, so check what it is.
            if error.code == ENOTDIR || error.code == ELOOP {
                var found = stat()
                if lstat(path, &found) == 0 {
                    let isLink = found.st_mode & S_IFMT == S_IFLNK
                    throw .refused(path: path, isLink && !followingLinks ? .symbolicLink : .notDirectory)
                }
            }
            throw .system(.open, path: path, errno: error.code)
        }
        let found = try descriptor.status(path: path)
        if let refusal = rule.refusal(owner: found.st_uid, mode: found.st_mode & 0o7777, user: geteuid()) {
            throw .refused(path: path, refusal)
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// The full path of an entry, for messages.
    package func path(of name: String) -> String {
        path + "/" + name
    }

    /// Opens the entry `name` relative to this directory; see `Descriptor.init(opening:in:flags:mode:)`.
    package func open(_ name: String, flags: Int32, mode: UInt32 = 0) throws(ErrorNumber) -> Descriptor {
        try Descriptor(opening: name, in: descriptor.number, flags: flags, mode: mode)
    }

    /// Whether `name` still refers to `file`: false if the name was removed or given to another file.
    package func entry(_ name: String, isSameFileAs file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        try entry(name, isSameFileAs: file.status())
    }

    /// Whether `name` still refers to the file with this status.
    func entry(_ name: String, isSameFileAs opened: stat) throws(ErrorNumber) -> Bool {
        guard let named = try status(of: name) else { return false }
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// `fstatat(2)` of the entry, without following links; nil if there is none.
    private func status(of name: String) throws(ErrorNumber) -> stat? {
        var found = stat()
        if fstatat(descriptor.number, name, &found, AT_SYMLINK_NOFOLLOW) == 0 { return found }
        if errno == ENOENT { return nil }
        throw ErrorNumber(errno)
    }

    /// Whether the path still refers to this directory: false if it was removed or replaced.
    package func isStillAtItsPath() throws(StorageError) -> Bool {
        var named = stat()
        if stat(path, &named) != 0 {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw .system(.status, path: path, errno: errno)
        }
        let opened = try descriptor.status(path: path)
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// The file type bits (`S_IFMT`, inode(7)) of the entry, without following links; nil if there is none.
    package func kind(of name: String) throws(StorageError) -> UInt32? {
        try mode(of: name).map { $0 & S_IFMT }
    }

    /// The permission bits of the entry, without following links; nil if there is none.
    package func permissions(of name: String) throws(StorageError) -> UInt32? {
        try mode(of: name).map { $0 & 0o777 }
    }

    private func mode(of name: String) throws(StorageError) -> UInt32? {
        try StorageError.wrapping(.status, path(of: name)) { () throws(ErrorNumber) in try status(of: name)?.st_mode }
    }

    /// Renames an entry within the directory, replacing any entry with the new name (`renameat(2)`).
    package func rename(_ name: String, to newName: String) throws(StorageError) {
        guard renameat(descriptor.number, name, descriptor.number, newName) == 0 else {
            throw .system(.rename, path: path(of: name), errno: errno)
        }
    }

    /// Removes an entry that is not a directory (`unlinkat(2)`); removes a link itself, never its target.
    ///
    /// - Returns: false if there was none.
    @discardableResult
    package func remove(_ name: String) throws(StorageError) -> Bool {
        if unlinkat(descriptor.number, name, 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw .system(.remove, path: path(of: name), errno: errno)
    }

    /// Makes a rename or removal survive a power failure (fsync(2) of the directory itself).
    package func synchronize() throws(StorageError) {
        try StorageError.wrapping(.sync, path) { () throws(ErrorNumber) in try descriptor.synchronize() }
    }

    /// The names of all entries except `.` and `..`, sorted by bytes.
    package func names() throws(StorageError) -> [String] { try Self.names(in: descriptor, path: path) }

    /// The same of any open directory.
    ///
    /// - Parameter path: its path, for the error.
    package static func names(
        in descriptor: borrowing Descriptor, path: String
    ) throws(StorageError) -> [String] {
        // fdopendir(3) takes ownership of its descriptor and moves its position, so it gets a separate one.
        let own = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .system(.list, path: path, errno: errno) }
        guard let stream = fdopendir(own) else {
            let number = errno
            _ = close(own)
            throw .system(.list, path: path, errno: number)
        }
        return try names(in: stream, path: path)
    }

    /// The same of a directory that need not keep any rule.
    package static func names(at path: String) throws(StorageError) -> [String] {
        guard let stream = opendir(path) else { throw .system(.list, path: path, errno: errno) }
        return try names(in: stream, path: path)
    }

    private static func names(in stream: OpaquePointer, path: String) throws(StorageError) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw .system(.list, path: path, errno: errno) }
        return names.sorted()
    }
}

/// The permissions that others may have on Clover's files and directories.
package enum AccessRule: Sendable {
    /// None: no bit for group or others. For credentials and their directory.
    case secret
    /// Others may read but not write. For the state directory and its content that is not secret.
    case own
    /// Like `own`, but the file may belong to root: an administrator, or a system that creates homes, put it there.
    case ownOrSystem

    /// The permission bits that this rule forbids.
    package var forbiddenBits: UInt32 {
        switch self {
        case .secret: 0o077
        case .own, .ownOrSystem: 0o022
        }
    }

    /// Checks owner and permission bits (the low twelve of `st_mode`, inode(7)) for a process of user `user`.
    ///
    /// - Returns: why it must be refused; nil if it is acceptable. The owner is checked first, because a mode set by
    ///   another user is meaningless.
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
