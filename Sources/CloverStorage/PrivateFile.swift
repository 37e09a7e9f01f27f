import Glibc

/// Reading a small file that only this user may touch.
///
/// The name is opened without following a link and without waiting, so that a FIFO in its place cannot hang the
/// program; owner, kind, mode and size are judged on the open file, not on the name.
package enum PrivateFile {
    /// Reads the whole file.
    ///
    /// - Parameter limit: the largest size accepted, in bytes.
    /// - Returns: nil when there is no such file.
    /// - Throws: `.refused` with the reason, or `.system`.
    package static func read(
        _ name: String, in directory: borrowing OpenDirectory, rule: AccessRule = .secret, limit: Int
    ) throws(StorageError) -> [UInt8]? {
        guard let file = try openJudged(name, in: directory, rule: rule) else { return nil }
        let bytes: [UInt8]
        do {
            // One byte more than allowed shows that there is more, also when the file grows meanwhile.
            bytes = try file.readFromStart(limit: limit + 1)
        } catch {
            throw .system(.read, path: directory.path(of: name), errno: error.code)
        }
        if bytes.count > limit { throw .refused(path: directory.path(of: name), .tooLarge(limit: limit)) }
        return bytes
    }

    /// Reads a file by its path, links followed: people keep files that hold no secret elsewhere, and link to them.
    ///
    /// - Returns: nil when there is no such file.
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
        let found: stat
        do {
            found = try file.status()
        } catch {
            throw .system(.status, path: path, errno: error.code)
        }
        try judge(found, path: path, rule: rule)
        let bytes: [UInt8]
        do {
            bytes = try file.readFromStart(limit: limit + 1)
        } catch {
            throw .system(.read, path: path, errno: error.code)
        }
        if bytes.count > limit { throw .refused(path: path, .tooLarge(limit: limit)) }
        return bytes
    }

    /// Judges the file as `read` does, without reading it.
    ///
    /// - Returns: false when there is no such file.
    package static func check(
        _ name: String, in directory: borrowing OpenDirectory, rule: AccessRule = .secret
    ) throws(StorageError) -> Bool {
        if try openJudged(name, in: directory, rule: rule) != nil { return true }
        return false
    }

    private static func openJudged(
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
        let found: stat
        do {
            found = try file.status()
        } catch {
            throw .system(.status, path: path, errno: error.code)
        }
        try judge(found, path: path, rule: rule)
        return file
    }

    private static func judge(_ found: stat, path: String, rule: AccessRule) throws(StorageError) {
        guard found.st_mode & S_IFMT == S_IFREG else { throw .refused(path: path, .notRegularFile) }
        if let refusal = rule.refusal(owner: found.st_uid, mode: found.st_mode & 0o7777, user: geteuid()) {
            throw .refused(path: path, refusal)
        }
    }
}
