import CloverStorage
import Glibc

/// The files below a destination: the only way to open, name and remove them.
///
/// Every part of a path is opened by itself from the folder before it, and none may be a symbolic link (openat(2), `O_NOFOLLOW`). What is not a
/// regular file is refused. So an export never changes a file outside of its destination, whatever is put in the
/// place of a folder or file meanwhile.
///
/// All methods block for the device: only for a thread that may.
struct ExportPlace: ~Copyable, Sendable {
    /// The destination's path: absolute, links resolved.
    let path: String
    private let root: Descriptor

    init(_ path: String) throws(ExportError) {
        self.path = path
        do throws(ErrorNumber) {
            root = try Descriptor(opening: path, in: AT_FDCWD, flags: Self.folderFlags)
        } catch {
            throw .file(.create, path: path, errno: error.code)
        }
    }

    /// The size of a file; nil when there is none.
    ///
    /// - Parameter name: the file's path from the destination on, as in all methods.
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

    /// Opens a file that exists; nil when there is none.
    func open(_ name: String, flags: Int32) throws(ExportError) -> Descriptor? {
        guard let folder = try folder(of: name) else { return nil }
        return try open(name, in: folder, flags: flags, or: .read)
    }

    /// Opens a file, and makes it, and the folders that lead to it, where they are missing.
    func create(_ name: String, flags: Int32 = 0, mode: UInt32 = 0o666) throws(ExportError) -> Descriptor {
        if let folder = try folder(of: name, makes: true),
            let file = try open(name, in: folder, flags: O_RDWR | O_CREAT | flags, mode: mode, or: .create)
        {
            return file
        }
        throw .file(.create, path: shown(name), errno: ENOENT)
    }

    /// Gives a file another name, replacing the file that has it; both the folders and the name are on the device
    /// afterwards.
    func rename(_ name: String, to newName: String) throws(ExportError) {
        guard let from = try folder(of: name), let to = try folder(of: newName, makes: true) else {
            throw .file(.rename, path: shown(newName), errno: ENOENT)
        }
        // A directory, or a link, is no file of an export.
        _ = try size(of: newName)
        guard renameat(from.number, Self.last(name), to.number, Self.last(newName)) == 0 else {
            throw .file(.rename, path: shown(newName), errno: errno)
        }
        try synchronizeFolders(of: newName)
    }

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(ExportError) {
        guard let folder = try folder(of: name) else { return }
        if unlinkat(folder.number, Self.last(name), 0) != 0, errno != ENOENT {
            throw .file(.remove, path: shown(name), errno: errno)
        }
    }

    /// Makes the names in all folders that lead to a file survive a power failure. All of them are synced, because one that exists may
    /// have been made by a run that was killed before it did that.
    func synchronizeFolders(of name: String) throws(ExportError) {
        _ = try folder(of: name) { folder, path throws(ExportError) in
            try Self.synchronize(folder, path: path)
        }
    }

    static func synchronize(_ file: borrowing Descriptor, path: String) throws(ExportError) {
        do throws(ErrorNumber) {
            try file.synchronize()
        } catch {
            throw .file(.sync, path: path, errno: error.code)
        }
    }

    /// The full path of a file, for messages.
    func shown(_ name: String) -> String { path + "/" + name }

    // MARK: Parts of a path

    private static let folderFlags = O_RDONLY | O_DIRECTORY

    /// Opens the folder that a file is in.
    ///
    /// - Parameters:
    ///   - makes: whether folders that are missing are made.
    ///   - visit: gets each folder on the way, from the destination on, and its path.
    /// - Returns: nil when there is none.
    private func folder(
        of name: String, makes: Bool = false,
        visit: (borrowing Descriptor, String) throws(ExportError) -> Void = { _, _ throws(ExportError) in }
    ) throws(ExportError) -> Descriptor? {
        var path = path
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
            // A link gives ENOTDIR or ELOOP, depending on the kernel.
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
            // A FIFO would be waited for without O_NONBLOCK.
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
