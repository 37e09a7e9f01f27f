import CloverSystem
import Glibc

/// Registry of the waiters for a budget. Each waiter locks its own byte in the slots file, which is the
/// announcement, and records its identity beside it. The kernel drops the lock of a dead process.
///
/// Others do not yield to a stopped process. The kernel shows most of them as stopped; because a process can stall in
/// other ways, and processes cannot be inspected from a container, each waiter also refreshes its record every
/// `heartbeat`, and others no longer yield to it once the record is older than `credit`.
struct WaiterRegistry: ~Copyable {
    /// The first waiter's position; slots are below it.
    private static let firstByte = 4096
    /// Maximum number of registered waiters. Further ones wait too, but others do not yield to them.
    private static let places = 1000
    /// Beyond all positions. All waiters share a lock on it, so that one check shows that there are none.
    private static let sharedByte = 1 << 20

    private let name: String
    /// Kept open, because closing it wakes everyone who listens for slots.
    private var file: Descriptor?
    private var place: (byte: Int, priority: RequestPriority)?

    /// The registry in the file with this name; nothing is opened yet.
    init(name: String) {
        self.name = name
    }

    /// Announces that this process waits, or refreshes the announcement.
    mutating func announce(_ client: LedgerClient, in directory: borrowing OpenDirectory) throws(StorageError) {
        let file = try openFile(in: directory)
        do {
            if place == nil {
                // Shared locks never conflict, and no process takes an exclusive one here.
                _ = try ByteLock.tryLock(.shared, byte: Self.sharedByte, of: file)
                for byte in Self.firstByte..<Self.firstByte + Self.places
                where try ByteLock.tryLock(.exclusive, byte: byte, of: file) {
                    place = (byte, client.priority)
                    break
                }
            }
            if let byte = place?.byte {
                place = (byte, max(client.priority, place?.priority ?? .bulk))
                try file.write(client.record, at: byte * LedgerClient.size)
            }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        self.file = consume file
    }

    /// Withdraws the announcement. Processes that yielded to it are notified, as for a slot.
    mutating func end() {
        guard let file = file.take() else { return }
        do {
            // Unlock before closing: a process notified of the close must find the locks gone. An error could only mean
            // that there were none, and closing drops them in any case.
            try ByteLock.unlock(of: file)
        } catch {}
        // Hardly any request yields to bulk work, so no notification is needed.
        if place?.priority == .bulk || place == nil { self.file = consume file }
        place = nil
    }

    /// The number of slots, counted from the first, that this request must leave to other waiters; 0 if it need not
    /// yield.
    ///
    /// Higher priorities go first. Among equals, earlier waiters go first if they have fewer slots to choose from; the
    /// others can wait for another slot.
    ///
    /// - Parameter isNewcomer: yields to all waiters of the same priority.
    mutating func slotsReserved(
        before client: LedgerClient, isNewcomer: Bool, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> Int {
        var reservedSlots = 0
        try forEachOther(in: directory) { (byte, other, file) throws(ErrorNumber) in
            guard other.reservedSlots > reservedSlots else { return false }
            let goesFirst =
                if other.priority > client.priority {
                    isNewcomer || other.isAlive(at: client.seen)
                } else if other.priority == client.priority {
                    isNewcomer
                        || other.reservedSlots < client.reservedSlots && other.since < client.since
                            && other.isAlive(at: client.seen)
                } else {
                    false
                }
            guard goesFirst, try ByteLock.isLockedByOthers(byte: byte, of: file), !LockHolder.isStopped(other.pid)
            else { return false }
            reservedSlots = other.reservedSlots
            return reservedSlots >= client.reservedSlots
        }
        return reservedSlots
    }

    /// The number of waiters that precede this one: those of higher priority, and earlier ones of the same priority. At
    /// most `most` are counted.
    mutating func earlierWaiters(
        of client: LedgerClient, most: Int, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> Int {
        var count = 0
        try forEachOther(in: directory) { (byte, other, file) throws(ErrorNumber) in
            guard other.reservedSlots > 0, other.isAlive(at: client.seen),
                (other.priority, client.since) > (client.priority, other.since),
                try ByteLock.isLockedByOthers(byte: byte, of: file)
            else { return false }
            count += 1
            return count >= most
        }
        return count
    }

    /// Calls `body` with the record of each other waiter, including records whose owners are gone, until it returns true.
    private mutating func forEachOther(
        in directory: borrowing OpenDirectory,
        _ body: (Int, LedgerClient, borrowing Descriptor) throws(ErrorNumber) -> Bool
    ) throws(StorageError) {
        let file = try openFile(in: directory)
        let own = place?.byte
        do {
            if try ByteLock.isLockedByOthers(byte: Self.sharedByte, of: file) {
                _ = try Self.contains(in: file) { (byte, other) throws(ErrorNumber) in
                    byte == own ? false : try body(byte, other, file)
                }
            }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        self.file = consume file
    }

    /// All waiters, in order of arrival.
    static func clients(in file: borrowing Descriptor) throws(ErrorNumber) -> [LedgerClient] {
        guard try ByteLock.isLockedByOthers(byte: sharedByte, of: file) else { return [] }
        var found: [LedgerClient] = []
        _ = try contains(in: file) { (byte, client) throws(ErrorNumber) in
            if try ByteLock.isLockedByOthers(byte: byte, of: file) { found.append(client) }
            return false
        }
        return found.sorted { $0.since < $1.since }
    }

    /// Whether `matches` returns true for any record, including records whose owners are gone.
    private static func contains(
        in file: borrowing Descriptor, _ matches: (Int, LedgerClient) throws(ErrorNumber) -> Bool
    ) throws(ErrorNumber) -> Bool {
        var byte = firstByte
        while byte < firstByte + places {
            let records = try file.read(limit: 64 * LedgerClient.size, at: byte * LedgerClient.size)
            for start in stride(from: 0, through: records.count - LedgerClient.size, by: LedgerClient.size) {
                if let client = LedgerClient(record: records[start..<start + LedgerClient.size]),
                    try matches(byte + start / LedgerClient.size, client)
                {
                    return true
                }
            }
            if records.count < 64 * LedgerClient.size { return false }
            byte += 64
        }
        return false
    }

    /// The file, reopened if it was deleted: a lock counts only on the file that other processes open too.
    private mutating func openFile(in directory: borrowing OpenDirectory) throws(StorageError) -> Descriptor {
        do {
            if let kept = file.take(), try directory.entry(name, isSameFileAs: kept) { return kept }
            place = nil
            return try directory.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }
}

extension LedgerClient {
    /// Whether its last heartbeat is recent.
    fileprivate func isAlive(at now: BootInstant) -> Bool {
        abs(now.nanoseconds(since: seen)) <= Self.credit
    }
}

/// A process that waits for a budget or holds a slot of it, as recorded beside the lock that proves it.
package struct LedgerClient: Equatable, Sendable {
    package let pid: Int32
    package let priority: RequestPriority
    /// Words of the command, without options and values; printable ASCII, at most 80 bytes.
    package let command: String
    /// When it began to wait, or took the slot.
    package let since: BootInstant
    /// Its last heartbeat.
    package let seen: BootInstant
    /// For a waiter: the number of slots, counted from the first, that it waits for; 0 if only its own limit holds it
    /// up, so that others need not yield. For a slot holder: the number of slots it could choose from, which is its
    /// in-flight limit.
    package let reservedSlots: Int

    /// Its in-flight limit; nil if it is not recorded.
    package var inFlightLimit: Int? { RateLimits.inFlightRange.contains(reservedSlots) ? reservedSlots : nil }

    package static let everySlot = Int(Int32.max)
    /// Nanoseconds between two heartbeats of a waiter.
    package static let heartbeat: Int64 = 500_000_000
    /// Nanoseconds for which a heartbeat counts; on a busy machine the next one may be late.
    package static let credit: Int64 = 1_500_000_000

    /// A client whose command is truncated and cleaned for storing and printing.
    package init(
        pid: Int32, priority: RequestPriority, command: String, since: BootInstant, seen: BootInstant,
        reservedSlots: Int = everySlot
    ) {
        self.pid = pid
        self.priority = priority
        let printable = command.utf8.lazy.filter { (0x20..<0x7F).contains($0) }
        self.command = String(decoding: Array(printable.prefix(Self.commandLimit)), as: UTF8.self)
        self.since = since
        self.seen = seen
        self.reservedSlots = reservedSlots
    }

    /// Bytes of one record. It divides the page size, so no record crosses two pages.
    package static let size = 128
    /// Maximum length of the command in bytes.
    private static let commandLimit = 80
    private static let magic: UInt8 = 0xC2

    /// The record, little-endian: a magic byte, the priority, the length of the command, a zero and the process ID, in
    /// eight bytes; `since` and `seen` in nanoseconds; the command padded with zeros; in the last 16 bytes the reserved slots
    /// and a checksum.
    package var record: [UInt8] {
        let words = Array(command.utf8)
        var bytes: [UInt8] = [Self.magic, priority.rawValue, UInt8(words.count), 0]
        bytes.append(littleEndian: UInt32(bitPattern: pid))
        bytes.append(littleEndian: UInt64(bitPattern: since.nanoseconds))
        bytes.append(littleEndian: UInt64(bitPattern: seen.nanoseconds))
        bytes += words + [UInt8](repeating: 0, count: Self.size - 16 - bytes.count - words.count)
        bytes.append(littleEndian: UInt64(reservedSlots))
        bytes.append(littleEndian: Self.checksum(bytes))
        return bytes
    }

    /// Parses a record; nil if the bytes are not a complete one.
    package init?(record: ArraySlice<UInt8>) {
        let bytes = Array(record)
        guard bytes.count == Self.size, bytes[0] == Self.magic, let priority = RequestPriority(rawValue: bytes[1]),
            Int(bytes[2]) <= Self.commandLimit,
            bytes.littleEndian(at: Self.size - 8) == Self.checksum(Array(bytes.dropLast(8)))
        else { return nil }
        self.init(
            pid: Int32(truncatingIfNeeded: bytes.littleEndian(at: 0) >> 32), priority: priority,
            command: String(decoding: bytes[24..<24 + Int(bytes[2])], as: UTF8.self),
            since: BootInstant(nanoseconds: Int64(bitPattern: bytes.littleEndian(at: 8))),
            seen: BootInstant(nanoseconds: Int64(bitPattern: bytes.littleEndian(at: 16))),
            reservedSlots: Int(truncatingIfNeeded: bytes.littleEndian(at: Self.size - 16)))
    }

    /// FNV-1a: detects a record that is being written, and accidents.
    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
