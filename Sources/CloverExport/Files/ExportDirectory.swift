import CloverHTTP
package import CloverStorage
import Crypto
import Glibc

/// The directory that exports go to. What is ours in it besides the files is in `.clover-export`: the lock, the id by
/// which the state knows the directory wherever it is moved, and files that are not whole yet. They are on the same file
/// system, so that publishing one is a rename.
///
/// All methods block for the device: only for a thread that may.
package final class ExportDirectory: Sendable {
    package static let folder = ".clover-export"
    private static let lockName = "lock"
    private static let idName = "id"
    private static let idLimit = 128
    private static let temporarySuffix = ".part"
    private static let pieceSize = 1 << 20

    /// Absolute, links resolved.
    package let path: String
    private let own: OpenDirectory
    /// The way to every file in it.
    let place: ExportPlace

    /// Opens the directory, and makes it, and those above it, where they are missing.
    ///
    /// - Throws: `ExportError.file`, and `StorageError` for what is ours in it.
    package init(_ path: String) throws {
        try Self.makeDirectories(path)
        guard let real = realpath(path, nil) else { throw ExportError.file(.create, path: path, errno: errno) }
        defer { free(real) }
        self.path = String(cString: real)
        let folder = self.path + "/" + Self.folder
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw ExportError.file(.create, path: folder, errno: errno)
        }
        own = try OpenDirectory(path: folder, rule: .own)
        place = try ExportPlace(self.path)
    }

    /// Takes the lock that every export to this directory holds; nil when somebody has it.
    package func tryLock() throws(StorageError) -> ExportLock? {
        guard let lock = try FileLock.tryAcquire(Self.lockName, in: own) else { return nil }
        return ExportLock(lock)
    }

    /// The id of the directory; nil for one that has none yet.
    package func identifier() throws(StorageError) -> String? { try Self.identifier(in: own) }

    private static func identifier(in folder: borrowing OpenDirectory) throws(StorageError) -> String? {
        guard let bytes = try PrivateFile.read(idName, in: folder, rule: .own, limit: idLimit) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Whether the directory that was last known by this id is still there, and is another one: this is a copy then. One that
    /// was moved is not there any more.
    package func isCopy(of other: String, identifier: String) -> Bool {
        var (here, there) = (stat(), stat())
        guard other != path, stat(own.path, &here) == 0, stat("\(other)/\(Self.folder)", &there) == 0,
            here.st_dev != there.st_dev || here.st_ino != there.st_ino
        else { return false }
        do throws(StorageError) {
            let folder = try OpenDirectory(path: "\(other)/\(Self.folder)", rule: .own)
            return try Self.identifier(in: folder) == identifier
        } catch {
            // A folder that is no export's own, or cannot be read, is not the original.
            return false
        }
    }

    /// Gives the directory its id.
    package func setIdentifier(_ identifier: String, holding lock: ExportLock) throws(StorageError) {
        try lock.replace(Self.idName, in: own, with: Array((identifier + "\n").utf8))
    }

    /// Removes what a killed run left that is not whole.
    package func removeLeftovers(holding lock: ExportLock) throws(StorageError) {
        for name in try own.names() where name.hasSuffix(Self.temporarySuffix) { try own.remove(name) }
    }

    /// The SHA-256 of a file's bytes, in hexadecimal digits; nil when there is none of this name.
    package func sha256(of name: String) throws(ExportError) -> String? {
        guard let source = try place.open(name, flags: O_RDONLY) else { return nil }
        do throws(ErrorNumber) {
            var (digest, offset) = (SHA256(), 0)
            while true {
                let piece = try source.read(limit: Self.pieceSize, at: offset)
                if piece.isEmpty { break }
                digest.update(data: piece)
                offset += piece.count
            }
            return digest.finalize().hexadecimalDigits
        } catch {
            throw .file(.read, path: place.shown(name), errno: error.code)
        }
    }

    /// Removes a file; that it is gone is on the device when it returns.
    package func remove(_ name: String) throws(ExportError) {
        try place.remove(name)
        try place.synchronizeFolders(of: name)
    }

    /// A new file, not yet to be seen under its name.
    ///
    /// - Parameters:
    ///   - number: tells it from the others that are under way.
    ///   - isPrivate: only the owner may read it, also under its name, and what it is added to.
    package func makeFile(_ number: Int, isPrivate: Bool = false) throws(ExportError) -> ExportFile {
        try ExportFile(
            creating: "\(Self.folder)/\(number)\(Self.temporarySuffix)", in: self, isPrivate: isPrivate)
    }

    /// Lets only the owner read a file that is there.
    package func makePrivate(_ name: String) throws(ExportError) {
        try GrowingFile(name, in: place).makePrivate()
    }

    /// Which of these files are missing, in their order.
    package func missing(among names: [String]) throws(ExportError) -> [String] {
        var missing: [String] = []
        for name in names where try size(of: name) == nil { missing.append(name) }
        return missing
    }

    /// The same of a destination that is only looked at: none where it cannot be read.
    package static func missing(among names: [String], at path: String) -> [String] {
        let place: ExportPlace
        do throws(ExportError) {
            place = try ExportPlace(path)
        } catch {
            return []
        }
        var missing: [String] = []
        for name in names {
            do throws(ExportError) {
                if try place.size(of: name) == nil { missing.append(name) }
            } catch {
                // What is in its place is not the file; what cannot be looked at may be there.
                switch error {
                case .link, .notFile: missing.append(name)
                default: break
                }
            }
        }
        return missing
    }

    /// Whether a destination that was exported to is not there any more. One that nobody may look into is there.
    package static func isMissing(_ path: String) -> Bool {
        guard path.hasPrefix("/") else { return false }
        var facts = stat()
        return stat("\(path)/\(folder)", &facts) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether the lock is held, without taking it: the kernel's list of locks is asked (proc(5), `/proc/locks`), so that
    /// an export that begins at this moment is not told that another one runs.
    package static func isLocked(_ path: String) -> Bool {
        var facts = stat()
        guard stat("\(path)/\(folder)/\(lockName)", &facts) == 0 else { return false }
        let device = "\(hexadecimal(major(facts.st_dev))):\(hexadecimal(minor(facts.st_dev))):\(facts.st_ino)"
        guard let list = fopen("/proc/locks", "re") else { return false }
        defer { fclose(list) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, list) > 0 {
            guard let line else { break }
            let words = String(cString: line).split(separator: " ")
            if words.contains("FLOCK"), words.contains(where: { $0 == device }) { return true }
        }
        return false
    }

    private static func major(_ device: dev_t) -> UInt { (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF }
    private static func minor(_ device: dev_t) -> UInt { device & 0xFF | (device >> 12) & ~0xFF }
    private static func hexadecimal(_ number: UInt) -> String {
        let digits = String(number, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }

    /// `mkdir -p`, with the rights that the user's umask leaves.
    static func makeDirectories(_ path: String) throws(ExportError) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .file(.create, path: path, errno: errno)
        }
        try makeDirectories(String(path[..<slash]))
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .file(.create, path: path, errno: errno) }
    }
}
