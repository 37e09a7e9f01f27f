import CloverStorage
import Glibc

/// A file of an export that is being written. It gets its name when it is whole and on the device; given up, it is
/// removed.
///
/// All methods block for the device: only for a thread that may.
package final class ExportFile: Sendable {
    /// Where it is as long as it is not whole.
    package let path: String
    private let file: Descriptor
    private let isPrivate: Bool

    /// The access rights of a file that only its owner reads.
    static let privateMode: UInt32 = 0o600

    init(creating path: String, isPrivate: Bool) throws(ExportError) {
        self.path = path
        self.isPrivate = isPrivate
        do throws(ErrorNumber) {
            file = try Descriptor(
                opening: path, in: AT_FDCWD, flags: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
                mode: isPrivate ? Self.privateMode : 0o666)
        } catch {
            throw .file(.create, path: path, errno: error.code)
        }
    }

    /// For whoever writes it; valid as long as this lives.
    package var descriptor: Int32 { file.number }

    /// Gives it its name, replacing what has it. What was written is on the device then, and so is the name.
    package func publish(as name: String, in directory: ExportDirectory) throws(ExportError) {
        let target = directory.path + "/" + name
        try Self.synchronize(file, path: target)
        let folders = try Self.makeFolders(of: name, in: directory.path)
        guard rename(path, target) == 0 else { throw .file(.rename, path: target, errno: errno) }
        for folder in folders { try Self.synchronizeFolder(folder) }
    }

    /// Adds its bytes to the end of the file of this name, and removes it. A private one makes that file private first.
    ///
    /// - Parameters:
    ///   - size: what the other file has now; it has no more after a failure.
    ///   - endingLine: puts a line break in front.
    /// - Returns: where its bytes begin.
    package func append(
        to name: String, at size: Int64, endingLine: Bool = false, in directory: ExportDirectory
    ) throws(ExportError) -> Int64 {
        let target = directory.path + "/" + name
        let folders = try Self.makeFolders(of: name, in: directory.path)
        let growing = try GrowingFile(target)
        if isPrivate { try growing.makePrivate() }
        let start = endingLine ? size + 1 : size
        do {
            if endingLine { try growing.append([UInt8(ascii: "\n")], at: size) }
            try growing.append(file, at: start)
        } catch {
            try growing.truncate(to: size)
            throw error
        }
        for folder in folders { try Self.synchronizeFolder(folder) }
        try discard()
        return start
    }

    /// Removes it. Nothing happens to a file that has its name.
    package func discard() throws(ExportError) {
        if unlink(path) != 0, errno != ENOENT { throw .file(.remove, path: path, errno: errno) }
    }

    /// Removes a file that has its name, for good.
    static func remove(_ path: String) throws(ExportError) {
        if unlink(path) != 0, errno != ENOENT { throw .file(.remove, path: path, errno: errno) }
        guard let slash = path.lastIndex(of: "/") else { return }
        try synchronizeFolder(String(path[..<slash]))
    }

    /// The folders that lead to a file, made where they are missing, to be synced: all of them, because one that is there may
    /// have been made by a run that died before it was on the device.
    private static func makeFolders(of name: String, in root: String) throws(ExportError) -> [String] {
        var folders = [root]
        var folder = root
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            if mkdir(folder, 0o777) != 0, errno != EEXIST { throw .file(.create, path: folder, errno: errno) }
            folders.append(folder)
        }
        return folders
    }

    static func synchronize(_ file: borrowing Descriptor, path: String) throws(ExportError) {
        do throws(ErrorNumber) {
            try file.synchronize()
        } catch {
            throw .file(.sync, path: path, errno: error.code)
        }
    }

    private static func synchronizeFolder(_ path: String) throws(ExportError) {
        do throws(ErrorNumber) {
            let folder = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY | O_DIRECTORY)
            try folder.synchronize()
        } catch {
            throw .file(.sync, path: path, errno: error.code)
        }
    }
}
