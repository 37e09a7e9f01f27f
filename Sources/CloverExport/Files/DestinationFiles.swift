import CloverSystem
import Glibc

/// Access to the files of a destination. All opening, renaming and removing of files goes through here.
///
/// Each part of a path is opened relative to the directory before it, and none may be a symbolic link (openat(2),
/// `O_NOFOLLOW`). Anything but a regular file is refused. So an export never changes a file outside its destination,
/// even if a directory or file is replaced meanwhile.
///
/// All methods block on disk access, so call them only on a thread that may block.
struct DestinationFiles: ~Copyable, Sendable {
    /// Absolute path of the destination with links resolved.
    let path: String
    /// What stands for it in messages.
    private let name: String
    private let root: Descriptor

    init(_ path: String, shownAs name: String? = nil) throws(ExportError) {
        self.path = path
        self.name = name ?? path
        root = try ExportError.attempt(.create, path) { () throws(ErrorNumber) in
            try Descriptor(opening: path, in: AT_FDCWD, flags: Self.folderFlags)
        }
    }

    /// Size of a file in bytes; nil when there is none.
    ///
    /// - Parameter name: path of the file relative to the destination, as in all methods.
    func size(of name: String) throws(ExportError) -> Int64? {
        guard let folder = try folder(of: name) else { return nil }
        var facts = stat()
        guard fstatat(folder.number, Self.last(name), &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .file(.read, path: shown(name), errno: errno)
        }
        try judge(facts, name)
        return Int64(facts.st_size)
    }

    /// Opens an existing file; nil when there is none.
    func open(_ name: String, flags: Int32) throws(ExportError) -> Descriptor? {
        guard let folder = try folder(of: name) else { return nil }
        return try open(name, in: folder, flags: flags, or: .read)
    }

    /// Opens a file, creating it and its directories if needed.
    func create(_ name: String, flags: Int32 = 0, mode: UInt32 = 0o666) throws(ExportError) -> Descriptor {
        if let folder = try folder(of: name, makes: true),
            let file = try open(name, in: folder, flags: O_RDWR | O_CREAT | flags, mode: mode, or: .create)
        {
            return file
        }
        throw .file(.create, path: shown(name), errno: ENOENT)
    }

    /// Renames a file, replacing an existing file. The directories and the name are on disk when this returns.
    func rename(_ name: String, to newName: String) throws(ExportError) {
        guard let from = try folder(of: name), let to = try folder(of: newName, makes: true) else {
            throw .file(.rename, path: shown(newName), errno: ENOENT)
        }
        // Refuse to replace a directory or a link.
        _ = try size(of: newName)
        guard renameat(from.number, Self.last(name), to.number, Self.last(newName)) == 0 else {
            throw .file(.rename, path: shown(newName), errno: errno)
        }
        try synchronizeFolders(of: newName)
    }

    /// Removes a file if it exists.
    func remove(_ name: String) throws(ExportError) {
        guard let folder = try folder(of: name) else { return }
        if unlinkat(folder.number, Self.last(name), 0) != 0, errno != ENOENT {
            throw .file(.remove, path: shown(name), errno: errno)
        }
    }

    /// Removes a directory if it is empty.
    func removeFolder(_ name: String) throws(ExportError) {
        guard let folder = try folder(of: name) else { return }
        if unlinkat(folder.number, Self.last(name), AT_REMOVEDIR) != 0, errno != ENOENT, errno != ENOTEMPTY {
            throw .file(.remove, path: shown(name), errno: errno)
        }
    }

    /// Syncs all directories that lead to a file, so that their entries survive a power failure. An existing directory is
    /// synced too, because a run that was killed may have created it without that.
    func synchronizeFolders(of name: String) throws(ExportError) {
        _ = try folder(of: name) { folder, path throws(ExportError) in
            try Self.synchronize(folder, path: path)
        }
    }

    static func synchronize(_ file: borrowing Descriptor, path: String) throws(ExportError) {
        try ExportError.attempt(.sync, path) { () throws(ErrorNumber) in try file.synchronize() }
    }

    /// Full path of a file, for messages.
    func shown(_ name: String) -> String { self.name + "/" + name }

