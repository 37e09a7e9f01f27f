package import CloverSystem
import FoundationEssentials
import Glibc

/// The destination directory of exports. Its subdirectory `.clover-export` has the lock, the id by which the state recognizes
/// the directory wherever it is moved, and unpublished files. These are on the same file system, so that publishing a file
/// is a rename.
///
/// All methods block on disk access, so call them only on a thread that may block.
package final class ExportDirectory: Sendable {
    package static let folder = ".clover-export"
    static let lockName = "lock"
    static let idName = "id"
    private static let idLimit = 128
    private static let temporarySuffix = ".part"
    /// Between the name of a file that is kept under another name, and a number.
    static let asideMark = ".changed"
    private static let pieceSize = 1 << 20

    /// Absolute path with links resolved.
    package let path: String
    /// What the state calls it: its path, or the address of the object store whose objects it shows.
    package let name: String
    private let own: OpenDirectory
    /// Access to its files.
    let place: DestinationFiles

    /// Opens the directory, creating it and its parents if needed.
    ///
    /// - Parameter objects: the object store whose objects it shows as files of the same size.
    /// - Throws: `ExportError.file`, and `StorageError` for `.clover-export`.
    package init(_ path: String, showing objects: ObjectAddress? = nil) throws {
        try Self.makeDirectories(path)
        guard let real = realpath(path, nil) else { throw ExportError.file(.create, path: path, errno: errno) }
        defer { free(real) }
        self.path = String(cString: real)
        name = objects?.name ?? self.path
        let folder = self.path + "/" + Self.folder
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw ExportError.file(.create, path: folder, errno: errno)
        }
        own = try OpenDirectory(path: folder, rule: .own)
        place = try DestinationFiles(self.path, shownAs: objects?.root)
    }

    /// Takes the lock that every export to this directory holds; nil when another process has it.
    package func tryLock() throws(StorageError) -> ExportLock? {
        guard let lock = try FileLock.tryAcquire(Self.lockName, in: own) else { return nil }
        return ExportLock(lock)
    }

    /// Id of the directory; nil when it has none yet.
    package func identifier() throws(StorageError) -> String? { try Self.identifier(in: own) }

    static func identifier(in folder: borrowing OpenDirectory) throws(StorageError) -> String? {
        guard let bytes = try PrivateFile.read(idName, in: folder, rule: .own, limit: idLimit) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Whether this directory is a copy: the directory last known by this id still exists and is a different one. After a
    /// move it no longer exists.
    package func isCopy(of other: String, identifier: String) -> Bool {
        Self.isCopy(path, of: other, identifier: identifier)
    }

    /// Stores the id of the directory.
    package func setIdentifier(_ identifier: String, holding lock: ExportLock) throws(StorageError) {
        try lock.replace(Self.idName, in: own, with: Array((identifier + "\n").utf8))
    }

    /// Removes the id of the directory.
    package func removeIdentifier() throws(StorageError) { try own.remove(Self.idName) }

    private static let uploadName = "upload"
    private static let uploadLimit = 1 << 16

    /// What was noted of an unfinished upload; nil when there is none.
    package func upload() throws(StorageError) -> String? {
        try PrivateFile.read(Self.uploadName, in: own, rule: .own, limit: Self.uploadLimit)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Notes an upload that begins; nil when it is over.
    package func note(upload: String?, holding lock: ExportLock) throws(StorageError) {
        guard let upload else {
            try own.remove(Self.uploadName)
            return
        }
        try lock.replace(Self.uploadName, in: own, with: Array(upload.utf8))
    }

    /// Removes unpublished files that a killed run left.
    package func removeLeftovers(holding lock: ExportLock) throws(StorageError) {
        for name in try own.names() where name.hasSuffix(Self.temporarySuffix) { try own.remove(name) }
    }

    /// SHA-256 of a file, in hexadecimal digits; nil when there is no such file.
    package func sha256(of name: String) throws(ExportError) -> String? {
        guard let source = try place.open(name, flags: O_RDONLY) else { return nil }
        return try ExportError.attempt(.read, place.shown(name)) { () throws(ErrorNumber) in
            var (digest, offset) = (SHA256(), 0)
            while true {
                let piece = try source.read(limit: Self.pieceSize, at: offset)
                if piece.isEmpty { return digest.finalize().hexadecimalDigits }
                digest.update(piece)
                offset += piece.count
            }
        }
    }

    /// Removes a file. The removal is on disk when this returns.
    package func remove(_ name: String) throws(ExportError) {
        try place.remove(name)
        try place.synchronizeFolders(of: name)
    }

    /// Creates an unpublished file.
    ///
    /// - Parameters:
    ///   - number: distinguishes it from other unpublished files.
    ///   - isPrivate: whether only the owner may read it, also once it is published or appended to a growing file.
    package func makeFile(_ number: Int, isPrivate: Bool = false) throws(ExportError) -> ExportFile {
        try ExportFile(
            creating: "\(Self.folder)/\(number)\(Self.temporarySuffix)", in: self, isPrivate: isPrivate)
    }

    /// Makes an existing file readable by its owner only.
    package func makePrivate(_ name: String) throws(ExportError) {
        try GrowingFile(name, in: place).makePrivate()
    }

    /// A published file that is not there as it was published.
    package struct LostFile: Sendable, Equatable {
        package var path: String
        /// Its size in bytes; nil when there is no such file.
        package var size: Int64?
        /// Its size after the last export to it.
        package var expectedSize: Int64

        /// Its path, and how it was changed.
        package var text: String {
            size.map { "\(path) (changed: \($0) bytes, \(expectedSize) expected)" } ?? path
        }
    }

    /// The files among these that are missing or have another size, in order.
    package func lost(among files: [ExportStore.ExpectedFile]) throws(ExportError) -> [LostFile] {
        var lost: [LostFile] = []
        for file in files {
            let found = try size(of: file.path)
            if file.isThere(size: found) { continue }
            lost.append(LostFile(path: file.path, size: found, expectedSize: file.size))
        }
        return lost
    }

    /// Renames a file that others have changed, so that its name is free and nothing of it is lost.
    ///
    /// - Returns: its new name.
    package func setAside(_ name: String) throws(ExportError) -> String {
        var aside = name + Self.asideMark
        var number = 1
        while try size(of: aside) != nil {
            number += 1
            aside = "\(name)\(Self.asideMark)-\(number)"
        }
        try place.rename(name, to: aside)
        return aside
    }

    /// Path of a file for messages.
    package func shown(_ name: String) -> String { place.shown(name) }

    /// Moves a file to a path that is free.
    ///
    /// - Returns: whether it is there now; false when it was in neither place, or the new path is taken.
    package func move(_ name: String, to newName: String) throws(ExportError) -> Bool {
        let (old, new) = (try size(of: name), try size(of: newName))
        guard old != nil else { return new != nil }
        guard new == nil else { return false }
        try place.rename(name, to: newName)
        try place.synchronizeFolders(of: name)
        return true
    }

    /// Paths of the files among these that are missing or have another size, at a destination that is only inspected;
    /// empty when it cannot be read.
    package static func lost(among files: [ExportStore.ExpectedFile], at path: String) -> [String] {
        let place: DestinationFiles
        do throws(ExportError) {
            place = try DestinationFiles(path)
        } catch {
            return []
        }
        var lost: [String] = []
        for file in files {
            do throws(ExportError) {
                if try !file.isThere(size: place.size(of: file.path)) { lost.append(file.path) }
            } catch {
                // A link or directory in its place is not the file. A file that cannot be inspected may exist.
                switch error {
                case .link, .notFile: lost.append(file.path)
                default: break
                }
            }
        }
        return lost
    }

    /// Whether a destination no longer exists. One without access permission counts as existing.
    static func isMissing(_ path: String) -> Bool {
        guard path.hasPrefix("/") else { return false }
        var facts = stat()
        return stat("\(path)/\(folder)", &facts) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether the lock is held. Reads the kernel's list (proc(5), `/proc/locks`) instead of trying the lock, so that an
    /// export that starts at the same time does not find it taken.
    static func isLocked(_ path: String) -> Bool { isLocked(file: "\(path)/\(folder)/\(lockName)") }

    static func isLocked(file path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
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

    /// Creates a directory like `mkdir -p`, with a mode by the user's umask.
    static func makeDirectories(_ path: String) throws(ExportError) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .file(.create, path: path, errno: errno)
        }
        try makeDirectories(String(path[..<slash]))
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .file(.create, path: path, errno: errno) }
    }
}

