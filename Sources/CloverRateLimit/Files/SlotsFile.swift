import CloverSystem
import Glibc
import Synchronization

/// The in-flight slots of one scope: byte positions of a file, each lockable by one open file description. A record at
/// 128 times the position names the lock's holder, and counts only while the lock is held. `WaiterRegistry` uses
/// positions beyond the slots.
///
/// A process with a limit of N in flight takes one of the first N positions, highest first. So processes with low
/// limits share slots with others only when all others are taken, and however different the limits are, all processes
/// with a limit of N or less together never have more than N in flight.
///
/// Each slot is locked in two files, this one and the one with the ledger lock, so that deleting either file frees no
/// slot that is held.
struct SlotsFile: ~Copyable {
    /// The result of inspecting the slots.
    struct Use: Equatable {
        var taken = 0
        /// Slots of requests in flight, and their holders.
        var underWay = 0
        var holding: [LedgerClient] = []
        var waiting: [LedgerClient] = []

        /// A request that waits for a grant already holds a slot, the last one that its process took. It is not in
        /// flight.
        mutating func excludeWaiting() {
            underWay = taken
            for waiter in waiting where waiter.reservedSlots == LedgerClient.everySlot {
                let own = holding.indices.filter { holding[$0].pid == waiter.pid && holding[$0].since >= waiter.since }
                guard let last = own.max(by: { holding[$0].since < holding[$1].since }) else { continue }
                holding.remove(at: last)
                underWay -= 1
            }
        }
    }

    private let name: String
    /// The second file in which a slot is locked, at `twinStart` plus its number.
    private let twin: String
    /// Beyond anything ever written there.
    private static let twinStart = 1 << 30
    /// An open file description that holds no slot yet. Kept while waiting, because closing it would wake all waiters.
    private var candidate: Descriptor?
    private var signal: SlotSignal?

    /// The slots in the file with this name; nothing is opened yet.
    ///
    /// - Parameter twin: name of the file with the ledger lock.
    init(name: String, twin: String) {
        self.name = name
        self.twin = twin
    }

    /// Readable after a slot was released; -1 while not listening.
    var signalNumber: Int32 { signal?.number ?? -1 }

    /// Takes the highest free slot of the range and records its holder; nil if none is free.
    mutating func take(
        for client: LedgerClient, of slots: Range<Int>, in directory: borrowing OpenDirectory
    ) throws(StorageError) -> FileLedgerSlot? {
        while true {
            let file = try openCandidate(in: directory)
            do {
                let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
                let other = try directory.open(twin, flags: flags, mode: 0o600)
                let number = try lockLastFree(file, other, of: slots)
                // A lock counts only on the file that other processes open too.
                guard try directory.entry(name, isSameFileAs: file) else { continue }
                if let number {
                    try file.write(client.record, at: number * LedgerClient.size)
                    return FileLedgerSlot(number, holding: file, and: other)
                }
            } catch {
                throw .system(.lock, path: directory.path(of: name), errno: error.code)
            }
            candidate = consume file
            return nil
        }
    }

    /// Starts listening for released slots, discarding earlier events. Listening is impossible if the kernel has no
    /// inotify instance to spare.
    mutating func listen(in directory: borrowing OpenDirectory) throws(StorageError) {
        let file = try openCandidate(in: directory)
        do {
            if try signal?.isOn(file) != true { signal = try SlotSignal.listening(on: file) }
        } catch {
            throw .system(.lock, path: directory.path(of: name), errno: error.code)
        }
        candidate = consume file
        signal?.clear()
    }

    /// Stops waiting without a slot.
    mutating func giveUp() {
        candidate = nil
    }

    /// The slot that was locked; nil if none is free.
    private func lockLastFree(
        _ file: borrowing Descriptor, _ other: borrowing Descriptor, of slots: Range<Int>
    ) throws(ErrorNumber) -> Int? {
        for byte in slots.reversed() where try ByteLock.tryLock(.exclusive, byte: byte, of: file) {
            if try ByteLock.tryLock(.exclusive, byte: Self.twinStart + byte, of: other) { return byte }
            // Held by a process whose slots file was deleted.
            try ByteLock.unlock(byte: byte, of: file)
        }
        return nil
    }

    /// The current holders and waiters. Takes no slot, and creates no file.
    func look(in directory: borrowing OpenDirectory) throws(StorageError) -> Use {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var use = Use()
            let most = RateLimits.inFlightRange.upperBound
            // Nothing was ever written after the highest slot that was ever held.
            let records = try file.read(limit: most * LedgerClient.size)
            let known = min(most, records.count / LedgerClient.size)
            use.taken += try slotsOfDeletedFiles(file, in: directory)
            for byte in 0..<known where try ByteLock.isLockedByOthers(byte: byte, of: file) {
                use.taken += 1
                let start = byte * LedgerClient.size
                if let client = LedgerClient(record: records[start..<start + LedgerClient.size]) {
                    use.holding.append(client)
                }
            }
            use.waiting = try WaiterRegistry.clients(in: file)
            use.excludeWaiting()
            return use
        } catch {
            // No slot has ever been taken.
            if error.code == ENOENT { return Use() }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
    }

