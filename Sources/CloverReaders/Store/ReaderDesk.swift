package import CloverStorage
import FoundationEssentials
import Glibc

/// Who holds which reader, among all processes of this user: files in `readers` of the state directory.
///
/// For each reader there is a lock that its holder has; beside it the holder's number and command, and the log of its
/// session. All methods block: only for a thread that may. Errors are `StorageError`, and `ReaderError` where it is said.
package struct ReaderDesk: Sendable {
    private static let folder = "readers"
    /// Taken while somebody looks who holds what, so that no look is taken for a holder.
    private static let guardName = "desk.lock"
    private static let lockSuffix = ".lock"
    private static let holderSuffix = ".holder"
    private static let logSuffix = ".session"

    private let directory: StateDirectory

    package init(directory: StateDirectory) {
        self.directory = directory
    }

    /// A reader that somebody holds.
    package struct Held: Sendable, Equatable {
        package let holder: ReaderHolder
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

    /// Takes a reader for this process; one reader at a time for each user, as with Clover's own SDK.
    /// - Parameter command: tells others what this process does, such as `reader connect`.
    /// - Throws: `ReaderError.held` when another process has this reader, `alreadyConnected` when one has another.
    package func take(_ id: String, _ transport: ReaderTransport, command: String) throws -> ReaderHold {
        let opened = try directory.prepareSubdirectory(Self.folder, rule: .own)
        let look = try FileLock.acquire(Self.guardName, in: opened)
        defer { withExtendedLifetime(look) {} }
        let key = Self.key(id, transport)
        if let other = try heldReaders(in: opened).first {
            if other.key == key { throw ReaderError.held(id, by: other.holder) }
            throw ReaderError.alreadyConnected(other.readerID, by: other.holder)
        }
        guard let lock = try FileLock.tryAcquire(key + Self.lockSuffix, in: opened) else {
            throw ReaderError.held(id, by: ReaderHolder(processID: 0, command: nil))
        }
        let document = HolderDocument(pid: getpid(), command: command, transport: transport.rawValue, reader: id)
        try AtomicFile.replace(
            key + Self.holderSuffix, in: opened, with: Array(try JSONEncoder().encode(document)), durable: false,
            holding: lock)
        try AtomicFile.replace(key + Self.logSuffix, in: opened, with: [], durable: false, holding: lock)
        return ReaderHold(lock, log: opened.path(of: key + Self.logSuffix))
    }

    /// The reader that a living process holds; nil when none does.
    package func held() throws -> Held? {
        guard let opened = try directory.existingSubdirectory(Self.folder, rule: .own) else { return nil }
        let look = try FileLock.acquire(Self.guardName, in: opened)
        defer { withExtendedLifetime(look) {} }
        return try heldReaders(in: opened).first
    }

    /// What the holder tells of its session, from its beginning.
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
                        holder: ReaderHolder(processID: document.pid, command: document.command),
                        transport: ReaderTransport(rawValue: document.transport) ?? .driver,
                        readerID: document.reader, key: key))
            } catch {
                // Whoever holds the lock writes this file first of all, and only the guard lets it take the lock.
                throw StorageError.system(.read, path: opened.path(of: key + Self.holderSuffix), errno: EBADMSG)
            }
        }
        return found
    }

    /// A file's name for any id: what can be read of it, and a hash (FNV-1a) that tells it from all others.
    private static func key(_ id: String, _ transport: ReaderTransport) -> String {
        let letters = id.unicodeScalars.prefix(40).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "_"
        }
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(transport.rawValue)-\(String(letters))-\(String(hash, radix: 16))"
    }
}

/// A reader that this process holds, until the object goes away or the process ends.
package final class ReaderHold: Sendable {
    private let lock: FileLock
    private let log: String

    init(_ lock: consuming FileLock, log: String) {
        self.lock = lock
        self.log = log
    }

    /// Tells other processes what happened. Blocks for a moment.
    package func tell(_ report: SessionReport) throws {
        let line = Array(try JSONEncoder().encode(report)) + [UInt8(ascii: "\n")]
        // Opened anew each time: whoever watches hears of a file that was closed (inotify(7), IN_CLOSE_WRITE).
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StorageError.system(.open, path: log, errno: errno) }
        defer { close(descriptor) }
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == line.count else {
            throw StorageError.system(.write, path: log, errno: count < 0 ? errno : ENOSPC)
        }
    }
}