extension ExportDirectory {
    /// Size of a file in bytes; nil when there is none.
    package func size(of name: String) throws(ExportError) -> Int64? { try place.size(of: name) }

    /// Whether a link, a directory or a device is in the place of a file.
    package func isObstructed(_ name: String) throws(ExportError) -> Bool {
        do throws(ExportError) {
            _ = try size(of: name)
            return false
        } catch {
            switch error {
            case .link, .notFile: return true
            default: throw error
            }
        }
    }

    /// Whether the last line of a file has no newline. False for an empty or missing file.
    package func endsInLine(_ name: String) throws(ExportError) -> Bool {
        guard let size = try self.size(of: name), size > 0 else { return false }
        return try GrowingFile(name, in: place).bytes(at: size - 1, 1) != [UInt8(ascii: "\n")]
    }

    /// Truncates a file to its size before a run was killed while appending to it. A file that is not longer, or missing,
    /// is left alone: the user moved it away.
    package func cutBack(_ name: String, to size: Int64) throws(ExportError) {
        guard let found = try self.size(of: name), found > size else { return }
        try GrowingFile(name, in: place).truncate(to: size)
    }

    // MARK: Manifest

    /// Renames a manifest that has the name of earlier versions. A file of that name that no export wrote is the user's.
    ///
    /// - Parameter mayBeCut: as for `checkManifest`.
    package func adoptManifest(mayBeCut: Bool) throws(ExportError) {
        let old = NameTemplate.oldManifest
        guard try size(of: NameTemplate.manifest) == nil else { return }
        do throws(ExportError) {
            guard try size(of: old) ?? 0 > 0, try isManifest(old, mayBeCut: mayBeCut) else { return }
        } catch {
            switch error {
            case .link, .notFile: return
            default: throw error
            }
        }
        try place.rename(old, to: NameTemplate.manifest)
    }