    /// Number of slots held by processes whose slots file was deleted; their identity is unknown.
    private func slotsOfDeletedFiles(
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

/// A slot: a lock on one byte of the slots file, and one on a byte of its twin. A lock belongs to the open file
/// description (fcntl(2), "open file description locks"), so that two slots of one process exclude each other and the
/// kernel releases a dead process's slots.
final class FileLedgerSlot: LedgerSlot {
    let number: Int
    private let file: Mutex<Descriptor?>
    private let twin: Mutex<Descriptor?>

    /// Takes ownership of the descriptors whose open file descriptions hold the locks.
    init(_ number: Int, holding file: consuming Descriptor, and twin: consuming Descriptor) {
        self.number = number
        self.file = Mutex(file)
        self.twin = Mutex(twin)
    }

    func release() {
        // Release the twin first: waiters listen for the close of the other file, and must then find both locks
        // released.
        Self.unlock(twin)
        Self.unlock(file)
    }

    /// Unlocks a file, then closes it. Closing alone is not enough: a child forked by another thread shares the open
    /// file between fork(2) and execve(2), and would keep the slot until then.
    private static func unlock(_ file: borrowing Mutex<Descriptor?>) {
        file.withLock { file in
            guard let held = file.take() else { return }
            // An error can only mean that there was no lock.
            do {
                try ByteLock.unlock(of: held)
            } catch {}
        }
    }

    deinit {
        release()
    }
}

/// Detects, through inotify(7), that the slots file was closed, which is the last step of releasing a slot.
final class SlotSignal {
    private let queue: Descriptor
    private let device: dev_t
    private let inode: ino_t

    private init(_ queue: consuming Descriptor, on file: stat) {
        self.queue = queue
        device = file.st_dev
        inode = file.st_ino
    }

    /// Readable when something happened to the file.
    var number: Int32 { queue.number }

    /// Listens on the file that is open as `file`, whatever its name now refers to.
    ///
    /// - Returns: nil if the user has too many inotify instances (`/proc/sys/fs/inotify`), which is not an error.
    static func listening(on file: borrowing Descriptor) throws(ErrorNumber) -> SlotSignal? {
        let status = try file.status()
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { return nil }
        let queue = Descriptor(owning: number)
        // A slot's file is open for writing. IN_ATTRIB and IN_MOVE_SELF report that the file is removed or renamed.
        let events = UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVE_SELF)
        guard inotify_add_watch(number, "/proc/self/fd/\(file.number)", events) >= 0 else { return nil }
        return SlotSignal(queue, on: status)
    }

    /// Whether it listens on the file that is open as `file`.
    func isOn(_ file: borrowing Descriptor) throws(ErrorNumber) -> Bool {
        let status = try file.status()
        return status.st_dev == device && status.st_ino == inode
    }

    /// Empties the queue, so that it becomes readable only after a new event.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { space in
            while let base = space.baseAddress, read(queue.number, base, space.count) > 0 {}
        }
    }
}

/// The back-off of a request that waits for an in-flight slot.
///
/// All waiters learn of a released slot at the same time. So that the one that has waited longest gets it, each waiter
/// delays a little for every earlier one. This is not a strict queue, but a stopped process cannot block it. The first
/// waiter delays too, because a busy service may count a request as complete slightly later than Clover does.
///
/// In a database, each attempt takes time of the server, and with it of all others. There, a waiter behind many others delays
/// longer, so that few attempts are in vain.
///
/// Polling without an event is only the fallback, with one exception: when a process dies, the kernel reports the
/// closing of its files shortly before it drops their locks, so the first attempt after that event may be too early.
/// Attempts are therefore frequent after an event, then increasingly rare.
package struct SlotBackoff {
    private static let millisecond: Int64 = 1_000_000
    private static let shortest = millisecond
    /// An earlier waiter may have been stopped meanwhile, without an event. In a database, others than the first waiters hear
    /// of no event.
    private var longest: Int64 { (turn > 0 ? 2000 : 250) * Self.millisecond }
    /// Polling interval if the kernel has no inotify instance to spare.
    private static let pollInterval = 20 * millisecond
    /// Delay in favour of each earlier waiter.
    private static let yieldDelay = millisecond
    /// The longest delay in favour of earlier waiters, some of which may be stopped.
    private static let longestYield = 1000 * millisecond

    /// Nanoseconds in which one waiter is served, where attempts take time of others; 0 where they are cheap.
    private let turn: Int64
    private var next: Int64 = 0

    package init(turn: Int64) {
        self.turn = turn
        next = longest
    }

    /// Reports that a slot was released.
    ///
    /// - Parameter earlierWaiters: number of earlier waiters.
    /// - Returns: nanoseconds until the next attempt.
    mutating func heard(earlierWaiters: Int) -> Int64 {
        next = turn > 0 ? Self.pollInterval : Self.shortest
        return Self.firstLook + yieldDelay(earlierWaiters: earlierWaiters)
    }

    /// The maximum number of earlier waiters that makes a difference.
    package var earlierWaiterLimit: Int { turn > 0 ? 128 : 16 }

    /// The delay in nanoseconds in favour of this many earlier waiters.
    package func yieldDelay(earlierWaiters: Int) -> Int64 {
        let earlier = Int64(min(earlierWaiters, earlierWaiterLimit))
        // Half of the time that those before it need at least: some of them may be stopped.
        return max(Self.yieldDelay * min(earlier, 16), min((earlier - 1) * turn / 2, Self.longestYield))
    }

    /// Nanoseconds until the next attempt after a failed one, unless an event comes first.
    mutating func attemptFailed(isListening: Bool) -> Int64 {
        guard isListening else { return Self.pollInterval }
        defer { next = min(next * 4, longest) }
        return next
    }

    /// Nanoseconds until the first attempt of a request that found others waiting.
    static var firstLook: Int64 { 2 * yieldDelay }
}
