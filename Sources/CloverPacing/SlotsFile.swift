import CloverStorage
import Glibc

/// The in-flight slots of one scope: byte positions of a file, each lockable by one open file description. At 128 times the
/// position is written who holds the lock, which counts only as long as it is held. `WaitingList` uses positions beyond.
///
/// Whoever may have N in flight takes one of the first N positions, the last of them first. So those who may have few share
/// them with the others only when all else is taken, and however different the limits are, all who may have N or less
/// together never have more than N.
///
/// Each slot is locked in two files, this one and the one with the lock for turns: somebody who deletes either of them takes
/// nothing from those who hold slots.
struct SlotsFile: ~Copyable {
    /// What a look at the slots finds.
    struct Use: Equatable {
        var taken = 0
        /// The slots of requests that are under way, and whose they are.
        var underWay = 0
        var holding: [LedgerParty] = []
        var waiting: [LedgerParty] = []

        /// Who waits for a grant has a slot already, the last one that its process took: nothing is under way there.
        mutating func leaveOutWaiting() {
            underWay = taken
            for waiter in waiting where waiter.claim == LedgerParty.everySlot {
                let own = holding.indices.filter { holding[$0].pid == waiter.pid && holding[$0].since >= waiter.since }
                guard let last = own.max(by: { holding[$0].since < holding[$1].since }) else { continue }
                holding.remove(at: last)
                underWay -= 1
            }
        }
    }

    private let name: String
    /// The other file in which a slot is locked, at `twinStart` and its number.
    private let twin: String
    /// Beyond all that is ever written there.
    private static let twinStart = 1 << 30
    /// An open file description that holds no slot yet. Kept while waiting, because closing it would wake everybody who
    /// waits.
    private var candidate: Descriptor?
    private var signal: SlotSignal?

    /// The slots in the file with this name; nothing is opened yet.
    ///
    /// - Parameter twin: the name of the file with the lock for turns.
    init(name: String, twin: String) {
        self.name = name
        self.twin = twin
    }

    /// Readable after somebody gave a slot back; -1 while nobody listens.
    var signalNumber: Int32 {
        switch signal {
        case .some(let signal): signal.number
        case .none: -1
        }
    }

    /// Takes the last free one of these slots, and leaves a note of who holds it; nil when there is none.
    mutating func take(
        for party: LedgerParty, of slots: Range<Int>, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLedgerSlot? {
        while true {
            let file = try openCandidate(in: directory)
            do {
                let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
                let other = try directory.open(twin, flags: flags, mode: 0o600)
                let number = try lockLastFree(file, other, of: slots)
                // A lock counts only on the file that everybody else opens too.
                guard try directory.entry(name, isSameFileAs: file) else { continue }
                if let number {
                    try file.write(party.record, at: number * LedgerParty.size)
                    return FileLedgerSlot(number, holding: file, and: other)
                }
            } catch {
                throw .system(.lock, path: directory.path(of: name), errno: error.code)
            }
            candidate = consume file
            return nil
        }
    }

    /// Begins to listen for slots that come back, and forgets what was heard so far. There may be nothing to hear with when
    /// the kernel has no listener to spare.
    mutating func listen(in directory: borrowing OpenDirectory) throws(StorageError) {
        let file = try openCandidate(in: directory)
        do {
            if try !hears(file) { signal = try SlotSignal.listening(on: file) }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        candidate = consume file
        switch signal {
        case .some(let listening): listening.clear()
        case .none: break
        }
    }

    /// Ends waiting without a slot.
    mutating func giveUp() {
        candidate = nil
    }

    private func hears(_ file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        switch signal {
        case .some(let signal): try signal.isOn(file)
        case .none: false
        }
    }

    /// The slot that was locked; nil when there is none to have.
    private func lockLastFree(
        _ file: borrowing Descriptor, _ other: borrowing Descriptor, of slots: Range<Int>
    ) throws(ErrorNumber) -> Int? {
        for byte in slots.reversed() where try ByteLock.tryLock(.exclusive, byte: byte, of: file) {
            if try ByteLock.tryLock(.exclusive, byte: Self.twinStart + byte, of: other) { return byte }
            // Held by somebody whose file was deleted.
            try ByteLock.unlock(byte: byte, of: file)
        }
        return nil
    }

    /// Who holds slots at this moment and who waits for one. Takes none, and makes no file.
    func look(in directory: borrowing OpenDirectory) throws(StorageError) -> Use {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var use = Use()
            let most = RateLimits.inFlightRange.upperBound
            // Nothing was ever written behind the last one that anybody held.
            let records = try file.read(limit: most * LedgerParty.size, at: 0)
            let known = min(most, records.count / LedgerParty.size)
            use.taken += try takenElsewhere(file, in: directory)
            for byte in 0..<known where try ByteLock.isLockedByOthers(byte: byte, of: file) {
                use.taken += 1
                let start = byte * LedgerParty.size
                if let party = LedgerParty(record: records[start..<start + LedgerParty.size]) {
                    use.holding.append(party)
                }
            }
            use.waiting = try WaitingList.parties(in: file)
            use.leaveOutWaiting()
            return use
        } catch {
            // Nobody has ever taken one.
            if error.code == ENOENT { return Use() }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }

    /// How many slots are held by those whose file was deleted; nobody knows who they are.
    private func takenElsewhere(
        _ file: borrowing Descriptor, in directory: borrowing OpenDirectory
    ) throws(ErrorNumber) -> Int {
        let other: Descriptor
        do {
            other = try directory.open(twin, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            if error.code == ENOENT { return 0 }
            throw error
        }
        var count = 0
        for byte in 0..<RateLimits.inFlightRange.upperBound
        where try ByteLock.isLockedByOthers(byte: Self.twinStart + byte, of: other) {
            if try !ByteLock.isLockedByOthers(byte: byte, of: file) { count += 1 }
        }
        return count
    }

    private mutating func openCandidate(in directory: borrowing OpenDirectory) throws(StorageError) -> Descriptor {
        if let kept = candidate.take() { return kept }
        do {
            return try directory.open(name, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }
}