    /// Refuses a manifest whose first line no export wrote. An empty manifest is accepted.
    ///
    /// - Parameter mayBeCut: whether to accept the beginning of a first line that a killed run may have left.
    /// - Throws: `.foreignManifest`.
    package func checkManifest(mayBeCut: Bool) throws(ExportError) {
        guard try isManifest(NameTemplate.manifest, mayBeCut: mayBeCut) else {
            throw .foreignManifest(path: place.shown(NameTemplate.manifest))
        }
    }

    private func isManifest(_ name: String, mayBeCut: Bool) throws(ExportError) -> Bool {
        guard let size = try size(of: name), size > 0 else { return true }
        let bytes = try bytes(of: name, Int(min(size, Int64(Self.lineLimit))))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if JSONDecoder.value(OwnLine.self, from: line)?.sha256.count == 64 { return true }
        let isCut = line.count == bytes.count && JSONDecoder.value(AnyValue.self, from: line) == nil
        let beginning = Array(#"{"file":""#.utf8)
        let isBeginning = line.starts(with: beginning) || beginning.starts(with: line)
        return mayBeCut && isCut && isBeginning
    }

    /// Appends lines to the manifest.
    ///
    /// - Parameters:
    ///   - size: its known size; bytes after it are an incomplete line of a killed run and are cut off.
    ///   - all: returns all lines, for a manifest that is missing or shorter, which is replaced.
    /// - Returns: its new size.
    package func addToManifest(
        _ lines: [String], at size: Int64, all: () throws -> [String]
    ) throws -> Int64 {
        try checkManifest(mayBeCut: true)
        let name = NameTemplate.manifest
        let found = try self.size(of: name) ?? 0
        guard found >= size else {
            let bytes = Self.bytes(try all())
            try makeFile(Self.manifestNumber).publish(bytes, as: name)
            return Int64(bytes.count)
        }
        let manifest = try GrowingFile(name, in: place)
        if found > size { try manifest.truncate(to: size) }
        let bytes = Self.bytes(lines)
        try manifest.append(bytes, at: size)
        return size + Int64(bytes.count)
    }

    /// Whether the manifest has this line, with its newline, directly before an offset.
    package func manifestHas(_ line: String, before end: Int64) throws(ExportError) -> Bool {
        let bytes = Array((line + "\n").utf8)
        guard end >= bytes.count, let found = try size(of: NameTemplate.manifest), found >= end else { return false }
        return try manifestBytes(bytes.count, at: end - Int64(bytes.count)) == bytes
    }

    /// Size of the manifest up to its last newline; 0 when there is none. A copy that was made during a run may have an
    /// incomplete line after it.
    package func sizeOfWholeManifest() throws(ExportError) -> Int64 {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return 0 }
        return Int64(try manifestBytes(size).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    }

    /// All lines of the manifest; empty when there is none.
    package func manifestLines() throws(ExportError) -> Set<String> {
        guard let size = try size(of: NameTemplate.manifest), size > 0 else { return [] }
        let lines = try manifestBytes(size).split(separator: UInt8(ascii: "\n"))
        return Set(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    /// What the files belong to that the manifest lists; `mixed` without files that have their merchant in their path. Both
    /// are empty when there is no manifest. Lines that no export wrote are left out.
    package func manifestOwners() throws(ExportError) -> (all: Set<ManifestOwner>, mixed: Set<ManifestOwner>) {
        var (all, mixed) = (Set<ManifestOwner>(), Set<ManifestOwner>())
        var rest: [UInt8] = []
        var offset: Int64 = 0
        while true {
            let piece = try manifestBytes(Self.pieceSize, at: offset)
            if piece.isEmpty { return (all, mixed) }
            offset += Int64(piece.count)
            rest += piece
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = lines.popLast().map(Array.init) ?? []
            if rest.count > Self.lineLimit { rest = [] }
            for text in lines {
                guard let line = ManifestLine(parsing: String(decoding: text, as: UTF8.self)) else { continue }
                all.insert(ManifestOwner(line))
                if !line.file.contains(line.merchant) { mixed.insert(ManifestOwner(line)) }
            }
        }
    }

    /// The whole manifest, whose size this is.
    private func manifestBytes(_ size: Int64) throws(ExportError) -> [UInt8] {
        guard size <= Self.manifestLimit else {
            throw .file(.read, path: place.shown(NameTemplate.manifest), errno: EFBIG)
        }
        return try manifestBytes(Int(size), at: 0)
    }

    private func manifestBytes(_ count: Int, at offset: Int64) throws(ExportError) -> [UInt8] {
        try bytes(of: NameTemplate.manifest, count, at: offset)
    }

    /// Up to `count` bytes of a file; empty when there is none.
    package func bytes(of name: String, _ count: Int, at offset: Int64 = 0) throws(ExportError) -> [UInt8] {
        guard let file = try place.open(name, flags: O_RDONLY) else { return [] }
        return try ExportError.attempt(.read, place.shown(name)) { () throws(ErrorNumber) in
            try file.read(limit: count, at: Int(offset))
        }
    }

    /// Size of the largest manifest that is read as a whole, in bytes: about a million lines.
    static let manifestLimit = 256 << 20
    /// Longest line that is read, in bytes.
    private static let lineLimit = 1 << 20
    /// Number of a new manifest's temporary file, which no exported file has.
    private static let manifestNumber = -1

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// Members that every line of a manifest has.
    private struct OwnLine: Decodable {
        var file: String
        var resource: String
        var merchant: String
        var sha256: String
    }

    /// Any JSON value.
    private struct AnyValue: Decodable {}
}

extension JSONDecoder {
    /// The value of a JSON text; nil for any other text, and for another value.
    static func value<Value: Decodable>(_ type: Value.Type, from text: some Sequence<UInt8>) -> Value? {
        do {
            return try JSONDecoder().decode(type, from: Data(text))
        } catch {
            return nil
        }
    }
}

/// The lock on a destination, held during the lifetime of this object.
package final class ExportLock: Sendable {
    private let lock: FileLock

    init(_ lock: consuming FileLock) {
        self.lock = lock
    }

    /// Takes the lock of an export without a directory; nil when another process has it.
    package static func tryAcquire(_ name: String, in directory: borrowing OpenDirectory) throws(StorageError)
        -> ExportLock?
    {
        guard let lock = try FileLock.tryAcquire(name, in: directory) else { return nil }
        return ExportLock(lock)
    }

    func replace(_ name: String, in directory: borrowing OpenDirectory, with bytes: [UInt8]) throws(StorageError) {
        try AtomicFile.replace(name, in: directory, with: bytes, holding: lock)
    }
}
