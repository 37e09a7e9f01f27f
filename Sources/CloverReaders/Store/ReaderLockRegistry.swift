package import CloverSystem
import FoundationEssentials
import Glibc
import Synchronization

/// Tracks which process of this user holds which reader, with files in `readers` of the state directory.
///
/// Each reader has a lock file that its holder locks, a file with the holder's process ID and command, and the log of its
/// session. All methods block the calling thread. They throw `StorageError`, and `ReaderError` where documented.
package struct ReaderLockRegistry: Sendable {
    private static let folder = "readers"
    /// Locked while a process checks who holds what, so that the check itself is not mistaken for a holder.
    private static let guardName = "desk.lock"
    private static let lockSuffix = ".lock"
    private static let holderSuffix = ".holder"
    private static let logSuffix = ".session"

    private let directory: StateDirectory

    package init(directory: StateDirectory) {
        self.directory = directory
    }

    /// A reader that a process holds.
    package struct Held: Sendable, Equatable {
        package let holder: ReaderLockHolder
        package let transport: ReaderTransport
        package let readerID: String
        let key: String
    }

    private struct HolderDocument: Codable {
        let pid: Int32
        let command: String
        let transport: String
        let reader: String
    }

    /// Takes a reader for this process. Each user can hold one reader at a time, as with Clover's own SDK.
    /// - Parameter command: what this process does, for other processes to show, such as `reader connect`.
    /// - Throws: `ReaderError.held` if another process holds this reader, `alreadyConnected` if one holds another reader.
    package func take(_ id: String, _ transport: ReaderTransport, command: String) throws -> ReaderLock {
        let opened = try directory.prepareSubdirectory(Self.folder, rule: .own)
        let guardLock = try FileLock.acquire(Self.guardName, in: opened)
        defer { withExtendedLifetime(guardLock) {} }
        let key = Self.key(id, transport)
        if let other = try heldReaders(in: opened).first {
            if other.key == key { throw ReaderError.held(id, by: other.holder) }
            throw ReaderError.alreadyConnected(other.readerID, by: other.holder)
        }
        guard let lock = try FileLock.tryAcquire(key + Self.lockSuffix, in: opened) else {
            throw ReaderError.held(id, by: ReaderLockHolder(processID: 0, command: nil))
        }
        let document = HolderDocument(pid: getpid(), command: command, transport: transport.rawValue, reader: id)
        try AtomicFile.replace(
            key + Self.holderSuffix, in: opened, with: Array(try JSONEncoder().encode(document)), durable: false,
            holding: lock)
        try AtomicFile.replace(key + Self.logSuffix, in: opened, with: [], durable: false, holding: lock)
        return ReaderLock(lock, log: opened.path(of: key + Self.logSuffix))
    }

    /// The reader that a running process holds; nil if none does.
    package func held() throws -> Held? {
        guard let opened = try directory.existingSubdirectory(Self.folder, rule: .own) else { return nil }
        let guardLock = try FileLock.acquire(Self.guardName, in: opened)
        defer { withExtendedLifetime(guardLock) {} }
        return try heldReaders(in: opened).first
    }

    /// Follows the holder's reports about its session, from the start.
    package func follow(_ held: Held) throws -> SessionFollower {
        try SessionFollower(
            folder: directory.path + "/" + Self.folder, name: held.key + Self.logSuffix,
            holder: held.holder.processID)
    }

    private func heldReaders(in opened: borrowing OpenDirectory) throws -> [Held] {
        var found: [Held] = []
        for name in try opened.names().sorted() where name.hasSuffix(Self.lockSuffix) && name != Self.guardName {
            if try FileLock.tryAcquire(name, in: opened) != nil { continue }
            let key = String(name.dropLast(Self.lockSuffix.count))
            let bytes = try PrivateFile.read(key + Self.holderSuffix, in: opened, rule: .own, limit: 4096) ?? []
            do {
                let document = try JSONDecoder().decode(HolderDocument.self, from: Data(bytes))
                found.append(
                    Held(
                        holder: ReaderLockHolder(processID: document.pid, command: document.command),
                        transport: ReaderTransport(rawValue: document.transport) ?? .driver,
                        readerID: document.reader, key: key))
            } catch {
                // A holder writes this file first, and takes the lock only under the guard.
                throw StorageError.system(.read, path: opened.path(of: key + Self.holderSuffix), errno: EBADMSG)
            }
        }
        return found
    }

    /// A file name for any ID: its readable part, and a hash (FNV-1a) that makes it unique.
    private static func key(_ id: String, _ transport: ReaderTransport) -> String {
        let letters = id.unicodeScalars.prefix(40).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
        }
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(transport.rawValue)-\(String(letters))-\(String(hash, radix: 16))"
    }
}

/// A reader that this process holds, until `release`, the end of the last reference, or the end of the process.
package final class ReaderLock: Sendable {
    private let lock: Mutex<FileLock?>
    private let log: String

    init(_ lock: consuming sending FileLock, log: String) {
        self.lock = Mutex(lock)
        self.log = log
    }

    /// Releases the reader. Repeated calls do nothing.
    package func release() {
        lock.withLock { $0 = nil }
    }

    /// Reports an event to other processes. Blocks briefly.
    package func tell(_ report: SessionReport) throws {
        let line = Array(try JSONEncoder().encode(report)) + [UInt8(ascii: "\n")]
        // Opened for each report: followers are notified when a file is closed (inotify(7), IN_CLOSE_WRITE).
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StorageError.system(.open, path: log, errno: errno) }
        defer { close(descriptor) }
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == line.count else {
            throw StorageError.system(.write, path: log, errno: count < 0 ? errno : ENOSPC)
        }
    }
}
