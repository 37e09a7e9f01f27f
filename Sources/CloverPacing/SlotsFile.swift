import CloverStorage
import Glibc

/// The in-flight slots of one scope: byte positions of an empty file, each lockable by one open file description. Those
/// who wait share a lock on one more position, by which others know of them.
struct SlotsFile: ~Copyable {
    /// Beyond all slots.
    private static let waitingByte = 1 << 20

    private let name: String
    private let count: Int
    /// An open file description that holds no slot yet. Kept while waiting, because closing it would wake everybody who
    /// waits.
    private var candidate: Descriptor?
    private var signal: SlotSignal?

    /// The slots of the scope with this file name; nothing is opened yet.
    init(name: String, count: Int) {
        self.name = name + ".slots"
        self.count = count
    }

    /// Readable after somebody gave a slot back; -1 while nobody listens.
    var signalNumber: Int32 {
        switch signal {
        case .some(let signal): signal.number
        case .none: -1
        }
    }

    /// Takes the first free slot; nil when there is none.
    ///
    /// - Parameter isNewcomer: whether to take none either while others wait.
    mutating func take(isNewcomer: Bool, in directory: borrowing OpenDirectory) throws(StorageError) -> FileLedgerSlot?
    {
        while true {
            let file = try openCandidate(in: directory)
            do {
                let number = try lockFirstFree(file, isNewcomer: isNewcomer)
                // A lock counts only on the file that everybody else opens too.
                guard try directory.entry(name, isSameFileAs: file) else { continue }
                if let number {
                    try ByteLock.unlock(byte: Self.waitingByte, of: file)
                    return FileLedgerSlot(number, holding: file)
                }
            } catch {
                throw .system(.lock, path: directory.path(of: name), errno: error.code)
            }
            candidate = consume file
            return nil
        }
    }

    /// Lets others know that somebody waits, begins to listen for slots that come back, and forgets what was heard so
    /// far. There may be nothing to hear with when the kernel has no listener to spare.
    mutating func wait(in directory: borrowing OpenDirectory) throws(StorageError) {
        let file = try openCandidate(in: directory)
        do {
            // Shared locks never stand in each other's way, and nobody asks for an exclusive one here.
            _ = try ByteLock.tryLock(.shared, byte: Self.waitingByte, of: file)
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
    private func lockFirstFree(_ file: borrowing Descriptor, isNewcomer: Bool) throws(ErrorNumber) -> Int? {
        if isNewcomer, try ByteLock.isLockedByOthers(byte: Self.waitingByte, of: file) { return nil }
        for byte in 0..<count where try ByteLock.tryLock(.exclusive, byte: byte, of: file) {
            return byte
        }
        return nil
    }

    /// How many slots are taken at this moment, and whether somebody waits for one. Takes none, and makes no file.
    func look(in directory: borrowing OpenDirectory) throws(StorageError) -> (taken: Int, isWaitedFor: Bool) {
        do {
            let file = try directory.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var taken = 0
            for byte in 0..<count where try ByteLock.isLockedByOthers(byte: byte, of: file) { taken += 1 }
            return (taken, try ByteLock.isLockedByOthers(byte: Self.waitingByte, of: file))
        } catch {
            // Nobody has ever taken one.
            if error.code == ENOENT { return (0, false) }
            throw .system(.open, path: directory.path(of: name), errno: error.code)
        }
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
