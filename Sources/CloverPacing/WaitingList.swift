import CloverStorage
import Glibc

/// Who waits for a budget: in the slots file each has a byte of its own locked, which is the announcement, and beside it
/// says who it is. A dead process waits no longer, because the kernel drops its lock.
///
/// A process that was stopped waits for nothing. Nobody stands back for one that the kernel shows as stopped; and as there
/// are other ways to be at a standstill, and processes that cannot be seen from a container, each says every `heartbeat`
/// that it is at work, and is not stood back for when it has not been heard of for `credit`.
struct WaitingList: ~Copyable {
    /// Nanoseconds between two signs of life.
    static let heartbeat: Int64 = 500_000_000
    /// Nanoseconds for which one sign counts: a machine may be busy, so that the next comes late.
    static let credit: Int64 = 1_500_000_000

    /// The first place; slots are below it.
    private static let firstByte = 4096
    /// More than so many have no place: they wait, but are not stood back for.
    private static let places = 1000
    /// Beyond all places. Everybody who waits shares a lock on it, so that one look tells that nobody does.
    private static let sharedByte = 1 << 20

    private let name: String
    /// Kept open, because closing it wakes everybody who listens for slots.
    private var file: Descriptor?
    private var place: (byte: Int, pacingClass: PacingClass)?

    /// The list in the file with this name; nothing is opened yet.
    init(name: String) {
        self.name = name
    }

    /// Says, or says again, that this process waits.
    mutating func announce(_ party: LedgerParty, in directory: borrowing OpenDirectory) throws(StorageError) {
        let file = try openFile(in: directory)
        do {
            if place == nil {
                // Shared locks never stand in each other's way, and nobody asks for an exclusive one here.
                _ = try ByteLock.tryLock(.shared, byte: Self.sharedByte, of: file)
                for byte in Self.firstByte..<Self.firstByte + Self.places
                where try ByteLock.tryLock(.exclusive, byte: byte, of: file) {
                    place = (byte, party.pacingClass)
                    break
                }
            }
            if let byte = place?.byte {
                place = (byte, max(party.pacingClass, place?.pacingClass ?? .bulk))
                try file.write(party.record, at: byte * LedgerParty.size)
            }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        self.file = consume file
    }

    /// Takes the announcement back. Those who stood back for it hear of that, as they hear of a slot.
    mutating func end() {
        guard let file = file.take() else { return }
        do {
            // Before it is closed: whoever hears of the close must find the locks gone. An error could only mean that there
            // were none, and closing drops them in any case.
            try ByteLock.unlockAll(of: file)
        } catch {}
        // Hardly anybody stands back for bulk work, so that nobody needs to hear of it.
        if place?.pacingClass == .bulk || place == nil { self.file = consume file }
        place = nil
    }

    /// How many of the slots, from the first on, this one leaves to others who wait; 0 when it need not stand back.
    ///
    /// Higher classes go first. Among equals those who came earlier do where they have fewer slots to choose from: the
    /// others can wait for another one.
    ///
    /// - Parameter isNewcomer: leaves slots to all of its own class.
    mutating func claimBefore(
        _ party: LedgerParty, isNewcomer: Bool, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> Int {
        let file = try openFile(in: directory)
        var claim = 0
        do {
            if try ByteLock.isLockedByOthers(byte: Self.sharedByte, of: file) {
                let own = place?.byte
                _ = try Self.contains(in: file) { (byte, other) throws(ErrorNumber) in
                    guard byte != own, other.claim > claim else { return false }
                    let goesFirst =
                        if other.pacingClass > party.pacingClass {
                            isNewcomer || other.isHeard(at: party.seen)
                        } else if other.pacingClass == party.pacingClass {
                            isNewcomer
                                || other.claim < party.claim && other.since < party.since
                                    && other.isHeard(at: party.seen)
                        } else {
                            false
                        }
                    guard goesFirst, try ByteLock.isLockedByOthers(byte: byte, of: file),
                        !LockHolder.isStopped(other.pid)
                    else { return false }
                    claim = other.claim
                    return claim >= party.claim
                }
            }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        self.file = consume file
        return claim
    }

    /// How many wait who go before this one: of higher classes, and of its own those who came earlier. No more than `most`
    /// are counted.
    mutating func elders(
        of party: LedgerParty, most: Int, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> Int {
        let file = try openFile(in: directory)
        var count = 0
        do {
            if try ByteLock.isLockedByOthers(byte: Self.sharedByte, of: file) {
                let own = place?.byte
                _ = try Self.contains(in: file) { (byte, other) throws(ErrorNumber) in
                    guard byte != own, other.claim > 0, other.isHeard(at: party.seen),
                        (other.pacingClass, party.since) > (party.pacingClass, other.since),
                        try ByteLock.isLockedByOthers(byte: byte, of: file)
                    else { return false }
                    count += 1
                    return count >= most
                }
            }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        self.file = consume file
        return count
    }

    /// Everybody who waits, in the order in which they came.
    static func parties(in file: borrowing Descriptor) throws(ErrorNumber) -> [LedgerParty] {
        guard try ByteLock.isLockedByOthers(byte: sharedByte, of: file) else { return [] }
        var found: [LedgerParty] = []
        _ = try contains(in: file) { (byte, party) throws(ErrorNumber) in
            if try ByteLock.isLockedByOthers(byte: byte, of: file) { found.append(party) }
            return false
        }
        return found.sorted { $0.since < $1.since }
    }

    /// Whether `matches` says so of any record, also of those whose owners are gone.
    private static func contains(
        in file: borrowing Descriptor, _ matches: (Int, LedgerParty) throws(ErrorNumber) -> Bool
    ) throws(ErrorNumber) -> Bool {
        var byte = firstByte
        while byte < firstByte + places {
            let records = try file.read(limit: 64 * LedgerParty.size, at: byte * LedgerParty.size)
            for start in stride(from: 0, through: records.count - LedgerParty.size, by: LedgerParty.size) {
                if let party = LedgerParty(record: records[start..<start + LedgerParty.size]),
                    try matches(byte + start / LedgerParty.size, party)
                {
                    return true
                }
            }
            if records.count < 64 * LedgerParty.size { return false }
            byte += 64
        }
        return false
    }

    /// The file, opened anew when somebody deleted it: a lock counts only on the file that everybody else opens too.
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

extension LedgerParty {
    /// Whether it has been heard of lately.
    fileprivate func isHeard(at now: BootInstant) -> Bool {
        abs(now.nanoseconds(since: seen)) <= WaitingList.credit
    }
}
