import CLinux
import CloverStorage
import Glibc

/// The ledger of one scope as a file, and the turns at it.
struct LedgerFile {
    /// File name without ending.
    let name: String
    let boot: BootIdentity
    let onNotice: @Sendable (LedgerNotice) -> Void
    /// Milliseconds that a turn waits for the one before it, which takes microseconds.
    var patience: Int32 = 10_000

    private var ledgerName: String { name + ".ledger" }

    /// What is found in the ledger's place.
    private enum Found: ~Copyable {
        case ledger(Descriptor, GrantWindow)
        case nothing
        case unusable(LedgerFault)
    }

    /// One turn: lock, read, change, write. The present is looked up under the lock, so that it never runs backwards
    /// from one turn to the next.
    ///
    /// - Parameter isKnown: whether this process has had a turn before, so that a missing ledger was deleted even when
    ///   the lock file went with it.
    func turn<Answer>(
        in directory: borrowing OpenDirectory, isKnown: Bool,
        _ change: (inout GrantWindow, BootInstant) -> Answer
    ) throws(StorageError) -> Answer {
        let lock = try LedgerLock.acquire(name + ".lock", in: directory, patience: patience) { holder in
            onNotice(.waitingForTurn(path: directory.path(of: name + ".lock"), holder: holder))
        }
        defer { withExtendedLifetime(lock) {} }
        let now = BootInstant.now
        var window: GrantWindow
        let answer: Answer
        switch try find(in: directory, now: now) {
        case .ledger(let file, let found):
            window = found
            answer = change(&window, now)
            if window != found { try write(window, to: file, in: directory) }
        case .nothing:
            // Without a ledger and without a mark nobody has ever used this budget. Otherwise its history was removed.
            let wasDeleted = isKnown || lock.file.wasMarked
            if wasDeleted { onNotice(.missing(path: directory.path(of: ledgerName))) }
            window = wasDeleted ? GrantWindow(fullAt: now) : GrantWindow()
            answer = change(&window, now)
            try create(window, in: directory, holding: lock.file)
        case .unusable(let fault):
            try setAside(fault, in: directory)
            window = GrantWindow(fullAt: now)
            answer = change(&window, now)
            try create(window, in: directory, holding: lock.file)
        }
        if !lock.file.wasMarked { try lock.file.mark() }
        return answer
    }

    /// The history as it is, read without a turn, because whoever only looks shall not hold up those who send. A ledger
    /// that cannot be used counts as used up, which is what the next turn makes of it.
    func look(in directory: borrowing OpenDirectory, now: BootInstant) throws(StorageError) -> GrantWindow {
        // A turn writes in place, so that one look may meet half of it.
        for _ in 0..<Self.looks {
            switch try find(in: directory, now: now, access: O_RDONLY) {
            case .ledger(_, let window): return window
            case .nothing: return GrantWindow()
            case .unusable: continue
            }
        }
        return GrantWindow(fullAt: now)
    }

    private static let looks = 3

    private func find(
        in directory: borrowing OpenDirectory, now: BootInstant, access: Int32 = O_RDWR
    ) throws(StorageError) -> Found {
        let file: Descriptor
        do {
            file = try directory.open(ledgerName, flags: access | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT: return .nothing
            case ELOOP, EISDIR, ENXIO: return .unusable(.foreign)
            default: throw .system(.open, path: directory.path(of: ledgerName), errno: error.code)
            }
        }
        let image: [UInt8]
        do {
            image = try file.readFromStart(limit: LedgerImage.sizeLimit)
        } catch {
            // A FIFO or a terminal has no positions to read at.
            if error.code == ESPIPE { return .unusable(.foreign) }
            throw .system(.read, path: directory.path(of: ledgerName), errno: error.code)
        }
        do {
            return .ledger(file, try LedgerImage.decode(image, boot: boot, now: now))
        } catch {
            return .unusable(error)
        }
    }

    private func write(
        _ window: GrantWindow, to file: borrowing Descriptor, in directory: borrowing OpenDirectory
    ) throws(StorageError) {
        do {
            try file.writeFromStart(LedgerImage.encode(window, boot: boot))
        } catch {
            throw .system(.write, path: directory.path(of: ledgerName), errno: error.code)
        }
    }

    /// Makes the ledger whole beside its place and renames it, so that a crash leaves no empty one behind.
    private func create(
        _ window: GrantWindow, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) throws(StorageError) {
        let image = LedgerImage.encode(window, boot: boot)
        try AtomicFile.replace(ledgerName, in: directory, with: image, durable: false, holding: lock)
    }

    /// Renames the unusable ledger to `NAME.ledger.REASON-MILLISECONDS`; the lock keeps others from doing the same.
    private func setAside(_ fault: LedgerFault, in directory: borrowing OpenDirectory) throws(StorageError) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var stamp = Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
        func asideName() -> String { "\(ledgerName).\(fault.rawValue)-\(stamp)" }
        while try directory.kind(of: asideName()) != nil { stamp += 1 }
        try directory.rename(ledgerName, to: asideName())
        onNotice(
            .setAside(path: directory.path(of: ledgerName), to: directory.path(of: asideName()), reason: fault))
    }
}
