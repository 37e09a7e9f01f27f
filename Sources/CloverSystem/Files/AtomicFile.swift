import Glibc

/// Replaces a file as a whole: a reader sees either the old content or the new, never a mix, even after a crash at any
/// time.
package enum AtomicFile {
    /// Writes `bytes` to a temporary file, then renames it over the file (rename(2) is atomic).
    ///
    /// The temporary file has a fixed name, `.NAME.new`, so that a killed writer leaves at most one behind and the next
    /// writer removes it. `lock` makes that safe; every writer of `name` must hold the same one.
    ///
    /// - Parameters:
    ///   - lock: the lock that all writers of this file take.
    ///   - durable: whether content and name must survive a power failure (fsync(2) of file and directory). If that
    ///     fails after the rename, the error is thrown and the new content is in place.
    ///   - keepsMode: whether the new file gets the permission bits of the old one instead of 600.
    /// - Throws: `.refused` if the name belongs to something other than a regular file, such as a link. On any error
    ///   before the rename, the old file is unchanged and the temporary one is removed.
    package static func replace(
        _ name: String, in directory: borrowing OpenDirectory, with bytes: [UInt8], durable: Bool = true,
        keepsMode: Bool = false, holding lock: borrowing FileLock
    ) throws(StorageError) {
        switch try directory.kind(of: name) {
        case nil, S_IFREG: break
        case S_IFLNK: throw .refused(path: directory.path(of: name), .symbolicLink)
        default: throw .refused(path: directory.path(of: name), .notRegularFile)
        }
        let temporary = temporaryName(for: name)
        try directory.remove(temporary)
        do {
            let mode = keepsMode ? try directory.permissions(of: name) : nil
            try write(bytes, to: temporary, in: directory, mode: mode, durable: durable)
            try directory.rename(temporary, to: name)
        } catch {
            do {
                try directory.remove(temporary)
            } catch {
                // Report the first error; the next writer removes the leftover.
            }
            throw error
        }
        if durable { try directory.synchronize() }
    }

    /// Removes the file and what a killed writer may have left beside it.
    ///
    /// - Returns: false if there was no such file.
    package static func remove(
        _ name: String, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) throws(StorageError) -> Bool {
        try directory.remove(temporaryName(for: name))
        let existed = try directory.remove(name)
        try directory.synchronize()
        return existed
    }

    /// Reserves space for `size` bytes (posix_fallocate(3)) for a later `replace` of this file that must not fail
    /// because the disk fills up meanwhile. The space is released by `replace`, `remove` and `giveBack`, and after a
    /// killed process by the next writer.
    package static func reserve(
        _ size: Int, for name: String, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) throws(StorageError) {
        let temporary = temporaryName(for: name)
        try directory.remove(temporary)
        do {
            try create(temporary, in: directory).allocate(size)
        } catch {
            giveBack(name, in: directory, holding: lock)
            throw .system(.write, path: directory.path(of: temporary), errno: error.code)
        }
    }

    /// Releases the space that `reserve` reserved. If it cannot be removed now, the next writer removes it.
    package static func giveBack(
        _ name: String, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) {
        do {
            try directory.remove(temporaryName(for: name))
        } catch {
            return
        }
    }

    private static func temporaryName(for name: String) -> String {
        "." + name + ".new"
    }

    private static func write(
        _ bytes: [UInt8], to name: String, in directory: borrowing OpenDirectory, mode: UInt32?, durable: Bool
    ) throws(StorageError) {
        let path = directory.path(of: name)
        let file = try StorageError.wrapping(.open, path) { () throws(ErrorNumber) in
            try create(name, in: directory)
        }
        try StorageError.wrapping(.write, path) { () throws(ErrorNumber) in
            try file.write(bytes)
            if let mode { try file.changeMode(mode) }
        }
        if durable { try StorageError.wrapping(.sync, path) { () throws(ErrorNumber) in try file.synchronize() } }
    }

    private static func create(_ name: String, in directory: borrowing OpenDirectory) throws(ErrorNumber) -> Descriptor
    {
        try directory.open(name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }
}