    /// An entry of a directory.
    struct Entry: Sendable {
        var name: String
        var isDirectory: Bool
    }

    /// The entries of a directory, sorted by name. Links are not followed.
    ///
    /// - Parameter name: its path with a slash at the end; empty for the destination.
    func entries(of name: String) throws(ExportError) -> [Entry] {
        let path = name.isEmpty ? self.name : shown(String(name.dropLast()))
        guard let folder = try folder(of: name + ".") else { return [] }
        let names: [String]
        do throws(StorageError) {
            names = try OpenDirectory.names(in: folder, path: path)
        } catch {
            guard case .system(_, _, let number) = error else { throw .file(.list, path: path, errno: EIO) }
            throw .file(.list, path: path, errno: number)
        }
        return names.map { entry in
            var facts = stat()
            let isDirectory =
                fstatat(folder.number, entry, &facts, AT_SYMLINK_NOFOLLOW) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            return Entry(name: entry, isDirectory: isDirectory)
        }
    }

    // MARK: Parts of a path

    private static let folderFlags = O_RDONLY | O_DIRECTORY

    /// Opens the directory of a file.
    ///
    /// - Parameters:
    ///   - makes: whether to create missing directories.
    ///   - visit: called with each directory on the way, starting with the destination, and its path.
    /// - Returns: nil when the directory does not exist.
    private func folder(
        of name: String, makes: Bool = false,
        visit: (borrowing Descriptor, String) throws(ExportError) -> Void = { _, _ throws(ExportError) in }
    ) throws(ExportError) -> Descriptor? {
        var path = self.name
        guard var folder = try openFolder(".", in: root, path: path, isNeeded: true) else { return nil }
        try visit(folder, path)
        for part in name.split(separator: "/").dropLast() {
            let part = String(part)
            path += "/" + part
            if makes, mkdirat(folder.number, part, 0o777) != 0, errno != EEXIST {
                throw .file(.create, path: path, errno: errno)
            }
            guard let next = try openFolder(part, in: folder, path: path, isNeeded: makes) else { return nil }
            folder = next
            try visit(folder, path)
        }
        return folder
    }

    private func openFolder(
        _ part: String, in folder: borrowing Descriptor, path: String, isNeeded: Bool
    ) throws(ExportError) -> Descriptor? {
        do throws(ErrorNumber) {
            return try Descriptor(opening: part, in: folder.number, flags: Self.folderFlags | O_NOFOLLOW)
        } catch {
            if !isNeeded, error.code == ENOENT { return nil }
            // A link results in ENOTDIR or ELOOP, depending on the kernel.
            var facts = stat()
            if fstatat(folder.number, part, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFLNK {
                throw .link(path: path)
            }
            if !isNeeded, error.code == ENOTDIR { return nil }
            throw .file(isNeeded ? .create : .read, path: path, errno: error.code)
        }
    }

    private func open(
        _ name: String, in folder: borrowing Descriptor, flags: Int32, mode: UInt32 = 0o666,
        or operation: ExportError.FileOperation
    ) throws(ExportError) -> Descriptor? {
        let file: Descriptor
        do throws(ErrorNumber) {
            // Without O_NONBLOCK, opening a FIFO would block.
            file = try Descriptor(
                opening: Self.last(name), in: folder.number, flags: flags | O_NOFOLLOW | O_NONBLOCK, mode: mode)
        } catch {
            switch error.code {
            case ENOENT: return nil
            case ELOOP: throw .link(path: shown(name))
            case ENXIO, EISDIR: throw .notFile(path: shown(name))
            default: throw .file(operation, path: shown(name), errno: error.code)
            }
        }
        let facts: stat
        do throws(ErrorNumber) {
            facts = try file.status()
        } catch {
            throw .file(operation, path: shown(name), errno: error.code)
        }
        try judge(facts, name)
        return file
    }

    private func judge(_ facts: stat, _ name: String) throws(ExportError) {
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .link(path: shown(name))
        default: throw .notFile(path: shown(name))
        }
    }

    private static func last(_ name: String) -> String { String(name.split(separator: "/").last ?? "") }
}
